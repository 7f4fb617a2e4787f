"""Reading order of boxes: a recursive cut of the page into columns, and rows where there are none. Knows boxes only, never text.

The method is the XY-cut (Nagy and Seth 1984) turned around: white space between columns (a gutter) is searched first, and boxes that cross a
gutter (a title, a full-width figure) split the flow into bands above and below them. Inside a band the left column is read wholly before
the right one. What has no gutter is read row by row. Guarantees: every index comes out exactly once; the order depends on the boxes
alone, not on the order they come in; no input raises (empty, inverted and infinite boxes are legal); at most about n log n steps a level.

Boxes are the lines of a page, or fragments of lines, besides figures and tables as one box each.
"""

import math
from collections.abc import Sequence
from functools import cache
from operator import itemgetter

from msgspec import Struct

from schemas.cell_rows import Piece, with_their_rows, without_cell_rows
from schemas.columns import (
    LEAST_FILLED,
    Item,
    are_columns,
    continue_columns,
    ends_crossing,
    filled_share,
    median,
    shared_height,
    stretches_right_of,
)  # fmt: skip
from schemas.geometry import BBox

MAX_BOXES = 6_000
"""More boxes than any printed page has are read row by row: columns of such a page are not worth seconds of a worker."""
MAX_DEPTH = 12
"""Nested columns of real pages end at three or four; hostile input must not recurse further."""
MAX_CANDIDATES = 10
"""Gutters tried in one region, the emptiest and widest first."""
LEVELS = (0.0, 0.08, 0.2, 0.4, 0.65)
"""How much of the densest column of ink may cross a gutter: a full-width table of half a page still leaves columns beside it."""
MAX_EDGE_BOXES, MAX_EDGE_HEIGHT, MAX_HEAD_HEIGHT = 10, 5.0, 8.0
"""Boxes, and height in line heights, of what may be a running head of a few rows; and of one with a line so `LARGE`, the masthead of a gazette."""
LARGE = 1.5
SMALLER = 0.96
"""Height of a running head in line heights, where its size tells it from a heading."""
WORD_GAP = 0.4
"""Widest space between pieces of one line, in heights: a change of font cuts lines, a gutter is wider."""
TALL, WIDE = 5.0, 0.85
"""Height in line heights, and share of the region's width, of a table or a figure over all columns."""
MIN_GUTTER = 0.55
"""Narrowest gutter in line heights. Word gaps of justified text are not between boxes; real gutters have 0.8 and more."""

_FROM_TOP = itemgetter(1, 0, 3, 2)
_Band = tuple[list[Item], list[Item]]


class Region(Struct, frozen=True):
    """A run of boxes that is read from top to bottom: indexes in reading order, grouped in rows, and the x extent of its text column."""

    rows: tuple[tuple[int, ...], ...]
    column: tuple[float, float]


class _Cut(Struct, frozen=True):
    """A gutter over a region, as bands from top to bottom: (left, right) where it separates columns, (members, []) elsewhere."""

    bands: list[_Band]
    shared_height: float


def order_boxes(boxes: Sequence[BBox], *, right_to_left: bool = False) -> list[int]:
    """Indexes of `boxes` in reading order. `right_to_left` reads columns and rows from the right."""
    return [index for region in find_regions(boxes, right_to_left=right_to_left) for row in region.rows for index in row]


def find_regions(boxes: Sequence[BBox], *, right_to_left: bool = False) -> list[Region]:
    """The regions of a page in reading order; each box is in exactly one of them. See `order_boxes`."""
    pieces = sorted(_finite(box, index, right_to_left) for index, box in enumerate(boxes))
    if not pieces:
        return []
    scale = median([item[3] - item[1] for item in pieces]) or 1.0
    found: list[Region] = []
    if len(pieces) > MAX_BOXES:
        pieces.sort(key=_from_top)
        return [_region(pieces, right_to_left)]
    lines, members = _whole_lines(pieces)
    _split(lines, scale, 0, right_to_left, found, (True, True))
    return [Region(tuple(tuple(i for line in row for i in members[line]) for row in region.rows), region.column) for region in found]


