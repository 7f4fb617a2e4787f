"""Emphasised and other parts of a text that are set off, while it is joined, cut and made one line. Pure functions of strings and spans.

Spans come from untrusted pages: `sound_spans` makes them ascending, apart and inside their text, and everything else here keeps them so.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from schemas.content import Span

MAX_SPANS = 2_000
"""Of one block: an index of authors and titles has a few hundred on a page."""
MAX_JOINED_SPANS = 20_000
"""Of a text joined over many pages: what stands behind the last of them is plain."""

Spans = tuple[Span, ...]


def sound_spans(spans: Sequence[Span], text: str) -> Spans:
    """The spans that stand inside the text, behind each other, and say something."""
    kept: list[Span] = []
    end = 0
    for span in spans[:MAX_SPANS]:
        if span.offset >= end and span.length > 0 and span.offset + span.length <= len(text) and any(_setting(span)):
            kept.append(span)
            end = span.offset + span.length
    return tuple(kept)


def joined_spans(above: Spans, below: Spans, end: int, start: int) -> Spans:
    """The spans of a text that goes on in another, whose own begin at `start` in the whole; the first ends at `end`, less what was cut off. One that
    goes on over the seam is one.
    """
    while above and above[-1].offset + above[-1].length > end:
        last = above[-1]
        above = above[:-1] if last.offset >= end else (*above[:-1], replace(last, length=end - last.offset))
    moved = tuple(replace(span, offset=span.offset + start) for span in below)
    if above and moved and above[-1].offset + above[-1].length == end and moved[0].offset == start and same_setting(above[-1], moved[0]):
        whole = replace(above[-1], length=moved[0].offset + moved[0].length - above[-1].offset)
        return (*above[:-1], whole, *moved[1:])
    return (*above, *moved)


def same_setting(one: Span, other: Span) -> bool:
    """Whether two spans are set alike."""
    return _setting(one) == _setting(other)


def _setting(span: Span) -> tuple[bool, ...]:
    return (span.bold, span.italic, span.struck, span.code, span.math)


def respaced(spans: Spans, before: str, after: str) -> Spans:
    """The spans of a text in another that has the same characters with other white space between them."""
    if not spans or before == after:
        return spans
    old, new = _places(before), _places(after)
    found: list[Span] = []
    for span in spans:
        first, behind = bisect_left(old, span.offset), bisect_left(old, span.offset + span.length)
        if first < behind <= len(new):
            found.append(replace(span, offset=new[first], length=new[behind - 1] + 1 - new[first]))
    return tuple(found)


def _places(text: Iterable[str]) -> list[int]:
    """Where the characters of a text stand that are no white space."""
    return [place for place, character in enumerate(text) if not character.isspace()]
