"""What tells columns of text from cells of rows, by their boxes alone: common lines, filled lines, common spaces. See `reading_order`.

Everything is measured in line heights (`scale`), as points say nothing about white space. Total: no boxes raise.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise

ALIGNED = 0.3
"""Line heights between middle lines of boxes that stand on one line."""
LEAST_FILLED = 0.24
"""Of pairs of lines in a column of prose: paragraphs of three lines, the last one short, have a half of what they could."""
SOME_ROWS = 0.4
"""Share of common lines from which on short texts side by side may be rows."""
BEYOND_CHANCE = 0.5
"""Of what chance leaves apart, so much must agree before rows are believed."""

SIDE_SPACE = 0.3
"""Line heights between a column and the notes beside it."""
FEW_NOTES = 0.3
"""Share of a side's boxes that may be such notes."""
SMALLER_TYPE, NARROW = 1.3, 3.0
"""How much higher lines of the text are than those of notes in its margin, and the width of a column of such notes in line heights."""

Item = tuple[float, float, float, float, int]
"""A box with its number."""
Stretch = tuple[float, float]
"""From one height to another."""


def are_columns(left: list[Item], right: list[Item], scale: float) -> bool:
    """Whether two sides are columns to be read one after the other, or cells of rows that belong together.

    Cells stand on common lines, more of them than chance puts there; where lines do so, only prose on both sides makes columns of them (a journal
    set on a grid), as cells differ in length from one to the next and lines of prose do not.
    """
    if shared_height(left, right) < 2.2 * scale:
        return False
    agreeing, chance = _common_lines(left, right, scale)
    if agreeing > max(SOME_ROWS, chance + BEYOND_CHANCE * (1 - chance)):
        if _are_on_a_grid(left, right, scale):
            return True
        main = _without_side_notes(left, scale), _without_side_notes(right, scale)
        return (len(main[0]), len(main[1])) != (len(left), len(right)) and _are_on_a_grid(*main, scale)
    prose = [_is_prose(side, scale) for side in (left, right)]
    if all(prose):
        return True
    scattered = min(len(left), len(right)) > 2 and agreeing <= SOME_ROWS
    narrowest = NARROW if _is_set_smaller(left, right) else 5.0
    return all(_width(side) > narrowest * scale for side in (left, right)) and (any(prose) or scattered)


def _is_set_smaller(left: list[Item], right: list[Item]) -> bool:
    """Whether one side is set in clearly smaller type, as notes in the margin are and cells of one row are not."""
    heights = [median([item[3] - item[1] for item in side]) for side in (left, right)]
    return max(heights) > SMALLER_TYPE * min(heights)


def _are_on_a_grid(left: list[Item], right: list[Item], scale: float) -> bool:
    """Whether sides with common lines are prose that is set on one grid of lines, and no rows of a table."""
    filled = [filled_share(side, scale) for side in (left, right)]
    return min(filled) >= LEAST_FILLED and sum(filled) >= 3 * LEAST_FILLED and not _spaced_alike(left, right, scale)


def continue_columns(left: list[Item], right: list[Item], proven: list[list[list[Item]]], scale: float) -> bool:
    """Whether a band that proves no columns by itself goes on with those that stand above or below it: it is low, or has their very edges."""
    if not left or not right:
        return False
    if shared_height(left, right) >= 3.5 * scale:
        return all(any(_same_edges(side, other, scale) for other in others) for side, others in zip((left, right), proven, strict=True))
    widths = [min(map(_width, others)) for others in proven]
    return all(median([i[2] - i[0] for i in side]) > 0.5 * width for side, width in zip((left, right), widths, strict=True))


def _same_edges(side: list[Item], other: list[Item], scale: float) -> bool:
    return (
        abs(min(i[0] for i in side) - min(i[0] for i in other)) < 0.5 * scale
        and abs(max(i[2] for i in side) - max(i[2] for i in other)) < 0.5 * scale
    )


def shared_height(left: list[Item], right: list[Item]) -> float:
    """Over what height both sides of a gutter have ink."""
    if not left or not right:
        return 0.0
    top = max(left[0][1], right[0][1])
    return max(0.0, min(max(i[3] for i in left), max(i[3] for i in right)) - top)


def ends_crossing(item: Item, crossing: list[Item], beside: Callable[[], list[Stretch]], gutter: tuple[float, float], scale: float) -> bool:
    """Whether a short line ends a paragraph that crosses the gutter: at the paragraph's edge and leading, with nothing across from it, where
    `beside` gives the stretches that the boxes right of the gutter take.
    """
    above, last = crossing[-2:]
    leading = last[1] - above[1]
    if item[2] > gutter[1] or not 0 < leading < 2 * scale or abs(item[1] - last[1] - leading) > 0.1 * leading:
        return False
    if abs(item[0] - last[0]) > 0.3 * scale or abs((item[3] - item[1]) - (last[3] - last[1])) > 0.1 * scale:
        return False
    middle = (item[1] + item[3]) / 2
    taken = beside()
    begun = bisect_left(taken, (middle,))  # of these, the last one reaches farthest down
    return begun == 0 or middle >= taken[begun - 1][1]


