"""Rows between rules that stand further apart than rows do: under sections, subtotals, or every few rows."""

from typing import Any

import pytest
from drawn_tables import PAGE, box, ends_at, grid_lines, in_cells, line, rows_of, words

from schemas.content import Table
from streams.read.tables import find_tables

ROW_PT = 12.0


def only(page: list[tuple[Any, ...]], drawings: list[dict[str, Any]]) -> Table:
    (found,) = find_tables(page, drawings, PAGE)
    return found.table


def between_rules(
    lines: list[tuple[str, ...]], rules: set[int], pitch: float = ROW_PT, rights: tuple[int, ...] = (300, 370, 440), left: float = 70.0
) -> Table:
    """Labels at the left and numbers set to the right; `rules` are drawn from `left` on above the lines of these indexes, and around all."""
    page: list[tuple[Any, ...]] = []
    for number, (label, *values) in enumerate(lines):
        y = 100 + number * pitch
        page += words(72, y, label)
        for right, value in zip(rights, values, strict=False):
            page += ends_at(right, y, value) if value else []
    heights = [100 + number * pitch - (pitch - 11) / 2 for number in sorted({0, *rules, len(lines)})]
    return only(page, [line(left, y, rights[-1] + 2, y) for y in heights])


STATEMENT = [
    ("At the beginning", "175,820", "202,834", "378,654"),
    ("Net profit", "", "22,183", "22,183"),
    ("Other income of", "", "", ""),
    ("subsidiaries", "1,043", "20", "1,063"),
    ("Dividends", "", "(8,587)", "(8,587)"),
    ("Subtotal", "176,863", "216,450", "393,313"),
    ("Treasury stock", "(785)", "", "(785)"),
    ("Disposal of stock", "842", "(64)", "778"),
    ("At the end", "176,920", "216,386", "393,306"),
]


HEADER = ("", "Share", "Gains", "Total")


@pytest.mark.parametrize("rules", [{1, 2, 6, 7, 9}, {6, 7}, {9}])
def test_rows_of_a_statement_part_between_the_rules_of_its_subtotals(rules: set[int]) -> None:
    table = between_rules([HEADER, *STATEMENT], rules)
    assert table.header_rows == 1
    assert rows_of(table) == [
        list(HEADER),
        ["At the beginning", "175,820", "202,834", "378,654"],
        ["Net profit", "", "22,183", "22,183"],
        ["Other income of subsidiaries", "1,043", "20", "1,063"],
        ["Dividends", "", "(8,587)", "(8,587)"],
        ["Subtotal", "176,863", "216,450", "393,313"],
        ["Treasury stock", "(785)", "", "(785)"],
        ["Disposal of stock", "842", "(64)", "778"],
        ["At the end", "176,920", "216,386", "393,306"],
    ]


def test_rules_over_the_numbers_alone_part_them_likewise() -> None:
    rows = rows_of(between_rules([HEADER, *STATEMENT], {6, 7}, left=225.0))
    assert rows[0] == list(HEADER[1:])
    assert [row[-1] for row in rows[1:]] == ["378,654", "22,183", "1,063", "(8,587)", "393,313", "(785)", "778", "393,306"]


def test_a_line_of_amounts_above_a_rule_is_no_header() -> None:
    assert between_rules(STATEMENT, {5, 6}, left=225.0).header_rows == 0


def test_names_of_sections_above_a_ruled_row_are_rows() -> None:
    lines = [
        ("Net profit", "512", "683"),
        ("Other income", "", ""),
        ("Items that stay", "", ""),
        ("Fair value", "(874)", "457"),
        ("Benefit plans", "(574)", "501"),
        ("Total", "(976)", "117"),
    ]
    table = between_rules(lines, {1, 4, 5}, pitch=20, rights=(300, 370))
    assert [row[0] for row in rows_of(table)] == [label for label, *_ in lines]
    lines[1:4] = [("Other income", "", ""), ("that stays", "(874)", "457")]
    wrapped = between_rules(lines, {1, 3, 4}, rights=(300, 370))
    assert [row[0] for row in rows_of(wrapped)][:3] == ["Net profit", "Other income that stays", "Benefit plans"]


