"""What is printed on a page beside or behind its text and belongs to no line: numbers of lines in the margin, running heads there, watermarks.

Pure functions of fragments. What is found is furniture: a block of its own, kept in the document and out of its text, so that no sentence has a
number or a "DRAFT" inside. In doubt nothing is taken out: a numbered list, a table's first column and a large heading are text.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from schemas.content import Block, BlockType
from schemas.geometry import BBox, rounded, union
from streams.read.blocks.lines import Fragment
from streams.read.turning import to_page

FEWEST_OF_ALL, FEWEST_OF_STEPS = 8, 3
"""Numbers that must be there where each line has one, and where each fifth or tenth has: a list of few items looks like the former."""
STEPS = frozenset({2, 3, 5, 10})
MAX_DIGITS = 4
ALIGNED = 0.35
"""Ems by which the edges of a column of numbers differ."""
BESIDE = 0.4
"""Ems of clear space between a number and its line at the least."""
LONG_LINE = 15.0
"""Ems; rows of a table have shorter texts beside their numbers."""
MOSTLY = 0.7
FULL_LINE = 1.5
"""Ems that a line of justified prose may end before the right edge."""
RUNS_ON = 0.4
"""Share of numbered lines that begin in the middle of a sentence; items of a list hardly ever do."""
LONG_TEXT, FEWEST_LONG = 40, 12
"""Letters of a line of a page of prose, and lines of it at the least, beside which a running head may stand."""
CLEAR, STACKED = 2.0, 6.0
"""Ems between a running head in the margin and the text; and from one of its lines to the next, the page's number at a distance."""
MAX_HEAD_LINES, MAX_HEAD_LETTERS = 6, 80
MAX_FRAGMENTS = 6_000
"""More fragments than any page of numbered lines has."""
WATERMARK_SIZE = 1.8
"""Times the usual size of type from which slanted or faint text over other text is a watermark; they have 3 to 10."""
MAX_WATERMARK_LETTERS = 60
FEWEST_UNDER = 2
"""Fragments that must lie on level faint text before it is behind them."""


class Furniture(Struct, frozen=True):
    """Finished blocks, and the indexes of the fragments that they say."""

    blocks: tuple[Block, ...]
    taken: frozenset[int]


def find_furniture(fragments: Sequence[Fragment]) -> Furniture:
    """Numbers of lines, running heads beside the text and watermarks among the fragments of a page."""
    if not fragments or len(fragments) > MAX_FRAGMENTS:
        return Furniture((), frozenset())
    groups = [*_line_numbers(fragments), *_heads_beside(fragments), *_watermarks(fragments)]
    blocks = [_block([fragments[index] for index in group]) for group in groups]
    return Furniture(tuple(blocks), frozenset(index for group in groups for index in group))


def _block(members: Sequence[Fragment]) -> Block:
    box = union(to_page(fragment.box, fragment.angle) for fragment in members)
    text = " ".join(fragment.text.strip() for fragment in members)
    angle = members[0].angle
    return Block(type=BlockType.PAGE_HEADER, bbox=rounded(box), text=text, style=members[0].style, rotation=angle if angle >= 0 else 0)


def _line_numbers(fragments: Sequence[Fragment]) -> list[list[int]]:
    """Columns of numbers that count lines, each as indexes from top to bottom."""
    numbers = [index for index, f in enumerate(fragments) if not f.angle and f.letters <= MAX_DIGITS and f.text.strip().isdecimal()]
    if len(numbers) < FEWEST_OF_STEPS:
        return []
    stands_beside = partial(_stands_beside, fragments, _Extents.of(fragments))
    by_edge = [_by_edge(numbers, fragments, edge, stands_beside) for edge in (lambda f: f.x1, lambda f: f.x0, lambda f: (f.x0 + f.x1) / 2)]
    return max(by_edge, key=lambda runs: (sum(map(len, runs)), -len(runs)))


def _by_edge(
    numbers: Sequence[int], fragments: Sequence[Fragment], edge: Callable[[Fragment], float], stands_beside: Callable[[Sequence[int]], bool]
) -> list[list[int]]:
    """Numbers of lines in columns that are aligned by one edge."""
    columns: list[list[int]] = []
    last = -math.inf
    for index in sorted(numbers, key=lambda i: (edge(fragments[i]), fragments[i].y0)):
        place = edge(fragments[index])
        if place - last > ALIGNED * fragments[index].style.size_pt:
            columns.append([])
        columns[-1].append(index)
        last = place
    return [run for column in columns for run in _counting(column, fragments) if stands_beside(run)]


def _counting(column: Sequence[int], fragments: Sequence[Fragment]) -> list[list[int]]:
    """The longest runs of a column that count downwards the page in one step, evenly spaced or not."""
    ordered = sorted(column, key=lambda index: fragments[index].y0)
    runs: list[list[int]] = []
    run: list[int] = []
    step = 0
    for above, below in pairwise(ordered):
        difference = int(fragments[below].text) - int(fragments[above].text)
        if run and difference == step and run[-1] == above:
            run.append(below)
        elif difference == 1 or difference in STEPS:
            run, step = [above, below], difference
            runs.append(run)
    fewest = {id(r): FEWEST_OF_ALL if int(fragments[r[1]].text) - int(fragments[r[0]].text) == 1 else FEWEST_OF_STEPS for r in runs}
    return [r for r in runs if len(r) >= fewest[id(r)]]


