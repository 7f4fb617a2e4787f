"""The signs of lines that hold Hebrew or Arabic: letters with their marks, and the letters of a ligature, as one.

Of an Arabic ligature MuPDF gives every letter, all but one without width; marks stand behind or before their letter. Pure.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from functools import cache
from typing import Any

from msgspec import Struct

from schemas.geometry import BBox
from streams.read.turning import to_frame

_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
_LAM, _ALEFS = "\u0644", frozenset("\u0622\u0623\u0625\u0627\u0671")
TOUCHING_PT = 0.05
"""Less is no width."""
LIGATURE_GAP, KERNING = 0.12, 0.08
"""Ems by which letters of a word stand apart or overlap at the most; the narrowest, alef, is wider."""

Raw = dict[str, Any]


class Sign(Struct):
    """A character or ligature with its marks, along its line. `span` is the raw span it comes from; a point where no width is known."""

    start: float
    end: float
    text: str
    span: Raw
    chars: list[Raw]


def extent(char: Raw, angle: int) -> BBox:
    """A character's box in the frame of its line. It begins where the pen was: boxes of slanted type reach over those of their neighbours."""
    box = to_frame(char["bbox"], angle)
    pen = char["origin"][0] if not angle else to_frame((*char["origin"], *char["origin"]), angle)[0]
    return min(max(pen, box[0]), box[2]), box[1], box[2], box[3]


def has_width(sign: Sign) -> bool:
    """Whether a sign is a letter of known width, so that the gap beside it is one."""
    return sign.end - sign.start > TOUCHING_PT and not sign.text.isspace()


def parting_fonts(lines: Iterable[tuple[Raw, int]]) -> frozenset[str]:
    """The fonts, of lines and their angles, that mostly have the alef of lam-alef as a glyph of its own, without width at the left edge of the lam.

    Most have one glyph for both, of which MuPDF puts the second letter at the right edge: before the lam, in the order turned around.
    """
    votes: Counter[str] = Counter()
    for line, angle in lines:
        for span in line["spans"]:
            chars = span["chars"]
            for before, char, after in zip(chars, chars[1:], chars[2:], strict=False):
                if char["c"] in _ALEFS and _width(char, angle) < TOUCHING_PT < max(_width(before, angle), _width(after, angle)):
                    votes[span["font"]] += (before["c"] == _LAM) - (after["c"] == _LAM)
    return frozenset(font for font, vote in votes.items() if vote > 0)


def _width(char: Raw, angle: int) -> float:
    x0, _, x1, _ = extent(char, angle)
    return x1 - x0


def letters_and_marks(chars: Sequence[tuple[Raw, Raw, BBox]], starts: Sequence[float], parting: Set[str]) -> list[Sign]:
    """Letters with their marks and ligatures as one, in MuPDF's order. `starts`: where characters of known width begin on the line, sorted.

    `parting`: see `parting_fonts`.
    """
    signs: list[Sign] = []
    marks: list[tuple[int, float, Raw]] = []
    for span, char, box in chars:
        if unicodedata.category(char["c"][0]) == "Mn":  # a ligature that was spelt out has several letters
            marks.append((len(signs), (box[0] + box[2]) / 2, char))
            continue
        last = signs[-1] if signs else None
        if last is not None and _is_one_glyph(last, box, char["c"]) and not _stands_apart(signs, starts, span["size"], char["c"], parting):
            last.text = char["c"] + last.text
            last.chars.insert(0, char)
            last.start, last.end = min(last.start, box[0]), max(last.end, box[2])
            continue
        signs.append(Sign(box[0], box[2], char["c"], span, [char]))
    for place, middle, char in reversed(marks):
        _attach(signs, place, middle, char)
    return signs


def _is_one_glyph(last: Sign, box: BBox, letter: str) -> bool:
    """Letters of an Arabic ligature: all but one have no width and share its right edge; the order in which MuPDF lists them is turned around."""
    return last.end - last.start < TOUCHING_PT and abs(last.end - box[2]) < TOUCHING_PT and bool(_ARABIC.match(letter) and _ARABIC.match(last.text))


def _follows_lam(signs: Sequence[Sign], letter: str, parting: Set[str]) -> bool:
    """Whether the last sign is an alef at the left edge of the lam before it, and no part of the glyph of `letter`, which comes next."""
    if len(signs) < 2 or signs[-1].text not in _ALEFS or signs[-2].text[0] != _LAM:
        return False
    is_beside = has_width(signs[-2]) and abs(signs[-2].start - signs[-1].start) < TOUCHING_PT
    return is_beside and (letter != _LAM or signs[-1].span["font"] in parting)


def _stands_apart(signs: Sequence[Sign], starts: Sequence[float], size: float, letter: str, parting: Set[str]) -> bool:
    """Whether the last sign is no part of the glyph of `letter`, although it has no width."""
    return _follows_lam(signs, letter, parting) or _has_room(signs[-1], starts, size, letter)


def _has_room(sign: Sign, starts: Sequence[float], size: float, letter: str) -> bool:
    """Whether a sign has no width because none is known (`/ActualText`), not as part of a ligature: then its room lies to its right."""
    place = bisect_left(starts, sign.end - KERNING * size)
    if place < len(starts):
        return starts[place] - sign.end > LIGATURE_GAP * size
    return letter + sign.text not in _ligature_ends()


@cache
def _ligature_ends() -> frozenset[str]:
    """The ends, of two letters and more, of all Arabic ligatures in Unicode."""
    texts = (unicodedata.normalize("NFKC", chr(code)) for code in (*range(0xFB50, 0xFE00), *range(0xFE70, 0xFEFD)))
    return frozenset(text[start:] for text in texts for start in range(len(text) - 1))


def _attach(signs: list[Sign], place: int, middle: float, char: Raw) -> None:
    """Puts a mark behind its letter: the one on the same spot, else the one that it stands over, the earlier of two."""
    before = signs[place - 1] if place else None
    after = signs[place] if place < len(signs) else None
    if after is not None and after.end - after.start < TOUCHING_PT and abs(after.start - middle) < TOUCHING_PT:
        chosen: Sign | None = after  # a cluster of which only the place is known, turned around like all
    else:
        over = [sign for sign in (before, after) if sign is not None and not sign.text.isspace() and _is_over(sign, middle)]
        chosen = over[0] if over else next((sign for sign in (before, after) if sign is not None and not sign.text.isspace()), None)
    if chosen is not None:
        chosen.text = chosen.text[0] + char["c"] + chosen.text[1:] if len(chosen.text) > 1 else chosen.text + char["c"]
        chosen.chars.append(char)


def _is_over(sign: Sign, middle: float) -> bool:
    return sign.start - TOUCHING_PT <= middle <= sign.end + TOUCHING_PT
