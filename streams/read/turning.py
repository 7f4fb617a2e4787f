"""Where things stand when a page is turned: MuPDF's coordinates to the page as displayed, and the page to the frame of turned text.

Pure geometry. MuPDF gives boxes of a page with /Rotate as if it were not turned; `Matrix` (a, b, c, d, e, f) takes them to the page as
displayed. A *reading frame* turns that page further, so that text of one direction runs left to right and its lines follow downwards.
"""

import math
from collections.abc import Sequence

from schemas.geometry import BBox

Matrix = tuple[float, float, float, float, float, float]

VERTICAL = -90
"""The frame of vertical writing: upright characters, lines downwards, the next line to the left."""


def turn_point(point: Sequence[float], matrix: Matrix | None) -> tuple[float, float]:
    """A point under a matrix; None leaves it where it is."""
    x, y = point
    if matrix is None:
        return x, y
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def turn_box(box: Sequence[float], matrix: Matrix | None) -> BBox:
    """A box under a matrix of right angles; None leaves it where it is."""
    x0, y0, x1, y1 = box
    if matrix is None:
        return x0, y0, x1, y1
    a, b, c, d, e, f = matrix  # spelled out: of every character of a turned page
    ax, ay, bx, by = a * x0 + c * y0 + e, b * x0 + d * y0 + f, a * x1 + c * y1 + e, b * x1 + d * y1 + f
    return bx if bx < ax else ax, by if by < ay else ay, bx if bx > ax else ax, by if by > ay else ay


def turn_direction(direction: Sequence[float], matrix: Matrix | None) -> tuple[float, float]:
    """A direction under a matrix."""
    dx, dy = direction
    if matrix is None:
        return dx, dy
    a, b, c, d, _, _ = matrix
    return a * dx + c * dy, b * dx + d * dy


def angle_of(dx: float, dy: float) -> int:
    """Degrees clockwise that text of this direction is turned on the page, 0 to 359; a right angle where nearly so."""
    if dx > 0.99 or not (math.isfinite(dx) and math.isfinite(dy)):
        return 0
    degrees = math.degrees(math.atan2(dy, dx)) % 360
    square = round(degrees / 90) * 90
    return square % 360 if abs(degrees - square) < 7 else round(degrees) % 360


def to_frame(box: Sequence[float], angle: int) -> BBox:
    """A box of the displayed page in the reading frame of text turned by `angle`. Text at odd angles keeps the page's frame."""
    x0, y0, x1, y1 = box
    if angle in (90, VERTICAL):
        return y0, -x1, y1, -x0
    if angle == 180:
        return -x1, -y1, -x0, -y0
    if angle == 270:
        return -y1, x0, -y0, x1
    return x0, y0, x1, y1


def to_page(box: Sequence[float], angle: int) -> BBox:
    """The inverse of `to_frame`."""
    x0, y0, x1, y1 = box
    if angle in (90, VERTICAL):
        return -y1, x0, -y0, x1
    if angle == 180:
        return -x1, -y1, -x0, -y0
    if angle == 270:
        return y0, -x1, y1, -x0
    return x0, y0, x1, y1


def quarter_turn(angle: int, width: float, height: float) -> Matrix:
    """What takes a displayed page of this size to the page turned so that text of an angle (90, 180, 270) is upright, its corner at 0, 0."""
    if angle == 90:
        return 0.0, -1.0, 1.0, 0.0, 0.0, width
    if angle == 180:
        return -1.0, 0.0, 0.0, -1.0, width, height
    if angle == 270:
        return 0.0, 1.0, -1.0, 0.0, height, 0.0
    return 1.0, 0.0, 0.0, 1.0, 0.0, 0.0


def combined(first: Matrix | None, then: Matrix) -> Matrix:
    """One matrix for two, one after the other."""
    if first is None:
        return then
    a, b, c, d, e, f = first
    (ax, ay), (cx, cy) = turn_direction((a, b), then), turn_direction((c, d), then)
    return ax, ay, cx, cy, *turn_point((e, f), then)


def inverse(matrix: Matrix) -> Matrix:
    """The matrix that undoes one of right angles and of size 1."""
    a, b, c, d, e, f = matrix
    determinant = a * d - b * c
    a, b, c, d = d / determinant, -b / determinant, -c / determinant, a / determinant
    return a, b, c, d, -(a * e + c * f), -(b * e + d * f)
