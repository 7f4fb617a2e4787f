"""Recognized lines in points on the page turned upright: their type size, and the fragments of one row put together. Pure."""

import math
import re
from collections.abc import Sequence

from msgspec import Struct

from inference.text import between
from schemas.geometry import BBox, union

CELL_GAP = 1.6
"""Gap between two fragments of a row, in type sizes, from which they are apart: detectors cut lines at gaps of one and more."""

MIN_READ_WIDTH = 8.0
"""Width of a line in type sizes from which its text can be weighed against it."""
WELL_READ = 0.5
"""Share of a line's width, at average letter widths, from which it counts as read: letterspaced headings reach 0.6."""
MAX_LINE_ROOM = 400.0
"""A line holds no more type sizes than this, whatever its box says."""
_NARROW = frozenset(" iljtfr.,:;'!|()[]-")
_LEADER = re.compile(r"[.·…_\-]{3}|(?:\. ){3}")

_ASCENDING = re.compile(r"[A-Z0-9bdfhklt\u00c0-\u00de\"'(\[{|/?!&%$€£@]")
_DESCENDING = re.compile(r"[gjpqyQ,;()\[\]{}|@]")
_EAST_ASIAN = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_DEEP = re.compile(r"[gjpqyQ()\[\]{}|@]")
_CAP, _DEPTH, _COMMA_DEPTH, _X_HEIGHT, _EAST_ASIAN_HEIGHT, _EAST_ASIAN_DEPTH = 0.72, 0.2, 0.13, 0.48, 0.92, 0.12
"""Heights of ink in ems: of capitals and ascenders, of letters and of commas below the baseline, of x, of ideographs and how deep these reach;
averages of common book types."""
_RAISED = re.compile("[-–—−~=·•]+")
_RAISED_MIDDLE = 0.27
"""Signs that stand on no baseline, and how far their middle is above it in ems."""
STRAY_INK = 1.4
"""How many times as high as its letters the ink of a line may be: less than a line of any type, more than types differ."""


class Frame(Struct, frozen=True):
    """The page turned upright and straight: how text of `rotation` degrees on an image of `width_px` x `height_px` maps to points.

    Boxes come on the image turned straight about its middle by `skew` degrees; they go back as boxes on the page as it is displayed.
    """

    rotation: int
    width_px: float
    height_px: float
    x_pt_per_px: float
    y_pt_per_px: float
    skew: float = 0.0

    def to_upright(self, box: BBox) -> BBox:
        """A box in pixels of the straight image as a box in points of the upright page."""
        return self.turn(self._in_points(box))

    def to_page(self, box: BBox) -> BBox:
        """A box in pixels of the straight image as a box in points of the page as displayed."""
        return self._askew(self._in_points(box))

    def _in_points(self, box: BBox) -> BBox:
        x0, y0, x1, y1 = box
        return x0 * self.x_pt_per_px, y0 * self.y_pt_per_px, x1 * self.x_pt_per_px, y1 * self.y_pt_per_px

    def turn(self, box: BBox) -> BBox:
        """A box of the straight page on the upright page."""
        x0, y0, x1, y1 = box
        width, height = self.width_px * self.x_pt_per_px, self.height_px * self.y_pt_per_px
        if self.rotation == 90:
            return y0, width - x1, y1, width - x0
        if self.rotation == 180:
            return width - x1, height - y1, width - x0, height - y0
        if self.rotation == 270:
            return height - y1, x0, height - y0, x1
        return box

    def turn_back(self, box: BBox) -> BBox:
        """A box of the upright page on the page as displayed: around its corners, where the page lies askew."""
        return self._askew(self._turned_back(box))

    def edge_on_page(self, x: float, y: float) -> float:
        """The x on the page as displayed of a place of an upright page that is not turned by quarters."""
        return self._askew((x, y, x, y))[0]

    def _askew(self, box: BBox) -> BBox:
        """A box of the straight page on the page as it lies."""
        if not self.skew:
            return box
        sine, cosine = math.sin(math.radians(self.skew)), math.cos(math.radians(self.skew))
        middle_x, middle_y = self.width_px * self.x_pt_per_px / 2, self.height_px * self.y_pt_per_px / 2
        x0, y0, x1, y1 = box[0] - middle_x, box[1] - middle_y, box[2] - middle_x, box[3] - middle_y
        corners = [(x * cosine - y * sine + middle_x, x * sine + y * cosine + middle_y) for x in (x0, x1) for y in (y0, y1)]
        return union((x, y, x, y) for x, y in corners)

    def _turned_back(self, box: BBox) -> BBox:
        x0, y0, x1, y1 = box
        width, height = self.width_px * self.x_pt_per_px, self.height_px * self.y_pt_per_px
        if self.rotation == 90:
            return width - y1, x0, width - y0, x1
        if self.rotation == 180:
            return width - x1, height - y1, width - x0, height - y0
        if self.rotation == 270:
            return y0, height - x1, y1, height - x0
        return box


