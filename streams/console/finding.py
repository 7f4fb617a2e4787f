"""Where in a document the words of a query stand: page, block, and in a table the cell. Pure text work.

A place counts when it holds most of the words; places that hold more of them come first. Words are matched whole and without regard to case and
accents, as the search index does; words of scripts without spaces anywhere.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from schemas.content import FURNITURE
from schemas.document import Document, FinishedBlock, FinishedCell, FinishedTable
from schemas.geometry import BBox, area
from streams.index.highlight import Piece, excerpt
from streams.index.query import parse_query
from streams.index.words import WORD, fold

MAX_PLACES = 200


class Place(Struct, frozen=True, kw_only=True):
    """Where words stand. `box` is on the page; None where the format has no places. `row` and `column` are of a table's cell."""

    page: int
    block: str
    box: BBox | None
    excerpt: tuple[Piece, ...] = ()
    row: int | None = None
    column: int | None = None


def find_places(document: Document, query: str) -> list[Place]:
    """The places with the most words of the query, in reading order, at most `MAX_PLACES`."""
    words = parse_query(query).words
    best, found = 1, list[_Candidate]()
    for block in document.blocks if words else ():
        if block.type in FURNITURE:
            continue
        for candidate in _in_block(block, words):
            if candidate.score > best:
                best, found = candidate.score, []
            if candidate.score == best and len(found) < MAX_PLACES:
                found.append(candidate)
    return [msgspec.structs.replace(candidate.place, excerpt=excerpt(candidate.text, words)) for candidate in found]


class _Candidate(Struct, frozen=True):
    """A place, how many words it holds, and the text to show of it: cutting an excerpt costs more than looking."""

    score: int
    place: Place
    text: str


def _in_block(block: FinishedBlock, words: frozenset[str]) -> Iterator[_Candidate]:
    if block.table is not None:
        yield from _in_table(block, block.table, words)
        return
    score = _score(block.text, words)
    if score and block.regions:
        region = block.regions[0]
        yield _Candidate(score, Place(page=region.page, block=block.id, box=_box(region.bbox)), block.text)


def _in_table(block: FinishedBlock, table: FinishedTable, words: frozenset[str]) -> Iterator[_Candidate]:
    """The words may be spread over the cells of one row: each of those cells is a place, as good as the row."""
    rows: dict[int, list[FinishedCell]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(cell)
    for cells in rows.values():
        line = " ".join(cell.text for cell in cells)
        score = _score(line, words)
        for cell in cells if score else ():
            if _score(cell.text, words):
                place = Place(page=cell.page, block=block.id, box=_box(cell.bbox), row=cell.row, column=cell.column)
                yield _Candidate(score, place, line)


def _score(text: str, words: frozenset[str]) -> int:
    """How many different words of the query a text holds."""
    folded = fold(text)
    if not any(word in folded for word in words):
        return 0
    present = set(WORD.findall(folded))
    return sum(1 for word in words if word in present or (not word.isascii() and word in folded))


def _box(box: BBox | None) -> BBox | None:
    return box if box is not None and area(box) > 0 else None