def stretches_right_of(items: list[Item], left: float) -> list[Stretch]:
    """The heights that boxes right of `left` take, those that overlap as one. `items` are sorted from top to bottom."""
    found: list[Stretch] = []
    for x0, top, _, bottom, _ in items:
        if x0 < left or top >= bottom:
            continue
        if found and top < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], bottom))
        else:
            found.append((top, bottom))
    return found


def _common_lines(left: list[Item], right: list[Item], scale: float) -> tuple[float, float]:
    """(share of the boxes of the shorter side that have neighbours in the other one at their own height, the share that chance gives).

    By chance a middle line falls next to another one as often as those cover the height that both sides share.
    """
    top, bottom = max(left[0][1], right[0][1]), min(max(i[3] for i in left), max(i[3] for i in right))
    few, many = sorted(([(i[1] + i[3]) / 2 for i in side if top <= (i[1] + i[3]) / 2 <= bottom] for side in (left, right)), key=len)
    if not few:
        return 0.0, 0.0
    many.sort()
    reach = ALIGNED * scale
    covered, last = 0.0, top
    for middle in many:
        covered += max(0.0, min(middle + reach, bottom) - max(middle - reach, last))
        last = max(last, middle + reach)
    agreeing = sum(_near(many, middle, reach) for middle in few)
    return agreeing / len(few), covered / max(bottom - top, 1e-6)


def _spaced_alike(left: list[Item], right: list[Item], scale: float) -> bool:
    """Whether wider spaces between lines stand at the same heights on both sides: rows of a form have them together, paragraphs have not."""
    spaces: list[list[float]] = []
    for side in (left, right):
        middles = sorted((item[1] + item[3]) / 2 for item in side)
        steps = [(below - above, below) for above, below in pairwise(middles) if below - above > ALIGNED * scale]
        usual = min(median([step for step, _ in steps]), 1.5 * scale)
        spaces.append([below for step, below in steps if step > 1.2 * usual])
    few, many = sorted(spaces, key=len)
    return len(few) > 2 and sum(_near(many, place, ALIGNED * scale) for place in few) >= 0.8 * len(many)


def _without_side_notes(side: list[Item], scale: float) -> list[Item]:
    """The boxes of a side without the few that stand beside all others: an author's name in the margin is no line of the column."""
    groups: list[list[Item]] = []
    end = -math.inf
    for item in sorted(side):
        if item[0] - end > SIDE_SPACE * scale or not groups:
            groups.append([])
        groups[-1].append(item)
        end = max(end, item[2])
    main = max(groups, key=len)
    return main if len(side) - len(main) <= FEW_NOTES * len(side) else side


def filled_share(side: list[Item], scale: float) -> float:
    """Of the pairs of lines that follow each other closely the share that both fill their column, as in paragraphs; 1 where a figure does."""
    column = _width(side)
    if column < 8 * scale:
        return 0.0
    if any(item[3] - item[1] > 5 * scale and item[2] - item[0] > 0.5 * column for item in side):
        return 1.0
    rows: list[tuple[float, float]] = []
    for middle, ink in sorted(((item[1] + item[3]) / 2, item[2] - item[0]) for item in side):
        if rows and middle - rows[-1][0] <= 0.6 * scale:
            rows[-1] = (rows[-1][0], rows[-1][1] + ink)
        else:
            rows.append((middle, ink))
    pairs = [min(a[1], b[1]) > 0.7 * column for a, b in pairwise(rows) if b[0] - a[0] < 2 * scale]
    return sum(pairs) / len(pairs) if len(pairs) > 1 else 0.0


def _is_prose(side: list[Item], scale: float) -> bool:
    """Lines that fill their column, or one tall box (a figure, a table)."""
    column = _width(side)
    if column < 8 * scale:
        return False
    if any(item[3] - item[1] > 5 * scale and item[2] - item[0] > 0.5 * column for item in side):
        return True
    wide = [item[3] - item[1] for item in side if item[2] - item[0] > 0.6 * column]
    span = max(item[3] for item in side) - min(item[1] for item in side)
    if len(wide) >= 3 and sum(wide) > 0.25 * span:
        return True
    # Several columns that are not yet cut apart: their lines are long, and together they fill the width.
    rows, last = 0, -math.inf
    for middle in sorted((item[1] + item[3]) / 2 for item in side):
        rows += middle - last > 0.6 * scale
        last = middle
    widths = [item[2] - item[0] for item in side]
    return rows >= 3 and median(widths) > 8 * scale and sum(widths) > 0.6 * column * rows


def _width(side: list[Item]) -> float:
    return max(item[2] for item in side) - min(item[0] for item in side)


def median(values: list[float]) -> float:
    """The middle value, the upper one of two; 0 of none."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else 0.0


def _near(ordered: list[float], value: float, distance: float) -> bool:
    low = bisect_left(ordered, value - distance)
    return low < len(ordered) and ordered[low] <= value + distance
