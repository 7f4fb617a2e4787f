"""Rows between rules that are too few to be a table by themselves: the last rows of one, perhaps, that a page break cut.

Nothing here decides that they are. A rest is handed over beside the text of its page, which holds the same words; only a table that goes on
from the page before may claim it.
"""

from collections.abc import Sequence

from schemas.content import Cell, Table
from schemas.geometry import rounded, union
from streams.read.tables.builder import drawn_grid
from streams.read.tables.cells import FoundTable
from streams.read.tables.grid import Grid, slot
from streams.read.tables.lines import Line, Word, chunks_of, joined_text, text_lines, words_in
from streams.read.tables.regions import Region
from streams.read.tables.wrapped import goes_on

MAX_ROWS = 3
"""More rows are a table or none."""
MAX_LINES = 8
"""Lines of these rows: cells of some lines."""
MAX_WORDS = 120
"""Words of these lines."""
OUTSIDE_PT = 1.5
"""How far words may stand outside of the outermost rules."""


def rest_of(region: Region, words: Sequence[Word]) -> FoundTable | None:
    """The few rows that stand between the rules of a region, with boxes around the text of each cell; None where there are more.

    Column edges are given where they are drawn. Where they are not, the texts of a row are its cells in their order, and their places alone tell
    in which column of another page's table each of them stands; a single text may be all that a break left of a cell.
    """
    x0, y0, x1, y1 = region.box
    inside = words_in(words, (x0 - OUTSIDE_PT, y0 - OUTSIDE_PT, x1 + OUTSIDE_PT, y1 + OUTSIDE_PT))
    lines = text_lines(inside) if len(inside) <= MAX_WORDS else []
    grid = drawn_grid(region, inside) if 0 < len(lines) <= MAX_LINES else None
    if grid is None or grid.rows > MAX_ROWS:
        return None
    is_drawn = grid.columns > 1
    rows = [_in_columns(row, grid.xs) if is_drawn else _in_order(row) for row in _rows(grid, lines)]
    if len(rows) > MAX_ROWS or (not is_drawn and max(map(len, rows)) < 2 and not (region.is_stack and goes_on(lines[0]))):
        return None
    cells = tuple(
        Cell(row=number, column=column, text=joined_text(own), bbox=rounded(union(w[:4] for w in own)))
        for number, row in enumerate(rows)
        for column, own in sorted(row.items())
    )
    edges = tuple(round(x, 2) for x in grid.xs) if is_drawn else ()
    columns = grid.columns if is_drawn else max(map(len, rows))
    table = Table(rows=len(rows), columns=columns, cells=cells, column_edges=edges, ruled=float(is_drawn))
    return FoundTable(rounded(region.box), table, frozenset(w[5] for w in inside))


def _rows(grid: Grid, lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of each row. Where no rule parts them, a text below the first one of the row above begins a row, and so does one left of it."""
    first, end = (grid.xs[0], grid.xs[1]) if grid.columns > 1 else (chunks_of(lines[0])[0].x0, chunks_of(lines[0])[0].x1)
    rows: list[list[Line]] = []
    band = -1
    for line in lines:
        at, start = slot(grid.ys, line.middle), chunks_of(line)[0]
        is_left = grid.columns == 1 and start.x0 < first - OUTSIDE_PT
        if is_left:
            first, end = start.x0, start.x1
        if not rows or at != band or is_left or (grid.rows == 1 and min(start.x1, end) > max(start.x0, first)):
            rows.append([])
        band = at
        rows[-1].append(line)
    return rows


def _in_columns(lines: Sequence[Line], xs: Sequence[float]) -> dict[int, list[Word]]:
    """The words of a row by drawn column."""
    row: dict[int, list[Word]] = {}
    for line in lines:
        for word in line.words:
            row.setdefault(slot(xs, (word[0] + word[2]) / 2), []).append(word)
    return row


def _in_order(lines: Sequence[Line]) -> dict[int, list[Word]]:
    """The texts of a row, counted line by line from left to right."""
    return dict(enumerate(list(chunk.words) for line in lines for chunk in chunks_of(line)))
