"""The columns of a table in the order in which they are read: where text runs leftwards the first column is the one at the right.

Pure. The last step of a table: whatever finds one counts its columns from the left.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from schemas.content import Table
from streams.read.characters.right_to_left import RIGHT_TO_LEFT


def runs_leftwards(texts: Iterable[str]) -> bool:
    """Whether most letters of some texts are of a script that runs leftwards."""
    leftward, letters = _letters(texts)
    return 2 * leftward > letters


def in_reading_direction(table: Table, *, page_runs_leftwards: bool) -> Table:
    """The table with its columns in the order of reading; `column_edges` go along, and so fall where that runs leftwards.

    Its own letters tell. Where they are few of that script the page does: one of numbers, or of names in another script, has the order of its page.
    """
    leftward, letters = _letters(cell.text for cell in table.cells)
    if 2 * leftward <= letters and not (page_runs_leftwards and (leftward or not letters)):
        return table
    columns = table.columns
    cells = [replace(cell, column=columns - cell.column - cell.column_span) for cell in table.cells]
    moved = {before.column: after.column for before, after in zip(table.cells, cells, strict=True) if before.row + before.row_span == table.rows}
    return replace(
        table,
        cells=tuple(sorted(cells, key=lambda cell: (cell.row, cell.column))),
        column_edges=table.column_edges[::-1],
        full_cells=tuple(sorted(moved[column] for column in table.full_cells if column in moved)),
    )


def _letters(texts: Iterable[str]) -> tuple[int, int]:
    """(letters of scripts that run leftwards, all letters)."""
    leftward = letters = 0
    for text in texts:
        letters += sum(map(str.isalpha, text))
        if not text.isascii():
            leftward += sum(1 for sign in RIGHT_TO_LEFT.findall(text) if sign.isalpha())
    return leftward, letters
