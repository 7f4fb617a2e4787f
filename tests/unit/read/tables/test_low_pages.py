"""Tables of low pages, where few rows show what the rows and columns are: two tall rows, a header and one row, full cells side by side."""

from itertools import pairwise
from typing import Any

import pytest

from streams.read.tables import TableFinder, find_tables, rulings_of
from tests.unit.read.tables.drawn_tables import box, ends_at, line, rows_of, spans_of, words

PAGE = (0.0, 0.0, 595.0, 842.0)
X = (60.0, 130.0, 260.0, 390.0, 470.0)
"""Edges of four columns."""
Words = list[tuple[Any, ...]]


def tall_row(y: float, key: str, texts: tuple[str, str], value: str) -> Words:
    """A row whose key, texts and value begin on one line; `|` parts the lines of a key or text."""
    found = ends_at(X[4] - 6, y, value)
    for x, text in ((X[0], key), (X[1], texts[0]), (X[2], texts[1])):
        for number, part in enumerate(text.split("|")):
            found += words(x + 6, y + 12 * number, part)
    return found


def rules(*heights: float) -> list[dict[str, Any]]:
    return [line(X[0], y, X[4], y) for y in heights]


def frame(*heights: float) -> list[dict[str, Any]]:
    """Rules at some heights, and columns through all of them."""
    return [*rules(*heights), *(line(x, heights[0], x, heights[-1]) for x in X)]


HARBOUR = ("Der Fluss im|Frühjahr und", "Jede Partie ist|verzeichnet mit")
MILL = ("Wurde gezählt|und im Jahr", "Mit ihrem|Gewicht")


def test_the_end_of_a_row_may_begin_with_a_capital_above_two_rows():
    page = [*words(X[1] + 6, 103, "Fluss und"), *words(X[1] + 6, 115, "Partie"), *tall_row(135, "Hafen", HARBOUR, "12,5")]
    page += [*tall_row(171, "Mühle", MILL, "7.120,0"), *tall_row(207, "Wald", ("Jede", "Im Jahr"), "3,5")]
    (found,) = find_tables(page, rules(100, 132, 168, 204), PAGE)
    assert [row[0] for row in rows_of(found.table)] == ["", "Hafen", "Mühle", "Wald"]
    assert rows_of(found.table)[0][1] == "Fluss und Partie"


@pytest.mark.parametrize("keys", [("Hafen|Archiv", "Mühle|Wald"), ("Hafen", "Mühle|Wald")])
def test_between_rules_a_key_of_two_lines_is_one_row(keys: tuple[str, str]):
    header = [word for x, text in zip(X, ("Key", "What", "Why", "Sum"), strict=False) for word in words(x + 6, 103, text)]
    page = [*header, *tall_row(123, keys[0], HARBOUR, "12,5"), *tall_row(159, keys[1], MILL, "7.120,0")]
    (found,) = find_tables(page, rules(100, 120, 156), PAGE)
    assert [row[0] for row in rows_of(found.table)] == ["Key", *(key.replace("|", " ") for key in keys)]


def test_two_rows_alone_are_a_rest_of_two_rows():
    page = [*tall_row(103, "Hafen|Archiv", HARBOUR, "12,5"), *tall_row(139, "Wald", MILL, "7.120,0")]
    finder = TableFinder(page, rulings_of(rules(100, 136, 166)), PAGE, frozenset(), None)
    assert finder.ruled() == []
    assert [(rest.table.rows, rest.table.cells[0].text) for rest in finder.rests] == [(2, "Hafen")]


def test_in_a_frame_a_full_line_below_room_begins_a_row():
    header = [word for x, text in zip(X, ("Key", "What", "Why", "Sum"), strict=False) for word in words(x + 3, 103, text)]
    page = [*header, *words(X[2] + 6, 123, "every spring"), *tall_row(141, "HT/4", ("Lot it spring|and that", "With that its"), "5.5")]
    (found,) = find_tables(page, frame(100, 120, 170), PAGE)
    assert rows_of(found.table)[1:] == [["", "", "every spring", ""], ["HT/4", "Lot it spring and that", "With that its", "5.5"]]


def test_paragraphs_in_a_frame_of_two_columns_are_one_row():
    page = [word for x in (63, 263) for n in (0, 30) for word in words(x, 123 + n, "The river was counted")]
    page += [*words(63, 135, "in spring."), *words(63, 103, "For"), *words(263, 103, "Against")]
    drawings = [*(line(60, y, 470, y) for y in (100, 120, 168)), *(line(x, 100, x, 168) for x in (60, 260, 470))]
    (found,) = find_tables(page, drawings, PAGE)
    assert found.table.rows == 2


