"""Whether the columns of two fragments are the same columns, by the x positions of their edges.

Pages shift (odd and even margins) and scans scale, so the edges are compared after an affine fit; a page may lack a column that is empty on
it, so a fragment of fewer columns may fit into one of more. An edge that no rule draws lies anywhere in the gap between two columns, and the gap is
another one where the longest cell is another one: there columns are the same that mostly cover each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import median

from streams.assemble.tables.grid import DRAWN

SAME = 0.008
"""Largest deviation of an edge, as a share of the table's width, that is drawing and rounding: edges agree wholly."""
DIFFERENT = 0.04
"""From here on edges do not agree at all: half the width of a narrow column."""
MATCH = 0.015
"""Largest distance, as a share of the table's width, at which an edge of a fragment of fewer columns is an edge of the wider one."""
SCALES = (0.8, 1.25)
"""The same table printed on the next page is not larger or smaller than this."""
COVERED = (0.45, 0.85)
"""Shares of the narrower of two columns inside the other one: from none to all of the agreement of columns that no rule draws."""
UNDRAWN = 0.85
"""The most that columns agree which no rule draws."""
MISSED = 0.8
"""The most that columns agree of which one is missed."""
MAX_UNDRAWN_COLUMNS = 20
"""Columns of a table that no rule draws, up to which each choice of missed ones is tried: 190 at most."""
ENOUGH_EDGES = 3
"""Inner edges from which their common shift is known; fewer agree with anything once they may be shifted."""
UNKNOWN = {1: 0.0, 2: 0.3}
COUNTED = 0.5
"""How far columns agree of which only the number is known (a model gives no edges), by their number; from three on `COUNTED`."""
MAX_MISSED_COLUMNS = 2
"""Columns that may be empty on one page so that its grid lacks them."""


@dataclass(frozen=True, slots=True)
class ColumnFit:
    """How fragments fit: `agreement` 0..1; `known`: by edges. Bounds say how the narrower one spreads over the wider."""

    agreement: float
    known: bool = True
    upper_bounds: list[int] | None = None
    lower_bounds: list[int] | None = None


PLACED = ColumnFit(0.6, known=False)
"""Of rows whose few texts were found to stand in the columns: more than their number says, less than edges would."""


def fit_columns(upper_columns: int, upper: Sequence[float], lower_columns: int, lower: Sequence[float], ruled: float = 1.0) -> ColumnFit | None:
    """How the columns of the lower fragment fit those of the upper one; None where they are other columns.

    Edges are in points, one more than columns, or empty where they are not known. `ruled` is the smaller share 0..1 of drawn borders of both.
    """
    if upper_columns == lower_columns:
        if not upper or not lower:
            return ColumnFit(UNKNOWN.get(upper_columns, COUNTED), known=False)
        drawn = _agreement(upper, lower)
        return ColumnFit(drawn if drawn >= UNDRAWN or ruled >= DRAWN else max(drawn, UNDRAWN * _coverage(upper, lower, range(upper_columns))))
    narrow, wide = sorted((upper_columns, lower_columns))
    if not upper or not lower or narrow < 2 or wide - narrow > MAX_MISSED_COLUMNS or narrow * 5 < wide * 3:
        return None
    is_upper_wide = upper_columns > lower_columns
    agreement, bounds = MISSED, _bounds(upper, lower) if is_upper_wide else _bounds(lower, upper)
    if bounds is None and ruled < DRAWN and wide <= MAX_UNDRAWN_COLUMNS:
        agreement, bounds = _undrawn_bounds(upper, lower) if is_upper_wide else _undrawn_bounds(lower, upper)
        agreement *= MISSED
    if bounds is None or agreement <= 0.0:
        return None
    return ColumnFit(agreement, lower_bounds=bounds) if is_upper_wide else ColumnFit(agreement, upper_bounds=bounds)


