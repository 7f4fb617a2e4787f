"""Row separators where none are drawn: which text lines begin a new row, and which go on with the cell above.

Works on the lines of one band (between two drawn row edges) with the columns known. In a table with rules between its rows, a band is one
row unless every column agrees that it is several; in one without, a line is a new row unless its text plainly runs on.
"""

import itertools
from collections.abc import Sequence
from enum import Enum
from statistics import median_low

from streams.read.tables.held_rows import MIN_FULL, are_rows_each, holds_rows
from streams.read.tables.line_parts import Part, had_room, parts_of
from streams.read.tables.lines import Line, between

MISALIGNED = 0.6
"""Lines whose middles are nearer than this share of their height are one row with uneven baselines."""
TIGHT = 1.12
"""A distance up to this many times the smallest one is that of lines within a paragraph."""
TWO_LEADINGS = 1.25
"""Distances of lines that differ by this factor are two kinds of distances."""
MIN_STARTS = 2
"""Lines below room from which on a number in each of them is no chance."""
OUTDENT_PT = 1.5
"""A line that starts this far left of the one above does not go on with it."""
BROKEN_ENDS = ("-", ",", "/", "(", "–", " and", " of", " or", " the", " for", " und", " et", " de", " y")
"""How a text ends that is not at its end."""


class Style(Enum):
    """What is drawn between the rows of a table: nothing at all, column lines alone, or a rule between most rows."""

    OPEN = "open"
    COLUMNS = "columns"
    RULED = "ruled"


def row_cuts(lines: Sequence[Line], xs: Sequence[float], style: Style) -> list[float]:
    """The y of every row separator that the lines of a band tell, from top to bottom."""
    if len(lines) < 2:
        return []
    parts = [parts_of(line, xs) for line in lines]
    if style is Style.RULED and are_rows_each(lines, parts, xs):
        starts = list(range(1, len(lines)))
    elif style is Style.RULED and not holds_rows(lines, parts, xs):
        starts = _ruled_starts(parts, xs)
    else:
        starts = _open_starts(lines, parts, xs, by_stub=style is Style.COLUMNS)
    return [between(lines[i - 1], lines[i]) for i in starts]


def _ruled_starts(parts: Sequence[dict[int, Part]], xs: Sequence[float]) -> list[int]:
    """Every line, if all have the same columns (all that the band fills), with numbers under each other, in three columns or with nothing that wraps;
    else none.
    """
    columns = set(parts[0])
    if len(columns) < 2 or any(set(p) != columns for p in parts):
        return []
    for above, below in itertools.pairwise(parts):
        stacked = sum(1 for c in columns if above[c].value and below[c].value)
        if not stacked or (stacked < MIN_FULL and any(wraps(above[c], below[c], xs[c + 1]) for c in columns if not below[c].value)):
            return []
    return list(range(1, len(parts)))


def _open_starts(lines: Sequence[Line], parts: Sequence[dict[int, Part]], xs: Sequence[float], *, by_stub: bool) -> list[int]:
    """The lines that begin a row. `by_stub`: a label right below a label goes on with it, unless numbers stand below numbers."""
    distances = _distances(lines, parts)
    real = [d for d, line in zip(distances, lines, strict=False) if d > MISALIGNED * line.height]
    tight = TIGHT * min(real, default=0.0)
    rights = [max((p[c].x1 for p in parts if c in p), default=x) for c, x in enumerate(xs[1:])]
    leading_tells = _leading_tells(lines, parts, real, tight, rights) or _values_begin_rows(parts, distances, tight)
    two_leadings = max(real, default=0.0) >= TWO_LEADINGS * min(real, default=0.0)
    starts = []
    row = dict(parts[0])
    for i in range(1, len(lines)):
        distance = distances[i - 1]
        if distance <= MISALIGNED * min(lines[i].height, lines[i - 1].height) and not set(row) & set(parts[i]):
            row.update(parts[i])
            continue
        is_tight = distance <= tight
        is_stub = by_stub and is_tight and 0 in parts[i - 1] and 0 in parts[i]
        is_stub = is_stub and (two_leadings or not _is_lone_label(parts[i - 1], parts[i], xs))
        labels = is_stub and not _has_stacked_values(row, parts[i]) and not _is_row_below_row(parts[i - 1], parts[i], xs)
        runs_on = _runs_on(row, parts[i], rights, is_tight=is_tight) and not _is_row_without_label(row, parts[i], xs)
        if labels or (leading_tells and is_tight) or runs_on:
            row.update(parts[i])
        else:
            starts.append(i)
            row = dict(parts[i])
    return starts


def _distances(lines: Sequence[Line], parts: Sequence[dict[int, Part]]) -> list[float]:
    """How far each line is below the one before it, seen where both have text: a number in another type face than its row's words makes a line
    of another middle.
    """
    found = []
    for (above, below), (own, other) in zip(itertools.pairwise(lines), itertools.pairwise(parts), strict=True):
        common = [other[c].middle - own[c].middle for c in other if c in own]
        found.append(median_low(common) if common else below.middle - above.middle)
    return found


def has_full_line_below_room(lines: Sequence[Line], xs: Sequence[float]) -> bool:
    """Whether one of the lines has text in every column that any of them fills, three or more, and stands off from the line above: it begins a row,
    and lines above it are the row before or what a break left of one.
    """
    parts = [parts_of(line, xs) for line in lines]
    columns = set().union(*parts)
    distances = _distances(lines, parts)
    return len(columns) >= MIN_FULL and any(
        columns == set(line) and distance >= TWO_LEADINGS * min(distances) for line, distance in zip(parts[1:], distances, strict=True)
    )


