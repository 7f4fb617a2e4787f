"""Rows of cells among columns of prose, told by their boxes alone: a table that nobody recognised must not be read column by column with them.

Everything is measured in line heights (`scale`). Total: no boxes raise. See `reading_order`, which keeps such rows out of the columns that it cuts.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from schemas.columns import ALIGNED, Item, filled_share

MIN_ROWS = 3
"""Rows of cells that follow each other, fewer stand side by side by chance."""
MIN_CELLS = 3
"""Boxes of a row; two are two lines of prose, or a label and its value, which columns tell apart."""
NARROW = 0.6
"""Width of a cell at most, over that of the column of text that it stands in: lines of prose are wider, but for the last of a paragraph."""
SAME_EDGE = 0.6
"""Line heights within which cells of one column begin, or end."""
MOSTLY = 0.6
"""Share of the rows in which a column of cells must be filled."""
FILLED = 0.45
"""Mean share of filled lines from which columns hold prose: those of a newspaper have 0.6 and more, cells of chance lengths 0.1."""

Piece = tuple[list[Item], list[Item], list[Item]]
"""What stands left and right of a gutter, and the boxes below that cross it."""


def without_cell_rows(pieces: Sequence[Piece], scale: float) -> list[Piece]:
    """Pieces from top to bottom, cut where rows of cells stand above, between or below their columns: the rows are then among what crosses."""
    found: list[Piece] = []
    for piece in pieces:
        above = bool(found) and _holds_row(found[-1][2], scale)
        found += _cut(piece, scale, (above, _holds_row(piece[2], scale)))
    return found


def _holds_row(crossing: Sequence[Item], scale: float) -> bool:
    """Whether there are boxes side by side among those that cross."""
    return any(len(row) >= MIN_CELLS for row in _rows([(item, 0) for item in crossing], scale))


def _cut(piece: Piece, scale: float, next_to_row: tuple[bool, bool]) -> list[Piece]:
    """A piece cut; `next_to_row`: whether a row of cells is known right above and right below it, which a single row then belongs to."""
    left, right, crossing = piece
    if not left or not right or len(left) + len(right) < MIN_CELLS:
        return [piece]
    widths = [max(item[2] for item in side) - min(item[0] for item in side) for side in (left, right)]
    rows = _rows([(item, side) for side, items in enumerate((left, right)) for item in items], scale)
    found: list[Piece] = []
    sides: tuple[list[Item], list[Item]] = ([], [])
    place = 0
    while place < len(rows):
        end = place
        while end < len(rows) and _is_cells(rows[end], widths):
            end += 1
        known = (place == 0 and next_to_row[0]) or (end == len(rows) and next_to_row[1])
        if end - place >= (1 if known else MIN_ROWS) and _are_cells(rows[place:end], scale):
            found.append((sides[0], sides[1], [item for row in rows[place:end] for item, _ in row]))
            sides = ([], [])
        else:
            end = max(end, place + 1)
            for item, side in (entry for row in rows[place:end] for entry in row):
                sides[side].append(item)
        place = end
    return [*found, (sides[0], sides[1], crossing)] if found else [piece]


def with_their_rows(crossing: Sequence[Item], items: Sequence[Item], gutter: tuple[float, float], scale: float) -> set[int]:
    """The numbers of boxes that cross a gutter, and of the narrow ones in a row with one of those, on both sides of it: cells of one table row."""
    numbers = {item[4] for item in crossing}
    lines = [(item[1] + item[3]) / 2 for item in crossing if item[3] - item[1] < 2 * scale]
    width = max(item[2] for item in items) - min(item[0] for item in items) if items else 0.0
    narrow = sorted([((item[1] + item[3]) / 2, item) for item in items if item[2] - item[0] < width / 3])
    reach = ALIGNED * scale
    for middle in lines:
        near = narrow[bisect_left(narrow, (middle - 2 * reach,)) : bisect_right(narrow, (middle + 2 * reach, (math.inf,)))]
        mates = [item for place, item in near if item[4] not in numbers and abs(place - middle) <= reach]
        if any(item[2] <= gutter[1] for item in mates) and any(item[0] >= gutter[0] for item in mates):
            numbers.update(item[4] for item in mates)
    return numbers


def _rows(items: list[tuple[Item, int]], scale: float) -> list[list[tuple[Item, int]]]:
    """Boxes with the side they are on, in rows from top to bottom by their middle lines."""
    rows: list[list[tuple[Item, int]]] = []
    last = 0.0
    for item, side in sorted(items, key=lambda entry: (entry[0][1] + entry[0][3], entry[0])):
        middle = (item[1] + item[3]) / 2
        if rows and middle - last <= ALIGNED * scale:
            rows[-1].append((item, side))
        else:
            rows.append([(item, side)])
            last = middle
    return rows


def _is_cells(row: Sequence[tuple[Item, int]], widths: Sequence[float]) -> bool:
    """Whether a row may be one of cells: several narrow boxes on both sides of the gutter."""
    return len(row) >= MIN_CELLS and len({side for _, side in row}) == 2 and all(item[2] - item[0] <= NARROW * widths[side] for item, side in row)


def _are_cells(rows: Sequence[Sequence[tuple[Item, int]]], scale: float) -> bool:
    """Whether the boxes of rows stand under each other in three columns or more, most of which hold no prose, as those of a newspaper do."""
    columns = _columns_of(rows, scale)
    long = [column for column in columns if len(column) >= MOSTLY * len(rows)]
    return len(long) >= MIN_CELLS and sum(filled_share(column, scale) for column in long) < FILLED * len(long)


def _columns_of(rows: Sequence[Sequence[tuple[Item, int]]], scale: float) -> list[list[Item]]:
    """The boxes of rows by column: each under the first column whose last box it stands under."""
    columns: list[list[Item]] = []
    reach = max(1.01 * SAME_EDGE * scale, 1e-6)
    edges: dict[tuple[int, float], set[int]] = {}  # by edge (0 or 2) and its place in steps of the reach, the columns whose last box has it there
    for entries in rows:
        for item, _ in entries:
            places = [(edge, item[edge] // reach) for edge in (0, 2)]
            near = {number for edge, place in places for step in (-1, 0, 1) for number in edges.get((edge, place + step), ())}
            mine = min((number for number in near if _stands_under(item, columns[number][-1], scale)), default=len(columns))
            if mine == len(columns):
                columns.append([])
            else:
                above = columns[mine][-1]
                for edge in (0, 2):
                    edges[edge, above[edge] // reach].discard(mine)
            columns[mine].append(item)
            for place_of_edge in places:
                edges.setdefault(place_of_edge, set()).add(mine)
    return columns


def _stands_under(item: Item, above: Item, scale: float) -> bool:
    return abs(item[0] - above[0]) <= SAME_EDGE * scale or abs(item[2] - above[2]) <= SAME_EDGE * scale
