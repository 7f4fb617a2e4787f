"""What the spans of a table claim beyond its cells, and how much of it is borne while its cells are read. Pure functions of values."""

from bisect import bisect_left
from collections.abc import Set

from msgspec.structs import replace

from schemas.content import Table

MAX_COLUMNS = 1_000
"""In which cells begin, as assembly allows; also of one span, as browsers allow. Word writes 63."""
CLAIMS = 10
"""Places that spans may claim, for each that a grid may have: they go when all cells are known, but cost time until then."""
MAX_CLAIMED = CLAIMS * MAX_COLUMNS


def has_room(column: int, begun: Set[int]) -> bool:
    """Whether a cell may begin in a column of a table; `begun`: the columns in which one does."""
    return column < MAX_CLAIMED and (column in begun or len(begun) < MAX_COLUMNS)


def without_claims(table: Table) -> Table:
    """The table without columns that no cell begins in: a span of a thousand over one cell below claims nothing."""
    begins = sorted({cell.column for cell in table.cells})
    if len(begins) == table.columns:
        return table
    places = ((cell, bisect_left(begins, cell.column), bisect_left(begins, cell.column + cell.column_span)) for cell in table.cells)
    return replace(table, columns=len(begins), cells=tuple(replace(cell, column=first, column_span=end - first) for cell, first, end in places))