def fit_below_row(row: Sequence[int], upper: Sequence[float], lower: Sequence[float], ruled: float) -> ColumnFit | None:
    """How a fragment fits whose columns are the cells of the last row above it, some of which span columns, as in the sections of a form; None where
    they are others, or where not all is drawn. `row` holds the columns at which these cells begin, and the end; else as for `fit_columns`.
    """
    if ruled < DRAWN or len(row) != len(lower) or len(row) <= 2:
        return None
    bounds = _bounds(upper, lower)
    return ColumnFit(MISSED, lower_bounds=bounds) if bounds == list(row) else None


def _agreement(a: Sequence[float], b: Sequence[float]) -> float:
    """1 where all edges lie on each other after the best affine map of `b` onto `a`, 0 where one is clearly elsewhere."""
    width = a[-1] - a[0]
    n = len(a)
    mean_a, mean_b = sum(a) / n, sum(b) / n
    spread_b = sum((y - mean_b) ** 2 for y in b)
    if width <= 0 or spread_b <= 0:
        return 0.0
    scale = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True)) / spread_b
    if not SCALES[0] <= scale <= SCALES[1]:
        return 0.0
    worst = max(abs(x - mean_a - scale * (y - mean_b)) for x, y in zip(a, b, strict=True)) / width
    return min(1.0, max(0.0, (DIFFERENT - worst) / (DIFFERENT - SAME)))


def _coverage(a: Sequence[float], b: Sequence[float], kept: Sequence[int]) -> float:
    """1 where each column of `b` is inside its column of `a`, or around it, 0 where one is mostly beside; after the best shift.

    `kept[j]` is the column of `a` that is column `j` of `b`. The outermost edges are those of rules or of text, as it happens, and say nothing.
    """
    inner = [x - y for x, y in zip(_shared_edges(a, kept), b[1:-1], strict=True)]
    shifts = [0.0, a[0] - b[0], a[-1] - b[-1]]
    if len(inner) >= ENOUGH_EDGES:
        shifts.append(median(inner))
    best = 0.0
    for shift in shifts:
        moved = [min(a[0], b[0] + shift), *(y + shift for y in b[1:-1]), max(a[-1], b[-1] + shift)]
        shares = [_share((a[i], a[i + 1]), (moved[j], moved[j + 1])) for j, i in enumerate(kept)]
        best = max(best, min(shares))
    return min(1.0, max(0.0, (best - COVERED[0]) / (COVERED[1] - COVERED[0])))


def _shared_edges(a: Sequence[float], kept: Sequence[int]) -> list[float]:
    """Of `a`, about where the edges between the kept columns lie: in the middle of what is left out between two."""
    return [(a[left + 1] + a[right]) / 2 for left, right in pairwise(kept)]


def _share(one: tuple[float, float], other: tuple[float, float]) -> float:
    narrower = min(one[1] - one[0], other[1] - other[0])
    return (min(one[1], other[1]) - max(one[0], other[0])) / narrower if narrower > 0 else 0.0


def _undrawn_bounds(wide: Sequence[float], narrow: Sequence[float]) -> tuple[float, list[int]]:
    """The best place for the columns of a fragment that lacks empty ones, no rule showing them: agreement and bounds as in `ColumnFit`."""
    columns = range(len(wide) - 1)
    fits = ((_coverage(wide, narrow, kept), kept) for kept in combinations(columns, len(narrow) - 1))
    agreement, best = max(fits, key=lambda fit: fit[0])
    return agreement, [*best, len(wide) - 1]


def _bounds(wide: Sequence[float], narrow: Sequence[float]) -> list[int] | None:
    """For every edge of the narrow fragment its edge in the wide one: as they stand, or shifted so that one side agrees."""
    width = wide[-1] - wide[0]
    if width <= 0:
        return None
    for shift in (0.0, wide[0] - narrow[0], wide[-1] - narrow[-1]):
        bounds = []
        for edge in narrow:
            nearest = min(range(len(wide)), key=lambda i: abs(wide[i] - edge - shift))
            if abs(wide[nearest] - edge - shift) > MATCH * width:
                break
            bounds.append(nearest)
        if len(bounds) == len(narrow) and all(x < y for x, y in pairwise(bounds)):
            return bounds
    return None
