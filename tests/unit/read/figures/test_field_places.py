"""Form fields stand where a reader meets them: behind their printed labels, in the order of the page and not of the file."""

import time
from collections.abc import Sequence

import pymupdf

from schemas.content import Block, BlockType, FormField, PageContent
from streams.read.figures.field_places import in_the_flow
from streams.read.figures.labels import Labelled
from tests.unit.read.pages import made, prose, read, texts, wrap, write

TEXT, BOX = pymupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.PDF_WIDGET_TYPE_CHECKBOX

Widget = tuple[int, tuple[float, float, float, float], object, str]


def page_of(printed: Sequence[tuple[float, float, str]], widgets: Sequence[Widget]) -> PageContent:
    """A page of prose, words at (x, baseline), widgets (type, box, value, tooltip) and prose."""

    def draw(page: pymupdf.Page) -> None:
        write(page, 60, 80, wrap(prose(300), 400))
        for x, y, text in printed:
            page.insert_text((x, y), text, fontsize=10)
        for number, (kind, box, value, tooltip) in enumerate(widgets):
            widget = pymupdf.Widget()
            widget.field_type, widget.field_name, widget.rect = kind, f"f{number}", pymupdf.Rect(box)
            widget.field_value, widget.field_label, widget.border_width, widget.border_color = value, tooltip or None, 1, (0, 0, 0)
            page.add_widget(widget)
        write(page, 60, 500, wrap(prose(300, 5), 400))

    return read(made(draw))


def shown(content: PageContent) -> list[str]:
    """The blocks between the prose; fields as `label = value`."""
    return [f"{block.field.label} = {block.field.value}" if block.field else block.text for block in content.blocks[1:-1]]


def test_fields_stand_in_the_order_of_the_page_whatever_the_order_of_the_file() -> None:
    rows = [("Town:", ""), ("Street:", "Quay 3"), ("Country:", ""), ("Name:", "Ada")]
    printed = [(60.0, 200 + 30.0 * n, label) for n, (label, _) in enumerate(rows)]
    widgets = [(TEXT, (150, 188 + 30 * n, 330, 206 + 30 * n), value, "") for n, (_, value) in enumerate(rows)]
    content = page_of(printed, widgets[::-1])
    assert shown(content) == ["Town:", "Town: = ", "Street: = Quay 3", "Country:", "Country: = ", "Name: = Ada"]


def test_labels_on_one_line_or_close_below_each_other_are_apart() -> None:
    printed = [(80.0, 200.0, "Breton"), (180.0, 200.0, "Catalan"), (280.0, 200.0, "Danish"), (60.0, 230.0, "Town:"), (60.0, 243.0, "Street:")]
    boxes: list[Widget] = [(BOX, (x - 16, 191, x - 6, 201), x == 180, "") for x in (80, 180, 280)]
    lines: list[Widget] = [(TEXT, (150, 221 + 13 * n, 330, 232 + 13 * n), value, "") for n, value in enumerate(("Nantes", ""))]
    assert shown(page_of(printed, [*boxes, *lines])) == [
        "Breton", "Breton = off", "Catalan = on", "Danish", "Danish = off", "Town: = Nantes", "Street:", "Street: = ",
    ]  # fmt: skip


def test_the_printed_label_is_said_and_not_an_instruction() -> None:
    content = page_of([(60, 200, "Country:")], [(TEXT, (150, 188, 330, 206), "Eire", "Choose from the list, or type")])
    assert shown(content) == ["Country: = Eire"]


def test_words_above_a_field_say_less_than_its_own_label() -> None:
    content = page_of([(60, 200, "See overleaf")], [(TEXT, (60, 206, 330, 224), "Eire", "Country")])
    assert shown(content) == ["See overleaf", "Country = Eire"]


def test_boxes_behind_their_labels_have_these() -> None:
    printed = [(60.0, 200.0, "yes"), (110.0, 200.0, "no")]
    content = page_of(printed, [(BOX, (80, 191, 90, 201), True, ""), (BOX, (126, 191, 136, 201), False, "")])
    assert shown(content) == ["yes = on", "no", "no = off"]


def test_a_box_beside_the_second_line_of_its_label_does_not_cut_it() -> None:
    content = page_of(
        [(80, 200, "Check here if your home was for most of the year in"), (80, 211, "the country.")], [(BOX, (62, 202, 72, 212), False, "")]
    )
    assert "Check here if your home was for most of the year in the country." in texts(content)


def test_a_push_button_is_no_label() -> None:
    content = page_of(
        [(70, 200, "Submit")], [(TEXT, (150, 188, 330, 206), "Eire", ""), (pymupdf.PDF_WIDGET_TYPE_BUTTON, (60, 188, 130, 206), None, "")]
    )
    assert [block.field.label for block in content.blocks if block.field] == [""]


def test_a_field_in_a_sentence_leaves_the_sentence_whole() -> None:
    printed = [(60.0, 200.0, "The undersigned, of"), (260.0, 200.0, "and born in the year"), (420.0, 200.0, ", agrees.")]
    content = page_of(printed, [(TEXT, (155, 190, 255, 203), "Lyme", ""), (TEXT, (360, 190, 415, 203), "1815", "")])
    assert "The undersigned, of and born in the year , agrees." in texts(content)


def field(y: float, value: str = "") -> Labelled:
    return Labelled(Block(type=BlockType.FORM_FIELD, bbox=(100.0, y, 200.0, y + 10), text=value, field=FormField(name="f", value=value)))


def test_captions_keep_their_objects() -> None:
    flow = [
        Block(type=BlockType.PARAGRAPH, bbox=(50.0, 50.0, 90.0, 60.0), text="One"),
        Block(type=BlockType.FIGURE, bbox=(50.0, 100.0, 300.0, 200.0)),
        Block(type=BlockType.CAPTION, bbox=(50.0, 210.0, 300.0, 220.0), text="Figure 1", caption_of=2),
    ]
    found = in_the_flow(flow, [field(50.0), field(20.0)])
    caption = next(block for block in found if block.caption_of)
    assert [block.type for block in found[:3]] == [BlockType.FORM_FIELD, BlockType.PARAGRAPH, BlockType.FORM_FIELD]
    assert caption.caption_of is not None
    assert found[caption.caption_of - 1].type is BlockType.FIGURE


def test_many_fields_among_many_blocks_cost_little() -> None:
    flow = [Block(type=BlockType.PARAGRAPH, bbox=(50.0, n, 90.0, n + 1.0), text="One") for n in range(5_000)]
    start = time.process_time()
    assert len(in_the_flow(flow, [field(float(n)) for n in range(3_000)])) == 8_000
    assert time.process_time() - start < 1.0
