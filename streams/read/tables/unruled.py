"""Where tables without rules may be: runs of lines whose texts keep to common columns.

Looks at words alone and works on zones: a page whose text stands in columns is cut between them wherever prose fills one side, so that a
table beside prose is met by itself. What is returned is a place to look at; `lookalikes.py` tells it from lists, contents and forms.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from statistics import median

from schemas.geometry import BBox, union
from streams.read.tables.apart import apart
from streams.read.tables.columns import Gap, column_gaps
from streams.read.tables.lines import BULLET_SIGNS, Chunk, Line, Word, chunks_of, is_value, is_year, text_lines
from streams.read.tables.regions import MIN_RULE_PT, Region
from streams.read.tables.rulings import Segment
from streams.read.tables.trimming import CAPTION, NOTE
from streams.read.tables.wrapped import TITLE_WORDS, are_in_one_column, cell_end, is_over_columns, wrapped_rows

MAX_DEPTH = 3
"""Zones within zones: a page of four columns is cut twice."""
MIN_LINES = 3
"""A header and two rows; fewer lines align by chance."""
MAX_LEADING = 2.6
"""Lines of a run follow each other within this many line heights, or `MAX_PITCH` times its usual distance of lines."""
MAX_PITCH = 2.2
FOOT_WORDS, FOOT_PITCH = 3, 1.2
"""A page number has this many words at most, and stands this much further from the text than its lines from each other."""
NEW_TABLE_PITCH = 1.6
"""Room above the header of another table, in usual distances of lines."""
MAX_LONE = 4
"""Lone lines in a row within a table: the lines of a tall cell, or a section row between two rules."""
WIDE_SHARE = 0.6
"""A lone line over this share of a table's width is prose, unless its words are those of a title."""
PROSE_WORDS, PROSE_FILL = 5.0, 0.72
"""Columns whose lines have more words than this on average and fill their width are columns of prose."""
NARROW_PROSE_WORDS, LOWER_SHARE = 2.5, 0.45
"""So are narrower ones where this share of the lines begins within a sentence."""
BULLETS = frozenset(f"{BULLET_SIGNS}–—-*")
UNSPACED_FILL = 0.85
"""And those of scripts without spaces, where lines are set full."""
UNSPACED_LETTERS = 9
REACH_PT = 20.0
"""Rules of a table reach out of its words by this much at most: the empty end of its last column."""
PROSE_LINES = 0.55
"""Prose has text in this share of a run's lines."""


@dataclass(frozen=True, slots=True)
class OpenRegion:
    """A run of lines to look at, as a region that only has the rules drawn within it; `gaps` are its columns' separators."""

    region: Region
    lines: tuple[Line, ...]
    gaps: tuple[Gap, ...]


def open_regions(words: Sequence[Word], rules: Sequence[Segment]) -> list[OpenRegion]:
    """The places of a page where words alone may make a table, from top to bottom. `words` are those in no table yet."""
    found = list(_in_zone(words, rules, 0))
    return sorted(found, key=lambda r: (r.region.box[1], r.region.box[0]))


def _in_zone(words: Sequence[Word], rules: Sequence[Segment], depth: int) -> Iterator[OpenRegion]:
    lines = text_lines(words)
    for run in map(_without_foot, chain.from_iterable(map(apart, _runs(lines)))):
        gaps = column_gaps(run)
        if not gaps:
            continue
        wrapped = wrapped_rows(run, lines)
        prose = [] if wrapped else _prose_columns(run, gaps)
        if prose and depth < MAX_DEPTH:
            for zone in _zones(run, gaps, prose):
                yield from _in_zone(zone, rules, depth + 1)
        elif not prose:
            for part in _parts(wrapped or run, is_wrapped=bool(wrapped)):
                if region := _open_region(part, lines, rules, is_wrapped=bool(wrapped)):
                    yield region


