"""Tables as spreadsheets and report writers draw them: names over the first rows of a section, bars between rows, labels beside the grid, texts that
run into the next column, headings of some columns alone.
"""

from itertools import pairwise
from typing import Any

from schemas.content import Table
from streams.read.tables import TableFinder, find_tables, rulings_of
from streams.read.tables.lines import words_of
from streams.read.tables.regions import regions_of
from streams.read.tables.stacks import tables_in_stack
from tests.unit.read.tables.drawn_tables import PAGE, box, ends_at, grid_lines, in_cells, line, rows_of, spans_of, words

Page = list[tuple[Any, ...]]
XS = (160.0, 220.0, 280.0, 340.0, 400.0)


def only(page: Page, drawings: list[dict[str, Any]]) -> Table:
    (found,) = find_tables(page, drawings, PAGE)
    return found.table


def test_coloured_bars_between_rows_are_no_rows() -> None:
    ys = [100.0, 120.0]
    for _ in range(6):
        ys += [ys[-1] + 7.0, ys[-1] + 27.0]
    rows = [[f"{row}{column}" if row % 2 == 0 else "" for column in range(4)] for row in range(len(ys) - 1)]
    assert rows_of(only(in_cells(XS, ys, rows), grid_lines(XS, ys))) == [row for row in rows if row[0]]


def test_labels_left_of_a_grid_are_its_first_column() -> None:
    names = ["Alcona", "Caledonia", "Curtis", "Greenbush", "Gustin"]
    ys = [100.0 + 20 * i for i in range(7)]
    head = ["Roe", "Poe", "Moe", "Zoe"]
    body = [[str(row), "", "", str(row + column) if row % 2 else ""] for column, row in enumerate(range(5))]
    page = in_cells(XS, ys, [head, *body])
    for name, y in zip(names, ys[1:], strict=False):
        page += words(80, y + 3, name)
    finder = TableFinder([(*word[:5], 0, 0, i) for i, word in enumerate(page)], rulings_of(grid_lines(XS, ys)), PAGE, frozenset(), None)
    (part,) = finder.ruled()
    assert finder.lacks_labels(part, [part])
    whole = finder.with_labels(part, [part])
    assert rows_of(whole.table) == [["", *head], *([name, *row] for name, row in zip(names, body, strict=True))]
    assert len(whole.words) == len(page)
    assert whole.bbox[0] == whole.table.column_edges[0] == 80.0
    assert len(whole.table.column_edges) == whole.table.columns + 1


def test_full_grids_with_headings_and_few_entries_are_tables() -> None:
    """Cells are few for their places because some span, and most are empty; but all are drawn, and all rows keep to the same edges."""
    xs = [60.0 + 30 * i for i in range(13)]
    ys = [100.0 + 20 * i for i in range(10)]
    spanned = [line(xs[0], y, xs[-1], y) for y in ys] + [line(x, ys[1] if i % 6 else ys[0], x, ys[-1]) for i, x in enumerate(xs)]
    sections = [box(xs[0], ys[r], xs[-1], ys[r + 1], fill=(0.9, 0.9, 0.9)) for r in (4, 7)]
    drawings = [d for d in spanned if d["items"][0][1][0] != d["items"][0][2][0] or d["items"][0][1][0] in (xs[0], xs[-1])]
    for top, bottom in ((1, 4), (5, 7), (8, 9)):
        drawings += [line(x, ys[top], x, ys[bottom]) for x in xs[1:-1]]
    drawings.append(line(xs[6], ys[0], xs[6], ys[1]))
    page = words(70, 104, "Visits") + words(250, 104, "Follow up")
    for row in range(1, 9):
        page += words(xs[0] + 3, ys[row] + 4, f"N{row}")
        for column in range(1, 12) if row not in (4, 7) else ():
            page += words(xs[column] + 3, ys[row] + 4, "A") if (row * column) % 5 == 1 else []
    table = only(page, [*drawings, *sections])
    assert (table.rows, table.columns) == (9, 12)
    assert (0, 0, 1, 6) in spans_of(table)
    assert (4, 0, 1, 12) in spans_of(table)


