"""The pictures of a page's figures and equations, cut out of the page as it is displayed.

Promise: a stored picture shows what the page shows in the figure's box: clipped, masked, turned and drawn over as there. Where that is one JPEG
of the file, its own bytes are kept; all else is drawn anew as PNG. Pixels are bounded for a figure and for a page, figures for a page and for
a document. The same page gives the same bytes, so that a logo on every page is one picture. Knows no store: `keep` takes the bytes.
"""

import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pymupdf
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from schemas.content import BlobReference, Block, BlockType, PageContent
from schemas.geometry import BBox, area, height, width
from streams.read.render import Pixels, encode_png, has_colour, scale_within
from streams.read.turning import turn_box

MAX_FIGURES = 40
"""Stored of one page: a contact sheet has as many; more are the tiles of one picture or the icons of a legend."""
MAX_IN_DOCUMENT = 5_000
"""Stored of one document, shared evenly between its pages: a book of engravings has some hundred."""
MAX_PIXELS = 3_000_000
"""Of one figure: all of A4 at 150 dpi has 2.2 million."""
MAX_PAGE_PIXELS = 12_000_000
"""Of all figures of a page; about half a second of drawing and compressing."""
MAX_JPEG_BYTES = 8 * 2**20
"""Of a picture kept as it is; a larger one is drawn anew at the page's size."""
THUMB_PX = 48
"""Longer side of the two thumbnails that are compared to tell whether the page shows a JPEG as it is."""
ALIKE = 14.0
"""Mean difference of grey levels up to which they are: scaling and colour profiles differ by less than ten, a clip or a label by more."""
MARGIN_PT = 1.5
"""Around a figure, for the strokes of its outer lines."""

DRAWN = frozenset({BlockType.FIGURE, BlockType.EQUATION})

Images = Sequence[Mapping[str, Any]]
Keep = Callable[[str, bytes], BlobReference]
"""Stores bytes under a file name and says where they are."""


class _Stored(Struct, frozen=True):
    """A JPEG of the file where it stands on the page."""

    xref: int
    bbox: BBox


def with_figures(page: pymupdf.Page, content: PageContent, images: Images, dpi: int, pages: int, keep: Keep) -> PageContent:
    """The content of a page with pictures of its figures and equations, of `dpi` at most. `images` is `get_image_info()` of the page; `pages` is how
    many the document has.

    Raises what MuPDF raises when the page cannot be drawn, and what `keep` raises.
    """
    chosen = [index for index, block in enumerate(content.blocks) if block.type in DRAWN and area(block.bbox) > 0]
    if not chosen:
        return content
    allowed = min(MAX_FIGURES, max(1, MAX_IN_DOCUMENT // max(pages, 1)))
    chosen = sorted(sorted(chosen, key=lambda index: -area(content.blocks[index].bbox))[:allowed])
    left = MAX_PAGE_PIXELS
    shown = page.get_displaylist(annots=0)
    jpegs = _jpegs(page, images) if any(content.blocks[index].type is BlockType.FIGURE for index in chosen) else []
    blocks = list(content.blocks)
    for index in chosen:
        block = blocks[index]
        data, suffix, pixels = _picture(page, shown, block, jpegs, dpi, min(MAX_PIXELS, left))
        if not data:
            continue
        left -= pixels
        name = f"figure-{hashlib.sha256(data).hexdigest()[:24]}{suffix}"
        blocks[index] = replace(block, figure=keep(name, data))
        if left <= 0:
            break
    return replace(content, blocks=tuple(blocks))


def _picture(page: pymupdf.Page, shown: pymupdf.DisplayList, block: Block, jpegs: Sequence[_Stored], dpi: int, most: int) -> tuple[bytes, str, int]:
    """(bytes, suffix, pixels drawn) of a figure; no bytes where its box lies outside of the page."""
    for stored in jpegs:
        if block.type is BlockType.FIGURE and _near(stored.bbox, block.bbox):
            data = page.parent.extract_image(stored.xref)
            if data.get("ext") == "jpeg" and len(data["image"]) <= MAX_JPEG_BYTES and _shows(shown, block.bbox, data["image"], page.rect):
                return data["image"], ".jpg", THUMB_PX**2
    margin = MARGIN_PT if block.type is BlockType.FIGURE else 2 * MARGIN_PT
    x0, y0, x1, y1 = block.bbox
    pixels = _drawn(shown, (x0 - margin, y0 - margin, x1 + margin, y1 + margin), dpi / 72, most, page.rect)
    if pixels is None:
        return b"", "", 0
    size = pixels.shape[0] * pixels.shape[1]
    return encode_png(np.ascontiguousarray(pixels if has_colour(pixels) else pixels[:, :, 1:2])), ".png", size


def _drawn(shown: pymupdf.DisplayList, box: BBox, scale: float, most: int, sheet: pymupdf.Rect) -> Pixels | None:
    """A part of the page in colour, (height, width, 3); None where nothing of it lies on the page."""
    clip = pymupdf.Rect(box) & pymupdf.Rect(0, 0, sheet.width, sheet.height)
    if clip.is_empty or clip.is_infinite:
        return None
    scale = scale_within(clip.width, clip.height, scale, most)
    pixmap = shown.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=0, clip=clip)
    if not pixmap.width or not pixmap.height:
        return None
    pixels = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)
    return pixels[:, : pixmap.width * 3].reshape(pixmap.height, pixmap.width, 3)


def _jpegs(page: pymupdf.Page, images: Images) -> list[_Stored]:
    """The page's pictures that are JPEGs without a mask and cannot be taken for another: told by their size in pixels, which MuPDF gives at
    both places, and no hash of pixels, which it would have to decode them for.
    """
    if not images or not page.parent.is_pdf:
        return []
    listed: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
    for image in page.get_images(full=True):
        listed.setdefault((image[2], image[3]), []).append(image)
    matrix = tuple(page.rotation_matrix) if page.rotation else None
    found: list[_Stored] = []
    for info in images:
        same = listed.get((info["width"], info["height"]), [])
        if len(same) == 1 and same[0][8] == "DCTDecode" and not same[0][1]:
            found.append(_Stored(same[0][0], turn_box(info["bbox"], matrix)))
    return found


def _near(a: BBox, b: BBox) -> bool:
    return all(abs(one - other) < 1.5 for one, other in zip(a, b, strict=True))


def _shows(shown: pymupdf.DisplayList, box: BBox, jpeg: bytes, sheet: pymupdf.Rect) -> bool:
    """Whether the page shows the picture as it is stored: upright, whole, in its colours, nothing over it."""
    scale = THUMB_PX / max(width(box), height(box), 1.0)
    drawn = _drawn(shown, box, scale, THUMB_PX * THUMB_PX * 2, sheet)
    if drawn is None:
        return False
    try:
        with Image.open(io.BytesIO(jpeg), formats=["JPEG"]) as picture:
            if picture.mode not in ("L", "RGB"):
                return False
            picture.draft(picture.mode, (drawn.shape[1], drawn.shape[0]))
            small = picture.convert("RGB").resize((drawn.shape[1], drawn.shape[0]), Image.Resampling.BOX)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False  # damaged: MuPDF shows what it can of it
    difference = np.abs(np.asarray(small, np.int16) - drawn.astype(np.int16))
    return float(difference.mean()) < ALIKE and float(np.percentile(difference, 95)) < 4 * ALIKE
