"""Tables whose rules stand over their columns of numbers alone, as those of financial statements: the labels of the rows stand left of what is ruled.

Pure. A table that rules tell is only a part of one where most of its lines have a text at their left that is no running text; whoever looks at
words without rules finds the whole.
"""

from collections.abc import Sequence
from statistics import median

from schemas.geometry import BBox
from streams.read.tables.lines import Line, Word, text_lines, words_in
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
    lines = text_lines(words_in(words, (x0 - OUTSIDE_PT, y0, x1 + OUTSIDE_PT, y1)))
    beside = text_lines([w for w in words if w[2] <= x0 + OUTSIDE_PT and y0 <= (w[1] + w[3]) / 2 <= y1])
    if len(beside) < MIN_LABELS or len(lines) < MIN_LABELS:
        return False
    height = median(line.height for line in lines)
    labelled = [line for line in lines if _stands_beside(line, beside, height)]
    matched = [line for line in beside if _stands_beside(line, lines, height)]
    if len(labelled) < LABELLED * len(lines) or len(matched) < MATCHED * len(beside):
        return False
    return not is_running_text([line.words for line in beside])


def _stands_beside(line: Line, others: Sequence[Line], height: float) -> bool:
    return any(abs(line.middle - other.middle) < 0.5 * height for other in others)
