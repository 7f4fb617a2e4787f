"""Rows of several lines that nothing parts, labels beside the middle of their column, and last rows that only their words tell."""

from typing import Any

import pytest
from drawn_tables import box, ends_at, line, rows_of, words

from streams.read.tables import OpenTables, TableFinder, find_tables, rulings_of

PAGE = (0.0, 0.0, 595.0, 842.0)
Words = list[tuple[Any, ...]]
TEXTS = ("the river was counted in spring and every lot that", "reached it is listed with its weight and the name of", "who brought it")
TEXT_X, SUM_X = 100.0, 460.0


def finder(page: Words, drawings: list[dict[str, Any]] | None = None) -> TableFinder:
    return TableFinder(page, rulings_of(drawings or []), PAGE, frozenset(), None)


def told(page: Words) -> OpenTables:
    return finder(page).unruled(())


def numbered(count: int, top: float = 100.0) -> tuple[Words, float]:
    """Rows of three lines that begin with a number and end in a sum, and where the next one would stand."""
    page: Words = []
    for number in range(count):
        page += [*words(72, top, str(number + 6)), *ends_at(SUM_X, top, f"{number + 3},4{number}0.5")]
        for at, text in enumerate(TEXTS):
            page += words(TEXT_X, top + 12 * at, text)
        top += 12 * len(TEXTS) + 8
    return page, top


def test_numbered_rows_with_sums_are_no_list() -> None:
    page, _ = numbered(5)
    (table,) = told(page).sure
    assert rows_of(table.table) == [[str(n + 6), " ".join(TEXTS), f"{n + 3},4{n}0.5"] for n in range(5)]


def test_items_without_sums_are_a_list() -> None:
    page: Words = []
    for number, text in enumerate(("Rent and heating", "Travel", "Food", "Insurance", "Repairs")):
        y = 100 + 14 * number
        page += [*words(72, y, f"{number + 1}."), *words(TEXT_X, y, text), *words(300, y, f"page {number}")]
    assert told(page).sure == ()


def test_the_lines_of_cells_at_both_ends_belong_to_the_rows() -> None:
    page, _ = numbered(4, 120.0)
    page += words(TEXT_X, 100, "with its weight")
    (table,) = told(page).sure
    assert rows_of(table.table)[0] == ["", "with its weight", ""]
    assert rows_of(table.table)[-1][1] == " ".join(TEXTS)


@pytest.mark.parametrize("above", ["Weights", "Every lot that was brought"])
def test_a_title_above_them_is_none_of_them(above: str) -> None:
    page, _ = numbered(4, 120.0)
    page += words(TEXT_X + 20, 94, above)
    (table,) = told(page).sure
    assert rows_of(table.table)[0][0] == "6"


def test_a_page_number_below_them_is_no_row() -> None:
    page, end = numbered(5)
    page += [*words(412, end + 8, "-"), *words(422, end + 8, "2"), *words(432, end + 8, "-")]
    (table,) = told(page).sure
    assert table.table.rows == 5


@pytest.mark.parametrize(("below", "lines"), [("found", 2), ("Every lot that reached the village is listed here", 1)])
def test_the_last_line_of_a_cell_of_words_alone_belongs_to_its_row(below: str, lines: int) -> None:
    page: Words = []
    for row in range(8):
        y = 100 + 32 * row
        page += [*words(72, y, f"Harbour {row}"), *words(150, y, f"{row + 3}.5"), *words(220, y, f"Lot {row}"), *words(320, y, "listed")]
        page += words(220, y + 12, "found") if row < 7 else words(220 if lines == 2 else 72, y + 12, below)
    (table,) = [*told(page).sure, *told(page).doubtful]
    assert rows_of(table.table)[-1][2] == ("Lot 7 found" if lines == 2 else "Lot 7")


