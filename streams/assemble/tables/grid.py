"""A table as it was read from one page, made regular: cells inside the grid, none over another, every text clean.

A table on a topic is untrusted: counts may be absurd, spans may overlap. What comes out of `grid_of` holds the promise of
`schemas.content.Table`, or there is no grid.
"""

import math
from dataclasses import dataclass

from msgspec.structs import replace

from schemas.content import Cell, Table
from schemas.geometry import BBox
from streams.assemble.text.emphasis import Spans, respaced, sound_spans
from streams.assemble.text.wording import clean_text

MAX_COLUMNS = 1_000
"""Spreadsheets printed on one page have some fifty."""
DRAWN = 0.9
"""Share of drawn borders from which a table has a rule at each edge."""
PLACES_PER_CELL = 64
SPARE_PLACES = 256
"""A grid may be sparse, but not so sparse that a few cells claim a million places."""


@dataclass(slots=True)
class GridCell:
    """One cell. `row` counts within the fragment while it is apart, within the whole table once it is joined.

    `places`: page and box of all its parts, where a break cut it; `page` and `bbox` are then those of the part in which its text begins.
    """

    row: int
    column: int
    row_span: int
    column_span: int
    text: str
    page: int
    bbox: BBox | None
    places: tuple[tuple[int, BBox | None], ...] = ()
    spans: Spans = ()

    def take_place(self, lower: "GridCell") -> None:
        """Remembers where the part below a break stands."""
        own = self.places or ((self.page, self.bbox),)
        self.places = (*own, *(lower.places or ((lower.page, lower.bbox),)))


@dataclass(slots=True)
class Grid:
    """A regular table. `rows` are cell texts, every row `columns` long; `cells` stand in order of row and column.

    `is_placed`: it has no edges of its own, and its texts were found to stand within the columns of another fragment.
    """

    page: int
    columns: int
    header_rows: int
    rows: list[list[str]]
    cells: list[GridCell]
    edges: tuple[float, ...]
    ruled: float
    closed_bottom: bool
    confidence: float
    full_cells: frozenset[int] = frozenset()
    is_placed: bool = False


def grid_of(table: Table, page: int) -> Grid | None:
    """The grid of a table on `page`; None where it has no cell with a place, or far more places than cells."""
    columns, row_count = table.columns, table.rows
    if not (0 < columns <= MAX_COLUMNS and row_count > 0 and row_count * columns <= SPARE_PLACES + PLACES_PER_CELL * len(table.cells)):
        return None
    rows = [[""] * columns for _ in range(row_count)]
    placed: dict[tuple[int, int], Cell] = {}
    for cell in table.cells:
        if 0 <= cell.row < row_count and 0 <= cell.column < columns:
            placed.setdefault(_place(cell), cell)
    taken = bytearray(row_count * columns)
    for cell in placed.values():
        taken[cell.row * columns + cell.column] = bool(cell.text)  # a span ends before another cell that says something
    cells = []
    for cell in sorted(placed.values(), key=_place):
        if taken[cell.row * columns + cell.column] and not cell.text:
            continue
        row_span = column_span = 1
        taken[cell.row * columns + cell.column] = 1
        if cell.row_span > 1 or cell.column_span > 1:
            row_span, column_span = _free_span(cell, row_count, columns, taken)
            for row in range(cell.row, cell.row + row_span):
                start = row * columns + cell.column
                taken[start : start + column_span] = b"\1" * column_span
        text = _one_line(cell.text)
        rows[cell.row][cell.column] = text
        spans = _spans(cell, text, is_header=cell.row < table.header_rows) if cell.spans else ()
        cells.append(GridCell(cell.row, cell.column, row_span, column_span, text, page, _box(cell.bbox), spans=spans))
    if not cells:
        return None
    edges = table.column_edges if len(table.column_edges) == columns + 1 and math.isfinite(sum(table.column_edges)) else ()
    header_rows = min(max(table.header_rows, 0), row_count)
    confidence = min(1.0, max(0.0, table.confidence))
    return Grid(page, columns, header_rows, rows, cells, edges, table.ruled, table.closed_bottom, confidence, frozenset(table.full_cells))


def _place(cell: Cell) -> tuple[int, int]:
    return cell.row, cell.column


def _one_line(text: str) -> str:
    return text if text.isprintable() and "  " not in text else " ".join(clean_text(text).split())


def _spans(cell: Cell, text: str, *, is_header: bool) -> Spans:
    """What is set off in a cell whose text became `text`; a header is bold as it is."""
    if cell.text != clean_text(cell.text):
        return ()
    spans = [replace(span, bold=False) for span in cell.spans] if is_header else cell.spans
    return sound_spans(respaced(sound_spans(spans, cell.text), cell.text, text), text)


def _box(box: BBox | None) -> BBox | None:
    return box if box is not None and math.isfinite(sum(box)) else None


def _free_span(cell: Cell, row_count: int, columns: int, taken: bytearray) -> tuple[int, int]:
    """How far the cell may reach: as far as it says, inside the grid and over no other cell."""
    start = cell.row * columns + cell.column
    column_span = 1
    widest = min(max(cell.column_span, 1), columns - cell.column)
    while column_span < widest and not taken[start + column_span]:
        column_span += 1
    row_span = 1
    tallest = min(max(cell.row_span, 1), row_count - cell.row)
    while row_span < tallest and not any(taken[start + row_span * columns : start + row_span * columns + column_span]):
        row_span += 1
    return row_span, column_span


def spread(grid: Grid, bounds: list[int], columns: int) -> Grid:
    """The same table on a grid of more columns: column `c` reaches from `bounds[c]` to before `bounds[c + 1]`. New places are empty.

    A cell without a rule around it does not reach over a column that is empty on its page.
    """
    rows = []
    for row in grid.rows:
        wide = [""] * columns
        for start, text in zip(bounds, row, strict=False):
            wide[start] = text
        rows.append(wide)
    cells = []
    for c in grid.cells:
        is_single = c.column_span == 1 and grid.ruled < DRAWN
        reach = 1 if is_single else bounds[c.column + c.column_span] - bounds[c.column]
        cells.append(GridCell(c.row, bounds[c.column], c.row_span, reach, c.text, c.page, c.bbox, c.places, c.spans))
    full = frozenset(bounds[c] for c in grid.full_cells if 0 <= c < grid.columns)
    return Grid(grid.page, columns, grid.header_rows, rows, cells, (), grid.ruled, grid.closed_bottom, grid.confidence, full)
