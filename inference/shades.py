"""The shaded backgrounds on the image of a page: boxes of one gray level behind print, as rows and headers of tables have them. Knows no model.

Method: what is printed is closed over by its surroundings, and what is then still darker than the paper is cut into boxes where its edges or its
level change. Everything is measured in type sizes of the page. The image must lie straight.
"""

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from inference.images import Mask, Pixels, behind_print, connected_boxes
from inference.types import Shade
from schemas.geometry import BBox, scaled

Rows = NDArray[np.floating[Any] | np.integer[Any]]
"""A value for each row of pixels."""
GRAIN = 8
"""Pixels of a type size on the image that is looked at: edges are told to an eighth of one, and noise is averaged away."""
LEAST_CONTRAST = 7
"""Gray levels between a shade and the paper: the lightest stripes that are printed have 10; the paper of a worn scan varies by 3."""
SAME_LEVEL, SAME_EDGE = 5.0, 1
"""Gray levels, and pixels of the smaller image, within which rows of pixels are of one box."""
LEAST_WIDTH, LEAST_HEIGHT = 6.0, 0.8
"""In type sizes: a shade is behind a cell at least; a bold word whose letters closed up has 4."""
FILLED = 0.6
"""Share of a row of pixels between its ends: white print on a dark header leaves so much."""
MOST_OF_PAGE = 0.9
"""Share of the page in each direction from which a box is its background, or the shadow of its book."""
MAX_PARTS, MAX_SHADES = 1_000, 400
"""Darker parts looked at, and boxes kept, of a page: a long striped table has 60; more are pictures."""
MOST_LOOKED_AT = 4
"""Times the page: boxes of shades lie beside each other, or within a few others; those of a hatch's strokes lie all over each other."""
LEAST_SIZE = 4.0
"""Pixels: print of less is not read."""


def shades_of(gray: Pixels, size: float) -> list[Shade]:
    """The shades of an image of gray levels, from top to bottom, in its pixels. `size` is the usual type size in pixels."""
    behind, scale = behind_print(gray, GRAIN / max(LEAST_SIZE, size))
    paper = int(np.convolve(np.bincount(behind.ravel(), minlength=256), np.ones(5), "same").argmax())
    darker = behind < paper - LEAST_CONTRAST
    height, width = behind.shape
    found: list[Shade] = []
    room = MOST_LOOKED_AT * height * width
    for x0, y0, x1, y1 in connected_boxes(darker.astype(np.uint8))[:MAX_PARTS]:
        size_px = (x1 - x0) * (y1 - y0)
        if x1 - x0 >= LEAST_WIDTH * GRAIN and y1 - y0 >= LEAST_HEIGHT * GRAIN and size_px <= room:
            room -= size_px
            found += _boxes_of(darker[y0:y1, x0:x1], behind[y0:y1, x0:x1], x0, y0)
    kept = [shade for shade in found if not _is_background(shade.box, width, height)]
    kept.sort(key=lambda shade: (shade.box[1], shade.box[0]))
    return [Shade(scaled(shade.box, 1 / scale), shade.gray) for shade in kept[:MAX_SHADES]]


def _is_background(box: BBox, width: int, height: int) -> bool:
    return box[2] - box[0] >= MOST_OF_PAGE * width and box[3] - box[1] >= MOST_OF_PAGE * height


def _boxes_of(darker: Mask, behind: Pixels, left: int, top: int) -> list[Shade]:
    """The boxes that a darker part is made of: runs of rows with the same edges and level."""
    width = darker.shape[1]
    count = darker.sum(axis=1)
    first, last = _steady(darker.argmax(axis=1)), _steady(width - darker[:, ::-1].argmax(axis=1))
    level = _steady((behind * darker).sum(axis=1) / np.maximum(count, 1))
    shades: list[Shade] = []
    start = 0
    for row in range(len(count) + 1):
        if row < len(count) and row > start and _goes_on(first, last, level, row, start):
            continue
        x0, x1 = (float(np.median(ends[start:row])) if row > start else 0.0 for ends in (first, last))
        if row - start >= LEAST_HEIGHT * GRAIN and x1 - x0 >= LEAST_WIDTH * GRAIN and count[start:row].mean() >= FILLED * (x1 - x0):
            box = left + x0, float(top + start), left + x1, float(top + row)
            shades.append(Shade(box, round(float(np.median(level[start:row])), 1)))
        start = row
    return shades


def _steady(values: Rows) -> Rows:
    """The median of each value and its two neighbours on both sides: noise moves the end of a single row."""
    steady: Rows = np.median(sliding_window_view(np.pad(values, 2, mode="edge"), 5), axis=1)
    return steady


def _goes_on(first: Rows, last: Rows, level: Rows, row: int, start: int) -> bool:
    """Whether a row of pixels is of the box that began at `start`: it is like the row in that box's middle so far."""
    like = (start + row) // 2
    return bool(
        abs(first[row] - first[like]) <= SAME_EDGE and abs(last[row] - last[like]) <= SAME_EDGE and abs(level[row] - level[like]) <= SAME_LEVEL
    )
