"""Column edges that are drawn in the header alone: below it the text tells where cells part, and an edge that texts run over moves to where the
columns of the body part.

Programs that print a ruled header over lines of plain text let a long text run on below the next label.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from streams.read.tables.grid import EDGE_PT, Grid, draw, nearest
from streams.read.tables.lines import Line, chunks_of
from streams.read.tables.regions import Region

MIN_LINES = 3
"""Lines of a body, more than its header has, from which on a gap that all of them leave is no chance."""
OVER_PT = 1.0
"""Texts that reach less far over an edge do not run over it."""
MAX_LOOKED = 100_000
"""Texts looked at, of all edges together: what stands near an edge is little, unless most texts are as wide as the page."""
BESIDE_PT = 0.5
"""How far from a text the moved edge stands."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A grid and its region, without the borders of edges that moved; `open_edges`: the edges drawn in the header alone, where they stand now."""

    grid: Grid
    region: Region
    open_edges: tuple[float, ...] = ()


def fitted_to_body(grid: Grid, region: Region, lines: Sequence[Line]) -> Fitted:
    """The grid with such edges moved. No word of the header comes to stand on the other side of its edge."""
    if region.is_stack or grid.rows < 2 or grid.columns < 2:
        return Fitted(grid, region)
    head = _header_rows(grid)
    above = [line for line in lines if line.middle < grid.ys[head]]
    body = [line for line in lines if line.middle >= grid.ys[head]]
    if not 0 < head < grid.rows or len(body) < MIN_LINES or len(body) <= len(above):
        return Fitted(grid, region)
    xs = list(grid.xs)
    middles = sorted([(word[0] + word[2]) / 2 for line in above for word in line.words])
    chunks = sorted([(chunk.x0, chunk.x1) for line in body for chunk in chunks_of(line)])
    widest = max(x1 - x0 for x0, x1 in chunks)
    left = MAX_LOOKED
    for edge in range(1, grid.columns):
        near = chunks[bisect_left(chunks, (xs[edge - 1] - widest,)) : bisect_left(chunks, (xs[edge + 1],))]
        left -= len(near)
        if left < 0:
            return Fitted(grid, region)
        if any(x0 + OVER_PT < xs[edge] < x1 - OVER_PT for x0, x1 in near):
            xs[edge] = _moved(xs, edge, near, middles)
    if xs == grid.xs:
        return Fitted(grid, region, tuple(xs[1:-1]))
    still = [x for x, own in zip(xs, grid.xs, strict=True) if x == own]
    kept = [v for v in region.vertical if abs(grid.xs[nearest(grid.xs, v[0])] - v[0]) > EDGE_PT or grid.xs[nearest(grid.xs, v[0])] in still]
    moved = Grid(xs, grid.ys)
    draw(moved, region.horizontal, kept)
    return Fitted(moved, replace(region, vertical=kept), tuple(xs[1:-1]))


def _header_rows(grid: Grid) -> int:
    """How many leading rows end where the last border between columns does."""
    return max((row + 1 for row in range(grid.rows) if any(grid.along[row][1 : grid.columns])), default=0)


def _moved(xs: Sequence[float], edge: int, chunks: Sequence[tuple[float, float]], above: Sequence[float]) -> float:
    """The x nearest to an edge, between its neighbours, that no text covers and that has no middle of a word above before it; else the edge. `chunks`
    and `above` are sorted.
    """
    left, at, right = xs[edge - 1], xs[edge], xs[edge + 1]
    inside = [(x0, x1) for x0, x1 in chunks if x1 > left and x0 < right]
    free: list[float] = []
    reach = left
    for (_, end), (start, _) in pairwise([(left, left), *inside, (right, right)]):
        reach = max(reach, end)
        if start - reach > 2 * BESIDE_PT:
            free += [reach + BESIDE_PT, start - BESIDE_PT]
    sides = [x for x in free if left < x <= at], [x for x in free if at < x < right]
    near = [min(side, key=lambda x: abs(x - at)) for side in sides if side]  # what stands before these stands before all behind them
    fitting = [x for x in near if bisect_right(above, min(x, at)) >= bisect_left(above, max(x, at))]
    return min(fitting, key=lambda x: abs(x - at), default=at)
