"""Pictures of a recognized page's figures and equations, cut out of the image that was read. Bounded in number and pixels."""

import numpy as np

from inference.images import PagePixels, Pixels, png_of, smaller
from inference.pictures import DRAWN, MAX_CUT_PIXELS, is_picture_page
from inference.types import Picture
from schemas.content import BlockType, PageContent
from schemas.geometry import BBox, area

DPI = 120.0
"""Sharp on a screen; figures of a text layer are cut at so much (`figure_dpi`)."""
MARGIN_PT = 1.5
"""Around a figure, for the strokes of its outer lines."""
MAX_PICTURES = 40
"""Of one page: a contact sheet has as many."""


def pictures_of(page: PagePixels, content: PageContent, *, equations: bool) -> tuple[Picture, ...]:
    """The pictures of a page, the largest first; with `equations` also of these. None of a page that is a picture itself. Raises PageloomError."""
    if is_picture_page(content):
        return ()
    wanted = DRAWN if equations else (BlockType.FIGURE,)
    blocks = [block for block in content.blocks if block.type in wanted and block.figure is None and area(block.bbox) > 0]
    found: list[Picture] = []
    left = MAX_CUT_PIXELS
    for block in sorted(blocks, key=lambda block: (-area(block.bbox), block.bbox))[:MAX_PICTURES]:
        pixels = _cut(page, block.bbox)
        if pixels.size and pixels.shape[0] * pixels.shape[1] <= left:
            left -= pixels.shape[0] * pixels.shape[1]
            found.append(Picture(block.bbox, png_of(pixels)))
    return tuple(found)


def _cut(page: PagePixels, box: BBox) -> Pixels:
    """A part of a page's image at no more than `DPI`, grey where it has no colour; none where the box lies outside."""
    height, width = page.bgr.shape[:2]
    x, y = width / page.image.width_pt, height / page.image.height_pt
    left, right = (round(min(max(side * x, 0), width)) for side in (box[0] - MARGIN_PT, box[2] + MARGIN_PT))
    top, bottom = (round(min(max(side * y, 0), height)) for side in (box[1] - MARGIN_PT, box[3] + MARGIN_PT))
    cut = page.bgr[top:bottom, left:right]
    if not cut.size:
        return cut
    if (cut.max(axis=2) == cut.min(axis=2)).all():
        cut = cut[:, :, 0]
    across, down = (DPI * size / 72 for size in (box[2] - box[0] + 2 * MARGIN_PT, box[3] - box[1] + 2 * MARGIN_PT))
    scale = min(1.0, across / cut.shape[1], down / cut.shape[0])
    return np.ascontiguousarray(smaller(np.ascontiguousarray(cut), scale) if scale < 1 else cut)
