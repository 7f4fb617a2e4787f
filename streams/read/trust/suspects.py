"""Places on a page whose text is bad while the rest may be sound: an undecodable font's lines, merged to boxes.

Promise: pure; spans and what is known of their words in, boxes of the page as displayed out, at most `MOST_SUSPECTS`. Decides nothing about the page.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pymupdf
from msgspec import Struct

from schemas.geometry import BBox
from streams.read.language.strangeness import Strangeness
from streams.read.trust.decoding import UNDECODED, Span

MOST_SUSPECTS = 50
FEWEST_CHARACTERS = 24
"""Bad characters of a place: half a line. Fewer are names, codes and formulas."""
FEWEST_STRANGE = 60
"""The same of valid letters, which are never wrong for certain: a line."""
FEWEST_CODES = 4
"""Different codes of undecoded letters: leader dots and bullets are one or two."""
BAD_SHARE = 0.5
"""Share of a span's letters from which the span is bad: in sound ones one word in fifty is strange."""
NEAR_PT = 1.6
"""Lines of one place stand apart by less than so many line heights."""


class Suspect(Struct, frozen=True, kw_only=True):
    """A place: its box on the page as displayed, the reason (as of a page), and how many characters of it are bad."""

    box: BBox
    reason: str
    characters: int


def suspect_lines(spans: Sequence[Span], words: Strangeness, turn: Callable[[], Any], amiss: bool) -> tuple[Suspect, ...]:
    """The places of bad lines. `words` is of `decoding.text_of(spans)`; `turn` gives what turns boxes to the page as displayed, None where they are
    so now; `amiss`: some spans may hold codes without a meaning.
    """
    strange = words.strange
    if not amiss and np.count_nonzero(strange) < FEWEST_CHARACTERS:
        return ()
    undecoded = [span.unmapped or UNDECODED.search(span.text) is not None for span in spans]
    sums = np.concatenate((np.zeros(1, np.int64), np.cumsum(strange)))
    letters = np.concatenate((np.zeros(1, np.int64), np.cumsum(words.letters)))
    places: list[tuple[BBox, str, int]] = []
    matrix = turn()
    start = 0
    for span, unread in zip(spans, undecoded, strict=True):
        start += span.apart
        end = start + (len(span.text) if span.text.isascii() else len(span.text.encode("utf-16-le", "surrogatepass")) // 2)
        found = _judged(span, unread, int(sums[end] - sums[start]), int(letters[end] - letters[start]))
        if found is not None:
            box = pymupdf.Rect(span.box) if matrix is None else pymupdf.Rect(span.box) * matrix
            places.append((tuple(box.normalize()), *found))
        start = end
    return merged(places)


def _judged(span: Span, unread: bool, strange: int, letters: int) -> tuple[str, int] | None:
    """(reason, bad characters) of a span that is bad; None for others."""
    if unread:
        bad = span.characters if span.unmapped else len(UNDECODED.findall(span.text))
        if bad >= BAD_SHARE * span.characters and len(set(span.text) - {" ", "."}) >= FEWEST_CODES:
            return "control_characters", bad
    if strange and strange >= BAD_SHARE * letters:
        return "unlikely_language", strange
    return None


def merged(places: Sequence[tuple[BBox, str, int]]) -> tuple[Suspect, ...]:
    """Boxes of one reason that stand below or beside each other, as one; those of few characters are left out."""
    found: list[list[Any]] = []
    for box, reason, count in places:
        height = box[3] - box[1]
        for other in reversed(found[-4:]):
            if other[1] == reason and _near(other[0], box, NEAR_PT * height):
                mine = other[0]
                other[0] = (min(mine[0], box[0]), min(mine[1], box[1]), max(mine[2], box[2]), max(mine[3], box[3]))
                other[2] += count
                break
        else:
            found.append([box, reason, count])
    kept = [Suspect(box=_rounded(box), reason=reason, characters=count) for box, reason, count in found if count >= _FEWEST[reason]]
    return tuple(sorted(kept, key=lambda place: -place.characters)[:MOST_SUSPECTS])


_FEWEST = {"control_characters": FEWEST_CHARACTERS, "unlikely_language": FEWEST_STRANGE}


def _near(first: BBox, second: BBox, reach: float) -> bool:
    return second[0] - reach < first[2] and first[0] < second[2] + reach and second[1] - reach < first[3] and first[1] < second[3] + reach


def _rounded(box: BBox) -> BBox:
    x0, y0, x1, y1 = box
    return (round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))
