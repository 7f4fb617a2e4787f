"""A page as it is read: boxes of the displayed page, blocks of the right type, in the order of reading."""

import io

import pymupdf
import pytest
from PIL import Image

from schemas.content import BlockType, FormField, Link, PageContent
from schemas.geometry import BBox, contains_point
from tests.unit.read.made_pages import Sheet, lines_of
from tests.unit.read.pages import HEIGHT, WIDTH, block_with, made, prose, read, survey, texts, wrap, write
from tests.unit.read.prose import PROSE

BODY = BlockType.PARAGRAPH


def picture(width: int = 60, height: int = 40) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((width, height), 90).save(buffer, "PNG")
    return buffer.getvalue()


def two_columns(page: pymupdf.Page) -> None:
    write(page, 150, 80, ["A title over both columns"], size=18, font="hebo")
    write(page, 50, 130, wrap(prose(1500), 235))
    write(page, 310, 130, wrap(prose(1500, 7), 235))
    write(page, 290, 820, ["12"])


def test_columns_become_paragraphs_in_order() -> None:
    content = read(made(two_columns))
    assert texts(content) == ["A title over both columns", prose(1500), prose(1500, 7), "12"]
    title, left, right, number = content.blocks
    assert title.type is BlockType.HEADING
    assert title.style is not None
    assert (title.style.size_pt, title.style.bold) == (18.0, True)
    assert left.type is right.type is number.type is BODY
    assert left.column is not None
    assert right.column is not None
    assert left.column[1] < 295 < right.column[0]
    assert left.line_count > 20
    assert not left.indented


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_turned_page_is_read_as_displayed(rotation: int) -> None:
    def draw(page: pymupdf.Page) -> None:
        matrix = page.derotation_matrix
        for y, text in ((60, "Heading of the page"), (100, "first line of the body text that is long"), (113, "and goes on here")):
            page.insert_text(pymupdf.Point(80, y) * matrix, text, fontsize=10, rotate=rotation)
        page.draw_rect(pymupdf.Rect(80, 200, 300, 280) * matrix)

    document = pymupdf.open()
    page = document.new_page(width=500, height=400)
    page.set_cropbox(pymupdf.Rect(40, 30, 480, 390))
    page.set_rotation(rotation)
    draw(page)
    content = read(pymupdf.open("pdf", document.tobytes()))
    assert (content.rotation, content.width_pt, content.height_pt) == (rotation, *((440, 360) if rotation % 180 == 0 else (360, 440)))
    assert texts(content) == ["Heading of the page", "first line of the body text that is long and goes on here"]
    assert all(block.rotation == 0 for block in content.blocks)
    assert contains_point(content.blocks[0].bbox, 85, 57)
    assert contains_point(content.blocks[1].bbox, 85, 110)


def test_text_across_the_page_comes_last_and_keeps_its_direction() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((25, 500), "arXiv:0000.00000 in the margin", fontsize=16, rotate=90)
        write(page, 80, 100, wrap(prose(900), 420))

    content = read(made(draw))
    assert texts(content) == [prose(900), "arXiv:0000.00000 in the margin"]
    assert content.blocks[1].type is BlockType.PAGE_HEADER
    assert content.blocks[1].rotation == 270


def test_headings_lists_captions_and_footnotes() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = write(page, 60, 80, ["1 Introduction"], size=14, font="hebo")
        y = write(page, 60, y + 10, wrap(prose(600), 460))
        y = write(page, 60, y + 10, ["Results in bold"], font="hebo")
        y = write(page, 60, y + 4, wrap(prose(500, 3), 460))
        y = write(page, 70, y + 10, ["• first item of the list"])
        y = write(page, 70, y, ["• second item that is so long that it needs"])
        y = write(page, 79, y, ["another line below it"])
        y = write(page, 90, y, ["- an item below"])
        y = write(page, 70, y, ["• third item"])
        page.insert_image(pymupdf.Rect(60, y + 10, 260, y + 140), stream=picture())
        write(page, 60, y + 155, ["Figure 3: What the picture shows"], size=9, font="heit")
        write(page, 60, 780, ["1 A note in small type at the foot of the page."], size=7)

    content = read(made(draw))
    kinds = [(block.type, block.list_depth) for block in content.blocks]
    assert kinds == [
        (BlockType.HEADING, None),
        (BODY, None),
        (BlockType.HEADING, None),
        (BODY, None),
        (BlockType.LIST_ITEM, 0),
        (BlockType.LIST_ITEM, 0),
        (BlockType.LIST_ITEM, 1),
        (BlockType.LIST_ITEM, 0),
        (BlockType.FIGURE, None),
        (BlockType.CAPTION, None),
        (BlockType.FOOTNOTE, None),
    ]
    assert "another line below it" in content.blocks[5].text


def test_paragraphs_part_at_indents_short_ends_and_space() -> None:
    first, second, third = prose(500), prose(400, 5), prose(400, 9)

    def draw(page: pymupdf.Page) -> None:
        y = write(page, 60, 80, wrap(first, 440))
        lines = wrap(second, 425)
        write(page, 75, y, lines[:1])
        y = write(page, 60, y + 13, wrap(" ".join(lines[1:]), 440))
        write(page, 60, y + 8, wrap(third, 440))

    content = read(made(draw))
    assert texts(content) == [first, second, third]
    assert [block.indented for block in content.blocks] == [False, True, False]