class Word(Struct, frozen=True):
    """A word of a line, from `x0` to `x1` in points of the upright page."""

    text: str
    x0: float
    x1: float


class Line(Struct, frozen=True):
    """A line or a cell of one. `box` and `size` (type size) in points of the upright page, `confidence` the mean over its characters; `words`
    from left to right, where their places are known.
    """

    box: BBox
    text: str
    confidence: float
    size: float
    words: tuple[Word, ...] = ()

    @property
    def weight(self) -> float:
        """What means are weighted by: characters, or half of those the line has room for where fewer were read."""
        room = (self.box[2] - self.box[0]) / self.size if self.size > 0 else 0.0
        return max(1.0, len(self.text), min(room, MAX_LINE_ROOM))


def words_of(line: Line) -> tuple[Word, ...]:
    """The words of a line from left to right; where their places are not known they are told by average widths of letters."""
    if line.words:
        return line.words
    words = line.text.split()
    total = sum(map(_letter_width, line.text)) or 1.0
    unit = (line.box[2] - line.box[0]) / total
    found, x, end = [], line.box[0], 0
    for word in words:
        start = line.text.index(word, end)
        x += unit * sum(map(_letter_width, line.text[end:start]))
        end = start + len(word)
        width = unit * sum(map(_letter_width, word))
        found.append(Word(word, x, x + width))
        x += width
    return tuple(found)


def _letter_width(letter: str) -> float:
    """In ems, on average over book types."""
    return 1.0 if _EAST_ASIAN.match(letter) else 0.28 if letter in _NARROW else 0.5


def width_size(line: Line) -> float:
    """Type size in points as the width of a line has it, at average widths of letters."""
    return (line.box[2] - line.box[0]) / (sum(map(_letter_width, line.text)) or 1.0)


def baseline_of(line: Line, size: float) -> float:
    """The y in points on which the letters of a line of some type size stand: its ink ends there, or as far below as its letters reach. Where far
    more ink is in its box than such letters have, a neighbour's strayed in, mostly above and below alike; the middle tells then.
    """
    if _RAISED.fullmatch(line.text):
        return (line.box[1] + line.box[3]) / 2 + _RAISED_MIDDLE * size
    if _EAST_ASIAN.search(line.text):
        top, depth = _EAST_ASIAN_HEIGHT - _EAST_ASIAN_DEPTH, _EAST_ASIAN_DEPTH
    else:
        top = _CAP if _ASCENDING.search(line.text) else _X_HEIGHT
        depth = _DEPTH if _DEEP.search(line.text) else _COMMA_DEPTH if _DESCENDING.search(line.text) else 0.0
    if line.box[3] - line.box[1] > STRAY_INK * (top + depth) * size:
        return (line.box[1] + line.box[3] + (top - depth) * size) / 2
    return line.box[3] - depth * size


def size_of(text: str, height: float) -> float:
    """Type size in points of a line whose ink is `height` points high: what a line's ink spans depends on its letters."""
    if _EAST_ASIAN.search(text):
        return height / _EAST_ASIAN_HEIGHT
    top = _CAP if _ASCENDING.search(text) else _X_HEIGHT
    return height / (top + (_DEPTH if _DESCENDING.search(text) else 0.0))


def read_share(text: str, size: float, width: float) -> float:
    """The share 0..1 of a line that its text accounts for, 1 unless it is clearly less than the whole.

    A model passes over characters that it does not know without a word: a Korean line came back as a few Latin letters of good
    confidence. Short lines, letterspaced ones and leaders are left alone.
    """
    if size <= 0 or width < MIN_READ_WIDTH * size or _LEADER.search(text):
        return 1.0
    length = sum(map(_letter_width, text)) * size
    return min(1.0, length / width / WELL_READ)


def cells_of_row(fragments: Sequence[Line]) -> list[Line]:
    """The fragments of one row from left to right, neighbours put together unless a gap wider than `CELL_GAP` parts them."""
    cells: list[Line] = []
    for fragment in sorted(fragments, key=lambda f: (f.box[0], f.box[2])):
        if cells and fragment.box[0] - cells[-1].box[2] < CELL_GAP * max(fragment.size, cells[-1].size):
            cells[-1] = merged(cells[-1], fragment)
        else:
            cells.append(fragment)
    return cells


def merged(left: Line, right: Line) -> Line:
    """Two neighbours as one line; the size is the one most characters have."""
    weight = left.weight + right.weight
    return Line(
        union((left.box, right.box)),
        left.text + between(left.text, right.text) + right.text,
        (left.confidence * left.weight + right.confidence * right.weight) / weight,
        left.size if left.weight >= right.weight else right.size,
        (*words_of(left), *words_of(right)),
    )
