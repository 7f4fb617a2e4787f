"""When the first row of a table names its columns."""

import pytest

from streams.read.structure.header_rows import names_columns

WORDS = [["Name", "Town", "Food"], ["Ann", "Rome", "soup"], ["Bo", "Oslo", "rice"]]


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        (WORDS, True),
        ([["", "Town", "Food"], *WORDS[1:]], True),
        ([["Name", "", "Food"], *WORDS[1:]], False),
        ([["Name", "Name", "Food"], *WORDS[1:]], False),
        ([["Name", "Town", "2024"], *WORDS[1:]], False),
        ([["Name", "Rome", "Food"], *WORDS[1:]], False),
        ([["Name", "Town", "word " * 20], *WORDS[1:]], False),
        (WORDS[:2], False),
        ([row[:2] for row in WORDS], False),
        ([["Name", "Age"], ["Ann", "31"]], False),
        ([["Name", "Age"], ["Ann", "31"], ["Bo", ""]], False),
        ([["Name", "Age"], ["Ann", "31"], ["Bo", "7"]], True),
        ([["Name", "Ann"], ["Age", "31"]], False),
        ([["Name"], ["Ann"]], False),
        ([], False),
    ],
)
def test_names_of_columns(rows: list[list[str]], named: bool) -> None:
    assert names_columns(rows) is named


def test_a_cell_that_is_a_long_list_of_numbers_costs_its_length() -> None:
    """The pattern took the square of it, minutes for this one."""
    assert not names_columns([["Name", "Values"], ["Ann", "1, " * 100_000 + "x"], ["Bo", "7"]])