def _without_foot(run: list[Line]) -> list[Line]:
    """A run without a page number below it whose signs stand as far from each other as columns do ("- 12 -")."""
    *rows, last = run
    if len(rows) < MIN_LINES or len(last.words) > FOOT_WORDS:
        return run
    usual = median(below.middle - above.middle for above, below in pairwise(rows))
    if last.middle - rows[-1].middle <= FOOT_PITCH * usual:
        return run
    return rows if are_in_one_column(last, column_gaps(rows)) else run


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines of several chunks that follow each other, with lone lines only between them."""
    run: list[Line] = []
    lone: list[Line] = []
    pitches: list[float] = []
    for line in lines:
        above = lone[-1] if lone else run[-1] if run else None
        if above is not None:
            pitch = line.middle - above.middle
            usual = median(pitches) if len(pitches) >= MIN_LINES else 0.0
            if pitch > max(MAX_LEADING * max(line.height, above.height), MAX_PITCH * usual) or len(lone) > MAX_LONE:
                if len(run) >= MIN_LINES:
                    yield run
                run, lone, pitches = [], [], []
            elif run:
                pitches.append(pitch)
        if len(chunks_of(line)) > 1:
            run += [*lone, line]
            lone = []
        else:
            lone = [*lone, line] if run else [line]
    if len(run) >= MIN_LINES:
        yield run


def _parts(run: Sequence[Line], *, is_wrapped: bool) -> Iterator[list[Line]]:
    """A run cut at lines of prose, captions and notes, which end a table, and where a header follows with room above it.

    `is_wrapped`: its long lone lines are those of cells.
    """
    x0, x1 = min(line.words[0][0] for line in run), max(chunks_of(line)[-1].x1 for line in run)
    usual = median(below.middle - above.middle for above, below in pairwise(run))
    part: list[Line] = []
    for line in run:
        ends = _ends_table(line, x1 - x0, is_wrapped=is_wrapped)
        if ends or (part and line.middle - part[-1].middle > NEW_TABLE_PITCH * usual and _begins_table(part, line)):
            if len(part) >= MIN_LINES:
                yield part
            part = []
        if not ends:
            part.append(line)
    if len(part) >= MIN_LINES:
        yield part


def _begins_table(part: Sequence[Line], line: Line) -> bool:
    """Whether a line without numbers other than years follows lines that have some: the header of another table."""
    if any(is_value(w[4]) and not is_year(w[4]) for w in line.words):
        return False
    return sum(1 for above in part if is_value(above.words[-1][4])) * 2 > len(part)


def _ends_table(line: Line, width: float, *, is_wrapped: bool) -> bool:
    chunks = chunks_of(line)
    first = " ".join(w[4] for w in line.words[:6])
    if CAPTION.match(first) or NOTE.match(first):
        return True
    return not is_wrapped and len(chunks) == 1 and chunks[0].x1 - chunks[0].x0 > WIDE_SHARE * width and len(line.words) > TITLE_WORDS


def _prose_columns(run: Sequence[Line], gaps: Sequence[Gap]) -> list[int]:
    """The columns that hold running text."""
    edges = [gap.middle for gap in gaps]
    columns: list[list[list[Word]]] = [[] for _ in range(len(gaps) + 1)]
    for line in run:
        by_column: dict[int, list[Word]] = {}
        for word in line.words:
            by_column.setdefault(bisect_right(edges, (word[0] + word[2]) / 2), []).append(word)
        for column, own in by_column.items():
            columns[column].append(own)
    if all(_is_bulleted(column) for column in columns):
        return list(range(len(columns)))
    return [index for index, column in enumerate(columns) if len(column) >= PROSE_LINES * len(run) and is_running_text(column)]


def _is_bulleted(lines: Sequence[Sequence[Word]]) -> bool:
    """Whether some lines of a column begin with the sign of a list, and most have several words."""
    signs = sum(1 for words in lines if len(words) > 1 and words[0][4] in BULLETS)
    return signs >= MIN_LINES and signs * PROSE_WORDS >= len(lines) and sum(map(len, lines)) >= NARROW_PROSE_WORDS * len(lines)


def is_running_text(lines: Sequence[Sequence[Word]]) -> bool:
    """Whether the lines of a column fill it as running text does, which is no row of numbers."""
    count = len(lines)
    extent = max(words[-1][2] for words in lines) - min(words[0][0] for words in lines)
    fill = sum(words[-1][2] - words[0][0] for words in lines) / count / max(1.0, extent)
    if fill < PROSE_FILL or 2 * sum([is_value(word[4]) for words in lines for word in words]) > sum(map(len, lines)):
        return False
    words = sum(len(words) for words in lines) / count
    if words >= PROSE_WORDS:
        return True
    lower = sum(1 for words in lines if words[0][4][0].islower()) / count
    if words >= NARROW_PROSE_WORDS and lower >= LOWER_SHARE:
        return True
    letters = [sum(len(w[4]) for w in words) for words in lines]
    unspaced = sum(1 for words in lines if words[0][4][0].isalpha() and not words[0][4][0].isascii())  # numbers and codes fill columns as well
    return words < 2 and fill >= UNSPACED_FILL and median(letters) >= UNSPACED_LETTERS and 2 * unspaced > count


def _zones(run: Sequence[Line], gaps: Sequence[Gap], prose: Sequence[int]) -> list[list[Word]]:
    """The words of a run left of, in and right of every column of prose."""
    cuts = sorted({gaps[i].middle for column in prose for i in (column - 1, column) if 0 <= i < len(gaps)})
    zones: list[list[Word]] = [[] for _ in range(len(cuts) + 1)]
    for line in run:
        for word in line.words:
            zones[bisect_right(cuts, (word[0] + word[2]) / 2)].append(word)
    return [zone for zone in zones if zone]


def _open_region(part: list[Line], around: Sequence[Line], rules: Sequence[Segment], *, is_wrapped: bool) -> OpenRegion | None:
    """The region of a run, without leading lines that are no part of its columns and with the rules drawn in it.

    `is_wrapped`: its lone lines are those of cells.
    """
    lines = part if is_wrapped else _trimmed(part)
    lines = lines if is_wrapped or len(lines) < MIN_LINES else [*lines, *cell_end(lines, around)]
    gaps = column_gaps(lines) if len(lines) >= MIN_LINES else []
    if not gaps:
        return None
    return OpenRegion(region_around([word for line in lines for word in line.words], rules), tuple(lines), tuple(gaps))


def region_around(words: Sequence[Word], rules: Sequence[Segment]) -> Region:
    """The region of some words (one at least) with the horizontal rules drawn among them, and no others."""
    x0, y0, x1, y1 = union(word[:4] for word in words)
    near = 0.5 * median(word[3] - word[1] for word in words)
    inside = [r for r in rules if y0 - near <= r[0] <= y1 + near and r[1] >= x0 - REACH_PT and r[2] <= x1 + REACH_PT and r[2] - r[1] >= MIN_RULE_PT]
    return Region(_with_rules((x0, y0, x1, y1), inside), inside, [], is_stack=True)


def _with_rules(box: BBox, rules: Sequence[Segment]) -> BBox:
    return (
        min([box[0], *(r[1] for r in rules)]),
        min([box[1], *(r[0] for r in rules)]),
        max([box[2], *(r[2] for r in rules)]),
        max([box[3], *(r[0] for r in rules)]),
    )


def _trimmed(lines: list[Line]) -> list[Line]:
    """Without lone lines at either end, and without leading lines that cross the columns of the lines below them; a lone line right above
    the header that stands over some columns is a heading of these.
    """
    first, last = 0, len(lines)
    while last > first and len(chunks_of(lines[last - 1])) == 1:
        last -= 1
    gaps = column_gaps(lines[first:last]) if last - first >= MIN_LINES else []
    while first < last and (len(chunks_of(lines[first])) == 1 or _crosses(chunks_of(lines[first]), gaps)):
        first += 1
    if gaps and 0 < first < last and is_over_columns(lines[first - 1], lines[first], gaps):
        first -= 1
    return lines[first:last]


def _crosses(chunks: Sequence[Chunk], gaps: Sequence[Gap]) -> bool:
    """Whether most gaps are covered by long chunks of a line, as those of a table are by a line of prose that has a wide space by chance."""
    crossed = sum(1 for gap in gaps if any(c.x0 < gap.x0 and c.x1 > gap.x1 and len(c.words) > 3 for c in chunks))
    return crossed * 2 > len(gaps)
