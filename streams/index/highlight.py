"""The part of a chunk that shows why it was found. Pure text in, text out."""

import re
from collections import Counter
from collections.abc import Collection

from msgspec import Struct

from streams.index.chunks import CELL_SEPARATOR
from streams.index.words import WORD, fold

EXCERPT_CHARS = 240
"""Three lines of a terminal."""
ROW_SEPARATOR = " ‖ "
"""Between the rows of a table on one line: without a sign the last cell of one and the first of the next would be read as one."""


class Piece(Struct, frozen=True):
    """A part of an excerpt; `hit` says that it is what was searched for."""

    text: str
    hit: bool


def excerpt(text: str, words: Collection[str], size: int = EXCERPT_CHARS) -> tuple[Piece, ...]:
    """About `size` characters of `text` around most of the words (folded, see `words.fold`), in pieces, on one line (`on_one_line`); in a table from
    the beginning of a row.

    Words match whole and without regard to case and accents; one of a script without spaces matches anywhere.
    """
    flat = on_one_line(text)
    marks = _marks(flat, words)
    if not marks:
        return (Piece(flat[:size] + ("…" if len(flat) > size else ""), hit=False),) if flat else ()
    first = _densest(flat, marks, size)
    row = flat.rfind(ROW_SEPARATOR, max(0, first - size // 2), first)
    start = row + len(ROW_SEPARATOR) if row >= 0 else max(0, first - size // 4)
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


def on_one_line(text: str) -> str:
    """A text with its white space folded, and a sign between the rows of a table."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    parts, before = list[str](), ""
    for line in filter(None, lines):
        parts += [ROW_SEPARATOR if CELL_SEPARATOR in line and CELL_SEPARATOR in before else " ", line]
        before = line
    return "".join(parts[1:])


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


def _densest(flat: str, marks: list[tuple[int, int]], size: int) -> int:
    """Where the first window of `size` characters begins that holds the most different words, and of those the most marks."""
    words = [fold(flat[left:right]) for left, right in marks]
    held: Counter[str] = Counter()
    best, most, last = marks[0][0], (0, 0), 0
    for first, (left, _) in enumerate(marks):
        while last < len(marks) and (last <= first or marks[last][1] <= left + size):
            held[words[last]] += 1
            last += 1
        if (found := (len(held), last - first)) > most:
            best, most = left, found
        held[words[first]] -= 1
        held += Counter()  # without those that are zero
    return best
