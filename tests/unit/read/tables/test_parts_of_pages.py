"""Tables told from what stands around them and within them: line numbers of a form, letterheads, a second table below a title, labels beside tall
texts, rows without a label, totals between rules.
"""

from typing import Any

from schemas.content import Table
from streams.read.tables import OpenTables, TableFinder, find_tables, rulings_of
from tests.unit.read.tables.drawn_tables import PAGE, box, ends_at, line, rows_of, words

ITEMS = (
    "Total amount from box 1 of all forms",
    "Household wages that no form reports",
    "Tips that are not on any line above",
    "Payments of waivers not reported",
    "Taxable benefits for dependent care",
    "Benefits for an adoption by employers",
    "Wages of another form from its line 6",
)


def numbered(placed: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(*word[:5], 0, 0, number) for number, word in enumerate(placed)]


def open_in(placed: list[tuple[Any, ...]], drawings: list[dict[str, Any]] | None = None) -> OpenTables:
    return TableFinder(numbered(placed), rulings_of(drawings or []), PAGE, frozenset(), None).unruled([])


def only(placed: list[tuple[Any, ...]], drawings: list[dict[str, Any]]) -> Table:
    (found,) = find_tables(numbered(placed), drawings, PAGE)
    return found.table


def test_notes_in_the_margin_and_the_numbers_of_lines_are_no_table() -> None:
    notes = ("Attach", "forms W-2", "here. Also", "attach forms", "where tax", "was", "withheld.")
    placed = []
    for number, (note, item) in enumerate(zip(notes, ITEMS, strict=True)):
        y = 100.0 + 12 * number
        placed += words(36, y, note) + words(100, y, f"1{'abcdefg'[number]}") + words(118, y, item, letter=4.5)
    rules = [line(34, 98, 112, 98), line(34, 186, 112, 186)]
    assert find_tables(numbered(placed), rules, PAGE) == []
    assert open_in(placed, rules).sure == ()


def statement(top: float, columns: int, start: float, pitch: float, *, first: int = 1) -> list[tuple[Any, ...]]:
    """Six rows of numbers of seven digits, each column ending at its own x."""
    placed = []
    for row in range(6):
        placed += words(60, top + 14 * row, f"Town {first + row}")
        for column in range(columns):
            placed += ends_at(start + pitch * column, top + 14 * row, f"{1_000_000 + 37_003 * row + 11 * column:,}")
    return placed


def test_two_tables_below_each_other_keep_their_own_columns() -> None:
    upper, lower = statement(100, 8, 180, 50), statement(210, 7, 205, 50, first=7)
    found = open_in(upper + words(190, 186, "Figures of the years before the reform") + lower).sure
    assert [(table.table.rows, table.table.columns) for table in found] == [(6, 9), (6, 8)]
    assert rows_of(found[1].table)[0] == ["Town 7", *(f"{1_000_000 + 11 * column:,}" for column in range(7))]


def test_a_letterhead_above_a_title_is_no_part_of_the_table() -> None:
    head = words(90, 100, "Mayor of the city") + words(400, 100, "Commissioner")
    head += words(90, 114, "Volume 24") + words(400, 114, "South")
    title = words(230, 128, "Report that covers all of the week") + words(230, 142, "Complaints of crimes in the city")
    (found,) = open_in(head + title + statement(168, 8, 180, 50)).sure
    assert (found.table.rows, found.table.columns) == (6, 9)
    assert rows_of(found.table)[0][0] == "Town 1"


def test_a_title_in_larger_type_is_no_header() -> None:
    title = [(x, 74.0, x + 24, 93.0, text, 0, 0, 0) for x, text in ((60, "Wi"), (110, "nes"), (180, "2017"))]
    placed = [word for n in range(6) for word in words(60, 100 + 16 * n, f"Hill wine {n}") + ends_at(460, 100 + 16 * n, f"{n + 1},350")]
    (found,) = open_in(title + placed).sure
    assert rows_of(found.table)[0] == ["Hill wine 0", "1,350"]


