"""A small grey bitmap of a page, and what its ink says about the text layer.

Promise: looks at pixels only, at most `MAX_PIXELS` of them, so that its cost is bounded whatever the page holds. Pixel rows and columns follow the
page as displayed; callers bring their boxes into that space. Must not know text, fonts or scripts: lines of any writing look alike here.

Method: ink is what differs from the commonest grey of the page. Long straight runs (rules, frames) are taken out. In strips as wide as half an inch,
text shows as short inked runs, apart from each other, with many black-to-white changes along each row; pictures and shading do not look so.
"""

from collections.abc import Sequence

import numpy as np
import pymupdf
from msgspec import Struct
from numpy.typing import NDArray

from schemas.geometry import BBox

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]

DPI = 72.0
"""One pixel a point: the coarsest at which lines of 7 pt are still apart."""
MAX_PIXELS = 1_200_000
"""An A3 page at 72 dpi; larger pages are looked at more coarsely."""
MAX_SIDE = 6_000
MIN_CONTRAST = 44
"""Grey levels: show-through and scanner haze stay below it, pencil and grey print above."""
LEGIBLE_PT = 5.0
"""A page less high or wide holds no letter that could be read."""
MARGIN = 0.025
"""Share of each side that is not looked at for blank pages: scanner shadow."""
SPECK_PIXELS = 14
"""Inked pixels in a tile of 24 pt: one printed digit of 9 pt has more, dust has less."""
STRIP_PT = 36.0
RULE_PT = 26.0
"""Straight runs longer than this are rules, frames or shading, not strokes of letters."""
LINE_PT = (3.0, 26.0)
DENSITY = (0.06, 0.72)
CHANGES = 4.0
"""Least mean number of black-to-white changes along a row of a strip."""
SOME_DENSITY, SOME_CHANGES, MOST_INK = 0.02, 1.5, 0.3
"""The same for a single short number in a strip, which counts where only shares are taken; and the share of a page's ink that must look so."""
WIDTH_OF_HEIGHT = 0.77
"""Width of a character for the height of its line's ink: fitted so that sound pages of Latin text come out right."""
ENOUGH_CHARACTERS = 120.0
"""So much lying text settles that the page is not turned."""
USUAL = 75
"""Percentile of the boxes' ink that stands for solid text, however many boxes are half leaders."""
THIN = 0.5
"""Ink of leader dots against that of solid text: 0.1-0.45; letters of thin fonts and other scripts are above 0.6."""
PAD_PT = 2.0
"""Glyph boxes are widened by this: ink of accents, italics and loose boxes of recognised text."""


class Bitmap(Struct, frozen=True):
    """A page in grey: `grey` is (height, width); `scale` pixels a point."""

    grey: Grey
    scale: float


class Ink(Struct, frozen=True, kw_only=True):
    """What the bitmap shows.

    `blank`: nothing but specks and scanner shadow. `stray_characters`: about how many characters the text-like ink outside all boxes is;
    `stray_line_characters`: of these, in lines of two inches or more, which labels of charts hardly ever are. `empty_share`: share of the
    characters whose box has no ink at all. `thin_runs`: for each run, whether its ink is as thin as dots. `whole_characters` and
    `whole_line_characters`: the same of all text-like ink, in boxes or not, and `outside_share`: the share of that ink that is in none; 0 where it
    was not asked for.
    """

    blank: bool
    stray_characters: float = 0.0
    stray_line_characters: float = 0.0
    empty_share: float = 0.0
    thin_runs: tuple[bool, ...] = ()
    whole_characters: float = 0.0
    whole_line_characters: float = 0.0
    outside_share: float = 0.0


