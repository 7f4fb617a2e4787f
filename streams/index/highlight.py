"""The part of a chunk that shows why it was found. Pure text in, text out."""

import re
from collections.abc import Collection

from msgspec import Struct

from streams.index.words import WORD, fold

EXCERPT_CHARS = 240
"""Three lines of a terminal."""


class Piece(Struct, frozen=True):
    """A part of an excerpt; `hit` says that it is what was searched for."""

    text: str
    hit: bool


def excerpt(text: str, words: Collection[str], size: int = EXCERPT_CHARS) -> tuple[Piece, ...]:
    """About `size` characters of `text` around most of the words (folded, see `words.fold`), in pieces, white space folded.

    Words match whole and without regard to case and accents; one of a script without spaces matches anywhere.
    """
    flat = " ".join(text.split())
    marks = _marks(flat, words)
    if not marks:
        return (Piece(flat[:size] + ("…" if len(flat) > size else ""), hit=False),) if flat else ()
    start = max(0, _densest(marks, size) - size // 4)
    end = min(len(flat), start + size)
    pieces, at, before = list[Piece](), start, "…" if start else ""
    for left, right in marks:
        if left >= at and right <= end:
            if before or left > at:
                pieces.append(Piece(before + flat[at:left], hit=False))
            pieces.append(Piece(flat[left:right], hit=True))
            at, before = right, ""
    rest = before + flat[at:end] + ("…" if end < len(flat) else "")
    return (*pieces, Piece(rest, hit=False)) if rest else tuple(pieces)


def _marks(flat: str, words: Collection[str]) -> list[tuple[int, int]]:
    """Where words of the query stand, in order, without overlaps."""
    wanted = set(words)
    marks = [(m.start(), m.end()) for m in WORD.finditer(flat) if fold(m.group()) in wanted]
    for word in wanted:
        if not word.isascii():
            marks += [(m.start(), m.end()) for m in re.finditer(re.escape(word), flat, re.IGNORECASE)]
    kept: list[tuple[int, int]] = []
    for left, right in sorted(set(marks), key=lambda m: (m[0], -m[1])):
        if not kept or left >= kept[-1][1]:
            kept.append((left, right))
    return kept


def _densest(marks: list[tuple[int, int]], size: int) -> int:
    """Where the first window of `size` characters begins that holds the most marks."""
    best, best_count, last = marks[0][0], 0, 0
    for first, (left, _) in enumerate(marks):
        last = max(last, first)
        while last < len(marks) and marks[last][1] <= left + size:
            last += 1
        if last - first > best_count:
            best, best_count = left, last - first
    return best
