"""Finished documents cut into chunks for retrieval: by structure, under a budget, each with its heading path and where it stands.

Pure. A chunk crosses no heading and no page break, unless a block does; blocks under the same headings are packed together up to
`CHUNK_CHARS` (a budget of tokens: see `size_of`); a block above it is cut at white space, a table between rows with its header repeated in every
part. Furniture (running heads, page numbers) is left out. Every other text is in a chunk, once.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from schemas.content import FURNITURE, BlockType
from schemas.document import Document, FinishedBlock, FinishedTable, Region

CHUNK_CHARS = 1_600
"""About 400 tokens, counted in letters of English text: embedding models of 512 tokens take it whole, and a hit is still read at a glance."""
_SIGNS = re.compile("[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U0001f000-\U0003ffff]")
_OTHER_LETTERS = re.compile("[\u0370-\u10ff\u1200-\u1fff]")
SIGN, OTHER_LETTER = 4, 2
"""A sign of Chinese, Japanese or Korean is about a token of its own, as are two letters of Cyrillic, Greek, Arabic or Indic scripts; four are one in
Latin script."""

CELL_SEPARATOR = " | "


class Chunk(Struct, frozen=True, kw_only=True):
    """A piece of a document. `number` counts from 0 in reading order; `regions` are the boxes of its blocks, first page first."""

    number: int
    text: str
    heading_path: tuple[str, ...]
    types: tuple[str, ...]
    regions: tuple[Region, ...]
    confidence: float


class _Piece(Struct, frozen=True):
    """A block, or a part of one that was too long."""

    text: str
    heading_path: tuple[str, ...]
    type: str
    regions: tuple[Region, ...]
    confidence: float


def chunks_of(document: Document, budget_chars: int = CHUNK_CHARS) -> list[Chunk]:
    """All chunks of a document, in reading order."""
    chunks: list[Chunk] = []
    held: list[_Piece] = []

    def release() -> None:
        if held:
            chunks.append(_chunk(len(chunks), held))
            held.clear()

    for piece in _pieces(document, budget_chars):
        size = sum(size_of(p.text) + 1 for p in held)
        opens_section = piece.type == BlockType.HEADING.value and any(p.type != BlockType.HEADING.value for p in held)
        if held and (size + size_of(piece.text) > budget_chars or opens_section or not _together(held[-1], piece)):
            release()
        held.append(piece)
    release()
    return chunks


def size_of(text: str) -> int:
    """The room that a text takes of a budget, in letters of English text: four for each token that a usual model makes of it."""
    if text.isascii():
        return len(text)
    return len(text) + (SIGN - 1) * len(_SIGNS.findall(text)) + (OTHER_LETTER - 1) * len(_OTHER_LETTERS.findall(text))


def _together(before: _Piece, piece: _Piece) -> bool:
    """Text stays with its heading, and headings that follow each other stay together; a new page begins a new chunk, so that a hit names its page."""
    same_page = not before.regions or not piece.regions or before.regions[-1].page == piece.regions[0].page
    return same_page and (piece.heading_path == before.heading_path or before.type == BlockType.HEADING.value)


def _chunk(number: int, pieces: list[_Piece]) -> Chunk:
    return Chunk(
        number=number,
        text="\n".join(p.text for p in pieces),
        heading_path=pieces[-1].heading_path,
        types=tuple(dict.fromkeys(p.type for p in pieces)),
        regions=tuple(dict.fromkeys(r for p in pieces for r in p.regions)),
        confidence=min(p.confidence for p in pieces),
    )


def _pieces(document: Document, budget_chars: int) -> Iterator[_Piece]:
    for block in document.blocks:
        if block.type in FURNITURE:
            continue
        if block.table is not None:
            yield from _table_pieces(block, block.table, budget_chars)
            continue
        text = f"{(block.field.label or block.field.name).rstrip(': ')}: {block.field.value}" if block.field is not None else block.text
        for part in _cut(text, budget_chars):
            yield _Piece(part, block.heading_path, block.type.value, block.regions, block.confidence)


def _table_pieces(block: FinishedBlock, table: FinishedTable, budget_chars: int) -> Iterator[_Piece]:
    """A table in parts of whole rows; each part begins with the header and names the pages of its own rows."""
    lines = [CELL_SEPARATOR.join(row) for row in table.rows]
    sizes = [size_of(line) for line in lines]
    header = next(_cut("\n".join(lines[: table.header_rows]), budget_chars // 2), "")
    pages: dict[int, int] = {}
    for cell in table.cells:
        pages.setdefault(cell.row, cell.page)
    start = table.header_rows
    if start >= len(lines) and header:
        yield _Piece(header, block.heading_path, block.type.value, block.regions, block.confidence)
    while start < len(lines):
        end, size = start, size_of(header)
        while end < len(lines) and (end == start or size + sizes[end] < budget_chars):
            size += sizes[end] + 1
            end += 1
        on = {pages[row] for row in range(start, end) if row in pages}
        regions = tuple(r for r in block.regions if r.page in on) or block.regions
        body = "\n".join(lines[start:end])
        for part in _cut(f"{header}\n{body}" if header else body, 2 * budget_chars):
            yield _Piece(part, block.heading_path, block.type.value, regions, block.confidence)
        start = end


def _cut(text: str, budget_chars: int) -> Iterator[str]:
    """A text in parts of at most the budget, cut at white space where there is some in the second half of a part."""
    start = 0
    while start < len(text):
        end = min(len(text), start + budget_chars)
        while (size := size_of(text[start:end])) > budget_chars and end > start + 1:
            end = start + max(1, (end - start) * budget_chars // size)
        if end < len(text):
            space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
            if space > start + (end - start) // 2:
                end = space
        part = text[start:end].strip()
        if part:
            yield part
        start = end
