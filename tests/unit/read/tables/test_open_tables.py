"""Tables that nothing draws: what words alone tell, and what they leave alone."""

from collections.abc import Sequence
from typing import Any

import pytest
from drawn_tables import box, ends_at, line, rows_of, spans_of, words
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.read.tables import OpenTables, TableFinder, rulings_of
from streams.read.tables.apart import MAX_DEPTH, apart
from streams.read.tables.lines import text_lines, words_of
from streams.read.tables.open_tables import SURE

PAGE = (0.0, 0.0, 595.0, 842.0)
LABELS = ["Income", "Rent and heating", "Travel", "Food", "Insurance"]
NUMBERS = [("1,200", "1,250", "3.1%"), ("450", "480", "6.7%"), ("80", "95", "12.5%"), ("310", "299", "(3.5%)"), ("60", "61", "1.7%")]
RIGHTS = (260, 340, 420)


def found_in(page: list[tuple[Any, ...]], drawings: list[dict[str, Any]] | None = None, taken: tuple[Any, ...] = ()) -> OpenTables:
    return TableFinder(page, rulings_of(drawings or []), PAGE, frozenset(), None).unruled(taken)


def accounts(top: float = 100.0, pitch: float = 14.0, skip: tuple[tuple[int, int], ...] = ()) -> list[tuple[Any, ...]]:
    """A label column and three columns of numbers under a header."""
    page = words(72, top, "Item")
    for right, text in zip(RIGHTS, ("2024", "2025", "Change"), strict=True):
        page += ends_at(right, top, text)
    for row, (label, numbers) in enumerate(zip(LABELS, NUMBERS, strict=True)):
        y = top + (row + 1) * pitch
        page += words(72, y, label)
        for column, (right, text) in enumerate(zip(RIGHTS, numbers, strict=True)):
            if (row, column) not in skip:
                page += ends_at(right, y, text)
    return page


def prose(x: float, top: float, count: int) -> list[tuple[Any, ...]]:
    text = "the board of the company has met twice and found"
    return [word for i in range(count) for word in words(x, top + 14 * i, text if i % 3 else text + " that")]


def test_numbers_under_a_header_are_a_table() -> None:
    (table,) = found_in(accounts()).sure
    assert rows_of(table.table) == [["Item", "2024", "2025", "Change"], *([a, *b] for a, b in zip(LABELS, NUMBERS, strict=True))]
    assert table.table.header_rows == 1
    assert table.table.ruled == 0.0
    assert SURE <= table.table.confidence <= 1.0


def test_a_label_wider_than_its_column_is_not_cut_at_its_space() -> None:
    page = words(122, 100, "Year") + ends_at(271, 100, "Freshwater Ducks")  # which begins 1.5 points behind the years
    for row, number in enumerate(("120", "135", "150", "170", "160")):
        page += ends_at(192, 114 + 14 * row, f"20{19 + row}") + ends_at(271, 114 + 14 * row, number)
    (table,) = found_in(page).sure
    assert rows_of(table.table)[:2] == [["Year", "Freshwater Ducks"], ["2019", "120"]]


def test_empty_cells_stay_in_place() -> None:
    (table,) = found_in(accounts(skip=((1, 0), (3, 2)))).sure
    assert rows_of(table.table)[2] == ["Rent and heating", "", "480", "6.7%"]
    assert rows_of(table.table)[4] == ["Food", "310", "299", ""]


def test_labels_of_several_lines_are_one_cell() -> None:
    page = accounts(pitch=26.0)
    page += words(72, 100 + 26 + 12, "without taxes")
    (table,) = found_in(page).sure
    assert rows_of(table.table)[1][0] == "Income without taxes"
    assert table.table.rows == 6


def test_a_heading_over_columns_spans_them() -> None:
    page = words(72, 114, "Item")
    for right, text in zip((220, 290, 360, 430), ("Plan", "Real", "Plan", "Real"), strict=True):
        page += ends_at(right, 114, text)
    page += [*words(222, 100, "Spring"), *words(365, 100, "Autumn")]
    for row, label in enumerate(LABELS):
        page += words(72, 128 + 14 * row, label)
        for right in (220, 290, 360, 430):
            page += ends_at(right, 128 + 14 * row, str(17 * (row + right)))
    (table,) = found_in(page).sure
    assert table.table.header_rows == 2
    assert {(0, 1, 1, 2), (0, 3, 1, 2)} <= spans_of(table.table)
    assert rows_of(table.table)[1] == ["Item", "Plan", "Real", "Plan", "Real"]


