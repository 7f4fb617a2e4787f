"""Runs of lines cut where one table ends and another begins below a title, or where a letterhead ends: the columns of the whole hide those of a part.

Works on lines alone, before the columns of a run are told.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from streams.read.tables.columns import Gap, column_gaps
from streams.read.tables.lines import Line, chunks_of, is_value

MIN_LINES = 3
"""Lines of a part that may be a table."""
TITLE_HEIGHT = 1.3
"""A first line this many times as high as most is a title."""
MIN_ROWS, MORE_COLUMNS = 5, 2
"""Lines of a part that shows columns by itself, and how many more than the whole."""
MAX_CUTS = 8
"""Places that are tried: a page has few titles."""
MAX_DEPTH = 6
"""Cuts within cuts: more titled tables do not stand below each other on a page, and each cut looks at all lines of its part."""
TITLE_LINES, TITLE_GAPS = 2, 2
"""Lone lines that stand right of the first column and over this many gaps between columns are a title; one may be a heading or a unit."""


def _without_title(run: list[Line]) -> list[Line]:
    """A run without first lines in larger type, whose letters stand as far apart as columns."""
    first, usual = 0, median([line.height for line in run])
    while len(run) - first > MIN_LINES and run[first].height > TITLE_HEIGHT * usual:
        first += 1
    return run[first:] if first else run


def apart(run: list[Line], depth: int = MAX_DEPTH) -> Iterator[list[Line]]:
    """The parts of a run that may be tables, between lone lines; the run where nothing parts it. `depth`: how often parts are cut again."""
    run = _without_title(run)
    groups = _lone_groups(run) if depth else []
    gaps = column_gaps(run) if groups else []
    for first, end in groups:
        is_title = _is_title(run[first:end], gaps)
        # Else the last lone line may be a heading over columns of what follows.
        sides = [part for part in (run[:first], run[end if is_title else end - 1 :]) if len(part) >= MIN_LINES]
        most = max((len(column_gaps(part)) for part in sides if len(part) >= MIN_ROWS and _are_numbers(part)), default=0)
        if is_title or most >= len(gaps) + MORE_COLUMNS:
            for side in sides:
                yield from apart(side, depth - 1)
            return
    yield run


def _are_numbers(lines: Sequence[Line]) -> bool:
    """Whether most lines end in a number: columns of words alone are hidden by any text, and may be cards side by side."""
    return 2 * sum(is_value(line.words[-1][4]) for line in lines) > len(lines)


def _lone_groups(run: Sequence[Line]) -> list[tuple[int, int]]:
    """First and end of each group of lone lines beside which a part of a run may be a table; a single one at the top parts nothing."""
    lone = [len(chunks_of(line)) == 1 for line in run]
    firsts = [i for i, (above, own) in enumerate(pairwise([False, *lone])) if own and not above]
    groups = [(first, next((i for i in range(first, len(run)) if not lone[i]), len(run))) for first in firsts]
    return [(first, end) for first, end in groups if end > 1 and max(first, len(run) - end) >= MIN_ROWS][:MAX_CUTS]


def _is_title(lines: Sequence[Line], gaps: Sequence[Gap]) -> bool:
    """Whether lone lines, some right below each other, stand over several columns and not over the first."""
    over = [sum(1 for gap in gaps if line.words[0][0] < gap.x0 and line.words[-1][2] > gap.x1) for line in lines]
    wide = [count >= TITLE_GAPS and line.words[0][0] >= gaps[0].x0 for count, line in zip(over, lines, strict=True)]
    return sum(wide) >= TITLE_LINES
