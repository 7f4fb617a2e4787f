"""Pixels of a page: decoding with a bound, turning, cutting out lines, and how much ink there is. The only door to OpenCV here.

Images are arrays of shape (height, width, 3), BGR, 8 bit. Knows no model and no text.
"""

import math
import struct
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from schemas.errors import Code, PageloomError
from schemas.events import PageImage
from schemas.geometry import BBox

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Quad = NDArray[np.float32]
"""Four corners (x, y) of a line of text, shape (4, 2): clockwise from the corner that is at the top left of the upright image."""

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
SMALLER_FROM = 0.9
"""Share of a page's resolution from which it is not worth making it smaller."""
INK_SAMPLE_PIXELS = 500_000
"""Ink is counted on an image of about this size: enough to see a line of 6 pt print, a few ms."""
INK_CONTRAST = 48
"""Gray levels between paper and ink: more than JPEG noise and paper texture, less than a light gray print."""
MARK_CONTRAST = 20
"""Gray levels between a mark and the mean around it: a hairline that a scan has blurred keeps 30, noise and the blocks of a JPEG stay below."""
COLOURFUL = 64
"""Levels between the channels of a pixel from which it is in colour: shaded tables and yellowed paper have less."""


class PagePixels:
    """One page image, decoded when it is first asked for. Raises PageloomError for what is no PNG of at most `max_pixels`."""

    def __init__(self, image: PageImage, png: bytes, max_pixels: int) -> None:
        self.image = image
        self.png = png
        self._max_pixels = max_pixels

    @cached_property
    def bgr(self) -> Pixels:
        """The decoded image."""
        width, height = png_size(self.png)
        if width * height > self._max_pixels:
            raise PageloomError(Code.TOO_MANY_PIXELS, f"image of page {self.image.page} has {width} x {height} pixels, limit {self._max_pixels}")
        decoded: Any = cv2.imdecode(np.frombuffer(self.png, np.uint8), cv2.IMREAD_COLOR)
        if decoded is None:
            raise PageloomError(Code.CORRUPT, f"image of page {self.image.page} is a damaged PNG")
        return np.asarray(decoded, np.uint8)

    @cached_property
    def ink(self) -> float:
        """The share 0..1 of pixels that are not paper."""
        return ink_share(self.bgr)


def png_at(page: PagePixels, dpi: float) -> bytes:
    """The PNG of a page at no more than `dpi`: as it is, or made smaller where it was rendered at clearly more. Raises PageloomError."""
    shown = bgr_at(page, dpi)
    return page.png if shown is page.bgr else png_of(shown)


def png_of(pixels: Pixels) -> bytes:
    """An image as a PNG. Raises PageloomError."""
    made, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not made:
        raise PageloomError(Code.INTERNAL, f"an image of {pixels.shape[1]} x {pixels.shape[0]} pixels cannot be written as a PNG")
    return bytes(data)


def bgr_at(page: PagePixels, dpi: float) -> Pixels:
    """The pixels of a page at no more than `dpi`."""
    scale = dpi / page.image.dpi if page.image.dpi > 0 else 1.0
    return page.bgr if scale > SMALLER_FROM else smaller(page.bgr, scale)


def resized(bgr: Pixels, width: int, height: int) -> Pixels:
    """The image at another size, between its pixels where it grows."""
    return np.asarray(cv2.resize(bgr, (width, height)), np.uint8)


def png_size(png: bytes) -> tuple[int, int]:
    """(width, height) as the header says, before anything is decompressed. Raises PageloomError for what is no PNG."""
    if len(png) < 33 or png[:8] != PNG_SIGNATURE or png[12:16] != b"IHDR":
        raise PageloomError(Code.CORRUPT, "a page image is no PNG")
    width, height = struct.unpack(">II", png[16:24])
    if not width or not height:
        raise PageloomError(Code.CORRUPT, "a page image has no pixels")
    return width, height


def ink_share(bgr: Pixels) -> float:
    """The share 0..1 of pixels that differ from the paper, which is the commonest gray level (so white on black counts as well)."""
    return float(np.mean(_inked(bgr)[0]))


def ink_box(bgr: Pixels) -> BBox:
    """The box around all pixels that differ from the paper; the whole image where none does."""
    inked, scale = _inked(bgr)
    height, width = bgr.shape[:2]
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    if not len(rows):
        return 0.0, 0.0, float(width), float(height)
    x0, y0, x1, y1 = columns[0] / scale, rows[0] / scale, (columns[-1] + 1) / scale, (rows[-1] + 1) / scale
    return float(x0), float(y0), float(min(x1, width)), float(min(y1, height))


