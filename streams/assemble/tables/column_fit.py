"""Whether the columns of two fragments are the same columns, by the x positions of their edges.

Pages shift (odd and even margins) and scans scale, so the edges are compared after an affine fit; a page may lack a column that is empty on
it, so a fragment of fewer columns may fit into one of more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

SAME = 0.008
"""Largest deviation of an edge, as a share of the table's width, that is drawing and rounding: edges agree wholly."""
DIFFERENT = 0.04
"""From here on edges do not agree at all: half the width of a narrow column."""
MATCH = 0.015
"""Largest distance, as a share of the table's width, at which an edge of a fragment of fewer columns is an edge of the wider one."""
SCALES = (0.8, 1.25)
"""The same table printed on the next page is not larger or smaller than this."""
MAX_MISSED_COLUMNS = 2
"""Columns that may be empty on one page so that its grid lacks them."""


@dataclass(frozen=True, slots=True)
class ColumnFit:
    """How fragments fit: `agreement` 0..1, None where edges are not known. Bounds say how the narrower one spreads over the wider."""

    agreement: float | None
    upper_bounds: list[int] | None = None
    lower_bounds: list[int] | None = None


def fit_columns(upper_columns: int, upper: Sequence[float], lower_columns: int, lower: Sequence[float]) -> ColumnFit | None:
    """How the columns of the lower fragment fit those of the upper one; None where they are other columns.

    Edges are in points, one more than columns, or empty where they are not known.
    """
    if upper_columns == lower_columns:
        return ColumnFit(_agreement(upper, lower) if upper and lower else None)
    narrow, wide = sorted((upper_columns, lower_columns))
    if not upper or not lower or narrow < 2 or wide - narrow > MAX_MISSED_COLUMNS or narrow * 5 < wide * 3:
        return None
    if upper_columns > lower_columns:
        bounds = _bounds(upper, lower)
        return ColumnFit(0.8, lower_bounds=bounds) if bounds else None
    bounds = _bounds(lower, upper)
    return ColumnFit(0.8, upper_bounds=bounds) if bounds else None


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
