"""Texts of a few lines each that stand side by side: signatures, captions of figures in a row, cards of a report. Each is read down, not across.

Too low for a gutter to be found between them, they come as rows of cells; and rows are what most cells are. What tells: a sentence goes on in the
cells below, in most of the columns, or a row says the same in all of them. Pure functions of lines.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from msgspec import Struct

from streams.read.blocks.joined_rows import lines_of
from streams.read.blocks.lines import Fragment, Line

CELL_GAP = 1.8
"""Space between cells of one line, in sizes of type, as `lines.py` counts it."""
CLOSE = 1.6
"""Distance of lines of one text, in sizes of type; rows of a form stand further apart."""
CLOSE_TO_LARGE = 2.5
"""The same where a line of larger type, a number mostly, stands above its text."""
GOES_ON = 0.6
"""Share of cells that go on from the one above them from which the columns are read down."""
MAX_CELLS, MAX_ROWS = 12, 40
"""Of texts side by side: wider or longer ones are a table, and each line would be looked at from all those above it."""
_SENTENCE_END = re.compile(r"[.!?:;。！？]['\"”’»)\]]*\s*$")


class _Row(Struct):
    """A line as cells, from left to right."""

    line: Line
    cells: list[Line]


def read_down(lines: Sequence[Line]) -> list[tuple[list[Line], bool]]:
    """The lines of a region in order, in runs: (lines, False) as they came, and (lines of one column, True) in the place of rows of such columns."""
    if not any(above.gaps and below.gaps for above, below in pairwise(lines)):
        return [(list(lines), False)]
    runs: list[tuple[list[Line], bool]] = []
    index = 0
    row_of = cache(lambda number: _Row(lines[number], _cells(lines[number])))  # a line is asked for again from each of those above it
    while index < len(lines):
        rows = _rows_from(lines, index, row_of)
        if len(rows) > 1 and _go_on(rows):
            runs += [([row.cells[column] for row in rows], True) for column in range(len(rows[0].cells))]
            index += len(rows)
            continue
        if not runs or runs[-1][1]:
            runs.append(([], False))
        runs[-1][0].append(lines[index])
        index += 1
    return runs


def _rows_from(lines: Sequence[Line], start: int, row_of: Callable[[int], _Row]) -> list[_Row]:
    """The rows from one line on that have the same number of cells, each under the one above it."""
    rows: list[_Row] = []
    for number in range(start, min(len(lines), start + MAX_ROWS)):
        if not lines[number].gaps or lines[number].rtl:
            break
        row = row_of(number)
        if not 2 <= len(row.cells) <= MAX_CELLS or (rows and not _is_below(row, rows[-1])):
            break
        rows.append(row)
    return rows


def _cells(line: Line) -> list[Line]:
    groups: list[list[Fragment]] = []
    end = 0.0
    for part in line.parts:
        if groups and part.x0 - end <= CELL_GAP * line.style.size_pt:
            groups[-1].append(part)
        else:
            groups.append([part])
        end = max(end, part.x1) if len(groups[-1]) > 1 else part.x1
    return lines_of(groups)


def _is_below(row: _Row, above: _Row) -> bool:
    """Whether a row is the next line of the texts that the row above belongs to: as close as lines are, each cell under its own."""
    size, larger = row.line.style.size_pt, above.line.style.size_pt
    close = CLOSE_TO_LARGE * size if larger > CLOSE * size else CLOSE * max(size, larger)
    if not 0 < row.line.baseline - above.line.baseline <= close or len(row.cells) != len(above.cells):
        return False
    return all(_stands_under(cell, number, above.cells) for number, cell in enumerate(row.cells))


def _stands_under(cell: Line, number: int, above: Sequence[Line]) -> bool:
    """Whether a cell is under the one of its number, by a common edge or middle, and under no other."""
    size = cell.style.size_pt
    mine = above[number]
    aligned = min(abs(cell.x0 - mine.x0), abs(cell.x1 - mine.x1), abs(cell.x0 + cell.x1 - mine.x0 - mine.x1) / 2) < 0.6 * size
    return aligned and all(min(cell.x1, other.x1) <= max(cell.x0, other.x0) for other in above if other is not mine)


def _go_on(rows: Sequence[_Row]) -> bool:
    """Whether sentences go on down the columns, or a row says the same in each of them."""
    same = any(len({cell.text.strip() for cell in row.cells}) == 1 and row.cells[0].letters > 3 for row in rows)
    pairs = [
        below.text.strip()[:1].islower() and above.text.strip()[:1].isalpha() and not _SENTENCE_END.search(above.text)
        for upper, lower in pairwise(rows)
        for above, below in zip(upper.cells, lower.cells, strict=True)
        if abs(above.style.size_pt - below.style.size_pt) < 0.5
    ]
    return same or (len(pairs) > 1 and sum(pairs) >= max(GOES_ON * len(pairs), 2))