def test_a_name_over_the_first_row_of_a_section_is_a_row() -> None:
    """Nothing is drawn below the name, but the columns begin there."""
    ys, rows = [100.0, 120.0, 160.0, 180.0, 220.0, 240.0], ["Marginal", "Small"]
    drawings = [line(XS[0], y, XS[-1], y) for y in ys] + [line(x, ys[0], x, ys[-1]) for x in (XS[0], XS[-1])]
    drawings += [line(x, top, x, bottom) for x in XS[1:-1] for top, bottom in ((100.0, 120.0), (138.0, 180.0), (198.0, 240.0))]
    page = in_cells(XS, ys, [["Size", "Total", "Dry", "Wet"]])
    for number, (name, top) in enumerate(zip(rows, (120.0, 180.0), strict=True)):
        page += words(XS[0] + 3, top + 3, name)
        for row, y in enumerate((top + 22, top + 43)):
            for column, text in enumerate((f"K{row}", str(30 + number), str(10 + row), str(20 - row))):
                page += words(XS[column] + 3, y, text)
    found = rows_of(only(page, drawings))
    assert found[1:4] == [["Marginal", "", "", ""], ["K0", "30", "10", "20"], ["K1", "30", "11", "19"]]
    assert found[4][0] == "Small"
    assert len(found) == 7


def test_a_rule_under_some_headings_alone_parts_them_from_their_labels() -> None:
    """Of the frame's only column the rule covers too little to be a border; of the columns that the words tell it covers two."""
    drawings = [box(60, 100, 420, 240, stroke=(0.0,)), line(60, 132, 420, 132), line(200, 116, 330, 116)]
    page = words(70, 103, "State") + words(245, 103, "Revenue") + words(370, 103, "Others")
    page += words(215, 119, "Health") + words(275, 119, "Welfare")
    for row in range(6):
        y = 136.0 + 16 * row
        page += words(70, y, f"Land {row}") + ends_at(250, y, f"{row}4,824") + ends_at(320, y, f"9,96{row}") + ends_at(410, y, f"1{row},275")
    table = only(page, drawings)
    assert rows_of(table)[:2] == [["State", "Revenue", "", "Others"], ["", "Health", "Welfare", ""]]
    assert {(0, 0, 2, 1), (0, 1, 1, 2), (0, 3, 2, 1)} <= spans_of(table)
    assert table.header_rows == 2


def test_an_underlined_word_parts_no_rows() -> None:
    drawings = [box(60, 100, 420, 196, stroke=(0.0,)), line(60, 116, 420, 116), line(212, 147, 240, 147)]
    page: Page = []
    for row in range(6):
        y = 100.0 + 16 * row
        page += words(70, y + 2, f"Land {row}") + ends_at(250, y + 2, f"{row}4,824") + ends_at(410, y + 2, f"1{row},275")
    assert only(page, drawings).rows == 6


def test_labels_beside_headings_of_several_columns_are_the_header() -> None:
    """The words are as bold as the rest, and over columns of codes: only the spans tell."""
    ys = [100.0, 120.0, 140.0, 160.0, 180.0, 200.0]
    drawings = [line(XS[0], y, XS[-1], y) for y in ys if y != 120.0] + [line(XS[1], 120, XS[3], 120)]
    drawings += [line(x, 100 if i != 2 else 120, x, 200) for i, x in enumerate(XS[:-1])] + [line(XS[-1], 100, XS[-1], 200)]
    drawings += [line(XS[3], 100, XS[3], 200)]
    page = words(165, 103, "Plant") + words(225, 103, "Harvest") + words(345, 103, "More")
    page += in_cells(XS, ys, [[], ["", "12/13", "13/14", ""], *([f"p{r}", f"x{r}", f"y{r}", f"z{r}"] for r in range(3))])
    table = only(page, drawings)
    assert spans_of(table) >= {(0, 0, 2, 1), (0, 1, 1, 2)}
    assert table.header_rows == 2
    plain = only(in_cells(XS, ys, [[f"{r}a", f"{r}b", f"{r}c", f"{r}d"] for r in range(5)]), grid_lines(XS, ys))
    assert plain.header_rows == 0


