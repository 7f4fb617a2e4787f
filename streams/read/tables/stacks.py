"""Stacks of horizontal rules cut into tables: which bands between the rules hold rows, and which hold prose, captions or notes.

A rule below a running head, one above the foot and the rules of three tables may all have one width; what stands between them decides.
"""

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from schemas.geometry import BBox, intersection_area
from streams.read.tables.columns import SAME_PLACE_PT, Gap, are_set_alike, column_gaps
from streams.read.tables.labels_above import header_above
from streams.read.tables.lines import Line, Word, chunks_of, is_value, text_lines, words_in
from streams.read.tables.regions import SAME_END_PT, Region
from streams.read.tables.rulings import Segment
from streams.read.tables.trimming import CAPTION, NOTE
from streams.read.tables.unruled import is_running_text
from streams.read.tables.wrapped import MIN_LEADS, are_in_one_column, is_rest, is_wrapped_rows, keeps_to

PROSE_WORDS = 5.0
"""Columns whose lines have more words than this on average and fill their width are columns of prose."""
PROSE_FILL = 0.72
MULTI_SHARE = 0.5
"""Share of the lines of a tabular band that have more than one chunk."""
MAX_OPEN_GAP = 2.2
"""Lines of a table without a closing rule follow each other within this many line heights."""
FEW_LINES = 4
LOOK_AHEAD = 8
"""With few lines above, the next ones help to tell the columns."""
IN_GAP_PT, SMALLER = 4.0, 0.95
"""Room on both sides of a text that stands in a gap between columns, and how high it is at most, in heights of the lowest line above."""
MAX_HEADER_LINES = 9
"""Lines of the tallest header."""
MAX_LABEL_LINES = 6
"""Lines of the tallest label of a row."""
VALUES_SHARE = 0.35
"""Share of the lines that end in a number of their own: rows, whatever the others are."""
MAX_SECTION_HEIGHTS = 2.6
"""A band with one lone line and at most this many times as high is a section row."""
MAX_SECTION_LINES = 3
"""Lines of a section's name within the first column."""
MAX_HEADER_BANDS = 4
"""Bands of a header, and the one below it."""
WRAPPED_GAP = 0.5
"""Lines of one cell follow each other within this many line heights."""


@dataclass(slots=True)
class _Band:
    top: float
    bottom: float
    lines: list[Line]
    kind: str


def tables_in_stack(region: Region, words: Sequence[Word], rules: Sequence[Segment], taken: Sequence[BBox]) -> list[Region]:
    """The parts of a stack that may be tables, each a region of its own. `taken` are the boxes of tables found already.

    A table without a closing rule goes on below its last one as long as lines keep to its columns; `rules` are all of the page.
    """
    x0, _, x1, _ = region.box
    frames = _frames(region)
    bands = [_band(top, bottom, (x0 - 2, top, x1 + 2, bottom), words, taken) for top, bottom in itertools.pairwise(frames)]
    _know_tall_rows(bands)
    found = []
    runs = _runs(bands)
    for index, (first, last) in enumerate(runs):
        top, bottom = bands[first].top, bands[last].bottom
        limit = bands[runs[index + 1][0]].top if index + 1 < len(runs) else float("inf")
        lines = [line for band in bands[first : last + 1] for line in band.lines]
        low = (
            bottom
            if _stands_off(bands[first : last + 1], bottom, limit, (x0, x1), words)
            else _open_end(lines, (x0 - 2, bottom, x1 + 2, limit), words, taken, tall_labels=_have_tall_labels(bands[first : last + 1]))
        )
        head = header_above((x0, top, x1, bottom), lines, words) if first == 0 else top
        inside = [r for r in rules if top - 2 <= r[0] <= max(low, bottom + 2) and r[1] >= x0 - SAME_END_PT and r[2] <= x1 + SAME_END_PT]
        found.append(Region((x0, head, x1, max(low, bottom)), inside, [], is_stack=True, is_headed=head < top))
    return found


