"""The figures on the image of a page: photographs, drawings and charts, told by ink that is neither text nor a rule nor a shade. Knows no model.

Method: what differs from the paper, less the text that was read, straight rules and shaded boxes; what is left, closed over gaps of a type size, is
in parts that stand apart. A part is a figure where it is larger than any letter and holds little text. Everything is measured in type sizes of
the page. The image must lie straight.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inference.images import Mask, Pixels, closed_over, connected_boxes, hanging_together, paper_level, smaller
from inference.layout.lines import size_of
from inference.pictures import is_long, is_part_of
from inference.types import Shade, TextLine
from schemas.geometry import BBox, area, center, contains_point, height, intersection_area, scaled, union, width

GRAIN = 6.0
"""Pixels of a type size on the image that is looked at."""
CONTRAST, STRONG, LEAST_STRONG = 36, 70, 0.1
"""Levels between ink and paper on that image, whose pixels are means: hairlines keep the first, noise and worn paper do not. What hangs together and
has less than a share of stronger ink is a watermark, or the print of the back."""
TOUCHING = 2
"""Pixels of the smaller image between marks that hang together."""
CLOSED = 1.3
"""Type sizes of white within a figure."""
LEAST_SIDE, LEAST_LENGTH = 3.5, 6.0
"""Sides of a figure in type sizes: initials, bullets, ticks and punch holes are smaller."""
LEAST_INK = 0.03
"""Share of a figure that is inked: a curve in its axes has .05."""
EDGE, EDGE_LENGTH = 0.05, 0.3
"""Share of the page within which a part that lies along its edge for more than the second share is the shadow of a sheet or a book."""
MOST_TEXT, INKED = 0.3, 0.45
"""Share of a part that is covered by text from which it is no figure, unless so much of it is inked between: a photograph behind text."""
PROSE_LENGTH, MOST_PROSE = 14.0, 2
"""Length of a line of prose in type sizes, and how many of these a figure holds at most: more is a framed or stained text."""
WHOLE_PAGE, MOST_LINES = 0.8, 4
"""Share of the image in each direction from which a part is what the sheet lies on, or its frame, where more lines of text are in it."""
READ = 0.7
"""Confidence from which a line is text, whatever surrounds it."""
AXIS = 1.25
"""How many times as long as the figure's own side a rule at it may be to be its axis or frame; longer ones part the page."""
NEAR, PANELS = 0.8, 2.0
"""Type sizes between a figure and a rule that belongs to it, and between the panels of one."""
LEAST_TEXT, LEAST_SIGNS = 0.55, 2
"""Size of print over the usual size, and letters or digits of it, from which it is text of the page; less is the grain of a picture."""
AROUND = 0.2
"""Share of the outline of a shade that is inked from which it is a part of a picture."""
BAR_HEIGHT, BAR_SHAPE, BAR_INK = 2.6, 2.5, 0.7
"""Height in type sizes, width over height and inked share of a bar: a line of text and what surrounds it."""
MOST_FRAME, MOST_FRAMED_TEXT = 6.0, 0.1
"""How many times as large as the ink in it the frame of a plot is, and the share of it that is text: more is a box of text."""
LINE_SIZES = 0.55, 1.8
"""Heights over the usual one of what was found as a line of text and not read, as it is in another script: text, and no figure."""
MAX_PARTS, MAX_FIGURES = 300, 40
"""Parts looked at, largest first, and figures kept of a page: a contact sheet of photographs has as many."""

Sums = NDArray[np.int64]
"""Sums of all that lies above and left, one row and column more than the image has."""


