"""Texts that stand side by side, placed into the columns of a table that is known: how rows without column edges of their own become its rows."""

from collections.abc import Collection, Sequence
from itertools import groupby, pairwise

from schemas.geometry import BBox, union
from streams.assemble.tables.grid import Grid, GridCell
from streams.assemble.text.wording import glue

CLOSE = 0.3
"""Share of the height of a text that is left free between lines of a cell at most."""
INSIDE = 0.7
"""Share of a text's width that its column must hold: edges that no rule draws lie anywhere between two columns."""


def placed_rows(grid: Grid, columns: int, edges: Sequence[float], shift: float) -> Grid | None:
    """The rows of `grid`, whose cells have the boxes of their texts, on a table of `columns` between `edges`, which stand `shift` further right.

    Texts of one row that stand below each other in a column are one cell, and so are those of the next row, where it lacks a first text and is set
    as close as the lines of a cell. None where a text stands in no column, or two side by side in one.
    """
    if len(edges) != columns + 1:
        return None
    moved = [edge + shift for edge in edges]
    cells: dict[tuple[int, int], GridCell] = {}
    merged = 0
    for _, own in groupby(grid.cells, key=lambda cell: cell.row):
        placed = [(cell, _column_of(cell.bbox, moved) if cell.bbox is not None else None) for cell in own]
        merged += bool(cells) and _goes_on(cells.values(), placed)
        for cell, column in placed:
            if column is None or cell.bbox is None:
                return None
            row = cell.row - merged
            above = cells.get((row, column))
            if above is None:
                cells[row, column] = GridCell(row, column, 1, 1, cell.text, cell.page, cell.bbox)
            elif above.bbox is None or (cell.bbox[1] + cell.bbox[3]) / 2 < above.bbox[3]:
                return None
            else:
                above.text += glue(above.text, cell.text) + cell.text
                above.bbox = union((above.bbox, cell.bbox))
    rows = [[cells[row, column].text if (row, column) in cells else "" for column in range(columns)] for row in range(len(grid.rows) - merged)]
    return Grid(
        grid.page, columns, 0, rows, [cells[place] for place in sorted(cells)], (), grid.ruled, grid.closed_bottom, grid.confidence, is_placed=True
    )


def _goes_on(above: Collection[GridCell], row: Sequence[tuple[GridCell, int | None]]) -> bool:
    """Whether the texts of a row, with their columns, are further lines of the row above."""
    if any(column == 0 for _, column in row):
        return False
    last = max(cell.row for cell in above)
    end = max(cell.bbox[3] for cell in above if cell.row == last and cell.bbox is not None)
    boxes = [cell.bbox for cell, _ in row if cell.bbox is not None]
    return bool(boxes) and min(box[1] for box in boxes) - end <= CLOSE * min(box[3] - box[1] for box in boxes)


def _column_of(box: BBox, edges: Sequence[float]) -> int | None:
    x0, x1 = box[0], box[2]
    shares = [min(x1, right) - max(x0, left) for left, right in pairwise(edges)]
    best = max(range(len(shares)), key=shares.__getitem__)
    return best if shares[best] >= INSIDE * max(x1 - x0, 0.1) else None
