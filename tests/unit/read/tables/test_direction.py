"""The columns of a table count in the order of reading, from the right where its text runs leftwards."""

from streams.read.blocks.lines import Fragment
from streams.read.page_tables import PageTables, directed
from streams.read.tables import find_tables, in_reading_direction
from tests.unit.assemble.made_documents import table
from tests.unit.read.tables.drawn_tables import PAGE, grid_lines, in_cells, rows_of

HEBREW = [["2010", "2009", "שנה"], ["5.8", "1.9", "ייצור"], ["6.8", "1.5", "מסחר"]]
XS, YS = (100.0, 200.0, 300.0, 400.0), (100.0, 120.0, 140.0, 160.0)


def drawn(rows):
    (found,) = find_tables(in_cells(XS, YS, rows), grid_lines(XS, YS), PAGE)
    return found.table


def test_a_table_of_leftward_text_begins_at_the_right():
    read = in_reading_direction(drawn(HEBREW), page_runs_leftwards=False)
    assert rows_of(read) == [row[::-1] for row in HEBREW]
    assert read.column_edges == XS[::-1]
    assert all((cell.bbox[0], cell.bbox[2]) == (XS[2 - cell.column], XS[3 - cell.column]) for cell in read.cells)


def test_spans_and_full_cells_move_with_their_columns():
    rows = [["ab", "", "c"], ["דד", "הה", "וו"]]
    cells = table(rows).table.cells
    wide = table(rows, cells=tuple(c for c in cells if (c.row, c.column) not in {(1, 0), (1, 1)}), full_cells=(2,)).table
    read = in_reading_direction(wide, page_runs_leftwards=True)
    assert read.full_cells == (0,)
    assert [(c.row, c.column, c.text) for c in read.cells] == [(0, 0, "c"), (0, 1, ""), (0, 2, "ab"), (1, 0, "וו")]


def test_a_table_without_letters_runs_as_its_page_does_and_one_of_other_letters_does_not():
    numbers, latin = drawn([["1", "2", "3"]] * 3), drawn([["Oslo", "12", "3"]] * 3)
    for page, first in ((True, "3"), (False, "1")):
        assert rows_of(in_reading_direction(numbers, page_runs_leftwards=page))[0][0] == first
        assert in_reading_direction(latin, page_runs_leftwards=page) == latin


def test_the_runs_of_a_page_tell_its_direction():
    def run(text: str, *, leftward: bool) -> Fragment:
        return Fragment(0.0, 0.0, 50.0, 10.0, text, 8.0, None, False, 0, leftward, len(text))

    found = PageTables([table([["1", "2"], ["3", "4"]])], rests=(table([["5", "6"]]),))
    assert directed(found, [run("words", leftward=False)]) is found
    read = directed(found, [run("שלום עולם", leftward=True), run("Oslo", leftward=False)])
    assert [rows_of(block.table)[0] for block in (*read.blocks, *read.rests)] == [["2", "1"], ["6", "5"]]
