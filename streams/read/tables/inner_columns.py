"""Columns within a drawn column, told by its lines, or by its rows where a label stands beside a text of several lines.

Works on the lines of one drawn column. More is asked of them than where nothing is drawn: who draws some of the columns mostly draws all.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from streams.read.tables.borders import CROSS_PT
from streams.read.tables.columns import Gap, column_gaps
from streams.read.tables.grid import Grid
from streams.read.tables.lines import Line, Word, chunks_of, is_value
from streams.read.tables.lookalikes import MARK
from streams.read.tables.wrapped import keeps_to

_LEADING_GROUP = re.compile(r"[-+−(]?\d{1,3}")
_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?\)?")
TALL_SHARE = 0.5
"""Share of the lines that show a column within a drawn one: of two lines that a row has, one."""
SURE_SHARE = 0.6
"""Share of the lines, or of the rows, that show such a column."""
LINES_FOR_COLUMNS = 3
"""Within drawn column edges, text tells further columns only from this many lines on."""
MIN_LABELLED, LABELLED_SHARE = 3, 0.8
"""Rows with a text on both sides of a gap, and their share, from which on it parts labels from texts."""
LABEL_GAP = 0.8
"""Line heights of such a gap at least."""


def rows_by_column(grid: Grid, bands: Sequence[Sequence[Line]]) -> list[list[list[Line]]]:
    """The lines of each column by row, from the places that no border is missing beside; rows without text are left out."""
    xs, count = grid.xs, grid.columns
    columns: list[list[list[Line]]] = [[] for _ in range(count)]
    for row, band in enumerate(bands):
        if not band:
            continue
        rows: dict[int, list[Line]] = {}
        sides = [True, *grid.along[row][1:count], True]  # of these borders, the outermost are always there
        for line in band:
            words: dict[int, list[Word]] = {}
            for word in line.words:
                column = bisect_left(xs, (word[0] + word[2]) / 2, 1, count) - 1  # `slot`, spelled out: every word in a grid comes here
                if sides[column] and sides[column + 1]:
                    words.setdefault(column, []).append(word)
            for column, own in words.items():
                rows.setdefault(column, []).append(Line(own, line.y0, line.y1))
        for column, lines in rows.items():
            columns[column].append(lines)
    return columns


def sure_gaps(lines: Sequence[Line]) -> list[Gap]:
    """Gaps within a drawn column: only where most of its lines have text on both sides, and enough lines do. Lines of one text, as those of a tall
    cell are, count less.
    """
    if len(lines) < LINES_FOR_COLUMNS:
        return []
    least = max(LINES_FOR_COLUMNS, SURE_SHARE * sum(1 for line in lines if len(chunks_of(line)) > 1), TALL_SHARE * len(lines))
    height = sorted(line.height for line in lines)[len(lines) // 2]
    sure = []
    for gap in column_gaps(lines):
        both = 0
        for line in lines:
            left = any(w[2] <= gap.x0 + CROSS_PT for w in line.words)
            right = any(w[0] >= gap.x1 - CROSS_PT for w in line.words)
            both += left and right
        needed = 0.3 if _between_values(gap, lines) and not _within_numbers(gap, lines) else 0.6
        if both >= least and gap.x1 - gap.x0 >= needed * height and not _follows_bullets(gap, lines):
            sure.append(gap)
    return sure


def _follows_bullets(gap: Gap, lines: Sequence[Line]) -> bool:
    """Whether the signs of a list stand before a gap."""
    signs = [before for before, _ in words_beside(gap, lines)]
    return bool(signs) and all(MARK.fullmatch(sign) and not any(map(str.isalnum, sign)) for sign in signs)


def gaps_of_rows(bands: Sequence[Sequence[Line]]) -> list[Gap]:
    """The gaps that one line of most drawn rows shows, where the other lines are those of tall cells."""
    leads = [next((line for line in band if len(chunks_of(line)) > 1), None) for band in bands if band]
    told = [line for line in leads if line is not None]
    gaps = sure_gaps(told) if len(told) >= SURE_SHARE * len(leads) else []
    return gaps if keeps_to([line for band in bands for line in band], gaps) else []


def _between_values(gap: Gap, lines: Sequence[Line]) -> bool:
    """Whether most lines have numbers on both sides of a gap."""
    pairs = words_beside(gap, lines)
    return sum(1 for a, b in pairs if is_value(a) and is_value(b)) >= 0.7 * len(lines)


def words_beside(gap: Gap, lines: Sequence[Line]) -> list[tuple[str, str]]:
    """The words of lines that stand right before and behind a gap."""
    return [(a[4], b[4]) for line in lines for a, b in pairwise(line.words) if a[2] <= gap.x0 + 1 and b[0] >= gap.x1 - 1]


def _within_numbers(gap: Gap, lines: Sequence[Line]) -> bool:
    """Whether a gap is the space between thousands: three digits follow one to three in most lines ("8 492,9")."""
    pairs = words_beside(gap, lines)
    return bool(pairs) and sum(1 for a, b in pairs if _LEADING_GROUP.fullmatch(a) and _GROUP.fullmatch(b)) >= 0.8 * len(pairs)


def label_gaps(rows: Sequence[Sequence[Line]]) -> list[Gap]:
    """The gap between the labels of the rows of a drawn column and the texts beside them, which have more lines; none where there are no such labels.

    A first row that runs over the gap is the header. Marks of lists are no labels.
    """
    if len(rows) < MIN_LABELLED:
        return []
    for body in (rows, rows[1:]):
        gap = _common_gap(body)
        if gap is None:
            continue
        labels = [[line for line in row if line.words[0][2] <= gap.x0 + CROSS_PT] for row in body]
        texts = [[line for line in row if line.words[-1][0] >= gap.x1 - CROSS_PT] for row in body]
        both = [(own, text) for own, text in zip(labels, texts, strict=True) if own and text]
        marked = sum(1 for own, _ in both if MARK.fullmatch(own[0].words[0][4]))
        if len(both) < max(MIN_LABELLED, LABELLED_SHARE * len(body)) or 2 * marked > len(both):
            return []
        return [gap] if 2 * sum(1 for own, text in both if len(own) < len(text)) > len(both) else []
    return []


def _common_gap(rows: Sequence[Sequence[Line]]) -> Gap | None:
    """The first gap that no text of any row covers."""
    chunks = sorted((chunk.x0, chunk.x1) for row in rows for line in row for chunk in chunks_of(line))
    least = LABEL_GAP * min((line.height for row in rows for line in row), default=0.0)
    end = chunks[0][1] if chunks else 0.0
    for x0, x1 in chunks:
        if x0 - end >= least:
            return Gap(end, x0)
        end = max(end, x1)
    return None
