"""The part of a chunk that shows why it was found. Pure text in, text out."""

import re
import unicodedata

WORD = re.compile(r"\w+", re.UNICODE)
EXCERPT_CHARS = 240
"""Three lines of a terminal."""


def excerpt(text: str, query: str, before: str, after: str, size: int = EXCERPT_CHARS) -> str:
    """About `size` characters of `text` around most words of the query, each hit between `before` and `after`, white space folded.

    Words match whole and without regard to case; a CJK word matches anywhere.
    """
    flat = " ".join(text.split())
    words = {w.casefold() for w in WORD.findall(unicodedata.normalize("NFC", query))}
    marks = [(m.start(), m.end()) for m in WORD.finditer(flat) if m.group().casefold() in words]
    for word in words:
        if not word.isascii() and len(word) > 1:
            marks += [(m.start(), m.end()) for m in re.finditer(re.escape(word), flat, re.IGNORECASE)]
    marks = _apart(sorted(set(marks)))
    if not marks:
        return flat[:size] + ("…" if len(flat) > size else "")
    start = max(0, max((sum(m <= n[0] and n[1] <= m + size for n in marks), -m) for m, _ in marks)[1] * -1 - size // 4)
    end = min(len(flat), start + size)
    pieces, at = ["…" if start else ""], start
    for left, right in marks:
        if left >= at and right <= end:
            pieces += [flat[at:left], before, flat[left:right], after]
            at = right
    return "".join([*pieces, flat[at:end], "…" if end < len(flat) else ""])


def _apart(marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Marks without overlaps: the first and longest wins."""
    kept: list[tuple[int, int]] = []
    for left, right in sorted(marks, key=lambda m: (m[0], -m[1])):
        if not kept or left >= kept[-1][1]:
            kept.append((left, right))
    return kept
