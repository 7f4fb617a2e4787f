"""What lies on a page besides its text: pictures, links, form fields, notes. A door to PyMuPDF; everything that comes out is bounded.

All boxes are of the page as displayed; what form fields are is read in `form_fields`. Targets of links are data of a stranger: only those that lead
to a page of the document or use a harmless scheme are kept.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import pymupdf
from msgspec import Struct

from schemas.content import Block, BlockType
from schemas.geometry import BBox, area, height, intersection_area, rounded, union, width
from streams.read.characters.normalise import clean_text, collapse
from streams.read.figures.form_fields import MAX_VALUE_CHARS, FormReader, KeyOf, text_of
from streams.read.figures.said_twice import Said
from streams.read.turning import Matrix, turn_box

MAX_FIELDS = 3_000
"""Form fields of one page; the largest tax forms have a few hundred."""
MAX_LINKS = 500
MAX_FIGURES, MAX_PICTURES = 200, 5_000
MAX_TARGET_CHARS = 2_000
FIGURE_SHARE = 0.008
"""Of the page's area: smaller pictures are ornaments, bullets and signs."""
BACKGROUND_SHARE = 0.82
"""A picture that covers more is the page itself, a scan or a background."""

_SCHEME = re.compile(r"(?:https?|ftp|mailto|tel):", re.IGNORECASE)
_NUMBERS = re.compile(r"-?\d+(?:\.\d*)?|-?\.\d+")
_SHOWN = frozenset({pymupdf.PDF_ANNOT_FREE_TEXT, pymupdf.PDF_ANNOT_STAMP})
"""Annotations whose text stands on the page; that of others, which may repeat the words that they mark, is only in their pop-up."""
_HIDDEN = 1 << 1 | 1 << 5
"""Flags of annotations that no viewer shows: Hidden, NoView."""


class Hyperlink(Struct, frozen=True):
    """A link's area and target: a URI, or `#page=N`."""

    bbox: BBox
    target: str


class Notes(Struct, frozen=True):
    """Form fields and annotations of a page. What is printed in the areas `covered` are ticks and dots of buttons: it is no body text, nor is
    what a page shows of what is `said` of other fields and notes. `pushed`: areas of push buttons, which are no fields.
    """

    blocks: tuple[Block, ...]
    covered: tuple[BBox, ...] = ()
    said: tuple[Said, ...] = ()
    pushed: tuple[BBox, ...] = ()

    @property
    def controls(self) -> list[BBox]:
        """The areas of form fields and push buttons."""
        return [*(block.bbox for block in self.blocks if block.field is not None), *self.pushed]


def find_links(page: pymupdf.Page) -> list[Hyperlink]:
    """The links of a page, up to `MAX_LINKS`, that lead to another page or to a harmless URI."""
    found: list[Hyperlink] = []
    link = page.first_link
    for _ in range(MAX_LINKS):
        if not link:
            break
        # With a number, each step of PyMuPDF's chain lists all annotations of the page anew: minutes for ten thousand links.
        link.xref = 0
        target, box = _target(link.dest), tuple(link.rect)
        if target and len(target) <= MAX_TARGET_CHARS and target.isprintable() and all(map(math.isfinite, box)):
            found.append(Hyperlink(box, target))
        link = link.next
    return found


def _target(destination: Any) -> str:
    """Where a link leads, "" where that is neither a page of its document nor a harmless URI."""
    if destination.kind == pymupdf.LINK_URI:
        return destination.uri if _SCHEME.match(destination.uri or "") else ""
    page = {pymupdf.LINK_GOTO: destination.page, pymupdf.LINK_NAMED: destination.named.get("page")}.get(destination.kind)
    return f"#page={page + 1}" if isinstance(page, int) and page >= 0 else ""


def link_text(words: str, target: str) -> str:
    """What a link shows, of the whole words that it lies on: the sign of the sentence behind them is none of it, unless its target ends so."""
    shown = words.rstrip(".,;:!?")
    return words if not shown or target.endswith(words[-1]) else shown


