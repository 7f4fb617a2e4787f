"""Where a sheet is cut into tables: which empty rows and columns belong to one table, and which set two apart."""

import io
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.content import Table
from streams.read.structure.documents import XLSX
from streams.read.structure.office.xlsx_cells import Merged, SheetCell
from streams.read.structure.office.xlsx_gaps import Spacing, regions
from streams.read.structure.office.xlsx_regions import blocks_of_sheet
from tests.unit.read.structure.office.making import opened

Rows = list[tuple[object, ...]]


def tables_of(folder: Path, rows: Sequence[tuple[object, ...]], narrow: str = "", low: tuple[int, ...] = ()) -> list[Table]:
    """The tables of a sheet of these rows; `narrow` names columns and `low` rows that are too small for text."""
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    for letter in narrow:
        made.active.column_dimensions[letter].width = 2.5
    for row in low:
        made.active.row_dimensions[row].height = 4.5
    buffer = io.BytesIO()
    made.save(buffer)
    return [block.table for block in opened(folder, buffer.getvalue(), XLSX).pages[0].blocks if block.table is not None]


def grid(table: Table) -> list[list[str]]:
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


FIGURES: Rows = [
    ("Zone", "Sales", "Profit", None, "Costs", "Taxes"),
    ("North", 1, 2, None, 3, 4),
    ("South", 5, 6, None, 7, 8),
    ("West", 9, 10, None, 11, 12),
]


def test_a_narrow_column_is_space_within_a_table(tmp_path: Path) -> None:
    (table,) = tables_of(tmp_path, FIGURES, narrow="D")
    assert grid(table)[:2] == [["Zone", "Sales", "Profit", "Costs", "Taxes"], ["North", "1", "2", "3", "4"]]
    assert (table.columns, table.header_rows) == (5, 1)


def test_a_column_of_usual_width_sets_two_tables_apart(tmp_path: Path) -> None:
    assert [table.columns for table in tables_of(tmp_path, FIGURES)] == [3, 2]


def test_a_table_with_names_of_its_own_stays_apart_even_behind_a_narrow_column(tmp_path: Path) -> None:
    rows: Rows = [
        ("Zone", "Sales", None, "Product", "Sales"),
        ("North", 1, None, "Tea", 2),
        ("South", 3, None, "Milk", 4),
        ("West", 5, None, "Rum", 6),
    ]
    assert [table.columns for table in tables_of(tmp_path, rows, narrow="C")] == [2, 2]


def test_a_last_column_behind_an_empty_one_belongs_to_its_rows(tmp_path: Path) -> None:
    rows: Rows = [("Topic", "Period", None, "Page"), ("Revenue", "2023", None, 1), ("Costs", "2024", None, 2), ("Cash", "2024", None, 3)]
    (table,) = tables_of(tmp_path, rows)
    assert grid(table)[1] == ["Revenue", "2023", "1"]


def test_names_before_an_empty_column_belong_to_the_rows_behind_it(tmp_path: Path) -> None:
    rows: Rows = [("voltage", None, "kV", 130), ("frequency", None, "Hz", 50), ("current", None, "A", 12)]
    (table,) = tables_of(tmp_path, rows)
    assert grid(table) == [["voltage", "kV", "130"], ["frequency", "Hz", "50"], ["current", "A", "12"]]


def test_a_column_of_other_rows_is_a_table_of_its_own(tmp_path: Path) -> None:
    rows: Rows = [("a", "b", None, 1), (1, 2, None, 2), (3, 4, None, 3), (None, None, None, 4), (None, None, None, 5)]
    assert [table.columns for table in tables_of(tmp_path, rows)] == [2, 1]


def test_a_low_row_is_space_between_a_header_and_its_table(tmp_path: Path) -> None:
    rows: Rows = [("In millions", None, "2023"), (None, "Sales", "Profit"), (), ("North", 1, 2), ("South", 3, 4)]
    (table,) = tables_of(tmp_path, rows, low=(3,))
    assert grid(table) == [["In millions", "", "2023"], ["", "Sales", "Profit"], ["North", "1", "2"], ["South", "3", "4"]]
    assert table.header_rows == 2
    assert len(tables_of(tmp_path, rows)) == 2


def test_tables_that_touch_at_a_corner_are_two(tmp_path: Path) -> None:
    rows: Rows = [("a", "b"), (1, 2), (3, 4), (None, None, "c", "d"), (None, None, 5, 6)]
    assert [grid(table)[0] for table in tables_of(tmp_path, rows)] == [["a", "b"], ["c", "d"]]


def test_single_cells_along_a_diagonal_are_one_table(tmp_path: Path) -> None:
    (table,) = tables_of(tmp_path, [(1,), (None, 2), (None, None, 3)])
    assert (table.rows, table.columns) == (3, 3)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Name", "Town", "Food"), ("Ann", "Rome", "soup"), ("Bo", "Oslo", "rice")], 1),
        ([(None, "Town", "Food"), ("Ann", "Rome", "soup"), ("Bo", "Oslo", "rice")], 1),
        ([("x", "x", "x"), ("x", "x", "x"), ("x", "x", "x")], 0),
        ([("Ann", "Rome", "soup"), ("Bo", "Rome", "rice"), ("Cy", "Oslo", "rice")], 0),
        ([("Name", "Ann"), ("Town", "Rome"), ("Food", "soup")], 0),
        ([("Name", None, "Food"), ("Ann", "Rome", "soup"), ("Bo", "Oslo", "rice")], 0),
    ],
)
def test_a_first_row_of_texts_names_columns_where_nothing_repeats_it(tmp_path: Path, rows: Rows, expected: int) -> None:
    assert [table.header_rows for table in tables_of(tmp_path, rows)] == [expected]


PLACES = st.tuples(st.integers(0, 12), st.integers(0, 9))


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(PLACES, st.booleans(), min_size=1, max_size=60), st.frozensets(st.integers(0, 12)), st.frozensets(st.integers(0, 9)))
def test_every_cell_is_in_one_region_and_in_one_block(places: dict[tuple[int, int], bool], low: frozenset[int], narrow: frozenset[int]) -> None:
    cells = {place: SheetCell(f"{place}", is_text, False) for place, is_text in places.items()}
    spacing = Spacing(low, narrow)
    assert sorted(place for region in regions(cells, {}, spacing) for place in region) == sorted(cells)
    said = []
    for block in blocks_of_sheet(cells, [], {}, [], 0, spacing):
        if block.table is None:
            said.append(block.text)
            continue
        said += [cell.text for cell in block.table.cells]
        assert {cell.row for cell in block.table.cells} == set(range(block.table.rows))
        assert {cell.column for cell in block.table.cells} == set(range(block.table.columns))
    assert sorted(said) == sorted(cell.text for cell in cells.values())


def test_a_cell_that_spans_an_empty_column_spans_the_columns_that_are_left() -> None:
    cells = {place: SheetCell(text, False, False) for place, text in {(0, 0): "head", (1, 0): "1", (1, 1): "2", (1, 3): "3"}.items()}
    (block,) = blocks_of_sheet(cells, [Merged(0, 0, 0, 3)], {}, [], 0, Spacing(columns=frozenset({2})))
    assert block.table is not None
    assert max(cell.column + cell.column_span for cell in block.table.cells) == block.table.columns
