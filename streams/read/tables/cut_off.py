"""Whether a table without side rules is the left part of wider lines: marginal notes and the numbers of lines, whose texts go on right of it."""

import re
from collections.abc import Sequence

from streams.read.tables.cells import FoundTable
from streams.read.tables.lines import Word, text_lines, words_in

GOES_ON = 0.6
"""Share of the lines with text in the last column that are numbers of lines with a text behind them."""
MIN_LINES, MAX_LINES = 3, 300
"""Of the column; no form has more on a page, and each is looked for among all words beside the table."""
NEAR_HEIGHTS = 2.5
"""The text of a line stands this many line heights right of its number at most."""
LINE_NUMBER = re.compile(r"\d{0,3}[a-z]?\.?")
"""The number of a line, a letter, or a dot that leads to what is filled in. Other texts may have a table beside them as near as that."""
SAME_LINE = 0.3
"""Share of its height by which the middle of such a text is off that of its line at most."""


def is_cut_off(found: FoundTable, words: Sequence[Word]) -> bool:
    """Whether most lines of the last column go on right of the table. `words` are the page's, sorted as `words_of` does."""
    x0, y0, x1, y1 = found.bbox
    left = found.table.column_edges[-2]
    lines = text_lines(words_in([word for word in words_in(words, (x0, y0, x1, y1)) if word[5] in found.words], (left, y0, x1, y1)))
    if len(lines) < MIN_LINES:
        return False
    if len(lines) > MAX_LINES:
        return False
    beside = [word for word in words_in(words, (x1, y0, float("inf"), y1)) if word[5] not in found.words and word[0] >= x1 - 1.0]
    going = 0
    for line in lines:
        end, off = line.words[-1][2], SAME_LINE * line.height
        if not all(LINE_NUMBER.fullmatch(word[4]) for word in line.words):
            continue
        reach = NEAR_HEIGHTS * line.height
        going += any(0 <= word[0] - end <= reach and abs((word[1] + word[3]) / 2 - line.middle) <= off for word in beside)
    return going >= GOES_ON * len(lines)