def find_figures(images: Sequence[dict[str, Any]], page_box: BBox, matrix: Matrix | None) -> list[Block]:
    """Pictures of substantial size, each once, as figure blocks. `images` as `get_image_info` gives them.

    A picture cut into strips or tiles (as scanners and office programs write large ones) counts as one.
    """
    boxes: list[BBox] = []
    whole = max(area(page_box), 1.0)
    for image in images[:MAX_PICTURES]:
        box = turn_box(image["bbox"], matrix)
        if all(map(math.isfinite, box)):
            box = (max(box[0], page_box[0]), max(box[1], page_box[1]), min(box[2], page_box[2]), min(box[3], page_box[3]))
            if area(box) > 0:
                boxes.append(box)
    boxes = _tiled(_tiled(boxes, across=False), across=True)
    figures: list[BBox] = []
    for box in boxes:
        if not FIGURE_SHARE * whole < area(box) < BACKGROUND_SHARE * whole or min(width(box), height(box)) < 12:
            continue
        if not any(intersection_area(box, other) > 0.8 * min(area(box), area(other)) for other in figures):
            figures.append(box)
            if len(figures) == MAX_FIGURES:
                break
    return [Block(type=BlockType.FIGURE, bbox=rounded(box)) for box in figures]


def _tiled(boxes: list[BBox], *, across: bool) -> list[BBox]:
    """Joins boxes that follow each other without a gap and share both other edges: downwards, or from left to right."""
    first, last, start, end = (1, 3, 0, 2) if across else (0, 2, 1, 3)
    joined: list[BBox] = []
    for box in sorted(boxes, key=lambda b: (round(b[first]), round(b[last]), b[start])):
        above = joined[-1] if joined else None
        if above and abs(above[first] - box[first]) < 2 and abs(above[last] - box[last]) < 2 and above[start] - 2 < box[start] < above[end] + 2:
            joined[-1] = union((above, box))
        else:
            joined.append(box)
    return joined


def find_notes(page: pymupdf.Page, matrix: Matrix | None) -> Notes:
    """Form fields, filled or not, and annotations with a text of their own, in the order of the page's annotation list; none that is hidden."""
    blocks: list[Block] = []
    covered: list[BBox] = []
    said: list[Said] = []
    pushed: list[BBox] = []
    document = page.parent
    if not document.is_pdf:
        return Notes(())
    key_of, corner = cache(document.xref_get_key), cache(partial(_corner, page))
    form = FormReader(document, key_of)
    entries = [(xref, kind) for xref, kind, _ in page.annot_xrefs() if kind not in (pymupdf.PDF_ANNOT_LINK, pymupdf.PDF_ANNOT_POPUP)]
    for xref, kind in entries[:MAX_FIELDS]:
        box = _annotation_box(key_of, xref, corner, matrix)
        if box is None or _is_hidden(key_of, xref):
            continue
        if kind == pymupdf.PDF_ANNOT_WIDGET:
            control = form.control(xref)
            if control is None or control.field is None:
                pushed += [box] if control is not None else []
                continue
            blocks.append(Block(type=BlockType.FORM_FIELD, bbox=rounded(box), text=control.field.value, field=control.field))
            covered += [box] if control.shown is None else []
            said += [Said(box, control.shown)] if control.shown else []
            continue
        text = collapse(clean_text(text_of(key_of, xref, "Contents")[:MAX_VALUE_CHARS]))
        if text:
            blocks.append(Block(type=BlockType.ANNOTATION, bbox=rounded(box), text=text))
            said += [Said(box, text)] if kind in _SHOWN else []
    return Notes(tuple(blocks), tuple(covered), tuple(said), tuple(pushed))


def _is_hidden(key_of: KeyOf, xref: int) -> bool:
    """Whether an annotation or a field says that it is not shown."""
    kind, flags = key_of(xref, "F")
    return kind == "int" and int(flags) & _HIDDEN != 0


def _corner(page: pymupdf.Page) -> tuple[float, float]:
    """Left and top of the page as displayed, in PDF space."""
    return page.cropbox.x0, page.mediabox.y1 - page.cropbox.y0


def _annotation_box(key_of: KeyOf, xref: int, corner: Callable[[], tuple[float, float]], matrix: Matrix | None) -> BBox | None:
    """The box of an annotation. Its /Rect is in PDF space: origin at the bottom left, the crop box not yet taken off."""
    kind, text = key_of(xref, "Rect")
    numbers = [float(n) for n in _NUMBERS.findall(text)] if kind == "array" else []
    if len(numbers) != 4:
        return None
    x0, y0, x1, y1 = numbers
    left, top = corner()
    flat = (min(x0, x1) - left, top - max(y0, y1), max(x0, x1) - left, top - min(y0, y1))
    return turn_box(flat, matrix)