def figures_of(levels: Pixels, size: float, lines: Sequence[TextLine], rules: Sequence[BBox], shades: Sequence[Shade]) -> list[BBox]:
    """The boxes of figures from top to bottom, in pixels of an image. `levels` (height, width): those of `levels_of`, which show pale colours;
    `size`: its usual type size in pixels; `lines`: what was found as text, however it was read.
    """
    scale = min(1.0, GRAIN / max(size, 1.0))
    small = smaller(levels, scale)
    grain = size * scale
    text = [scaled(line.bbox, scale) for line in lines if _is_text(line, size)]
    drawn = [scaled(rule, scale) for rule in rules]
    ink = _ink(small, text, drawn, [scaled(shade.box, scale) for shade in shades], grain)
    sums = _sums(ink)
    parts = sorted(connected_boxes(closed_over(ink.astype(np.uint8), round(CLOSED * grain))), key=lambda box: (-area(box), box))[:MAX_PARTS]
    found: list[BBox] = []
    for part in parts:
        if max(width(part), height(part)) >= grain and not _is_edge(part, ink.shape) and not _is_bar(part, sums, grain):
            box = _with_axes((float(part[0]), float(part[1]), float(part[2]), float(part[3])), drawn, grain)
            if _is_figure(box, sums, text, grain):
                found = _joined(found, box, sums, text, grain)
    large = [_framed(box, drawn, sums, text, grain) for box in found if _is_large(box, grain)][:MAX_FIGURES]
    return sorted((scaled(box, 1 / scale) for box in large), key=lambda box: (box[1], box[0]))


def _framed(box: BBox, rules: Sequence[BBox], sums: Sums, text: Sequence[BBox], grain: float) -> BBox:
    frame = _with_frame(box, rules, grain)
    covered = sum(intersection_area(line, frame) for line in text) / max(area(frame), 1.0)
    return frame if covered <= MOST_FRAMED_TEXT and _is_figure(frame, sums, text, grain) else box


def _is_text(line: TextLine, size: float) -> bool:
    thick = min(width(line.bbox), height(line.bbox))
    own = size_of(line.text, thick)
    if line.confidence < READ and is_long(line) and LINE_SIZES[0] * size <= thick <= LINE_SIZES[1] * size:
        return True
    return line.confidence >= READ and own >= LEAST_TEXT * size and sum(map(str.isalnum, line.text)) >= LEAST_SIGNS


def _ink(small: Pixels, text: Sequence[BBox], rules: Sequence[BBox], shades: Sequence[BBox], grain: float) -> Mask:
    """Where a page is inked beside its text, its rules and the shades behind its text."""
    contrast = np.abs(small.astype(np.int16) - paper_level(small))
    plain = _without(contrast > CONTRAST, [*text, *rules], 0.25 * grain)
    behind = [shade for shade in shades if any(contains_point(shade, *center(line)) for line in text)]
    left = _without(plain, behind, 0.2 * grain)
    whole = _without(plain, [shade for shade in behind if _inked_around(left, shade, 0.2 * grain) < AROUND], 0.2 * grain)
    return whole & hanging_together(whole.astype(np.uint8), TOUCHING, contrast > STRONG, LEAST_STRONG)


def _without(ink: Mask, boxes: Sequence[BBox], margin: float) -> Mask:
    left, around = ink.copy(), max(1, round(margin))
    for x0, y0, x1, y1 in boxes:
        left[max(0, int(y0) - around) : int(np.ceil(y1)) + around, max(0, int(x0) - around) : int(np.ceil(x1)) + around] = False
    return left


def _inked_around(ink: Mask, box: BBox, margin: float) -> float:
    """The share of a box's outline, a pixel outside of the margin around it, that is inked."""
    around = max(1, round(margin)) + 1
    x0, y0, x1, y1 = int(box[0]) - around, int(box[1]) - around, int(np.ceil(box[2])) + around, int(np.ceil(box[3])) + around
    rows, columns = slice(max(0, y0), y1), slice(max(0, x0), x1)
    sides = [ink[y, columns] for y in (y0, y1 - 1) if 0 <= y < ink.shape[0]] + [ink[rows, x] for x in (x0, x1 - 1) if 0 <= x < ink.shape[1]]
    return float(np.concatenate(sides).mean()) if sides and sum(map(len, sides)) else 0.0


def _sums(ink: Mask) -> Sums:
    return np.pad(np.cumsum(np.cumsum(ink, axis=0, dtype=np.int64), axis=1), ((1, 0), (1, 0)))


def _is_large(part: BBox, grain: float) -> bool:
    sides = sorted((width(part), height(part)))
    return sides[0] >= LEAST_SIDE * grain and sides[1] >= LEAST_LENGTH * grain


def _is_edge(part: BBox, shape: tuple[int, ...]) -> bool:
    """Whether a part is a dark margin of the image."""
    down, across = shape[:2]
    thin_x, thin_y = width(part) <= EDGE * across, height(part) <= EDGE * down
    at_side = (part[0] <= EDGE * across / 2 or part[2] >= across * (1 - EDGE / 2)) and thin_x and height(part) >= EDGE_LENGTH * down
    at_end = (part[1] <= EDGE * down / 2 or part[3] >= down * (1 - EDGE / 2)) and thin_y and width(part) >= EDGE_LENGTH * across
    return at_side or at_end