def header_at_the_left(*labels: tuple[float, str], skip: frozenset[int] = frozenset()) -> tuple[Words, list[dict[str, Any]]]:
    """Numbers at the right of four columns, below labels between two rules. Columns in `skip` hold nothing."""
    page = [word for x, label in labels for word in words(x, 103, label)]
    for row in range(6):
        page += words(65, 123 + 16 * row, f"Mill {row}")
        for column, right in enumerate((190, 290, 390)):
            if column not in skip:
                page += ends_at(right, 123 + 16 * row, f"{row + 1}{column}.5")
    return page, [line(60, y, 395, y) for y in (100, 118, 222)]


LABELLED = ((65, "Name"), (120, "First"), (198, "Second"), (298, "Third"))


def test_a_label_at_the_other_side_of_its_numbers_is_theirs() -> None:
    (table,) = find_tables(*header_at_the_left(*LABELLED), PAGE)
    assert rows_of(table.table)[:2] == [["Name", "First", "Second", "Third"], ["Mill 0", "10.5", "11.5", "12.5"]]
    (table,) = find_tables(*header_at_the_left(*LABELLED[:2], *LABELLED[3:]), PAGE)
    assert rows_of(table.table)[0] == ["Name", "First", "", "Third"]


def test_a_label_over_nothing_has_an_empty_column() -> None:
    (table,) = find_tables(*header_at_the_left(*LABELLED, skip=frozenset({1})), PAGE)
    assert rows_of(table.table)[:2] == [["Name", "First", "Second", "Third"], ["Mill 0", "10.5", "", "12.5"]]


def stripes(count: int) -> tuple[Words, list[dict[str, Any]]]:
    """Rows of which every second one is shaded, from the first on."""
    page: Words = []
    for row in range(count):
        y = 100 + 16 * row
        page += [*words(65, y + 2, f"AB/{row}"), *words(160, y + 2, f"Mill {row} north"), *ends_at(390, y + 2, f"{row + 1},200.5")]
    return page, [box(60, 100 + 16 * row, 395, 116 + 16 * row, fill=(0.9, 0.9, 0.9)) for row in range(0, count, 2)]


@pytest.mark.parametrize("count", [7, 8])
def test_the_last_row_behind_stripes_is_a_row_where_its_words_say_so(count: int) -> None:
    (table,) = find_tables(*stripes(count), PAGE)
    assert [row[0] for row in rows_of(table.table)] == [f"AB/{row}" for row in range(count)]


def test_a_sentence_below_stripes_is_no_row() -> None:
    page, drawings = stripes(7)
    page += words(65, 214, "The weights are those of the year before")
    (table,) = find_tables(page, drawings, PAGE)
    assert table.table.rows == 7


def rests(page: Words, drawings: list[dict[str, Any]]) -> list[list[list[str]]]:
    one = finder(page, drawings)
    assert one.ruled() == []
    return [rows_of(rest.table) for rest in one.rests]


def rules(*heights: float) -> list[dict[str, Any]]:
    return [line(60, y, 470, y) for y in heights]


def test_a_header_and_the_end_of_a_cell_are_a_rest() -> None:
    page = [*words(65, 103, "Key"), *words(160, 103, "What"), *ends_at(460, 103, "Sum"), *words(160, 121, "and its weight")]
    assert rests(page, rules(100, 118, 136)) == [[["Key", "What", "Sum"], ["and its weight", "", ""]]]


def test_a_row_begins_left_of_the_end_of_another() -> None:
    page = [*words(160, 103, "and its weight"), *words(65, 120, "A9"), *words(160, 120, "the last"), *ends_at(460, 120, "7.5")]
    assert rests(page, rules(100, 136)) == [[["and its weight", "", ""], ["A9", "the last", "7.5"]]]


def test_the_end_of_a_cell_alone_is_a_rest() -> None:
    assert rests(words(160, 103, "weight"), rules(100, 118)) == [[["weight"]]]
    assert rests(words(160, 103, "Weight"), rules(100, 118)) == []
