"""Typewriter faces that neither their flags nor their names give away: every letter of them is as wide as any other. Changes that flag of spans and
nothing else.

Publishers' faces for listings carry names of their own, and a document's producer seldom sets the flag of fixed pitch. Widths tell: the mean width
of a letter is the same in every span, whatever letters it holds. Of a proportional face two spans seldom agree to half a percent, three hardly ever.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from streams.read.blocks.faces import MONOSPACE_FLAG, is_monospace_name

SHORTEST, FEWEST = 5, 3
"""Characters of a span that says something, and spans of different text that must agree."""
NARROWEST, WIDEST, SAME = 0.47, 0.65, 0.004
"""Width of a letter over the size of type: Courier has 0.6, Consolas 0.55, Letter Gothic 0.5; and how far spans of one face differ at most."""
_NARROW, _WIDE = re.compile(r"[iljtfrI.,;:'|!() ]"), re.compile(r"[mwMWGOQD@%&]")
_LATIN = re.compile("[\x00-\u024f\u2010-\u2044]*")
"""With the quotation marks and dashes that publishers set in listings, too."""
MOST_UNLIKE = 0.12
"""The shares of narrow letters in two of the spans are as far apart at least: else a proportional face would agree as well."""


class _Pitch(Struct):
    """What the spans of a face have shown: the least and the largest mean width, their texts, shares of narrow letters, whether wide ones came."""

    least: float
    largest: float
    texts: set[str]
    narrow: list[float]
    wide: bool = False


def mark_typewriter_faces(content: Mapping[str, Any]) -> None:
    """Sets the flag of fixed pitch on the spans of a page's text dictionary whose face has one."""
    pitches: dict[str, _Pitch | None] = {}
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                font = span["font"]
                if font in pitches and pitches[font] is None:
                    continue  # nearly all, after the second span of their face
                pitches[font] = _with(pitches.get(font), span)
    fixed = {font for font, pitch in pitches.items() if pitch is not None and _is_fixed(pitch)}
    if not fixed:
        return
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                if span["font"] in fixed:
                    span["flags"] |= MONOSPACE_FLAG


def _with(pitch: _Pitch | None, span: Mapping[str, Any]) -> _Pitch | None:
    """What is known of a face after another span; None when it has no fixed pitch, or is known as a typewriter's already."""
    text, size = span["text"], span["size"]
    if span["flags"] & MONOSPACE_FLAG or is_monospace_name(span["font"]) or not _LATIN.fullmatch(text) or size <= 0:
        return None  # in fonts of ideographs Latin letters are half as wide as those, which makes no typewriter of them
    known = pitch or _Pitch(1.0, 0.0, set(), [])
    if len(text) < SHORTEST:
        return known
    x0, y0, x1, y1 = span["bbox"]
    mean = max(x1 - x0, y1 - y0) / (len(text) * size)
    known.least, known.largest = min(known.least, mean), max(known.largest, mean)
    if known.least < NARROWEST or known.largest > WIDEST or known.largest - known.least > SAME:
        return None
    if len(known.texts) < 2 * FEWEST and text not in known.texts:
        known.texts.add(text)
        known.narrow.append(len(_NARROW.findall(text)) / len(text))
    known.wide = known.wide or _WIDE.search(text) is not None
    return known


def _is_fixed(pitch: _Pitch) -> bool:
    return len(pitch.texts) >= FEWEST and pitch.wide and max(pitch.narrow) - min(pitch.narrow) >= MOST_UNLIKE