def test_names_that_run_into_the_next_column_leave_it_a_column() -> None:
    page: Page = []
    for row in range(20):
        y = 100.0 + 14 * row
        name = "Ackermannundsoehneverwaltung20" if row in (8, 9, 10) else f"Firm {row}"
        page += words(60, y, name) + words(180, y, f"1{row:02d} 111") + words(280, y, f"55.{row:02d}") + words(360, y, "01.01.2025")
    finder = TableFinder([(*word[:5], 0, 0, i) for i, word in enumerate(page)], rulings_of([]), PAGE, frozenset(), None)
    (found,) = finder.unruled(()).sure
    rows = rows_of(found.table)
    assert (found.table.rows, found.table.columns) == (20, 4)
    assert rows[3] == ["Firm 3", "103 111", "55.03", "01.01.2025"]
    assert rows[9][2:] == ["55.09", "01.01.2025"]


def test_numbers_of_one_length_begin_no_column_among_longer_ones() -> None:
    page: Page = []
    for row in range(20):
        y = 100.0 + 14 * row
        page += words(60, y, f"Town number {row}") + ends_at(260, y, f"{2000 + row}" if row % 4 else f"{120000 + row}") + ends_at(340, y, f"{row}.5")
    finder = TableFinder([(*word[:5], 0, 0, i) for i, word in enumerate(page)], rulings_of([]), PAGE, frozenset(), None)
    (found,) = finder.unruled(()).sure
    assert found.table.columns == 3


def test_a_rule_that_overhangs_makes_no_column() -> None:
    ys = [100.0, 120.0, 140.0, 160.0]
    drawings = [line(XS[0], y, XS[-1] + (12 if y == 140.0 else 0), y) for y in ys] + [line(x, ys[0], x, ys[-1]) for x in XS]
    table = only(in_cells(XS, ys, [["a", "b", "c", "d"], ["1", "2", "3", "4"], ["5", "6", "7", "8"]]), drawings)
    assert table.columns == 4


def test_rows_between_rules_of_sums_are_told_by_their_lines() -> None:
    """One column of numbers with rules at the sums: what stands between two of them is many rows."""
    entries = [("Class A", ""), ("Net value of it", "5,111"), ("Units of it", "49,136"), ("Value of a unit", "104.03"), ("Class B", "")]
    entries += [("Net value of that", "49,144"), ("Units of that", "471"), ("Value of one", "104.22"), ("Result", "1,969")]
    entries += [("Direct", "2,076"), ("Revaluation", "3.99"), ("Costs", "(0.21)"), ("Result of a unit", "3.78")]
    page: Page = []
    for row, (label, number) in enumerate(entries):
        y = 122.0 + 18 * row
        page += words(60, y, label) + (ends_at(500, y, number) if number else [])
    drawings = [line(60, y, 502, y) for y in (118, 264, 282, 336, 354)]
    assert rows_of(only(page, drawings)) == [list(entry) for entry in entries]


def test_a_header_in_a_frame_is_no_part_of_the_first_row() -> None:
    """The texts of both lines would go on in none of their cells: there was room, or a number follows."""
    drawings = [box(60, 100, 480, 246, stroke=(0.0,))]
    heads, lefts = ("Apellido", "Nombre", "Fecha", "Tipo"), (64, 190, 300, 400)
    page = [word for x, head in zip(lefts, heads, strict=True) for word in words(x, 104, head)]
    for row in range(8):
        texts = ("MENA", "JUAN MARTIN", f"{row + 1:02d}/10/2013", "EFECTIVO")
        page += [word for x, text in zip(lefts, texts, strict=True) for word in words(x, 121 + 15.5 * row, text)]
    rows = rows_of(only(page, drawings))
    assert rows[0] == list(heads)
    assert len(rows) == 9


