"""A table as every scorer sees it, whatever it was read from: truth, our JSON, or the Markdown and HTML of others.

Guarantees: rows are of one length; a cell that spans has its text at its top left place, and the places it covers are empty.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

MAX_SPAN = 1_000
"""Rows or columns that one cell may cover; more is an error of the writer, and would make a table of any size out of one word."""

Place = tuple[int, int]
_SPACE = re.compile(r"\s+")


def fold(text: str | None) -> str:
    """Text as tables are compared: compatibility forms and entities resolved, without any white space. Case and signs count."""
    return _SPACE.sub("", unicodedata.normalize("NFKC", html.unescape(text or "")))


class Grid(Struct, frozen=True):
    """Folded texts by row and column, and (rows, columns) of each cell that spans, by its top left place."""

    rows: tuple[tuple[str, ...], ...]
    spans: Mapping[Place, tuple[int, int]]

    def at(self, row: int, column: int) -> str:
        """The text of a place; empty outside the table."""
        return self.rows[row][column] if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row]) else ""

    @property
    def filled(self) -> dict[Place, str]:
        """The places that hold text."""
        return {(y, x): text for y, row in enumerate(self.rows) for x, text in enumerate(row) if text}

    def compact(self) -> "Grid":
        """The table without rows and columns that hold no text; spans count what is left of them."""
        rows = [y for y, row in enumerate(self.rows) if any(row)]
        columns = sorted({x for _, x in self.filled})
        spans = {}
        for (y, x), (down, across) in self.spans.items():
            if y in rows and x in columns:
                place = (rows.index(y), columns.index(x))
                spans[place] = (sum(y <= row < y + down for row in rows), sum(x <= column < x + across for column in columns))
        return Grid(tuple(tuple(self.rows[y][x] for x in columns) for y in rows), {place: span for place, span in spans.items() if span != (1, 1)})


def grid_of(rows: Iterable[Sequence[str]], spans: Mapping[Place, tuple[int, int]] | None = None) -> Grid:
    """A grid of texts as they were written; short rows are filled up."""
    folded = [[fold(text) for text in row] for row in rows]
    width = max(map(len, folded), default=0)
    wide = {place: (min(down, MAX_SPAN), min(across, MAX_SPAN)) for place, (down, across) in (spans or {}).items() if down > 1 or across > 1}
    return Grid(tuple(tuple(row + [""] * (width - len(row))) for row in folded), wide)


def grid_of_cells(cells: Iterable[tuple[int, int, int, int, str]]) -> Grid:
    """A grid of (row, column, row span, column span, text). Where two cells claim a place, the later one has it."""
    texts: dict[Place, str] = {}
    spans: dict[Place, tuple[int, int]] = {}
    for row, column, down, across, text in cells:
        texts[row, column] = text
        spans[row, column] = (down, across)
    height = max((row for row, _ in texts), default=-1) + 1
    width = max((column for _, column in texts), default=-1) + 1
    return grid_of([[texts.get((row, column), "") for column in range(width)] for row in range(height)], spans)
