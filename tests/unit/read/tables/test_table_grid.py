"""Any drawn grid, whatever its cells span, comes back exactly as drawn."""

from time import process_time

from drawn_tables import PAGE, line, rows_of, spans_of, words
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.read.tables import find_tables, has_table_candidate, rulings_of
from streams.read.tables.builder import drawn_grid
from streams.read.tables.grid import Grid, draw, places
from streams.read.tables.regions import Region
from streams.read.tables.thin import drop_thin

Spans = list[tuple[int, int, int, int]]


@st.composite
def spanned_grids(draw, most=6):
    """Rows, columns, and a tiling of their places by rectangles."""
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    free = {(r, c) for r in range(rows) for c in range(columns)}
    cells: Spans = []
    for r in range(rows):
        for c in range(columns):
            if (r, c) not in free:
                continue
            width = draw(st.integers(1, 3))
            while width > 1 and not all((r, c + i) in free for i in range(width)):
                width -= 1
            height = draw(st.integers(1, 3))
            while height > 1 and not all((r + j, c + i) in free for j in range(height) for i in range(width)):
                height -= 1
            free -= {(r + j, c + i) for j in range(height) for i in range(width)}
            cells.append((r, c, height, width))
    return rows, columns, cells


def _segments(xs, ys, cells: Spans):
    """Every cell's border, cell by cell, as word processors draw them."""
    flat, upright = set(), set()
    for r, c, high, wide in cells:
        for i in range(wide):
            flat |= {(ys[r], xs[c + i], xs[c + i + 1]), (ys[r + high], xs[c + i], xs[c + i + 1])}
        for j in range(high):
            upright |= {(xs[c], ys[r + j], ys[r + j + 1]), (xs[c + wide], ys[r + j], ys[r + j + 1])}
    return sorted(flat), sorted(upright)


@given(spanned_grids(), st.lists(st.integers(12, 90), min_size=12, max_size=12))
def test_cells_are_as_drawn(grid, sizes):
    rows, columns, cells = grid
    xs = [50 + sum(sizes[:c]) for c in range(columns + 1)]
    ys = [50 + sum(sizes[6 : 6 + r]) for r in range(rows + 1)]
    fine = Grid(xs, ys)
    draw(fine, *_segments(xs, ys, cells))
    assert {(p.row, p.column, p.row_span, p.column_span) for p in places(fine)} == set(cells)


@given(spanned_grids(), st.randoms(use_true_random=False))
def test_every_place_is_in_one_cell_whatever_is_drawn(grid, random):
    rows, columns, cells = grid
    xs, ys = [40.0 * c for c in range(columns + 1)], [20.0 * r for r in range(rows + 1)]
    flat, upright = _segments(xs, ys, cells)
    fine = Grid(xs, ys)
    draw(fine, [s for s in flat if random.random() < 0.7], [s for s in upright if random.random() < 0.7])
    covered = [(r, c) for p in places(fine) for r in range(p.row, p.row + p.row_span) for c in range(p.column, p.column + p.column_span)]
    assert sorted(covered) == [(r, c) for r in range(rows) for c in range(columns)]


@settings(max_examples=60, deadline=None)
@given(spanned_grids(most=5), st.randoms(use_true_random=False))
def test_tables_come_back_with_their_texts(grid, random):
    rows, columns, cells = grid
    xs, ys = [60.0 + 80 * c for c in range(columns + 1)], [60.0 + 30 * r for r in range(rows + 1)]
    flat, upright = _segments(xs, ys, cells)
    drawings = [line(x0, y, x1, y) for y, x0, x1 in flat] + [line(x, y0, x, y1) for x, y0, y1 in upright]
    texts = {(r, c): f"w{r}x{c}" for r, c, _, _ in cells}
    page = [w for (r, c), text in texts.items() for w in words(xs[c] + 20, ys[r] + 8, text)]
    random.shuffle(drawings)
    random.shuffle(page)
    for found in find_tables(page, drawings, PAGE):
        # What is found may be refused as a form, or have lost rows and columns that no border tells, but never mixes cells.
        used = [c.text for c in found.table.cells if c.text]
        assert len(used) == len(set(used))
        assert set(used) <= set(texts.values())
        assert len(found.words) == len(used)
        if found.table.rows == rows and found.table.columns == columns:
            assert spans_of(found.table) == set(cells)
            assert {(r, c): t for r, row in enumerate(rows_of(found.table)) for c, t in enumerate(row) if t} == texts
    if rows >= 3 and columns >= 2 and all(high == wide == 1 for _, _, high, wide in cells):
        assert len(find_tables(page, drawings, PAGE)) == 1


