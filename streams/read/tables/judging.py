"""Whether a filled grid is a table at all, and how sure that is.

Precision first: a form, a chart with its grid lines, a legend or a box around a paragraph has rulings too. What tells a table from them is
that rows hold texts side by side, that the same column edges hold for most rows, and that a cell holds one text.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import and_

from streams.read.tables.grid import Grid, Place
from streams.read.tables.lines import CURRENCIES, Word, is_number, is_value


@dataclass(frozen=True, slots=True)
class Bar:
    """What a grid needs to be a table: the share of its cells with text, and of its rows with texts side by side."""

    filled: float
    side_by_side: float


BARS = (Bar(0.6, 0.6), Bar(0.45, 0.5), Bar(0.15, 0.0))
"""For grids hardly ruled, ruled in part, and ruled in full: the less is drawn, the more the text has to show. Of 163 real tables the emptiest
had 0.80, 0.75 and 0.38 of their cells filled; charts and forms had below 0.56, 0.40 and, regular ones, 0.17 with most rows empty."""
SPARSELY_RULED = 0.3
"""Below this share of drawn borders a grid is hardly ruled."""
FULLY_RULED = 0.9
REGULAR = 0.8
"""From these shares on, of drawn borders and of cells per place, a grid is ruled in full."""
REGULAR_WITH_HEADS, STEADY = 0.65, 0.95
"""With fewer cells per place it is so too where nearly all column edges separate in most rows, and most rows have texts side by side: headings
that span, and rows that one text runs through."""
MIN_ROWS_WITH_TEXT = 0.5
"""Share of the rows in which a text begins."""
MIN_REGULARITY, MIN_REGULARITY_IN_PART = 0.33, 0.6
"""Cells per place of the grid: below, boxes of all sizes that happen to touch. Of a grid ruled in part more: the boxes of a diagram stand on common
lines, and what is between them belongs to none; of 368 real tables none had less than 0.77."""
MIN_USED_EDGES = 0.75
"""Share of the column edges that must separate in half of the rows."""
MIN_STATEMENT_ROWS, MIN_STATEMENT_COLUMNS = 8, 4
LABELLED_ROWS, NUMBERS_SHARE = 0.75, 0.8
"""Rows and columns of a statement at least, the share of its rows with a label, and of the texts beside labels that are numbers."""
MIN_RULED_OF_TWO_ROWS = 0.6
"""Two rows are too few to tell a table from boxes or a legend by its text."""
MAX_EMPTY_HEIGHT = 0.4
"""Share of the height that empty rows may take: below a chart's legend the plot is an empty row."""
TORN_HEIGHTS = 1.5
"""A gap of this many word heights within a cell is a hole."""
HOLE_HEIGHTS = 4.0
"""Room of this many word heights that parts the texts of a cell all the way down is a hole, on whatever lines they stand."""
MAX_TORN_SHARE = 0.25
"""With holes in more of the filled cells the grid is not that of the text."""


def is_table(grid: Grid, cells: Sequence[Place], texts: Sequence[str], members: Sequence[Sequence[Word]], ruled: float) -> bool:
    """Whether the grid is that of a table: regular, rows of several texts, one text to a cell. Drawn borders excuse empty cells."""
    filled = [place for place, text in zip(cells, texts, strict=True) if text]
    by_row = Counter([place.row for place in filled])
    by_column = Counter([place.column for place in filled])
    if len(by_row) < max(2, MIN_ROWS_WITH_TEXT * grid.rows) or max(by_row.values()) < 2 or max(by_column.values()) < 2:
        return False
    regularity = len(cells) / (grid.rows * grid.columns)
    side_by_side = sum(1 for count in by_row.values() if count > 1)
    used = _used_edges(grid, cells)
    regular = regularity >= REGULAR or (regularity >= REGULAR_WITH_HEADS and used >= STEADY and 2 * side_by_side >= grid.rows)
    is_told = ruled >= SPARSELY_RULED or _is_statement(grid, filled, [text for text in texts if text])
    bar = BARS[-1] if ruled >= FULLY_RULED and regular else BARS[is_told]
    if (
        len(filled) < bar.filled * len(cells)
        or side_by_side < bar.side_by_side * grid.rows
        or regularity < (MIN_REGULARITY if ruled >= FULLY_RULED else MIN_REGULARITY_IN_PART)
    ):
        return False
    if grid.rows == 2 and ruled < MIN_RULED_OF_TWO_ROWS:
        return False
    held = {row for place in filled if place.row_span > 1 for row in range(place.row, place.row + place.row_span)}
    empty = sum([grid.ys[r + 1] - grid.ys[r] for r in range(grid.rows) if r not in by_row and r not in held])
    if empty > MAX_EMPTY_HEIGHT * (grid.ys[-1] - grid.ys[0]) and bar is not BARS[-1]:
        return False
    if 2 * sum([any(map(str.isalnum, text)) for text in texts]) < len(filled):
        return False  # leaders and ticks
    return used >= MIN_USED_EDGES and _torn(members, with_holes=ruled < FULLY_RULED) <= MAX_TORN_SHARE * len(filled)


