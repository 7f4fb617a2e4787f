"""Header rows that hold numbers, or stand over a single row."""

from typing import Any

import pytest

from streams.read.tables import find_tables
from tests.unit.read.tables.drawn_tables import PAGE, grid_lines, in_cells, line, spans_of, words

XS = (50.0, 150.0, 250.0, 350.0, 450.0)


def header_rows(rows: list[list[str]]) -> int:
    ys = [100.0 + 20 * row for row in range(len(rows) + 1)]
    xs = XS[: len(rows[0]) + 1]
    (found,) = find_tables(in_cells(xs, ys, rows), grid_lines(xs, ys), PAGE)
    return found.table.header_rows


LABELS = ["Place", "Loans", "Grants", "All"]
BODY = [["Oslo", "12", "7", "19"], ["Bergen", "3", "22", "25"], ["Bodin", "8", "1", "9"]]


@pytest.mark.parametrize("numbers", [["1", "2", "3", "4"], ["(1)", "(2)", "(3)", "(4)"], ["", "1", "2", "3 = 1 + 2"]])
def test_a_row_that_numbers_the_columns_is_of_the_header(numbers):
    assert header_rows([LABELS, numbers, *BODY]) == 2
    assert header_rows([LABELS, numbers, ["Oslo", "some", "words", "more"], ["Bergen", "no", "number", "here"]]) == 2


@pytest.mark.parametrize("numbers", [["1", "2", "3", "5"], ["2", "3", "4", "5"], ["", "", "1", "2"], ["Oslo", "1", "2", "3"]])
def test_other_numbers_are_none(numbers):
    assert header_rows([LABELS, numbers, *BODY]) == 1


EDGES = (50.0, 150.0, 250.0, 350.0, 450.0, 550.0)
HALVES = [["", "All", "Some", "All", "Some"], *([f"Town {row}", "1.5", "2.5", "3.5", "4.5"] for row in range(4))]


def under_headings(drawings: list[dict[str, Any]], leading: float) -> int:
    """The header rows of a table of halves, each of which has a heading that is wider than a column."""
    placed = words(EDGES[1] + 20, 102, "Before the great change") + words(EDGES[3] + 20, 102, "Behind the great change")
    for number, row in enumerate(HALVES):
        placed += [word for c, text in enumerate(row) if text for word in words(EDGES[c] + 20, 122 + leading * number, text)]
    (found,) = find_tables(placed, drawings, PAGE)
    assert {(0, 1, 1, 2), (0, 3, 1, 2)} <= spans_of(found.table)
    return found.table.header_rows


def test_labels_below_headings_are_of_the_header():
    ys = [100.0 + 20 * row for row in range(len(HALVES) + 2)]
    rules = [line(EDGES[0], y, EDGES[-1], y) for y in ys]
    uprights = [line(x, ys[x in (EDGES[2], EDGES[4])], x, ys[-1]) for x in EDGES]
    assert under_headings([*rules, *uprights], 20.0) == 2
    assert under_headings([*(line(EDGES[0], y, EDGES[-1], y) for y in (100.0, 119.0, 136.0, 196.0))], 15.0) == 2


def test_a_first_line_of_labels_may_be_one_alone():
    assert header_rows([["", "One"], ["Period", "Allowance"], ["Weekly", "71.15"], ["Monthly", "142.31"], ["Yearly", "308.33"]]) == 2


def test_numbers_of_columns_stand_below_labels():
    assert header_rows([["Oslo", "7", "4", "11"], ["1", "2", "3", "4"], *BODY]) == 0


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([["Place", "Loans", "Grants"], ["Oslo", "12.5", "7"]], 1),
        ([["Loans", "Grants", "All"], ["12.5", "7", "19.5"]], 1),
        ([["", "2001", "2002"], ["Loans", "29 300", "25 800"]], 1),
        ([["Oslo", "Loans", "12"], ["Bergen", "Grants", "7"]], 0),
        ([["Oslo", "9.5", "12"], ["Bergen", "3", "7"]], 0),
        ([["Opened", "1998", "2001"], ["Closed", "2004", "2019"]], 0),
    ],
)
def test_labels_or_years_over_one_row_of_numbers_are_a_header(rows, count):
    assert header_rows(rows) == count
