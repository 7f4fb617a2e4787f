"""Contents pages, lists, code, charts and form fields on pages made in code."""

import pymupdf

from schemas.content import BlockType
from tests.unit.read.pages import block_with, made, prose, read, texts, wrap, write


def test_each_entry_of_a_contents_page_is_a_line_of_its_own() -> None:
    entries = [
        ("1 Introduction", "1"),
        ("1.1 Aims of this work", "2"),
        ("1.2 A much longer title of a section", "3"),
        ("References", "99"),
        ("Preface", "iv"),
    ]

    def draw(page: pymupdf.Page) -> None:
        write(page, 50, 80, ["Contents"], size=16)
        for number, (title, target) in enumerate(entries):
            dots = int((430 - pymupdf.get_text_length(title, "helv", 10)) / pymupdf.get_text_length(".", "helv", 10))
            page.insert_text((50, 120 + 14 * number), f"{title} {'.' * dots} {target}", fontsize=10)

    content = read(made(draw))
    assert texts(content) == ["Contents", *(f"{title} {target}" for title, target in entries)]
    assert [block.type for block in content.blocks].count(BlockType.HEADING) == 1


def test_entries_of_a_list_of_figures_are_no_captions() -> None:
    def draw(page: pymupdf.Page) -> None:
        for number, title in enumerate(["Figure 1: The harbour", "Figure 2: The ferry"]):
            page.insert_text((50, 120 + 14 * number), title, fontsize=10)
            page.insert_text((200, 120 + 14 * number), ". " * 40, fontsize=10)
            page.insert_text((480, 120 + 14 * number), str(4 + number), fontsize=10)

    content = read(made(draw))
    assert texts(content) == ["Figure 1: The harbour 4", "Figure 2: The ferry 5"]
    assert BlockType.CAPTION not in {block.type for block in content.blocks}


def test_prose_with_numbers_at_line_ends_is_no_contents_page() -> None:
    lines = [
        "the harbour closes after the last ferry of the day in the year 1907",
        "and goods which arrive later stay in the northern shed until hour 12",
        "of the day.",
    ]
    assert len(texts(read(made(lambda page: write(page, 50, 100, lines) and None)))) == 1


def test_nested_items_know_their_depth() -> None:
    items = [("1) one", 60), ("2) two", 60), ("a) below two", 85), ("b) below two as well", 85), ("(A) deepest", 110), ("3) three", 60)]

    def draw(page: pymupdf.Page) -> None:
        for number, (text, x) in enumerate(items):
            page.insert_text((x, 100 + 14 * number), text, fontsize=10)

    found = [block for block in read(made(draw)).blocks if block.type is BlockType.LIST_ITEM]
    assert [(block.text, block.list_depth) for block in found] == [(text, {60: 0, 85: 1, 110: 2}[x]) for text, x in items]


def test_code_keeps_its_lines_indents_and_comments_beside() -> None:
    code = ["def ferry(hour):", "    if hour > 7:", "        return leave(hour)"]

    def draw(page: pymupdf.Page) -> None:
        y = write(page, 50, 80, wrap(prose(500), 480)) + 10
        for number, line in enumerate(code):
            page.insert_text((60, y + 12 * number), line, fontsize=9, fontname="cour")
            page.insert_text((330, y + 12 * number), f"# note {number}", fontsize=9, fontname="cour")
        write(page, 50, y + 60, wrap(prose(300), 480))

    (found,) = [block.text for block in read(made(draw)).blocks if block.type is BlockType.CODE]
    lines = found.split("\n")
    assert [line.split("#")[0].rstrip() for line in lines] == code
    assert len({line.index("#") for line in lines}) == 1


def test_typewriter_words_at_a_line_start_cut_no_sentence() -> None:
    lines = wrap(prose(420), 330)[:5]
    typed = "harbour_open and ferry_time and the clerks_of_the_sheds"

    def draw(page: pymupdf.Page) -> None:
        for number, line in enumerate([*lines[:3], typed, *lines[3:]]):
            page.insert_text((50, 100 + 12 * number), line, fontsize=10, fontname="cour" if line == typed else "helv")

    assert len(texts(read(made(draw)))) == 1


def bars(page: pymupdf.Page, x: float, y: float) -> None:
    """A chart of slanted lines, 120 points wide and high."""
    for number in range(8):
        page.draw_line((x + 15 * number, y + 120), (x + 15 * number + 10, y + 110 - 12 * number))
        page.draw_circle((x + 15 * number + 10, y + 110 - 12 * number), 3)


def test_parts_of_a_chart_side_by_side_are_one_figure_with_one_caption() -> None:
    def draw(page: pymupdf.Page) -> None:
        bars(page, 100, 100)
        bars(page, 240, 100)
        page.insert_text((100, 245), "Figure 1. Ferries by hour, two days", fontsize=9)
        write(page, 50, 300, wrap(prose(900), 480))

    content = read(made(draw))
    (figure,) = [block for block in content.blocks if block.type is BlockType.FIGURE]
    assert figure.bbox[0] < 105
    assert figure.bbox[2] > 340
    caption = block_with(content, "Ferries by hour")
    assert caption.caption_of == content.blocks.index(figure) + 1


def test_a_white_background_is_no_part_of_a_chart() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.draw_rect(pymupdf.Rect(60, 10, 400, 600), color=None, fill=(1, 1, 1))
        bars(page, 100, 100)
        write(page, 50, 300, wrap(prose(900), 480))

    (figure,) = [block for block in read(made(draw)).blocks if block.type is BlockType.FIGURE]
    assert figure.bbox[3] < 240


def test_form_fields_have_the_labels_printed_beside_them() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((60, 111), "Surname", fontsize=10)
        page.insert_text((92, 151), "I have read the rules", fontsize=10)
        page.insert_text((60, 196), "Town", fontsize=8)
        kinds = ((pymupdf.PDF_WIDGET_TYPE_TEXT, (120, 100, 260, 116), "Byron"), (pymupdf.PDF_WIDGET_TYPE_CHECKBOX, (70, 140, 84, 154), True))
        for number, (kind, box, value) in enumerate((*kinds, (pymupdf.PDF_WIDGET_TYPE_TEXT, (60, 200, 260, 216), "Athens"))):
            widget = pymupdf.Widget()
            widget.field_name, widget.field_type, widget.field_value, widget.rect = f"f{number}", kind, value, pymupdf.Rect(box)
            widget.field_label = "The town of birth" if number == 3 else None
            page.add_widget(widget)

    fields = [block.field for block in read(made(draw)).blocks if block.field is not None]
    assert [(field.value, field.label) for field in fields] == [("Byron", "Surname"), ("on", "I have read the rules"), ("Athens", "Town")]


def test_a_number_in_brackets_is_a_headings_where_its_line_is_set_apart() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = 100.0
        for number in (1, 2):
            page.insert_text((50, y), f"({number}) What the law says of it", fontsize=11, fontname="helv")
            y = write(page, 50, y + 15, wrap(prose(400), 400), font="tiro") + 12
        page.insert_text((50, y), "(3) an item in the type of the text", fontsize=10, fontname="tiro")

    found = read(made(draw)).blocks
    assert [block.text for block in found if block.type is BlockType.HEADING] == ["(1) What the law says of it", "(2) What the law says of it"]
    assert [block.text for block in found if block.type is BlockType.LIST_ITEM] == ["(3) an item in the type of the text"]