def test_a_table_beside_prose_is_met_by_itself() -> None:
    page = prose(72, 60, 40)
    for row, label in enumerate(["Item", *LABELS]):
        page += words(330, 200 + 14 * row, label)
        page += ends_at(500, 200 + 14 * row, "2025" if row == 0 else NUMBERS[row - 1][0])
    page += [*prose(330, 60, 8), *prose(330, 320, 12)]
    (table,) = found_in(page).sure
    assert rows_of(table.table)[1:] == [[label, numbers[0]] for label, numbers in zip(LABELS, NUMBERS, strict=True)]
    assert table.bbox[0] >= 325


def test_a_second_header_begins_a_second_table() -> None:
    first, second = found_in([*accounts(), *accounts(top=100 + 6 * 14 + 12)]).sure
    assert first.table.rows == second.table.rows == 6


def test_a_rule_of_dashes_is_a_rule() -> None:
    page = [*accounts(top=100.0), (72.0, 111.0, 420.0, 112.5, "-" * 60, 0, 0, 0)]
    (table,) = found_in(page).sure
    assert not any("-" * 8 in text for row in rows_of(table.table) for text in row)
    assert table.table.ruled > 0


def test_words_of_other_tables_are_left_out() -> None:
    assert found_in(accounts(), taken=((60.0, 90.0, 430.0, 200.0),)).sure == ()


def test_names_in_two_columns_are_doubtful() -> None:
    page = [word for i, label in enumerate(LABELS * 2) for word in [*words(72, 100 + 14 * i, label), *words(300, 100 + 14 * i, LABELS[i % 3])]]
    found = found_in(page)
    assert (found.sure, len(found.doubtful)) == ((), 1)
    assert found.doubtful[0].table.confidence < SURE


PEOPLE = [("Anna Berg", "Chair", "Oslo"), ("Carl Dahl", "Clerk", "Bergen"), ("Eva Falk", "Pilot", "Narvik"), ("Ida Lund", "Cook", "Bodo")]
ROLES = [("Name", "Role", "City"), *PEOPLE]
RANKED = [("Rank", "Port", "Remarks"), *((str(i + 1), port, "in use") for i, port in enumerate(("Oslo", "Bergen", "Narvik", "Bodo", "Molde")))]


def in_columns(rows: Sequence[Sequence[str]], top: float = 100.0) -> list[tuple[Any, ...]]:
    return [word for r, row in enumerate(rows) for c, text in enumerate(row) for word in words(72 + 150 * c, top + 16 * r, text)]


@pytest.mark.parametrize("rows", [ROLES, RANKED, [row[:2] for row in ROLES]])
@pytest.mark.parametrize("caption", ["Table 1: Members", "TABLE IV", "Tabelle A.2 Die Mitglieder", "表 3 会员"])
def test_a_caption_and_labels_vouch_for_words_alone(rows: Sequence[Sequence[str]], caption: str) -> None:
    (table,) = found_in([*words(60, 76, caption), *in_columns(rows)]).sure
    assert rows_of(table.table) == [list(row) for row in rows]
    assert table.table.header_rows == 1


@pytest.mark.parametrize("above", ["", "Table 3 shows the members", "Figure 2: Members", "The members of Table 1"])
def test_nothing_else_above_them_does(above: str) -> None:
    page = [*(words(60, 76, above) if above else []), *in_columns(ROLES)]
    assert found_in(page).sure == ()
    assert found_in([*words(60, 20, "Table 1: Members"), *in_columns(ROLES)]).sure == ()


def test_a_caption_makes_no_table_of_a_list_below_it() -> None:
    listed = [(f"{i + 1}.", f"{name} of {city}") for i, (name, _, city) in enumerate(PEOPLE)]
    assert found_in([*words(60, 76, "Table 1: Members"), *in_columns(listed)]) == OpenTables((), ())


def test_a_continued_table_has_no_header_made_of_its_first_row() -> None:
    (table,) = found_in([*words(60, 76, "Table 1: Members (continued)"), *in_columns(PEOPLE)]).sure
    assert table.table.header_rows == 0


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("header", [True, False])
def test_years_that_count_down_are_no_scale(last: bool, header: bool) -> None:
    rows = [[str(2023 - i), str(1000 + 7 * i * i), str(900 - 3 * i * i), str(100 + i * 31 % 57)] for i in range(8)]
    rows = [["Year", "Births", "Deaths", "Net"]] * header + rows
    rows = [[*row[1:], row[0]] for row in rows] if last else rows
    (table,) = found_in([word for r, row in enumerate(rows) for c, text in enumerate(row) for word in ends_at(100 + 90 * c, 100 + 16 * r, text)]).sure
    assert rows_of(table.table) == rows


