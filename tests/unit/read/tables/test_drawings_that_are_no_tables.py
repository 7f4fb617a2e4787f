"""Charts, plans and diagrams in frames, lists and addresses side by side: what has the rules or the columns of a table and is none."""

import math
from itertools import pairwise
from time import process_time
from typing import Any

import pytest
from drawn_tables import PAGE, ends_at, grid_lines, in_cells, line, words

from schemas.content import Cell, Table
from streams.read.tables import TableFinder, find_tables, rulings_of
from streams.read.tables.grid import Grid, Place, draw
from streams.read.tables.header_edges import fitted_to_body
from streams.read.tables.judging import is_table
from streams.read.tables.lines import text_lines, words_of
from streams.read.tables.lookalikes import has_curves, is_lookalike
from streams.read.tables.regions import Region
from streams.read.tables.rulings import Curve

XS, YS = [100.0, 160.0, 220.0, 280.0, 340.0], [100.0, 130.0, 160.0, 190.0, 220.0]
ROWS = [[f"{row}.{column}" for column in range(4)] for row in range(4)]


def curve(pieces: int, *, width: float = 240.0, as_one: bool = False) -> list[dict[str, Any]]:
    """A wave over the grid, drawn piece by piece or as one path."""
    points = [(100 + width * n / pieces, 160 + 50 * math.sin(n)) for n in range(pieces + 1)]
    pieces_of_it = list(pairwise(points))
    if not as_one:
        return [line(*a, *b) for a, b in pieces_of_it]
    low, high = min(y for _, y in points), max(y for _, y in points)
    rect = (points[0][0], low, points[-1][0], high)
    return [{"type": "s", "items": [("l", a, b) for a, b in pieces_of_it], "color": (0.0,), "width": 1, "rect": rect}]


@pytest.mark.parametrize("as_one", [False, True])
def test_a_curve_through_a_grid_makes_it_a_chart(as_one: bool) -> None:
    page = in_cells(XS, YS, ROWS)
    assert len(find_tables(page, grid_lines(XS, YS), PAGE)) == 1
    assert find_tables(page, [*grid_lines(XS, YS), *curve(20, as_one=as_one)], PAGE) == []


def test_signs_and_a_stroke_in_cells_make_no_chart() -> None:
    page = in_cells(XS, YS, ROWS)
    ticks = [line(x + 40, y + 10, x + 46, y + 20) for x in XS[:-1] for y in YS[:-1]]
    ticks += [line(x + 46, y + 20, x + 52, y + 8) for x in XS[:-1] for y in YS[:-1]]
    for more in (ticks, [line(100, 100, 340, 220)], curve(20, width=50.0)):
        assert len(find_tables(page, [*grid_lines(XS, YS), *more], PAGE)) == 1


def test_filled_outlines_are_letters() -> None:
    outline = {**curve(30, as_one=True)[0], "type": "f", "fill": (0.0,), "color": None}
    assert rulings_of([outline]).curves == ()
    assert not has_curves((0, 0, 10, 10), [Curve((0, 0, 10, 10), 3)])


def test_a_cell_with_room_through_all_of_its_lines_is_none() -> None:
    """A box above two boxes that lines join to it: what stands between the lines stands on heights of its own."""
    grid = Grid([140.0, 190.0, 510.0], [200.0, 250.0, 300.0], along=[[True, False, True], [True, True, False]], across=[[True, True]] * 3)
    cells = [Place(0, 0, 1, 2), Place(1, 0, 1, 1), Place(1, 1, 1, 1)]
    texts = ["Memory", "128", "wide words Load 64 Store"]

    def told(at: float, ruled: float) -> bool:
        beside = [*words(at, 268, "Load"), *words(at + 36, 260, "64"), *words(at, 281, "Store")]
        members = [words(290, 220, "Memory"), words(150, 275, "128"), [*words(200, 274, "wide words"), *words(200, 287, "of code"), *beside]]
        return is_table(grid, cells, texts, members, ruled)

    assert told(260, 0.64)
    assert not told(410, 0.64)
    assert told(410, 1.0)


BOXES = [
    ("Your first name", "Last name", "Number"),
    ("Home address", "", "Flat"),
    ("Name of your spouse", "Last name", "Number"),
    ("Town, state and code", "", "Abroad"),
]


def boxes_of_a_form(texts: list[tuple[str, str, str]]) -> list[Any]:
    """Rows of boxes that part their width each in its own way."""
    xs, ys = [60.0, 200.0, 290.0, 330.0, 450.0], [100.0, 124.0, 148.0, 172.0, 196.0]
    drawings = [line(xs[0], y, xs[-1], y) for y in ys] + [line(x, ys[0], x, ys[-1]) for x in (xs[0], xs[-1])]
    page = []
    for row, own in enumerate(texts):
        starts = (xs[0], xs[1], xs[3]) if row % 2 == 0 else (xs[0], xs[2], xs[2])
        drawings += [line(x, ys[row], x, ys[row + 1]) for x in {*starts[1:]}]
        page += [word for x, text in zip(starts, own, strict=True) if text for word in words(x + 3, ys[row] + 2, text)]
    return find_tables(page, drawings, PAGE)


