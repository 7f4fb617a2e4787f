"""Boxes that are drawn around a part of a page's text: sidebars, cards, notes in a frame. Pure functions of drawings and boxes of text.

Promise: a panel holds whole lines, three or more, and cuts none; it is neither the page's frame nor a picture; panels do not overlap. What stands in
a panel is read together, wherever lines outside of it stand at the same height.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from schemas.content import Block
from schemas.geometry import BBox, area, contains_point, height, intersection_area, width
from streams.read.turning import Matrix, turn_box

MAX_PATHS = 4_000
"""Paths looked at; boxes around text are drawn before it, and a map has a hundred thousand paths."""
MAX_LINES, MAX_BOXES = 6_000, 300
"""Lines of a page on which panels are sought, and boxes that are compared with them, the largest first."""
MAX_PANELS = 60
LEAST_WIDTH_PT, LEAST_HEIGHT_PT = 90.0, 34.0
"""A panel holds three lines of a few words; smaller boxes are cells, buttons and marks."""
MOST_SHARE = 0.8
"""Of the page's area; a larger box is its frame or background."""
MOST_TEXT = 0.75
"""Share of the page's lines; a box around more of them groups nothing."""
LEAST_LINES = 3
MOST_RULED = 0.4
"""Share of drawn borders from which on a table is one whatever its cells look like."""
SIDES = 16
"""Parts of a path that may be a box with round corners."""
SLACK_PT = 3.0
"""How far a line may stick out of its panel: boxes of type are larger than its ink."""


def find_panels(drawings: Sequence[Mapping[str, Any]], lines: Sequence[BBox], page_box: BBox, matrix: Matrix | None) -> list[BBox]:
    """The panels of a page as displayed. `lines` are boxes of its text."""
    if not 2 * LEAST_LINES <= len(lines) <= MAX_LINES:
        return []
    boxes = _boxes(drawings, page_box, matrix)
    if not boxes:
        return []
    found: list[BBox] = []
    ordered = sorted([((line[1] + line[3]) / 2, line) for line in lines])
    for box in boxes:
        if any(intersection_area(box, other) > 0 for other in found):
            continue  # inside of a larger one, or across its edge
        if _holds(box, ordered):
            found.append(box)
            if len(found) == MAX_PANELS:
                break
    return found


def groups_panels(table: Block, panels: Sequence[BBox]) -> bool:
    """Whether a table without rules is rather cards that stand in rows and columns: two of them or more, none of its width or height."""
    if table.table is None or table.table.ruled > MOST_RULED:
        return False
    wide, tall = width(table.bbox), height(table.bbox)
    held = [p for p in panels if intersection_area(p, table.bbox) > 0.5 * area(p) and width(p) < 0.7 * wide and height(p) < 0.8 * tall]
    return len(held) > 1


def _boxes(drawings: Sequence[Mapping[str, Any]], page_box: BBox, matrix: Matrix | None) -> list[BBox]:
    """Boxes that may be panels, each once, the largest first."""
    most = MOST_SHARE * area(page_box)
    found: set[BBox] = set()
    for drawing in drawings[:MAX_PATHS]:
        rect = drawing.get("rect")
        if rect is None or len(drawing.get("items", ())) > SIDES:
            continue
        x0, y0, x1, y1 = turn_box(rect, matrix)
        if x1 - x0 >= LEAST_WIDTH_PT and y1 - y0 >= LEAST_HEIGHT_PT and (x1 - x0) * (y1 - y0) <= most:
            found.add((round(x0), round(y0), round(x1), round(y1)))
    return sorted(found, key=lambda box: (-area(box), box))[:MAX_BOXES]


def _holds(box: BBox, lines: Sequence[tuple[float, BBox]]) -> bool:
    """Whether enough lines stand in the box as a whole, and none across its edge. `lines` are sorted by their middles."""
    inside = 0
    first, last = bisect_left(lines, (box[1],)), bisect_right(lines, (box[3], (math.inf,)))
    for _, line in lines[first:last]:
        if contains_point(box, (line[0] + line[2]) / 2, (line[1] + line[3]) / 2):
            if line[0] < box[0] - SLACK_PT or line[2] > box[2] + SLACK_PT:
                return False
            inside += 1
        elif intersection_area(line, box) > 0.1 * area(line) > 0:
            return False
    return LEAST_LINES <= inside <= MOST_TEXT * len(lines)
