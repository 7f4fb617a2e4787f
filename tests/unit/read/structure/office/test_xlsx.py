"""Workbooks: sheets as pages, regions of cells as tables, values as they are shown."""

import datetime
import io
from pathlib import Path

import openpyxl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table as DeclaredTable

from schemas.content import BlockType, Link, Table
from schemas.errors import Code, PageloomError
from streams.read.structure.documents import XLSX
from streams.read.structure.logical_page import LogicalDocument
from streams.read.structure.office import xlsx, xlsx_cells, xlsx_parts, xlsx_remarks
from streams.read.structure.office.xlsx_cells import SheetCell, column_of, row_of
from streams.read.structure.office.xlsx_parts import parts_of
from streams.read.structure.office.xlsx_regions import blocks_of_sheet
from tests.unit.read.structure.office.making import opened, png, shown


def read(folder: Path, book: openpyxl.Workbook) -> LogicalDocument:
    buffer = io.BytesIO()
    book.save(buffer)
    return opened(folder, buffer.getvalue(), XLSX)


def book(*rows: tuple[object, ...], title: str = "Sheet1") -> openpyxl.Workbook:
    made = openpyxl.Workbook()
    made.active.title = title
    for row in rows:
        made.active.append(row)
    return made


def grid(found: Table | None) -> list[list[str]]:
    assert found is not None
    rows = [[""] * found.columns for _ in range(found.rows)]
    for cell in found.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


def test_values_are_shown_as_the_workbook_formats_them(tmp_path: Path) -> None:
    made = book(("what", "much"), ("n", 1234.5), ("p", 0.25), ("d", datetime.date(2024, 3, 1)), ("b", True), ("i", 3), ("e", "#N/A"))
    made.active["B2"].number_format, made.active["B3"].number_format = "#,##0.00", "0%"
    (page,) = read(tmp_path, made).pages
    assert grid(page.blocks[0].table) == [
        ["what", "much"], ["n", "1,234.50"], ["p", "25%"], ["d", "2024-03-01"], ["b", "TRUE"], ["i", "3"], ["e", "#N/A"],
    ]  # fmt: skip
    assert page.blocks[0].table.header_rows == 1


def test_empty_rows_and_columns_divide_a_sheet_and_a_line_above_is_a_caption(tmp_path: Path) -> None:
    made = book(("Report",), ("a", "b", None, "x", "y"), (1, 2, None, 3, 4), (5, 6, None, 7, 8), (), ("A closing remark",))
    blocks = read(tmp_path, made).pages[0].blocks
    assert shown(list(blocks)) == [("caption", "Report"), ("table", ""), ("table", ""), ("paragraph", "A closing remark")]
    assert [grid(b.table) for b in blocks[1:3]] == [[["a", "b"], ["1", "2"], ["5", "6"]], [["x", "y"], ["3", "4"], ["7", "8"]]]
    assert blocks[0].caption_of == 2


def test_merged_cells_span_and_bridge_gaps(tmp_path: Path) -> None:
    made = book(("Year", None, None), ("a", "b", "c"), (1, 2, 3))
    made.active.merge_cells("A1:C1")
    (block,) = read(tmp_path, made).pages[0].blocks[-1:]
    assert block.table is not None
    made = book(("head", None), (None, None), (1, 2))
    made.active.merge_cells("A1:B2")
    (block,) = read(tmp_path, made).pages[0].blocks
    assert block.table is not None
    assert [(c.row, c.column, c.row_span, c.column_span) for c in block.table.cells] == [(0, 0, 2, 2), (2, 0, 1, 1), (2, 1, 1, 1)]


def test_sheets_are_named_and_hidden_ones_kept(tmp_path: Path) -> None:
    made = book(("a", "b"), (1, 2), title="Data")
    hidden = made.create_sheet("Old")
    hidden["A1"], hidden.sheet_state = "secret", "hidden"
    found = read(tmp_path, made)
    assert [page.blocks[0].text for page in found.pages] == ["Data", "Old"]
    assert found.pages[1].warnings == ("the sheet Old is hidden",)
    assert all(page.logical for page in found.pages)


def test_a_sheet_that_nobody_named_has_no_heading(tmp_path: Path) -> None:
    assert [b.type for b in read(tmp_path, book(("a", "b"), (1, 2))).pages[0].blocks] == [BlockType.TABLE]


def test_headers_that_are_declared_frozen_or_bold(tmp_path: Path) -> None:
    declared = book(("a", "b"), ("c", "d"), ("e", "f"))
    declared.active.add_table(DeclaredTable(displayName="T", ref="A1:B3"))
    frozen = book(("a", "b"), ("c", "d"), ("e", "f"))
    frozen.active.freeze_panes = "A3"
    bold = book(("a", "b"), ("c", "d"))
    bold.active["A1"].font = bold.active["B1"].font = Font(bold=True)
    plain = book(("a", "b"), ("c", "d"))
    tables = [read(tmp_path, one).pages[0].blocks[0].table for one in (declared, frozen, bold, plain)]
    assert [t.header_rows for t in tables if t is not None] == [1, 2, 1, 0]


def test_links_and_comments(tmp_path: Path) -> None:
    made = book(("a", "b"), (1, 2))
    made.active["A1"].hyperlink, made.active["B1"].hyperlink = "https://example.org/", "file:///etc/passwd"
    made.active["B2"].comment = Comment("look", "Ann")
    table, remark = read(tmp_path, made).pages[0].blocks
    assert table.links == (Link(text="a", target="https://example.org/"),)
    assert (remark.type, remark.text) == (BlockType.ANNOTATION, "B2, Ann: look")


