"""Column separators where none are drawn: gaps that text lines have in common.

Works on the lines of one region. A separator is an interval of x that (nearly) no chunk of the telling lines covers; telling are lines with
many chunks, since spanning headings and section rows have few. What is returned was seen in several lines; a paragraph gives none.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from streams.read.tables.lines import Chunk, Line, chunks_of, is_value

CROSSING_SHARE = 0.06
"""Share of the telling lines that may cross a separator: a long label in one row of twenty."""
TELLING_SHARE = 0.5
"""A line is telling if it has this share of the chunks that a full line has."""
VALUE_SHARE = 0.6
"""If this share of the telling lines hold numbers, the others, headers mostly, do not count."""
FEW_LINES = 4
"""With fewer lines than this a gap must be wide, since words align by chance."""
MIN_LABELS = 3
"""A line of two texts may be anything: the titles of two charts. Those stand over what they name, labels of two columns in three may stand beside."""
MIN_ALIKE = 3
"""Texts set to the same places from which on lines are rows; of two texts that may be chance."""
SAME_PLACE_PT = 1.5
"""Texts that begin this near each other are set to the left of their column, those that end so near to its right."""
MARKS = frozenset("$€£¥%*†‡§#()")


class Gap(Struct, frozen=True, gc=False):
    """An interval of x between two columns of text."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        """Where a separator is drawn."""
        return (self.x0 + self.x1) / 2


def column_gaps(lines: Sequence[Line]) -> list[Gap]:
    """The gaps between columns that the lines share, from left to right; none where fewer than two lines have columns."""
    rows = [chunks_of(line) for line in lines]
    telling = _telling(rows)
    if len(telling) < 2:
        return []
    height = sorted(line.height for line in lines)[len(lines) // 2]
    width = (0.8 if len(telling) < FEW_LINES and not (len(telling) == FEW_LINES - 1 and are_set_alike(telling)) else 0.3) * height
    tolerated = int(CROSSING_SHARE * len(telling))
    gaps = _uncovered(telling, tolerated)
    if tolerated:
        starts = [gap.x0 for gap in gaps]
        telling = [[c for c in row if not _crosses(c, gaps, starts)] for row in telling]
        gaps = _uncovered(telling, 0)
    return _without_mark_columns([gap for gap in gaps if gap.x1 - gap.x0 >= width], telling)


def are_set_alike(rows: Sequence[Sequence[Chunk]]) -> bool:
    """Whether two lines or more have as many texts, three at least, each set to the left or right of one place, as rows of a low page are."""
    if len(rows) < 2 or len(rows[0]) < MIN_ALIKE or any(len(row) != len(rows[0]) for row in rows):
        return False
    return all(
        min(max(c.x0 for c in column) - min(c.x0 for c in column), max(c.x1 for c in column) - min(c.x1 for c in column)) <= SAME_PLACE_PT
        for column in zip(*rows, strict=True)
    )


def labelled_gaps(gaps: Sequence[Gap], header: Line, body: Sequence[Line]) -> list[Gap]:
    """The gaps between the columns of a body, seen from the line of labels above it.

    A label that stands in a gap, as one at the left of numbers at the right does, is that of the column beside it that has none yet; where both
    have one, it is that of a column which is empty below. Where more than one column has no label, it is that of the column at whose left it would
    stand or whose right, as the texts of the columns in `body` are set to the right or to the left; where they are set neither way nothing is said.
    """
    labels = chunks_of(header)
    are_within = len(labels) == len(gaps) and all(gap.x0 <= label.x0 and label.x1 <= gap.x1 for label, gap in zip(labels, gaps, strict=True))
    if len(labels) < (len(gaps) if are_within else max(MIN_LABELS, len(gaps))):
        return list(gaps)
    if len(labels) == len(gaps) + 1:
        between = [Gap(max(gap.x0, a.x1), min(gap.x1, b.x0)) for gap, (a, b) in zip(gaps, pairwise(labels), strict=True)]
        return between if all(gap.x0 < gap.x1 for gap in between) else list(gaps)
    edges = [(float("-inf"), gaps[0].x0), *((a.x1, b.x0) for a, b in pairwise(gaps)), (gaps[-1].x1, float("inf"))]
    named = [any(label.x1 > x0 and label.x0 < x1 for label in labels) for x0, x1 in edges]
    floating = [[label for label in labels if gap.x0 <= label.x0 and label.x1 <= gap.x1] for gap in gaps]
    to_right = sum(named[n] - named[n + 1] for n, within in enumerate(floating) if within)  # labels of one line are set alike
    if not to_right and any(floating):
        to_right = _set_to_right(gaps, body)
    found = []
    for number, (gap, within) in enumerate(zip(gaps, floating, strict=True)):
        start, end = gap.x0, gap.x1
        if within and not named[number + 1] and (named[number] or to_right > 0):
            end = within.pop().x0
            named[number + 1] = True
        elif within and not named[number] and (named[number + 1] or to_right < 0):
            start = within.pop(0).x1
        elif not named[number]:
            within.clear()  # of two columns without a label, whose it is nobody knows
        for label in within:
            found.append(Gap(start, label.x0))
            start = label.x1
        found.append(Gap(start, end))
    return found


def _set_to_right(gaps: Sequence[Gap], lines: Sequence[Line]) -> int:
    """How many more columns have their texts set to the right than to the left."""
    edges = [gap.middle for gap in gaps]
    columns: list[list[Chunk]] = [[] for _ in range(len(gaps) + 1)]
    for line in lines:
        for chunk in chunks_of(line):
            columns[bisect_right(edges, (chunk.x0 + chunk.x1) / 2)].append(chunk)
    found = 0
    for own in columns:
        starts, ends = [chunk.x0 for chunk in own] or [0.0], [chunk.x1 for chunk in own] or [0.0]
        is_left, is_right = max(starts) - min(starts) <= SAME_PLACE_PT, max(ends) - min(ends) <= SAME_PLACE_PT
        found += (is_right and not is_left) - (is_left and not is_right)
    return found


def without_lone_labels(gaps: Sequence[Gap], header: Line, body: Sequence[Line]) -> list[Gap]:
    """The gaps of a header and one row, without those between a label that nothing stands below and a text that has no label, beside each other:
    the one at the left and the other at the right of the same column.
    """
    edges = [gap.middle for gap in gaps]
    labelled = {bisect_right(edges, (chunk.x0 + chunk.x1) / 2) for chunk in chunks_of(header)}
    filled = {bisect_right(edges, (chunk.x0 + chunk.x1) / 2) for line in body for chunk in chunks_of(line)}
    lone = [0, *((column in labelled) - (column in filled) for column in range(len(gaps) + 1)), 0]
    around = zip(lone, lone[1:], lone[2:], lone[3:], strict=False)
    return [gap for gap, (before, left, right, after) in zip(gaps, around, strict=True) if left * right >= 0 or before == right or after == left]


def _telling(rows: Sequence[Sequence[Chunk]]) -> list[Sequence[Chunk]]:
    """The lines whose number of chunks is near that of a full line."""
    counts = sorted(len(row) for row in rows if len(row) > 1)
    if not counts:
        return []
    full = counts[(len(counts) * 3) // 4]
    telling = [row for row in rows if len(row) >= max(2, TELLING_SHARE * full)]
    with_values = [row for row in telling if 2 * sum([is_value(c.words[-1][4]) for c in row]) >= len(row) or _ends_in_value(row)]
    return with_values if len(with_values) >= max(2, VALUE_SHARE * len(telling)) else telling


def _ends_in_value(row: Sequence[Chunk]) -> bool:
    """Whether a line is a label, words in a column that other lines leave empty, and a number."""
    return len(row) > 2 and is_value(row[-1].words[-1][4])


def _crosses(chunk: Chunk, gaps: Sequence[Gap], starts: Sequence[float]) -> bool:
    """Whether a chunk runs over a whole gap."""
    first = bisect_right(starts, chunk.x0)
    return first < len(gaps) and gaps[first].x1 < chunk.x1


def _uncovered(rows: Sequence[Sequence[Chunk]], tolerated: int) -> list[Gap]:
    """Inner intervals that at most `tolerated` rows cover."""
    starts, ends = sorted([chunk.x0 for row in rows for chunk in row]), sorted([chunk.x1 for row in rows for chunk in row])
    gaps: list[Gap] = []
    covering, begun, left = 0, 0, None
    for end in ends:
        while begun < len(starts) and starts[begun] < end:
            if covering == tolerated:
                if left is not None and starts[begun] > left:
                    gaps.append(Gap(left, starts[begun]))
                left = None
            covering += 1
            begun += 1
        covering -= 1
        if covering == tolerated:
            left = end
    return gaps


def _without_mark_columns(gaps: list[Gap], rows: Sequence[Sequence[Chunk]]) -> list[Gap]:
    """Without the gaps that would make a column of currency signs, percent signs or footnote marks alone."""
    edges = [gap.middle for gap in gaps]
    texts: list[list[str]] = [[] for _ in range(len(gaps) + 1)]
    for row in rows:
        for chunk in row:
            column = bisect_left(edges, (chunk.x0 + chunk.x1) / 2)
            texts[column].append(chunk.words[0][4] if len(chunk.words) == 1 else "words")
    dropped = set()
    for column, found in enumerate(texts):
        if found and all(len(t) <= 2 and MARKS.issuperset(t) for t in found):
            opens = found[0][0] in "$€£¥("
            dropped.add(column if (opens and column < len(gaps)) or column == 0 else column - 1)
    return [gap for i, gap in enumerate(gaps) if i not in dropped]
