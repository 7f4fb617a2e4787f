"""A table that grows page by page, and the account that nothing got lost in it.

Held at every moment and checked at the end: rows in = rows out + dropped repeated headers + merged split rows. An append costs what the
appended fragment holds, so a chain of a thousand pages is linear. A grid given to a `JoinedTable` belongs to it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from schemas.document import FinishedCell, FinishedTable, Join, Region
from schemas.geometry import EMPTY
from streams.assemble.tables.column_profile import SAMPLE_ROWS, ColumnProfile, profile_of
from streams.assemble.tables.grid import Grid, GridCell, spread
from streams.assemble.text.hyphens import join_cells
from streams.assemble.text.wording import fold

RULED = 0.5
"""Share of drawn borders from which an empty cell over several rows was drawn so, and is no gap in the text."""
MAX_WIDENINGS = 3
"""Each moves the whole table onto more columns; a real one gains a column or two."""


class TableNotWhole(Exception):
    """A bug: rows vanished or appeared while fragments were joined. The message says how many."""


class Account(NamedTuple):
    """Rows that came in, that were dropped as repeated headers, and that were merged into the row before."""

    rows_in: int
    dropped: int
    merged: int


class JoinedTable:
    """The fragments of one table, joined from the first on."""

    def __init__(self, grid: Grid) -> None:
        self.columns = grid.columns
        self.header_rows = grid.header_rows
        self.rows = grid.rows
        self.cells = grid.cells
        self.joins: list[Join] = []
        self.confidence = grid.confidence
        self.account = Account(len(grid.rows), 0, 0)
        self.widenings = 0
        self.edges: tuple[float, ...] = ()
        self.fragment_start = 0
        self._seen: set[tuple[int, str]] = set()
        self._seen_rows = 0
        self._profile: ColumnProfile | None = None
        self._take_end(grid, 0)

    @property
    def profile(self) -> ColumnProfile:
        """What its columns hold; worked out when a break asks for it first."""
        if self._profile is None:
            self._profile = profile_of(_without_last(self.rows, self.header_rows), self.columns)
        return self._profile

    def _take_end(self, grid: Grid, first_cell: int) -> None:
        """Remembers how the table ends now. Where the edges of a fragment are not known (empty), those of one before it stay."""
        self.edges = grid.edges or self.edges
        self.ruled = grid.ruled
        self.closed_bottom = grid.closed_bottom
        self.full_cells = grid.full_cells
        self._end_cells = first_cell
        self._over: list[GridCell] = []

    def _reaching_last(self) -> dict[int, GridCell]:
        """The cells of the last fragment that reach our last row, by column; one that came over the break before it among them."""
        last = len(self.rows) - 1
        return {
            column: cell
            for cell in (*self._over, *self.cells[self._end_cells :])
            if cell.row + cell.row_span > last
            for column in range(cell.column, cell.column + cell.column_span)
        }

    def last_row_bounds(self) -> tuple[int, ...]:
        """The columns at which the cells of the last row begin, and the end; empty where a place of it is in no cell."""
        reaching = self._reaching_last()
        starts = sorted({cell.column for cell in reaching.values()})
        return (*starts, self.columns) if len(reaching) == self.columns else ()

    def learn_header(self, header_rows: int) -> None:
        """The first rows turn out to be the header, as they are repeated on a later page."""
        self.header_rows = header_rows
        self._profile = None

    def widen(self, bounds: list[int], columns: int) -> None:
        """Moves all that is here onto a grid of more columns (see `grid.spread`)."""
        held = Grid(0, self.columns, 0, self.rows, self.cells, (), self.ruled, self.closed_bottom, self.confidence, self.full_cells)
        wide = spread(held, bounds, columns)
        self.columns, self.rows, self.cells = columns, wide.rows, wide.cells
        self._profile = moved_profile(self.profile, bounds, columns)
        self.widenings += 1
        self._seen, self._seen_rows = set(), 0
        self.edges = ()
        self._take_end(wide, 0)

    def append(self, grid: Grid, header_rows: int, merge_first: bool) -> None:
        """Adds a fragment of as many columns below, without its first `header_rows` rows. `merge_first`: its next row ends our last row."""
        self.profile.add(_without_last(grid.rows, header_rows + merge_first))
        first = header_rows + merge_first
        if merge_first:
            self._merge_into_last(grid, header_rows)
        reaching = {} if merge_first or min(self.ruled, grid.ruled) < RULED else self._reaching_last()
        first_cell, offset = len(self.cells), len(self.rows) - first
        self.fragment_start = len(self.rows)
        self.rows.extend(grid.rows[first:])
        for cell in grid.cells:
            if cell.row == first and _spans_break(reaching.get(cell.column), cell):
                self._extend(reaching[cell.column], cell)
            elif cell.row >= first:
                cell.row += offset
                self.cells.append(cell)
        self.confidence = min(self.confidence, grid.confidence)
        rows_in, dropped, merged = self.account
        self.account = Account(rows_in + len(grid.rows), dropped + header_rows, merged + merge_first)
        if len(grid.rows) > first:
            over = [cell for cell in reaching.values() if cell.row + cell.row_span > self.fragment_start]
            self._take_end(grid, first_cell)
            self._over = over

    def _extend(self, above: GridCell, below: GridCell) -> None:
        """A cell over several rows goes on below the break, where its text is not printed again."""
        above.take_place(below)
        above.row_span += below.row_span

    def has_seen(self, column: int, text: str) -> bool:
        """Whether a data row holds just this text in this column. Linear over the life of the table, however often it is asked."""
        for row in self.rows[max(self._seen_rows, self.header_rows) :]:
            self._seen.update((c, fold(cell)) for c, cell in enumerate(row) if cell)
        self._seen_rows = len(self.rows)
        return (column, fold(text)) in self._seen

    def can_merge(self, grid: Grid, row: int) -> bool:
        """Whether the cells of a row of `grid` fit those of our last row: each single, or as wide as the one above."""
        if len(self.rows) <= self.header_rows or row >= len(grid.rows):
            return False
        reaching = self._reaching_last()
        for cell in grid.cells:
            if cell.row > row:
                break
            above = reaching.get(cell.column)
            width = above.column_span if above else 1
            if cell.row == row and (cell.column_span != width or (above is not None and above.column != cell.column)):
                return False
        return True

    def check(self) -> None:
        """Raises TableNotWhole where the account does not hold."""
        rows_in, dropped, merged = self.account
        if len(self.rows) != rows_in - dropped - merged:
            raise TableNotWhole(f"{rows_in} rows in, {dropped} dropped, {merged} merged, {len(self.rows)} rows out")

    def turn_around(self) -> None:
        """Makes the last column the first. Only of a table that is whole: what is known of its end and its edges holds no more."""
        for row in self.rows:
            row.reverse()
        for cell in self.cells:
            end = self.columns - 1 - cell.column
            cell.column = end + 1 - cell.column_span
            if cell.column_span > 1:
                row = self.rows[cell.row]
                row[cell.column], row[end] = row[end], row[cell.column]
        self.cells.sort(key=lambda c: (c.row, c.column))

    def finished(self) -> FinishedTable:
        """The whole table as it is published."""
        if self.account.merged:
            self.cells.sort(key=lambda c: (c.row, c.column))
        return FinishedTable(
            header_rows=self.header_rows,
            columns=self.columns,
            confidence=round(self.confidence, 4),
            rows=tuple(map(tuple, self.rows)),
            cells=tuple(map(_finished_cell, self.cells)),
            joins=tuple(self.joins),
        )

    def _merge_into_last(self, grid: Grid, row: int) -> None:
        """Adds the cells of the grid's row to those of our last row, cell by cell. A cell keeps the page on which its text begins."""
        last, reaching = len(self.rows) - 1, self._reaching_last()
        for cell in grid.cells:
            if cell.row != row:
                continue
            above = reaching.get(cell.column)
            if above is None:
                above = GridCell(last, cell.column, cell.row_span, cell.column_span, cell.text, cell.page, cell.bbox)
                self.cells.append(above)
            else:
                above.take_place(cell)
                if not above.text:
                    above.page, above.bbox = cell.page, cell.bbox
                above.text, above.spans = join_cells(above.text, cell.text), ()
                above.row_span += cell.row_span - 1
            self.rows[above.row][above.column] = above.text


