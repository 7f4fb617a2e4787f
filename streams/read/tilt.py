"""Pages whose lines run uphill or downhill: scans that lay askew, or text turned by a few degrees. Found from the lines, and undone in their boxes.

Promise: pure; a page whose lines are level, nearly every one, pays for a look at the heights of its long lines. A tilt is believed only where long
lines agree on it: their direction says it, or, where recognised words are set upright on a slanting line, the line's box is higher than its type.
What comes out stands as if the page had been turned back about its middle; `displayed` takes blocks to where they stand on the page.
"""

import math
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from schemas.content import Block, BlockType
from schemas.geometry import BBox, center, rounded, union
from streams.read.turning import Matrix, inverse, turn_box

LEAST, MOST = 0.4, 15.0
"""Degrees. Less moves the end of a line by less than half its height; more is text that is meant to stand askew."""
LONG_LETTERS = 12
"""Characters of a line whose direction counts."""
AGREE = 0.6
"""Degrees around the middle one within which long lines agree."""
MOSTLY = 0.7
"""Share of the characters in long lines that must agree."""
MIN_LINES = 3
MAX_LINES = 150
"""Lines looked at: a page has a hundred."""
LEVEL = (1.0, 0.0)
PLAIN_HEIGHT = 1.2
"""Height of a line in sizes of its type up to which it is level, without a closer look."""
HIGHER = 0.3
"""By so many sizes of type a line of upright characters must be higher than they are, before it slants: superscripts make it 0.2 higher."""
START = 0.25
"""Sizes of type within which the first character stands at the upper or the lower end of such a line."""

Point = tuple[float, float]


def tilt_of(content: Mapping[str, Any]) -> float:
    """Degrees clockwise by which the lines of a page's text dictionary run downhill, to the nearest right angle; 0 for a level page."""
    found = _slopes(content)
    if len(found) < MIN_LINES or not any(slope for slope, _ in found):
        return 0.0
    found.sort()
    total, passed, middle = sum(letters for _, letters in found), 0, 0.0
    for slope, letters in found:
        passed += letters
        if 2 * passed >= total:
            middle = slope
            break
    agreeing = [(slope, letters) for slope, letters in found if abs(slope - middle) <= AGREE]
    count = sum(letters for _, letters in agreeing)
    mean = sum(slope * letters for slope, letters in agreeing) / max(count, 1)
    return mean if count >= MOSTLY * total and LEAST <= abs(mean) <= MOST else 0.0


def _slopes(content: Mapping[str, Any]) -> list[tuple[float, int]]:
    """The slope of each long line, and its letters."""
    found: list[tuple[float, int]] = []
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            spans = line["spans"]
            letters = len(spans[0]["text"]) if len(spans) == 1 else sum(len(span["text"]) for span in spans)
            if letters < LONG_LETTERS or line["wmode"]:
                continue
            box = line["bbox"]
            level = line["dir"] == LEVEL and box[3] - box[1] <= PLAIN_HEIGHT * spans[0]["size"]
            found.append((0.0 if level else _slope(line), letters))
            if len(found) >= MAX_LINES:
                return found
    return found


def _slope(line: Mapping[str, Any]) -> float:
    """Degrees by which a line runs downhill, to the nearest right angle: -45 to 45."""
    dx, dy = line["dir"]
    if line["dir"] == LEVEL:
        return _slope_of_upright(line)
    if not (math.isfinite(dx) and math.isfinite(dy)):
        return 0.0
    degrees = math.degrees(math.atan2(dy, dx))
    return degrees - 90 * round(degrees / 90)