def _have_tall_labels(bands: Sequence[_Band]) -> bool:
    """Whether rules part the rows of a table, and the label of one of them has a second line, below its own first and beside fewer texts."""
    rows = [band.lines for band in bands if band.kind == "rows"]
    pairs = [(lines[0], lines[1]) for lines in rows if len(lines) > 1]
    return len(rows) >= MIN_LEADS and any(
        abs(below.words[0][0] - above.words[0][0]) <= SAME_PLACE_PT and len(chunks_of(below)) < len(chunks_of(above)) for above, below in pairs
    )


def _open_end(lines: Sequence[Line], below: BBox, words: Sequence[Word], taken: Sequence[BBox], *, tall_labels: bool) -> float:
    """How far down lines go on that keep to the columns of `lines`; the top of `below` where none do, or where they are columns of prose.

    `tall_labels`: a line below the first text of a row may go on with it.
    """
    x0, y, x1, limit = below
    height, lowest = max(line.height for line in lines), min(line.height for line in lines)
    if not words_in(words, (x0, y, x1, min(limit, y + MAX_OPEN_GAP * height))):
        return y
    limit = min([limit, *(t[1] for t in taken if t[1] >= y and t[0] < x1 and t[2] > x0)])
    following = text_lines(words_in(words, (x0, y, x1, limit)))
    gaps = column_gaps(lines if len(lines) > FEW_LINES else [*lines, *following[:LOOK_AHEAD]])
    end, bottom = y, y
    taken_in = 0
    for line in following:
        chunks = chunks_of(line)
        if line.y0 - bottom > MAX_OPEN_GAP * height or any(c.x0 < g.x0 and c.x1 > g.x1 for c in chunks for g in gaps):
            break
        is_small = len(lines) > FEW_LINES and line.height < SMALLER * lowest
        if is_small and any(g.x0 + IN_GAP_PT < c.x0 and c.x1 < g.x1 - IN_GAP_PT for c in chunks for g in gaps):
            break  # a text in none of the columns: the foot of a letter
        is_lone = len(chunks) == 1 or (bool(gaps) and are_in_one_column(line, gaps))
        is_wrapped = is_lone and bool(gaps) and chunks[0].x0 > gaps[0].x0 and line.y0 - bottom <= WRAPPED_GAP * height
        if is_lone and not is_wrapped and (not gaps or chunks[0].x0 > gaps[0].x0 or NOTE.match(" ".join(w[4] for w in line.words))):
            break
        is_of_label = is_lone and tall_labels and line.y0 - bottom <= WRAPPED_GAP * height
        bottom = line.y1
        taken_in += 1
        if not is_lone or is_wrapped or is_of_label:
            end = line.y1 + 1.0
    return y if taken_in > FEW_LINES and _are_columns_of_prose(following[:taken_in]) else end


def _are_columns_of_prose(lines: Sequence[Line]) -> bool:
    """Whether most columns of some lines are running text, however narrow."""
    edges = [gap.middle for gap in column_gaps(lines)]
    columns: list[list[list[Word]]] = [[] for _ in range(len(edges) + 1)]
    for line in lines:
        for column, own in itertools.groupby(line.words, lambda word: bisect_right(edges, (word[0] + word[2]) / 2)):
            columns[column].append(list(own))
    filled = [column for column in columns if column]
    return 2 * sum(1 for column in filled if is_running_text(column)) > len(filled)


def _stands_off(bands: Sequence[_Band], bottom: float, limit: float, span: tuple[float, float], words: Sequence[Word]) -> bool:
    """Whether, where rules part the rows, the text below the last rule stands further from it than that of any row: a page number, a note."""
    rows = [band for band in bands if band.kind == "rows"]
    if len(rows) < MIN_LEADS:
        return False
    height = max(line.height for band in rows for line in band.lines)
    usual = max(band.lines[0].y0 - band.top for band in rows)
    near = words_in(words, (span[0] - 2, bottom, span[1] + 2, min(limit, bottom + (MAX_OPEN_GAP + 1) * height)))
    return not near or min(word[1] for word in near) - bottom > usual + WRAPPED_GAP * height


