"""Runs of text at the borders of tables: which of their words the tables hold, so that every word of a page comes out once. Pure functions.

A run whose box lies in a table, or outside of all, is told by its middle. One that crosses a border, as a line of prose that runs into a table
does, is asked word by word: what the tables hold goes, the rest stays text.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence, Set

from msgspec.structs import replace

from schemas.geometry import BBox, center, overlap_x, overlap_y, union
from schemas.unicode_forms import in_form
from streams.read.blocks.lines import Fragment
from streams.read.placed_words import Word
from streams.read.turning import to_frame, to_page

_Placed = Sequence[tuple[float, int, Word]]
MAX_STRADDLING = 200
"""Runs of a page that are asked word by word: each costs a look at the words of its height. Of 45 real files with tables no page had more than eight.
"""
OUTSIDE_PT = 2.0
"""How far a run may reach over a border without crossing it."""


def outside_tables(fragments: Sequence[Fragment], boxes: Sequence[BBox], held: Set[Word], words: Callable[[], Sequence[Word]]) -> list[Fragment]:
    """The runs that stand in none of the boxes, without words that tables hold. `held` are these words, empty where they are not known; `words`
    gives all words of the page.
    """
    kept: list[Fragment] = []
    asked = 0
    placed: _Placed = ()
    for fragment in fragments:
        if held and asked < MAX_STRADDLING and crosses_border(fragment, boxes):
            placed = placed or _by_height(words())
            asked += 1
            left = _without_held(fragment, boxes, held, placed)
            if left is not None:
                kept.append(left)
        elif not stands_in(fragment, boxes):
            kept.append(fragment)
    return kept


def stands_in(fragment: Fragment, boxes: Sequence[BBox]) -> bool:
    """Whether the middle of a run is in one of the boxes, which are those of the page."""
    x, y = center(to_page(fragment.box, fragment.angle)) if fragment.angle else ((fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2)
    for x0, y0, x1, y1 in boxes:  # noqa: SIM110 - asked of every run of a page: a generator would take twice as long
        if x0 <= x <= x1 and y0 <= y <= y1:
            return True
    return False


def crosses_border(fragment: Fragment, boxes: Sequence[BBox]) -> bool:
    """Whether a run is part in a box and part outside of it."""
    x0, y0, x1, y1 = to_page(fragment.box, fragment.angle) if fragment.angle else (fragment.x0, fragment.y0, fragment.x1, fragment.y1)
    for left, top, right, bottom in boxes:
        if (
            x0 < right + OUTSIDE_PT
            and x1 > left - OUTSIDE_PT
            and y0 < bottom
            and y1 > top
            and (x0 < left - OUTSIDE_PT or x1 > right + OUTSIDE_PT or y0 < top - OUTSIDE_PT or y1 > bottom + OUTSIDE_PT)
        ):
            return True
    return False


def _by_height(words: Sequence[Word]) -> _Placed:
    """The words by the height of their middle, each with its place among the words of the page."""
    return sorted(((word[1] + word[3]) / 2, place, word) for place, word in enumerate(words))


def _words_in(box: BBox, placed: _Placed) -> list[Word]:
    """The words whose middle is in a box, in the order of the page."""
    x0, y0, x1, y1 = box
    near = placed[bisect_left(placed, y0, key=_height) : bisect_right(placed, y1, key=_height)]
    return [word for _, word in sorted((place, word) for _, place, word in near if x0 <= (word[0] + word[2]) / 2 <= x1)]


def _height(placed: tuple[float, int, Word]) -> float:
    return placed[0]


def _without_held(fragment: Fragment, boxes: Sequence[BBox], held: Set[Word], placed: _Placed) -> Fragment | None:
    """The run without the words that tables in the boxes hold; None where nothing is left of it."""
    said = _bare(fragment.text)
    own = [word for word in _words_in(to_page(fragment.box, fragment.angle), placed) if _bare(word[4]) in said]
    if len(_bare("".join(word[4] for word in own))) < len(said):  # some are spelt otherwise there: none may get lost
        return None if stands_in(fragment, boxes) else fragment
    free = [word for word in own if word not in held or not any(overlap_x(box, word[:4]) and overlap_y(box, word[:4]) for box in boxes)]
    if not free:
        return None
    if len(free) == len(own):
        return None if stands_in(fragment, boxes) else fragment
    text = " ".join(word[4] for word in free)
    x0, _, x1, _ = to_frame(union(word[:4] for word in free), fragment.angle)
    return replace(fragment, x0=x0, x1=x1, text=text, letters=len(text.replace(" ", "")), runs=())


def _bare(text: str) -> str:
    """A text without white space and soft hyphens, and with raised and lowered signs as plain ones."""
    return "".join(in_form("NFKC", text).replace("\u00ad", "").split())
