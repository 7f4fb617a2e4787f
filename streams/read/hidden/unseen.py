"""Text of a page that no reader sees: invisible, or white on white. It is no part of what the page shows, and is left out of it, with a reason.

Promise: nothing is taken for unseen by its colour or mode alone: the page's bitmap must show nothing in its place. Text over pictures stays (it may
be recognised), and so does text over outlines of its letters or on a dark ground. A page without such text pays for one look at its spans.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pymupdf

from schemas.geometry import BBox
from streams.read.trust.ink import Bitmap, render_bitmap
from streams.read.trust.looking import in_any
from streams.read.trust.signals import MAX_IMAGE_PIXELS, PAINTED, WHITISH, is_invisible, is_pale
from streams.read.turning import Matrix, turn_box

INVISIBLE, HIDDEN = "invisible_text", "hidden_text"
"""Reasons: text that is not painted, and text in the colour of what lies under it."""
MOST = 0.5
"""Share of a page's characters up to which unseen text is left out; of more, the judge of the whole page says whether it can be trusted."""
MAX_SPANS = 4_000
"""Unpainted or pale spans looked at on one page: a page of single-glyph spans has about as many."""
EVEN = 6
"""Steps of grey of 256 within which a place shows nothing."""
MAX_GROUNDS, DARK = 2_000, 0.9
"""Drawings looked at for the ground of white text, and the least of red, green and blue up to which it is one: mostly, no bitmap is needed."""
INSET = 0.15
"""Share of a span's height left out at its edges: descenders of the line above reach into it."""


def unseen_places(
    page: pymupdf.Page,
    content: Mapping[str, Any],
    drawings: Sequence[Mapping[str, Any]],
    images: Sequence[Mapping[str, Any]],
    matrix: Matrix | None,
) -> dict[BBox, str]:
    """Boxes of spans that show nothing, as MuPDF gives them, with the reason of each. Raises what MuPDF raises when the page cannot be drawn."""
    suspects = [
        (span["bbox"], INVISIBLE if is_invisible(span) else HIDDEN)
        for block in content["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        if (not span["char_flags"] & PAINTED or span["alpha"] == 0 or (span["color"] > WHITISH and is_pale(span))) and span["text"].strip()
    ]
    if not suspects or len(suspects) > MAX_SPANS or sum(image["width"] * image["height"] for image in images) > MAX_IMAGE_PIXELS:
        return {}
    pictures = [image["bbox"] for image in images]
    grounds = pictures + [drawing["rect"] for drawing in drawings[:MAX_GROUNDS] if drawing.get("fill") and min(drawing["fill"]) < DARK]
    apart = [(box, reason) for box, reason in suspects if not in_any(box, pictures if reason == INVISIBLE else grounds)]
    if not apart:
        return {}
    bitmap = render_bitmap(page)
    characters = sum(len(span["text"]) for span in _spans(content))
    found = {box: reason for box, reason in apart if shows_nothing(bitmap, turn_box(box, matrix))}
    return found if sum(len(span["text"]) for span in _spans(content) if span["bbox"] in found) <= MOST * characters else {}


def without_spans(content: Mapping[str, Any], places: Mapping[BBox, str]) -> dict[str, Any]:
    """A dictionary of a page's text, raw or not, less the spans at these places."""
    blocks = []
    for block in content["blocks"]:
        lines = []
        for line in block.get("lines", ()):
            spans = [span for span in line["spans"] if span["bbox"] not in places]
            if spans:
                boxes = [span["bbox"] for span in spans]
                box = line["bbox"] if len(spans) == len(line["spans"]) else tuple(f(b[i] for b in boxes) for i, f in enumerate((min, min, max, max)))
                lines.append({**line, "spans": spans, "bbox": box})
        blocks.append({**block, "lines": lines})
    return {**content, "blocks": blocks}


def shows_nothing(bitmap: Bitmap, box: BBox) -> bool:
    """Whether a place of the displayed page is of one grey; places beside the page show nothing either, and are not for this module to judge."""
    inset = INSET * min(box[2] - box[0], box[3] - box[1])
    x0, y0, x1, y1 = (round(bitmap.scale * value) for value in (box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset))
    part = bitmap.grey[max(0, y0) : max(0, y1 + 1), max(0, x0) : max(0, x1 + 1)]
    return bool(part.size) and int(part.max()) - int(part.min()) <= EVEN


def _spans(content: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The spans that hold more than white space."""
    return (span for block in content["blocks"] for line in block.get("lines", ()) for span in line["spans"] if span["text"].strip())
