"""Text that a page shows because a form field or an annotation holds it: once in the flow and once as a block of its own is once too often.

Pure functions of fragments. Only what a block says word for word leaves the flow: what is printed under a field or a note in other words stays.
"""

from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from schemas.geometry import BBox, center, contains_point
from streams.read.blocks.lines import Fragment
from streams.read.turning import to_page

MAX_COMPARED = 2_000_000
"""Pairs of a fragment and a box on one page; the largest tax forms, filled, have 300 fields and 1,500 runs of text."""
MAX_OVER = 4
"""Boxes over one fragment whose texts are looked at; fields do not overlap, notes may."""


class Said(Struct, frozen=True):
    """A field's or an annotation's place, and the text that its block has."""

    bbox: BBox
    text: str


def without_said(fragments: list[Fragment], said: Sequence[Said]) -> list[Fragment]:
    """The fragments but those that show, within a box, what is said of it or a part of that (a line of several, one letter to a comb)."""
    if not said:
        return fragments
    known = [(block.bbox, _signs(block.text)) for block in said[: max(1, MAX_COMPARED // max(1, len(fragments)))]]
    return [fragment for fragment in fragments if not _is_said(fragment, known)]


def _is_said(fragment: Fragment, known: Sequence[tuple[BBox, str]]) -> bool:
    x, y = center(to_page(fragment.box, fragment.angle))
    over = list(islice((text for box, text in known if contains_point(box, x, y)), MAX_OVER))
    shown = _signs(fragment.text) if over else ""
    return any(shown in text or _is_same_number(shown, text) for text in over)


def _is_same_number(shown: str, said: str) -> bool:
    """Whether a form shows a number to more places than its field holds: 1234.5 as 1,234.50."""
    digits = "".join(sign for sign in shown if sign.isdecimal())
    return said.isdecimal() and digits.startswith(said) and not digits[len(said) :].strip("0") and not any(sign.isalpha() for sign in shown)


def _signs(text: str) -> str:
    """Letters and digits alone, in one case: spaces and line breaks differ, and so do separators of numbers. Of a text without any, its signs."""
    plain = "".join(sign for sign in text if sign.isalnum()).casefold()
    return plain or "".join(text.split())
