"""Whether the words of a text layer lie on the words that a page shows: the layer of another page has as many lines in the same places, but not the
same gaps.

Promise: looks at pixels and boxes only; at most `MAX_WORDS` of them. Must not know text, fonts or scripts.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from schemas.geometry import BBox
from streams.read.trust.ink import Mask

MAX_WORDS = 320
"""Words looked at, in whole lines spread over the page: more say the same."""
GAP_PT = (1.2, 30.0)
"""Gaps between words; wider ones part columns and cells."""
BAND = 0.2
"""Share of a box's height left out above and below: there letters of other lines reach in."""
MARGIN_PX = 1
"""Layers lie a pixel beside their words."""
PIECE = 1.3
"""Length of a piece of a word for its height: about two letters."""
FEWEST = 12
"""Gaps or pieces from which a share of them is worth something."""


class Alignment(Struct, frozen=True):
    """`crossed`: share of the gaps between words that are full of ink. `vacant`: share of the pieces of words without any. 0 where there are too
    few."""

    crossed: float = 0.0
    vacant: float = 0.0


class PlacedWord(Struct, frozen=True):
    """A word's box on the page as displayed, and the line that it is in."""

    box: BBox
    line: tuple[int, int]


def measure_alignment(ink: Mask, scale: float, words: Sequence[PlacedWord]) -> Alignment:
    """Compares words with the ink of the page; those of a line in the order of their places, whichever way it is read."""
    crossed = gaps = vacant = pieces = 0
    before: PlacedWord | None = None
    every = -(-len(words) // MAX_WORDS)
    for word in sorted((word for word in words if not sum(word.line) % every), key=lambda word: (word.line, word.box[0])):
        x0, y0, _, y1 = word.box
        columns = _columns(ink, scale, word.box)
        if columns is not None:
            step = max(3, round(PIECE * (y1 - y0) * scale))
            inked = np.add.reduceat(columns, np.arange(0, max(1, len(columns) - step // 2), step), dtype=np.int32)
            pieces += len(inked)
            vacant += len(inked) - int(np.count_nonzero(inked))
        if before is not None and before.line == word.line:
            left, right = before.box[2], x0
            if GAP_PT[0] <= right - left <= GAP_PT[1]:
                gap = _columns(ink, scale, (left - MARGIN_PX / scale, y0, right + MARGIN_PX / scale, y1))
                if gap is not None:
                    gaps += 1
                    crossed += bool(gap.all())
        before = word
    return Alignment(crossed=crossed / gaps if gaps >= FEWEST else 0.0, vacant=vacant / pieces if pieces >= FEWEST else 0.0)


def _columns(ink: Mask, scale: float, box: BBox) -> Mask | None:
    """Which pixel columns of a box have ink in its middle band; None for boxes off the page."""
    height, width = ink.shape
    band = BAND * (box[3] - box[1])
    top, bottom = max(0, int((box[1] + band) * scale)), min(height, int((box[3] - band) * scale) + 1)
    left, right = max(0, int(box[0] * scale)), min(width, int(box[2] * scale) + 1)
    if bottom - top < 2 or right <= left:
        return None
    found: Mask = np.any(ink[top:bottom, left:right], axis=0)
    return found
