"""Workbooks: sheets as pages, regions of cells as tables, values as they are shown."""

import datetime
import io
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table as DeclaredTable

from schemas.content import BlockType, Link, Table
from streams.read.structure.documents import XLSX
from streams.read.structure.logical_page import LogicalDocument
from streams.read.structure.office import xlsx_cells
from streams.read.structure.office.xlsx_cells import SheetCell, column_of, row_of
from streams.read.structure.office.xlsx_regions import blocks_of_sheet
from tests.unit.read.structure.office.making import opened, shown


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
    assert (remark.type, remark.text) == (BlockType.ANNOTATION, "B2: look")


def test_a_formula_without_a_value_is_empty_and_named(tmp_path: Path) -> None:
    (page,) = read(tmp_path, book(("a", "b"), ("=1+1", 2))).pages
    assert grid(page.blocks[0].table) == [["a", "b"], ["", "2"]]
    assert page.warnings[0].startswith("1 formulas have no stored value")


def test_what_is_beyond_the_bounds_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_cells, "MAX_ROWS", 10)
    (page,) = read(tmp_path, book(*((n, n) for n in range(25)))).pages
    assert page.blocks[0].table is not None
    assert page.blocks[0].table.rows == 10
    assert "10 rows are kept, 15 left out" in page.warnings[0]


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
