"""Columns told by where their texts begin, where gaps do not tell them: texts that are too long for their column run into the next one.

Programs that print sheets do that; most rows still show the gap, and all texts of the next column begin at one x. Works on the lines of one region.
"""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from streams.read.tables.columns import Gap
from streams.read.tables.lines import Line, chunks_of, is_value

MIN_ROWS = 6
"""Fewer texts begin at one x by chance."""
GAPS_SHARE = 0.6
"""Share of the lines that show a gap before the x at which the texts of a column begin."""
OVERLONG_SHARE = 0.2
"""Share of the lines in which a word may run over that x."""
SAME_X_PT = 1.0
"""Texts that are set to one x begin this near to it."""
MIN_LETTERS = 4
"""What stands left of the x is texts of this many letters: numbers and marks of a list stand before a text of their own column."""


def may_be_aligned(lines: Sequence[Line]) -> bool:
    """Whether `aligned_gaps` can find any in these lines: enough of them hold more than one text."""
    return len(lines) >= MIN_ROWS and sum([len(chunks_of(line)) > 1 for line in lines]) >= MIN_ROWS


def aligned_gaps(lines: Sequence[Line], gaps: Sequence[Gap]) -> list[Gap]:
    """Gaps right before the columns that texts begin at one x, none of them within or at the end of one of `gaps`, which the lines have in common."""
    rows = [line for line in lines if len(chunks_of(line)) > 1]
    if len(rows) < MIN_ROWS:
        return []
    starts: dict[int, list[float]] = defaultdict(list)
    for line in rows:
        for chunk in chunks_of(line)[1:]:
            starts[round(chunk.x0)].append(chunk.x0)
    found: list[Gap] = []
    for near in sorted(starts, key=lambda x: -len(starts[x])):
        around = [x for step in (-1, 0, 1) for x in starts.get(near + step, ())]
        if len(around) < GAPS_SHARE * len(rows):
            continue
        own = [x for x in around if abs(x - near) <= SAME_X_PT]
        x = median(own) if own else float(near)
        column = max((gap.x1 for gap in (*gaps, *found) if gap.x1 <= x), default=float("-inf"))
        if not any(gap.x0 - SAME_X_PT <= x <= gap.x1 + SAME_X_PT for gap in (*gaps, *found)) and _begins_column(rows, x, column):
            found.append(Gap(x - SAME_X_PT, x))
    return found


def _begins_column(rows: Sequence[Line], x: float, start: float) -> bool:
    """Whether in most rows a text begins at an x behind a text between `start` and it, and hardly any word runs over it, and no number."""
    behind = overlong = 0
    for line in rows:
        before = ""
        for chunk in chunks_of(line):
            if abs(chunk.x0 - x) <= SAME_X_PT:
                behind += sum(map(str.isalpha, before)) >= MIN_LETTERS
                break
            before = "".join(word[4] for word in chunk.words) if chunk.x1 > start else ""
        over = [word for word in line.words if word[0] < x - SAME_X_PT and word[2] > x + SAME_X_PT]
        if any(is_value(word[4]) for word in over):
            return False
        overlong += bool(over)
    return behind >= GAPS_SHARE * len(rows) and overlong <= OVERLONG_SHARE * len(rows)