class _Extents(Struct, frozen=True):
    """The boxes of a page's fragments by edge, each (n,), and how many letters the upright ones have, 0 of the others. A page may hold thousands of
    numbers, of which each is compared with all fragments.
    """

    x0: NDArray[np.float64]
    y0: NDArray[np.float64]
    x1: NDArray[np.float64]
    y1: NDArray[np.float64]
    letters: NDArray[np.int64]

    @classmethod
    def of(cls, fragments: Sequence[Fragment]) -> "_Extents":
        """The extents of fragments."""
        x0, y0, x1, y1 = np.array([f.box for f in fragments]).T
        return cls(x0, y0, x1, y1, np.array([0 if f.angle else f.letters for f in fragments]))


def _stands_beside(fragments: Sequence[Fragment], extents: _Extents, run: Sequence[int]) -> bool:
    """Whether a column of numbers stands alone in the margin of long lines, which run on from one to the next."""
    x0, x1 = min(fragments[i].x0 for i in run), max(fragments[i].x1 for i in run)
    top, bottom = fragments[run[0]].y0, fragments[run[-1]].y1
    others = (extents.letters > 0) & (extents.y1 > top) & (extents.y0 < bottom)
    others[list(run)] = False
    if (others & (extents.x0 < x1) & (extents.x1 > x0) & (extents.letters > 1)).any():
        return False
    most_missing = (1 - MOSTLY) * len(run)
    wide: list[list[Fragment]] = []
    for place, index in enumerate(run):
        if place - len(wide) > most_missing:
            return False  # the column of a table, told by its first rows
        number = fragments[index]
        middle = (number.y0 + number.y1) / 2
        row = [fragments[i] for i in (others & (extents.y0 < middle) & (extents.y1 > middle)).nonzero()[0].tolist()]
        gap = min((max(f.x0 - number.x1, number.x0 - f.x1) for f in row), default=0.0)
        is_long = 0 < len(row) <= 2 and sum(f.x1 - f.x0 for f in row) >= LONG_LINE * row[0].style.size_pt
        if is_long and gap >= BESIDE * number.style.size_pt:
            wide.append(row)
    if len(wide) < MOSTLY * len(run):
        return False
    all_lines = int(fragments[run[1]].text) - int(fragments[run[0]].text) == 1
    right = max(f.x1 for row in wide for f in row)
    return not all_lines or sum(_runs_on(row, right) for row in wide) >= RUNS_ON * len(wide)


def _runs_on(row: Sequence[Fragment], right: float) -> bool:
    """Whether a line begins in the middle of a sentence. In scripts without small letters, lines of prose are whole and reach the right edge, which
    the rows of a table, cell beside cell, do not.
    """
    first = min(row, key=lambda f: f.x0)
    letter = first.text.lstrip()[:1]
    if letter.islower():
        return True
    return not (letter.isupper() or letter.isdecimal()) and len(row) == 1 and first.x1 >= right - FULL_LINE * first.style.size_pt


def _heads_beside(fragments: Sequence[Fragment]) -> list[list[int]]:
    """Running heads that stand beside the text of a page instead of above it, each as indexes from top to bottom: the number of the page and a few
    words, one below the other from where the text begins, and nothing else in that margin.
    """
    long = [f for f in fragments if f.letters >= LONG_TEXT and not f.angle]
    if len(long) < FEWEST_LONG:
        return []
    left, right, top = min(f.x0 for f in long), max(f.x1 for f in long), min(f.y0 for f in long)
    clear = CLEAR * long[0].style.size_pt
    before = [i for i, f in enumerate(fragments) if not f.angle and f.x1 < left - clear]
    behind = [i for i, f in enumerate(fragments) if not f.angle and f.x0 > right + clear]
    return [
        group for side in (before, behind) if (group := sorted(side, key=lambda i: fragments[i].y0)) and _is_head([fragments[i] for i in group], top)
    ]


def _is_head(lines: Sequence[Fragment], top: float) -> bool:
    """Whether the lines of a margin are a running head of text that begins at `top`."""
    size = lines[0].style.size_pt
    if not 1 < len(lines) <= MAX_HEAD_LINES or sum(f.letters for f in lines) > MAX_HEAD_LETTERS or abs(lines[0].y0 - top) > 2 * size:
        return False
    if sum(f.letters <= MAX_DIGITS and f.text.strip().isdecimal() for f in lines) != 1:
        return False
    return all(b.y0 - a.y0 < STACKED * size and min(abs(a.x0 - b.x0), abs(a.x1 - b.x1)) < size for a, b in pairwise(lines))


def _watermarks(fragments: Sequence[Fragment]) -> list[list[int]]:
    """Slanted words in large type, and faint large ones behind other text."""
    suspects = [index for index, f in enumerate(fragments) if (f.faint or f.angle % 90) and f.letters <= MAX_WATERMARK_LETTERS]
    if not suspects or len(suspects) == len(fragments):
        return []
    sizes = sorted(f.style.size_pt for f in fragments for _ in range(min(f.letters, 100)))
    large = WATERMARK_SIZE * sizes[len(sizes) // 2]
    found: list[list[int]] = []
    plain = np.array([to_page(f.box, f.angle) for f in fragments if not f.faint]).reshape(-1, 4).T
    for index in suspects:
        mark = fragments[index]
        if mark.style.size_pt < large:
            continue
        if mark.angle % 90 or _under(mark, plain) >= FEWEST_UNDER:
            found.append([index])
    return found


def _under(mark: Fragment, plain: NDArray[np.float64]) -> int:
    """How many fragments in ordinary type, whose boxes on the page are `plain` (4, n), lie on a faint one."""
    x0, y0, x1, y1 = _narrowed(to_page(mark.box, mark.angle))
    return int(np.count_nonzero((plain[0] < x1) & (plain[2] > x0) & (plain[1] < y1) & (plain[3] > y0)))


def _narrowed(box: BBox) -> BBox:
    """Without the empty upper and lower fifth of a line's box."""
    height = box[3] - box[1]
    return box[0], box[1] + height / 5, box[2], box[3] - height / 5
