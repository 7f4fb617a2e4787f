"""From the image of a page to its lines of text, with three models: where lines are, which way up they stand, what they say.

Finds out by itself how the page lies (scans come sideways, on their heads and askew) at little cost for upright pages, looks closer where print
is small, reads single lines that stand across the page, and cuts lines where a rule parts the cells of a table. Boxes are pixels of the image as
it came, turned straight. Knows no model library, no page geometry.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from inference.engines.detection import detect_lines
from inference.engines.word_places import LineReading, words_of_line
from inference.figures import figures_of
from inference.images import (
    Pixels,
    Quad,
    bounds_of,
    cut_out,
    gray_of,
    inked_rows,
    levels_of,
    line_ink,
    narrowed,
    quad_of,
    straightened,
    straightened_quads,
    turned,
    turned_quads,
)
from inference.layout.lines import size_of
from inference.missed import DASHES, IN_ROW, Sign, dash_of, missed_signs, stands_out
from inference.pictures import is_long, without_shapes
from inference.rules import cut_at_rules, marks_of, rules_of, size_of_print
from inference.shades import shades_of
from inference.skew import levelled, skew_of
from inference.types import PageText, Shade, TextLine
from schemas.geometry import BBox, height, width

TALL = 1.5
"""Height over width from which a box holds a line that runs up or down, or a single narrow character."""
SINGLE_CHARACTER = 3.0
"""Up to this height over width a tall box may be one upright character (1, I, l)."""
SAMPLE_LINES = 7
"""Lines that vote on which way up a page stands; the vote of one line is right in about 95 of 100."""
PROOF_LINES = 3
"""Lines read both ways before a page is turned: a vote alone never turns a page."""
POOR = 0.6
"""Mean confidence under which a page is also tried on its head."""
CLEARLY_BETTER = 0.15
"""Mean confidence by which one direction must beat the other to turn the page."""
RUBBISH = 0.3
"""Lines read with less are texture, not text."""
DOUBTFUL = 0.5
"""On a page that reads well, lines read with less are parts of pictures."""
READS_WELL = 0.8
SIGN_CONFIDENCE, SIGN_LETTERS = 0.6, 4
"""From when on what stands alone and was not found as text is taken for some."""
DASH_CONFIDENCE = 0.9
"""How sure it is that what has the shape of a dash is one."""
SPECKS = frozenset(".,'`´‘’·:;。、 ")
"""What dirt reads as."""


class TextModels(Protocol):
    """The three models. Images of lines are of any size."""

    def detect(self, bgr: Pixels, long_side: int) -> list[Quad]:
        """Corners of the lines on an image, looked for at a given size."""

    def upside_down(self, lines: Sequence[Pixels]) -> list[float]:
        """Probability of each line that it stands on its head."""

    def recognize(self, lines: Sequence[Pixels]) -> list[LineReading]:
        """What each line says."""


class _Upright(Struct, frozen=True):
    """A page turned by whole quarters so that most text stands upright, with its lines; `straight` are those lines, cut at rules, after the
    `skew` is undone; `signs` may be text that was not found; these, `rules` and `shades` are of the straight page too,
    and so is `size`, the usual size of its type in pixels.
    """

    bgr: Pixels
    rotation: int
    skew: float
    straight: list[Quad]
    signs: list[Sign]
    rules: list[BBox]
    shades: list[Shade]
    size: float


def read_lines(bgr: Pixels, models: TextModels) -> PageText:
    """All lines of a page."""
    quads = detect_lines(bgr, models.detect)
    if not quads:
        return PageText(())
    page = _upright(bgr, quads, _rotation(bgr, quads, models))
    lines = _read(page, models)
    if page.rotation == 0 and lines and _mean_confidence(lines) < POOR and _better_turned(bgr, quads, models):
        page = _upright(bgr, quads, 180)
        lines = _read(page, models)
    kept = without_shapes(_plausible(lines))
    unread = sum(map(is_long, lines)) - sum(map(is_long, kept))
    shades = tuple(Shade(_as_it_came(page, shade.box), shade.gray) for shade in page.shades)
    rules = tuple(_as_it_came(page, rule) for rule in page.rules)
    figures = tuple(_as_it_came(page, figure) for figure in _figures(page, lines))
    return PageText(tuple(kept), page.rotation, unread, page.skew, rules, shades, figures)


def _figures(page: _Upright, lines: Sequence[TextLine]) -> list[BBox]:
    """The figures on the straight page. `lines`: what was found on it, in boxes of the page as it came."""
    height, width = page.bgr.shape[:2]
    turn = -page.rotation % 360
    size_px = (width, height) if page.rotation % 180 == 0 else (height, width)
    boxes = [bounds_of(quad) for quad in turned_quads([quad_of(line.bbox) for line in lines], turn, *size_px)]
    upright = [replace(line, bbox=box) for line, box in zip(lines, boxes, strict=True)]
    levels = levels_of(page.bgr)
    return figures_of(straightened(levels, page.skew) if page.skew else levels, page.size, upright, page.rules, page.shades)


def _upright(bgr: Pixels, quads: list[Quad], rotation: int) -> _Upright:
    upright, lines = _turned_back(bgr, quads, rotation)
    height, width = upright.shape[:2]
    skew = skew_of(lines)
    gray = gray_of(upright)
    straight = levelled(straightened_quads(lines, skew, width, height))
    size = size_of_print(straight)
    level = straightened(gray, skew) if skew else gray
    marks = marks_of(level, size)
    rules, shades = rules_of(marks, size, straight), shades_of(level, size)
    signs = [sign for sign in missed_signs(marks, straight, rules, size) if stands_out(level, sign, size)]
    return _Upright(upright, rotation, skew, cut_at_rules(straight, rules), signs, rules, shades, size)


def _as_it_came(page: _Upright, box: BBox) -> BBox:
    """A box in pixels of the page before it was turned by quarters."""
    height, width = page.bgr.shape[:2]
    (corners,) = turned_quads([quad_of(box)], page.rotation, width, height)
    return bounds_of(corners)


def _rotation(bgr: Pixels, quads: list[Quad], models: TextModels) -> int:
    """Degrees clockwise that most text of the page is turned: sideways by the shape of its boxes, on its head by vote and proof."""
    lengths = [max(_size(quad)) for quad in quads]
    tall = sum(length for quad, length in zip(quads, lengths, strict=True) if _is_tall(quad))
    sideways = tall > 0.5 * sum(lengths)
    upright, upright_quads = _turned_back(bgr, quads, 90 if sideways else 0)
    longest = sorted((quad for quad in upright_quads if not _is_tall(quad)), key=lambda quad: -_size(quad)[0])[:SAMPLE_LINES]
    if not longest:
        return 0
    sample = [cut_out(upright, quad) for quad in longest]
    votes = models.upside_down(sample)
    on_head = sum(vote > 0.5 for vote in votes) * 2 > len(votes)
    if on_head or sideways:
        on_head = _reads_better_turned(sample[:PROOF_LINES], models, 0.0 if sideways else CLEARLY_BETTER)
    return (90 if sideways else 0) + (180 if on_head else 0)


def _better_turned(bgr: Pixels, quads: list[Quad], models: TextModels) -> bool:
    longest = sorted((quad for quad in quads if not _is_tall(quad)), key=lambda quad: -_size(quad)[0])[:PROOF_LINES]
    return bool(longest) and _reads_better_turned([cut_out(bgr, quad) for quad in longest], models, CLEARLY_BETTER)


def _reads_better_turned(sample: list[Pixels], models: TextModels, margin: float) -> bool:
    straight = models.recognize(sample)
    on_head = models.recognize([turned(line, 180) for line in sample])
    return sum(line.confidence for line in on_head) > sum(line.confidence for line in straight) + margin * len(sample)


def _read(page: _Upright, models: TextModels) -> list[TextLine]:
    """All lines, read on the page turned upright; boxes and rotations are of the page as it came."""
    height, width = page.bgr.shape[:2]
    across = [quad for quad in page.straight if _is_tall(quad)]
    along = [quad for quad in page.straight if not _is_tall(quad)]
    # Cut out of the page as it lies: to turn the pixels twice would blur them.
    asked = [*along, *(sign.place for sign in page.signs if not sign.is_dash)]
    cuts = [cut_out(page.bgr, quad) for quad in straightened_quads(asked, -page.skew, width, height)]
    read = [_line(*reading, page) for reading in zip(asked, cuts, models.recognize(cuts), strict=True)]
    signs = [line for line in read[len(along) :] if _is_sign(line)]
    found = [*_with_dashes(along, read[: len(along)], page), *signs]
    for quad, lying in zip(across, straightened_quads(across, -page.skew, width, height), strict=True):
        reading, turn = _read_across(cut_out(page.bgr, lying), models)
        found.append(_text_line(quad, reading, turn, page))
    return found


def _is_sign(line: TextLine) -> bool:
    """Whether a sign that was not found as text is some: it reads well, and is no speck."""
    return line.confidence >= SIGN_CONFIDENCE and 0 < len(line.text) <= SIGN_LETTERS and not set(line.text) <= SPECKS


def _with_dashes(quads: Sequence[Quad], lines: Sequence[TextLine], page: _Upright) -> list[TextLine]:
    """The lines along the page, found at `quads`, with the dashes that stand alone: those that were not found as text, and of those that were the
    right ones, which width tells and a model guesses.
    """
    boxes = np.array([bounds_of(quad) for quad in quads], np.float32).reshape(-1, 4)
    middles = (boxes[:, 1] + boxes[:, 3]) / 2
    sizes = np.array([size_of(line.text, _thickness(line)) if line.text and line.text not in DASHES else 0.0 for line in lines])

    def dash(x0: float, y0: float, x1: float, y1: float) -> str:
        row = sizes[(np.abs(middles - (y0 + y1) / 2) <= IN_ROW * page.size) & (sizes > 0)]
        return dash_of(x1 - x0, float(np.median(row)) if len(row) else page.size)

    found = []
    for (x0, y0, x1, y1), line in zip(boxes.tolist(), lines, strict=True):
        ink = line.words[0] if line.text in DASHES and len(line.words) == 1 else None
        span = (x1 - x0) * (ink.end - ink.start) if ink else 0.0
        found.append(replace(line, text=dash(x0, y0, x0 + span, y1), words=()) if ink else line)
    dashes = [(quad_of(sign.ink), LineReading(dash(*sign.ink), DASH_CONFIDENCE)) for sign in page.signs if sign.is_dash]
    return found + [_text_line(quad, reading, 0, page) for quad, reading in dashes]


def _thickness(line: TextLine) -> float:
    """The height of a line's ink in pixels, whichever way it runs."""
    return height(line.bbox) if line.rotation % 180 == 0 else width(line.bbox)