class _Runs(Struct, frozen=True):
    """Stretches of inked rows in strips: first row, row behind the last, strip, inked pixels, height in points, share of it inked, changes a row."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    strips: NDArray[np.int64]
    ink: NDArray[np.int32]
    tall: NDArray[np.float64]
    density: NDArray[np.float64]
    changes: NDArray[np.float64]

    def alike(self, density: float, changes: float) -> Mask:
        """Those as high as lines, neither pale nor solid, with so many changes."""
        found: Mask = (self.tall >= LINE_PT[0]) & (self.tall <= LINE_PT[1]) & (self.density >= density) & (self.density <= DENSITY[1])
        return found & (self.changes >= changes)


def render_bitmap(page: pymupdf.Page, part: BBox | None = None, drawn: pymupdf.DisplayList | None = None) -> Bitmap:
    """The page as displayed, or a part of it, annotations drawn, bounded in pixels before anything is rendered. `drawn`: what `get_displaylist`
    gives of the page, for those who look at several parts: making it takes as long as drawing one.
    """
    clip = page.rect if part is None else pymupdf.Rect(part) & page.rect
    width, height = max(clip.width, 1e-3), max(clip.height, 1e-3)
    scale = min(DPI / 72, (MAX_PIXELS / (width * height)) ** 0.5, MAX_SIDE / max(width, height))
    drawing = page.get_displaylist() if drawn is None else drawn
    pixmap = drawing.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=0, clip=None if part is None else clip)
    grey = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width]
    return Bitmap(grey, scale)


def ink_mask(bitmap: Bitmap) -> Mask:
    """Pixels that differ clearly from the commonest grey."""
    background = int(np.bincount(bitmap.grey.ravel(), minlength=256).argmax())
    ink: Mask = bitmap.grey > min(background + MIN_CONTRAST, 255)
    if background > MIN_CONTRAST:
        ink |= bitmap.grey < background - MIN_CONTRAST
    return ink


def strokes_of(bitmap: Bitmap) -> Mask:
    """The ink less rules and frames: what may be letters."""
    return _without_rules(ink_mask(bitmap), bitmap.scale)


def is_blank(ink: Mask, scale: float) -> bool:
    """Whether nothing but specks and shadow at the edges is inked: no tile of 24 pt has as much ink as one small digit."""
    height, width = ink.shape
    if min(height, width) < LEGIBLE_PT * scale:
        return True
    top, left = int(height * MARGIN), int(width * MARGIN)
    inner = ink[top : height - top, left : width - left]
    if not inner.any():
        return True
    if min(inner.shape) < 48:
        return False
    tile = max(4, round(24 * scale))
    rows, columns = -(-inner.shape[0] // tile), -(-inner.shape[1] // tile)
    padded = np.zeros((rows * tile, columns * tile), np.uint8)
    padded[: inner.shape[0], : inner.shape[1]] = inner
    sums = padded.reshape(rows, tile, columns, tile).sum(axis=(1, 3), dtype=np.int32)
    # A digit on the border of two tiles is split between them.
    pairs = np.maximum(sums[:-1] + sums[1:], 0).max(initial=0), (sums[:, :-1] + sums[:, 1:]).max(initial=0)
    return max(int(sums.max()), *map(int, pairs)) < SPECK_PIXELS * scale * scale


def measure(bitmap: Bitmap, boxes: Sequence[BBox], weights: Sequence[int], runs: Sequence[BBox] = (), *, whole: bool = False) -> Ink:
    """Compares ink and boxes both ways. Boxes are points of the page as displayed.

    `boxes` hold all text of the layer, `weights` the characters in each; `runs` are parts of them that may be leader dots. `whole`: the page's ink is
    measured in boxes, too, so that its share outside of them is known, whatever the script: letters of some are twice as wide as those of others.
    """
    ink = ink_mask(bitmap)
    blank = is_blank(ink, bitmap.scale)
    if blank and not boxes:
        return Ink(blank=True)
    edges = _pixel_boxes(boxes, bitmap)
    density = _density(ink, edges)
    weight = np.asarray(weights, np.float64)
    thin: tuple[bool, ...] = ()
    if runs:
        usual = float(np.percentile(density, USUAL))
        thin = tuple((_density(ink, _pixel_boxes(runs, bitmap)) < THIN * usual).tolist())
    strokes = _without_rules(ink, bitmap.scale)
    pad = max(1, round(PAD_PT * bitmap.scale))
    everything = _text_like(strokes, bitmap.scale) if whole else (0.0, 0.0)
    before = strokes.copy() if whole else strokes
    for x0, y0, x1, y1 in edges.tolist():
        strokes[max(0, y0 - pad) : y1 + pad, max(0, x0 - pad) : x1 + pad] = False
    stray, lines = _text_like(strokes, bitmap.scale)
    empty = float(weight[density == 0].sum() / max(weight.sum(), 1))
    return Ink(
        blank=blank, stray_characters=stray, stray_line_characters=lines, empty_share=empty, thin_runs=thin,
        whole_characters=everything[0], whole_line_characters=everything[1],
        outside_share=_outside_share(before, strokes, bitmap.scale) if whole else 0.0,
    )  # fmt: skip


def _pixel_boxes(boxes: Sequence[BBox], bitmap: Bitmap) -> NDArray[np.int64]:
    """Boxes in whole pixels inside the bitmap, (n, 4); boxes off the page become empty."""
    height, width = bitmap.grey.shape
    edges = np.nan_to_num(np.asarray(boxes, np.float64).reshape(-1, 4), posinf=1e9, neginf=-1e9) * bitmap.scale
    edges[:, :2], edges[:, 2:] = np.floor(edges[:, :2]), np.ceil(edges[:, 2:])
    limits = np.array([width, height, width, height], np.float64)
    return np.clip(edges, 0, limits).astype(np.int64)


def _density(ink: Mask, edges: NDArray[np.int64]) -> NDArray[np.float64]:
    """Share of each box that is inked; 0 for boxes of no size."""
    inside = [np.count_nonzero(ink[y0:y1, x0:x1]) for x0, y0, x1, y1 in edges.tolist()]
    x0, y0, x1, y1 = edges.T
    density: NDArray[np.float64] = np.asarray(inside, np.float64) / ((x1 - x0) * (y1 - y0)).clip(1)
    return density


def _without_rules(ink: Mask, scale: float) -> Mask:
    """The ink less straight runs longer than any stroke of a letter, across and down."""
    length = max(3, round(RULE_PT * scale))
    return ink & ~_opened(ink, length) & ~_opened(ink.T, length).T


def _opened(mask: Mask, length: int) -> Mask:
    """Runs of at least `length` pixels downwards: a morphological opening whose runs double with each step, eight columns in a byte."""
    if len(mask) < length:
        return np.zeros_like(mask)
    starts, reach = np.packbits(mask, axis=1), 1
    while reach < length:  # starts[y]: the `reach` pixels from y on are all set
        step = min(reach, length - reach)
        starts = starts[:-step] & starts[step:]
        reach += step
    opened, covered = np.zeros((len(mask), starts.shape[1]), np.uint8), 1
    opened[: len(starts)] = starts
    while covered < length:  # opened[y]: a run starts at one of the `covered` pixels up to y
        step = min(covered, length - covered)
        opened[step:] |= opened[:-step].copy()
        covered += step
    return np.unpackbits(opened, axis=1, count=mask.shape[1]).view(np.bool_)


def _text_like(strokes: Mask, scale: float) -> tuple[float, float]:
    """(characters, characters in lines), of text lying or, where little of that is found, standing: a scan may be turned by 90 degrees."""
    lying = _characters(strokes, scale)
    return lying if lying[1] >= ENOUGH_CHARACTERS else max(lying, _characters(np.ascontiguousarray(strokes.T), scale), key=lambda found: found[1])


def _characters(strokes: Mask, scale: float) -> tuple[float, float]:
    """Sums over strips of text-like runs of rows; each is worth the characters that such a line has in a strip."""
    found = _runs(strokes, scale)
    if found is None:
        return 0.0, 0.0
    like = found.alike(DENSITY[0], CHANGES)
    worth = STRIP_PT / (WIDTH_OF_HEIGHT * found.tall[like].clip(5))
    shape = len(strokes), strokes.shape[1] // _strip(scale)
    return float(worth.sum()), float(worth[_in_line(found.starts[like], found.ends[like], found.strips[like], shape)].sum())


def _outside_share(strokes: Mask, outside: Mask, scale: float) -> float:
    """Share of the ink of text-like runs that lies outside the boxes (`outside`: the strokes without those in boxes). Short numbers count as prose
    does, so that it holds for tables. 0 where too little of the ink looks like text.
    """
    found, total = _runs(strokes, scale), np.count_nonzero(strokes)
    if found is None:
        return 0.0
    like = found.alike(SOME_DENSITY, SOME_CHANGES)
    inked = int(found.ink[like].sum())
    if not inked or inked < MOST_INK * total:
        return 0.0
    strip = _strip(scale)
    columns = strokes.shape[1] // strip
    sums = np.zeros((len(strokes) + 1, columns), np.int32)
    np.cumsum(_summed(outside[:, : columns * strip].reshape(-1, columns, strip)), axis=0, out=sums[1:])
    strips = found.strips[like]
    return float((sums[found.ends[like], strips] - sums[found.starts[like], strips]).sum() / inked)


def _strip(scale: float) -> int:
    """Pixels of a strip's width."""
    return max(6, round(STRIP_PT * scale))