def test_texts_that_fill_their_cells_part_at_the_rule_between_them():
    page: Words = []
    for row in range(3):
        y = 103 + 30 * row
        page += [*words(X[0] + 6, y, f"A{row}"), *ends_at(X[4] - 6, y, f"{row + 1}2.5")]
        page += words(X[1] + 4, y, "账簿都按春季河流的村庄河流登记" * 2, (X[3] - X[1] - 8) / 30)
        page += words(X[2] + 4, y + 12, "登记在在都按每一批")
    (found,) = find_tables(page, frame(100, 194), PAGE)
    assert [row[0] for row in rows_of(found.table)] == ["A0", "A1", "A2"]
    assert rows_of(found.table)[2][2].endswith("登记登记在在都按每一批")


def test_numbers_in_another_type_face_do_not_part_the_lines_of_a_row():
    page: Words = []
    for row in range(4):
        y = 103 + 42 * row
        page += [*words(X[0] + 6, y, f"K{row}"), *words(X[1] + 6, y, "河流河流春季河流")]
        page += [(*word[:1], word[1] + 1.5, word[2], word[3] + 5, *word[4:]) for word in ends_at(X[4] - 6, y, f"{row + 1}8.5")]
        page += [*words(X[1] + 6, y + 12, "的登记账簿"), *words(X[1] + 6, y + 24, "之中")]
    (found,) = find_tables(page, frame(100, 270), PAGE)
    assert [row[0] for row in rows_of(found.table)] == ["K0", "K1", "K2", "K3"]


def test_headings_that_columns_begin_below_are_a_row_of_their_own():
    page = [*words(X[0] + 3, 103, "Name"), *words(X[1] + 3, 103, "2023"), *words(X[3] + 3, 103, "Note")]
    page += [*words(X[1] + 3, 118, "Count"), *words(X[2] + 3, 118, "Share")]
    for row in range(4):
        y = 136 + 16 * row
        page += [*words(X[0] + 3, y, f"Mill {row}"), *ends_at(X[2] - 3, y, f"{row}4"), *ends_at(X[3] - 3, y, f"{row}.5"), *words(X[3] + 3, y, "ok")]
    drawings = [*rules(100, 132, 200), *(line(x, 100, x, 200) for x in X if x != X[2]), line(X[2], 116, X[2], 200)]
    (found,) = find_tables(page, drawings, PAGE)
    assert rows_of(found.table)[:2] == [["Name", "2023", "", "Note"], ["", "Count", "Share", ""]]
    assert (0, 1, 1, 2) in spans_of(found.table)
    assert (0, 0, 2, 1) in spans_of(found.table)


def test_a_label_and_the_number_at_the_other_side_of_its_column_are_one_column():
    header = [*words(65, 103, "Key"), *words(150, 103, "What was found there"), *words(330, 103, "Sum")]
    page = [*header, *words(150, 123, "and its weight"), *words(65, 143, "Mill"), *words(150, 143, "every lot of it"), *ends_at(465, 143, "640.8")]
    (found,) = find_tables(page, rules(100, 120, 140, 160), PAGE)
    assert rows_of(found.table) == [["Key", "What was found there", "Sum"], ["", "and its weight", ""], ["Mill", "every lot of it", "640.8"]]


def test_labels_left_of_numbers_are_theirs_also_where_the_first_is_blank():
    for labels in ((("Share", 145), ("Part", 275), ("Sum", 400)), (("Share", 145), ("Sum", 400))):
        rights = [
            120,
            *(right for (_, x), right in zip((("", 145), ("", 275), ("", 400)), (250, 380, 465), strict=True) if x in dict(labels).values()),
        ]
        page = [word for text, x in labels for word in words(x, 103, text)]
        for row in range(7):
            for column, right in enumerate(rights):
                page += ends_at(right, 123 + 16 * row, f"{10 ** (row % 3)}{column}.5")
        (found,) = find_tables(page, rules(100, 120, 240), PAGE)
        assert rows_of(found.table)[0] == ["", *(text for text, _ in labels)]


