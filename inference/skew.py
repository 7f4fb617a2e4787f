"""How far a page lies askew, told by the lines of text that were found on it, or by its marks where none were found yet. Pure.

A scanner draws sheets in askew; lines that slope by a degree overlap their neighbours' heights over the width of a page, so rows, columns and
tables can only be told once the page is straight.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inference.images import Mask, Pixels, Quad, quad_of

Marks = NDArray[np.float32]
"""A coordinate of each mark, in pixels."""
LONG_LINE = 5.0
"""Length over height from which a line tells its slope: the corners of short ones are off by more."""
LEAST_LINES = 3
"""Fewer long lines are a stamp or a title, whatever their slope."""
AGREEING_DEGREES, AGREEING = 0.7, 0.6
"""A page is askew where this share of its lines, by length, slopes like the middle one; a poster's lines do not."""
LEAST_SKEW = 0.12
"""Degrees below which a page is straight: over the width of a page half a line's distance less."""
MOST_SKEW = 20.0
"""Degrees beyond which it is no skew but how somebody laid text out."""
MOST_SKEW_OF_MARKS, COARSE, FINE = 8.0, 0.5, 0.1
"""Degrees: how far marks are tried, and in which steps; a slope of half a degree more still gathers lines in rows enough to be seen."""
MAX_MARKS = 40_000
"""Marks that are looked at: every n-th of a page's; a line of text has a thousand."""
SLOPE_ERROR = 0.25
"""Of a line's height: how far the ends of its box stand above each other by the error of a detector, which looks at a smaller image. Of 510 lines
on straight pages of one type size 32 got boxes that made their type 1.2 to 2.5 times as large."""
SHARPER = 1.08
"""How much more unlike the rows must be for a slope to be believed; noise and pictures gain some hundredths by chance."""


def skew_of(lines: Sequence[Quad]) -> float:
    """Degrees clockwise by which the upright text of a page slopes, 0 for a page that lies straight. Corners go clockwise from the top left."""
    slopes = sorted(found for line in lines if (found := _slope(line)) is not None)
    if len(slopes) < LEAST_LINES:
        return 0.0
    total = sum(length for _, length in slopes)
    middle, seen = 0.0, 0.0
    for degrees, length in slopes:
        seen += length
        if seen >= total / 2:
            middle = degrees
            break
    like = [(degrees, length) for degrees, length in slopes if abs(degrees - middle) <= AGREEING_DEGREES]
    weight = sum(length for _, length in like)
    if weight < AGREEING * total:
        return 0.0
    mean = sum(degrees * length * length for degrees, length in like) / sum(length * length for _, length in like)
    return mean if LEAST_SKEW <= abs(mean) <= MOST_SKEW else 0.0


def levelled(lines: Sequence[Quad]) -> list[Quad]:
    """The lines of a page that lies straight, set level where they slope by no more than a detector errs; others lie on a page that is curved."""
    return [_levelled(line) for line in lines]


def _levelled(line: Quad) -> Quad:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = line.tolist()
    top, bottom = (ay + by) / 2, (cy + dy) / 2
    if bx <= ax or max(abs(by - ay), abs(cy - dy)) > SLOPE_ERROR * (bottom - top):
        return line
    return quad_of(((ax + dx) / 2, top, (bx + cx) / 2, bottom))


def _slope(line: Quad) -> tuple[float, float] | None:
    """(degrees clockwise, length in pixels) of a long line that runs along the page; None for others."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = line.tolist()
    across, down = (bx + cx - ax - dx) / 2, (by + cy - ay - dy) / 2
    length, height = math.hypot(across, down), math.hypot((cx + dx - ax - bx) / 2, (cy + dy - ay - by) / 2)
    if length < LONG_LINE * height or across <= abs(down):
        return None
    return math.degrees(math.atan2(down, across)), length


def skew_of_marks(marks: Mask | Pixels) -> float:
    """Degrees clockwise by which rows of marks, (height, width), slope, 0 where they do not or nothing shows it.

    Method: the slope under which the sums of rows differ most (projection profile, W. Postl 1986), marks moved rather than pixels turned.
    """
    ys, xs = np.nonzero(marks)
    if len(xs) < MAX_MARKS // 100:
        return 0.0
    step = max(1, len(xs) // MAX_MARKS)
    y, x = ys[::step].astype(np.float32), xs[::step].astype(np.float32) - np.float32(marks.shape[1] / 2)
    straight = _contrast(x, y, 0.0)
    coarse = max(np.arange(-MOST_SKEW_OF_MARKS, MOST_SKEW_OF_MARKS + COARSE, COARSE), key=lambda degrees: _contrast(x, y, float(degrees)))
    fine = max(np.arange(coarse - COARSE, coarse + COARSE + FINE, FINE), key=lambda degrees: _contrast(x, y, float(degrees)))
    return float(fine) if abs(fine) >= LEAST_SKEW and _contrast(x, y, float(fine)) > SHARPER * straight else 0.0


def _contrast(xs: Marks, ys: Marks, degrees: float) -> float:
    """The sum of squares of the rows' marks when the page is turned straight by so many degrees."""
    rows = (ys - xs * math.tan(math.radians(degrees))).astype(np.int32)
    counts = np.bincount(rows - rows.min())
    return float((counts.astype(np.float64) ** 2).sum())
