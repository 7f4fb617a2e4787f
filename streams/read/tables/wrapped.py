"""Rows whose cells run over several lines, with nothing drawn between them: lines with texts in several columns begin them, lines in one column
go on with a cell.

Works on lines and the gaps between their columns. The end of a cell that a page break parted from its row is such a line as well, above the first
row.
"""

from collections.abc import Sequence
from itertools import pairwise

from streams.read.tables.columns import Gap, are_set_alike, column_gaps
from streams.read.tables.lines import Line, chunks_of, is_value

MIN_LEADS = 3
"""Lines with texts in the same columns from which on they begin rows, whatever stands below each of them in one column alone."""
CELL_LEADING, ROW_LEADING = 1.6, 2.6
"""Lines of one cell follow each other within this many line heights; a row follows the one above within so many."""
HEADING_PITCH = 1.7
"""A heading over columns stands above their labels within this many line heights."""
TITLE_WORDS = 8
"""Words of a heading or title at most."""
MAX_REST_LINES = 12
"""Lines of a cell at either end of a page: a narrow column has as many."""


def wrapped_rows(run: Sequence[Line], lines: Sequence[Line]) -> list[Line]:
    """The lines of a run that are such rows, with the lines of cells right above and below among `lines`, of which the run is a part, or a heading
    of some columns above; none where they are no such rows.
    """
    rows = list(run)
    while rows and len(chunks_of(rows[0])) == 1:
        del rows[0]
    if not rows or not is_wrapped_rows(rows):
        return []
    gaps = column_gaps([line for line in rows if len(chunks_of(line)) > 1])
    first = next(i for i, line in enumerate(lines) if line is rows[0])
    last = first + len(rows)
    below = _cell_lines([rows[-1], *lines[last : last + MAX_REST_LINES]], gaps, CELL_LEADING)
    above = _cell_lines([rows[0], *reversed(lines[max(0, first - MAX_REST_LINES) : first])], gaps, ROW_LEADING)
    if above and not is_rest(above[-1], gaps):
        above = above[:1] if is_over_columns(above[0], rows[0], gaps) else []
    if not above and first and len(chunks_of(lines[first - 1])) == 1 and is_over_columns(lines[first - 1], rows[0], gaps):
        above = [lines[first - 1]]
    return [*reversed(above), *rows, *below]


def cell_end(rows: Sequence[Line], lines: Sequence[Line]) -> list[Line]:
    """The lines among `lines` right below the last of some rows that go on with a cell of it, where cells above have such lines; else none."""
    gaps = column_gaps([line for line in rows if len(chunks_of(line)) > 1])
    if not gaps or not any(len(chunks_of(line)) == 1 and line.words[0][0] >= gaps[0].x0 for line in rows):
        return []
    last = next(i for i, line in enumerate(lines) if line is rows[-1])
    return _cell_lines([rows[-1], *lines[last + 1 : last + 1 + MAX_REST_LINES]], gaps, CELL_LEADING)


def _cell_lines(lines: Sequence[Line], gaps: Sequence[Gap], first_leading: float) -> list[Line]:
    """The lines behind the first one, going away from it, that are a cell's: each near the one before it and in one column, never the first."""
    found: list[Line] = []
    for before, line in pairwise(lines):
        near = abs(line.middle - before.middle) <= (CELL_LEADING if found else first_leading) * max(line.height, before.height)
        if not near or line.words[0][0] < gaps[0].x0 or not are_in_one_column(line, gaps):
            break
        found.append(line)
    return found


def is_wrapped_rows(lines: Sequence[Line]) -> bool:
    """Whether lines are rows without rules between them: some with texts in three columns or more that end in a value, the others in one
    column each, never the first.
    """
    leads = [line for line in lines if len(chunks_of(line)) > 1]
    gaps = column_gaps(leads) if len(leads) >= MIN_LEADS or are_set_alike([chunks_of(line) for line in leads]) else []
    if len(gaps) < 2 or not keeps_to(lines, gaps) or 2 * sum(1 for line in leads if is_value(line.words[-1][4])) <= len(leads):
        return False
    return all(len(chunks_of(line)) > 1 or line.words[0][0] >= gaps[0].x0 for line in lines)


def keeps_to(lines: Sequence[Line], gaps: Sequence[Gap]) -> bool:
    """Whether no text runs over a gap between columns."""
    return not any(chunk.x0 < gap.x0 and chunk.x1 > gap.x1 for line in lines for chunk in chunks_of(line) for gap in gaps)


def are_in_one_column(line: Line, gaps: Sequence[Gap]) -> bool:
    """Whether no gap parts the words of a line: all stand in one column, or in a gap."""
    start, end = line.words[0][0], max(word[2] for word in line.words)
    return not any(start < gap.x0 and end > gap.x1 for gap in gaps)


def is_over_columns(line: Line, header: Line, gaps: Sequence[Gap]) -> bool:
    """Whether a lone line right above a header is a heading of some of its columns."""
    near = header.middle - line.middle <= HEADING_PITCH * max(line.height, header.height)
    return near and line.words[0][0] >= gaps[0].x0 and len(line.words) <= TITLE_WORDS


def is_rest(line: Line, gaps: Sequence[Gap]) -> bool:
    """Whether a line can be the end of a cell: right of the first column, and no beginning of a sentence or title."""
    return line.words[0][0] >= gaps[0].x0 and goes_on(line)


def goes_on(line: Line) -> bool:
    """Whether a line begins as no sentence and no title does."""
    letter = line.words[0][4][0]
    return letter.isalpha() and not letter.isupper()
