"""Which cells of a table's last row are full to their end, so that their text may run on below a page break."""

from collections.abc import Sequence

from streams.read.characters.right_to_left import RIGHT_TO_LEFT
from streams.read.tables.grid import Grid, Place
from streams.read.tables.lines import Word, is_value, text_lines

END_HEIGHTS = 1.1
"""A line reaches the end of its cell if less room than this many line heights is left beside the cell's usual margin: a character of a script
without spaces, or a short word."""
MIN_LETTERS = 4
"""Shorter texts fill a cell only because it is narrow."""


def full_cells(grid: Grid, cells: Sequence[Place], members: Sequence[Sequence[Word]]) -> tuple[int, ...]:
    """The columns of the last row whose last line of text reaches the end of its cell: its right end, or the left one of right-to-left text."""
    found = []
    for place, words in zip(cells, members, strict=True):
        if place.row + place.row_span < grid.rows or not words:
            continue
        lines = text_lines(words)
        if not lines or is_value(lines[-1].words[-1][4]) or sum(len(w[4]) for w in lines[-1].words) < MIN_LETTERS:
            continue
        left, right = grid.xs[place.column], grid.xs[place.column + place.column_span]
        x0, x1 = min(w[0] for w in words), max(w[2] for w in words)
        last = lines[-1]
        start, end = last.words[0][0], max(w[2] for w in last.words)
        to_left = RIGHT_TO_LEFT.search(last.words[-1][4]) is not None
        # An indent is no margin: what stands further in than a line is high tells nothing of the cell's other side.
        margin = min(last.height, max(0.0, right - x1 if to_left else x0 - left))
        room = start - left if to_left else right - end
        if room - margin <= END_HEIGHTS * last.height:
            found.append(place.column)
    return tuple(sorted(found))