def _is_statement(grid: Grid, filled: Sequence[Place], texts: Sequence[str]) -> bool:
    """Whether filled cells are labels at the left of nearly all rows, and else numbers mostly: what moves few of many accounts leaves cells empty."""
    if grid.rows < MIN_STATEMENT_ROWS or grid.columns < MIN_STATEMENT_COLUMNS:
        return False
    labels = {place.row for place, text in zip(filled, texts, strict=True) if place.column == 0 and text[0].isalpha()}
    beside = [text for place, text in zip(filled, texts, strict=True) if place.column and place.row in labels]
    return len(labels) >= LABELLED_ROWS * grid.rows and sum(1 for text in beside if is_number(text) or is_value(text)) >= NUMBERS_SHARE * len(beside)


def _used_edges(grid: Grid, cells: Sequence[Place]) -> float:
    """The share of the inner column edges that separate cells in at least half of the rows. In a form hardly two rows have the same."""
    used = [0] * (grid.columns + 1)
    for place in cells:
        used[place.column] += place.row_span
    return sum(1 for count in used[1 : grid.columns] if 2 * count >= grid.rows) / (grid.columns - 1)


def _torn(members: Sequence[Sequence[Word]], *, with_holes: bool) -> int:
    """The number of cells with a wide hole within a line: labels of an axis, boxes of a form, columns that were missed; or, `with_holes`, one that
    goes through all lines.
    """
    torn = 0
    for words in members:
        if len(words) < 2:
            continue
        reach = float("-inf")
        for a, b in pairwise(sorted(words)):
            high, reach = b[3] - b[1], max(reach, a[2])
            on_line = b[0] - a[2] > TORN_HEIGHTS * high and min(a[3], b[3]) - max(a[1], b[1]) > 0.5 * high
            if (on_line or (with_holes and b[0] - reach > HOLE_HEIGHTS * high)) and a[4] not in CURRENCIES:
                torn += 1
                break
    return torn


def ruled_share(grid: Grid, drawn: Grid) -> float:
    """The share of the cells' borders that is drawn."""
    flat = _drawn_of(grid.across, drawn.across)
    upright = _drawn_of(list(zip(*grid.along, strict=True)), list(zip(*drawn.along, strict=True)))
    return (flat[0] + upright[0]) / max(1, flat[1] + upright[1])


def _drawn_of(edges: Sequence[Sequence[bool]], drawn: Sequence[Sequence[bool]]) -> tuple[int, int]:
    """How many borders are drawn, of how many. The first and last edge of a grid are borders all along."""
    outer = sum(drawn[0]) + sum(drawn[-1])
    inner = sum([sum(map(and_, edge, line)) for edge, line in zip(edges[1:-1], drawn[1:-1], strict=True)])
    return outer + inner, 2 * len(edges[0]) + sum(map(sum, edges[1:-1]))


def confidence(grid: Grid, cells: Sequence[Place], members: Sequence[Sequence[Word]]) -> float:
    """0..1 from the share of words that stay within their cell, and from how regular the grid is."""
    outside = 0
    for place, words in zip(cells, members, strict=True):
        left, right = grid.xs[place.column] - 2.0, grid.xs[place.column + place.column_span] + 2.0
        for word in words:
            if word[0] < left or word[2] > right:
                outside += 1
    total = sum(map(len, members))
    inside = total - outside
    regular = len(cells) / (grid.rows * grid.columns)
    return round(max(0.0, min(1.0, (inside / max(1, total)) * (0.6 + 0.4 * min(1.0, regular / 0.8)))), 3)
