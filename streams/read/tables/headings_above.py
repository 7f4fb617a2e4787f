"""The lines of a header that stand right above the rules of its table: years over pairs of columns, labels over columns of a grid that has none.

Pure. Only lines that are nothing else are taken: no word of them stands beside the table, and each of their texts stands over columns of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec.structs import replace as with_fields

from schemas.content import Cell, Table
from schemas.geometry import BBox, rounded
from streams.read.tables.cells import FoundTable
from streams.read.tables.lines import Chunk, Line, Word, chunks_of, is_number, is_value, is_year, joined_text, text_lines, words_in

REACH_HEIGHTS = 0.8
"""A heading ends this many line heights above its table at most."""
BESIDE_HEIGHTS = 3.0
"""Text this many line heights beside a table goes on with a line above it; what stands further off is another column of the page."""
TALLEST_PT = 40.0
"""Height of the letters that are looked at."""
OFF_CENTRE = 0.12
"""A heading's middle is off the middle of its columns by this share of their width at most."""
SAME_OFF = 0.3
"""Or all are off by about the same, to this share: set over the wider one of their columns."""
LONGEST_WORDS = 5
"""Words of a heading at most: a line of prose whose gaps happen to fit has more."""
MAX_STUB = 3
"""Columns of labels, which have no heading above them, at most."""
MIN_GROUPS = 2
MAX_LINES = 3
"""Lines of labels above a table at most."""
MIN_COLUMNS, SAID = 3, ":"
"""Labels above a table at least, and what stands between a label and its value, as above a table that has a header of its own."""
OVER_PT = 2.0
"""How far a label may stick out of its column."""

_Group = tuple[int, int]
"""Columns [first, last)."""


def with_headings(found: FoundTable, words: Sequence[Word]) -> FoundTable:
    """The table with the headings above it as its first row; the same where there are none. `words` are those in no table."""
    x0, y0, x1, _ = found.bbox
    table = found.table
    if len(table.column_edges) != table.columns + 1:
        return found
    near = words_in(words, (x0, y0 - TALLEST_PT, x1, y0 + OVER_PT))
    lines = _headings(text_lines(near), words, found.bbox)
    if not lines:
        return found
    if groups := _groups(chunks_of(lines[-1]), table):
        return _with_row(found, lines[-1:], groups)
    while lines and not (groups := _labels([chunk for line in lines for chunk in chunks_of(line)], table)):
        del lines[0]
    return _with_row(found, lines, groups) if lines else found


def _headings(lines: Sequence[Line], words: Sequence[Word], box: BBox) -> list[Line]:
    """The last of some lines that may be headings of what stands in a box below them: each right above the next, none with text beside them."""
    x0, y0, x1, _ = box
    found: list[Line] = []
    for line in reversed(lines[-MAX_LINES:]):
        is_near = y0 - line.y1 <= REACH_HEIGHTS * line.height
        reach = BESIDE_HEIGHTS * line.height
        beside = len(words_in(words, (x0 - reach, line.y0 + OVER_PT, x1 + reach, line.y1 - OVER_PT))) != len(line.words)
        if not is_near or beside or len(chunks_of(line)) < MIN_GROUPS or not all(_is_heading(chunk) for chunk in chunks_of(line)):
            break
        found.insert(0, line)
        y0 = line.y0
    return found


def _is_heading(chunk: Chunk) -> bool:
    text = " ".join(word[4] for word in chunk.words)
    return len(chunk.words) <= LONGEST_WORDS and (is_year(text) or not all(is_value(word[4]) for word in chunk.words))


def _groups(chunks: Sequence[Chunk], table: Table) -> Mapping[_Group, Sequence[Word]]:
    """The words over equal groups of two columns or more, in whose middles they stand; only columns of labels at the left have none."""
    xs = table.column_edges
    for stub in range(MAX_STUB + 1):
        each, rest = divmod(table.columns - stub, len(chunks))
        if rest or each < 2:
            continue
        groups = [(stub + index * each, stub + (index + 1) * each) for index in range(len(chunks))]
        pairs = list(zip(chunks, groups, strict=True))
        off = [(chunk.x0 + chunk.x1 - xs[a] - xs[b]) / 2 for chunk, (a, b) in pairs]
        width = min(xs[b] - xs[a] for a, b in groups)
        within = all(xs[a] - OVER_PT <= chunk.x0 and chunk.x1 <= xs[b] + OVER_PT for chunk, (a, b) in pairs)
        if within and (max(map(abs, off)) <= OFF_CENTRE * width or max(off) - min(off) <= SAME_OFF * width):
            return {group: chunk.words for chunk, group in pairs}
    return {}


def _labels(chunks: Sequence[Chunk], table: Table) -> Mapping[_Group, Sequence[Word]]:
    """The words above each column: of a table that has no header and numbers in its first row, where all columns but one at the most have a label; or
    above the rule over the first row, where all have one.
    """
    xs = table.column_edges
    found: dict[_Group, list[Word]] = {}
    is_bare = not table.header_rows and any(cell.row == 0 and is_number(cell.text) for cell in table.cells)
    if not is_bare and not (table.closed_top and table.header_rows < 2 and not any(SAID in chunk.words[-1][4] for chunk in chunks)):
        return {}
    for chunk in chunks:
        own = [c for c in range(table.columns) if xs[c] - OVER_PT <= chunk.x0 and chunk.x1 <= xs[c + 1] + OVER_PT]
        if len(own) != 1:
            return {}
        found.setdefault((own[0], own[0] + 1), []).extend(chunk.words)
    return found if len(found) >= max(MIN_COLUMNS, table.columns - is_bare) else {}


def _with_row(found: FoundTable, lines: Sequence[Line], groups: Mapping[_Group, Sequence[Word]]) -> FoundTable:
    table, xs = found.table, found.table.column_edges
    top, bottom = lines[0].y0, found.bbox[1]
    headed = {first: (last, joined_text(words)) for (first, last), words in groups.items()}
    under = {column for first, last in groups for column in range(first, last)}
    row = [
        Cell(row=0, column=c, text=headed[c][1], column_span=headed[c][0] - c, bbox=rounded((xs[c], top, xs[headed[c][0]], bottom)))
        if c in headed
        else Cell(row=0, column=c, text="", bbox=rounded((xs[c], top, xs[c + 1], bottom)))
        for c in range(table.columns)
        if c in headed or c not in under
    ]
    below = [cell.text for cell in table.cells if cell.row == 0 and cell.text]
    labelled = any(last - first > 1 for first, last in groups) and not any(is_number(text) for text in below)
    more = with_fields(
        table,
        rows=table.rows + 1,
        cells=(*row, *(with_fields(cell, row=cell.row + 1) for cell in table.cells)),
        header_rows=1 + (max(table.header_rows, labelled) if any(last - first > 1 for first, last in groups) else 0),
        closed_top=False,
    )
    box = rounded((found.bbox[0], top, found.bbox[2], found.bbox[3]))
    return replace(found, bbox=box, table=more, words=found.words | {word[5] for line in lines for word in line.words})
