"""The order of a table's columns: by what it is written in."""

from schemas.content import Cell
from schemas.events import Format
from streams.assemble.render import render
from tests.unit.assemble.made_documents import build, page, paragraph, table
from tests.unit.assemble.render.html_tree import tree_of

ROWS = [["2024", "2023", "שנה"], ["1,402", "1,310", "ארנונה"], ["350", "295", "מענקים"]]
PROSE = paragraph("טבלה 1: הכנסות לפי מקור")


def tables(*pages):
    return [block for block in build(*pages).blocks if block.table is not None]


def test_a_table_from_right_to_left_begins_with_its_right_column() -> None:
    (found,) = tables(page(1, PROSE, table(ROWS, header_rows=1)))
    assert found.table.rows == tuple(tuple(reversed(row)) for row in ROWS)
    assert [(cell.column, cell.text) for cell in found.table.cells[:3]] == [(0, "שנה"), (1, "2023"), (2, "2024")]
    assert found.table.cells[0].bbox[0] > found.table.cells[2].bbox[2]
    assert 'dir="rtl"' in found.html


def test_a_page_of_numbers_alone_is_turned_with_the_rest_of_its_table() -> None:
    rows = [*ROWS, *([str(100 + row), str(200 + row), f"סעיף {row}"] for row in range(20))]
    numbers = [[str(300 + row), str(400 + row), str(row)] for row in range(3)]
    (found,) = tables(page(1, table(rows, bottom=780.0, header_rows=1)), page(2, table(numbers)))
    assert len(found.table.rows) == len(rows) + len(numbers)
    assert found.table.rows[-1] == ("2", "402", "302")


def test_a_cell_over_several_columns_ends_where_it_began() -> None:
    cells = (
        Cell(row=0, column=0, text="הכנסות", column_span=2, bbox=(50, 70, 250, 90)),
        Cell(row=0, column=2, text="מקור", bbox=(250, 70, 350, 90)),
        *(Cell(row=1, column=column, text=text, bbox=(50 + 100 * column, 90, 150 + 100 * column, 110)) for column, text in enumerate("123")),
    )
    (found,) = tables(page(1, table([["", "", ""]] * 2, cells=cells)))
    assert found.table.rows == (("מקור", "הכנסות", ""), ("3", "2", "1"))
    assert [(cell.column, cell.column_span) for cell in found.table.cells[:2]] == [(0, 1), (1, 2)]


def test_other_tables_stay_as_they_stand() -> None:
    latin, both = [["a", "b"], ["name", "one"]], [["book", "ספר"], ["house", "בית"], ["road", "דרך"]]
    for rows in (latin, both, [["1", "2"], ["3", "4"]]):
        (found,) = tables(page(1, PROSE, table(rows)))
        assert found.table.rows == tuple(map(tuple, rows))
        assert "dir" not in found.html


def test_a_table_that_a_file_gives_itself_is_in_order() -> None:
    cells = tuple(Cell(row=row, column=column, text=text) for row, texts in enumerate(ROWS) for column, text in enumerate(reversed(texts)))
    (found,) = tables(page(1, table(ROWS, cells=cells)))
    assert found.table.rows == tuple(tuple(reversed(row)) for row in ROWS)


def test_it_is_shown_from_the_right() -> None:
    document = build(page(1, PROSE, table(ROWS, header_rows=1)))
    assert tree_of(render(document, Format.HTML)).all("table")[0].attributes["dir"] == "rtl"
    assert "| שנה | 2023 | 2024 |" in render(document, Format.MARKDOWN)
