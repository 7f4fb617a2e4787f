"""A page as a picture for a person: the function that runs in a child process, as the bytes come from anybody.

Guarantees: what `streams.read.render` does: upright as displayed, bounded before anything is drawn.
"""

from pathlib import Path

import pymupdf

from schemas.errors import Code, PageloomError
from streams.read import pdfium
from streams.read.formats import FILE_TYPES, open_document
from streams.read.render import render_page

DPI = 132
"""A4 is 1,091 pixels wide: sharp at half the width of a large screen."""
MAX_PIXELS = 6_000_000
"""Of one picture: A2 at this resolution."""


def draw_page(path: str, media_type: str, parser: str, number: int) -> bytes:
    """PNG of a page, counted from 1. Raises PageloomError."""
    if parser == "pdfium":
        with pdfium.open_pages(Path(path)) as pages:
            return pages.render(number, DPI, MAX_PIXELS).png
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with open_document(Path(path), media_type) as document:
        if not 1 <= number <= document.page_count:
            raise PageloomError(Code.NO_SUCH_PAGES, f"page {number}: the document has {document.page_count} pages")
        return render_page(document[number - 1], DPI, MAX_PIXELS).png


def is_drawable(media_type: str) -> bool:
    """Whether documents of a type have pages that can be drawn."""
    return media_type.partition(";")[0].strip().lower() in FILE_TYPES