def test_double_rules_and_gaps_between_boxes_are_one_edge():
    region = Region((0, 0, 100, 60), [(0, 0, 100), (2, 0, 100), (30, 0, 100), (60, 0, 100)], [(0, 0, 60), (49, 0, 60), (51, 0, 60), (100, 0, 60)])
    grid = drawn_grid(region, [])
    assert grid is not None
    assert (grid.rows, grid.columns) == (2, 2)


def test_missing_outer_borders_are_added():
    region = Region((10, 10, 190, 100), [(10, 10, 190), (40, 10, 190), (70, 10, 190), (100, 10, 190)], [(70, 10, 100), (130, 10, 100)])
    grid = drawn_grid(region, [])
    assert grid is not None
    assert grid.xs == [10, 70, 130, 190]


NUMBERS = st.one_of(st.floats(-50, 900), st.sampled_from([0.0, 72.0, 100.0, 100.5, 300.0, float("inf"), float("-inf"), float("nan"), 1e12]))
POINTS = st.tuples(NUMBERS, NUMBERS)
ITEMS = st.one_of(
    st.tuples(st.just("l"), POINTS, POINTS),
    st.tuples(st.just("re"), st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), st.just(1)),
    st.tuples(st.just("qu"), st.tuples(POINTS, POINTS, POINTS, POINTS)),
    st.tuples(st.just("c"), POINTS, POINTS, POINTS, POINTS),
)
COLOURS = st.sampled_from([None, (0.0,), (1.0, 1.0, 1.0), (0.9, 0.5, 0.1), ()])
DRAWINGS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["f", "s", "fs", "clip"]), "items": st.lists(ITEMS, max_size=6), "fill": COLOURS, "color": COLOURS, "width": NUMBERS}
    ),
    max_size=40,
)
TEXTS = st.sampled_from(["a", "12.5", "", "—", "Total", "重新", "x" * 30, "$", "1990", " "])
WORDS = st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS, TEXTS, st.just(0), st.just(0), st.just(0)), max_size=60)


@settings(max_examples=60, deadline=None)
@given(WORDS, DRAWINGS, st.sampled_from([None, (0.0, 1.0, -1.0, 0.0, 842.0, 0.0)]))
def test_anything_may_be_on_a_page(page, drawings, matrix):
    rulings = rulings_of(drawings, matrix)
    has_table_candidate(rulings)
    found = find_tables(page, rulings, PAGE)
    used = [index for table in found for index in table.words]
    assert len(used) == len(set(used))
    for table in found:
        assert table.table.rows >= 2
        assert table.table.columns >= 2
        assert len(table.table.column_edges) == table.table.columns + 1
        assert list(table.table.column_edges) == sorted(table.table.column_edges)
        assert 0 <= table.table.confidence <= 1
        assert 0 <= table.table.ruled <= 1
        assert table.table.header_rows < table.table.rows


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.integers(1, 5), st.randoms(use_true_random=False))
def test_any_mixture_of_rules_and_texts(rows, columns, random):
    """Half-drawn grids with texts in any places: nothing is lost or doubled within what is found."""
    xs, ys = [50.0 + 90 * c for c in range(columns + 1)], [80.0 + 16 * r for r in range(rows + 1)]
    drawings = [line(xs[0], y, xs[-1], y) for y in ys if random.random() < 0.6] + [line(x, ys[0], x, ys[-1]) for x in xs if random.random() < 0.5]
    page = [
        w
        for r in range(rows)
        for c in range(columns)
        if random.random() < 0.8
        for w in words(xs[c] + random.randint(2, 30), ys[r] + 2, f"t{r}x{c} {r}{c}")
    ]
    for found in find_tables(page, drawings, PAGE):
        texts = " ".join(cell.text for cell in found.table.cells).split()
        assert sorted(texts) == sorted(page[index][4] for index in found.words)


def test_thin_rows_between_thousands_of_words_take_little_time():
    """Each row of a grid has an empty one below it that is too thin for text."""
    ys = [y for row in range(1_500) for y in (16.0 * row, 16.0 * row + 12.0)] + [16.0 * 1_500]
    grid = Grid([0.0, 50.0, 100.0], ys)
    draw(grid, [(y, 0.0, 100.0) for y in ys], [(x, 0.0, ys[-1]) for x in grid.xs])
    placed = [(x + 2, top + 1, x + 30, top + 11, "12", 0) for top in ys[:-1:2] for x in grid.xs[:-1]]
    began = process_time()
    drop_thin(grid, placed)
    assert process_time() - began < 0.3, "normally 0.01 s; 0.8 s where all words are looked at for each row"
    assert grid.rows == 1_500
