"""Headers of two rows above a rule, with nothing drawn between the rows: headings over pairs of columns are a row of their own, labels of two lines
are not.
"""

from typing import Any

from schemas.content import Table
from streams.read.tables import find_tables
from tests.unit.read.tables.drawn_tables import PAGE, box, ends_at, line, rows_of, spans_of, words

XS = (60.0, 160.0, 250.0, 340.0, 430.0, 520.0)
TOP, RULE = 100.0, 128.0


def framed(head: list[tuple[Any, ...]]) -> Table:
    """A frame with this header, a rule below it, and six rows of numbers."""
    drawings = [box(XS[0], TOP, XS[-1], RULE + 90.0, stroke=(0.0,)), line(XS[0], RULE, XS[-1], RULE)]
    placed = list(head)
    for row in range(6):
        y = RULE + 2 + 14 * row
        placed += words(XS[0] + 3, y, f"Town {row}")
        for column in range(4):
            placed += ends_at(XS[column + 2] - 4, y, str(100 + row * 17 + column * 31))
    (found,) = find_tables([(*word[:5], 0, 0, number) for number, word in enumerate(placed)], drawings, PAGE)
    assert len(found.words) == len(placed)
    return found.table


def test_headings_in_the_middle_of_their_columns_are_a_row() -> None:
    head = words(235, TOP + 2, "Income") + words(410, TOP + 2, "Spending") + words(63, TOP + 16, "Region")
    for column, year in enumerate(("2019", "2020", "2019", "2020")):
        head += ends_at(XS[column + 2] - 4, TOP + 16, year)
    table = framed(head)
    assert rows_of(table)[:3] == [
        ["Region", "Income", "", "Spending", ""],
        ["", "2019", "2020", "2019", "2020"],
        ["Town 0", "100", "131", "162", "193"],
    ]
    assert {(0, 0, 2, 1), (0, 1, 1, 2), (0, 3, 1, 2), (1, 1, 1, 1)} <= spans_of(table)
    assert (table.header_rows, table.rows) == (2, 8)


def test_labels_of_two_lines_are_one_row() -> None:
    head = words(63, TOP + 16, "Region")
    for column, label in enumerate(("Gross|income", "Tax", "Net|income", "Rest")):
        *above, below = label.split("|")
        for text, y in zip([*above, below], (TOP + 2, TOP + 16) if above else (TOP + 16,), strict=True):
            head += ends_at(XS[column + 2] - 4, y, text)
    table = framed(head)
    assert rows_of(table)[0] == ["Region", "Gross income", "Tax", "Net income", "Rest"]
    assert (table.header_rows, table.rows) == (1, 7)
