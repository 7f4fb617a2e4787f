"""What is usual among the lines of a region: where they begin and end, how far they stand apart, whether they are justified. Pure functions of lines.

Right-to-left regions are measured from the right, so that whoever asks compares growing numbers in either direction.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from streams.read.blocks.lines import Line

FEWEST_FLUSH, FLUSH = 4, 0.75
"""Lines of a region, and the share of them that ends at one edge, from which on right-to-left text counts as flush there."""


class Measure(Struct):
    """What is usual in a region: its edges in the direction of reading, the line distance, and whether lines are justified.

    `flush_left`: its text runs from right to left, yet its lines are even on the left alone, as programs set it that know of no direction.
    """

    start: float
    end: float
    leadings: dict[float, float]
    page_leading: float
    justified: bool
    rtl: bool
    flush_left: bool = False

    def leading_of(self, line: Line) -> float:
        """The usual distance in points between lines of this one's size."""
        size = line.style.size_pt
        known = min(self.leadings, key=lambda other: abs(other - size), default=0.0)
        return self.leadings[known] if known and abs(known - size) < 0.13 * size else self.page_leading * size

    def begin_of(self, line: Line) -> float:
        """Where a line begins, growing in the direction of reading."""
        return -line.x1 if self.rtl else line.x0

    def end_of(self, line: Line) -> float:
        """Where a line ends, growing in the direction of reading."""
        return -line.x0 if self.rtl else line.x1


def measure_of(lines: Sequence[Line], page_leading: float) -> Measure:
    """Measures a region. `page_leading` is the line distance over the type size that is usual on the page, for regions of few lines."""
    rtl = sum(line.letters for line in lines if line.rtl) * 2 > sum(line.letters for line in lines)
    measure = Measure(0.0, 0.0, _leadings(lines), page_leading, False, rtl)
    begins = sorted(measure.begin_of(line) for line in lines)
    ends = sorted(measure.end_of(line) for line in lines)
    size = sorted(line.style.size_pt for line in lines)[len(lines) // 2]
    measure.start = _most_common(begins, 0.4 * size)
    measure.end = ends[-1] if len(ends) < 8 else ends[-1 - len(ends) // 20]
    near = sum(measure.end - end < 0.5 * size for end in ends)
    measure.justified = near > 0.5 * len(ends)
    if rtl and len(lines) >= FEWEST_FLUSH and near >= FLUSH * len(ends):
        measure.flush_left = sum(abs(begin - measure.start) < 0.5 * size for begin in begins) <= 0.5 * len(begins)
        if measure.flush_left:
            measure.start = begins[len(begins) // 20]
    return measure


def _leadings(lines: Sequence[Line]) -> dict[float, float]:
    """The usual line distance by type size, where three or more lines show it."""
    steps: dict[float, list[float]] = {}
    for above, below in pairwise(lines):
        size, step = above.style.size_pt, below.baseline - above.baseline
        if abs(size - below.style.size_pt) < 0.15 * size and 0.7 * size < step < 2.6 * size:
            steps.setdefault(round(size), []).append(step)
    return {size: sorted(found)[(len(found) - 1) // 2] for size, found in steps.items() if len(found) > 2}


def _most_common(ordered: Sequence[float], tolerance: float) -> float:
    """The value that most others stand next to; the smallest of equals."""
    best, best_count, low = ordered[0], 0, 0
    for high, value in enumerate(ordered):
        while value - ordered[low] > tolerance:
            low += 1
        if high - low + 1 > best_count:
            best, best_count = ordered[low], high - low + 1
    return best
