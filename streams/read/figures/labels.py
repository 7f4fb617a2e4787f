"""The words beside a form field that say what it is for. Pure functions of boxes and texts.

Boxes and buttons have their label at the right, else at the left; other fields at the side where their line begins, or above. What is far away,
stands behind another field or on a push button is no label. What is printed beside a field is what people see; what the file itself names it may be
an instruction ("Select from list"), yet is surer than words above.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache, partial

from msgspec import Struct
from msgspec.structs import replace

from schemas.content import Block, FormField
from schemas.geometry import BBox, center
from streams.read.blocks.lines import Fragment
from streams.read.characters.normalise import collapse
from streams.read.turning import to_page

BESIDE_PT, ABOVE_PT = 160.0, 14.0
"""How far a label stands from its field at most: half a line of a form; one line above."""
WRONG_SIDE = 2.0
"""A label at the other side of a box is as far as if it stood so many times as far away."""
MAX_FIELDS, MAX_NEAR = 400, 40
"""Fields of a page that are given labels, and texts compared with each: the largest tax forms have 200 fields. With more, names must do."""
LONGEST_LABEL, LONGEST_SURE = 200, 80
"""Letters of a label, and of one that is surely no sentence in which a field is a gap."""
LEAST_APART, LONGEST_APART = 2, 30
"""Letters of a label without a colon that begins a line of its own: with less it numbers the line that it ends ("1a", "070"), longer ones may be the
lines of a sentence with gaps.
"""
SMALL_PT = 30.0
"""Height and width of boxes to be ticked, at most."""

_Line = tuple[float, BBox, Fragment]


class Labelled(Struct, frozen=True):
    """A note of a page; `printed`: of a form field, the words on the page that are next to it as a label is. `apart`: they label nothing else."""

    block: Block
    printed: Fragment | None = None
    apart: bool = False


def with_labels(blocks: Sequence[Block], fragments: Sequence[Fragment], pushed: Sequence[BBox] = ()) -> list[Labelled]:
    """Blocks of a page, its form fields with the labels printed beside them. `pushed`: areas of push buttons."""
    others = [*(block.bbox for block in blocks if block.field is not None), *pushed]
    if not others or len(others) > MAX_FIELDS:
        return [Labelled(block) for block in blocks]
    lines: list[_Line] = sorted(
        (((box[1] + box[3]) / 2, box, f) for f in fragments for box in (to_page(f.box, f.angle),) if any(map(str.isalnum, f.text))),
        key=lambda line: line[:2],
    )
    middles = [line[0] for line in lines]
    filled = cache(partial(_is_in_any, others))
    return [Labelled(block) if block.field is None else _labelled(block, block.field, lines, middles, others, filled) for block in blocks]


def with_lines_of_labels(fragments: Sequence[Fragment], notes: Sequence[Labelled]) -> list[Fragment]:
    """The fragments of a page, labels of its form fields marked as beginning lines of their own."""
    labels = {id(note.printed) for note in notes if note.apart}
    return [replace(fragment, label=True) if id(fragment) in labels else fragment for fragment in fragments] if labels else list(fragments)


def _is_in_any(boxes: Sequence[BBox], box: BBox) -> bool:
    """Whether the middle of a box lies in one of some others."""
    x, y = center(box)
    for x0, y0, x1, y1 in boxes:  # noqa: SIM110 - of every text beside a field, and every field: a generator would take twice as long
        if x0 <= x <= x1 and y0 <= y <= y1:
            return True
    return False


def _labelled(
    block: Block, field: FormField, lines: Sequence[_Line], middles: Sequence[float], others: Sequence[BBox], filled: Callable[[BBox], bool]
) -> Labelled:
    """The field with its label; `filled` says of a text's box whether it stands in a field, and is no label."""
    x0, y0, x1, y1 = block.bbox
    is_box = field.value in ("on", "off") and x1 - x0 <= SMALL_PT and y1 - y0 <= SMALL_PT
    near = lines[bisect_left(middles, y0 - ABOVE_PT) : bisect_left(middles, y1 + 2.0)][:MAX_NEAR]
    beside: list[tuple[float, Fragment]] = []
    above: list[tuple[float, Fragment]] = []
    for middle, box, fragment in near:
        if filled(box):
            continue
        if y0 - 2.0 <= middle <= y1 + 2.0:
            for behind in (True, False):
                gap, between = (box[0] - x1, (x1, box[0])) if behind else (x0 - box[2], (box[2], x0))
                usual = behind is (is_box is not fragment.rtl)
                if (usual or is_box) and -3.0 <= gap <= BESIDE_PT and not any(_is_between(other, between, middle) for other in others):
                    beside.append((gap if usual else WRONG_SIDE * max(gap, 1.0), fragment))
        elif not is_box and middle < y0 and min(x1, box[2]) - max(x0, box[0]) > 0.5 * min(x1 - x0, box[2] - box[0]):
            above.append((BESIDE_PT / 4 + y0 - middle, fragment))
    if not beside and not above:
        return Labelled(block)
    printed = min((*beside, *above), key=lambda one: one[0])[1]
    text, is_beside = collapse(printed.text), any(fragment is printed for _, fragment in beside)
    named = (
        block if field.label and not (is_beside and len(text) <= LONGEST_SURE) else replace(block, field=replace(field, label=text[:LONGEST_LABEL]))
    )
    whole = (sum(map(str.isalpha, text)) >= LEAST_APART and len(text) <= LONGEST_APART) or text.endswith((":", "："))
    return Labelled(named, printed, is_beside and (is_box or (whole and not text[:1].islower())))


def _is_between(other: BBox, gap: tuple[float, float], middle: float) -> bool:
    return other[1] <= middle <= other[3] and gap[0] - 1 <= other[0] and other[2] <= gap[1] + 1 and other[2] > other[0]
