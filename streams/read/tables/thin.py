"""Rows and columns of a drawn grid that are none: too thin for text, or beyond the last border because a rule overhangs it.

Looks at a grid as drawn and at where its words stand; changes the grid in place.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import inf
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
    if _narrowest(grid.ys) < low_pt:
        middles = sorted([(w[1] + w[3]) / 2 for w in words])
        _drop(grid.ys, middles, lambda low, high: grid.ys[high] - grid.ys[low] < low_pt, partial(drop_row_edge, grid))
    if _narrowest(grid.xs) < OVERHANG_PT:
        _drop(grid.xs, sorted([(w[0] + w[2]) / 2 for w in words]), partial(_is_thin_column, grid), partial(drop_column_edge, grid))


def _narrowest(edges: Sequence[float]) -> float:
    """The width of the narrowest band between edges: bands only grow here, so where none is thin, none need be looked at."""
    return min([high - low for low, high in pairwise(edges)], default=inf)


def _drop(edges: Sequence[float], middles: Sequence[float], is_thin: Callable[[int, int], bool], drop: Callable[[int], None]) -> None:
    """Drops every inner edge with a thin band at a side that holds none of the words, whose sorted `middles` are given. `drop` changes `edges`."""
    for edge in range(len(edges) - 2, 0, -1):
        for low, high in ((edge, edge + 1), (edge - 1, edge)):
            if is_thin(low, high) and bisect_right(middles, edges[low]) >= bisect_left(middles, edges[high]):
                drop(edge)
                break


def _is_thin_column(grid: Grid, low: int, high: int) -> bool:
    return grid.xs[high] - grid.xs[low] < MIN_BAND_PT or _is_overhang(grid, low, high)


def _is_overhang(grid: Grid, low: int, high: int) -> bool:
    """Whether a column is the first or last one, narrow, and nowhere closed at its outer side."""
    outer = 0 if low == 0 else high
    return outer in (0, grid.columns) and grid.xs[high] - grid.xs[low] < OVERHANG_PT and not any(row[outer] for row in grid.along)