def test_boxes_of_a_form_are_no_table() -> None:
    assert boxes_of_a_form(BOXES) == []
    assert len(boxes_of_a_form([(a, b, "12.50") for a, b, _ in BOXES])) == 1


def grid_of(rows: list[list[str]]) -> Table:
    cells = tuple(Cell(row=r, column=c, text=text) for r, row in enumerate(rows) for c, text in enumerate(row))
    return Table(rows=len(rows), columns=len(rows[0]), cells=cells)


def test_lists_side_by_side_are_no_table() -> None:
    assert is_lookalike(grid_of([["1. Wool", "• red", "• long"], ["2. Flax", "• blue", "• short"], ["3. Silk", "• grey", ""]]))
    assert not is_lookalike(grid_of([["Wool", "• red", "12"], ["Flax", "• blue", "31"], ["Silk", "grey", "7"]]))


def test_addresses_side_by_side_are_no_table() -> None:
    said = [["Tel.: 06051 916", "Bank: Sparkasse", "Court: Hanau"], ["Fax: 06051 917", "IBAN: DE30 5075", "HRB: 13302"]]
    assert is_lookalike(grid_of([*said, ["Mail: a@b.de", "", "Head: A. Heit"]]))
    headed = [["Internet:", "Address:", "Account:"], ["ccc.at", "Low Street 5", "Saver"], ["42@ccc.at", "Salzburg", "Bank of it"]]
    assert is_lookalike(grid_of(headed))
    assert not is_lookalike(grid_of([["Route", "Time", "Fare"], ["North", "10:15", "4.20"], ["South", "11:20", "3.10"]]))


def test_a_footer_in_columns_is_no_end_of_the_table_above_it() -> None:
    page = words(72, 100, "No") + words(110, 100, "Item") + ends_at(400, 100, "Sum")
    for number in range(6):
        y = 120 + 14 * number
        page += words(72, y, str(number + 1)) + words(110, y, "Mailbox") + ends_at(400, y, f"{number}.50")
    for number, (left, middle) in enumerate((("Firm", "Head of it"), ("Low road", "Court of it"), ("Hanau", "Number 12"))):
        foot = words(72, 212 + 12 * number, left) + words(220, 212 + 12 * number, middle)
        page += [(x0, y0, x1, y1 - 2, *rest) for x0, y0, x1, y1, *rest in foot]
    (found,) = find_tables(page, [line(70, y, 402, y) for y in (97, 115, 207)], PAGE)
    assert found.table.rows == 7


LEFT = [
    "This module introduces the reader to the",
    "importance and principles of product",
    "development and quality assurance, says",
    "and tested, considers challenges",
    "four steps of it.",
    *("• What are product types?", "• What may arise in", "development?", "• What is quality", "assurance, and who is", "involved?"),
    *("• The importance of", "assurance", "• Which products", "and tested?", "• Ensuring", "development"),
]
RIGHT = [
    "This module looks at the role of",
    "the team in detail and outlines an",
    "concept developed in the step, it",
    "looks at root challenges that may",
    *("• The role of the design team", "• Determining the immediate and", "underlying challenges of it", "• Underlying usability"),
    *("and user experience", "• Underlying materials", "and processes", "• Underlying compliance", "and standards"),
    *("• Determining root", "factors", "• The development", "• Collaboration"),
]


def test_columns_of_paragraphs_and_lists_are_no_table() -> None:
    page = []
    for x, texts in ((60, LEFT), (320, RIGHT)):
        for number, text in enumerate(texts):
            page += words(x + (30 if text[0] == "•" else 42 if number > 5 else 0), 100 + 13 * number, text)
    told = TableFinder(page, rulings_of([]), PAGE, frozenset(), None).unruled(())
    assert told.sure == told.doubtful == ()


def test_work_on_a_header_of_many_edges_is_bounded() -> None:
    """Labels ruled apart over lines whose texts all run over the edges: what is far from an edge is not looked at for it."""
    xs = [10.0 + 5 * n for n in range(2_401)]
    flat, upright = [(y, 10.0, xs[-1]) for y in (10.0, 20.0, 400.0)], [(x, 10.0, 20.0) for x in xs]
    grid = Grid(list(xs), [10.0, 20.0, 400.0])
    draw(grid, flat, upright)
    page = [(x + 1, 11.0, x + 3, 19.0, "a", 0, 0, 0) for x in xs[:-1]]
    page += [(x + 3, 30.0 + 12 * row, x + 6.5, 32.0 + 12 * row, "ab", 0, 0, 0) for row in range(8) for x in xs[:-2]]
    lines = text_lines(words_of(page))
    begun = process_time()
    fitted = fitted_to_body(grid, Region((10.0, 10.0, xs[-1], 400.0), flat, upright), lines)
    assert process_time() - begun < 1.5  # in tenths of it; 4 s where every text is looked at for every edge
    assert fitted.grid.xs[1:4] == [17.0, 22.0, 27.0]
