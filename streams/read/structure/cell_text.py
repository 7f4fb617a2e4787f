"""The text of a table cell that is made of several pieces, with what is set off in each. Pure functions of values."""

from collections.abc import Iterable

from msgspec import Struct

from schemas.content import Span
from schemas.text import LINE_BREAK
from streams.read.blocks.emphasis import shifted


class CellText(Struct, frozen=True):
    """A text, and what is set off in it by offsets."""

    text: str = ""
    spans: tuple[Span, ...] = ()


def joined_text(pieces: Iterable[CellText], between: str) -> CellText:
    """The pieces that say something as one text, lines that the author ended as they would be without a break."""
    parts: list[str] = []
    spans: list[Span] = []
    length = 0
    for piece in pieces:
        if not piece.text:
            continue
        if parts:
            length += len(between)
        parts.append(piece.text.replace(LINE_BREAK, " "))
        spans += shifted(piece.spans, length)
        length += len(piece.text)
    return CellText(between.join(parts), tuple(spans))