def test_a_page_number_close_below_the_text_stands_alone() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = write(page, 60, HEIGHT - 40 - 13 * 12, wrap(prose(1200), 440)[:12])
        write(page, 60, y, ["17"])

    assert texts(read(made(draw)))[-1] == "17"


def test_code_keeps_its_lines_and_indents() -> None:
    code = ["def twice(value):", "    if value:", "        return [value, value]", "    return []"]

    def draw(page: pymupdf.Page) -> None:
        y = write(page, 60, 80, wrap(prose(600), 440))
        write(page, 60, y + 10, code, font="cour", size=9)

    block = read(made(draw)).blocks[-1]
    assert block.type is BlockType.CODE
    assert block.text == "\n".join(code)


def test_a_drop_capital_belongs_to_its_first_line() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((60, 112), "O", fontsize=40)
        y = write(page, 95, 90, ["ver the past years the harbour office has kept", "its books in the northern shed, where every"], size=10)
        write(page, 60, y, wrap(prose(500), 300))

    assert texts(read(made(draw)))[0].startswith("Over the past years the harbour office has kept its books")


def test_ruled_tables_take_their_words_out_of_the_flow() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 60, 80, wrap(prose(400), 440))
        for i in range(4):
            page.draw_line((60, 200 + i * 20), (360, 200 + i * 20))
            page.draw_line((60 + i * 100, 200), (60 + i * 100, 260))
        for row in range(3):
            for column in range(3):
                page.insert_text((65 + column * 100, 214 + row * 20), f"cell {row}{column}", fontsize=9)
        write(page, 60, 300, wrap(prose(300, 4), 440))

    content = read(made(draw))
    assert [block.type for block in content.blocks] == [BODY, BlockType.TABLE, BODY]
    table = content.blocks[1].table
    assert table is not None
    assert sorted(cell.text for cell in table.cells) == sorted(f"cell {r}{c}" for r in range(3) for c in range(3))


