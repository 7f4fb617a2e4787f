"""What a field or a note says stands once in a document, and what is printed under it in other words is not lost."""

import pymupdf
from hypothesis import given
from hypothesis import strategies as st

from schemas.content import BlockType, TextStyle
from streams.read.blocks.lines import Fragment
from streams.read.figures.said_twice import Said, without_said
from tests.unit.read.pages import made, read, texts

BOX = (100.0, 90.0, 300.0, 150.0)


def field(page: pymupdf.Page, name: str, value: str, box: tuple[float, ...], kind: int = pymupdf.PDF_WIDGET_TYPE_TEXT, flags: int = 0) -> None:
    widget = pymupdf.Widget()
    widget.field_name, widget.field_type, widget.rect, widget.field_flags = name, kind, pymupdf.Rect(box), flags
    if kind == pymupdf.PDF_WIDGET_TYPE_COMBOBOX:
        widget.choice_values = ["alpha", "beta"]
    widget.field_value = value
    page.add_widget(widget)


def test_values_of_fields_stand_once_and_labels_are_no_headings() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((60, 195), "Name:", fontsize=11)
        page.insert_text((60, 245), "Choice:", fontsize=11)
        field(page, "nm", "Ada Lovelace of Marylebone", (150, 180, 400, 202))
        field(page, "ch", "beta", (150, 230, 400, 252), pymupdf.PDF_WIDGET_TYPE_COMBOBOX)
        field(page, "note", "line one\nline two\nline three", (150, 300, 400, 360), flags=pymupdf.PDF_TX_FIELD_IS_MULTILINE)

    content = read(made(draw))
    assert texts(content, BlockType.FORM_FIELD) == ["Ada Lovelace of Marylebone", "beta", "line one line two line three"]
    assert [block.field.label for block in content.blocks if block.field is not None] == ["Name:", "Choice:", ""]
    assert all(block.type is BlockType.FORM_FIELD for block in content.blocks)
    assert not texts(content, BlockType.HEADING)


def test_print_in_a_field_that_is_not_its_value_stays() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((160, 195), "Official use only", fontsize=9)
        page.insert_text((160, 245), "See the notes overleaf", fontsize=9)
        field(page, "empty", "", (150, 180, 400, 202))
        page.add_freetext_annot(pymupdf.Rect(150, 230, 400, 262), "Checked in May")

    content = read(made(draw))
    assert any("Official use only" in text for text in texts(content))
    assert any("See the notes overleaf" in text for text in texts(content))
    assert sum("Checked in May" in text for text in texts(content)) == 1


def test_a_stamp_stands_once() -> None:
    content = read(made(lambda page: page.add_stamp_annot(pymupdf.Rect(60, 500, 300, 560), stamp=pymupdf.STAMP_Approved)))
    assert [(block.type, block.text) for block in content.blocks] == [(BlockType.ANNOTATION, "Approved")]


def fragment(text: str, x: float = 120.0, y: float = 100.0) -> Fragment:
    return Fragment(x, y, x + 20, y + 10, text, y + 8, TextStyle(font="f", size_pt=10.0), raised=False, angle=0, rtl=False, letters=len(text))


def test_numbers_are_shown_to_more_places_than_they_are_held() -> None:
    shown = [fragment("1,234.50"), fragment("$"), fragment("1,234.55"), fragment("1234.50 a day"), fragment("1,234.50", x=400)]
    assert without_said(shown, [Said(BOX, "1234.5")]) == shown[1:]


@given(st.lists(st.text(min_size=1, max_size=12).filter(lambda text: not text.isspace()), min_size=1, max_size=5))
def test_every_line_of_a_value_is_said_by_it_and_nothing_outside_of_its_box(lines: list[str]) -> None:
    said = [Said(BOX, " ".join(lines))]
    wordy = [line for line in lines if any(sign.isalnum() for sign in line)]
    assert without_said([fragment(line) for line in wordy], said) == []
    outside = [fragment(line, y=400.0) for line in lines]
    assert without_said(outside, said) == outside
