"""Where in a document the words of a query stand: page, block, and in a table the cell. Pure text work.

A place counts when it holds most of the words; places that hold more of them come first. Words are matched whole and without regard to case, as
the search index does; words of scripts without spaces anywhere.
"""

import re
import unicodedata

from msgspec import Struct

from schemas.content import FURNITURE
from schemas.document import Document, FinishedBlock
from schemas.geometry import BBox, area
from streams.index.highlight import EXCERPT_CHARS, WORD, excerpt

MAX_PLACES = 200
MAX_QUERY_CHARS = 1_000
OPERATORS = frozenset({"AND", "OR", "NOT", "IN", "TO"})
"""Words of the query language, in capitals, that are not searched for."""
_FIELD = re.compile(r"\b(filename|headings|words):")
_LEFT, _RIGHT = "\ue000", "\ue001"


class Piece(Struct, frozen=True):
    """A part of an excerpt; `hit` says that it is what was searched for."""

    text: str
    hit: bool


class Place(Struct, frozen=True, kw_only=True):
    """Where words stand. `box` is on the page; None where the format has no places. `row` and `column` are of a table's cell."""

    page: int
    block: str
    box: BBox | None
    excerpt: tuple[Piece, ...]
    row: int | None = None
    column: int | None = None


def words_of(query: str) -> frozenset[str]:
    """What a query looks for, folded; what it forbids (`-word`) and its operators left out."""
    plain = _FIELD.sub(" ", unicodedata.normalize("NFC", query[:MAX_QUERY_CHARS]))
    plain = re.sub(r"(?<!\S)-\S+", " ", plain)
    return frozenset(word.casefold() for word in WORD.findall(plain) if word not in OPERATORS)


def find_places(document: Document, query: str) -> list[Place]:
    """The places with the most words of the query, in reading order, at most `MAX_PLACES`."""
    words = words_of(query)
    if not words:
        return []
    found = [scored for block in document.blocks if block.type not in FURNITURE for scored in _in_block(block, words, query)]
    best = max((score for score, _ in found), default=0)
    return [place for score, place in found if score == best][:MAX_PLACES]


def pieces_of(text: str, query: str, size: int = EXCERPT_CHARS) -> tuple[Piece, ...]:
    """An excerpt of a text around the words of a query, in pieces."""
    marked = excerpt(text.replace(_LEFT, "").replace(_RIGHT, ""), " ".join(sorted(words_of(query))), _LEFT, _RIGHT, size)
    pieces: list[Piece] = []
    for part in marked.split(_LEFT):
        hit, closed, rest = part.partition(_RIGHT)
        if closed:
            pieces.append(Piece(hit, True))
            part = rest  # noqa: PLW2901 - what follows the hit
        if part:
            pieces.append(Piece(part, False))
    return tuple(pieces)


def _in_block(block: FinishedBlock, words: frozenset[str], query: str) -> list[tuple[int, Place]]:
    if block.table is None:
        score = _score(block.text, words)
        region = block.regions[0] if block.regions else None
        if not score or region is None:
            return []
        return [(score, Place(page=region.page, block=block.id, box=_box(region.bbox), excerpt=pieces_of(block.text, query)))]
    places = []
    rows: dict[int, str] = {}
    for cell in block.table.cells:
        rows[cell.row] = f"{rows.get(cell.row, '')} {cell.text}"
    for cell in block.table.cells:
        # The words may be spread over the cells of one row: each of those cells is a place, as good as the row.
        if _score(cell.text, words):
            line = rows[cell.row]
            place = Place(
                page=cell.page, block=block.id, box=_box(cell.bbox), excerpt=pieces_of(line, query), row=cell.row, column=cell.column
            )  # fmt: skip
            places.append((_score(line, words), place))
    return places


def _score(text: str, words: frozenset[str]) -> int:
    """How many different words of the query a text holds."""
    folded = unicodedata.normalize("NFC", text).casefold()
    present = set(WORD.findall(folded))
    return sum(1 for word in words if word in present or (not word.isascii() and len(word) > 1 and word in folded))


def _box(box: BBox | None) -> BBox | None:
    return box if box is not None and area(box) > 0 else None