def test_lines_of_words_under_shaded_names_are_rows() -> None:
    """A list of attributes: shaded names of interfaces, between them lines of three words each."""
    xs, pitch = (60.0, 180.0, 320.0), 18.0
    rows = [("Picture", "", ""), ("width", "unsigned", "[fixed]"), ("height", "unsigned", "[fixed]"), ("data", "bytes", "[open]"), ("Array", "", "")]
    rows.append(("length", "unsigned", "[fixed]"))
    page = [word for n, row in enumerate(rows) for x, text in zip(xs, row, strict=True) if text for word in words(x, 100 + n * pitch, text)]
    shades = [box(58, 96 + n * pitch, 420, 96 + (n + 1) * pitch, fill=(0.8,)) for n in (0, 4)]
    edges = [line(x, 96, x, 96 + 6 * pitch) for x in (58, 420)] + [line(58, 96 + 6 * pitch, 420, 96 + 6 * pitch)]
    columns = [line(x - 4, 96 + a * pitch, x - 4, 96 + b * pitch) for x in xs[1:] for a, b in ((1, 4), (5, 6))]
    assert [[text for text in row if text] for row in rows_of(only(page, [*shades, *edges, *columns]))] == [[t for t in row if t] for row in rows]


def test_texts_of_several_lines_stay_in_their_cells() -> None:
    xs, ys = [60.0, 160.0, 260.0, 360.0, 460.0], [100.0, 120.0, 150.0, 180.0]
    rows = [["Plant", "Grows", "Blooms", "Fruit"], ["Wild rose|and briar", "on heaths|and slopes", "from June|to July", "red and|round"]]
    rows.append(["Elder", "in hedges", "in June", "black"])
    assert rows_of(only(in_cells(xs, ys, rows), grid_lines(xs, ys)))[1][0] == "Wild rose and briar"
    capitals = [["Plant", "Grows", "Blooms", "Fruit"], ["Rose|Elder", "Heath|Hedge", "July|June", "Red|Black"], ["Sloe", "Hedge", "April", "Blue"]]
    assert [row[0] for row in rows_of(only(in_cells(xs, ys, capitals), grid_lines(xs, ys)))] == ["Plant", "Rose", "Elder", "Sloe"]


def test_a_date_below_the_name_of_an_item_is_of_its_row() -> None:
    page = words(72, 100, "No") + words(110, 100, "Item") + ends_at(300, 100, "Price") + ends_at(380, 100, "Sum")
    for number, name in enumerate(("Mailbox", "Storage", "Domain", "Backup")):
        y = 120 + number * 28
        page += words(72, y, str(number + 1)) + words(110, y, f"{name} for a month")
        page += ends_at(300, y, f"{number}.50") + ends_at(380, y, f"{number}9.50")
        page += words(110, y + 14, f"0{number + 1}.05.14")
    table = only(page, [line(70, y, 382, y) for y in (97, 115, 235)])
    assert rows_of(table)[1:3] == [["1", "Mailbox for a month 01.05.14", "0.50", "09.50"], ["2", "Storage for a month 02.05.14", "1.50", "19.50"]]


def invoice(gap: float = 6.0) -> Table:
    rights = (230, 300, 370, 440)
    page = words(72, 100, "Description")
    for right, label in zip(rights, ("Quantity", "Price", "Tax", "Amount"), strict=True):
        page += ends_at(right, 100, label)
    top = 111 + gap
    page += words(72, top + 6, "Leading a workshop")
    for right, value in zip(rights, ("1.00", "250.00", "9.25%", "250.00"), strict=True):
        page += ends_at(right, top + 6, value)
    for number, (label, value) in enumerate((("Subtotal", "250.00"), ("Sales tax", "23.13"), ("Total", "273.13"))):
        page += ends_at(370, top + 36 + 22 * number, label) + ends_at(440, top + 36 + 22 * number, value)
    return only(page, [line(70, y, 442, y) for y in (top, top + 26, top + 100)])


def test_labels_above_the_first_rule_tell_the_columns_of_an_only_item() -> None:
    table = invoice()
    assert rows_of(table)[:2] == [["Description", "Quantity", "Price", "Tax", "Amount"], ["Leading a workshop", "1.00", "250.00", "9.25%", "250.00"]]
    assert table.header_rows == 1
    assert [row[-1] for row in rows_of(table)[2:]] == ["250.00", "23.13", "273.13"]
