"""Side borders of cells where no ruling draws them: which texts stay in their column, and which run over several.

The last step of a grid: rows and columns are known. A text that crosses a column edge makes a cell that spans; a heading spans the columns
of the rule below it, or as many as put it in the middle.
"""

from bisect import bisect_left
from collections.abc import Sequence

from streams.read.tables.grid import COVERED_SHARE, EDGE_PT, Grid, slot
from streams.read.tables.line_parts import pieces_of
from streams.read.tables.lines import Line, Word, chunks_of
from streams.read.tables.rulings import Segment

DRAWN_SHARE = 0.5
"""A column edge drawn along this share of the rows is a ruled one: where it is missing, a cell spans."""
CROSS_PT = 1.0
"""Text that reaches less far to the other side of an edge does not cross it."""
DEEP_SHARE = 0.25
"""A text that reaches over this share of the neighbouring column is in it too."""
MIDDLE_SHARE = 0.25
"""A text whose middle is nearer to an edge than this share of its width stands across the edge."""


def reaches(line: Line, xs: Sequence[float]) -> list[tuple[int, int]]:
    """The columns [first, last) that each piece of a line stands in."""
    return [_reach(piece, xs) for chunk in chunks_of(line) for piece in pieces_of(chunk, xs)]


def _reach(words: Sequence[Word], xs: Sequence[float]) -> tuple[int, int]:
    """The columns [first, last) of a piece. One that only sticks out of its column, like a header wider than its numbers, stays in it."""
    x0, x1 = words[0][0], words[-1][2]
    first, last = slot(xs, x0 + CROSS_PT), slot(xs, x1 - CROSS_PT)
    while last > first and not _stands_across(words, xs[last], x1 - xs[last], xs[last + 1] - xs[last]):
        last -= 1
    while first < last and not _stands_across(words, xs[first + 1], xs[first + 1] - x0, xs[first + 1] - xs[first]):
        first += 1
    return first, last + 1


def _stands_across(words: Sequence[Word], x: float, beyond: float, column_width: float) -> bool:
    x0, x1 = words[0][0], words[-1][2]
    if beyond >= DEEP_SHARE * column_width or abs((x0 + x1) / 2 - x) < MIDDLE_SHARE * (x1 - x0):
        return True
    return words[0][0] + words[0][2] < 2 * x <= words[-1][0] + words[-1][2]


def told_borders(grid: Grid, rows: Sequence[Sequence[Line]], told: set[float], header_rows: int, rules: Sequence[Segment]) -> None:
    """Side borders that no ruling draws. At edges that text told one stands in every row whose text does not cross it; at edges that are
    drawn in few rows likewise, except within a cell that is drawn around; at all others only between two texts.
    """
    loose = {edge for edge in range(1, grid.columns) if grid.xs[edge] in told}
    hardly = loose | {edge for edge in range(1, grid.columns) if sum(1 for row in grid.along if row[edge]) < DRAWN_SHARE * grid.rows}
    for row, lines in enumerate(rows):
        drawn = grid.along[row][:]
        missing = {edge for edge in range(1, grid.columns) if not drawn[edge]}
        if not missing:
            continue
        pieces = [piece for line in lines for chunk in chunks_of(line) for piece in pieces_of(chunk, grid.xs)]
        spans = [_reach(piece, grid.xs) for piece in pieces]
        crossed = {edge for first, last in spans if last - first > 1 for edge in range(first + 1, last)}
        middles = [(piece[0][0] + piece[-1][2]) / 2 for piece in pieces]
        there = [edge for edge, is_drawn in enumerate(drawn) if is_drawn or edge in (0, grid.columns)]
        for edge in missing - crossed:
            after = bisect_left(there, edge)
            left, right = there[after - 1], there[after]  # the edges between which the row has no border around this one
            if edge in loose or (edge in hardly and not (drawn[left] and drawn[right])):
                grid.along[row][edge] = True
            else:
                x = grid.xs[edge]
                grid.along[row][edge] = any(grid.xs[left] <= m < x for m in middles) and any(x <= m < grid.xs[right] for m in middles)
        if crossed & missing:
            _center(grid, row, [(piece[0][0], piece[-1][2]) for piece in pieces], spans, missing & hardly)
    for row in range(header_rows - 1):
        _join_under_spanners(grid, row, rows[row], rules)


def _center(grid: Grid, row: int, extents: Sequence[tuple[float, float]], spans: Sequence[tuple[int, int]], movable: set[int]) -> None:
    """A text over several columns spans also the empty ones beside it, if it is then in the middle. Only `movable` borders give way."""
    for (first, end), (x0, x1) in zip(spans, extents, strict=True):
        last = end - 1
        if first in (0, last):
            continue
        low = max((s[1] for s in spans if s[1] <= first), default=1)
        high = min((s[0] - 1 for s in spans if s[0] > last), default=grid.columns - 1)
        while low < first and not movable.issuperset(range(low + 1, first + 1)):
            low += 1
        while high > last and not movable.issuperset(range(last + 1, high + 1)):
            high -= 1
        choices = [(abs(x0 + x1 - grid.xs[a] - grid.xs[b + 1]), a, b) for a in range(max(low, 1), first + 1) for b in range(last, high + 1)]
        _, a, b = min(choices)
        for edge in movable.intersection(range(a + 1, b + 1)):
            grid.along[row][edge] = False


def _join_under_spanners(grid: Grid, row: int, lines: Sequence[Line], rules: Sequence[Segment]) -> None:
    """A header cell spans the columns of the rule drawn below it; of two texts over one rule each takes the columns nearest to it."""
    bottom = grid.ys[row + 1]
    for at, start, end in rules:
        if abs(at - bottom) > EDGE_PT:
            continue
        under = [c for c in range(grid.columns) if min(end, grid.xs[c + 1]) - max(start, grid.xs[c]) >= COVERED_SHARE * (grid.xs[c + 1] - grid.xs[c])]
        if not 2 <= len(under) < grid.columns:
            continue
        headings = _side_by_side(lines, start - CROSS_PT, end + CROSS_PT)
        if not headings:
            continue
        owner = [min(headings, key=lambda h: abs(h - (grid.xs[c] + grid.xs[c + 1]) / 2)) for c in under]
        for c, left, right in zip(under[1:], owner, owner[1:], strict=False):
            grid.along[row][c] = left != right
        grid.along[row][under[0]] = grid.along[row][under[-1] + 1] = True


def _side_by_side(lines: Sequence[Line], x0: float, x1: float) -> list[float]:
    """The middles of the texts between two x, texts above each other being one."""
    spans: list[list[float]] = []
    for chunk in sorted((c for line in lines for c in chunks_of(line) if x0 <= (c.x0 + c.x1) / 2 <= x1), key=lambda c: c.x0):
        if spans and chunk.x0 < spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], chunk.x1)
        else:
            spans.append([chunk.x0, chunk.x1])
    return [(a + b) / 2 for a, b in spans]