def _inked(bgr: Pixels) -> tuple[Mask, float]:
    """Where a smaller copy of an image differs from the paper, and its scale."""
    height, width = bgr.shape[:2]
    scale = min(1.0, (INK_SAMPLE_PIXELS / (height * width)) ** 0.5)
    gray = gray_of(smaller(bgr, scale))
    return np.asarray(np.abs(gray.astype(np.int16) - paper_level(gray)) > INK_CONTRAST), scale


def paper_level(gray: Pixels) -> int:
    """The gray level of the paper: the commonest one, with its neighbours."""
    return int(np.convolve(np.bincount(gray.ravel(), minlength=256), np.ones(9), "same").argmax())


def gray_of(bgr: Pixels) -> Pixels:
    """The gray levels of an image, (height, width)."""
    return np.ascontiguousarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def levels_of(bgr: Pixels) -> Pixels:
    """The levels of an image, (height, width), in which colours are as dark as their darkest channel, but tints of paper are as they look."""
    darkest = bgr.min(axis=2)
    return np.ascontiguousarray(np.where(bgr.max(axis=2) - darkest >= COLOURFUL, darkest, gray_of(bgr)))


def padded(bgr: Pixels, min_side: int) -> tuple[Pixels, int, int]:
    """(the image with a border in the colour of its edge, so that each side has `min_side` pixels; the border's width at the left, at the top)."""
    height, width = bgr.shape[:2]
    left, top = max(8, (min_side - width + 1) // 2), max(8, (min_side - height + 1) // 2)
    return np.asarray(cv2.copyMakeBorder(bgr, top, top, left, left, cv2.BORDER_REPLICATE), np.uint8), left, top


def turned(bgr: Pixels, clockwise: int) -> Pixels:
    """The image turned by a multiple of 90 degrees clockwise."""
    return np.ascontiguousarray(np.rot90(bgr, -(clockwise // 90) % 4))


def turned_quads(quads: list[Quad], clockwise: int, width: int, height: int) -> list[Quad]:
    """Corners on an image of `width` x `height` after the image is turned clockwise; still clockwise from the top left."""
    clockwise %= 360
    if clockwise == 90:
        return [np.array([(height - y, x) for x, y in np.roll(quad, 1, axis=0)], np.float32) for quad in quads]
    if clockwise == 180:
        return [np.array([(width - x, height - y) for x, y in np.roll(quad, 2, axis=0)], np.float32) for quad in quads]
    if clockwise == 270:
        return [np.array([(y, width - x) for x, y in np.roll(quad, -1, axis=0)], np.float32) for quad in quads]
    return quads


def straightened(pixels: Pixels, clockwise: float) -> Pixels:
    """An image that lies askew by some degrees clockwise, turned straight about its middle; of the same size, its edges drawn out."""
    height, width = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), clockwise, 1.0)
    return np.asarray(cv2.warpAffine(pixels, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_LINEAR), np.uint8)


def straightened_quads(quads: list[Quad], clockwise: float, width: int, height: int) -> list[Quad]:
    """Corners on an image of `width` x `height` after the image is turned straight; a negative angle takes them back."""
    if not clockwise:
        return quads
    angle = math.radians(clockwise)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    middle = np.array([width / 2, height / 2])
    return [((quad - middle) @ turn + middle).astype(np.float32) for quad in quads]


def dark_marks(gray: Pixels, reach: int) -> Pixels:
    """1 where a pixel is darker than its surroundings, a square of about `reach` pixels, else 0: print on any paper, thin lines too."""
    side = max(3, reach | 1)
    around = cv2.boxFilter(gray, -1, (side, side))
    return np.asarray(cv2.subtract(around, gray) > MARK_CONTRAST, np.uint8)


def behind_print(gray: Pixels, scale: float) -> tuple[Pixels, float]:
    """(the gray levels behind the print of an image, at a smaller size; that size over the image's own). `scale` is what is wanted, 1 at most;
    strokes up to three of its pixels are closed over.
    """
    scale = min(1.0, scale)
    small = smaller(gray, scale)
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.medianBlur(closed, 5), np.uint8), scale


def painted_over(gray: Pixels, boxes: Sequence[BBox], margin: int) -> Pixels:
    """The image with boxes of whole pixels, and a margin around them, in the commonest gray level of the image: its paper."""
    painted = gray.copy()
    paper = int(np.bincount(gray.ravel(), minlength=256).argmax())
    for x0, y0, x1, y1 in boxes:
        painted[max(0, int(y0) - margin) : int(y1) + margin, max(0, int(x0) - margin) : int(x1) + margin] = paper
    return painted


def straight_runs(marks: Pixels, gap: int, length: int, *, upright: bool) -> list[tuple[int, int, int, int]]:
    """Boxes of the straight runs of marked pixels, along rows or (`upright`) columns, of at least `length` pixels; gaps up to `gap` are closed."""
    sides = [max(1, gap + 1) | 1, max(1, length) | 1]  # odd: an even element moves what it opens by a pixel
    bridge, bar = (np.ones((side, 1) if upright else (1, side), np.uint8) for side in sides)
    return connected_boxes(cv2.morphologyEx(cv2.morphologyEx(marks, cv2.MORPH_CLOSE, bridge), cv2.MORPH_OPEN, bar))


def connected_boxes(marks: Pixels) -> list[tuple[int, int, int, int]]:
    """The boxes around marks that touch."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
    return [(x, y, x + width, y + height) for x, y, width, height, _ in stats[1:].tolist()]


def smaller(pixels: Pixels, scale: float) -> Pixels:
    """An image, in gray levels or in colour, at a smaller size: each pixel is the mean of those that it stands for."""
    height, width = pixels.shape[:2]
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def closed_over(marks: Pixels, gap: int) -> Pixels:
    """Marks with what lies between them, where that is no wider than a gap of pixels."""
    side = max(1, gap) | 1
    return np.asarray(cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)


def hanging_together(marks: Pixels, gap: int, seeds: Mask, share: float) -> Mask:
    """Marks, and what lies between them where that is no wider than a gap of pixels, in those parts of which at least a share 0..1 is seeds."""
    count, labels = cv2.connectedComponents(closed_over(marks, gap), connectivity=8)
    sizes = np.bincount(labels.ravel(), minlength=count)
    seeded = np.bincount(labels.ravel(), weights=(seeds & (marks > 0)).ravel(), minlength=count)
    kept = seeded >= share * np.maximum(sizes, 1)
    kept[0] = False
    return np.asarray(kept[labels], np.bool_)


def bounds_of(quad: Quad) -> BBox:
    """The upright box around four corners, in the same pixels."""
    return float(quad[:, 0].min()), float(quad[:, 1].min()), float(quad[:, 0].max()), float(quad[:, 1].max())


def quad_of(box: BBox) -> Quad:
    """The corners of an upright box."""
    x0, y0, x1, y1 = box
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32)


def cut_out(bgr: Pixels, quad: Quad) -> Pixels:
    """The part of the image inside four corners, straightened; at least one pixel in each direction."""
    width = max(1, int(max(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[2] - quad[3]))))
    height = max(1, int(max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2]))))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    cut = cv2.warpPerspective(bgr, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC)
    return np.asarray(cut, np.uint8)


def line_ink(line: Pixels) -> Mask:
    """Where a line that was cut out has ink, (height, width)."""
    gray = cv2.cvtColor(line, cv2.COLOR_BGR2GRAY).astype(np.int16)
    paper = int(np.median(gray))
    contrast = max(INK_CONTRAST // 2, int(0.35 * max(int(gray.max()) - paper, paper - int(gray.min()))))
    return np.asarray(np.abs(gray - paper) > contrast)


def inked_rows(ink: Mask) -> tuple[int, int]:
    """(first row, one past the last) of the ink of a line itself; all rows where there is none.

    Ink of neighbouring lines at the edges stays out: only the runs of inked rows that reach into the middle half count, and of several not one
    that an edge cuts off and that lies mostly beyond that half.
    """
    height = len(ink)
    inked = np.concatenate(([False], ink.sum(axis=1) > 0.001 * ink.shape[1], [False]))
    starts, ends = (np.flatnonzero(inked[1:] & ~inked[:-1]), np.flatnonzero(~inked[1:] & inked[:-1]))
    runs = [(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True) if start < 0.75 * height and end > 0.25 * height]
    whole = [(start, end) for start, end in runs if (start > 0 and end < height) or 0.25 * height <= (start + end) / 2 <= 0.75 * height]
    runs = whole or runs
    return (runs[0][0], runs[-1][1]) if runs and runs[-1][1] - runs[0][0] >= 2 else (0, height)


def narrowed(quad: Quad, top: float, bottom: float) -> Quad:
    """The corners drawn in to the part between two shares 0..1 of their height: detectors leave a margin that depends on the size they
    looked at; type sizes and row distances need the ink itself.
    """
    tl, tr, br, bl = quad
    return np.array([tl + (bl - tl) * top, tr + (br - tr) * top, tr + (br - tr) * bottom, tl + (bl - tl) * bottom], np.float32)


def part_of(quad: Quad, left: float, right: float) -> Quad:
    """The corners of the part of a line between two shares 0..1 of its length."""
    tl, tr, br, bl = quad
    return np.array([tl + (tr - tl) * left, tl + (tr - tl) * right, bl + (br - bl) * right, bl + (br - bl) * left], np.float32)


def use_one_thread() -> None:
    """Keeps OpenCV of this process to one thread: processes are the unit of parallel work."""
    cv2.setNumThreads(1)