def _is_bar(part: BBox, sums: Sums, grain: float) -> bool:
    """Whether a part is a solid bar along a line of text: blacked out, or marked."""
    return height(part) <= BAR_HEIGHT * grain and width(part) >= BAR_SHAPE * height(part) and _inked_share(part, sums) >= BAR_INK


def _inked_share(box: BBox, sums: Sums) -> float:
    x0, y0, x1, y1 = (int(side) for side in box)
    x1, y1 = min(x1, sums.shape[1] - 1), min(y1, sums.shape[0] - 1)
    inked = int(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0])
    size: int = max(1, (x1 - x0) * (y1 - y0))
    return inked / size


def _with_axes(box: BBox, rules: Sequence[BBox], grain: float) -> BBox:
    """A part with the rules at it that are no longer than its sides: axes, frames."""
    near, whole = NEAR * grain, box
    for rule in rules:
        long = width(rule) if width(rule) >= height(rule) else height(rule)
        own = width(box) if width(rule) >= height(rule) else height(box)
        touches = rule[0] <= box[2] + near and box[0] <= rule[2] + near and rule[1] <= box[3] + near and box[1] <= rule[3] + near
        if touches and long <= AXIS * own:
            whole = union((whole, rule))
    return whole


def _with_frame(box: BBox, rules: Sequence[BBox], grain: float) -> BBox:
    """A part with the rules that stand around it on all four sides, where they meet: the frame of a plot."""
    near = NEAR * grain
    upright = [rule for rule in rules if height(rule) > width(rule) and rule[1] <= box[1] + near and rule[3] >= box[3] - near]
    flat = [rule for rule in rules if width(rule) >= height(rule) and rule[0] <= box[0] + near and rule[2] >= box[2] - near]
    left = max((rule for rule in upright if rule[0] <= box[0] + near), default=None)
    right = min((rule for rule in upright if rule[2] >= box[2] - near), default=None)
    above = max((rule for rule in flat if rule[1] <= box[1] + near), key=lambda rule: rule[1], default=None)
    below = min((rule for rule in flat if rule[3] >= box[3] - near), key=lambda rule: rule[3], default=None)
    if left is None or right is None or above is None or below is None:
        return box
    frame = left[0], above[1], right[2], below[3]
    slack = 2 * near  # ticks stick out
    meet = all(abs(rule[1] - frame[1]) <= slack and abs(rule[3] - frame[3]) <= slack for rule in (left, right))
    meet = meet and all(abs(rule[0] - frame[0]) <= slack and abs(rule[2] - frame[2]) <= slack for rule in (above, below))
    return frame if meet and area(frame) <= MOST_FRAME * area(box) else box


def _is_figure(box: BBox, sums: Sums, text: Sequence[BBox], grain: float) -> bool:
    size, inked = area(box), _inked_share(box, sums)
    if inked < LEAST_INK:
        return False
    inside = [line for line in text if is_part_of(line, box)]
    covered = sum(intersection_area(line, box) for line in inside) / max(size, 1.0)
    prose = sum(max(width(line), height(line)) >= PROSE_LENGTH * grain for line in inside)
    is_sheet = width(box) >= WHOLE_PAGE * (sums.shape[1] - 1) and height(box) >= WHOLE_PAGE * (sums.shape[0] - 1)
    return prose <= MOST_PROSE and (inked >= INKED or covered <= MOST_TEXT) and not (is_sheet and len(inside) > MOST_LINES)


def _joined(found: Sequence[BBox], box: BBox, sums: Sums, text: Sequence[BBox], grain: float) -> list[BBox]:
    """The figures with one more, which takes in those that stand close: panels of one figure."""
    apart, near = list[BBox](), PANELS * grain
    for other in found:
        both = union((box, other))
        close = other[0] <= box[2] + near and box[0] <= other[2] + near and other[1] <= box[3] + near and box[1] <= other[3] + near
        if close and _is_figure(both, sums, text, grain):
            box = both
        else:
            apart.append(other)
    return [*apart, box]
