"""The second parser asked about single pages: which characters pdfium sees where. A door to pypdfium2.

Only for pages whose characters MuPDF cannot decode. Whatever goes wrong here (a file that pdfium does not open, a page that it does not load)
leaves the page as it was. Runs in the process that reads pages, which has limits and whose death costs the page alone.
"""

import contextlib
import ctypes
from pathlib import Path

import pymupdf
import pypdfium2
import pypdfium2.raw as pdfium_c

MAX_CHARACTERS = 40_000
"""Characters asked for; the densest real page (a newspaper of A2) has about 30,000."""
MAX_COPY_BYTES = 50 * 2**20
"""A document opened from memory is handed over whole; larger ones are opened from files."""

Seen = tuple[float, float, str]
"""The middle of a character on the page, in MuPDF's coordinates, and the character."""


def characters_seen(page: pymupdf.Page) -> list[Seen]:
    """What pdfium sees on a page; nothing where it cannot say."""
    source = _source(page.parent)
    if source is None:
        return []
    with contextlib.ExitStack() as stack:
        try:
            document = pypdfium2.PdfDocument(source)
            stack.callback(document.close)
            other = document[page.number]
            stack.callback(other.close)
            textpage = other.get_textpage()
            stack.callback(textpage.close)
        except (pypdfium2.PdfiumError, OSError, IndexError, ValueError):
            return []
        return _characters(textpage, page.transformation_matrix)


def _source(document: pymupdf.Document) -> Path | bytes | None:
    """Where pdfium may read the document from: its file, or the bytes that it was opened from."""
    if not document.is_pdf:
        return None
    data = document.stream
    if data is not None:
        return bytes(data) if len(data) <= MAX_COPY_BYTES else None
    path = Path(document.name or "")
    return path if document.name and path.is_file() else None


def _characters(textpage: pypdfium2.PdfTextPage, matrix: pymupdf.Matrix) -> list[Seen]:
    a, b, c, d, e, f = matrix
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    found: list[Seen] = []
    for index in range(min(textpage.count_chars(), MAX_CHARACTERS)):
        code = pdfium_c.FPDFText_GetUnicode(textpage, index)
        if not 0x20 < code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            continue
        if pdfium_c.FPDFText_GetCharBox(textpage, index, left, right, bottom, top):
            x, y = (left.value + right.value) / 2, (bottom.value + top.value) / 2
            found.append((a * x + c * y + e, b * x + d * y + f, chr(code)))
    return found
