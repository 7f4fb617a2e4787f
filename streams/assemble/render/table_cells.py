"""The cells of a table that are more than plain text: what of the notes, the emphasis and the links of its block stands in each. Pure functions.

A table's block says the first two by offsets in its text, in which tabs stand between cells and each row is a line; links by their text, in order.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from msgspec.structs import replace

from schemas.content import Link, Span
from schemas.document import FinishedTable, NoteReference


class RichCell(NamedTuple):
    """A cell's text with the notes that it refers to and its emphasis, by offsets in it, and its links. The mark of a note is no part of a link."""

    text: str
    notes: list[NoteReference]
    spans: list[Span]
    links: Sequence[Link] = ()


MAX_MISSING_LINKS = 10
"""Links that no cell holds, before the rest is left out: each costs a search through a table of perhaps 400,000 cells."""
Place = tuple[int, int]
"""Row and column."""


def rich_cells(table: FinishedTable, notes: Sequence[NoteReference], spans: Sequence[Span], links: Sequence[Link] = ()) -> dict[Place, RichCell]:
    """The cells that are more than their text."""
    found = {
        (row, column): RichCell(table.rows[row][column], [], [], its_links) for (row, column), its_links in _links_of_cells(table.rows, links).items()
    }
    if not notes and not spans:
        return found
    starts = row_starts(table.rows)
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
            found[row, column] = cell._replace(links=())
        else:
            cell.spans.append(replace(one, offset=offset))
    return found


def _links_of_cells(rows: Sequence[Sequence[str]], links: Sequence[Link]) -> dict[Place, list[Link]]:
    """The links of each cell: both are in order, so that each link stands in the first cell that holds its text, behind the link before it."""
    places = [(row, column) for row, cells in enumerate(rows) for column, text in enumerate(cells) if text] if links else []
    found: dict[Place, list[Link]] = {}
    at = offset = missing = 0
    for link in links:
        stands = _next_place(rows, places, link.text, at, offset)
        if stands is None:
            missing += 1
            if missing > MAX_MISSING_LINKS:
                break
            continue
        at, offset = stands
        found.setdefault(places[at], []).append(link)
    return found


def _next_place(rows: Sequence[Sequence[str]], places: Sequence[Place], text: str, at: int, offset: int) -> tuple[int, int] | None:
    """The first of the places from number `at` on that holds a text, in that one from `offset` on: its number, and where the text ends in it."""
    for number in range(at, len(places)) if text else ():
        row, column = places[number]
        start = rows[row][column].find(text, offset if number == at else 0)
        if start >= 0:
            return number, start + len(text)
    return None


def table_spans(rows: Sequence[Sequence[str]], cells: Iterable[tuple[int, int, Sequence[Span]]]) -> Iterator[Span]:
    """The spans of cells, each with its row and column and in the order of these, as spans of the text of their table (`table_text`)."""
    starts: list[int] = []
    for row, column, spans in cells:
        if spans:
            starts = starts or row_starts(rows)
            start = starts[row] + sum(len(text) + 1 for text in rows[row][:column])
            yield from (replace(span, offset=span.offset + start) for span in spans)


def row_starts(rows: Sequence[Sequence[str]]) -> list[int]:
    """Where each row begins in the text of a table (`table_text`)."""
    return [0, *accumulate(len(row_text(row)) + 1 for row in rows[:-1])] if rows else []


def row_text(row: Sequence[str]) -> str:
    """A row as a line of text."""
    return "\t".join(row).rstrip("\t")


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """A table as plain text: tabs between cells, a line for each row."""
    return "\n".join([row_text(row) for row in rows])
