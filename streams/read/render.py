"""A page as a picture for a model.

Promise: upright as displayed, annotations drawn, at least one pixel each way, and never more than the pixels asked for: the size is settled before
anything is drawn, whatever the page claims to be. The same page gives the same pixels and the same hash in every process. Must not know
engines, events or stores.

Pages without colour become grey: a third of the bytes to compress, store and decode, and no engine reads grey worse. PNG is written here because
speed matters more than size: rows as differences to the row above, zlib level 1. Measured on four pages of A4 at 200 dpi: 20-33 ms in grey,
where MuPDF's writer takes 56-203 ms for 15 % fewer bytes.
"""

import hashlib
import math
import struct
import zlib
from collections.abc import Sequence

import numpy as np
import pymupdf
from msgspec import Struct
from numpy.typing import NDArray

from schemas.errors import Code, PageloomError
from schemas.geometry import BBox

Pixels = NDArray[np.uint8]

MAX_SIDE = 10_000
"""Pixels along the longer side: engines scale to less, and picture libraries refuse more than 65,500."""
REGION_MARGIN_PT = 2.0
"""Around a region: boxes of glyphs leave accents and descenders of odd fonts outside."""
LEAST_POINTS = 1e-3
MAX_POINTS = 1e7
"""Of a page's side: two miles; PDF allows 14,400 in its own units and seven times as many in larger ones."""
COLOURFUL = 28
"""Grey levels between the channels of a pixel that count as colour; yellowed paper and scanner tint stay below."""
COLOUR_SHARE = 0.0005
"""Share of colourful pixels that makes a page coloured: one short word in colour on A4 has more."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, RGB = 0, 2
"""Colour types of PNG (RFC 2083, section 4.1.1)."""
UP = 2
"""PNG's filter type for differences to the row above."""


class RenderedPage(Struct, frozen=True, kw_only=True):
    """A page as PNG. `pixels_sha256` names size, channels and pixels, not the file. `dpi` is what it came to be after the bounds."""

    png: bytes
    pixels_sha256: str
    width_px: int
    height_px: int
    dpi: float


def render_page(page: pymupdf.Page, dpi: float, max_pixels: int, only: Sequence[BBox] = ()) -> RenderedPage:
    """Draws a page at `dpi`, or at less where it would exceed `max_pixels` or `MAX_SIDE`; with boxes in `only`, white everywhere else.

    Raises PageloomError (corrupt) when MuPDF cannot draw it.
    """
    scale = scale_within(page.rect.width, page.rect.height, dpi / 72, max_pixels)
    try:
        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False, annots=True)
    except pymupdf.mupdf.FzErrorBase as error:
        raise PageloomError(Code.CORRUPT, f"page {page.number + 1}: MuPDF cannot draw it ({error})") from error
    if not pixmap.width or not pixmap.height:
        raise PageloomError(Code.CORRUPT, f"page {page.number + 1}: its box is empty, there is nothing to draw")
    pixels = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width * 3]
    pixels = pixels.reshape(pixmap.height, pixmap.width, 3)
    if only:
        pixels = _masked(pixels, only, scale)
    if not has_colour(pixels):
        pixels = pixels[:, :, 1:2]  # the channels are alike, green is nearest to what the eye calls bright
    height, width, channels = pixels.shape
    pixels = np.ascontiguousarray(pixels)
    digest = hashlib.sha256(f"{width}x{height}x{channels}:".encode())
    digest.update(pixels.data)
    return RenderedPage(png=encode_png(pixels), pixels_sha256=digest.hexdigest(), width_px=width, height_px=height, dpi=round(scale * 72, 3))


def _masked(pixels: Pixels, boxes: Sequence[BBox], scale: float) -> Pixels:
    """The picture (height, width, channels) with nothing but the boxes, in points, and `REGION_MARGIN_PT` around them."""
    height, width = pixels.shape[:2]
    masked = np.full_like(pixels, 255)
    for x0, y0, x1, y1 in boxes:
        left, top = (max(0, math.floor((low - REGION_MARGIN_PT) * scale)) for low in (x0, y0))
        right, bottom = (min(most, math.ceil((high + REGION_MARGIN_PT) * scale)) for high, most in ((x1, width), (y1, height)))
        masked[top:bottom, left:right] = pixels[top:bottom, left:right]
    return masked


def scale_within(width_pt: float, height_pt: float, scale: float, max_pixels: int) -> float:
    """The largest scale up to `scale` that keeps a page within its bounds of pixels, yet gives at least one pixel each way.

    Total: sizes that are no numbers, zero or endless count as one point, none as less than `LEAST_POINTS` or more than `MAX_POINTS`.
    """
    width, height = (min(max(side, LEAST_POINTS), MAX_POINTS) if math.isfinite(side) and side > 0 else 1.0 for side in (width_pt, height_pt))
    # Rounding outwards may add a pixel each way: the largest s with (width * s + 1) * (height * s + 1) <= max_pixels.
    around, area = width + height, width * height
    most = 2 * (max(max_pixels, 4) - 1) / (around + math.sqrt(around * around + 4 * area * (max(max_pixels, 4) - 1)))
    return min(max(scale, 1 / min(width, height)), most, (MAX_SIDE - 1) / max(width, height))


def has_colour(pixels: Pixels) -> bool:
    """Whether a picture (height, width, 3) shows colour, judged by one pixel in sixteen, or by all of a small one."""
    step = 4 if pixels.shape[0] * pixels.shape[1] > 100_000 else 1
    red, green, blue = (pixels[::step, ::step, channel] for channel in range(3))  # a reduction over three values each costs ten times as much
    spread = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    return bool((spread > COLOURFUL).mean() > COLOUR_SHARE)


def encode_png(pixels: Pixels) -> bytes:
    """A PNG of (height, width, 1 or 3) pixels, eight bits a channel (RFC 2083)."""
    height, width, channels = pixels.shape
    rows = np.empty((height, 1 + width * channels), np.uint8)
    rows[:, 0] = UP
    flat = pixels.reshape(height, width * channels)
    rows[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
    header = struct.pack(">IIBBBBB", width, height, 8, GREY if channels == 1 else RGB, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows.data, 1)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