def test_what_a_sheet_has_too_many_of_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_remarks, "MAX_COMMENTS", 1)
    monkeypatch.setattr(xlsx, "MAX_PICTURES", 2)
    made = book(("a", "b"), (1, 2))
    for place in ("A1", "B1", "A2"):
        made.active[place].comment = Comment(f"look at {place}", "Ann")
        made.active.add_image(Image(io.BytesIO(png())), place)
    (page,) = read(tmp_path, made).pages
    assert [block.type for block in page.blocks] == [BlockType.TABLE, BlockType.ANNOTATION, BlockType.FIGURE, BlockType.FIGURE]
    assert page.warnings == ("a sheet has 3 comments; read are 1", "a sheet has 3 pictures; read are 2")


def test_a_picture_in_a_cell_is_no_text_and_said(tmp_path: Path) -> None:
    made = book(("a", "b"), (1, 2))
    made.active["A3"].value, made.active["A3"].data_type = '=DISPIMG("ID_1",1)', "s"
    (page,) = read(tmp_path, made).pages
    assert grid(page.blocks[0].table) == [["a", "b"], ["1", "2"]]
    assert page.warnings == ("1 pictures in cells of the sheet Sheet1 are left out",)


def test_a_formula_without_a_value_is_empty_and_named(tmp_path: Path) -> None:
    (page,) = read(tmp_path, book(("a", "b"), ("=1+1", 2))).pages
    assert grid(page.blocks[0].table) == [["a", "b"], ["", "2"]]
    assert page.warnings[0].startswith("1 formulas have no stored value")


def test_a_long_sheet_is_several_pages_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_cells, "MAX_ROWS", 10)
    made = book(*((n, f"text {n}") for n in range(25)), title="Boats")
    made.active["A1"].comment = Comment("look", "me")
    document = read(tmp_path, made)
    assert document.page_count == 3
    assert [page.blocks[0].type for page in document.pages] == [BlockType.HEADING, BlockType.TABLE, BlockType.TABLE]
    tables = [block.table for page in document.pages for block in page.blocks if block.table is not None]
    assert [row for table in tables for row in grid(table)] == [[str(n), f"text {n}"] for n in range(25)]
    assert [len(page.warnings) for page in document.pages] == [0, 1, 1]
    assert sum(block.type is BlockType.ANNOTATION for page in document.pages for block in page.blocks) == 1


def test_a_sheet_of_many_cells_is_cut_by_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_cells, "MAX_CELLS", 12)
    document = read(tmp_path, book(*((n, n, n, n) for n in range(8))))
    assert [[grid(block.table) for block in page.blocks] for page in document.pages] == [
        [[[str(n)] * 4 for n in rows]] for rows in ((0, 1, 2), (3, 4, 5), (6, 7))
    ]


def test_a_sheet_beyond_all_bounds_ends_in_a_page_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_cells, "MAX_ROWS", 5)
    monkeypatch.setattr(xlsx_parts, "MAX_PARTS", 2)
    monkeypatch.setattr(xlsx, "MAX_PARTS", 2)
    document = read(tmp_path, book(*((n, n) for n in range(40))))
    assert document.page_count == 3
    with pytest.raises(PageloomError) as raised:
        document.page(3)
    assert raised.value.code is Code.TOO_LARGE


def test_formats_of_empty_rows_make_no_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_cells, "MAX_ROWS", 5)
    made = book(("a", "b"), (1, 2))
    for row in range(3, 60):
        made.active.cell(row=row, column=1).font = Font(bold=True)
    assert read(tmp_path, made).page_count == 1


@given(st.lists(st.integers(0, 4), max_size=60), st.integers(1, 7), st.integers(16, 90))
@example([0, 1, 0, 1, 1], 1, 59)  # a chunk shorter than the longest tag
def test_parts_hold_every_row_once_wherever_the_bytes_are_cut(cells: list[int], most: int, chunk: int) -> None:
    rows = [f'<x:row r="{n}">' + "<x:c><x:v>1</x:v></x:c>" * count + "</x:row>" for n, count in enumerate(cells)]
    data = ("<x:worksheet><x:sheetData>" + "".join(rows) + "</x:sheetData></x:worksheet>").encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xlsx_cells, "MAX_ROWS", most)
        patch.setattr(xlsx_parts, "CHUNK_BYTES", chunk)
        parts = parts_of(io.BytesIO(data))
    assert [part.first for part in parts[1:]] == [part.end for part in parts[:-1]]
    assert (parts[0].first, parts[-1].end) == (0, None)
    filled = [sum(count > 0 for count in cells[part.first : part.end]) for part in parts]
    assert all(count == most for count in filled[:-1])
    assert sum(filled) == sum(count > 0 for count in cells)


def test_a_cell_far_away_makes_no_giant_table(tmp_path: Path) -> None:
    made = book(("a", "b"), (1, 2))
    made.active["ALL19999"] = "far"
    assert [b.type for b in read(tmp_path, made).pages[0].blocks] == [BlockType.TABLE, BlockType.PARAGRAPH]


@pytest.mark.parametrize(("reference", "place"), [("A1", (0, 0)), ("AB12", (11, 27)), ("$C$3", (2, -1)), ("", (-1, -1)), ("99", (98, -1))])
def test_references(reference: str, place: tuple[int, int]) -> None:
    assert (row_of(reference), column_of(reference)) == place


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.tuples(st.integers(0, 12), st.integers(0, 8)), st.booleans(), max_size=60))
def test_every_cell_comes_out_once(places: dict[tuple[int, int], bool]) -> None:
    cells = {place: SheetCell(f"{place}", is_text, False) for place, is_text in places.items()}
    said = []
    for block in blocks_of_sheet(cells, [], {}, [], 0):
        said += [c.text for c in block.table.cells] if block.table else [block.text]
    assert sorted(said) == sorted(cell.text for cell in cells.values())
