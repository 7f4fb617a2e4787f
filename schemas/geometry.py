"""Boxes on a page, and nothing else.

A box is `(x0, y0, x1, y1)` in points of the page *as displayed*: after /Rotate, origin at the top left of the crop box, y growing downwards.
Everything here is total: empty, inverted and infinite boxes are legal input and never raise. Comparisons are spelled out where a page asks
thousands of times: `min` and `max` say the same and take three times as long.
"""

from collections.abc import Iterable

BBox = tuple[float, float, float, float]

EMPTY: BBox = (0.0, 0.0, 0.0, 0.0)


def width(box: BBox) -> float:
    """Width in points, never negative."""
    return max(0.0, box[2] - box[0])


def height(box: BBox) -> float:
    """Height in points, never negative."""
    return max(0.0, box[3] - box[1])


def area(box: BBox) -> float:
    """Area in square points, never negative."""
    return width(box) * height(box)


def union(boxes: Iterable[BBox]) -> BBox:
    """The smallest box around all of `boxes`; `EMPTY` for none."""
    x0, y0, x1, y1 = float("inf"), float("inf"), float("-inf"), float("-inf")
    for a0, b0, a1, b1 in boxes:
        x0, y0 = a0 if a0 < x0 else x0, b0 if b0 < y0 else y0
        x1, y1 = a1 if a1 > x1 else x1, b1 if b1 > y1 else y1
    return (x0, y0, x1, y1) if x0 <= x1 else EMPTY


def overlap_x(a: BBox, b: BBox) -> float:
    """Length in points of the common horizontal extent, 0 when there is none."""
    low, high = b[0] if b[0] > a[0] else a[0], b[2] if b[2] < a[2] else a[2]
    return high - low if high > low else 0.0


def overlap_y(a: BBox, b: BBox) -> float:
    """Length in points of the common vertical extent, 0 when there is none."""
    low, high = b[1] if b[1] > a[1] else a[1], b[3] if b[3] < a[3] else a[3]
    return high - low if high > low else 0.0


def intersection_area(a: BBox, b: BBox) -> float:
    """Area in square points that two boxes share."""
    return overlap_x(a, b) * overlap_y(a, b)


def center(box: BBox) -> tuple[float, float]:
    """The middle point of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def contains_point(box: BBox, x: float, y: float) -> bool:
    """Whether a point lies in the box; edges count."""
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def scaled(box: BBox, scale: float) -> BBox:
    """The box with each coordinate times `scale`: in another unit."""
    return box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale


def rounded(box: BBox) -> BBox:
    """The box to a hundredth of a point: enough for any use, and short in every encoding."""
    return round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2)