def test_one_column_beside_what_counts_down_needs_labels() -> None:
    rows = [[f"{7 * i * i + 3}", f"-{i}.5%"] for i in range(6)]

    def page(rows: Sequence[Sequence[str]]) -> list[tuple[Any, ...]]:
        return [word for r, row in enumerate(rows) for c, text in enumerate(row) for word in ends_at(100 + 150 * c, 100 + 16 * r, text)]

    assert found_in(page(rows)) == OpenTables((), ())
    (table,) = found_in(page([["Sales", "Change"], *rows])).sure
    assert table.table.rows == 7


def test_a_column_of_long_numbers_or_codes_is_no_prose() -> None:
    rows = [
        ("Item", "First half", "Second half"),
        *((f"Product {c}", f"{i * 3 + 11},200.00", f"KX-{i + 2}411-203") for i, c in enumerate("ABCDEFGH")),
    ]
    (table,) = found_in(in_columns(rows)).sure
    assert rows_of(table.table) == [list(row) for row in rows]


LOOKALIKES = {
    "a list": [w for i, label in enumerate(LABELS * 2) for w in [*words(72, 100 + 14 * i, f"{i + 1}."), *words(100, 100 + 14 * i, label)]],
    "contents": [w for i, label in enumerate(LABELS * 2) for w in [*words(72, 100 + 14 * i, label), *ends_at(500, 100 + 14 * i, str(3 + 4 * i))]],
    "contents in two columns": [
        w
        for i, label in enumerate(LABELS * 2)
        for x in (60, 310)
        for w in [*words(x, 100 + 14 * i, label), *ends_at(x + 230, 100 + 14 * i, str(3 + 4 * i + x))]
    ],
    "a form": [w for i, label in enumerate(LABELS * 2) for w in [*words(72, 100 + 20 * i, f"{label}:"), *words(300, 100 + 20 * i, "12")]],
    "prose in columns": [*prose(40, 100, 30), *prose(310, 100, 30)],
    "a scale": [w for i in range(6) for w in [*ends_at(90, 100 + 14 * i, str(500 - 100 * i)), *words(200, 100 + 14 * i, str(7 * i + 3))]],
}


@pytest.mark.parametrize("kind", LOOKALIKES)
def test_what_only_looks_like_a_table_is_left_alone(kind: str) -> None:
    assert found_in(LOOKALIKES[kind]) == OpenTables((), ())


def test_bars_with_their_numbers_are_a_chart() -> None:
    bars = [box(200 + 30 * i, 100 + 11 * i, 216 + 30 * i, 183, fill=(0.8, 0.2, 0.2)) for i in range(6)]
    assert found_in(accounts()).sure
    assert not found_in(accounts(), bars).sure


places = st.tuples(st.floats(0, 560), st.floats(0, 800), st.sampled_from(["12", "a", "Total", "3.5%", "•", "", "Text:", "-" * 12, "\u5408\u8a08"]))


@settings(max_examples=60, deadline=None)
@given(st.lists(places, max_size=60), st.integers(1, 30))
def test_any_words_give_tables_that_share_none(spots: list[tuple[float, float, str]], step: int) -> None:
    page = [word for x, y, text in spots for word in words(round(x / step) * step, round(y / step) * step, text)]
    found = found_in(page, [line(50, 100, 500, 100)])
    tables = [*found.sure, *found.doubtful]
    for table in tables:
        assert 0.0 <= table.table.confidence <= 1.0
        assert all(0 <= c.row < table.table.rows and 0 <= c.column < table.table.columns for c in table.table.cells)
        assert set(table.table.full_cells) <= set(range(table.table.columns))
    assert sum(len(table.words) for table in tables) == len({index for table in tables for index in table.words})


def test_a_page_of_nothing_but_titled_tables_is_cut_so_often_and_no_oftener() -> None:
    """Each cut looked at all lines below it, and a thousand of them were a thousand calls deep."""
    placed: list[tuple[Any, ...]] = []
    for y in range(20, 20 + 25 * 300, 25):
        placed += [(60.0 * c, y + 5.0 * row, 60.0 * c + 20, y + 5.0 * row + 4, "aa", 0, 0, 0) for row in range(3) for c in range(4)]
        placed += [(50.0, y + 15.0 + 5 * row, 210.0, y + 19.0 + 5 * row, "Title", 0, 0, 0) for row in range(2)]
    parts = list(apart(text_lines(words_of(placed))))
    assert len(parts) == MAX_DEPTH + 1
    assert all(3 <= len(part) <= 5 for part in parts[:-1])
    assert len(parts[-1]) > 5 * (299 - MAX_DEPTH)
