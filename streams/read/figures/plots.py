"""Plots: what stands around the axes of a chart. Numbers beside and below them, and the titles of the axes. Pure functions of fragments.

The numbers are the surest sign of a chart: a low one of few lines is told by them alone. Their box is the box of what is drawn, so they and the
titles stand outside of it, where they would be read as text between the paragraphs.
"""

import re
from collections.abc import Iterable, Sequence

from schemas.geometry import BBox, height, width
from streams.read.blocks.classify import CAPTION
from streams.read.blocks.lines import Fragment

REACH_PT = 26.0
"""How far from an axis its numbers stand beside it, and below it 0.6 of that."""
EDGE_PT = 6.0
"""How far beyond an end of an axis the middle of its last number stands."""
TITLE_PT = 16.0
"""How far a title stands from its numbers: a line."""
MAX_NUMBER_CHARS = 40
MAX_TITLE_LETTERS = 40
FEWEST_NAMES, MAX_NAME_LETTERS = 3, 12
"""Names on an axis, and letters of one: two texts side by side may be anything."""
LOWEST_PT = 30.0
"""Height and width of a plot at the least."""
FEWEST_BESIDE, FEWEST_BELOW = 2, 3
"""Numbers of the axes of a plot, and half of each: what a table or a form has on a side of a box is no scale."""
CENTRED = 0.15
"""How far from the middle of its axis a title stands, as a share of its length."""
_NUMBER = re.compile(r"[\d\s.,%$€£+–−-]*\d[\d\s.,%$€£+–−-]*")


def numbers_of(fragments: Sequence[Fragment], places: Sequence[BBox]) -> dict[int, BBox]:
    """The places of the texts of a page that are numbers and nothing else, by their index."""
    found = (i for i, f in enumerate(fragments) if len(f.text) <= MAX_NUMBER_CHARS and _NUMBER.fullmatch(f.text.strip()) is not None)
    return {i: places[i] for i in found}


def is_on_scale(place: BBox, box: BBox) -> bool:
    """Whether a number at a place stands beside or below what is drawn in a box, or at its upper edge."""
    x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    at_edge = box[0] - REACH_PT <= x <= box[2] + REACH_PT and box[1] - EDGE_PT <= y <= box[3] + EDGE_PT
    return at_edge or _is_beside(place, box) or _is_below(place, box)


def is_plot(box: BBox, numbers: Iterable[BBox]) -> bool:
    """Whether a box has the scales of a plot: numbers on its left or its right, and below it. `numbers` are the places of all on the page."""
    if min(width(box), height(box)) < LOWEST_PT:
        return False
    beside, below = set[int](), set[int]()
    for place in numbers:
        if _is_beside(place, box):
            beside.add(round(place[1]))
        elif _is_below(place, box):
            below.add(round(place[0]))
    return len(beside) >= FEWEST_BESIDE and len(below) >= FEWEST_BELOW


def titles_of(whole: BBox, numbers: Sequence[BBox], fragments: Sequence[Fragment], places: Sequence[BBox]) -> list[int]:
    """The texts of the axes of a plot, as indexes: the names on the lower one (months, countries), the title below it, turned titles at the sides.

    `whole` is the plot with its numbers, `numbers` are their places. Nothing where there are too few numbers for a scale.
    """
    if len(numbers) < FEWEST_BESIDE + FEWEST_BELOW:
        return []
    found = [i for i, place in enumerate(places) if fragments[i].angle in (90, 270) and _is_text(fragments[i]) and _is_at_side(place, whole)]
    bottom = whole[3]
    for _ in range(2):  # names, then the title below them
        below = [i for i, place in enumerate(places) if not fragments[i].angle and -2 <= place[1] - bottom <= TITLE_PT and _is_text(fragments[i])]
        below = [i for i in below if whole[0] - REACH_PT < places[i][0] and places[i][2] < whole[2] + REACH_PT]
        row = [i for i in below if places[i][1] < min(places[j][3] for j in below)]
        if len(row) == 1 and not _is_centred(places[row[0]], whole):
            break
        if len(row) not in (0, 1) and (len(row) < FEWEST_NAMES or any(fragments[i].letters > MAX_NAME_LETTERS for i in row)):
            break
        found += row
        bottom = max((places[i][3] for i in row), default=bottom)
        if len(row) == 1:
            break
    return found


def _is_text(fragment: Fragment) -> bool:
    text = fragment.text.strip()
    return 0 < fragment.letters <= MAX_TITLE_LETTERS and not text.endswith((".", ":")) and CAPTION.match(text) is None


def _is_at_side(place: BBox, whole: BBox) -> bool:
    away = max(whole[0] - place[2], place[0] - whole[2])
    return -2 < away <= TITLE_PT and whole[1] <= (place[1] + place[3]) / 2 <= whole[3]


def _is_centred(place: BBox, whole: BBox) -> bool:
    return abs(place[0] + place[2] - whole[0] - whole[2]) / 2 < CENTRED * width(whole) and width(place) < 0.6 * width(whole)


def _is_beside(place: BBox, box: BBox) -> bool:
    middle = (place[1] + place[3]) / 2
    away = max(box[0] - place[2], place[0] - box[2])
    return box[1] - EDGE_PT <= middle <= box[3] + EDGE_PT and -0.5 * width(place) <= away <= REACH_PT


def _is_below(place: BBox, box: BBox) -> bool:
    x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    return box[0] - EDGE_PT <= x <= box[2] + EDGE_PT and box[3] <= y <= box[3] + 0.6 * REACH_PT
