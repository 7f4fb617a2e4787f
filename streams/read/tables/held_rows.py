"""Whether a row that rules draw holds several rows: its lines are set as rows, whatever stands between the rules.

Pure. Rules stand under sections, subtotals and every third row as well as between all rows.
"""

import itertools
import re
from collections.abc import Sequence

from streams.read.tables.line_parts import Part, had_room
from streams.read.tables.lines import Line

_YEARS = re.compile(r"[-–]?(1[89]|20)\d\d[-–]?")
MIN_FULL = 3
"""Columns from which on a line that fills all of them is no line of paragraphs side by side."""
LABELLED_SHARE = 0.7
STACKED_SHARE = 0.5
"""From these shares on a drawn row holds several: of its lines with a label, and of its pairs of lines with two columns of numbers."""
CAPITAL_COLUMNS = 4
"""Columns from which on texts that all begin as no text that goes on does are rows; in fewer a name may stand below a name."""
ROOMY = 1.4
"""Lines of one cell follow each other within this many line heights; the rows of a list are set wider."""


def holds_rows(lines: Sequence[Line], parts: Sequence[dict[int, Part]], xs: Sequence[float]) -> bool:
    """Whether a drawn row plainly holds several: numbers under numbers beside labels, lines that fill all columns and do not go on, or names of
    sections.

    `parts` are those of its lines, as `parts_of` gives them, and `xs` the column edges.
    """
    return _stack_numbers(parts, xs) or _are_statement(parts) or are_rows_each(lines, parts, xs)


def are_rows_each(lines: Sequence[Line], parts: Sequence[dict[int, Part]], xs: Sequence[float]) -> bool:
    """Whether each line is a row of its own, as none of them goes on with another."""
    return _are_full(lines, parts, xs) or _are_sections(lines, parts) or _are_totals(lines, parts)


def _stack_numbers(parts: Sequence[dict[int, Part]], xs: Sequence[float]) -> bool:
    """Whether most lines have a label, and under most of them numbers stand under numbers, in two columns or beside labels that had room for more."""
    if sum(1 for p in parts if 0 in p) < LABELLED_SHARE * len(parts):
        return False
    pairs = 0
    for above, below in itertools.pairwise(parts):
        stacked = _stacked(above, below)
        pairs += stacked > 1 or (stacked == 1 and 0 in above and 0 in below and had_room(above[0], below[0], xs[1] - xs[0]))
    return pairs >= max(1, STACKED_SHARE * (len(parts) - 1))


def _stacked(above: dict[int, Part], below: dict[int, Part]) -> int:
    """In how many columns behind the first a number stands below a number."""
    return sum(1 for c in below if c and c in above and above[c].value and below[c].value)


def _are_statement(parts: Sequence[dict[int, Part]]) -> bool:
    """Whether lines are the rows of a statement: below labels of columns perhaps, lines of two numbers or more, each under numbers of the one before,
    and between them nothing but labels of several lines. What is ruled may be the columns of numbers alone.
    """
    is_labelled = any(0 in line and not line[0].value for line in parts if sum(part.value for part in line.values()) > 1)
    values = [{c for c, part in line.items() if part.value and (c or not is_labelled) and not _YEARS.fullmatch(part.text)} for line in parts]
    rows = [i for i, own in enumerate(values) if len(own) > 1]
    if len(rows) < 2 or any(values[: rows[0]]) or any(set(line) != {0} for i, line in enumerate(parts) if i > rows[0] and i not in rows):
        return False
    if is_labelled and sum(1 for line in parts[rows[0] :] if 0 in line) < len(rows):
        return False
    if not is_labelled and any(not part.value for i in rows for part in parts[i].values()):
        return False  # a text that goes on beside two numbers
    stacked = [len(values[a] & values[b]) for a, b in itertools.pairwise(rows)]
    return all(stacked) and 2 * sum(1 for count in stacked if count > 1) >= len(stacked)


def _are_sections(lines: Sequence[Line], parts: Sequence[dict[int, Part]]) -> bool:
    """Whether lines are names of sections above a last one with numbers, all of them set wider than the lines of one label."""
    *names, row = parts
    if not names or any(set(name) != {0} for name in names) or 0 not in row or not any(c and part.value for c, part in row.items()):
        return False
    return all(_are_apart(above, below) for above, below in itertools.pairwise(lines))


def _are_totals(lines: Sequence[Line], parts: Sequence[dict[int, Part]]) -> bool:
    """Whether lines are texts beside numbers, each number below that of the line before, all set wider than the lines of one text."""
    if len(parts) < 2 or any(len(line) < 2 or not line[max(line)].value for line in parts):
        return False
    alike = len({max(line) for line in parts}) == 1 and all(_are_apart(above, below) for above, below in itertools.pairwise(lines))
    return alike and all(any(not part.value for part in line.values()) for line in parts)


def _are_apart(above: Line, below: Line) -> bool:
    """Whether two lines are set wider than those of one text."""
    return below.middle - above.middle >= ROOMY * max(above.height, below.height)


def _are_full(lines: Sequence[Line], parts: Sequence[dict[int, Part]], xs: Sequence[float]) -> bool:
    """Whether all lines fill the same columns, three or more with the first among them, and no text goes on: all begin with a capital or a digit, in
    many columns; or the labels and most others had room for more, and the lines are set wider than those of a text.
    """
    columns = set(parts[0])
    if len(parts) < 2 or len(columns) < MIN_FULL or 0 not in columns or any(set(line) != columns for line in parts):
        return False
    if len(columns) >= CAPITAL_COLUMNS and all(part.text[0].isupper() or part.text[0].isdigit() for line in parts for part in line.values()):
        return True
    for (above, below), (own, other) in zip(itertools.pairwise(lines), itertools.pairwise(parts), strict=True):
        free = {c for c in columns if had_room(own[c], other[c], xs[c + 1] - xs[c])}
        if not _are_apart(above, below) or 0 not in free or 2 * len(free) <= len(columns):
            return False
    return True