def _whole_lines(pieces: list[Item]) -> tuple[list[Item], list[list[int]]]:
    """Pieces of one line that a word space sets apart as one box, so that half a title never stands in a column.

    `pieces` are sorted from left to right. Returns boxes from top to bottom, numbered anew, and the indexes of the pieces of each.
    """
    open_ends: dict[tuple[int, int], int] = {}
    lines: list[list[Item]] = []
    for piece in pieces:
        x0, y0, _, y1, _ = piece
        height = y1 - y0
        key = round(y0 / 2), round(y1 / 2)
        line = open_ends.get(key)
        if line is not None and height > 0 and -0.12 * height < x0 - lines[line][-1][2] <= WORD_GAP * height:
            lines[line].append(piece)
        else:
            line = len(lines)
            lines.append([piece])
        open_ends[key] = line
    whole = [
        (*line[0][:4], line)
        if len(line) == 1
        else (line[0][0], min([i[1] for i in line]), max([i[2] for i in line]), max([i[3] for i in line]), line)
        for line in lines
    ]
    if len({w[:4] for w in whole}) == len(whole):
        whole.sort(key=_FROM_TOP)
    else:  # By their pieces where their boxes are one: which came in first must not decide.
        whole.sort(key=lambda w: (w[1], w[0], w[3], w[2], [i[:4] for i in w[4]]))
    return [(x0, y0, x1, y1, number) for number, (x0, y0, x1, y1, _) in enumerate(whole)], [[i[4] for i in w[4]] for w in whole]


def _finite(box: BBox, index: int, mirrored: bool) -> Item:
    """A box that can be computed with. Right-to-left pages are mirrored, so that everything below reads left to right."""
    x0, y0, x1, y1 = box
    if not math.isfinite(x0 + y0 + x1 + y1):
        x0, y0, x1, y1 = (value if math.isfinite(value) else 0.0 for value in box)
    if mirrored:
        x0, x1 = -x1, -x0
    if x0 <= x1 and y0 <= y1:
        return x0, y0, x1, y1, index
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), index


def _region(items: list[Item], mirrored: bool) -> Region:
    x0, x1 = min(item[0] for item in items), max(item[2] for item in items)
    rows = tuple(tuple(item[4] for item in row) for row in _rows(items))
    return Region(rows, (-x1, -x0) if mirrored else (x0, x1))


def _rows(items: list[Item]) -> list[list[Item]]:
    """Rows of boxes from top to bottom, each from left to right. A box joins a row when it shares most of its height with the row's core.

    The core is the row's first box in order of middle lines; a tall box (a drop capital, a brace) never pulls rows together.
    """
    rows: list[list[Item]] = []
    top = bottom = -math.inf
    for item in sorted(items, key=lambda item: (item[1] + item[3], item[0], item)):
        shared = min(bottom, item[3]) - max(top, item[1])
        height, core = item[3] - item[1], bottom - top
        alike = shared > 0.5 * min(height, core) and max(height, core) < 3 * max(min(height, core), 0.1)
        if rows and (alike or (height == 0 and top <= item[1] <= bottom)):
            rows[-1].append(item)
        else:
            rows.append([item])
            top, bottom = item[1], item[3]
    for row in rows:
        row.sort(key=lambda item: (item[0], item[2], item[1], item[3]))
    return rows


def _split(items: list[Item], scale: float, depth: int, mirrored: bool, found: list[Region], edges: tuple[bool, bool]) -> None:
    """Appends the regions of `items`, which are sorted from top to bottom. `edges`: whether they hold the top and the bottom of the page."""
    cut = _best_cut(items, scale) if depth < MAX_DEPTH and len(items) > 3 else None
    if cut is None:
        found.append(_region(items, mirrored))
        return
    bands = _without_edges(cut.bands, scale, edges)
    for index, (left, right) in enumerate(bands):
        if right:
            _split(left, scale, depth + 1, mirrored, found, (False, False))
            _split(right, scale, depth + 1, mirrored, found, (False, False))
        else:
            whole = edges[0] and index == 0, edges[1] and index == len(bands) - 1
            _split(left, scale, depth + 1, mirrored, found, whole)


