"""Rules under some headings only, in a table of which else hardly more than the frame is drawn: they part rows once the columns are known.

Before the columns are known such a rule covers no border: it is too short for the only column that is drawn.
"""

from collections.abc import Sequence

from streams.read.tables.grid import COVERED_SHARE, EDGE_PT, Grid, draw, edges, nearest
from streams.read.tables.lines import Line
from streams.read.tables.regions import Region
from streams.read.tables.rulings import Segment

MIN_COLUMNS = 2
"""Columns that a rule runs under: less is an underlined word or a blank to fill in."""


def with_partial_rules(grid: Grid, region: Region, xs: Sequence[float], lines: Sequence[Line]) -> Grid:
    """The grid with an edge for each such rule that has text above and below it between the drawn edges; the same where there is none. `xs` are the
    column edges that rules and text tell, `lines` the region's.
    """
    if len(xs) <= MIN_COLUMNS or region.is_stack:
        return grid
    inner = [rule for rule in (*region.horizontal, *region.loose) if abs(rule[0] - grid.ys[nearest(grid.ys, rule[0])]) > EDGE_PT]
    if not inner:
        return grid
    found = [y for y in edges([rule[0] for rule in inner], inner[0][0], inner[-1][0]) if _parts_rows(y, inner, grid, xs, lines)]
    if not found:
        return grid
    more = Grid(grid.xs, sorted([*grid.ys, *found]))
    draw(more, [*region.horizontal, *region.loose], region.vertical)
    return more


def _underlines(y: float, x0: float, x1: float, lines: Sequence[Line]) -> bool:
    """Whether a rule runs under a text from the first letter of one of its words to the last one of another."""
    above = [word for line in lines if line.y0 < y < line.y1 + EDGE_PT for word in line.words]
    return any(abs(word[0] - x0) <= EDGE_PT for word in above) and any(abs(word[2] - x1) <= EDGE_PT for word in above)


def _parts_rows(y: float, rules: Sequence[Segment], grid: Grid, xs: Sequence[float], lines: Sequence[Line]) -> bool:
    """Whether rules at a height run under some whole columns, but not all, and text stands on both sides of them before the next edges."""
    own = [(start, end) for at, start, end in rules if abs(at - y) <= EDGE_PT and not _underlines(at, start, end, lines)]
    under = [
        c for c in range(len(xs) - 1) if any(min(end, xs[c + 1]) - max(start, xs[c]) >= COVERED_SHARE * (xs[c + 1] - xs[c]) for start, end in own)
    ]
    if not MIN_COLUMNS <= len(under) < len(xs) - 1:
        return False
    top, bottom = max((edge for edge in grid.ys if edge < y), default=y), min((edge for edge in grid.ys if edge > y), default=y)
    left, right = xs[under[0]], xs[under[-1] + 1]
    words = [w for line in lines if top < line.middle < bottom for w in line.words if left <= (w[0] + w[2]) / 2 <= right]
    return any(w[3] <= y + EDGE_PT for w in words) and any(w[1] >= y - EDGE_PT for w in words)
