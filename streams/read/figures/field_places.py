"""Where form fields stand among the blocks of a page: behind their labels, wherever the file lists them. Pure functions of blocks and boxes."""

from collections.abc import Sequence

from msgspec.structs import replace

from schemas.content import Block, BlockType
from schemas.geometry import BBox, area, center, contains_point
from streams.read.figures.labels import Labelled
from streams.read.turning import to_page

MAX_PAIRS = 300_000
"""Fields times blocks of a page that are looked at, about 0.2 s; the largest tax forms have 200 of each. With more, fields stand at the end."""
SAME_LINE = 8.0
"""A block on the field's own line counts as so many times as near: forms print the words of a line at its left and have the field at its right, up
to half a page away.
"""
LABELS = frozenset({BlockType.PARAGRAPH, BlockType.LIST_ITEM, BlockType.HEADING})
"""What a label beside a field is taken for."""


def in_the_flow(flow: Sequence[Block], notes: Sequence[Labelled]) -> tuple[Block, ...]:
    """The blocks of a page, each form field behind the block that holds its label, or else the one that it stands in or next to; then its other
    notes.

    A filled field takes the place of a block that is its label and nothing else: said once, where it stands. Empty fields leave their labels alone,
    as nobody who shows a form's values shows them.
    """
    fields = [note for note in notes if note.block.field is not None]
    if not fields or len(fields) * len(flow) > MAX_PAIRS:
        return (*flow, *(note.block for note in notes))
    behind: dict[int, list[Block]] = {}
    instead: dict[int, Block] = {}
    for note in _by_rows(fields):
        place = _place(note, flow)
        if place not in instead and place >= 0 and _says_no_more(flow[place], note.block):
            instead[place] = note.block
        else:
            behind.setdefault(place, []).append(note.block)
    found = list(behind.get(-1, ()))
    numbers: list[int] = []
    for index, block in enumerate(flow):
        found.append(instead.get(index, block))
        numbers.append(len(found))
        found += behind.get(index, ())
    bound = (block if block.caption_of is None else replace(block, caption_of=numbers[block.caption_of - 1]) for block in found)
    return (*bound, *(note.block for note in notes if note.block.field is None))


def _by_rows(fields: Sequence[Labelled]) -> list[Labelled]:
    """Fields from top to bottom and, those of one height, from left to right: files list them as they were made."""
    rows: list[list[Labelled]] = []
    bottom = float("-inf")
    for field in sorted(fields, key=lambda one: center(one.block.bbox)[1]):
        if center(field.block.bbox)[1] >= bottom:
            rows.append([])
            bottom = field.block.bbox[3]
        rows[-1].append(field)
    return [field for row in rows for field in sorted(row, key=lambda one: one.block.bbox[0])]


def _place(note: Labelled, flow: Sequence[Block]) -> int:
    """The number of the block that a field stands behind, -1 where none stands before it."""
    label = None if note.printed is None else to_page(note.printed.box, note.printed.angle)
    for box in (label, note.block.bbox):
        around = [index for index, block in enumerate(flow) if box is not None and contains_point(block.bbox, *center(box))]
        if around:
            return min(around, key=lambda index: area(flow[index].bbox))
    x0, _, x1, y1 = note.block.bbox
    before = [index for index, block in enumerate(flow) if block.bbox[1] < y1 and block.bbox[0] < x1 and (block.bbox[3] < y1 or block.bbox[0] < x0)]
    return min(before, key=lambda index: (round(_distance(flow[index].bbox, note.block.bbox)), -index), default=-1)


def _says_no_more(block: Block, note: Block) -> bool:
    """Whether a block is the label of a filled field and nothing else."""
    field = note.field
    return field is not None and field.value.casefold() not in ("", "off") and block.type in LABELS and block.text == field.label


def _distance(one: BBox, other: BBox) -> float:
    """How far a block is from a field, the larger of both ways, in points; along its own line, less counts."""
    across, down = max(one[0] - other[2], other[0] - one[2], 0.0), max(one[1] - other[3], other[1] - one[3], 0.0)
    beside = one[1] < (other[1] + other[3]) / 2 < one[3]
    return across / SAME_LINE if beside else max(across, down)