def _slope_of_upright(line: Mapping[str, Any]) -> float:
    """The same of a line whose characters stand upright, each a little lower or higher than the one before."""
    first = line["spans"][0]
    size: float = first["size"]
    x0, y0, x1, y1 = line["bbox"]
    rise = min(max(first["ascender"], 0.5), 2.0) * size
    fall = min(max(-first["descender"], 0.0), 1.0) * size
    more = y1 - y0 - rise - fall
    if more <= HIGHER * size or x1 - x0 < 4 * size:
        return 0.0
    baseline = first["origin"][1]
    slant = math.degrees(math.atan2(more, x1 - x0 - size))
    if baseline - rise - y0 <= START * size:
        return slant
    return -slant if y1 - fall - baseline <= START * size else 0.0


def levelled(raw: dict[str, Any], tilt: float) -> dict[str, Any]:
    """A raw dictionary as it would be had the page been turned back by `tilt` degrees about its middle; the one given is changed."""
    turn = _Turn(-tilt, middle_of(raw))
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            own = _own_tilt(line["dir"])
            askew = abs(own - tilt) <= 2 * AGREE if own else False
            shrink = abs(math.radians(tilt)) if askew else 0.0
            for span in line["spans"]:
                for char in span["chars"]:
                    char["bbox"] = _level_box(char["bbox"], turn, shrink)
                    char["origin"] = turn.point(*char["origin"])
                span["origin"] = turn.point(*span["origin"])
                span["bbox"] = union(char["bbox"] for char in span["chars"])
            line["bbox"] = union(span["bbox"] for span in line["spans"])
            if askew:
                dx, dy = line["dir"]
                line["dir"] = (float(round(dx)), float(round(dy)))
    return raw


def _own_tilt(direction: tuple[float, float]) -> float:
    degrees = math.degrees(math.atan2(direction[1], direction[0]))
    return degrees - 90 * round(degrees / 90)


def _level_box(box: BBox, turn: "_Turn", shrink: float) -> BBox:
    """A box of a character turned back. `shrink`: radians by which the character itself is turned, so that its box is larger than it is."""
    x, y = turn.point(*center(box))
    wide, high = box[2] - box[0], box[3] - box[1]
    if shrink:
        cos, sin, double = math.cos(shrink), math.sin(shrink), math.cos(2 * shrink)
        wide, high = max((wide * cos - high * sin) / double, 0.1), max((high * cos - wide * sin) / double, 0.1)
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def displayed(block: Block, tilt: float, middle: Point, matrix: Matrix | None) -> Block:
    """A block of text on a levelled page where it is displayed: its box, and those of its cells, around what is in them.

    `middle` is that of the page as MuPDF gives it, `matrix` takes that to the page as displayed. Figures were never levelled.
    """
    if block.type is BlockType.FIGURE:
        return block
    turn = _Turn(tilt, middle)
    if block.table is None:
        return replace(block, bbox=_tilted(block.bbox, turn, matrix))
    cells = tuple(replace(cell, bbox=_tilted(cell.bbox, turn, matrix)) if cell.bbox else cell for cell in block.table.cells)
    return replace(block, bbox=_tilted(block.bbox, turn, matrix), table=replace(block.table, cells=cells))


def _tilted(box: BBox, turn: "_Turn", matrix: Matrix | None) -> BBox:
    x0, y0, x1, y1 = box if matrix is None else turn_box(box, inverse(matrix))
    corners = [turn.point(x, y) for x in (x0, x1) for y in (y0, y1)]
    around = union((x, y, x, y) for x, y in corners)
    return rounded(turn_box(around, matrix))


def middle_of(content: Mapping[str, Any]) -> Point:
    """The middle of the page of a text dictionary, in MuPDF's coordinates."""
    return content["width"] / 2, content["height"] / 2


class _Turn:
    """A turn of the page by some degrees clockwise about a point."""

    def __init__(self, degrees: float, about: Point) -> None:
        self._cos, self._sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        self._about = about

    def point(self, x: float, y: float) -> Point:
        """Where a point comes to stand."""
        dx, dy = x - self._about[0], y - self._about[1]
        return self._about[0] + dx * self._cos - dy * self._sin, self._about[1] + dx * self._sin + dy * self._cos
