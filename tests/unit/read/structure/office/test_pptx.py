"""Presentations: slides as pages, shapes in the order in which they are read."""

import io
from copy import deepcopy
from pathlib import Path
from typing import Any

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Emu, Inches, Pt

from schemas.content import BlockType, Link
from streams.read.structure.documents import PPTX
from streams.read.structure.logical_page import LogicalDocument
from tests.unit.read.structure.office.making import opened, png, shown

BLANK, TITLE_AND_CONTENT = 6, 1


@pytest.fixture
def deck() -> Any:
    return pptx.Presentation()


def slide(deck: Any, layout: int = BLANK) -> Any:
    return deck.slides.add_slide(deck.slide_layouts[layout])


def read(folder: Path, deck: Any) -> LogicalDocument:
    buffer = io.BytesIO()
    deck.save(buffer)
    return opened(folder, buffer.getvalue(), PPTX)


def box(one: Any, text: str, x: float, y: float, wide: float = 2, tall: float = 0.5) -> Any:
    shape = one.shapes.add_textbox(Inches(x), Inches(y), Inches(wide), Inches(tall))
    shape.text_frame.text = text
    return shape


def texts(found: LogicalDocument, page: int = 0) -> list[tuple[str, str]]:
    return shown(list(found.pages[page].blocks))


def test_a_slide_is_a_page_with_its_title_first(tmp_path: Path, deck: Any) -> None:
    one = slide(deck, TITLE_AND_CONTENT)
    frame = one.placeholders[1].text_frame
    frame.text = "first"
    for level, text in ((1, "nested"), (0, "last")):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    one.shapes.title.text = "The title"
    found = read(tmp_path, deck)
    (page,) = found.pages
    assert texts(found) == [("heading", "The title"), ("list_item", "• first"), ("list_item", "• nested"), ("list_item", "• last")]
    assert [b.list_depth for b in page.blocks] == [None, 0, 1, 0]
    assert (page.width_pt, page.height_pt, page.logical) == (720.0, 540.0, False)
    assert page.blocks[0].bbox[3] < page.blocks[1].bbox[3]


def test_shapes_are_read_by_their_places_and_not_by_their_layers(tmp_path: Path, deck: Any) -> None:
    one = slide(deck)
    for text, x, y in (("right low", 5, 4), ("left low", 1, 4), ("top", 1, 0.5)):
        box(one, text, x, y, wide=7 if text == "top" else 3)
    assert [text for _, text in texts(read(tmp_path, deck))] == ["top", "left low", "right low"]


def test_groups_are_placed_by_all_their_transforms(tmp_path: Path, deck: Any) -> None:
    one = slide(deck)
    box(one, "second", 1, 3)
    group = one.shapes.add_group_shape()
    inner = group.shapes.add_group_shape()
    box(inner, "first", 0, 0, wide=1, tall=1)
    group.left, group.top, group.width, group.height = Inches(1), Inches(1), Inches(2), Inches(2)
    (first, second) = read(tmp_path, deck).pages[0].blocks
    assert (first.text, second.text) == ("first", "second")
    assert first.bbox == (72.0, 72.0, 216.0, 216.0)


def test_merged_cells_of_a_table(tmp_path: Path, deck: Any) -> None:
    made = slide(deck).shapes.add_table(3, 3, Inches(1), Inches(1), Inches(6), Inches(2)).table
    for row in range(3):
        for column in range(3):
            made.cell(row, column).text = f"{row}{column}"
    made.cell(0, 1).merge(made.cell(1, 2))
    (block,) = read(tmp_path, deck).pages[0].blocks
    assert block.table is not None
    assert (block.table.rows, block.table.columns, block.table.header_rows) == (3, 3, 1)
    assert [(c.row, c.column, c.row_span, c.column_span) for c in block.table.cells] == [
        (0, 0, 1, 1), (0, 1, 2, 2), (1, 0, 1, 1), (2, 0, 1, 1), (2, 1, 1, 1), (2, 2, 1, 1),
    ]  # fmt: skip


def test_columns_beyond_the_widest_table_are_said(tmp_path: Path, deck: Any) -> None:
    row = slide(deck).shapes.add_table(2, 2, Inches(1), Inches(1), Inches(6), Inches(2)).table._tbl.tr_lst[0]
    for _ in range(1_000):
        row.append(deepcopy(row.tc_lst[0]))
    page = read(tmp_path, deck).pages[0]
    assert page.blocks[0].table is not None
    assert page.blocks[0].table.columns == 1_000
    assert page.warnings == ("a table has more than 1000 columns; the others are left out",)


def test_a_chart_is_its_data(tmp_path: Path, deck: Any) -> None:
    data = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("Q1", (19.2, 21.4))
    data.add_series("Q2", (22.3, None))
    chart = slide(deck).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales"
    caption, table = read(tmp_path, deck).pages[0].blocks
    assert (caption.type, caption.text, caption.caption_of) == (BlockType.CAPTION, "Sales", 2)
    assert table.table is not None
    assert [c.text for c in table.table.cells] == ["Q1", "Q2", "East", "19.2", "22.3", "West", "21.4", ""]


