"""Rows and columns of a drawn grid that are none: too thin for text, or beyond the last border because a rule overhangs it.

Looks at a grid as drawn and at where its words stand; changes the grid in place.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from streams.read.tables.grid import Grid, drop_column_edge, drop_row_edge
from streams.read.tables.lines import Word

MIN_BAND_PT = 5.0
"""Rows and columns thinner than this hold no text: the room between double rules."""
THIN_SHARE = 0.75
"""Nor do rows that are lower than this share of the height of the words around them: bars of colour between rows."""

OVERHANG_PT = 20.0
"""Rules run over the last border of a table by less than this; the narrowest column of two digits with its margins is as wide."""


def drop_thin(grid: Grid, words: Sequence[Word]) -> None:
    """Joins empty rows and columns too thin for text with their neighbour, and empty outermost columns that nothing closes."""
    low_pt = max(MIN_BAND_PT, THIN_SHARE * median([min(w[3] - w[1], w[2] - w[0]) for w in words] or [0.0]))
    # Bands only grow here: where none is low, there is nothing to look for.
    if min([high - low for low, high in pairwise(grid.ys)], default=low_pt) < low_pt:
        middles = sorted([(w[1] + w[3]) / 2 for w in words])
        for edge in range(grid.rows - 1, 0, -1):
            for low, high in ((edge, edge + 1), (edge - 1, edge)):
                if grid.ys[high] - grid.ys[low] < low_pt and not _has_between(middles, grid.ys[low], grid.ys[high]):
                    drop_row_edge(grid, edge)
                    break
    if min([right - left for left, right in pairwise(grid.xs)], default=OVERHANG_PT) < OVERHANG_PT:
        middles = sorted([(w[0] + w[2]) / 2 for w in words])
        for edge in range(grid.columns - 1, 0, -1):
            for low, high in ((edge, edge + 1), (edge - 1, edge)):
                is_thin = grid.xs[high] - grid.xs[low] < MIN_BAND_PT or _is_overhang(grid, low, high)
                if is_thin and not _has_between(middles, grid.xs[low], grid.xs[high]):
                    drop_column_edge(grid, edge)
                    break


def _has_between(middles: Sequence[float], low: float, high: float) -> bool:
    """Whether one of some sorted coordinates is between two others."""
    return bisect_right(middles, low) < bisect_left(middles, high)


def _is_overhang(grid: Grid, low: int, high: int) -> bool:
    """Whether a column is the first or last one, narrow, and nowhere closed at its outer side."""
    outer = 0 if low == 0 else high
    return outer in (0, grid.columns) and grid.xs[high] - grid.xs[low] < OVERHANG_PT and not any(row[outer] for row in grid.along)
