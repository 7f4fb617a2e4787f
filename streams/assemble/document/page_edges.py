"""The blocks near the upper and lower edge of a page, as candidates for furniture: where they stand and what they say, folded for comparison.

A bounded number for each page. Decides nothing: that takes all pages (`furniture`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from schemas.content import BlockType
from schemas.geometry import BBox
from streams.assemble.document.draft import Piece, Sheet
from streams.assemble.text.continuation import table_label
from streams.assemble.text.page_numbers import words_around
from streams.assemble.text.wording import fold

ZONE = 0.3
"""The share of a page's height at each edge in which furniture can stand: long disclaimers are tall."""
EXTREME = 0.08
"""The same for two-page documents and for labels of a model, which prove less."""
DEEPEST = 8
"""Blocks from an edge inwards that can be furniture: a five-line head of a journal is common."""
TOLERANCE_PT = 8.0
"""The same line moves this much between pages: descenders, scans."""
LONGEST_KEY = 400
"""Characters compared: a disclaimer has a few hundred, and a page of text at an edge must cost no more."""
TABLE_ROWS = 4
"""Rows of a letterhead that is set as a table, at most."""


class Edge(str, Enum):
    """The two places of furniture."""

    TOP = "top"
    BOTTOM = "bottom"


@dataclass(slots=True)
class Candidate:
    """A piece near an edge. `place` counts content pages, `rank` blocks from the edge, `offset` points from it."""

    piece: Piece
    place: int
    edge: Edge
    rank: int
    offset: float
    text: str
    key: str
    extreme: bool


def edge_candidates(sheet: Sheet, place: int) -> Iterator[Candidate]:
    """The candidates of a sheet, which is the `place`-th with content, from each edge inwards: as far as the first caption, since what stands below
    one, as the unit of all tables, belongs to its table.
    """
    tall = max(sheet.page.height_pt, 1.0)
    captions: list[BBox] = []
    upright: list[Piece] = []
    for piece in sheet.body():
        if piece.block.rotation == 0:
            if piece.grid is None and _is_caption(piece):
                captions.append(piece.bbox)
            elif _can_be_furniture(piece):
                upright.append(piece)
    lowest = min([ZONE * tall, *(box[3] for box in captions)])
    highest = max([(1 - ZONE) * tall, *(box[1] for box in captions)])
    top = sorted((p for p in upright if p.bbox[3] <= ZONE * tall and p.bbox[1] < lowest), key=lambda p: (p.bbox[1], p.bbox[0]))[:DEEPEST]
    bottom = sorted((p for p in upright if p.bbox[1] >= (1 - ZONE) * tall and p.bbox[3] > highest), key=lambda p: (-p.bbox[3], p.bbox[0]))[:DEEPEST]
    for edge, pieces in ((Edge.TOP, top), (Edge.BOTTOM, bottom)):
        rank, line = -1, float("-inf")
        for piece in pieces:
            offset = piece.bbox[1] if edge is Edge.TOP else tall - piece.bbox[3]
            if offset > line + TOLERANCE_PT / 2:  # blocks side by side are equally near the edge
                rank, line = rank + 1, offset
            text = _text_of(piece)
            yield Candidate(piece, place, edge, rank, offset, text, words_around(text), offset <= EXTREME * tall)


def _can_be_furniture(piece: Piece) -> bool:
    if piece.type in (BlockType.FORM_FIELD, BlockType.ANNOTATION):
        return False
    return piece.grid is None or len(piece.grid.rows) <= TABLE_ROWS


def _is_caption(piece: Piece) -> bool:
    return piece.type is BlockType.CAPTION or table_label(piece.text[:80]) is not None


def _text_of(piece: Piece) -> str:
    """The folded text; of a table its cells, of a picture its size."""
    if piece.grid is not None:
        return "table " + fold(" ".join(cell.text for cell in piece.grid.cells)[:LONGEST_KEY])
    if piece.type is BlockType.FIGURE and not piece.text:
        x0, y0, x1, y1 = piece.bbox
        return f"figure {round((x1 - x0) / 4)} {round((y1 - y0) / 4)} {round(x0 / 8)}"
    return fold(piece.text[:LONGEST_KEY])
