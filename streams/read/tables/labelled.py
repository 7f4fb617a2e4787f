"""Tables whose rules stand over their columns of numbers alone, as those of financial statements: the labels of the rows stand left of what is ruled.

Pure. A table that rules tell is only a part of one where most of its lines have a text at their left that is no running text; whoever looks at
words without rules finds the whole. Where words alone make none, the labels are the first column of what is ruled.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from msgspec.structs import replace as with_fields

from schemas.content import Cell
from schemas.geometry import BBox, rounded
from streams.read.tables.cells import FoundTable
from streams.read.tables.grid import nearest
from streams.read.tables.lines import Line, Word, joined_text, text_lines, words_in
from streams.read.tables.unruled import is_running_text

LABELLED = 0.6
"""Share of the lines of a table that have a label at their left; headers have none."""
MATCHED = 0.8
"""Share of the texts at the left that stand on lines of the table: the lines of a column of text beside it do not."""
MIN_LABELS = 2
OUTSIDE_PT = 2.0


def lacks_labels(box: BBox, words: Sequence[Word]) -> bool:
    """Whether the table in a box has the labels of its rows left of it. `words` are the page's."""
    x0, y0, x1, y1 = box
    beside = text_lines(_left_of(box, words))
    if len(beside) < MIN_LABELS:
        return False
    lines = text_lines(words_in(words, (x0 - OUTSIDE_PT, y0, x1 + OUTSIDE_PT, y1)))
    if len(lines) < MIN_LABELS:
        return False
    height = median(line.height for line in lines)
    if _count_beside(lines, beside, height) < LABELLED * len(lines) or _count_beside(beside, lines, height) < MATCHED * len(beside):
        return False
    return not is_running_text([line.words for line in beside])


def with_labels(found: FoundTable, words: Sequence[Word]) -> FoundTable:
    """The table with the texts left of it as its first column; the same where one of them stands beside no row. `words` are those in no other."""
    table, (x0, y0, x1, y1) = found.table, found.bbox
    labels = _left_of(found.bbox, words)
    bands = {cell.row: (cell.bbox[1], cell.bbox[3]) for cell in table.cells if cell.bbox and cell.row_span == 1}
    rows: dict[int, list[Word]] = {}
    for word in labels:
        middle = (word[1] + word[3]) / 2
        row = next((row for row, (top, bottom) in bands.items() if top <= middle <= bottom), None)
        if row is None:
            return found
        rows.setdefault(row, []).append(word)
    if not rows:
        return found
    left = round(min(word[0] for word in labels), 2)
    if len(words_in(words, (left, y0, x0, y1))) > len(labels):
        return found  # a word on the border would be in neither
    shifted = [with_fields(cell, column=cell.column + 1) for cell in table.cells]
    texts = {row: joined_text(rows[row]) if row in rows else "" for row in bands}
    first = [Cell(row=row, column=0, text=text, bbox=rounded((left, bands[row][0], x0, bands[row][1]))) for row, text in texts.items()]
    whole = with_fields(
        table,
        columns=table.columns + 1,
        cells=tuple(sorted([*first, *shifted], key=lambda cell: (cell.row, cell.column))),
        column_edges=(left, *table.column_edges),
        full_cells=tuple(column + 1 for column in table.full_cells),
    )
    return replace(found, bbox=(left, y0, x1, y1), table=whole, words=found.words | {word[5] for word in labels})


def _left_of(box: BBox, words: Sequence[Word]) -> list[Word]:
    """The words left of a box and beside it."""
    right = box[0] + OUTSIDE_PT
    return [word for word in words_in(words, (float("-inf"), box[1], right, box[3])) if word[2] <= right]


def _count_beside(lines: Sequence[Line], others: Sequence[Line], height: float) -> int:
    """How many of some lines have one of the others beside them."""
    middles = sorted([other.middle for other in others])
    return sum([abs(middles[nearest(middles, line.middle)] - line.middle) < 0.5 * height for line in lines])