def test_links_form_fields_and_notes_stand_apart() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 60, 80, ["Read the manual of the harbour before you call the office about it."])
        page.insert_link({"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(80, 70, 150, 84), "uri": "https://example.org/manual"})
        page.insert_link({"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(150, 70, 200, 84), "uri": "javascript:alert(1)"})
        for name, kind, value, x in (("who.name", pymupdf.PDF_WIDGET_TYPE_TEXT, "Ada", 60), ("sure", pymupdf.PDF_WIDGET_TYPE_CHECKBOX, True, 200)):
            widget = pymupdf.Widget()
            widget.field_name, widget.field_type, widget.field_value = name, kind, value
            widget.rect = pymupdf.Rect(x, 200, x + 80, 215)
            page.add_widget(widget)
        empty = pymupdf.Widget()
        empty.field_name, empty.field_type, empty.rect = "empty", pymupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.Rect(60, 230, 140, 245)
        page.add_widget(empty)
        page.add_freetext_annot(pymupdf.Rect(60, 300, 260, 320), "A note beside the text")

    content = read(made(draw))
    manual = block_with(content, "Read the manual")
    assert [link.target for link in manual.links] == ["https://example.org/manual"]
    assert isinstance(manual.links[0], Link)
    assert "manual" in manual.links[0].text
    fields = [block for block in content.blocks if block.type is BlockType.FORM_FIELD]
    assert [block.field for block in fields] == [
        FormField(name="who.name", value="Ada"),
        FormField(name="sure", value="on"),
        FormField(name="empty", value=""),
    ]
    assert contains_point(fields[0].bbox, 100, 207)
    assert texts(content, BlockType.ANNOTATION) == ["A note beside the text"]
    assert sum("A note beside" in text for text in texts(content)) == 1


@pytest.mark.parametrize(("flag", "shown"), [(pymupdf.PDF_ANNOT_IS_HIDDEN, False), (pymupdf.PDF_ANNOT_IS_NO_VIEW, False), (4, True)])
def test_annotations_and_fields_that_are_not_shown_are_not_read(flag: int, shown: bool) -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 60, 80, wrap(prose(300), 400))
        field = pymupdf.Widget()
        field.field_name, field.field_type, field.field_value, field.rect = "f", pymupdf.PDF_WIDGET_TYPE_TEXT, "v", pymupdf.Rect(60, 230, 140, 245)
        for annotation in (page.add_text_annot((60, 300), "A note"), page.add_freetext_annot((60, 320, 260, 340), "A box"), page.add_widget(field)):
            page.parent.xref_set_key(annotation.xref, "F", str(flag))

    found = texts(read(made(draw)), BlockType.ANNOTATION, BlockType.FORM_FIELD)
    assert found == (["v", "A note", "A box"] if shown else [])


def test_a_drawn_chart_is_a_figure_with_its_labels() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 60, 80, wrap(prose(500), 440))
        page.draw_line((100, 200), (100, 350))
        page.draw_line((100, 350), (300, 350))
        for i in range(12):
            page.draw_line((100 + i * 16, 340 - (i * 37) % 120), (116 + i * 16, 340 - ((i + 1) * 37) % 120))
        for i in range(5):
            page.insert_text((82, 350 - i * 30), f"{i * 10}", fontsize=7)
        page.insert_text((180, 300), "parcels", fontsize=7)
        write(page, 60, 380, ["Figure 1: Parcels a day"], size=9)
        write(page, 60, 410, wrap(prose(400, 8), 440))

    content = read(made(draw))
    assert [block.type for block in content.blocks] == [BODY, BlockType.FIGURE, BlockType.CAPTION, BODY]
    assert "parcels" in content.blocks[1].text


def test_a_background_picture_under_text_is_no_figure() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_image(pymupdf.Rect(0, 0, WIDTH, HEIGHT * 0.7), stream=picture())
        write(page, 60, 80, wrap(prose(1500), 440))

    assert [block.type for block in read(made(draw)).blocks] == [BODY]


def test_blank_pages_have_no_blocks() -> None:
    found = survey(made(lambda page: None))
    assert found.verdict.blank
    assert found.fragments == []
    assert read(made(lambda page: None)).blocks == ()
    assert found.warnings == []


@pytest.mark.parametrize(("unseen", "said"), [("Nobody sees this", 1), ("- 12 -", 0)])
def test_a_text_layer_of_a_page_that_shows_nothing_is_left_out_and_said(unseen: str, said: int) -> None:
    found = survey(made(lambda page: page.insert_text((72, 72), unseen, render_mode=3)))
    assert found.verdict.blank
    assert len(found.warnings) == said


def test_tiny_and_huge_pages_are_read() -> None:
    tiny = read(made(lambda page: write(page, 0.5, 2, ["x"], size=2), width=3, height=3))
    assert (tiny.width_pt, tiny.height_pt) == (3, 3)
    huge = read(made(lambda page: write(page, 100, 7000, ["far below"]), width=8000, height=8000))
    assert texts(huge) == ["far below"]


def test_every_box_is_within_the_page() -> None:
    def inside(box: BBox) -> bool:
        return 0 <= box[0] <= box[2] <= WIDTH and 0 <= box[1] <= box[3] <= HEIGHT

    assert all(inside(block.bbox) for block in read(made(two_columns)).blocks)


def draw_grid(page: pymupdf.Page, xs: list[float], ys: list[float]) -> None:
    for x in xs:
        page.draw_line((x, ys[0]), (x, ys[-1]))
    for y in ys:
        page.draw_line((xs[0], y), (xs[-1], y))


def cells_of(content: PageContent) -> list[tuple[int, int, str]]:
    (table,) = [block.table for block in content.blocks if block.table is not None]
    return sorted((cell.row, cell.column, cell.text) for cell in table.cells)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_text_that_runs_over_its_cell_is_cut_between_its_letters(rotation: int) -> None:
    """The text layer has one word of both cells. Where it parts its characters tell; letters of usual widths would part one W earlier."""
    xs, rows = [60.0, 110.0, 200.0, 300.0], [["Name", "", "Of"], ["iiiiiiiiiiWWWW", "", "7"], ["Bergen", "233", "8"], ["Bodo", "17", "9"]]

    def draw(page: pymupdf.Page) -> None:
        draw_grid(page, xs, [100.0, 120.0, 140.0, 160.0, 180.0])
        for number, row in enumerate(rows):
            for x, text in zip(xs, row, strict=False):
                page.insert_text((x + 4, 114 + 20 * number), text, fontsize=10)

    upright, turned = made(draw), pymupdf.open()
    width, height = (WIDTH, HEIGHT) if rotation % 180 == 0 else (HEIGHT, WIDTH)
    page = turned.new_page(width=width, height=height)
    page.show_pdf_page(page.rect, upright, 0, rotate=rotation)
    page.set_rotation(rotation)
    cells = cells_of(read(pymupdf.open("pdf", turned.tobytes())))
    assert [text for row, _, text in cells if row == 1] == ["iiiiiiiiiiWWW", "W", "7"]


def test_shifted_codes_are_undone_in_the_cells_of_a_table_too() -> None:
    rows = [
        ["Measure of the work", "Result"],
        ["number of the readers", "many more"],
        ["hours of the evening", "fewer still"],
        ["other things", "all there"],
    ]
    sheet = Sheet().write(lines_of(PROSE["english"]), lambda letter: chr(ord(letter) + 5), top=300)
    for column, x in enumerate((64, 264)):
        sheet.write([row[column] for row in rows], lambda letter: chr(ord(letter) + 5), name=f"C{column}", left=x, top=114, leading=20)
    document = sheet.done().parent
    draw_grid(document[0], [60.0, 260.0, 400.0], [100.0, 120.0, 140.0, 160.0, 180.0])
    document = pymupdf.open("pdf", document.tobytes())
    assert "recovered:shift" in survey(document).reasons
    assert [text for _, _, text in cells_of(read(document))] == [text for row in rows for text in row]
