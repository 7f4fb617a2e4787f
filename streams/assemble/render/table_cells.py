"""The cells of a table that are more than plain text: what of the notes and the emphasis of its block stands in each. Pure functions of values.

A table's block says both by offsets in its text, in which tabs stand between cells and each row is a line.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from msgspec.structs import replace

from schemas.content import Span
from schemas.document import FinishedTable, NoteReference


class RichCell(NamedTuple):
    """A cell's text with the notes that it refers to and its emphasis, by offsets in it."""

    text: str
    notes: list[NoteReference]
    spans: list[Span]


Place = tuple[int, int]
"""Row and column."""


def rich_cells(table: FinishedTable, notes: Sequence[NoteReference], spans: Sequence[Span]) -> dict[Place, RichCell]:
    """The cells that are more than their text, in the order of rows and columns."""
    if not notes and not spans:
        return {}
    starts = row_starts(table.rows)
    found: dict[Place, RichCell] = {}
    parts: list[NoteReference | Span] = [*notes, *spans]
    for one in sorted(parts, key=lambda one: one.offset):
        row = bisect_right(starts, one.offset) - 1
        cells = [0, *accumulate(len(text) + 1 for text in table.rows[row])] if row >= 0 else [0]
        column = bisect_right(cells, one.offset - starts[row]) - 1
        if not 0 <= column < table.columns or one.offset < 0:
            continue
        text = table.rows[row][column]
        offset = one.offset - starts[row] - cells[column]
        if offset + one.length > len(text):
            continue
        cell = found.setdefault((row, column), RichCell(text, [], []))
        if isinstance(one, NoteReference):
            cell.notes.append(replace(one, offset=offset))
        else:
            cell.spans.append(replace(one, offset=offset))
    return found


def row_starts(rows: Sequence[Sequence[str]]) -> list[int]:
    """Where each row begins in the text of a table (`table_text`)."""
    return [0, *accumulate(len(row_text(row)) + 1 for row in rows[:-1])] if rows else []


def row_text(row: Sequence[str]) -> str:
    """A row as a line of text."""
    return "\t".join(row).rstrip("\t")


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """A table as plain text: tabs between cells, a line for each row."""
    return "\n".join([row_text(row) for row in rows])
