"""Texts that stand side by side, placed into the columns of a table that is known: how rows without column edges of their own become its rows."""

from collections.abc import Sequence
from itertools import pairwise

from schemas.geometry import BBox, union
from streams.assemble.tables.grid import Grid, GridCell
from streams.assemble.text.wording import glue

INSIDE = 0.7
"""Share of a text's width that its column must hold: edges that no rule draws lie anywhere between two columns."""


def placed_rows(grid: Grid, columns: int, edges: Sequence[float], shift: float) -> Grid | None:
    """The rows of `grid`, whose cells have the boxes of their texts, on a table of `columns` between `edges`, which stand `shift` further right.

    Texts of one row that stand below each other in a column are one cell. None where a text stands in no column, or two side by side in one.
    """
    if len(edges) != columns + 1:
        return None
    moved = [edge + shift for edge in edges]
    rows = [[""] * columns for _ in grid.rows]
    cells: dict[tuple[int, int], GridCell] = {}
    for cell in grid.cells:
        column = _column_of(cell.bbox, moved) if cell.bbox is not None else None
        if column is None or cell.bbox is None:
            return None
        above = cells.get((cell.row, column))
        if above is None:
            cells[cell.row, column] = GridCell(cell.row, column, 1, 1, cell.text, cell.page, cell.bbox)
        elif above.bbox is None or (cell.bbox[1] + cell.bbox[3]) / 2 < above.bbox[3]:
            return None
        else:
            above.text += glue(above.text, cell.text) + cell.text
            above.bbox = union((above.bbox, cell.bbox))
        rows[cell.row][column] = cells[cell.row, column].text
    return Grid(grid.page, columns, 0, rows, [cells[place] for place in sorted(cells)], (), grid.ruled, grid.closed_bottom, grid.confidence)


def _column_of(box: BBox, edges: Sequence[float]) -> int | None:
    x0, x1 = box[0], box[2]
    shares = [min(x1, right) - max(x0, left) for left, right in pairwise(edges)]
    best = max(range(len(shares)), key=shares.__getitem__)
    return best if shares[best] >= INSIDE * max(x1 - x0, 0.1) else None
