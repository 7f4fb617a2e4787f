"""Charts, plans and diagrams in frames, lists and addresses side by side: what has the rules or the columns of a table and is none."""

import math
from itertools import pairwise
from time import process_time
from typing import Any

import pytest
from drawn_tables import PAGE, ends_at, grid_lines, in_cells, line, words

from schemas.content import Cell, Table
from streams.read.tables import TableFinder, find_tables, rulings_of
from streams.read.tables.curves import Curve, pieces_of
from streams.read.tables.grid import Grid, Place, draw
from streams.read.tables.header_edges import fitted_to_body
from streams.read.tables.judging import is_table
from streams.read.tables.lines import text_lines, words_of
from streams.read.tables.lookalikes import has_curves, is_lookalike
from streams.read.tables.regions import Region

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


SCALES = [[f"{row}.0", "", "", ""] for row in range(3)] + [["0", "1", "2", "3"]]
"""A chart between grid lines: numbers at its left and below."""
LABELLED = [["Item", "Unit", "Price", "Total"], *([f"Part {n}", "each", f"{7 * n}.50", f"{21 * n}.00"] for n in range(2, 10))]
DOWN = [100.0 + 18 * n for n in range(10)]


@pytest.mark.parametrize("as_one", [False, True])
def test_a_curve_through_a_grid_makes_it_a_chart(as_one: bool) -> None:
    page = in_cells(XS, YS, SCALES)
    assert len(find_tables(page, grid_lines(XS, YS), PAGE)) == 1
    assert find_tables(page, [*grid_lines(XS, YS), *curve(20, as_one=as_one)], PAGE) == []


@pytest.mark.parametrize("as_one", [False, True])
def test_a_curve_through_text_in_columns_without_labels_makes_it_a_chart(as_one: bool) -> None:
    page = [
        word for row, y in enumerate(range(104, 214, 16)) for column, x in enumerate(XS[:-1]) for word in words(x, y, f"{3 * row + 40 * column}.5")
    ]
    assert len(_unruled(page, [])) == 1
    assert _unruled(page, curve(20, as_one=as_one)) == []


