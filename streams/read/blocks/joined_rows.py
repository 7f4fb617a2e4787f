"""Rows of fragments joined to lines of text: where spaces go, and how many gaps make a row of cells of one. Pure functions."""

from collections.abc import Iterable, Sequence

from streams.read.blocks.lines import Fragment, Line
from streams.read.blocks.raised import as_raised, behind_mark
from streams.read.characters.normalise import without_leaders

LETTER_WIDTH = 0.6
"""Of typewriter type, over its size: tells how many spaces a gap in a line of code is."""
END_OF_PROOF = frozenset("■□∎▪▢◻◼")
"""What stands alone at the right edge of a proof's last line, and makes no row of cells of it."""
SPACE, NARROW_SPACE, LEAST_WORD = 0.15, 0.05, 3
"""Space between two texts of a line from which on a space is meant, in sizes of type; the same where the second plainly begins a word; letters of
such words at the least: a capital and the small capitals behind it are one.
"""


def lines_of(rows: Iterable[Sequence[Fragment]]) -> list[Line]:
    """A line for each row of fragments; `rows` come from `schemas.reading_order`, in the direction of the region."""
    return [_line(row) for row in rows]


def _line(row: Sequence[Fragment]) -> Line:
    if len(row) == 1:
        only = row[0]
        return Line(only.x0, only.y0, only.x1, only.y1, only.text, only.baseline, only.style, only.raised, only.rtl, only.letters, 0, (only,))
    rtl = sum(f.letters for f in row if f.rtl) * 2 > sum(f.letters for f in row)
    ordered = sorted(row, key=(lambda f: (-f.x1, f.y0)) if rtl else (lambda f: (f.x0, f.y0)))
    main = max(ordered, key=lambda f: f.letters)
    parts: list[str] = []
    gaps, end = 0, 0.0
    before = ordered[0]
    for fragment in ordered:
        start, stop = (-fragment.x1, -fragment.x0) if rtl else (fragment.x0, fragment.x1)
        if parts:
            gap = start - end
            if gap > SPACE * main.style.size_pt or (gap > NARROW_SPACE * main.style.size_pt and _begins_word(fragment, before)):
                parts.append(" " * min(max(round(gap / (LETTER_WIDTH * main.style.size_pt)), 1), 80) if main.style.monospace else " ")
            gaps += gap > 1.8 * main.style.size_pt and (len(parts) > 2 or not _is_label(parts[0])) and fragment.text.strip() not in END_OF_PROOF
        parts.append(_beside(fragment, parts, ordered[0]))
        before = fragment
        end = max(end, stop) if parts[:-1] else stop
    return Line(
        min(f.x0 for f in row), min(f.y0 for f in row), max(f.x1 for f in row), max(f.y1 for f in row),
        without_leaders("".join(parts)), main.baseline, main.style, ordered[0].raised, rtl, sum(f.letters for f in row), gaps, tuple(ordered),
    )  # fmt: skip


def _begins_word(fragment: Fragment, before: Fragment) -> bool:
    """Whether a text close behind another, in another font, is plainly a new word: in capitals as a name, behind a word of its own."""
    text = fragment.text
    if fragment.style.font == before.style.font or fragment.letters < LEAST_WORD or before.letters < LEAST_WORD:
        return False
    return text[:1].isupper() and text[1:2].islower() and before.text[-1:].isalpha()


def _beside(fragment: Fragment, parts: Sequence[str], first: Fragment) -> str:
    """The text of a fragment behind the parts of its line."""
    if not parts:
        return fragment.text
    if fragment.raised:
        return as_raised(fragment.text, parts, fragment.style.font)
    return behind_mark(fragment.text, parts) if first.raised and len(parts) == 1 else fragment.text


def _is_label(text: str) -> bool:
    """What a tab, and not the next cell, follows: "1.", a bullet, "Table 2:"."""
    text = text.strip()
    return len(text) <= 4 or (len(text) <= 16 and text[-1] in ":.")