def _finished_cell(cell: GridCell) -> FinishedCell:
    regions = tuple(Region(page=page, bbox=bbox or EMPTY) for page, bbox in cell.places)
    return FinishedCell(
        row=cell.row, column=cell.column, row_span=cell.row_span, column_span=cell.column_span, text=cell.text, page=cell.page, bbox=cell.bbox,
        regions=regions,
    )  # fmt: skip


def _spans_break(above: GridCell | None, below: GridCell) -> bool:
    """Whether an empty cell at the top of a fragment is the rest of the one above the break: drawn over several rows there or here."""
    if above is None or below.text or not above.text:
        return False
    is_same_column = above.column == below.column and above.column_span == below.column_span
    return is_same_column and (above.row_span > 1 or below.row_span > 1)


def moved_profile(profile: ColumnProfile, bounds: Sequence[int], columns: int) -> ColumnProfile:
    """What is known of the columns, on a grid of more columns."""
    moved = ColumnProfile(profile.rows, [0] * columns, [0] * columns, profile.lower_first)
    for column, (filled, numeric) in enumerate(zip(profile.filled, profile.numeric, strict=True)):
        moved.filled[bounds[column]], moved.numeric[bounds[column]] = filled, numeric
    return moved


def _without_last(rows: list[list[str]], first: int) -> list[list[str]]:
    """Some data rows from `first` on; the last row is left out where others are there, as a break may have cut it."""
    return rows[first : min(max(first + 1, len(rows) - 1), first + SAMPLE_ROWS)]