def test_notes_and_hidden_slides(tmp_path: Path, deck: Any) -> None:
    one = slide(deck)
    box(one, "shown", 1, 1)
    one.notes_slide.notes_text_frame.text = "say this\nand that"
    one._element.set("show", "0")
    found = read(tmp_path, deck)
    assert texts(found) == [("paragraph", "shown"), ("annotation", "say this"), ("annotation", "and that")]
    assert found.pages[0].warnings == ("the slide is hidden",)


def test_numbers_and_letters_of_lists(tmp_path: Path, deck: Any) -> None:
    frame = box(slide(deck), "a", 1, 1, tall=3).text_frame
    for text in "bc":
        frame.add_paragraph().text = text
    for paragraph, kind in zip(frame.paragraphs, ("arabicPeriod", "arabicPeriod", "alphaLcParenR"), strict=True):
        paragraph._p.get_or_add_pPr().insert_element_before(
            paragraph._p._new_pPr().makeelement("{http://schemas.openxmlformats.org/drawingml/2006/main}buAutoNum", {"type": kind})
        )
    assert [text for _, text in texts(read(tmp_path, deck))] == ["1. a", "2. b", "c) c"]


def test_links_of_runs(tmp_path: Path, deck: Any) -> None:
    run = box(slide(deck), "", 1, 1).text_frame.paragraphs[0].add_run()
    run.text = "our site"
    run.hyperlink.address = "https://example.org/"
    (block,) = read(tmp_path, deck).pages[0].blocks
    assert block.links == (Link(text="our site", target="https://example.org/"),)


def test_a_slide_of_one_picture_is_for_a_model_to_read(tmp_path: Path, deck: Any) -> None:
    alone, titled = slide(deck), slide(deck)
    for one in (alone, titled):
        one.shapes.add_picture(io.BytesIO(png(40, 30)), Inches(1), Inches(1), Inches(8), Inches(5))
    box(titled, "What it shows", 1, 0.3)
    found = read(tmp_path, deck)
    assert [[p.is_text for p in page.pictures] for page in found.pages] == [[True], [False]]
    assert found.pages[0].blocks[0].bbox == (72.0, 72.0, 648.0, 432.0)


def test_a_logo_alone_is_not(tmp_path: Path, deck: Any) -> None:
    slide(deck).shapes.add_picture(io.BytesIO(png()), Inches(1), Inches(1), Inches(1), Inches(1))
    assert [p.is_text for p in read(tmp_path, deck).pages[0].pictures] == [False]


def test_an_embedded_object_is_its_picture_once(tmp_path: Path, deck: Any) -> None:
    file = tmp_path / "inner.xlsx"
    file.write_bytes(b"PK")
    slide(deck).shapes.add_ole_object(str(file), "Excel.Sheet.12", Inches(1), Inches(1), icon_file=io.BytesIO(png(40, 40)))
    (page,) = read(tmp_path, deck).pages
    assert [b.type for b in page.blocks] == [BlockType.FIGURE]
    assert page.warnings == ("an embedded object is shown by its picture alone",)


def test_absurd_places_do_no_harm(tmp_path: Path, deck: Any) -> None:
    one = slide(deck)
    shape = box(one, "far", 1, 1)
    shape.left, shape.width = Emu(2**31 - 1), Emu(2**31 - 1)
    box(one, "near", 1, 1).text_frame.paragraphs[0].runs[0].font.size = Pt(8)
    assert sorted(text for _, text in texts(read(tmp_path, deck))) == ["far", "near"]


def test_slides_are_read_when_they_are_asked_for(tmp_path: Path, deck: Any) -> None:
    for number in range(3):
        box(slide(deck), str(number), 1, 1)
    found = read(tmp_path, deck)
    assert found.page_count == 3
    assert found.page(3).blocks[0].text == "2"
    assert [page.blocks[0].text for page in found.pages[:2]] == ["0", "1"]
    with pytest.raises(IndexError):
        found.page(4)


def test_pictures_that_the_file_does_not_hold_are_said_and_the_rest_is_read(tmp_path: Path, deck: Any) -> None:
    one = slide(deck)
    box(one, "text", 1, 6)
    for _ in range(2):
        one.shapes.add_picture(io.BytesIO(png(40, 30)), Inches(1), Inches(1), Inches(2), Inches(2))
    without, dangling = (shape._element for shape in list(one.shapes)[1:])
    without.remove(without.blipFill)
    dangling.blipFill.find(".//{*}blip").set("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed", "rId99")
    (page,) = read(tmp_path, deck).pages
    assert [block.text for block in page.blocks] == ["text"]
    assert page.warnings == ("a picture is left out: the file does not hold it, or not where it says",)
