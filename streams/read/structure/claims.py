"""What the spans of a table claim beyond its cells. Pure functions of values."""

from bisect import bisect_left

from msgspec.structs import replace

from schemas.content import Table


def without_claims(table: Table) -> Table:
    """The table without columns that no cell begins in: a span of a thousand over one cell below claims nothing."""
    begins = sorted({cell.column for cell in table.cells})
    if len(begins) == table.columns:
        return table
    places = ((cell, bisect_left(begins, cell.column), bisect_left(begins, cell.column + cell.column_span)) for cell in table.cells)
    return replace(table, columns=len(begins), cells=tuple(replace(cell, column=first, column_span=end - first) for cell, first, end in places))
