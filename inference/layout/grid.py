"""Rows of cells that stand in columns become a table: columns from where the cells overlap, rows from their lines. Pure.

Made without ruling lines, so it is careful: few rows or cells that do not line up stay lines of text, in order.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from inference.layout.lines import Line
from inference.text import between
from schemas.content import Cell, Table
from schemas.geometry import BBox, overlap_x, rounded, union, width

MIN_ROWS = 3
MIN_COLUMNS = 2
FILLED = 0.5
"""Share of a table's places that hold text at least: columns of running text that merely stand side by side fill all, forms few."""
MAX_CELL_CHARS = 160
"""A row with a longer cell is running text."""
GRID_CONFIDENCE = 0.6
"""What a grid that was read off the positions of text is worth beside its text."""

_NUMBER = re.compile(r"[-+(]?[$€£]?\s*[\d.,' ]*\d[\d.,' ]*\s*[%)€$]?|[-–—.]+|n/?a", re.IGNORECASE)


class Row(Struct, frozen=True):
    """A row of a region: its cells from left to right."""

    cells: tuple[Line, ...]

    @property
    def box(self) -> BBox:
        """The box around its cells."""
        return union(cell.box for cell in self.cells)


def table_runs(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Runs of rows (first, one past last) that make a table: most of them have several cells, no cell is long, none far from the next."""
    runs: list[tuple[int, int]] = []
    start = 0
    while start < len(rows):
        if not _is_cellular(rows[start]):
            start += 1
            continue
        end = start + 1
        while end < len(rows) and _goes_on(rows, end):
            end += 1
        while not _is_cellular(rows[end - 1]):
            end -= 1
        if end - start >= MIN_ROWS and sum(_is_cellular(row) for row in rows[start:end]) * 2 > end - start:
            runs.append((start, end))
        start = end
    return runs


def table_of(rows: Sequence[Row]) -> Table | None:
    """The table that rows make, boxes in points of the upright page; None where their cells stand in no columns."""
    columns = _columns([cell for row in rows for cell in row.cells])
    if len(columns) < MIN_COLUMNS:
        return None
    cells: list[Cell] = []
    for index, row in enumerate(rows):
        cells += _placed(index, row, columns)
    if len(cells) < FILLED * len(rows) * len(columns):
        return None
    confidence = sum(cell.confidence * cell.weight for row in rows for cell in row.cells) / sum(cell.weight for row in rows for cell in row.cells)
    return Table(
        rows=len(rows),
        columns=len(columns),
        cells=tuple(cells),
        header_rows=_header_rows(cells, len(rows), len(columns)),
        column_edges=_edges(columns),
        confidence=round(GRID_CONFIDENCE * confidence, 4),
    )


def _is_cellular(row: Row) -> bool:
    return len(row.cells) >= MIN_COLUMNS and all(len(cell.text) <= MAX_CELL_CHARS for cell in row.cells)


def _goes_on(rows: Sequence[Row], index: int) -> bool:
    """Whether the row at `index` belongs to the table above: near, and itself of cells or a single one between such rows."""
    above, row = rows[index - 1], rows[index]
    size = max(cell.size for cell in row.cells)
    if row.box[1] - above.box[3] > 2.2 * size:
        return False
    if _is_cellular(row):
        return True
    return len(row.cells[0].text) <= MAX_CELL_CHARS and _is_cellular(above) and index + 1 < len(rows) and _is_cellular(rows[index + 1])


def _columns(cells: Sequence[Line]) -> list[tuple[float, float]]:
    """Extents of columns from left to right: narrow cells found them, cells that overlap several span them."""
    columns: list[tuple[float, float]] = []
    for cell in sorted(cells, key=lambda c: (width(c.box), c.box)):
        x0, x1 = cell.box[0], cell.box[2]
        touched = [column for column in columns if min(x1, column[1]) - max(x0, column[0]) > 0.1 * min(x1 - x0, column[1] - column[0])]
        if not touched:
            columns.append((x0, x1))
        elif len(touched) == 1:
            columns[columns.index(touched[0])] = (min(x0, touched[0][0]), max(x1, touched[0][1]))
    return _without_overlap(sorted(columns))


def _without_overlap(columns: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Columns that grew into each other become one."""
    apart: list[tuple[float, float]] = []
    for x0, x1 in columns:
        if apart and x0 < apart[-1][1] - 0.25 * min(x1 - x0, apart[-1][1] - apart[-1][0]):
            apart[-1] = (apart[-1][0], max(x1, apart[-1][1]))
        else:
            apart.append((x0, x1))
    return apart


def _placed(index: int, row: Row, columns: Sequence[tuple[float, float]]) -> list[Cell]:
    """The cells of a row at their places; two that fall on one place are joined."""
    placed: dict[int, Cell] = {}
    taken = -1
    for line in row.cells:
        over = [n for n, (x0, x1) in enumerate(columns) if overlap_x(line.box, (x0, 0.0, x1, 0.0)) > 0.3 * min(x1 - x0, max(width(line.box), 0.01))]
        first = over[0] if over else min(range(len(columns)), key=lambda n: abs(sum(columns[n]) - line.box[0] - line.box[2]))
        last = over[-1] if over else first
        if first <= taken:
            before = placed[max(placed)]
            text = before.text + between(before.text, line.text) + line.text
            box = rounded(union((before.bbox or line.box, line.box)))
            span = max(last, taken) - before.column + 1
            placed[before.column] = Cell(row=index, column=before.column, text=text, column_span=span, bbox=box)
            taken = max(last, taken)
            continue
        placed[first] = Cell(row=index, column=first, text=line.text, column_span=last - first + 1, bbox=rounded(line.box))
        taken = last
    return list(placed.values())


def _header_rows(cells: Sequence[Cell], rows: int, columns: int) -> int:
    """1 where the first row holds words above columns of numbers, else 0."""
    first = [cell for cell in cells if cell.row == 0]
    if any(_NUMBER.fullmatch(cell.text) for cell in first):
        return 0
    for column in range(columns):
        below = [cell.text for cell in cells if cell.column == column and cell.row > 0]
        if len(below) * 2 > rows and sum(_NUMBER.fullmatch(text) is not None for text in below) * 4 >= 3 * len(below):
            return 1
    return 0


def _edges(columns: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    inner = [(a[1] + b[0]) / 2 for a, b in pairwise(columns)]
    return tuple(round(x, 2) for x in (columns[0][0], *inner, columns[-1][1]))
