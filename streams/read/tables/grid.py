"""A grid of rows and columns and the borders between its places: what rulings say about a region, before any text is looked at.

Guarantees: every place of the grid belongs to exactly one cell; cells are rectangles; cells separated by drawn borders on all sides come
out exactly as drawn, whatever they span.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import ge

from msgspec import Struct

from schemas.geometry import BBox
from streams.read.tables.rulings import Segment

EDGE_PT = 3.0
"""Rulings at most this far apart are one edge: double rules, and cell boxes drawn with a gap between them."""
OUTER_PT = 8.0
"""Rulings that run this far over the outermost crossing ruling have an undrawn border at their end; less is overhang."""
COVERED_SHARE = 0.6
"""A border is drawn if rulings cover this share of it."""


@dataclass(slots=True)
class Grid:
    """Edges and borders. `across[r][c]` is the border above row r in column c (`across[rows]` the bottom), `along[r][c]` the one left of
    column c in row r (`along[r][columns]` the right end). True where a border separates, drawn or told by text.
    """

    xs: list[float]
    ys: list[float]
    across: list[list[bool]] = field(default_factory=list)
    along: list[list[bool]] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.ys) - 1

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.xs) - 1

    @property
    def box(self) -> BBox:
        """The box around the grid."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]


class Place(Struct, frozen=True, gc=False):
    """A cell by the grid places it covers."""

    row: int
    column: int
    row_span: int
    column_span: int


def edges(positions: Sequence[float], low: float, high: float) -> list[float]:
    """Distinct edges from ruling coordinates, with undrawn outer ones added where `low` and `high` lie clearly outside."""
    found: list[float] = []
    group: list[float] = []
    for position in sorted(positions):
        if group and position - group[0] > EDGE_PT:
            found.append(group[len(group) // 2])
            group = []
        group.append(position)
    if group:
        found.append(group[len(group) // 2])
    if not found or found[0] - low > OUTER_PT:
        found.insert(0, low)
    if high - found[-1] > OUTER_PT:
        found.append(high)
    return found


def draw(grid: Grid, horizontal: Sequence[Segment], vertical: Sequence[Segment]) -> None:
    """Marks the borders that rulings cover."""
    grid.across = _covered(grid.ys, grid.xs, horizontal)
    columns = _covered(grid.xs, grid.ys, vertical)
    grid.along = [list(row) for row in zip(*columns, strict=True)]


def _covered(at_edges: Sequence[float], along_edges: Sequence[float], segments: Sequence[Segment]) -> list[list[bool]]:
    """Per edge and per stretch between crossing edges, whether segments on that edge cover the stretch."""
    stretches = len(along_edges) - 1
    widths = [high - low for low, high in pairwise(along_edges)]
    lengths: list[list[float]] = [[0.0] * stretches for _ in at_edges]
    for at, start, end in segments:
        edge = nearest(at_edges, at)
        if not -EDGE_PT <= at_edges[edge] - at <= EDGE_PT:
            continue
        own = lengths[edge]
        first, last = bisect_right(along_edges, start), bisect_left(along_edges, end)
        if first > last - 1 or first == 0 or last > stretches:  # ends within one stretch, or outside of the grid
            for stretch in range(max(0, first - 1), min(last, stretches)):
                own[stretch] += min(along_edges[stretch + 1], end) - max(along_edges[stretch], start)
            continue
        own[first - 1] += along_edges[first] - start
        own[last - 1] += end - along_edges[last - 1]
        for stretch in range(first, last - 1):
            own[stretch] += widths[stretch]
    needed = [COVERED_SHARE * width for width in widths]
    return [list(map(ge, row, needed)) for row in lengths]


def nearest(positions: Sequence[float], at: float) -> int:
    """The index of the position nearest to a coordinate; positions are sorted and not empty."""
    index = bisect_left(positions, at)
    if index == len(positions) or (index > 0 and at - positions[index - 1] <= positions[index] - at):
        return max(0, index - 1)
    return index


def slot(positions: Sequence[float], at: float) -> int:
    """The index of the interval between positions that holds a coordinate, clamped to the first and last."""
    return bisect_left(positions, at, 1, len(positions) - 1) - 1


def drop_row_edge(grid: Grid, edge: int) -> None:
    """Joins the rows above and below an inner edge. The borders of the taller row stay."""
    upper_is_taller = grid.ys[edge] - grid.ys[edge - 1] >= grid.ys[edge + 1] - grid.ys[edge]
    del grid.ys[edge]
    del grid.across[edge]
    del grid.along[edge if upper_is_taller else edge - 1]


def drop_column_edge(grid: Grid, edge: int) -> None:
    """Joins the columns left and right of an inner edge. The borders of the wider column stay."""
    left_is_wider = grid.xs[edge] - grid.xs[edge - 1] >= grid.xs[edge + 1] - grid.xs[edge]
    del grid.xs[edge]
    for row in grid.along:
        del row[edge]
    for row in grid.across:
        del row[edge if left_is_wider else edge - 1]


def drop_unmarked_edges(grid: Grid) -> None:
    """Joins rows and columns that no border separates anywhere: what is left of rulings too short to be a border."""
    for edge in range(grid.columns - 1, 0, -1):
        if not any(row[edge] for row in grid.along):
            drop_column_edge(grid, edge)
    for edge in range(grid.rows - 1, 0, -1):
        if not any(grid.across[edge]):
            drop_row_edge(grid, edge)


def places(grid: Grid) -> list[Place]:
    """The cells: places joined where no border separates them, first along rows, then equal runs of rows down.

    Borders that leave a corner open would make cells that are no rectangles; such a cell is cut at the row.
    """
    found: list[Place] = []
    open_runs: dict[tuple[int, int], int] = {}
    each = [(column, column + 1) for column in range(grid.columns)]
    for row in range(grid.rows):
        left = grid.along[row]
        above = grid.across[row]
        if all(left[1:-1]) and all(above):  # as most rows are: what is above ends here, and every place is a cell
            found += _closed(open_runs, row)
            open_runs = dict.fromkeys(each, row)
            continue
        runs: dict[tuple[int, int], int] = {}
        start = 0
        for column in range(1, grid.columns + 1):
            if column < grid.columns and not left[column]:
                continue
            run = (start, column)
            top = open_runs.pop(run, None)
            if top is None or any(above[start:column]):
                if top is not None:
                    found.append(Place(top, start, row - top, column - start))
                top = row
            runs[run] = top
            start = column
        found += _closed(open_runs, row)
        open_runs = runs
    found += _closed(open_runs, grid.rows)
    columns = grid.columns
    found.sort(key=lambda place: place.row * columns + place.column)
    return found


def _closed(runs: Mapping[tuple[int, int], int], row: int) -> list[Place]:
    """The cells of runs of columns that end above a row; each with the row where it begins."""
    return [Place(top, start, row - top, end - start) for (start, end), top in runs.items()]