def test_lines_of_tall_cells_are_no_rows_where_few_rules_are_drawn() -> None:
    """Two rows of which one cell is a paragraph: were its lines rows, nearly all of their cells would be empty."""
    xs, ys = (40.0, 100.0, 160.0, 220.0, 280.0, 340.0, 550.0), (100.0, 120.0, 210.0, 300.0)
    page = in_cells(xs, ys, [["Land", "Illness", "Cases", "Died", "Status", "What was done"]])
    for row, top in enumerate(ys[1:-1]):
        for number in range(6):
            page += words(xs[5] + 3, top + 4 + 13 * number, f"{number} were reported from a village" + " by a team" * (number % 2))
        for column, (down, text) in enumerate(((17, "Bihar"), (30, "Acute"), (43, f"{row}9"), (56, "0"), (30, "Late"))):
            page += words(xs[column] + 3, top + down, text)
    drawings = [*grid_lines(xs, ys[:2]), *grid_lines(xs, ys[-2:]), *(line(x, ys[1], x, ys[-2]) for x in xs)]
    rows = rows_of(only(page, drawings))
    assert [row[:5] for row in rows[1:]] == [["Bihar", "Acute", "09", "0", "Late"], ["Bihar", "Acute", "19", "0", "Late"]]


def test_two_shaded_tables_between_rules_of_one_width_are_two() -> None:
    page: Page = []
    drawings = [line(60, y, 500, y) for y in (100.0, 116.0, 132.0, 148.0)]
    drawings.append(box(280, 100, 500, 148, fill=(1.0, 0.98, 0.9)))
    for row, (label, text) in enumerate((("Payment", "Direct"), ("Tariff", "Variable"), ("Fees", "None"))):
        page += words(64, 102 + 16 * row, label) + words(284, 102 + 16 * row, text)
    edges = (60.0, 180.0, 260.0, 340.0, 420.0, 500.0)
    drawings += [line(60, y, 500, y) for y in (176.0, 192.0, 208.0, 224.0, 240.0)]
    drawings += [box(a, 176, b, 240, fill=(1.0, 0.98 - 0.02 * i, 0.9)) for i, (a, b) in enumerate(pairwise(edges)) if i]
    for row in range(4):
        for column, x in enumerate(edges[:-1]):
            page += words(x + 4, 178 + 16 * row, f"R{row}" if column == 0 else f"{row}{column}.5")
    found = find_tables(page, drawings, PAGE)
    assert [(t.table.rows, t.table.columns) for t in found] == [(3, 2), (4, 5)]


def test_a_list_in_a_frame_is_no_table() -> None:
    page = words(64, 104, "Open tender")
    for number in range(5):
        page += words(64, 124 + 14 * number, "-") + words(90, 124 + 14 * number, f"criterion {number} of those that were told before")
    assert find_tables(page, [box(60, 100, 480, 200, stroke=(0.0,))], PAGE) == []


def test_columns_of_prose_below_the_rules_of_a_title_are_no_rows() -> None:
    rulings = rulings_of([line(45, y, 567, y) for y in (52.0, 56.0, 109.0)])
    page = words(45, 66, "Proposed Rules") + words(400, 66, "Register") + words(45, 86, "Part Two") + words(400, 86, "Volume 85")
    for column, x in enumerate((45.0, 222.0, 400.0)):
        for number in range(30):
            page += words(x, 116 + 14 * number + column, ("the agency has found that", "this part of rules did not")[number % 2])
    (stack,) = regions_of(rulings)
    assert [part.box[3] for part in tables_in_stack(stack, words_of(page), rulings.horizontal, [])] == [109.0]


def test_rows_with_numbers_and_labels_over_three_columns_are_a_table() -> None:
    page = words(60, 100, "No.") + words(160, 100, "Item") + words(260, 100, "Place")
    for row, (item, place) in enumerate((("Abc", "Foo"), ("Bar", "Baz"), ("Quux", "Argh"), ("Chonk", "Bonk"))):
        page += words(60, 118 + 14 * row, str(row + 1)) + words(160, 118 + 14 * row, item) + words(260, 118 + 14 * row, place)
    finder = TableFinder([(*word[:5], 0, 0, i) for i, word in enumerate(page)], rulings_of([line(58, 114, 320, 114)]), PAGE, frozenset(), None)
    found = finder.unruled(())
    assert [(t.table.rows, t.table.columns, t.table.header_rows) for t in found.sure] == [(5, 3, 1)]
