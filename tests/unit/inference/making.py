"""Values for the tests of recognition: requests, images, tasks, made in code."""

import hashlib

import cv2
import numpy as np

from inference.types import PageInput, Unit
from schemas.content import BlobReference
from schemas.events import Mode, PageImage, PageWindowRequested, Priority
from schemas.identity import Submission

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=7, appended_ms=1_700_000_000_000)


def png_of(bgr: np.ndarray) -> bytes:
    done, data = cv2.imencode(".png", bgr)
    assert done
    return data.tobytes()


def white(width_px: int = 60, height_px: int = 40) -> np.ndarray:
    return np.full((height_px, width_px, 3), 255, np.uint8)


def page_image(page: int = 1, png: bytes = b"", width_px: int = 200, height_px: int = 100, dpi: float = 72.0, name: str = "") -> PageImage:
    digest = hashlib.sha256(png or str(page).encode()).hexdigest()
    return PageImage(
        page=page,
        image=BlobReference(name=name or f"runs/x/page-{page}.png", size_bytes=len(png), sha256=digest),
        pixels_sha256=digest,
        width_px=width_px,
        height_px=height_px,
        dpi=dpi,
        width_pt=width_px * 72 / dpi,
        height_pt=height_px * 72 / dpi,
        rotation=0,
    )


def request_of(
    first: int = 1,
    last: int = 1,
    document: str = "a document",
    engine: str = "test",
    priority: Priority = Priority.NORMAL,
    tenant: str = "default",
    submission: Submission = SUBMISSION,
) -> PageWindowRequested:
    return PageWindowRequested(
        document_id=document,
        submission=submission,
        first_page=first,
        last_page=last,
        images=tuple(page_image(page) for page in range(first, last + 1)),
        engine=engine,
        mode=Mode.FAST,
        priority=priority,
        tenant=tenant,
    )


def unit_of(*pages: int, word: str = "") -> Unit:
    """A unit of small white pages; `word` rides along as bytes behind the PNG, for engines made for tests."""
    png = png_of(white()) + word.encode()
    return Unit(tuple(PageInput(page_image(page, png, 60, 40), png) for page in pages))
