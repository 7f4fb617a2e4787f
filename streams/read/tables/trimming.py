"""Where a table begins and ends within rulings that hang together: captions and notes in its frame, and tables that stand on each other.

Works on drawn grids: which rows are one cell, and which column edges a row has.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from streams.read.tables.grid import Grid, slot
from streams.read.tables.lines import Word, chunks_of, joined_text, text_lines, words_in
from streams.read.tables.regions import Region

_CAPTION_WORD = (
    r"(table|tab\.|exhibit|figure|fig\.|chart|box|appendix|tabelle|abb(ildung|\.)|tableau|tabla|cuadro|tabella|tabela"
    r"|таблица|рис\.|表|图|圖|図|표|그림)"
)
CAPTION = re.compile(
    rf"\s*{_CAPTION_WORD}"
    r"\s*[A-Z]?[\d一二三四五六七八九十IVX]+([-.–]\d+)*([.:：\s]|$)",
    re.IGNORECASE,
)
"""How captions begin, in the languages of our documents."""
_MAY_BEGIN = re.compile(rf"^\s*{_CAPTION_WORD}|[\u00ad\ufb00-\ufb06]", re.IGNORECASE | re.MULTILINE)
"""A word, of several one a line, with which a caption may begin, or one that is spelled otherwise once words are joined."""
NOTE = re.compile(r"\s*(notes?|sources?|quelle|anmerkung|nota|fuente|fonte|примечание|注|注释|资料来源|来源|출처|주)\s*[:：.]", re.IGNORECASE)
"""How notes below a table begin."""
NOTE_WORDS = 14
"""A last row that is one cell of this many words is a note, whatever it begins with."""
MIN_LINES, ROWS_SHARE = 3, 0.3
"""Lines of several texts, and their share of all, from which on a last row that is one cell holds rows: a text of three lines in each."""
MAX_CROSSING, INSIDE_PT = 0.1, 2.0
"""Share of their texts that may cross a column edge drawn above, and how far others may reach over it."""
MIN_ROWS = 2
MIN_SEVERAL_SHARE = 0.6
"""Rows of several cells that each of two tables on each other must have, and the share of them. Parts of forms have fewer."""
MAX_PARTS = 4
"""Column edges that change more often are those of a form."""


def without_caption_and_notes(grid: Grid, region: Region, words: Sequence[Word]) -> Region:
    """The region without leading rows that are one cell with a caption or nothing, and trailing ones with notes or nothing."""
    first, last = 0, grid.rows
    while first < last and _is_one_cell(grid, first):
        text = _row_text(grid, first, words)
        if text and not CAPTION.match(text):
            break
        first += 1
    while last > first and grid.columns > 1 and _is_one_cell(grid, last - 1):
        text = _row_text(grid, last - 1, words)
        if text and not NOTE.match(text) and (len(text.split()) < NOTE_WORDS or _holds_rows(grid, last - 1, words)):
            break
        last -= 1
    if (first, last) == (0, grid.rows) or first == last:
        return region
    return _between(region, grid.ys[first], grid.ys[last])


def separate_tables(grid: Grid, region: Region, words: Sequence[Word]) -> list[Region]:
    """The region cut where one table ends and another begins: at a caption row, or where no column edge goes on below a rule."""
    tops = [0]
    edges: set[int] = set()
    for row in range(grid.rows):
        own = {c for c in range(1, grid.columns) if grid.along[row][c]}
        if not own:
            if row > tops[-1] and _is_caption(grid, row, words):
                tops.append(row)
                edges = set()
            continue
        if edges and not own & edges and all(grid.across[row]):
            tops.append(_first_of_lone_rows(grid, row))
            edges = set()
        edges |= own
    parts = list(pairwise([*tops, grid.rows]))
    if len(parts) == 1 or len(parts) > MAX_PARTS or not all(_has_rows(grid, first, end) for first, end in parts):
        return [region]
    return [_between(region, grid.ys[first], grid.ys[end]) for first, end in parts]


def _has_rows(grid: Grid, first: int, end: int) -> bool:
    """Whether rows are those of a table of its own: two at least, and most of them of several cells."""
    several = sum(1 for row in range(first, end) if not _is_one_cell(grid, row))
    return several >= MIN_ROWS and several >= MIN_SEVERAL_SHARE * (end - first)


def _first_of_lone_rows(grid: Grid, row: int) -> int:
    """The first of the one-cell rows right above a row: the title of what follows."""
    while row > 0 and _is_one_cell(grid, row - 1):
        row -= 1
    return row


def _is_one_cell(grid: Grid, row: int) -> bool:
    return not any(grid.along[row][1 : grid.columns])


def _holds_rows(grid: Grid, row: int, words: Sequence[Word]) -> bool:
    """Whether a row without borders holds lines of several texts that keep to the columns drawn above, as where the header alone is ruled."""
    lines = [chunks_of(line) for line in text_lines(_row_words(grid, row, words))]
    rows = [line for line in lines if len(line) > 1]
    chunks = [chunk for line in rows for chunk in line]
    crossing = sum(1 for chunk in chunks if slot(grid.xs, chunk.x0 + INSIDE_PT) != slot(grid.xs, chunk.x1 - INSIDE_PT))
    return len(rows) >= max(MIN_LINES, ROWS_SHARE * len(lines)) and crossing <= MAX_CROSSING * len(chunks)


def _row_words(grid: Grid, row: int, words: Sequence[Word]) -> list[Word]:
    return words_in(words, (grid.xs[0] - 2, grid.ys[row], grid.xs[-1] + 2, grid.ys[row + 1]))


def _row_text(grid: Grid, row: int, words: Sequence[Word]) -> str:
    inside = _row_words(grid, row, words)
    return joined_text(inside) if inside else ""


def _is_caption(grid: Grid, row: int, words: Sequence[Word]) -> bool:
    """Whether the text of a row begins as a caption does. A row of a stack may hold a whole table: its words are joined only where one of them
    may begin one.
    """
    inside = _row_words(grid, row, words)
    return _MAY_BEGIN.search("\n".join([word[4] for word in inside])) is not None and CAPTION.match(joined_text(inside)) is not None


def _between(region: Region, top: float, bottom: float) -> Region:
    """The part of a region between two heights."""
    return Region(
        (region.box[0], top, region.box[2], bottom),
        [h for h in region.horizontal if top - 3 <= h[0] <= bottom + 3],
        [(at, max(start, top), min(end, bottom)) for at, start, end in region.vertical if start < bottom and end > top],
        region.is_stack,
        [rule for rule in region.loose if top < rule[0] < bottom],
    )
