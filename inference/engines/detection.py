"""Where the lines of a page are, whatever its size and shape: small print is looked at closer, very long pages piece by piece.

Given one function that finds lines on one image at one size. Bounded: at most `MAX_TILES` pieces and two sizes.
"""

from collections.abc import Callable

import numpy as np

from inference.images import Pixels, Quad, bounds_of, padded

Detect = Callable[[Pixels, int], list[Quad]]
"""Image and pixels of its longer side → corners of lines."""

COARSE_PIXELS = 680 * 960
"""An A4 page at 82 dpi. Finds 6 pt print as well as larger sizes do (0.4 % of characters lost), at a quarter of the time of 1600 pixels."""
FINE_PIXELS = 1131 * 1600
"""For smaller print: at 5 pt the coarse size loses 4 % of the characters, this one 0.1 %; at 4 pt nearly all against 0.5 %."""
SMALL_LINE = 12.0
"""Height of a line's box on the coarse image under which its print is small: 6 pt print gives 13."""
SMALL_SHARE = 0.15
"""Share of small lines from which the page is looked at again."""
LONG_PAGE = 4.0
"""Longer side over shorter from which a page is cut into pieces: scaled down as a whole its text would vanish."""
TILE_LENGTH = 2.0
"""Length of a piece over its width."""
TILE_OVERLAP = 0.25
"""Of the shorter side: more than a line's height."""
MAX_TILES = 48
"""Pieces of one page; beyond, they become longer."""
MIN_SIDE = 96
"""Smaller images get a border: lines that touch the edge of an image are not found."""


def detect_lines(bgr: Pixels, detect: Detect) -> list[Quad]:
    """Corners of all lines, in pixels of the image."""
    height, width = bgr.shape[:2]
    if min(height, width) < MIN_SIDE:
        framed, left, top = padded(bgr, MIN_SIDE)
        return [_inside(quad - np.array([left, top], np.float32), width, height) for quad in _at_best_size(framed, detect)]
    if max(height, width) <= LONG_PAGE * min(height, width):
        return _at_best_size(bgr, detect)
    return _by_tiles(bgr, detect)


def _inside(quad: Quad, width: int, height: int) -> Quad:
    return np.clip(quad, 0, np.array([width, height], np.float32))


def _at_best_size(bgr: Pixels, detect: Detect) -> list[Quad]:
    coarse = _long_side(bgr, COARSE_PIXELS)
    quads = detect(bgr, coarse)
    fine = _long_side(bgr, FINE_PIXELS)
    if fine > coarse and _print_is_small(quads, coarse / max(bgr.shape[:2])):
        quads = detect(bgr, fine) or quads
    return quads


def _long_side(bgr: Pixels, pixels: int) -> int:
    """The longer side at which the image has about so many pixels, never more than it has."""
    height, width = bgr.shape[:2]
    scale: float = (pixels / (height * width)) ** 0.5
    return int(max(32, min(max(height, width), round(max(height, width) * scale))))


def _print_is_small(quads: list[Quad], scale: float) -> bool:
    if not quads:
        return True
    sides = (min(float(np.linalg.norm(q[0] - q[1])), float(np.linalg.norm(q[0] - q[3]))) for q in quads)
    return sum(side * scale < SMALL_LINE for side in sides) >= SMALL_SHARE * len(quads)


def _by_tiles(bgr: Pixels, detect: Detect) -> list[Quad]:
    """Lines of a long page. Pieces overlap; a line belongs to the piece in whose core its middle lies, and a line that the end of a piece
    cuts is put together again.
    """
    height, width = bgr.shape[:2]
    axis = 1 if height > width else 0
    length, short = max(height, width), min(height, width)
    overlap = TILE_OVERLAP * short
    step = max(TILE_LENGTH * short - overlap, (length - overlap) / MAX_TILES)
    found: list[Quad] = []
    start = 0.0
    while True:
        end = min(length, start + step + overlap)
        first, last = int(start), int(np.ceil(end))
        piece = bgr[first:last] if axis else bgr[:, first:last]
        shift = np.array([0, first] if axis else [first, 0], np.float32)
        low = start + overlap / 2 if start else 0.0
        high = end - overlap / 2 if end < length else float(length) + 1
        for quad in _at_best_size(np.ascontiguousarray(piece), detect):
            moved = quad + shift
            if axis == 0 or low <= float(moved[:, axis].mean()) < high:
                found.append(moved)
        if end >= length:
            return found if axis else _rejoined(found)
        start += step


def _rejoined(quads: list[Quad]) -> list[Quad]:
    """Pieces of lines of a wide page whose boxes overlap become one box each; a box found twice becomes one."""
    joined: list[Quad] = []
    for quad in sorted(quads, key=lambda q: float(q[:, 0].min())):
        x0, y0, x1, y1 = bounds_of(quad)
        for index, other in enumerate(joined):
            a0, b0, a1, b1 = bounds_of(other)
            if x0 < a1 and min(y1, b1) - max(y0, b0) > 0.6 * min(y1 - y0, b1 - b0):
                left, top, right, bottom = min(x0, a0), min(y0, b0), max(x1, a1), max(y1, b1)
                joined[index] = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
                break
        else:
            joined.append(quad)
    return joined
