"""The header of a table without rules: which leading lines stand above its columns of numbers, and where its rows part.

A header is set line by line like anything else, but its cells are labels of several lines, set to the bottom, under headings over groups of
columns. So its lines are one row unless a heading over several labels, or room, parts them.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from streams.read.tables.borders import reaches
from streams.read.tables.line_parts import Part, parts_of
from streams.read.tables.lines import Chunk, Line, between, chunks_of, is_year

MAX_HEADER_LINES = 7
"""Lines of the tallest header: a group's heading and labels of five lines."""
NUMERIC_SHARE = 0.6
"""A column is one of numbers from this share of its texts on."""
MIN_VALUES = 2
OFF_CENTRE = 0.12
"""A heading's middle is off the middle of its columns by this share of their width at most."""
ALIGNED_PT = 2.0
"""Ends or middles of two texts this near are set to one side or middle."""
ROOM = 1.75
"""Header lines this many line heights apart, middle to middle, are rows of their own."""


def header_lines(lines: Sequence[Line], xs: Sequence[float]) -> int:
    """How many leading lines are a header: labels over columns of numbers. 0 where there are none, or no columns of numbers."""
    parts = [parts_of(line, xs) for line in lines]
    numeric = _numeric_columns(parts, len(xs) - 1)
    if not numeric:
        return 0
    last = 0
    for index, line in enumerate(parts[: MAX_HEADER_LINES + 1]):
        own = [line[column] for column in numeric if column in line]
        if any(part.value and not is_year(part.text) for part in own) or (own and index and all(part.value for part in own) and last):
            break
        if any(column for column in line):
            last = index + 1
    else:
        return 0
    return last if last < len(lines) else 0


@dataclass(frozen=True, slots=True)
class HeaderCut:
    """The y between two rows of a header, and the groups of columns [first, last) that the headings right above it span."""

    y: float
    groups: tuple[tuple[int, int], ...]


def header_cuts(lines: Sequence[Line], xs: Sequence[float]) -> list[HeaderCut]:
    """Where the rows of a header part, from top to bottom."""
    cuts = []
    for index, (above, below) in enumerate(pairwise(lines)):
        groups = _groups(above, lines[index + 1 :], xs)
        if groups or below.middle - above.middle > ROOM * max(above.height, below.height):
            cuts.append(HeaderCut(between(above, below), groups))
    return cuts


def _groups(line: Line, below: Sequence[Line], xs: Sequence[float]) -> tuple[tuple[int, int], ...]:
    """The columns that each heading of a line stands over, where two labels or more stand below one; none for a line of labels."""
    spans = reaches(line, xs)
    labels = {first for other in below for first, last in reaches(other, xs) if last - first == 1}
    if any(last - first >= 2 and len(labels.intersection(range(first, last))) >= 2 for first, last in spans):
        return tuple(spans)
    return _centred_groups(line, labels, xs)


def _centred_groups(line: Line, labels: Set[int], xs: Sequence[float]) -> tuple[tuple[int, int], ...]:
    """Equal groups of all columns but the first, each with a label, in whose middles the headings of a line stand; none where they do not."""
    middles = [(chunk.x0 + chunk.x1) / 2 for chunk in chunks_of(line)]
    columns = len(xs) - 2
    if not middles or columns % len(middles) or columns == len(middles) or len(labels - {0}) < columns:
        return ()
    each = columns // len(middles)
    groups = [(1 + index * each, 1 + (index + 1) * each) for index in range(len(middles))]
    centred = all(abs(m - (xs[a] + xs[b]) / 2) <= OFF_CENTRE * (xs[b] - xs[a]) for m, (a, b) in zip(middles, groups, strict=True))
    return tuple(groups) if centred else ()


def headings_above(lines: Sequence[Line], xs: Sequence[float]) -> HeaderCut | None:
    """Where a first line of headings, each in the middle of an even number of columns, ends in a header above a rule; None for lines of labels.

    A label of two lines stands in the middle of no two columns, or is set to the same side as its second line.
    """
    if len(lines) < 2 or len(xs) < 4:
        return None
    labels = {first for other in lines[1:] for first, last in reaches(other, xs) if last - first == 1}
    groups = _centred_groups(lines[0], labels, xs)
    below = [chunk for other in lines[1:] for chunk in chunks_of(other)]
    if not groups or (groups[0][1] - groups[0][0]) % 2 or any(_are_aligned(chunk, other) for chunk in chunks_of(lines[0]) for other in below):
        return None
    return HeaderCut(between(lines[0], lines[1]), groups)


def _are_aligned(above: Chunk, below: Chunk) -> bool:
    """Whether two texts are set to the same side, or to the same middle."""
    return (
        abs(above.x0 - below.x0) <= ALIGNED_PT
        or abs(above.x1 - below.x1) <= ALIGNED_PT
        or abs(above.x0 + above.x1 - below.x0 - below.x1) <= 2 * ALIGNED_PT
    )


def _numeric_columns(parts: Sequence[dict[int, Part]], columns: int) -> list[int]:
    found = []
    for column in range(1, columns):
        own = [line[column] for line in parts if column in line]
        values = sum(1 for part in own if part.value)
        if values >= MIN_VALUES and values >= NUMERIC_SHARE * len(own[1:]):
            found.append(column)
    return found
