"""Pages as a scanner gives them: clean, or askew, blurred, noisy and packed as a JPEG, the same for the same seed."""

import hashlib
import io
import random

import numpy as np
import pymupdf
from PIL import Image, ImageFilter

from inference.types import PageInput
from schemas.content import BlobReference
from schemas.events import PageImage

DPI = 200
"""What readers render a page at for a model (`render_dpi`)."""
SKEW_DEGREES = 1.5
"""A sheet drawn in by hand lies within about so much; feeders do better."""
BLUR_PX, NOISE, JPEG_QUALITY = 0.8, 8.0, 60


def scanned(page: pymupdf.Page, number: int = 1, *, degraded: bool = False, skew: float | None = None, seed: int = 0) -> PageInput:
    """The page as a picture of `DPI`. `skew` in degrees clockwise; None draws one within `SKEW_DEGREES` for a degraded page, none for a clean one."""
    pixmap = page.get_pixmap(dpi=DPI, alpha=False)
    picture = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
    rng = random.Random(seed)
    if degraded:
        skew = rng.uniform(-SKEW_DEGREES, SKEW_DEGREES) if skew is None else skew
    if skew:
        picture = picture.rotate(-skew, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255))
    if degraded:
        picture = _worn(picture, seed)
    packed = io.BytesIO()
    picture.save(packed, "PNG", compress_level=1)
    return page_input(packed.getvalue(), number, picture.size, (page.rect.width, page.rect.height))


def page_input(png: bytes, number: int, size_px: tuple[int, int], size_pt: tuple[float, float]) -> PageInput:
    """A page image as an engine is given it."""
    digest = hashlib.sha256(png).hexdigest()
    image = PageImage(
        page=number,
        image=BlobReference(name=f"bench/{digest[:16]}.png", size_bytes=len(png), sha256=digest),
        pixels_sha256=digest,
        width_px=size_px[0],
        height_px=size_px[1],
        dpi=float(DPI),
        width_pt=size_pt[0],
        height_pt=size_pt[1],
        rotation=0,
    )
    return PageInput(image, png)


def _worn(picture: Image.Image, seed: int) -> Image.Image:
    """Grey paper, soft edges, noise and the blocks of a JPEG."""
    soft = np.asarray(picture.filter(ImageFilter.GaussianBlur(BLUR_PX)), np.float32)
    noise = np.random.default_rng(seed).normal(0, NOISE, soft.shape[:2])
    grey = np.clip(20 + soft * 0.88 + noise[..., None], 0, 255).astype(np.uint8)
    packed = io.BytesIO()
    Image.fromarray(grey).save(packed, "JPEG", quality=JPEG_QUALITY)
    return Image.open(io.BytesIO(packed.getvalue())).convert("RGB")
