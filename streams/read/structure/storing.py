"""Logical pages made ready for the log: their content with stored pictures, and an image of the pictures that a model must read.

Promise: a picture is stored as the file has it where that is PNG or JPEG, else drawn anew as PNG; what nothing here can draw (EMF, WMF) and
what is too large is left out with a warning, never with an error. Knows no store: `keep` takes the bytes.
"""

import hashlib
from collections.abc import Callable

import pymupdf
from msgspec.structs import replace

from schemas.content import BlobReference, PageContent, Source
from schemas.geometry import BBox, area
from streams.read.render import RenderedPage, render_page
from streams.read.structure.logical_page import LogicalPage, Picture

Keep = Callable[[str, bytes], BlobReference]
"""Stores bytes under a file name and says where they are."""

AS_THEY_ARE: dict[str, str] = {"image/png": ".png", "image/jpeg": ".jpg"}
"""What every browser shows, and the ending of the file."""
DRAWN_ANEW: dict[str, str] = {
    "image/gif": "gif", "image/bmp": "bmp", "image/tiff": "tiff", "image/webp": "webp", "image/svg+xml": "svg", "image/jp2": "jp2",
}  # fmt: skip
"""MuPDF's names of what it can draw and browsers or readers of documents may not show."""
MAX_PICTURES = 200
"""Stored of one logical page: an illustrated chapter has some dozens."""
MAX_PICTURE_BYTES = 32 * 2**20
"""Of one picture as the file has it: a photo of 50 megapixels has 20 MiB."""
MAX_PIXELS = 40_000_000
"""Of a picture that is drawn anew; its decoded pixels take three bytes each."""

DRAWING_DPI = 96.0
"""Of a picture that is drawn anew: one pixel of the screen for each that the file counts."""

DRAW_ERRORS = (RuntimeError, ValueError, TypeError, OSError, pymupdf.mupdf.FzErrorBase)


def stored_content(page: LogicalPage, number: int, keep: Keep | None) -> tuple[PageContent, tuple[str, ...]]:
    """The content of a page and warnings about its pictures. Without `keep` no picture is stored. Raises what `keep` raises."""
    blocks, warnings = list(page.blocks), list[str]()
    stored: dict[str, BlobReference] = {}
    for picture in page.pictures[:MAX_PICTURES] if keep else ():
        data = _drawable(picture, warnings)
        if data is None or keep is None:
            continue
        name = hashlib.sha256(data[1]).hexdigest()[:32] + data[0]
        if name not in stored:
            stored[name] = keep(f"figure-{name}", data[1])
        blocks[picture.block] = replace(blocks[picture.block], figure=stored[name])
    if keep and len(page.pictures) > MAX_PICTURES:
        warnings.append(f"only the first {MAX_PICTURES} of {len(page.pictures)} pictures are stored")
    content = PageContent(page=number, width_pt=page.width_pt, height_pt=page.height_pt, rotation=0, source=Source.STRUCTURE, blocks=tuple(blocks))
    return content, tuple(dict.fromkeys(warnings))


def picture_regions(page: LogicalPage) -> tuple[BBox, ...]:
    """Where on the page the pictures stand that a model must read."""
    boxes = (page.blocks[picture.block].bbox for picture in page.pictures if picture.is_text)
    return tuple(box for box in boxes if area(box) > 0)[:MAX_PICTURES]


def draw_pictures(page: LogicalPage, dpi: float, max_pixels: int) -> RenderedPage | None:
    """The pictures that a model must read, each at its place on a white page; None where none of them can be drawn."""
    with pymupdf.open() as paper:
        sheet = paper.new_page(width=max(page.width_pt, 1.0), height=max(page.height_pt, 1.0))
        drawn = [picture for picture in page.pictures if picture.is_text and _put(sheet, picture, page.blocks[picture.block].bbox)]
        return render_page(sheet, dpi, max_pixels) if drawn else None


def _put(sheet: pymupdf.Page, picture: Picture, box: BBox) -> bool:
    data = _drawable(picture, [])
    if data is None or area(box) <= 0:
        return False
    try:
        sheet.insert_image(pymupdf.Rect(box), stream=data[1], keep_proportion=False)
    except DRAW_ERRORS:
        return False
    return True


def _drawable(picture: Picture, warnings: list[str]) -> tuple[str, bytes] | None:
    """The ending and the bytes of a picture that can be shown anywhere; None, and why, for one that cannot."""
    kind = picture.media_type.partition(";")[0].strip().lower()
    if len(picture.data) > MAX_PICTURE_BYTES:
        warnings.append(f"a picture of {len(picture.data)} bytes is not stored; at most {MAX_PICTURE_BYTES} are kept")
        return None
    if kind in AS_THEY_ARE:
        return AS_THEY_ARE[kind], picture.data
    if kind not in DRAWN_ANEW:
        warnings.append(f"a picture of type {kind[:100]} is not stored; nothing here can draw it")
        return None
    try:
        return ".png", _png(picture.data, DRAWN_ANEW[kind])
    except DRAW_ERRORS:
        warnings.append(f"a picture of type {kind} is not stored; it is damaged, and cannot be drawn")
        return None


def _png(data: bytes, filetype: str) -> bytes:
    with pymupdf.open(stream=data, filetype=filetype) as picture:
        return render_page(picture[0], DRAWING_DPI, MAX_PIXELS).png