def _summed(strips: Mask) -> NDArray[np.int32]:
    """How many pixels are set in each row of each strip, (height, columns) of (height, columns, strip); `sum` takes three times as long for it."""
    found: NDArray[np.int32] = np.einsum("ijk->ij", strips.astype(np.int32))
    return found


def _runs(strokes: Mask, scale: float) -> _Runs | None:
    """All runs of inked rows of all strips; None where there is none."""
    strip = _strip(scale)
    height, width = strokes.shape
    columns = width // strip
    if not columns or height < 3:
        return None
    cut = strokes[:, : columns * strip].reshape(height, columns, strip)
    sums = np.zeros((2, height + 1, columns), np.int32)
    counts = _summed(cut)
    np.cumsum(counts, axis=0, out=sums[0, 1:])
    np.cumsum(_summed(cut[:, :, 1:] != cut[:, :, :-1]), axis=0, out=sums[1, 1:])
    inked = np.zeros((height + 2, columns), np.int8)
    inked[1:-1] = counts >= 2
    steps = np.diff(inked, axis=0).T
    column, starts = np.nonzero(steps == 1)
    ends = np.nonzero(steps == -1)[1]
    if not len(starts):
        return None
    rows = ends - starts
    ink, changes = sums[:, ends, column] - sums[:, starts, column]
    return _Runs(starts, ends, column, ink, rows / scale, ink / (rows * strip), changes / rows)


def _in_line(starts: NDArray[np.int64], ends: NDArray[np.int64], column: NDArray[np.int64], shape: tuple[int, int]) -> Mask:
    """Which runs have text-like runs beside them, so that three or more strips stand in one line."""
    beside = np.zeros((shape[0] + 1, shape[1] + 4), np.int8)
    np.add.at(beside, (starts, column + 2), 1)
    np.add.at(beside, (ends, column + 2), -1)
    text = np.cumsum(beside, axis=0) > 0
    middle, place = (starts + ends) // 2, column + 2
    far_left, left, right, far_right = (text[middle, place + step] for step in (-2, -1, 1, 2))
    result: Mask = (far_left & left) | (left & right) | (right & far_right)
    return result
