"""The words beside a form field that say what it is for, where the file itself names no label. Pure functions of boxes and texts.

Boxes and buttons have their label at the right, other fields at the left or right above. What is far away or stands behind another field is no label.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache, partial

from msgspec.structs import replace

from schemas.content import Block, BlockType
from schemas.geometry import BBox, center
from streams.read.blocks.lines import Fragment
from streams.read.characters.normalise import collapse
from streams.read.turning import to_page

BESIDE_PT, ABOVE_PT = 160.0, 14.0
"""How far a label stands from its field at most: half a line of a form; one line above."""
MAX_FIELDS, MAX_NEAR = 400, 40
"""Fields of a page that are given labels, and texts compared with each: the largest tax forms have 200 fields. With more, names must do."""
LABELS = frozenset({BlockType.PARAGRAPH, BlockType.LIST_ITEM, BlockType.HEADING})
"""What a label beside a field is taken for."""
LONGEST_LABEL = 200
SMALL_PT = 20.0
"""Height and width of boxes to be ticked, at most."""


def with_labels(blocks: Sequence[Block], fragments: Sequence[Fragment]) -> tuple[Block, ...]:
    """Blocks of a page, its form fields with the labels printed beside them."""
    fields = [block for block in blocks if block.field is not None]
    if len(fields) > MAX_FIELDS or not any(block.field is not None and not block.field.label for block in fields):
        return tuple(blocks)
    lines = sorted(((box[1] + box[3]) / 2, box, f.text) for f in fragments for box in (to_page(f.box, f.angle),))
    middles = [line[0] for line in lines]
    others = [block.bbox for block in fields]
    filled = cache(partial(_is_in_any, others))
    return tuple(_labelled(block, lines, middles, others, filled) for block in blocks)


def _is_in_any(boxes: Sequence[BBox], box: BBox) -> bool:
    """Whether the middle of a box lies in one of some others."""
    x, y = center(box)
    for x0, y0, x1, y1 in boxes:  # noqa: SIM110 - of every text beside a field, and every field: a generator would take twice as long
        if x0 <= x <= x1 and y0 <= y <= y1:
            return True
    return False


def in_the_flow(flow: Sequence[Block], notes: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks of a page and then its notes, but a filled field in the place of the block that is its label and nothing else: said once, where it
    stands. Empty fields leave their labels alone, as nobody who shows a form's values shows them.
    """
    places: dict[str, list[int]] = {}
    for index, block in enumerate(flow):
        if block.type in LABELS:
            places.setdefault(block.text, []).append(index)
    found, rest = list(flow), list[Block]()
    for note in notes:
        field = note.field
        label = field.label if field is not None and field.value.casefold() not in ("", "off") else ""
        near = [index for index in places.get(label, ()) if _distance(flow[index].bbox, note.bbox) <= BESIDE_PT] if label else []
        if not near:
            rest.append(note)
            continue
        index = min(near, key=lambda one: _distance(flow[one].bbox, note.bbox))
        places[label].remove(index)
        found[index] = note
    return (*found, *rest)


def _distance(one: BBox, other: BBox) -> float:
    """How far two boxes are from each other, the larger of both ways."""
    return max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3], 0.0)


def _labelled(
    block: Block,
    lines: Sequence[tuple[float, BBox, str]],
    middles: Sequence[float],
    others: Sequence[BBox],
    filled: Callable[[BBox], bool],
) -> Block:
    """The field with its label; `filled` says of a text's box whether it stands in a field, and is no label."""
    field = block.field
    if field is None or field.label:
        return block
    x0, y0, x1, y1 = block.bbox
    is_box = field.value in ("on", "off") and x1 - x0 <= SMALL_PT and y1 - y0 <= SMALL_PT
    near = lines[bisect_left(middles, y0 - ABOVE_PT) : bisect_left(middles, y1 + 2.0)][:MAX_NEAR]
    found: list[tuple[float, str]] = []
    for middle, box, text in near:
        if filled(box):
            continue
        if y0 - 2.0 <= middle <= y1 + 2.0:
            gap = box[0] - x1 if is_box else x0 - box[2]
            between = (x1, box[0]) if is_box else (box[2], x0)
            if -3.0 <= gap <= BESIDE_PT and not any(_is_between(other, between, middle) for other in others):
                found.append((gap, text))
        elif not is_box and middle < y0 and min(x1, box[2]) - max(x0, box[0]) > 0.5 * min(x1 - x0, box[2] - box[0]):
            found.append((BESIDE_PT / 4 + y0 - middle, text))
    if not found:
        return block
    return replace(block, field=replace(field, label=collapse(min(found)[1])[:LONGEST_LABEL]))


def _is_between(other: BBox, gap: tuple[float, float], middle: float) -> bool:
    return other[1] <= middle <= other[3] and gap[0] - 1 <= other[0] and other[2] <= gap[1] + 1 and other[2] > other[0]
