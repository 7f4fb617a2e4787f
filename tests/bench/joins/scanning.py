"""Pages as scans: drawn, and read again by the embedded engine, so that tables of both tiers stand on neighbouring pages."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pymupdf
from msgspec.structs import replace

from inference.engines.rapidocr import RapidOcrEngine, create_engine
from inference.images import PagePixels
from inference.types import EngineOptions, PageRead
from schemas.content import BlobReference
from schemas.document import FinishedPageStatus
from schemas.events import PageImage
from streams.assemble.document.pages import PageInput
from tests.bench.joins.reading import failed_page

DPI = 150
"""As office scanners are set."""
MAX_PIXELS = 42_000_000


@cache
def _engine() -> RapidOcrEngine:
    engine = create_engine(EngineOptions())
    engine.warm_up()
    return engine


def scanned_pages(path: Path, pages: Sequence[PageInput], numbers: frozenset[int]) -> list[PageInput]:
    """The pages with those of these numbers as the engine reads their pictures; one that it refuses is failed."""
    with pymupdf.open(path) as document:
        return [_scanned(document, page) if page.page in numbers else page for page in pages]


def _scanned(document: pymupdf.Document, page: PageInput) -> PageInput:
    pixmap = document[page.page - 1].get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY)
    png = pixmap.tobytes("png")
    image = PageImage(
        page=page.page, image=BlobReference(name="shared/bb/bb", size_bytes=len(png), sha256="bb"), pixels_sha256="bb", width_px=pixmap.width,
        height_px=pixmap.height, dpi=DPI, width_pt=page.width_pt, height_pt=page.height_pt, rotation=0,
    )  # fmt: skip
    ((answer,),) = _engine().recognize([(PagePixels(image, png, MAX_PIXELS),)], 1)
    if not isinstance(answer, PageRead):
        return failed_page(page)
    return replace(page, status=FinishedPageStatus.RECOGNIZED, engine="rapidocr", confidence=answer.confidence, content=answer.content)