@pytest.mark.parametrize("gap", [0.0, 6.0])
def test_a_lone_label_among_lines_set_alike_names_the_rows_below_it(gap: float):
    page: Words = []
    y = 103.0
    for row in range(6):
        if row in (0, 3):
            page += words(X[0] + 3, y, "Port")
            y += 14 + gap
        page += [*words(X[0] + 3, y, f"Mill {row}"), *words(X[1] + 3, y, "found"), *words(X[2] + 3, y, "ok"), *ends_at(X[4] - 3, y, f"{row}1.5")]
        y += 14 + gap
    (found,) = find_tables(page, frame(100, y + 2), PAGE)
    assert [row[0] for row in rows_of(found.table)] == ["Port", "Mill 0", "Mill 1", "Mill 2", "Port", "Mill 3", "Mill 4", "Mill 5"]


def test_a_typist_space_within_a_number_is_no_column():
    values = ["1 401,2", "2 079,4", "6 001,3", "8 520,2", "2 918,6"]
    page: Words = []
    for row, value in enumerate(values):
        y = 103 + 16 * row
        first, second = value.split(" ")
        page += [*words(65, y, f"DV/{row}49"), *words(200, y, "noted"), *words(400, y, first), *words(400 + 5 + 6.2, y, second)]
    (found,) = find_tables(page, rules(100, 116, 132, 148, 164, 182), PAGE)
    assert [row[2] for row in rows_of(found.table)] == values


def stripes(rows: list[Words], heights: list[float]) -> tuple[Words, list[dict[str, Any]]]:
    """Rows at some heights, of which every second one is shaded, from the first on."""
    shades = [box(X[0], top, X[4], bottom, fill=(0.9, 0.9, 0.9)) for number, (top, bottom) in enumerate(pairwise(heights)) if not number % 2]
    return [word for row in rows for word in row], shades


def test_tall_rows_on_stripes_have_the_columns_of_their_first_lines():
    texts = ("der Fluss im Jahr|und jede Partie|mit dem Gewicht|ist verzeichnet", "ok")
    page, shades = stripes([tall_row(103 + 56 * n, f"A{n}", texts, f"{n}2,5") for n in range(6)], [100 + 56 * n for n in range(7)])
    (found,) = find_tables(page, [line(X[0], 100, X[4], 100), *shades], PAGE)
    assert [row[0] for row in rows_of(found.table)] == [f"A{n}" for n in range(6)]
    assert found.table.columns == 4


def test_a_white_header_between_a_rule_and_the_first_stripe_is_the_tables():
    labels = ("Key", "What", "Why", "From", "To", "Sum")
    page = [word for n, text in enumerate(labels) for word in words(66 + 70 * n, 103, text)]
    for row in range(9):
        y = 123 + 16 * row
        page += [*words(66, y, str(row + 2)), *words(416, y, f"{row}28.5")]
        page += [word for n in range(1, 5) if row == 2 * n for word in words(66 + 70 * n, y, "Mill")]
    shades = [box(60, 120 + 16 * row, 480, 136 + 16 * row, fill=(0.9, 0.9, 0.9)) for row in range(0, 9, 2)]
    (found,) = find_tables(page, [*(line(60, y, 480, y) for y in (100, 120, 264)), *shades], PAGE)
    assert rows_of(found.table)[:2] == [list(labels), ["2", "", "", "", "", "028.5"]]


def test_the_second_line_of_the_last_label_belongs_to_a_row_that_a_break_left_open():
    page = [*tall_row(103, "Hafen", HARBOUR, "12,5"), *tall_row(139, "Mühle|Archiv", MILL, "7.120,0"), *tall_row(175, "Wald", HARBOUR, "3,5")]
    page += [*words(X[0] + 6, 211, "Brücke"), *words(X[1] + 6, 211, "Museum"), *words(X[2] + 6, 211, "ist"), *ends_at(X[4] - 6, 211, "804,5")]
    page += words(X[0] + 6, 223, "Markt")
    (found,) = find_tables(page, rules(100, 136, 172, 208), PAGE)
    assert rows_of(found.table)[-1] == ["Brücke Markt", "Museum", "ist", "804,5"]


def test_a_section_of_two_lines_below_the_header_is_a_row():
    header = [word for x, text in zip(X, ("Key", "What", "Why", "Sum"), strict=False) for word in words(x + 6, 103, text)]
    page = [*header, *words(X[0] + 6, 123, "Harbours"), *words(X[0] + 6, 135, "and mills")]
    for row in range(4):
        page += tall_row(155 + 20 * row, f"A{row}", ("found", "ok"), f"{row}2.5")
    (found,) = find_tables(page, rules(100, 120, 152, 172, 192, 212, 232), PAGE)
    assert rows_of(found.table)[:3] == [["Key", "What", "Why", "Sum"], ["Harbours and mills", "", "", ""], ["A0", "found", "ok", "02.5"]]
