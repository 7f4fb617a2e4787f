"""From the image of a page to its lines of text, with three models: where lines are, which way up they stand, what they say.

Finds out by itself how the page lies (scans come sideways and on their heads) at little cost for upright pages, looks closer where print is
small, and reads single lines that stand across the page. Boxes are pixels of the image as it came. Knows no model library, no page geometry.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from inference.engines.detection import detect_lines
from inference.images import Pixels, Quad, bounds_of, cut_out, tightened, turned, turned_quads
from inference.types import PageText, TextLine

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


class TextModels(Protocol):
    """The three models. Images of lines are of any size."""

    def detect(self, bgr: Pixels, long_side: int) -> list[Quad]:
        """Corners of the lines on an image, looked for at a given size."""

    def upside_down(self, lines: Sequence[Pixels]) -> list[float]:
        """Probability of each line that it stands on its head."""

    def recognize(self, lines: Sequence[Pixels]) -> list[tuple[str, float]]:
        """Text and confidence of each line."""


def read_lines(bgr: Pixels, models: TextModels) -> PageText:
    """All lines of a page."""
    quads = detect_lines(bgr, models.detect)
    if not quads:
        return PageText(())
    rotation = _rotation(bgr, quads, models)
    lines = _read_turned(bgr, quads, rotation, models)
    if rotation == 0 and lines and _mean_confidence(lines) < POOR and _better_turned(bgr, quads, models):
        rotation = 180
        lines = _read_turned(bgr, quads, rotation, models)
    kept = _plausible(lines)
    return PageText(tuple(kept), rotation, len(lines) - len(kept))


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
    return sum(score for _, score in on_head) > sum(score for _, score in straight) + margin * len(sample)


def _read_turned(bgr: Pixels, quads: list[Quad], rotation: int, models: TextModels) -> list[TextLine]:
    """All lines, read on the page turned upright; boxes and rotations are of the page as it came."""
    upright, upright_quads = _turned_back(bgr, quads, rotation)
    across = [quad for quad in upright_quads if _is_tall(quad)]
    along = [quad for quad in upright_quads if not _is_tall(quad)]
    cuts = [cut_out(upright, quad) for quad in along]
    tight = [tightened(quad, cut) for quad, cut in zip(along, cuts, strict=True)]
    found = list(zip(tight, models.recognize(cuts), [0] * len(along), strict=True))
    found += [(quad, *_read_across(cut_out(upright, quad), models)) for quad in across]
    height, width = upright.shape[:2]
    boxes = turned_quads([quad for quad, _, _ in found], rotation, width, height)
    return [
        TextLine(bounds_of(box), text.strip(), score, (rotation + turn) % 360) for box, (_, (text, score), turn) in zip(boxes, found, strict=True)
    ]


def _read_across(line: Pixels, models: TextModels) -> tuple[tuple[str, float], int]:
    """Text of a tall box and how it is turned: whichever way reads best, upright only where it may be a single character."""
    turns = [0, 90, 270] if line.shape[0] <= SINGLE_CHARACTER * line.shape[1] else [90, 270]
    readings = models.recognize([turned(line, -turn) for turn in turns])
    best = max(range(len(turns)), key=lambda i: (bool(readings[i][0].strip()), readings[i][1]))
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