def test_a_line_without_a_label_is_a_row_where_all_texts_above_had_room() -> None:
    rows = [("One", "Two", "Three", "Four"), ("A1", "B1", "C1", "D1"), ("", "B2", "C2", "D2"), ("", "B3", "C3", "D3"), ("", "B4", "C4", "D4")]
    placed = [word for n, row in enumerate(rows) for c, text in enumerate(row) if text for word in words(90 + 80 * c, 72 + 14.6 * n, text)]
    rules = [line(80, 70, 400, 70), line(80, 72 + 14.3, 400, 72 + 14.3), line(80, 148, 400, 148)]
    assert rows_of(only(placed, rules))[2:] == [["", "B2", "C2", "D2"], ["", "B3", "C3", "D3"], ["", "B4", "C4", "D4"]]


def test_a_label_beside_a_text_of_more_lines_is_a_column() -> None:
    texts = [("RoHS", 2), ("Halogen Free", 3), ("REACH", 3), ("TSCA", 2)]
    ys = [100.0]
    placed = words(84, 102, "Environmental category and description") + words(430, 102, "Details")
    for label, lines in texts:
        top = ys[-1] + (16 if len(ys) == 1 else 12 * texts[len(ys) - 2][1] + 4)
        ys.append(top)
        placed += words(84, top + 6 * (lines - 1) + 2, label) + words(430, top + 2, "Y")
        for number in range(lines):
            placed += words(170, top + 2 + 12 * number, "the product holds none of the substances", letter=4.5)
    ys.append(ys[-1] + 12 * texts[-1][1] + 4)
    drawings = [line(80, y, 500, y) for y in ys] + [line(420, ys[0], 420, ys[-1])]
    table = only(placed, drawings)
    assert [row[0] for row in rows_of(table)] == ["Environmental category and description", "RoHS", "Halogen Free", "REACH", "TSCA"]
    assert table.columns == 3
    assert [cell.column_span for cell in table.cells if cell.row == 0] == [2, 1]


def test_marks_of_a_list_within_a_cell_are_no_column() -> None:
    ys = [100.0, 140.0, 180.0, 220.0, 260.0]
    placed = []
    for number, y in enumerate(ys[:-1]):
        placed += (
            words(84, y + 2, "•")
            + words(100, y + 2, "the product holds none of")
            + words(100, y + 14, "these substances")
            + words(430, y + 2, f"Y{number}")
        )
    table = only(placed, [line(80, y, 500, y) for y in ys] + [line(420, ys[0], 420, ys[-1])])
    assert table.columns == 2


def test_rows_above_the_rule_of_a_total_are_no_header() -> None:
    placed = words(60, 100, "Town") + [w for c in range(4) for w in ends_at(200 + 60 * c, 100, f"Item{c}")] + statement(114, 4, 200, 60)
    placed += words(60, 200, "Total") + [w for c in range(4) for w in ends_at(200 + 60 * c, 200, f"{c}999")]
    placed += [w for n, row in enumerate(("Parks", "Roads")) for w in words(60, 216 + 14 * n, row) + ends_at(200, 216 + 14 * n, f"{n}12")]
    placed += [w for n in range(2) for c in range(1, 4) for w in ends_at(200 + 60 * c, 216 + 14 * n, f"{c}2{n}")]
    rules = [line(56, y, 384, y) for y in (98.0, 198.5, 213.5, 244.0)]
    table = only(placed, rules)
    assert [row[0] for row in rows_of(table)] == ["Town", *(f"Town {n}" for n in range(1, 7)), "Total", "Parks", "Roads"]
    assert table.header_rows == 1


def test_rows_of_numbers_in_three_columns_part_within_a_shade() -> None:
    placed = []
    for row in range(9):
        y = 104 + 12 * row
        placed += words(60, y, f"Maker {row}") + words(130, y, "RR2Y") + [w for c in range(4) for w in ends_at(200 + 50 * c, y, f"{row}{c}.7")]
    shades = [box(56, 102 + 36 * n, 156, 138 + 36 * n, fill=(0.8, 0.9, 1.0)) for n in (0, 2)]
    shades += [box(156, 102 + 36 * n, 360, 138 + 36 * n, fill=(0.8, 0.9, 1.0)) for n in (0, 2)]
    columns = [line(x, 102, x, 210) for x in (56, 126, 156, 206, 256, 306, 360)]
    table = only(placed, [*shades, *columns])
    assert [row[0] for row in rows_of(table)] == [f"Maker {row}" for row in range(9)]