def _best_cut(items: list[Item], scale: float) -> _Cut | None:
    return _widest_cut(items, _gutters(items, scale), scale, prose=False) or _cut_under_wide(items, scale)


def _cut_under_wide(items: list[Item], scale: float) -> _Cut | None:
    """Columns of prose above or below what is so tall, and as wide as they are together, that it hides their gutter from the projection."""
    extent = max(item[2] for item in items) - min(item[0] for item in items)
    narrow = [item for item in items if item[3] - item[1] <= TALL * scale or item[2] - item[0] <= WIDE * extent]
    return _widest_cut(items, _gutters(narrow, scale), scale, prose=True) if 3 < len(narrow) < len(items) else None


def _widest_cut(items: list[Item], gutters: list[tuple[float, float]], scale: float, *, prose: bool) -> _Cut | None:
    """The cut with the tallest columns at one of the gutters; with `prose` only where lines fill the columns on both sides."""
    best: _Cut | None = None
    chosen = (0.0, 0.0)
    for gutter in gutters:
        cut = _cut_at(items, gutter, scale)
        if cut is None or (prose and not all(min(filled_share(side, scale) for side in band) >= LEAST_FILLED for band in cut.bands if band[1])):
            continue
        if best is None or cut.shared_height > best.shared_height:
            best, chosen = cut, gutter
    return best and _cut_at(items, chosen, scale, keep_rows=True)


def _gutters(items: list[Item], scale: float) -> list[tuple[float, float]]:
    """Valleys (x0, x1) of the ink projected on the x axis, emptiest and widest first."""
    events: list[tuple[float, float]] = []
    for x0, y0, x1, y1, _ in items:
        shrink = min(0.15 * scale, 0.2 * (x1 - x0))  # boxes of neighbouring columns may touch or overlap a little
        events.append((x0 + shrink, y1 - y0))
        events.append((x1 - shrink, y0 - y1))
    events.sort()
    steps: list[tuple[float, float]] = []
    ink = 0.0
    for x, change in events:
        ink += change
        if steps and steps[-1][0] == x:
            steps[-1] = (x, ink)
        else:
            steps.append((x, ink))
    densest = max(step[1] for step in steps)
    found: dict[tuple[float, float], None] = {}
    for level in LEVELS:
        start: float | None = None
        for x, ink in steps[:-1]:
            if ink <= level * densest + 0.01:
                start = x if start is None else start
            else:
                if start is not None and x - start >= MIN_GUTTER * scale and start > steps[0][0]:
                    found.setdefault((start, x))
                start = None
    candidates = list(found)
    return candidates if len(candidates) <= MAX_CANDIDATES else sorted(candidates, key=lambda g: g[0] - g[1])[:MAX_CANDIDATES]


