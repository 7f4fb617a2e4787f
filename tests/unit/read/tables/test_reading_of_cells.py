"""The text of a cell from words that stand in it: which way its line is read, and what is the mark of a note."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.tables import find_tables
from streams.read.tables.reading import in_reading_order, line_text
from tests.unit.read.tables.drawn_tables import PAGE, grid_lines, rows_of

Placed = tuple[float, float, float, float, str, int]


def placed(*texts: str, x: float = 10.0, y: float = 100.0) -> list[Placed]:
    """Words on one line, given from left to right as they stand there."""
    found = []
    for number, text in enumerate(texts):
        found.append((x, y, x + 6.0 * len(text), y + 11.0, text, number))
        x += 6.0 * len(text) + 3.0
    return found


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        (("גולמי", "מקומי", "תוצר"), "תוצר מקומי גולמי"),
        (("קטים", "47", "לי", "יש"), "יש לי 47 קטים"),
        (("الانجليزية", "في", "Jeremy", "اسمي"), "اسمي Jeremy في الانجليزية"),
        (("السوق", "New", "York", "حومة"), "حومة New York السوق"),
        (("Jeremy", "is", "جرمي", "in", "Arabic"), "Jeremy is جرمي in Arabic"),
        (("3", "001"), "3 001"),
    ],
)
def test_lines_of_a_script_that_runs_leftwards_are_read_from_the_right(seen: tuple[str, ...], read: str) -> None:
    assert line_text(placed(*seen)) == read


def test_each_cell_of_a_row_is_read_by_itself() -> None:
    xs, ys = (60.0, 260.0, 460.0), (100.0, 120.0, 140.0)
    page: list[tuple[object, ...]] = []
    for y in ys[:-1]:
        for column, texts in enumerate((("גולמי", "תוצר"), ("בינוי", "סך"))):
            page += [(*word[:5], 0, 0, len(page) + i) for i, word in enumerate(placed(*texts, x=xs[column] + 20, y=y + 4))]
    (found,) = find_tables(page, grid_lines(xs, ys), PAGE)
    assert rows_of(found.table) == [["תוצר גולמי", "סך בינוי"]] * 2


@given(st.lists(st.sampled_from(["אבג", "دهو", "word", "12", "(5)", "–", "3.5%"]), max_size=12))
def test_no_word_is_lost_or_doubled(texts: list[str]) -> None:
    words = placed(*texts)
    assert sorted(in_reading_order(words)) == sorted(words)


def test_a_small_number_raised_behind_a_word_is_a_mark() -> None:
    word = (10.0, 100.0, 60.0, 111.0, "breastfed", 0)
    assert line_text([word, (60.5, 99.0, 64.0, 105.0, "9", 1), (67.0, 100.0, 80.0, 111.0, "(%)", 2)]) == "breastfed⁹ (%)"
    assert line_text([word, (63.0, 100.0, 69.0, 111.0, "9", 1)]) == "breastfed 9", "as high as the word"
    assert line_text([word, (75.0, 99.0, 79.0, 105.0, "9", 1)]) == "breastfed 9", "a column further right"
