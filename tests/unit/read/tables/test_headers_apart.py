"""Headers that stand apart from the grid of their table: in a frame of their own, ruled over lines of plain text, or above all rules."""

from itertools import pairwise
from typing import Any

from schemas.content import Table
from streams.read.tables import FoundTable, find_tables
from tests.unit.read.tables.drawn_tables import PAGE, box, ends_at, grid_lines, in_cells, line, rows_of, spans_of, words

XS = (50.0, 130.0, 290.0, 370.0, 450.0)
LABELS = ("Code", "Offence", "Term", "Fine")
ROWS = [("1-01", "Neglect", "10 years", "$500"), ("1-02", "Sale", "5 years", "$900"), ("1-03", "Absence", "3 years", "$100")]


def numbered(placed: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(*word[:5], 0, 0, number) for number, word in enumerate(placed)]


def all_in(placed: list[tuple[Any, ...]], drawings: list[dict[str, Any]]) -> list[FoundTable]:
    return find_tables(numbered(placed), drawings, PAGE)


def only(placed: list[tuple[Any, ...]], drawings: list[dict[str, Any]]) -> Table:
    (found,) = all_in(placed, drawings)
    assert len(found.words) == len(placed)
    return found.table


def body(top: float) -> tuple[list[tuple[Any, ...]], list[dict[str, Any]]]:
    ys = [top + 20 * row for row in range(len(ROWS) + 1)]
    return in_cells(XS, ys, ROWS), grid_lines(XS, ys)


def test_a_frame_of_labels_belongs_to_the_grid_below_it() -> None:
    placed, drawings = body(140.0)
    head = [word for x, label in zip(XS, LABELS, strict=False) for word in words(x + 5, 106, label)]
    table = only(head + placed, [box(XS[0], 100, XS[-1], 125, stroke=(0.0,)), *drawings])
    assert rows_of(table) == [list(LABELS), *map(list, ROWS)]
    assert table.header_rows == 1


def test_a_frame_with_words_below_it_or_numbers_in_it_stays_apart() -> None:
    placed, drawings = body(140.0)
    frame = box(XS[0], 100, XS[-1], 125, stroke=(0.0,))
    head = [word for x, label in zip(XS, LABELS, strict=False) for word in words(x + 5, 106, label)]
    between = all_in(head + words(60, 127, "All terms are maximal.") + placed, [frame, *drawings])
    numbers = all_in([w for x in XS[:-1] for w in words(x + 5, 106, "17.5")] + placed, [frame, *drawings])
    assert [rows_of(found[-1].table)[0] for found in (between, numbers)] == [list(ROWS[0])] * 2


def test_of_low_frames_in_a_row_none_is_lost() -> None:
    """The second is the body of the first, and was the header of the third as well: the first was in no table."""
    placed, drawings = body(140.0)
    drawings += [box(XS[0], 60, XS[-1], 85, stroke=(0.0,)), *grid_lines(XS, [100.0, 125.0])]
    for y in (66, 106):
        placed += [word for x, label in zip(XS, LABELS, strict=False) for word in words(x + 5, y, label)]
    assert {word for found in all_in(placed, drawings) for word in found.words} == set(range(len(placed)))


def sheet(purpose: str) -> Table:
    """A ruled header over lines of plain text in a frame, the first of which says for what a payment was made."""
    ys = (100.0, 125.0, 300.0)
    drawings = [box(XS[0], ys[0], XS[-1], ys[-1], stroke=(0.0,)), line(XS[0], ys[1], XS[-1], ys[1])]
    drawings += [line(x, ys[0], x, ys[1]) for x in XS[1:-1]]
    placed = [word for x, label in zip((58, 138, 298, 405), ("Code", "Posted to", "Purpose", "Amount"), strict=True) for word in words(x, 106, label)]
    y = 135.0
    for number in range(6):
        if number:
            placed += words(XS[0] + 2, y, f"AB{number}70")
        placed += words(XS[1] + 2, y, f"Payee {number}") + words(XS[2] + 2, y, "Transport" if number else purpose)
        placed += ends_at(446, y, f"{number}17.40")
        y += 18.0
    return only(placed, drawings)


def test_a_ruled_header_over_lines_of_text_is_one_table_with_them() -> None:
    for purpose in ("Transport", "Transport abroad twice"):
        table = sheet(purpose)
        assert table.header_rows == 1
        assert rows_of(table)[:3] == [
            ["Code", "Posted to", "Purpose", "Amount"],
            ["", "Payee 0", purpose, "017.40"],
            ["AB170", "Payee 1", "Transport", "117.40"],
        ]
        assert all(cell.column_span == cell.row_span == 1 for cell in table.cells)