def _line(quad: Quad, cut: Pixels, reading: LineReading, page: _Upright) -> TextLine:
    """A line along the page, its box drawn in to its ink."""
    ink = line_ink(cut)
    top, bottom = inked_rows(ink)
    line = _text_line(narrowed(quad, top / len(ink), bottom / len(ink)), reading, 0, page)
    return replace(line, words=words_of_line(reading, ink[top:bottom]))


def _text_line(quad: Quad, reading: LineReading, turn: int, page: _Upright) -> TextLine:
    height, width = page.bgr.shape[:2]
    (box,) = turned_quads([quad], page.rotation, width, height)
    return TextLine(bounds_of(box), reading.text.strip(), reading.confidence, (page.rotation + turn) % 360)


def _read_across(line: Pixels, models: TextModels) -> tuple[LineReading, int]:
    """What a tall box says and how it is turned: whichever way reads best, upright only where it may be a single character."""
    turns = [0, 90, 270] if line.shape[0] <= SINGLE_CHARACTER * line.shape[1] else [90, 270]
    readings = models.recognize([turned(line, -turn) for turn in turns])
    best = max(range(len(turns)), key=lambda i: (bool(readings[i].text.strip()), readings[i].confidence))
    return readings[best], turns[best]


def _turned_back(bgr: Pixels, quads: list[Quad], rotation: int) -> tuple[Pixels, list[Quad]]:
    """The page and its boxes turned so that text of this rotation stands upright."""
    if rotation == 0:
        return bgr, quads
    height, width = bgr.shape[:2]
    return turned(bgr, -rotation % 360), turned_quads(quads, -rotation % 360, width, height)


def _plausible(lines: list[TextLine]) -> list[TextLine]:
    kept = [line for line in lines if line.text and line.confidence >= RUBBISH]
    if kept and float(np.median([line.confidence for line in kept])) >= READS_WELL:
        return [line for line in kept if line.confidence >= DOUBTFUL]
    return kept


def _mean_confidence(lines: list[TextLine]) -> float:
    weight = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / weight if weight else 0.0


def _size(quad: Quad) -> tuple[float, float]:
    """(width, height) along the sides of the box."""
    return float(np.linalg.norm(quad[0] - quad[1])), float(np.linalg.norm(quad[0] - quad[3]))


def _is_tall(quad: Quad) -> bool:
    width, height = _size(quad)
    return height > TALL * width