def _cut_at(items: list[Item], gutter: tuple[float, float], scale: float, *, keep_rows: bool = False) -> _Cut | None:
    """Cuts a region at a gutter; None where the gutter separates no columns. `keep_rows`: rows of cells among columns of prose stay whole."""
    middle, tolerance = (gutter[0] + gutter[1]) / 2, 0.25 * scale
    over = [item for item in items if item[0] < gutter[0] - tolerance and item[2] > gutter[1] + tolerance]
    across = with_their_rows(over, items, gutter, scale) if keep_rows and over else {item[4] for item in over}
    beside = cache(lambda: stretches_right_of(items, gutter[0]))
    pieces: list[Piece] = []  # from top to bottom: left, right, then what crosses below them
    left: list[Item] = []
    right: list[Item] = []
    crossing: list[Item] = []
    for item in items:
        if item[4] in across or (len(crossing) > 1 and ends_crossing(item, crossing, beside, gutter, scale)):
            crossing.append(item)
            continue
        if crossing:
            pieces.append((left, right, crossing))
            left, right, crossing = [], [], []
        (left if (item[0] + item[2]) / 2 < middle else right).append(item)
    pieces.append((left, right, crossing))
    if keep_rows:
        pieces = without_cell_rows(pieces, scale)
    accepted = [are_columns(left, right, scale) for left, right, _ in pieces]
    height = sum(shared_height(piece[0], piece[1]) for piece, columns in zip(pieces, accepted, strict=True) if columns)
    if not height:
        return None
    proven = [[piece[side] for piece, columns in zip(pieces, accepted, strict=True) if columns] for side in (0, 1)]
    bands: list[_Band] = []
    for (left, right, crossing), columns in zip(pieces, accepted, strict=True):
        if columns or continue_columns(left, right, proven, scale):
            tail, rest = _peel((left, right), scale, bottom=True, one_side=2.0, both_sides=math.inf) if crossing else ([], [(left, right)])
            bands += [*rest, ([*(tail[0][0] if tail else []), *crossing], [])]
        elif bands and not bands[-1][1]:
            bands[-1] = ([*bands[-1][0], *left, *right, *crossing], [])
        else:
            bands.append(([*left, *right, *crossing], []))
    return _Cut([(sorted(a, key=_from_top), b) for a, b in bands if a], height)


def _from_top(item: Item) -> tuple[float, float, float, float]:
    return item[1], item[0], item[3], item[2]


def _without_edges(bands: list[_Band], scale: float, edges: tuple[bool, bool]) -> list[_Band]:
    """Takes running heads above, and page numbers below, out of the columns they happen to stand over.

    Up to three rows with clear space towards the columns are such. Rows on both sides need more space than rows over one column, since
    columns may both begin with a heading.
    """
    if edges[0] and bands[0][1]:
        head, rest = _peel(bands[0], scale, bottom=False, one_side=1.2, both_sides=1.8)
        bands = [*head, *rest, *bands[1:]]
    if edges[1] and bands[-1][1]:
        foot, rest = _peel(bands[-1], scale, bottom=True, one_side=1.8, both_sides=1.8)
        bands = [*bands[:-1], *rest, *foot]
    return bands


def _peel(band: _Band, scale: float, *, bottom: bool, one_side: float, both_sides: float) -> tuple[list[_Band], list[_Band]]:
    """(edge bands, remaining bands): the outermost rows of a band of columns, if clear space of so many line heights sets them off."""
    left, right = {item[4] for item in band[0]}, {item[4] for item in band[1]}
    outermost = sorted(band[0] + band[1], key=(lambda i: (-i[3], i[0], i[1], i[2])) if bottom else _from_top)
    edge = inner = 0.0
    tallest = MAX_EDGE_HEIGHT * scale
    for count, item in enumerate(outermost[:MAX_EDGE_BOXES]):
        gap = inner - item[3] if bottom else item[1] - inner
        if count and gap >= one_side * scale:
            row = outermost[:count]
            both = any(i[4] in left for i in row) and any(i[4] in right for i in row)
            small = abs(inner - edge) < scale and all(i[3] - i[1] < SMALLER * scale for i in row)  # a heading is no smaller than its text
            if gap >= (one_side if not both or small else both_sides) * scale and (small or not bottom or abs(inner - edge) < 1.6 * scale):
                taken = {i[4] for i in row}
                sides = [i for i in band[0] if i[4] not in taken], [i for i in band[1] if i[4] not in taken]
                remaining: _Band = sides if sides[0] and sides[1] else (sides[0] or sides[1], [])
                return [(sorted(row, key=_from_top), [])], [remaining]
        if not count:
            edge, inner = (item[3], item[1]) if bottom else (item[1], item[3])
        inner = min(inner, item[1]) if bottom else max(inner, item[3])
        if not bottom and LARGE * scale < item[3] - item[1] < TALL * scale:
            tallest = MAX_HEAD_HEIGHT * scale
        if abs(inner - edge) > tallest:
            break
    return [], [band]
