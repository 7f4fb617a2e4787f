"""Words into the cells of a grid, and the table that comes of it.

A word belongs to the cell that its middle is in; cells without words stay in place. The table is judged before it is made.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from schemas.content import Cell, Table
from schemas.geometry import BBox, rounded
from streams.read.tables.builder import Refined
from streams.read.tables.full_cells import full_cells
from streams.read.tables.grid import EDGE_PT, Grid, Place, places
from streams.read.tables.headers import RowLook, header_rows
from streams.read.tables.judging import confidence, is_table, ruled_share
from streams.read.tables.lines import Word, joined_text
from streams.read.tables.regions import Region
from streams.read.tables.rulings import Fill, Rulings
from streams.read.tables.splitting import Glyphs, cut_at_borders

CLOSED_SHARE = 0.8
"""A table is closed where a rule runs along this share of its width."""
COLOURED_SHARE = 0.5
"""A row has the colour that is behind this share of its width."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table, where it stands, and the indexes (of the words given) of the words in its cells."""

    bbox: BBox
    table: Table
    words: frozenset[int]


@dataclass(frozen=True, slots=True)
class PageMarks:
    """What all tables of a page share: its rulings, the indexes of bold words, and where its characters can be asked for."""

    rulings: Rulings
    bold: Set[int]
    glyphs: Glyphs | None


def filled_table(refined: Refined, region: Region, words: Sequence[Word], page: PageMarks) -> FoundTable | None:
    """The table that words make of a grid; None where they make none."""
    grid = refined.grid
    if grid.rows < 2 or grid.columns < 2:
        return None
    cells = places(grid)
    members = _members(grid, cells, cut_at_borders(words, grid, refined.drawn, page.glyphs))
    texts = [joined_text(m) if m else "" for m in members]
    ruled = ruled_share(grid, refined.drawn)
    if not is_table(grid, cells, texts, members, ruled):
        return None
    table = Table(
        rows=grid.rows,
        columns=grid.columns,
        cells=tuple(_cells(grid, cells, texts)),
        header_rows=header_rows(_looks(grid, cells, texts, members, page), refined.ruled_off),
        column_edges=tuple(round(x, 2) for x in grid.xs),
        ruled=round(ruled, 3),
        closed_top=_is_closed(grid, region, grid.ys[0]),
        closed_bottom=_is_closed(grid, region, grid.ys[-1]),
        confidence=round(confidence(grid, cells, members), 3),
        full_cells=full_cells(grid, cells, members),
    )
    return FoundTable(rounded(grid.box), table, frozenset(w[5] for w in words))


def _members(grid: Grid, cells: Sequence[Place], words: Sequence[Word]) -> list[list[Word]]:
    """The words of each cell."""
    cell_at = [[0] * grid.columns for _ in range(grid.rows)]
    for index, place in enumerate(cells):
        if place.row_span == place.column_span == 1:
            cell_at[place.row][place.column] = index
            continue
        for row in range(place.row, place.row + place.row_span):
            for column in range(place.column, place.column + place.column_span):
                cell_at[row][column] = index
    members: list[list[Word]] = [[] for _ in cells]
    xs, ys, columns, rows = grid.xs, grid.ys, grid.columns, grid.rows
    for word in words:  # `slot`, spelled out: the busiest loop of a table
        row, column = bisect_left(ys, (word[1] + word[3]) / 2, 1, rows) - 1, bisect_left(xs, (word[0] + word[2]) / 2, 1, columns) - 1
        members[cell_at[row][column]].append(word)
    return members


def _cells(grid: Grid, cells: Sequence[Place], texts: Sequence[str]) -> Iterator[Cell]:
    xs, ys = [round(x, 2) for x in grid.xs], [round(y, 2) for y in grid.ys]
    for place, text in zip(cells, texts, strict=True):
        row, column, row_span, column_span = place.row, place.column, place.row_span, place.column_span
        box = xs[column], ys[row], xs[column + column_span], ys[row + row_span]
        yield Cell(row=row, column=column, text=text, row_span=row_span, column_span=column_span, bbox=box)


def _looks(grid: Grid, cells: Sequence[Place], texts: Sequence[str], members: Sequence[Sequence[Word]], page: PageMarks) -> list[RowLook]:
    rows: list[list[str]] = [[""] * grid.columns for _ in range(grid.rows)]
    plain = [not page.bold] * grid.rows
    heavy = [False] * grid.rows
    down = [1] * grid.rows
    wide = [False] * grid.rows
    bold = page.bold
    for place, text, words in zip(cells, texts, members, strict=True):
        row = place.row
        rows[row][place.column] = text
        if words and not plain[row]:  # the first plain cell of most rows says no
            heavy[row] = True
            plain[row] = any(word[5] not in bold for word in words)
        if place.row_span > down[row] and text:
            down[row] = place.row_span
        if place.column_span > 1:
            wide[row] = True
    x0, y0, x1, y1 = grid.box
    behind = [f for f in page.rulings.fills if f.box[1] < y1 and f.box[3] > y0 and f.box[0] < x1 and f.box[2] > x0]
    colours = _colours(grid, behind)
    encloses = _enclosed([place for place in cells if place.row == 0])
    return [RowLook(tuple(rows[r]), heavy[r] and not plain[r], colours[r], down[r], wide[r], 0 if r else encloses) for r in range(grid.rows)]


def _enclosed(first: Sequence[Place]) -> int:
    """How many rows the cells of the first row reach down, where each of the others heads several columns: labels beside headings over labels."""
    reach = max(place.row_span for place in first)
    headings = sum(1 for place in first if place.row_span == 1 and place.column_span > 1)
    labels = sum(1 for place in first if place.row_span == reach)
    return reach if reach > 1 and headings and headings + labels == len(first) else 0


def _colours(grid: Grid, fills: Sequence[Fill]) -> list[tuple[float, ...] | None]:
    """The colour behind most of each row."""
    if not fills:
        return [None] * grid.rows
    middles = [(top + bottom) / 2 for top, bottom in pairwise(grid.ys)]
    covered: list[dict[tuple[float, ...], float]] = [{} for _ in middles]
    x0, x1 = grid.xs[0], grid.xs[-1]
    for fill in fills:
        share = min(fill.box[2], x1) - max(fill.box[0], x0)
        if share > 0:
            for row in covered[bisect_right(middles, fill.box[1]) : bisect_left(middles, fill.box[3])]:
                row[fill.colour] = row.get(fill.colour, 0.0) + share
    most = [max(row.items(), key=lambda item: item[1], default=None) for row in covered]
    return [best[0] if best and best[1] >= COLOURED_SHARE * (x1 - x0) else None for best in most]


def _is_closed(grid: Grid, region: Region, y: float) -> bool:
    """Whether a rule runs along most of the table's width at a height."""
    drawn = sum(min(end, grid.xs[-1]) - max(start, grid.xs[0]) for at, start, end in region.horizontal if abs(at - y) <= EDGE_PT)
    return drawn >= CLOSED_SHARE * (grid.xs[-1] - grid.xs[0])