def _values_begin_rows(parts: Sequence[dict[int, Part]], distances: Sequence[float], tight: float) -> bool:
    """Whether a column has a number in each line that stands off from the line above, and nothing in any that does not: then lines set close go on
    with their row, whatever they begin with.
    """
    near = [line for distance, line in zip(distances, parts[1:], strict=True) if distance <= tight]
    starts = [line for distance, line in zip(distances, parts[1:], strict=True) if distance > tight]
    if not near or len(starts) < MIN_STARTS or min(d for d in distances if d > tight) < TWO_LEADINGS * tight / TIGHT:
        return False
    telling = {c for c, part in starts[0].items() if c and part.value}
    return any(all(c in line and line[c].value for line in starts) and not any(c in line for line in near) for c in telling)


def _leading_tells(lines: Sequence[Line], parts: Sequence[dict[int, Part]], real: Sequence[float], tight: float, rights: Sequence[float]) -> bool:
    """Whether lines are plainly set in two distances, the smaller one only below texts that were broken for want of room, never between
    numbers: then it is that of lines within a cell.
    """
    near = sum(1 for distance in real if distance <= tight)
    wide = [distance for distance in real if distance > tight]
    if not wide or min(wide) < TWO_LEADINGS * tight / TIGHT or len(wide) < near:
        return False
    for above, below, i in zip(parts, parts[1:], itertools.count(1), strict=False):
        if not MISALIGNED * lines[i].height < lines[i].middle - lines[i - 1].middle <= tight:
            continue
        if not set(below) <= set(above) or _has_stacked_values(above, below) or not any(wraps(above[c], below[c], rights[c]) for c in below):
            return False
    return True


def _runs_on(row: dict[int, Part], line: dict[int, Part], rights: Sequence[float], *, is_tight: bool) -> bool:
    """Whether a line goes on with the row above: text under text that could not go on in its own line, never a number under a number."""
    if not is_tight or not line:
        return not line
    common = [c for c in line if c in row]
    if _has_stacked_values(row, line):
        return False
    if 0 not in line:
        if len(common) == len(line) == 1 and line[common[0]].value:
            # A date or a number below words, beside what was a whole row already, is of the same cell.
            return len(row) >= MIN_FULL and not row[common[0]].value and any(part.value for c, part in row.items() if c)
        return bool(common) and len(common) == len(line) and all(not line[c].value for c in common)
    if 0 not in row:
        return False
    if line[0].value or line[0].x0 < row[0].x0 - OUTDENT_PT:
        return False
    goes_on = line[0].text[0].islower() or line[0].text[0] == "(" or row[0].text.endswith(BROKEN_ENDS)
    if len(line) == 1:
        # A label that hangs below its own first line; a label below a heading of the same indent is a row of its own.
        return goes_on or (line[0].x0 > row[0].x0 + OUTDENT_PT and len(row) > 1 and wraps(row[0], line[0], rights[0]))
    if len(row) == 1:
        return goes_on and not row[0].text.endswith(":")
    if any(c not in row for c in line):
        return False
    return goes_on and all(wraps(row[c], line[c], rights[c]) or _starts_low(line[c]) for c in common)


def _is_row_below_row(above: dict[int, Part], below: dict[int, Part], xs: Sequence[float]) -> bool:
    """Whether two lines fill the same columns, three or more, and most texts of the upper one, its label among them, do not go on below: there was
    room left beside them, or a number follows words.
    """
    if len(above) < MIN_FULL or set(above) != set(below):
        return False
    roomy = [c for c in above if had_room(above[c], below[c], xs[c + 1] - xs[c])]
    ended = [c for c in above if c in roomy or (below[c].value and not above[c].value)]
    return 0 in roomy and 2 * len(ended) > len(above)


def _is_row_without_label(above: dict[int, Part], below: dict[int, Part], xs: Sequence[float]) -> bool:
    """Whether a line without a label fills three columns or more, each below a text that had room for its first word, and begins no cell as a text
    that goes on does.
    """
    if 0 in below or len(below) < MIN_FULL or not set(below) <= set(above):
        return False
    goes_on = any(part.text[0].islower() or part.text[0] == "(" for part in below.values())
    return not goes_on and all(had_room(above[c], below[c], xs[c + 1] - xs[c]) for c in below)


def _is_lone_label(above: dict[int, Part], below: dict[int, Part], xs: Sequence[float]) -> bool:
    """Whether one of two lines, among lines that are all set alike, is a label that heads rows: the upper one, above texts in other columns too, or
    the lower one, which had fitted beside the label above it.
    """
    return len(above) == 1 < len(below) or (len(below) == 1 and had_room(above[0], below[0], xs[1] - xs[0]))


def _has_stacked_values(row: dict[int, Part], line: dict[int, Part]) -> bool:
    return any(c in row and row[c].value and line[c].value for c in line)


def _starts_low(part: Part) -> bool:
    return part.text[0].islower()


def wraps(above: Part, below: Part, right: float) -> bool:
    """Whether the first word of `below` would not have fitted at the end of `above`, so that the line was broken for want of room."""
    return above.x1 + below.first_width + 1.0 > right