GROUPED = (50.0, 130.0, 180.0, 230.0, 280.0, 330.0, 380.0, 430.0)


def grouped(shift: float, *, beside: str = "") -> list[FoundTable]:
    ys = [120.0 + 18 * row for row in range(5)]
    rows = [["Port", *("Tons", "Share") * 3]]
    rows += [[f"Harbour {n}", *(text for c in range(3) for text in (f"{n}{c}7", f"{n}.{c}%"))] for n in range(1, 4)]
    placed = in_cells(GROUPED, ys, rows)
    for index, year in enumerate(("2001", "2002", "2003")):
        middle = (GROUPED[1 + 2 * index] + GROUPED[3 + 2 * index]) / 2
        placed += words(middle - 10 + shift, 107, year)
    if beside:
        placed += words(450, 107, beside)
    return all_in(placed, grid_lines(GROUPED, ys))


def test_years_above_a_grid_head_their_pairs_of_columns() -> None:
    for shift in (0.0, 9.0):
        (found,) = grouped(shift)
        assert rows_of(found.table)[0] == ["", "2001", "", "2002", "", "2003", ""]
        assert {(0, 1, 1, 2), (0, 3, 1, 2), (0, 5, 1, 2), (1, 1, 1, 1)} <= spans_of(found.table)
        assert (found.table.header_rows, found.table.rows) == (2, 5)
        assert found.bbox[1] < 110


def test_a_line_that_goes_on_beside_the_grid_is_no_header() -> None:
    (found,) = grouped(0.0, beside="were the years of the survey")
    assert rows_of(found.table)[0][:3] == ["Port", "Tons", "Share"]


def test_what_stands_in_another_column_of_the_page_goes_on_with_no_header() -> None:
    xs, ys = (200.0, 320.0, 370.0, 420.0, 470.0), [120.0 + 16 * row for row in range(4)]
    placed = in_cells(xs, ys, [["Revenue", "275", "295", "319"], ["Profit", "8.8", "10.3", "12.2"], ["Yield", "7.0", "6.8", "7.1"]])
    head = [word for x, year in zip(xs[1:], ("2024", "2025e", "2026e"), strict=False) for word in words(x + 3, 107, year)]
    beside = words(60, 106, "what the board expects")
    (found,) = all_in(placed + head + beside, [line(xs[0], y, xs[-1], y) for y in ys] + [line(x, ys[0], x, ys[-1]) for x in xs])
    assert rows_of(found.table)[0] == ["", "2024", "2025e", "2026e"]
    assert found.table.header_rows == 1


def test_labels_above_the_first_rule_are_the_header() -> None:
    xs, ys = (50.0, 180.0, 310.0, 440.0), [120.0, 140.0, 175.0, 195.0]
    drawings = [line(left, y, right - 4, y) for y in ys for left, right in pairwise(xs)]
    placed = in_cells(xs, ys, [("Cat", "says", "meow"), ("A dog of any|size", "says", "woof or|nothing"), ("Fox", "says", "nothing")])
    head = words(53, 107, "Animal") + words(183, 107, "Action") + words(313, 107, "Sound")
    table = only(head + placed, drawings)
    assert rows_of(table)[:2] == [["Animal", "Action", "Sound"], ["Cat", "says", "meow"]]
    assert table.header_rows == 1


def test_parts_whose_backgrounds_hang_together_are_one_table() -> None:
    xs = (50.0, 150.0, 250.0, 350.0)
    drawings, placed, y = [], [], 100.0
    for part, title in enumerate(("Complete", "Extra")):
        drawings.append(box(xs[0], y, xs[-1], y + 16, fill=(0.6, 0.6, 0.6)))
        placed += words(53, y + 2, title)
        ys = [y + 18 + 18 * row for row in range(4)]
        drawings += [box(a, top, b, top + 18, fill=(0.9, 0.9, 0.8 - 0.1 * c)) for c, (a, b) in enumerate(pairwise(xs)) for top in ys[:-1]]
        drawings += grid_lines(xs, ys)
        placed += in_cells(xs, ys, [(f"Loan {part}{n}", f"{n}.{part}1%", f"{n}.{part}7%") for n in range(1, 4)])
        y = ys[-1] + 3
    (found,) = all_in(placed, drawings)
    assert [row[0] for row in rows_of(found.table)] == ["Complete", "Loan 01", "Loan 02", "Loan 03", "Extra", "Loan 11", "Loan 12", "Loan 13"]
