"""Single signs that a detector of lines passes over: a digit, a dash or a tick alone in its cell. Knows no model.

Detectors of text want a few characters; in a table a missed one is a lost value. So what is marked in a row of text, far from every line that was
found and no larger than a sign or two, is read as well. A dash is told by its shape: models doubt one that stands alone, and which it is they guess.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inference.images import MARK_CONTRAST, Mask, Pixels, Quad, bounds_of, connected_boxes, quad_of
from inference.rules import BOX_HEIGHT
from schemas.geometry import BBox

APART = 0.6
"""Type sizes of white to the nearest line of the row: a full stop that a line lost is nearer."""
TOGETHER = 0.35
"""Type sizes within which marks are of one sign, or of two that are read together."""
LEAST_WIDTH, LEAST_AREA = 0.18, 0.02
"""In type sizes, and their squares: a hyphen has .3 and .02, specks are smaller."""
DASH_HEIGHT, DASH_MOST, DASH_SHAPE, DASH_PLACE = (0.05, 0.22), 1.3, 1.45, 0.25
"""Height and greatest width of a dash in type sizes, its width over its height, and how far it may stand from the middle of its row: the shortest
hyphen on a worn scan has 6 pixels by 4. Full stops and underscores stand lower, specks are round."""
DASHES = frozenset({"-", "–", "—", "一", "_", "ー"})
"""What models read where a dash stands alone: one that knows Chinese takes it for the numeral one."""
HYPHEN, EN_DASH = 0.42, 0.8
"""Width of the ink in ems up to which a dash is a hyphen, and one of the common kind: they have about .28, .5 and 1."""
MOST_WIDTH, MOST_HEIGHT = 2.6, 1.2
"""In type sizes: more is a line, which detectors find, or a picture."""
IN_ROW = 0.4
"""Type sizes between the middles of a sign and of a line in its row."""
MARGIN = 0.25
"""Type sizes around a sign, as detectors leave them."""
LEAST_PRINT = 0.55
"""Of the usual size: smaller print is not in a table beside usual print, but in the picture of a page."""
LEAST_ROW = 1
"""Lines that a row must have beside a sign."""
MAX_SIGNS = 300
"""Signs looked at on one page; more are the texture of a picture, and none is taken."""

Boxes = NDArray[np.float32]


class Sign(Struct, frozen=True):
    """What may be text: its corners with the room that a model wants around it, the box of its ink, and whether that has the shape of a dash."""

    place: Quad
    ink: BBox
    is_dash: bool


def missed_signs(marks: Mask | Pixels, lines: Sequence[Quad], rules: Sequence[BBox], size: float) -> list[Sign]:
    """Signs that may be text. `marks` (height, width) and all boxes are of a page that lies straight; `size` is its usual type size."""
    if len(lines) < 2 * LEAST_ROW or size <= 0:
        return []
    boxes = np.array([bounds_of(line) for line in lines], np.float32)
    left = _without(marks, [*boxes.tolist(), *rules], round(0.1 * size))
    signs = [sign for sign in _signs(connected_boxes(left), size) if _is_alone(sign, boxes, size)]
    if len(signs) > MAX_SIGNS:
        return []
    places = [_padded(sign, boxes, size) for sign in signs]
    return [Sign(quad_of(place), sign, _is_dash(sign, place, size)) for sign, place in zip(signs, places, strict=True)]


def stands_out(gray: Pixels, sign: Sign, size: float) -> bool:
    """Whether a sign is darker than what is above it and than what is below it, in an image of gray levels. The worn edge of a shade, which looks
    like dashes, has its own level on one side.
    """
    x0, y0, x1, y1 = (int(side) for side in sign.ink)
    if y1 - y0 > DASH_HEIGHT[1] * size:
        return True
    near, reach = max(1, round(0.05 * size)), max(2, round(0.25 * size))
    above, below = gray[max(0, y0 - near - reach) : max(0, y0 - near), x0:x1], gray[y1 + near : y1 + near + reach, x0:x1]
    sides = [float(side.mean()) for side in (above, below) if side.size]
    own = gray[y0:y1, x0:x1]
    return bool(own.size) and all(float(own.mean()) < side - MARK_CONTRAST for side in sides)


def dash_of(width: float, size: float) -> str:
    """Which dash it is whose ink is `width` wide where letters have a type size of `size`, both in one unit."""
    return "-" if width <= HYPHEN * size else "–" if width <= EN_DASH * size else "—"


def _without(marks: Mask | Pixels, boxes: Sequence[Sequence[float]], margin: int) -> Pixels:
    left = np.array(marks, np.uint8)
    for x0, y0, x1, y1 in boxes:
        left[max(0, int(y0) - margin) : int(y1) + margin, max(0, int(x0) - margin) : int(x1) + margin] = 0
    return left


def _signs(parts: Sequence[tuple[int, int, int, int]], size: float) -> list[BBox]:
    """Parts that stand near each other in one row as one box, those of a sign's size."""
    signs: list[BBox] = []
    large = [part for part in parts if part[3] - part[1] > MOST_HEIGHT * size or part[2] - part[0] > MOST_WIDTH * size]
    for x0, y0, x1, y1 in sorted(set(parts) - set(large)):
        for index in range(len(signs) - 1, max(-1, len(signs) - 12), -1):
            a0, b0, a1, b1 = signs[index]
            if x0 - a1 <= TOGETHER * size and min(y1, b1) - max(y0, b0) > -TOGETHER * size:
                signs[index] = (min(a0, x0), min(b0, y0), max(a1, x1), max(b1, y1))
                break
        else:
            signs.append((float(x0), float(y0), float(x1), float(y1)))
    return [sign for sign in signs if _is_sign(sign, size)]