def _know_tall_rows(bands: Sequence[_Band]) -> None:
    """Makes rows of the bands that hold cells of several lines: where a line with texts in the columns of the table begins each row, lines
    in one column below it go on with its cells. A band at the top, or below the header, may hold nothing but the end of a row that a page break cut.
    """
    leads = [line for band in bands if band.kind in ("rows", "text") for line in band.lines[:1] if len(chunks_of(line)) > 1]
    if (len(leads) >= MIN_LEADS or are_set_alike([chunks_of(lead) for lead in leads])) and (gaps := column_gaps(leads)):
        for band in bands:
            if band.kind == "text" and band.lines and len(chunks_of(band.lines[0])) > 1 and keeps_to(band.lines, gaps):
                band.kind = "rows"
        for number, band in enumerate(bands[:MAX_HEADER_BANDS]):
            if band.kind == "text" and _is_section(band.lines, gaps[0]):
                band.kind = "lone"
            may_be_rest = band.kind in ("text", "lone") and band.lines and keeps_to(band.lines, gaps)
            if may_be_rest and (is_rest(band.lines[0], gaps) or (number == 0 and _is_set_as_cell(band.lines, leads, gaps))):
                band.kind = "rows"
    for band in bands:
        if band.kind == "text" and is_wrapped_rows(band.lines):
            band.kind = "rows"


def _is_section(lines: Sequence[Line], gap: Gap) -> bool:
    """Whether some lines are the name of a section within the first column, which ends at a gap; no caption, which may be as short."""
    is_within = 1 < len(lines) <= MAX_SECTION_LINES and all(line.words[-1][2] < gap.x1 for line in lines)
    return is_within and not CAPTION.match(" ".join(word[4] for word in lines[0].words))


def _is_set_as_cell(lines: Sequence[Line], leads: Sequence[Line], gaps: Sequence[Gap]) -> bool:
    """Whether lines begin right of the first column where the texts of most rows begin in theirs, as no title does."""
    start = lines[0].words[0][0]
    same = sum(1 for lead in leads if any(abs(chunk.x0 - start) <= SAME_PLACE_PT for chunk in chunks_of(lead)[1:]))
    return start >= gaps[0].x0 and 2 * same > len(leads) and all(are_in_one_column(line, gaps) and line.words[0][0] >= start - 1 for line in lines)


def _frames(region: Region) -> list[float]:
    """The heights at which rules, whole or in pieces, run over (nearly) the whole width."""
    x0, _, x1, _ = region.box
    width = x1 - x0
    rows: list[list[float]] = []
    for at, start, end in sorted(region.horizontal):
        if rows and at - rows[-1][0] <= 2.0:
            rows[-1][1] = min(rows[-1][1], start)
            rows[-1][2] = max(rows[-1][2], end)
            rows[-1][3] += end - start
        else:
            rows.append([at, start, end, end - start])
    slack = max(2 * SAME_END_PT, 0.03 * width)
    whole = [at for at, start, end, drawn in rows if start - x0 <= slack and x1 - end <= slack and drawn >= 0.6 * width]
    # Rules over headings that stand above the first whole rule belong to its table: the header goes up to the topmost of them.
    return [region.box[1], *whole] if whole and whole[0] - region.box[1] > 2.0 else whole


def _band(top: float, bottom: float, box: BBox, words: Sequence[Word], taken: Sequence[BBox]) -> _Band:
    if any(intersection_area(box, t) > 0.05 * (t[2] - t[0]) * (t[3] - t[1]) for t in taken):
        return _Band(top, bottom, [], "taken")
    lines = text_lines(words_in(words, box))
    return _Band(top, bottom, lines, _kind(lines, box))


