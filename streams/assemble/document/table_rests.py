"""Rows that are no table by themselves: at the top of a page offered as the end of the table that the page before broke off, at the foot of one as
the beginning of the table that goes on behind it.

A reader hands them on beside the text that says the same (`PageContent.rests`). Where the table takes them, that text goes; where it does not,
nothing happened.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from schemas.content import Block, BlockType
from schemas.document import Region
from schemas.geometry import BBox, center, contains_point, width
from streams.assemble.document.draft import Piece, Sheet
from streams.assemble.document.table_surroundings import Chain, is_next_column
from streams.assemble.tables.grid import Grid, grid_of
from streams.assemble.tables.joined_table import JoinedTable
from streams.assemble.tables.row_placing import placed_rows

MAX_RESTS = 8
"""Looked at on one page; more are the boxes of a form."""
_BESIDE = frozenset({BlockType.FOOTNOTE, BlockType.ANNOTATION})
UNRULED = 0.02
"""Share of drawn borders of a table below which its box is that of its text."""
SAME_WIDTH = 0.03
"""Share by which the rules around the last rows may be longer or shorter than those of the table above."""


class Rest(NamedTuple):
    """The rows as a piece that is on no sheet yet, and the pieces of the sheet that hold the same text, the first of them at `place`.

    `is_lone`: a single text, which is nothing but the end of a cell.
    """

    piece: Piece
    place: int
    covered: tuple[Piece, ...]
    is_lone: bool


def rests_for(chain: Chain, sheet: Sheet, *, heads: bool) -> Iterator[Rest]:
    """The rests of a sheet that have the columns of a chain, from top to bottom; none behind another table of the sheet.

    `heads`: what was taken for a running head, by its looks alone, may be one as well.
    """
    if sheet.page.content is None:
        return
    start = chain.end + 1 if chain.sheet is sheet else 0
    tables = (index for index, piece in enumerate(sheet.pieces) if index >= start and piece.in_body and piece.grid is not None)
    first_table = next(tables, len(sheet.pieces))
    for block in sheet.page.content.rests[:MAX_RESTS]:
        text = ((i, p) for i, p in enumerate(sheet.pieces) if p.in_body or (heads and not p.absorbed and p.type is BlockType.PAGE_HEADER))
        covered = [(i, p) for i, p in text if contains_point(block.bbox, *center(p.bbox))]
        if not covered or covered[0][0] < start or covered[-1][0] >= first_table or block.table is None:
            continue
        if chain.sheet is sheet and not is_next_column(chain.bbox, block.bbox, sheet.page.height_pt):
            continue
        grid = grid_of(block.table, sheet.page.page)
        on_table = _on_columns(chain, grid, block.bbox) if grid is not None else None
        if on_table is None:
            continue
        pieces = tuple(piece for _, piece in covered)
        yield Rest(_piece_of(sheet, block, on_table, pieces), covered[0][0], pieces, len(on_table.cells) == 1)


def rest_at_end(sheet: Sheet) -> Rest | None:
    """The rows that the body of a sheet ends with, as a piece with a table of its own; None where it ends with something else."""
    if sheet.page.content is None or sheet.by_structure:
        return None
    body = [(i, p) for i, p in enumerate(sheet.pieces) if p.in_body and p.type not in _BESIDE]
    for block in sheet.page.content.rests[:MAX_RESTS]:
        covered = [(i, p) for i, p in body if contains_point(block.bbox, *center(p.bbox))]
        is_last = bool(covered) and covered == body[-len(covered) :] and all(p.grid is None for _, p in covered)
        grid = grid_of(block.table, sheet.page.page) if is_last and block.table is not None else None
        if grid is not None and grid.edges and len(grid.rows) > 1:
            piece = _piece_of(sheet, block, grid, [piece for _, piece in covered])
            piece.table = JoinedTable(grid)
            # With its furniture, for a last row may look like a page's foot; a note stuck on the page is no row.
            inside = (
                p for p in sheet.pieces if not p.absorbed and p.type is not BlockType.ANNOTATION and contains_point(block.bbox, *center(p.bbox))
            )
            return Rest(piece, covered[0][0], tuple(inside), False)
    return None


def _piece_of(sheet: Sheet, block: Block, grid: Grid, covered: Sequence[Piece]) -> Piece:
    """Rows as a piece in the place of those whose text they are."""
    region = Region(page=sheet.page.page, bbox=block.bbox)
    return Piece(covered[0].number, block, block.type, [""], [region], min(piece.confidence for piece in covered), grid=grid)


def _on_columns(chain: Chain, grid: Grid, box: BBox) -> Grid | None:
    """The rows on the columns of the chain: their own where they are known, else where their texts stand between rules of the same length.

    Rules around a table whose own were not found may be longer than its text.
    """
    table = chain.table
    if grid.edges:
        return replace(grid) if grid.columns == table.columns else None
    if abs(width(box) - width(chain.bbox)) <= SAME_WIDTH * width(chain.bbox):
        return placed_rows(grid, table.columns, table.edges, box[0] - chain.bbox[0])
    if table.ruled < UNRULED and box[0] <= chain.bbox[0] and box[2] >= chain.bbox[2]:
        return placed_rows(grid, table.columns, table.edges, 0.0)
    return None