def _is_sign(box: BBox, size: float) -> bool:
    across, down = box[2] - box[0], box[3] - box[1]
    if not (LEAST_WIDTH * size <= across <= MOST_WIDTH * size and down <= MOST_HEIGHT * size):
        return False
    return across * down >= LEAST_AREA * size * size or _is_flat(box, size)


def _is_flat(box: BBox, size: float) -> bool:
    """Whether a sign has the shape of a dash."""
    across, down = box[2] - box[0], box[3] - box[1]
    return DASH_HEIGHT[0] * size <= down <= DASH_HEIGHT[1] * size and DASH_SHAPE * down <= across <= DASH_MOST * size


def _is_dash(sign: BBox, place: BBox, size: float) -> bool:
    """Whether a sign is a dash in the middle of its row, whose height `place` has."""
    return _is_flat(sign, size) and abs(sign[1] + sign[3] - place[1] - place[3]) <= 2 * DASH_PLACE * size


def _is_alone(sign: BBox, boxes: Boxes, size: float) -> bool:
    """Whether a sign has lines in its row, and none of them near."""
    row = _row_of(sign, boxes, size)
    if len(row) < LEAST_ROW:
        return False
    return bool((np.maximum(row[:, 0] - sign[2], sign[0] - row[:, 2]) >= APART * size).all())


def _row_of(sign: BBox, boxes: Boxes, size: float) -> Boxes:
    """The lines whose middle is at a sign's height: of one line of usual print, not of a block that was taken for one, nor of a picture's grain."""
    middles, heights = (boxes[:, 1] + boxes[:, 3]) / 2, boxes[:, 3] - boxes[:, 1]
    lines = (heights <= 1.5 * BOX_HEIGHT * size) & (heights >= LEAST_PRINT * BOX_HEIGHT * size)
    return boxes[(np.abs(middles - (sign[1] + sign[3]) / 2) <= IN_ROW * size) & lines]


def _padded(sign: BBox, boxes: Boxes, size: float) -> BBox:
    """A sign with the height of its row: a dash is told from an underscore by where it stands."""
    row = _row_of(sign, boxes, size)
    nearest = row[np.argmin(np.abs((row[:, 0] + row[:, 2]) / 2 - (sign[0] + sign[2]) / 2))]
    return sign[0] - MARGIN * size, min(sign[1], float(nearest[1])), sign[2] + MARGIN * size, max(sign[3], float(nearest[3]))