def path(points: list[tuple[float, float]]) -> dict[str, Any]:
    """A stroke of a pen through points, as one path."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    rect = (min(xs), min(ys), max(xs), max(ys))
    return {"type": "s", "items": [("l", a, b) for a, b in pairwise(points)], "color": (1.0, 0.0, 0.0), "width": 2, "rect": rect}


def zigzag(x0: float, y0: float, x1: float, y1: float) -> dict[str, Any]:
    """A frame of teeth, 3 points high."""
    across, down = range(int(x0), int(x1), 4), range(int(y0), int(y1), 4)
    points = [(x, y0 + x // 4 % 2 * 3) for x in across] + [(x1 + y // 4 % 2 * 3, y) for y in down]
    return path([(float(x), float(y)) for x, y in [*points, *((x, y1 + x // 4 % 2 * 3) for x in across[::-1]), *((x0, y) for y in down[::-1])]])


def scallops(y: float) -> dict[str, Any]:
    """A frame of bows as one path around the page, which begins at a height."""
    bows: list[Any] = [("c", (30.0 + 8 * n, y), (32.0 + 8 * n, y - 8), (36.0 + 8 * n, y - 8), (38.0 + 8 * n, y)) for n in range(65)]
    bows += [("c", (550.0, y + 8 * n), (558.0, y + 8 * n + 2), (558.0, y + 8 * n + 6), (550.0, y + 8 * n + 8)) for n in range(85)]
    return {"type": "s", "items": bows, "color": (0.0,), "width": 0.5, "rect": (30.0, y - 6, 556.0, y + 680)}


RING = path([(220 + 190 * math.cos(n * math.pi / 10), 181 + 95 * math.sin(n * math.pi / 10)) for n in range(21)])
SCRIBBLE = path([(90.0 + 15 * n, 110.0 + n % 4 * 40) for n in range(20)])
LETTERS = [line(x + dx, 120 + dy, x + dx + 20, 170 - dy) for x in (100, 150, 200, 250, 300) for dx, dy in ((0, 0), (20, 10), (5, 20))]
OVER = [[zigzag(20, 20, 575, 822)], [scallops(30)], [RING], [SCRIBBLE], LETTERS]


@pytest.mark.parametrize("over", OVER)
def test_what_is_drawn_around_or_over_a_ruled_table_takes_it_for_no_chart(over: list[dict[str, Any]]) -> None:
    (found,) = find_tables(in_cells(XS, DOWN, LABELLED), [*grid_lines(XS, DOWN), *over], PAGE)
    assert (found.table.rows, found.table.columns) == (9, 4)


def _unruled(page: list[Any], drawings: list[dict[str, Any]]) -> list[Table]:
    told = TableFinder(page, rulings_of(drawings), PAGE, frozenset(), None).unruled(())
    return [found.table for found in (*told.sure, *told.doubtful)]


def _in_columns(rows: list[list[str]], *, above: str = "") -> list[Any]:
    step = 360 // len(rows[0])
    caption = words(72, 82, above) if above else []
    return caption + [w for n, row in enumerate(rows) for c, text in enumerate(row) if text for w in words(72 + step * c, 100 + 16 * n, text)]


@pytest.mark.parametrize("over", OVER)
def test_what_is_drawn_around_or_over_rows_below_labels_takes_them_for_no_chart(over: list[dict[str, Any]]) -> None:
    (table,) = _unruled(_in_columns(LABELLED), over)
    assert (table.rows, table.columns) == (9, 4)


def test_a_path_of_any_length_has_few_pieces_that_hold_its_ends() -> None:
    for count in (1, 31, 33, 5_001):
        points = [(float(n), float(n % 3)) for n in range(count + 1)]
        pieces = list(pieces_of([("l", a, b) for a, b in pairwise(points)]))
        assert len(pieces) <= 32
        assert all(before[1][0] == after[0][0] for before, after in pairwise(pieces))
        assert (pieces[0][0][0], pieces[-1][1][0]) == (0.0, float(count))


@pytest.mark.parametrize("frame", [zigzag(20, 20, 575, 822), scallops(30), RING])
def test_a_path_runs_where_its_pieces_are(frame: dict[str, Any]) -> None:
    """A table without labels within it, whose cells nothing touches."""
    assert not has_curves((100, 140, 340, 220), rulings_of([frame]).curves)
    assert has_curves((100, 100, 340, 220), rulings_of(curve(200, as_one=True)).curves)


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


def test_boxes_of_a_diagram_on_common_lines_are_no_table() -> None:
    xs, ys = [0.0, 50.0, 100.0, 150.0, 200.0], [0.0, 40.0, 80.0, 120.0, 160.0]
    cells = [Place(0, 0, 2, 1), Place(0, 1, 2, 1), Place(0, 2, 2, 2), Place(2, 0, 2, 2), Place(2, 2, 2, 1), Place(2, 3, 2, 1)]
    texts = ["Source", "Sink", "Pump", "Valve", "Tank", "Pipe"]
    members = [words(xs[place.column] + 3, ys[place.row] + 5, text) for place, text in zip(cells, texts, strict=True)]
    grid = Grid(xs, ys, along=[[True] * 5] * 4, across=[[True] * 4] * 5)
    assert is_table(grid, cells, texts, members, 1.0)
    assert not is_table(grid, cells, texts, members, 0.7)


def contents(rules: float, columns: int = 1) -> list[Any]:
    """Titles and their pages with a rule in each row, so far below the top of its text."""
    page, drawings = [], []
    for row in range(9):
        y = 100 + 14 * row
        for column in range(columns):
            x = 60 + 250 * column
            page += [*words(x, y, f"Chapter {'abcdefghi'[row]}"), *ends_at(x + 220, y, str(3 + 2 * row + 30 * column))]
            drawings += [line(x, y + rules, x + 220, y + rules)]
    return find_tables(page, drawings, PAGE)


@pytest.mark.parametrize("columns", [1, 2])
def test_underlined_contents_are_no_table(columns: int) -> None:
    assert contents(9.5, columns) == []
    assert contents(12.5, columns)


def grid_of(rows: list[list[str]]) -> Table:
    cells = tuple(Cell(row=r, column=c, text=text) for r, row in enumerate(rows) for c, text in enumerate(row))
    return Table(rows=len(rows), columns=len(rows[0]), cells=cells)


def test_lists_side_by_side_are_no_table() -> None:
    assert is_lookalike(grid_of([["1. Wool", "• red", "• long"], ["2. Flax", "• blue", "• short"], ["3. Silk", "• grey", ""]]))
    assert not is_lookalike(grid_of([["Wool", "• red", "12"], ["Flax", "• blue", "31"], ["Silk", "grey", "7"]]))


DATES = [["Malen", "3. Mai 2024", "12. Juni 2024"], ["Kochen", "4. Mai 2024", "13. Juni 2024"], ["Tanzen", "9. Mai 2024", "18. Juni 2024"]]
RANKS = [["1. Huber 3.10", "1. Moser 4.11"], ["2. Maier 6.20", "2. Mayer 8.21"], ["3. Gruber 9.30", "3. Hofer 12.31"]]
DAYS = [[f"{n}. Mai", f"{n}. Juni", f"{n + 9}. Juli"] for n in range(1, 10)]


def test_dates_and_ranks_below_labels_are_no_lists() -> None:
    for rows in ([["Kurs", "Beginn", "Ende"], *DATES], DATES, [["Herren", "Damen"], *RANKS], [["Datum", "Von", "Bis"], *DAYS]):
        assert not is_lookalike(grid_of(rows))
    assert not is_lookalike(grid_of(RANKS), captioned=True)
    assert is_lookalike(grid_of(RANKS))
    on = [["1. Wool of sheep", "4. Silk"], ["2. Flax", "5. Jute"], ["3. Hemp", "6. Sisal"]]
    assert is_lookalike(grid_of(on))  # the second column counts on
    (table,) = _unruled(_in_columns([["Kurs", "Beginn", "Ende"], *DATES, *([k, *on] for k, *on in DATES)]), [])
    assert (table.rows, table.columns) == (7, 3)


def test_labels_that_end_in_a_colon_are_those_of_a_table_over_numbers_or_below_a_caption() -> None:
    named = [["Name:", "Quantity:", "Price:", "Total:"], *LABELLED[1:]]
    assert not is_lookalike(grid_of(named))
    counted = [named[0], *([row[0], str(n), *row[2:]] for n, row in enumerate(named[1:], 2))]
    (table,) = _unruled(_in_columns(counted), [])
    assert (table.rows, table.columns) == (9, 4)
    headed = [["Animal:", "Food:", "Home:"], ["Fox", "Mice", "Den"], ["Owl", "Mice", "Tree"], ["Bee", "Nectar", "Hive"]]
    assert is_lookalike(grid_of(headed))
    assert not is_lookalike(grid_of(headed), captioned=True)
    assert len(_unruled(_in_columns(headed, above="Table 1: Animals"), [])) == 1


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
