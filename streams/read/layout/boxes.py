"""What the layout model says of a page: labelled boxes. Values only; whatever is odd in an answer of the model is left out here."""

import math
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

from msgspec import Struct

from schemas.geometry import BBox, area, intersection_area, rounded

MAX_BOXES = 500
"""Boxes of one page; the densest newspaper page has about 150."""
CONFIDENT = 0.5
"""A box that the model is less sure of than this settles nothing."""


class LayoutLabel(str, Enum):
    """The classes of the model, in its own words."""

    TEXT = "text"
    TITLE = "title"
    PICTURE = "picture"
    TABLE = "table"
    LIST_ITEM = "list-item"
    PAGE_HEADER = "page-header"
    PAGE_FOOTER = "page-footer"
    SECTION_HEADER = "section-header"
    FOOTNOTE = "footnote"
    CAPTION = "caption"
    FORMULA = "formula"


class LayoutBox(Struct, frozen=True):
    """A box in points of the page as displayed, what is in it, and how sure the model is (0..1, the mean over the text lines in it)."""

    bbox: BBox
    label: LayoutLabel
    confidence: float


def boxes_of(answer: Iterable[tuple[Sequence[Any], str, float]], page_box: BBox) -> tuple[LayoutBox, ...]:
    """The model's (box, class, confidence) as boxes on the page, in its order; those of no size, off the page or of an unknown class go."""
    labels = {label.value: label for label in LayoutLabel}
    found: list[LayoutBox] = []
    for box, name, confidence in answer:
        label = labels.get(name)
        numbers = [float(v) for v in box[:4]]
        if label is None or len(numbers) < 4 or not all(map(math.isfinite, [*numbers, confidence])):
            continue
        x0, y0, x1, y1 = numbers
        clipped = rounded((max(x0, page_box[0]), max(y0, page_box[1]), min(x1, page_box[2]), min(y1, page_box[3])))
        if area(clipped) > 0 and len(found) < MAX_BOXES:
            found.append(LayoutBox(clipped, label, round(min(1.0, max(0.0, confidence)), 3)))
    return tuple(found)


def share_within(inner: BBox, outer: BBox) -> float:
    """The share 0..1 of a box that lies in another; 0 for a box without area."""
    own = area(inner)
    return intersection_area(inner, outer) / own if own > 0 else 0.0
