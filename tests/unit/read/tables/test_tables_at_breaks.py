"""Parts of tables as page breaks leave them: rows of several lines, cut rows, no closing rule, one row alone."""

from streams.read.tables import TableFinder, find_tables, has_table_candidate, rulings_of
from tests.unit.read.tables.drawn_tables import grid_lines, line, rows_of, words

PAGE = (0.0, 0.0, 595.0, 842.0)
X = (60.0, 110.0, 380.0, 460.0)
"""Edges of three columns."""
LONG = ("the river was counted in spring and", "every lot that reached it is listed", "with its weight")


def tall_row(y: float, key: str, lines: int, value: str = "1,200.5") -> list[tuple]:
    """A row of several lines: key and value stand beside the first."""
    found = [*words(X[0] + 5, y, key), *words(X[2] + 5, y, value)]
    for number in range(lines):
        found += words(X[1] + 5, y + 12 * number, LONG[number % len(LONG)])
    return found


def rules(*heights: float) -> list[dict]:
    """Horizontal rules over the whole width."""
    return [line(X[0], y, X[-1], y) for y in heights]


def test_rows_of_several_lines_between_rules_are_rows():
    page = [*tall_row(103, "A1", 4), *tall_row(159, "A2", 3), *tall_row(203, "A3", 5)]
    (found,) = find_tables(page, rules(100, 156, 200, 270), PAGE)
    assert [row[0] for row in rows_of(found.table)] == ["A1", "A2", "A3"]
    assert rows_of(found.table)[1][1] == " ".join(LONG)


def test_the_end_of_a_cut_row_is_the_first_row_of_the_next_page():
    page = [*words(X[1] + 5, 103, "and its weight"), *tall_row(123, "A2", 3), *tall_row(167, "A3", 2), *tall_row(199, "A4", 2)]
    (found,) = find_tables(page, rules(100, 120, 164, 196, 228), PAGE)
    assert rows_of(found.table)[0] == ["", "and its weight", ""]
    assert found.table.rows == 4


def test_the_end_of_a_cut_row_may_begin_with_a_capital_where_its_column_begins():
    page = [*words(X[1] + 5, 103, "Harbour"), *tall_row(123, "A2", 3), *tall_row(167, "A3", 2), *tall_row(199, "A4", 2)]
    (found,) = find_tables(page, rules(100, 120, 164, 196, 228), PAGE)
    assert rows_of(found.table)[0] == ["", "Harbour", ""]


def test_a_title_between_the_first_rules_is_no_end_of_a_row():
    page = [*words(X[1] + 45, 103, "Panel A"), *tall_row(123, "A2", 3), *tall_row(167, "A3", 2), *tall_row(199, "A4", 2)]
    (found,) = find_tables(page, rules(100, 120, 164, 196, 228), PAGE)
    assert [row[0] for row in rows_of(found.table)] == ["A2", "A3", "A4"]


def test_rows_without_rules_below_a_header_rule():
    page = [*words(X[0] + 5, 103, "Key"), *words(X[1] + 5, 103, "What"), *words(X[2] + 5, 103, "Sum")]
    for number in range(5):
        page += tall_row(123 + 44 * number, f"A{number}", 3)
    (found,) = find_tables(page, rules(100, 120, 340), PAGE)
    assert [row[0] for row in rows_of(found.table)] == ["Key", "A0", "A1", "A2", "A3", "A4"]


def test_the_last_row_is_taken_below_the_last_rule_with_all_its_lines():
    page = [*tall_row(103, "A1", 2), *tall_row(135, "A2", 2), *tall_row(167, "A3", 2), *tall_row(199, "A4", 3)]
    (found,) = find_tables(page, rules(100, 132, 164, 196), PAGE)
    assert rows_of(found.table)[-1] == ["A4", " ".join(LONG), "1,200.5"]


def test_a_page_number_below_the_last_rule_is_no_row():
    page = [row for number in range(4) for row in tall_row(103 + 20 * number, f"A{number}", 1)]
    page += [*words(240, 196, "1"), *words(256, 196, "/"), *words(270, 196, "99")]
    (found,) = find_tables(page, rules(100, 120, 140, 160, 180), PAGE)
    assert found.table.rows == 4


def test_columns_that_hang_from_one_rule_are_a_table_left_open():
    page = [*tall_row(103, "A1", 3), *tall_row(143, "A2", 2), *tall_row(171, "A3", 3), *tall_row(211, "A4", 1)]
    drawings = [line(X[0], 100, X[-1], 100), *(line(x, 100, x, 226) for x in X)]
    assert has_table_candidate(rulings_of(drawings))
    (found,) = find_tables(page, drawings, PAGE)
    assert [row[0] for row in rows_of(found.table)] == ["A1", "A2", "A3", "A4"]
    assert not found.table.closed_bottom


def test_columns_of_different_heights_that_hang_from_a_rule_are_none():
    page = [*tall_row(103, "A1", 3), *tall_row(143, "A2", 2)]
    drawings = [line(X[0], 100, X[-1], 100), *(line(x, 100, x, 180 + 20 * n) for n, x in enumerate(X))]
    assert find_tables(page, drawings, PAGE) == []


def rests_of(page: list[tuple], drawings: list[dict]) -> list[list[list[str]]]:
    finder = TableFinder(page, rulings_of(drawings), PAGE, frozenset(), None)
    assert finder.ruled() == []
    return [rows_of(rest.table) for rest in finder.rests]


def test_one_row_is_no_table_but_a_rest():
    row = [*words(X[0] + 5, 103, "A9"), *words(X[1] + 5, 103, "the last"), *words(X[2] + 5, 103, "7.5")]
    assert rests_of(row, rules(100, 120)) == [[["A9", "the last", "7.5"]]]
    assert rests_of(row, grid_lines(X, (100, 120))) == [[["A9", "the last", "7.5"]]]


def test_two_rows_in_a_frame_are_told_by_their_keys():
    page = [*tall_row(103, "A8", 2), *tall_row(129, "A9", 1)]
    frame = [*rules(100, 144), *(line(x, 100, x, 144) for x in X)]
    assert rests_of(page, frame) == [[["A8", " ".join(LONG[:2]), "1,200.5"], ["A9", LONG[0], "1,200.5"]]]


def test_a_sentence_between_two_rules_is_no_rest():
    assert rests_of(words(X[0] + 5, 103, "Every lot that reached the village is listed with its weight."), rules(100, 120)) == []


def test_groups_of_thousands_are_one_number():
    xs = (60.0, 160.0, 260.0)
    values = ["3 053,4", "1 177,2", "9 765,3", "2 528,0", "8 044,1"]
    page = [word for n, value in enumerate(values) for word in (*words(65, 104 + 20 * n, f"A{n}"), *words(165, 104 + 20 * n, value, 8.0))]
    (found,) = find_tables(page, grid_lines(xs, tuple(100.0 + 20 * n for n in range(6))), PAGE)
    assert [row[1] for row in rows_of(found.table)] == values
