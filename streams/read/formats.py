"""Opens a document that has pages for MuPDF, with limits. The type comes from its content (ingest), never from a name.

Guarantees: pictures are opened frame by frame as pages. Documents without pages of their own are read by `structure`.
"""

import io
from pathlib import Path

import pymupdf
from PIL import Image, ImageSequence

from schemas.errors import Code, PageloomError
from streams.read.parser_errors import PARSER_ERRORS

FILE_TYPES: dict[str, str] = {
    "application/pdf": "pdf",
    "image/png": "png",
    "image/jpeg": "jpeg",
    "image/tiff": "tiff",
    "image/webp": "webp",
    "application/vnd.ms-xpsdocument": "xps",
    "application/oxps": "xps",
}
"""MuPDF's name of each media type."""

_IMAGES = frozenset({"png", "jpeg", "tiff", "webp"})
MAX_HELD_BYTES = 16 * 2**20
"""Of a document that is read into memory as it is opened, which takes some milliseconds; larger ones stay in their files. From a file MuPDF seeks and
reads for each stream of a page and each font: of a page in 350 streams that is half of the text pass."""
MAX_FRAMES = 2_000
"""Frames of one picture file that are converted; a fax of more pages would not fit into the limit on its bytes."""
MAX_FRAME_PIXELS = 200_000_000
"""Of one converted frame: decoding more takes a gigabyte. Ingest refuses such files by its own setting before."""


def open_document(path: Path, media_type: str) -> pymupdf.Document:
    """Opens a document. Raises PageloomError: UNKNOWN_TYPE, CORRUPT, TOO_MANY_PIXELS, BLOB_MISSING."""
    filetype = FILE_TYPES.get(media_type.partition(";")[0].strip().lower())
    if filetype is None:
        raise PageloomError(Code.UNKNOWN_TYPE, f"no reader for documents of type {media_type[:100]}")
    if not path.is_file():
        raise PageloomError(Code.BLOB_MISSING, "the document's bytes are not in the store")
    try:
        document = _opened(path, filetype)
    except PageloomError:
        raise
    except PARSER_ERRORS as error:
        raise PageloomError(Code.CORRUPT, f"the file is damaged or cut off: it cannot be opened as {filetype.upper()}") from error
    return document


def is_image(media_type: str) -> bool:
    """Whether a type is a picture: its pages have no text layer, and its own resolution."""
    return FILE_TYPES.get(media_type.partition(";")[0].strip().lower()) in _IMAGES


def _opened(path: Path, filetype: str) -> pymupdf.Document:
    if filetype == "webp":
        return _converted(path)
    try:
        held = path.read_bytes() if path.stat().st_size <= MAX_HELD_BYTES else None
        document = pymupdf.open(str(path), stream=held, filetype=filetype)
        if filetype != "tiff" or document.page_count:
            return document
    except PARSER_ERRORS:
        if filetype not in _IMAGES:
            raise
    return _converted(path)


def _converted(path: Path) -> pymupdf.Document:
    """A picture that MuPDF does not know (WebP, some TIFF compressions), as a PDF with a page for each frame."""
    document = pymupdf.open()
    with Image.open(path) as picture:
        for number, frame in enumerate(ImageSequence.Iterator(picture)):
            if number >= MAX_FRAMES:
                break
            if frame.width * frame.height > MAX_FRAME_PIXELS:
                raise PageloomError(Code.TOO_MANY_PIXELS, f"frame {number + 1} has {frame.width} x {frame.height} pixels")
            dpi = _resolution(frame)
            page = document.new_page(width=max(frame.width * 72 / dpi, 3), height=max(frame.height * 72 / dpi, 3))
            buffer = io.BytesIO()
            frame.convert("RGB").save(buffer, "JPEG", quality=95)
            page.insert_image(page.rect, stream=buffer.getvalue())
    return document


def _resolution(frame: Image.Image) -> float:
    """The picture's dots per inch, 96 where it says nothing credible (as MuPDF assumes)."""
    dpi = frame.info.get("dpi", (96, 96))[0]
    return float(dpi) if 30 <= float(dpi) <= 2400 else 96.0
