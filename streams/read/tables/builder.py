"""From a region and its words to a grid of cells: drawn edges first, then columns, rows and borders that the text tells.

The one place where both kinds of evidence meet. The order matters: rows can only be told once columns are known, and spans once both are.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from streams.read.tables.aligned import aligned_gaps, may_be_aligned
from streams.read.tables.borders import told_borders
from streams.read.tables.columns import Gap, column_gaps, labelled_gaps, without_lone_labels
from streams.read.tables.grid import Grid, draw, drop_unmarked_edges, edges, slot
from streams.read.tables.header_edges import fitted_to_body
from streams.read.tables.held_rows import holds_rows
from streams.read.tables.inner_columns import LINES_FOR_COLUMNS, gaps_of_rows, label_gaps, rows_by_column, sure_gaps, words_beside
from streams.read.tables.line_parts import parts_of
from streams.read.tables.lines import Chunk, Line, Word, are_of_one_number, chunks_of, is_value, text_lines
from streams.read.tables.partial_rules import with_partial_rules
from streams.read.tables.regions import Region
from streams.read.tables.rows import Style
from streams.read.tables.rulings import Segment
from streams.read.tables.thin import drop_thin
from streams.read.tables.told_rows import are_rows, rows_told

_AMOUNT = re.compile(r"\d[.,]\d")
MAX_PLACES = 20_000
"""Rows times columns of a grid: a page of 3-point text has fewer."""
MIN_LABELS, MIN_BODY = 3, 3
"""Labels of a header of one line, and lines below it, from which on its columns are those of the lines below."""
NUMBER_SPACE = 0.7
"""Line heights of the space of a typewriter face at most."""
ON_RULE_PT = 0.5
"""How far the box of a word may stand on a rule beside it."""


def drawn_grid(region: Region, words: Sequence[Word]) -> Grid | None:
    """The grid as drawn, without edges that separate nothing. None where it has no two edges each way, or too many."""
    x0, y0, x1, y1 = region.box
    xs = edges([v[0] for v in region.vertical], x0, x1)
    ys = edges([h[0] for h in region.horizontal], y0, y1)
    if len(xs) < 2 or len(ys) < 2 or len(xs) * len(ys) > MAX_PLACES:
        return None
    grid = Grid(xs, ys)
    draw(grid, region.horizontal, region.vertical)
    if not region.is_stack:
        drop_unmarked_edges(grid)
    drop_thin(grid, words)
    return grid if grid.rows >= 1 and grid.columns >= 1 else None


@dataclass(frozen=True, slots=True)
class Refined:
    """A grid with the columns, rows and borders that text tells, the same with those alone that are drawn, and how many of its leading
    rows are a header: above a rule or, where none is drawn, labels over columns of numbers. `style`: what was taken to part its rows.
    """

    grid: Grid
    drawn: Grid
    ruled_off: int
    style: Style | None = None


def refined_grid(grid: Grid, region: Region, words: Sequence[Word], style: Style | None = None) -> Refined:
    """Adds to a drawn grid what its words tell. `style` is what parts its rows, where that is known; else the words tell that too."""
    lines = text_lines(words)
    fitted = fitted_to_body(grid, region, lines)
    grid, region = fitted.grid, fitted.region
    bands = _by_band(lines, grid.ys)
    _cut_at_rules(bands, grid)
    told = _told_columns(grid, bands, region)
    xs = sorted([*grid.xs, *told])
    if len(xs) <= 2:
        return Refined(Grid(xs, grid.ys), grid, 0)  # one column is no table, whatever its rows: a frame, as most boxes of a page are
    if (parted := with_partial_rules(grid, region, xs, lines)) is not grid:
        grid, bands = parted, _by_band(lines, parted.ys)
        _cut_at_rules(bands, grid)
    coarse = _drawn_anew(grid, xs, grid.ys, region)
    header_bands = 0 if region.is_stack and are_rows([band for band in bands if band], xs) else _header_bands(coarse, bands)
    header_bands = max(header_bands, region.is_headed)
    told_rows = rows_told(region, grid, bands, xs, header_bands, style)
    ys = sorted([*grid.ys, *told_rows.edges])
    fine = _drawn_anew(coarse, xs, ys, region)
    drawn = Grid(xs, ys, [row[:] for row in fine.across], [row[:] for row in fine.along])
    rows = _by_band(lines, ys) if told_rows.edges else bands
    for edge in told_rows.edges:
        spanned = told_rows.spanners.get(edge)
        fine.across[ys.index(edge)] = [spanned is None or c in spanned for c in range(fine.columns)]
    header_rows = sum(1 for y in ys[1:] if y <= grid.ys[header_bands] + 0.01) if header_bands else 0
    if region.is_stack:
        _separate_body_rows(fine, rows, header_rows)
    told_borders(fine, rows, {*told, *fitted.open_edges}, header_rows, [*region.horizontal, *region.loose])
    for edge, groups in told_rows.groups.items():
        _span_groups(fine, ys.index(edge) - 1, groups)
    if not header_rows and told_rows.header_end is not None:
        header_rows = sum(1 for y in ys[1:] if y <= told_rows.header_end)
    return Refined(fine, drawn, header_rows, told_rows.style)


def _drawn_anew(grid: Grid, xs: list[float], ys: list[float], region: Region) -> Grid:
    """The grid with more edges, its borders as drawn; a copy where there are no more."""
    if len(xs) == len(grid.xs) and len(ys) == len(grid.ys):
        return Grid(xs, ys, [row[:] for row in grid.across], [row[:] for row in grid.along])
    fine = Grid(xs, ys)
    draw(fine, [*region.horizontal, *region.loose], region.vertical)
    return fine


def _by_band(lines: Sequence[Line], ys: Sequence[float]) -> list[list[Line]]:
    """The lines by row of a grid; words of one line that belong to different rows (a tall cell's text beside two rows) part."""
    rows = len(ys) - 1
    bands: list[list[Line]] = [[] for _ in range(rows)]
    for line in lines:
        if line.y1 - line.y0 < 1e-6:
            continue
        middles = [w[1] + w[3] for w in line.words]
        # `slot`, spelled out: every line in a grid comes here twice
        first, last = bisect_left(ys, min(middles) / 2, 1, rows) - 1, bisect_left(ys, max(middles) / 2, 1, rows) - 1
        if first == last:
            bands[first].append(line)
            continue
        for row in range(first, last + 1):
            words = [w for w in line.words if slot(ys, (w[1] + w[3]) / 2) == row]
            if words:
                bands[row].append(Line(words, min(w[1] for w in words), max(w[3] for w in words)))
    return bands


def _cut_at_rules(bands: Sequence[Sequence[Line]], grid: Grid) -> None:
    """Cuts the chunks of lines at the rules drawn between two words, however near these stand: full cells of a narrow table are a space apart."""
    for along, band in zip(grid.along, bands, strict=True):
        drawn = [x for column, x in enumerate(grid.xs[1:-1], 1) if along[column]]
        for line in band if drawn else ():
            chunks = chunks_of(line)
            if any(len(c.words) > 1 and bisect_right(drawn, c.x0) < bisect_left(drawn, c.x1) for c in chunks):
                line.chunks = tuple(piece for chunk in chunks for piece in _pieces(chunk, drawn))


def _pieces(chunk: Chunk, drawn: Sequence[float]) -> Iterator[Chunk]:
    """A chunk cut where a rule stands between two of its words."""
    start = 0
    for number, (before, after) in enumerate(pairwise(chunk.words), 1):
        if bisect_left(drawn, before[2] - ON_RULE_PT) < bisect_right(drawn, after[0] + ON_RULE_PT) and before[2] <= after[0] + ON_RULE_PT:
            own, start = chunk.words[start:number], number
            yield Chunk(own[0][0], max(word[2] for word in own), own, chunk.letter)
    own = chunk.words[start:]
    yield Chunk(own[0][0], max(word[2] for word in own), own, chunk.letter)


def _told_columns(grid: Grid, bands: Sequence[Sequence[Line]], region: Region) -> list[float]:
    """Separators that text tells: over the whole width of a stack, within each drawn column elsewhere."""
    if region.is_stack and grid.columns == 1:
        filled = [band for band in bands if band]
        body = [line for band in filled[1:] for line in band]
        everything = [line for band in filled for line in band]
        of_body = column_gaps(body) if len(body) >= 2 else []
        if len(filled) == 1 and len(more := _gaps_below_labels(everything)) > len(column_gaps(everything)):
            filled, body, of_body = [everything[:1], everything[1:]], everything[1:], more
        common = _without_spaces(of_body or column_gaps(everything), body)
        gaps: Sequence[Gap] = common
        if common and len(filled[0]) == 1:
            gaps = labelled_gaps(common, filled[0][0], body) if of_body else without_lone_labels(common, filled[0][0], body)
        # A label in a gap is no text that begins a column further right: that column's own texts stand at its other side.
        aligned = aligned_gaps(everything, [*gaps, *common])
        spans = _spans_in(everything)
        return [*(_clear(gap, spans, region.horizontal) for gap in gaps), *(gap.middle for gap in aligned)]
    told = []
    header = bands[0][0] if grid.columns == 1 and grid.rows > 1 and len(bands[0]) == 1 else None
    for rows in rows_by_column(grid, bands):
        lines = [line for row in rows for line in row]
        if sum(1 for line in lines if len(line.words) > 1) >= LINES_FOR_COLUMNS:
            gaps = sure_gaps(lines) or (gaps_of_rows(bands) if grid.columns == 1 else []) or label_gaps(rows)
            spans = _spans_in(lines) if gaps else ()
            told += [_clear(gap, spans, ()) for gap in (labelled_gaps(gaps, header, lines) if header and gaps else gaps)]
            if may_be_aligned(lines):
                told += [gap.middle for gap in aligned_gaps(lines, gaps or column_gaps(lines))]
    return told


def _gaps_below_labels(lines: Sequence[Line]) -> list[Gap]:
    """The gaps of all lines but the first, where that is labels alone: one of them may stand beyond its column, over the text of the next."""
    labels = chunks_of(lines[0])
    if len(labels) < MIN_LABELS or len(lines) <= MIN_BODY or any(is_value(word[4]) for word in lines[0].words):
        return []
    return column_gaps(lines[1:])


def _without_spaces(gaps: Sequence[Gap], lines: Sequence[Line]) -> list[Gap]:
    """The gaps without those that are a typist's space within the numbers of most lines."""
    high = NUMBER_SPACE * median([line.height for line in lines] or [0.0])
    return [gap for gap in gaps if gap.x1 - gap.x0 > high or not _parts_numbers(gap, lines)]


def _parts_numbers(gap: Gap, lines: Sequence[Line]) -> bool:
    pairs = words_beside(gap, lines)
    return bool(pairs) and sum(1 for a, b in pairs if are_of_one_number(a, b)) >= 0.8 * len(pairs)


_Spans = Sequence[Sequence[tuple[float, float]]]
"""From where to where the texts of lines reach, sorted: those of their chunks, and those of their words."""


def _spans_in(lines: Sequence[Line]) -> _Spans:
    chunks = sorted([(chunk.x0, chunk.x1) for line in lines for chunk in chunks_of(line)])
    return chunks, sorted([(word[0], word[2]) for line in lines for word in line.words])


def _clear(gap: Gap, spans: _Spans, rules: Sequence[Segment]) -> float:
    """Where in a gap the separator stands: in the middle of the widest stretch that no text of any line, headers among them, covers, or in
    that stretch where a rule over some columns begins or ends. Where texts cover all of it, it stands between their words.
    """
    best = next((free for free in (_free(gap, own) for own in spans) if free[1] > free[0]), None)
    if best is None:
        return gap.middle
    starts = [start for _, start, _ in rules if best[0] < start < best[1]]
    ends = [end for _, _, end in rules if best[0] < end < best[1]]
    low, high = max(ends, default=best[0]), min(starts, default=best[1])
    if starts and not ends:
        return high
    if ends and not starts:
        return low
    return (low + high) / 2 if low <= high else (best[0] + best[1]) / 2


def _free(gap: Gap, spans: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The widest stretch of a gap that none of the spans covers; an empty one where they cover all of it."""
    cuts = [(max(gap.x0, x0), min(gap.x1, x1)) for x0, x1 in spans[: bisect_left(spans, (gap.x1,))] if x1 > gap.x0]
    best, position = (gap.x0, gap.x0), gap.x0
    for start, end in cuts:
        if start - position > best[1] - best[0]:
            best = (position, start)
        position = max(position, end)
    return (position, gap.x1) if gap.x1 - position > best[1] - best[0] else best


def _header_bands(grid: Grid, bands: Sequence[Sequence[Line]]) -> int:
    """How many bands stand above the first rule that runs over all columns, if rows without rules follow it; 0 where rules say nothing, or rows stand
    above it as well.
    """
    full = [edge for edge in range(1, grid.rows) if all(grid.across[edge])]
    above = bands[: full[0]] if full else []
    if not any(above) or any(_are_no_labels(band, grid.xs) for band in above if band):
        return 0
    below = [band for band in bands[full[0] :] if band]
    return full[0] if below and max(len(band) for band in below) >= 2 and len(full) <= 1 + len(below) // 2 else 0


def _are_no_labels(band: Sequence[Line], xs: Sequence[float]) -> bool:
    """Whether lines above a rule hold rows, or a line is one row with amounts in two columns beside its label."""
    parts = [parts_of(line, xs) for line in band]
    if len(band) == 1 and 0 in parts[0]:
        return sum(1 for c, part in parts[0].items() if c and part.value and _AMOUNT.search(part.text)) > 1
    return holds_rows(band, parts, xs)


def _span_groups(grid: Grid, row: int, groups: Sequence[tuple[int, int]]) -> None:
    """Makes the headings of a header row span their groups of columns."""
    for first, last in groups:
        for edge in range(first, last + 1):
            grid.along[row][edge] = edge in (first, last)


def _separate_body_rows(grid: Grid, rows: Sequence[Sequence[Line]], header_rows: int) -> None:
    """Below the header of a stack a rule separates the whole row, also where it is drawn under some columns only."""
    for edge in range(max(1, header_rows), grid.rows):
        grid.across[edge] = [True] * grid.columns
    if not header_rows:
        for edge in range(1, grid.rows):
            if any(grid.across[edge]) and rows[edge - 1] and rows[edge]:
                grid.across[edge] = [True] * grid.columns
