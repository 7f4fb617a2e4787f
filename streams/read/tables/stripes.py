"""Tables of which every second row is shaded: the last row, where it is a white one that nothing closes, and the header, where it is white.

Between two shaded rows a white one is known by its place; behind the last one, and before the first, only its words tell that it is there.
"""

from collections.abc import Sequence, Set
from dataclasses import replace

from streams.read.tables.columns import column_gaps
from streams.read.tables.lines import Line, Word, chunks_of, text_lines, words_in
from streams.read.tables.regions import SAME_END_PT, Region
from streams.read.tables.rulings import Segment
from streams.read.tables.wrapped import CELL_LEADING, are_in_one_column, keeps_to

MIN_EDGES = 4
"""Two shaded rows have so many; with fewer the boxes are no stripes."""
FREE_ABOVE = 0.8
"""Line heights that are left free above the first line of a row at most."""
MAX_ROW_LINES = 12
"""Lines of a row at most."""
HIGHEST_HEADER_PT = 60.0
"""Points of a header of some lines between the rule above it and the first shaded row."""
BELOW_PT = 2.0
"""Room below the last line of a row."""
MAX_REGION_LINES = 200
"""Lines of a region that are looked at for its columns: a page has 100."""


def with_last_row(region: Region, words: Sequence[Word], taken: Set[int] = frozenset()) -> Region:
    """The region with the row right below it whose texts keep to its columns; the same region where there is none. `taken` are indexes of words in
    tables found already: a line with one of them is none of its rows.
    """
    x0, y0, x1, y1 = region.box
    if len(region.horizontal) < MIN_EDGES:
        return region
    below = text_lines(words_in(words, (x0, y1, x1, y1 + (y1 - y0))))[:MAX_ROW_LINES]
    if not below or len(chunks_of(below[0])) < 2 or below[0].y0 - y1 > FREE_ABOVE * below[0].height:
        return region
    if any(word[5] in taken for word in below[0].words):
        return region
    inside = text_lines(words_in(words, region.box))[:MAX_REGION_LINES]
    gaps = column_gaps(inside) if inside else []
    if not gaps or len(chunks_of(below[0])) > len(gaps) + 1 or not keeps_to(below[:1], gaps) or are_in_one_column(below[0], gaps):
        return region
    last = below[0]
    for line in below[1:]:
        if not _is_of_cell(line, last, gaps[0].x0) or not are_in_one_column(line, gaps):
            break
        last = line
    return replace(region, box=(x0, y0, x1, last.y1 + BELOW_PT))


def with_header(region: Region, words: Sequence[Word], rules: Sequence[Segment]) -> Region:
    """The region with the lines right above it that stand below a rule of its width and keep to its columns; the same where there are none."""
    x0, y0, x1, y1 = region.box
    if len(region.horizontal) < MIN_EDGES:
        return region
    near = [r for r in rules if y0 - HIGHEST_HEADER_PT <= r[0] < y0 - BELOW_PT and abs(r[1] - x0) <= SAME_END_PT and abs(r[2] - x1) <= SAME_END_PT]
    top = max((rule[0] for rule in near), default=y0)
    above = text_lines(words_in(words, (x0, top, x1, y0)))
    inside = text_lines(words_in(words, region.box))[:MAX_REGION_LINES]
    gaps = column_gaps(inside) if above and inside else []
    if not gaps or len(chunks_of(above[-1])) < 2 or not keeps_to(above, gaps):
        return region
    return replace(region, box=(x0, top, x1, y1), horizontal=[(top, x0, x1), *region.horizontal])


def _is_of_cell(line: Line, above: Line, stub_end: float) -> bool:
    return line.middle - above.middle <= CELL_LEADING * max(line.height, above.height) and line.words[0][0] >= stub_end
