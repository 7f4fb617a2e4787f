"""What the layout model says of tables against what rules and words say: which of them stand, and where to look again. Pure.

The model knows what looks like a table; it does not know cells. So a table drawn by rules stands whatever the model says, unless it lies in a
picture; one that words alone tell stands or falls with the model where it is not sure itself; and where only the model sees a table, its
box is where words are looked at again.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from msgspec.structs import replace as with_fields

from schemas.geometry import BBox, intersection_area
from streams.read.layout.boxes import CONFIDENT, LayoutBox, LayoutLabel, share_within
from streams.read.tables import SURE, FoundTable

MOSTLY = 0.6
"""A table is within a box from this share of its area on."""
WHOLE = 0.75
"""A box is covered by a table from this share of its area on; below, the table may be a part of what the model saw."""
HARDLY_RULED = 0.3
"""Below this share of drawn borders a table rests on its text."""
SURE_ALONE = 0.8
"""A table without rules of this confidence stands without the model."""
DRAWN = 0.6
"""From this share of drawn borders on a table within a picture is no chart."""
AGREEMENT, DISSENT = 0.7, 0.75
"""How much the model's agreement takes away of what is left to doubt, and what its dissent leaves of a confidence."""


Look = Callable[[BBox], FoundTable | None]


def settled(ruled: Sequence[FoundTable], sure: Sequence[FoundTable], boxes: Sequence[LayoutBox], look: Look) -> list[FoundTable]:
    """The tables of a page from top to bottom. `look` makes a table of the words in a box, or finds none."""
    seen = [box for box in boxes if box.label is LayoutLabel.TABLE and box.confidence >= CONFIDENT]
    pictures = [box.bbox for box in boxes if box.label is LayoutLabel.PICTURE and box.confidence >= CONFIDENT]
    kept = [_judged(table, seen) for table in ruled if _stands(table, seen, pictures)]
    drawn = len(kept)
    for table in sure:
        agrees = _agreeing(table, seen) is not None
        if (agrees or table.table.confidence >= SURE_ALONE) and not _is_within(table.bbox, pictures):
            kept += [_judged(table, seen)]
    for box in seen:
        inside = [table for table in kept if intersection_area(table.bbox, box.bbox) > 0.1 * _size(table.bbox)]
        if any(table in kept[:drawn] for table in inside) or (len(inside) == 1 and share_within(box.bbox, inside[0].bbox) >= WHOLE):
            continue
        found = look(box.bbox)
        if found is not None and all(table.words <= found.words for table in inside):
            kept = [table for table in kept if table not in inside]
            kept.append(_agreed(found, box))
    return sorted(kept, key=lambda t: (t.bbox[1], t.bbox[0]))


def _stands(table: FoundTable, seen: Sequence[LayoutBox], pictures: Sequence[BBox]) -> bool:
    """Whether a table with rules is one: drawn as such, or neither in a picture nor so doubtful that the model has the last word."""
    if table.table.ruled >= DRAWN:
        return True
    sure = table.table.ruled >= HARDLY_RULED or table.table.confidence >= SURE
    return not _is_within(table.bbox, pictures) and (sure or _agreeing(table, seen) is not None)


def _judged(table: FoundTable, seen: Sequence[LayoutBox]) -> FoundTable:
    box = _agreeing(table, seen)
    return _agreed(table, box) if box is not None else _with_confidence(table, table.table.confidence * DISSENT)


def _agreed(table: FoundTable, box: LayoutBox) -> FoundTable:
    return _with_confidence(table, 1 - (1 - table.table.confidence) * (1 - AGREEMENT * box.confidence))


def _with_confidence(table: FoundTable, confidence: float) -> FoundTable:
    return replace(table, table=with_fields(table.table, confidence=round(confidence, 3)))


def _agreeing(table: FoundTable, seen: Sequence[LayoutBox]) -> LayoutBox | None:
    return next((box for box in seen if share_within(table.bbox, box.bbox) >= MOSTLY or share_within(box.bbox, table.bbox) >= WHOLE), None)


def _is_within(box: BBox, others: Sequence[BBox]) -> bool:
    return any(share_within(box, other) >= MOSTLY for other in others)


def _size(box: BBox) -> float:
    return max(1e-6, (box[2] - box[0]) * (box[3] - box[1]))