def _kind(lines: list[Line], box: BBox) -> str:
    """empty, lone (one short line), rows, or text."""
    if not lines:
        return "empty" if box[3] - box[1] < 60 else "text"
    first = " ".join(w[4] for w in lines[0].words[:6])
    if CAPTION.match(first) or NOTE.match(first):
        return "text"
    counts = [len(chunks_of(line)) for line in lines]
    multi = sum(1 for count in counts if count > 1)
    if len(lines) == 1:
        if multi:
            return "rows"
        return "lone" if box[3] - box[1] <= MAX_SECTION_HEIGHTS * lines[0].height else "text"
    if (multi >= 2 and _has_values(lines)) or (1 < len(lines) <= MAX_HEADER_LINES and _are_labels(lines, box)):
        return "rows"
    if multi < max(1, MULTI_SHARE * len(lines)):
        return "rows" if _is_tall_row(lines) else "text"
    if len(lines) > 4 and is_prose(lines, box):
        return "text"
    return "rows"


def _are_labels(lines: Sequence[Line], box: BBox) -> bool:
    """Whether a few lines are short texts side by side, as in a header of several lines, where no gap goes through all."""
    chunks = [c for line in lines for c in chunks_of(line)]
    words = sum(len(c.words) for c in chunks) / len(chunks)
    wide = sum(1 for c in chunks if c.x1 - c.x0 > 0.5 * (box[2] - box[0]))
    return len(lines) <= MAX_HEADER_LINES and words <= 3 and not wide and len(chunks) >= 1.5 * len(lines)


def _is_tall_row(lines: Sequence[Line]) -> bool:
    """Whether lines are one row with a label of several lines: its numbers beside one of them, right of where any line of the label ends."""
    rows = [line for line in lines if len(chunks_of(line)) > 1]
    if len(rows) != 1 or len(lines) > MAX_LABEL_LINES or not is_value(rows[0].words[-1][4]):
        return False
    right = chunks_of(rows[0])[1].x0
    return all(chunks_of(line)[0].x1 < right for line in lines)


def _has_values(lines: Sequence[Line]) -> bool:
    """Whether a good part of the lines end in a number."""
    return sum(1 for line in lines if is_value(line.words[-1][4]) and len(chunks_of(line)) > 1) >= VALUES_SHARE * len(lines)


def is_prose(lines: Sequence[Line], box: BBox) -> bool:
    """Whether lines are running text, in one column or several: no common gaps, or columns filled with many words a line."""
    gaps = column_gaps(lines)
    if not gaps:
        return True
    edges = [box[0], *(gap.middle for gap in gaps), box[2]]
    prose = 0
    for left, right in itertools.pairwise(edges):
        column = [[w for w in line.words if left <= (w[0] + w[2]) / 2 <= right] for line in lines]
        filled = [c for c in column if c]
        if not filled:
            continue
        words = sum(len(c) for c in filled) / len(filled)
        extent = max(c[-1][2] for c in filled) - min(c[0][0] for c in filled)
        fill = sum(c[-1][2] - c[0][0] for c in filled) / len(filled) / max(1.0, extent)
        prose += words >= PROSE_WORDS and fill >= PROSE_FILL and len(filled) >= 0.5 * len(lines)
    return prose * 2 > len(gaps) + 1


def _runs(bands: Sequence[_Band]) -> list[tuple[int, int]]:
    """First and last band of every run of rows; lone lines and empty bands only between rows. Where rules part all rows, a lone line between
    the first two rules is a row as well: the section that a page begins with.
    """
    runs = []
    i = 0
    is_ruled = sum(1 for band in bands if band.kind == "rows" and len(band.lines) == 1) >= MIN_LEADS
    while i < len(bands):
        begins = is_ruled and i == 0 and bands[0].kind == "lone" and len(bands) > 1 and bands[1].kind == "rows"
        if bands[i].kind != "rows" and not begins:
            i += 1
            continue
        last = j = i
        while j + 1 < len(bands) and bands[j + 1].kind in ("rows", "lone", "empty"):
            j += 1
            if bands[j].kind == "rows":
                last = j
        runs.append((i, last))
        i = j + 1
    return runs
