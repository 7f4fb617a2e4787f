"""The second parser: pages of a PDF in which MuPDF finds none. The only door to pypdfium2 in `read/`.

Gives the same `Survey` as `page.py`, from pdfium's text boxes: no tables, links or form fields. Text is trusted only if hardly any of its
characters is undecodable; nothing here looks at ink, so no page of it counts as fully sound.
"""

import contextlib
import hashlib
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium_c
from msgspec import Struct

from schemas.content import TextStyle
from schemas.errors import Code, PageloomError
from streams.read.blocks.lines import Fragment
from streams.read.characters.normalise import clean_text
from streams.read.characters.right_to_left import RIGHT_TO_LEFT
from streams.read.page import Survey
from streams.read.render import RenderedPage
from streams.read.trust.confidence import Verdict

READABLE = 0.8
"""Confidence in a page of sound characters: what this parser could not see is not known."""
UNREADABLE = 0.05
MAX_RECTS = 20_000
_UNDECODED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd\ufffe\uffff\ue000-\uf8ff]")


class Pages(Struct):
    """An open document."""

    document: pypdfium2.PdfDocument

    def survey(self, number: int) -> Survey:
        """What is on a page. Raises PageloomError CORRUPT, NO_SUCH_PAGES."""
        with self._page(number) as page:
            width, height = page.get_size()
            fragments = _fragments(page, height)
            texts = [fragment.text for fragment in fragments]
            letters = sum(map(len, texts))
            undecoded = sum(len(_UNDECODED.findall(text)) for text in _raw_texts(page)) if letters else 0
            objects = any(True for _ in page.get_objects(max_depth=2))
            blank = not letters and not objects
            confidence, reasons = _judged(letters, undecoded, blank=blank)
            verdict = Verdict(confidence=confidence, reasons=reasons, blank=blank, recovered_confidence=confidence)
            box = (0.0, 0.0, round(width, 2), round(height, 2))
            warnings = ["read by pdfium: MuPDF finds no page in this file"]
            return Survey(number, box, page.get_rotation(), verdict, confidence, reasons, fragments, [], (), [], warnings)

    def render(self, number: int, dpi: float, max_pixels: int) -> RenderedPage:
        """The page as displayed, within `max_pixels`."""
        with self._page(number) as page:
            width, height = page.get_size()
            pixels = max(width * height * (dpi / 72) ** 2, 1.0)
            dpi *= min(1.0, (max_pixels / pixels) ** 0.5)
            picture = page.render(scale=max(dpi / 72, 1.5 / max(min(width, height), 0.1)), grayscale=True).to_pil()
            buffer = io.BytesIO()
            picture.save(buffer, "PNG", compress_level=1)
            digest = hashlib.sha256(f"{picture.width}x{picture.height}:{picture.mode}:".encode() + picture.tobytes()).hexdigest()
            return RenderedPage(
                png=buffer.getvalue(), pixels_sha256=digest, width_px=picture.width, height_px=picture.height, dpi=72 * picture.width / width
            )

    @contextlib.contextmanager
    def _page(self, number: int) -> Iterator[pypdfium2.PdfPage]:
        if not 1 <= number <= len(self.document):
            raise PageloomError(Code.NO_SUCH_PAGES, f"pdfium finds {len(self.document)} pages")
        try:
            page = self.document[number - 1]
        except pypdfium2.PdfiumError as error:
            raise PageloomError(Code.CORRUPT, f"pdfium cannot load page {number}") from error
        try:
            yield page
        finally:
            page.close()


@contextlib.contextmanager
def open_pages(path: Path) -> Iterator[Pages]:
    """The pages of a file. Raises PageloomError CORRUPT."""
    try:
        document = pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, OSError) as error:
        raise PageloomError(Code.CORRUPT, "the file is damaged: pdfium cannot open it") from error
    try:
        yield Pages(document)
    finally:
        document.close()


def _judged(letters: int, undecoded: int, *, blank: bool) -> tuple[float, tuple[str, ...]]:
    if blank:
        return 1.0, ()
    if not letters:
        return UNREADABLE, ("no_text", "second_parser")
    if undecoded > 0.05 * letters:
        return UNREADABLE, ("control_characters", "second_parser")
    return READABLE, ("second_parser",)


def _raw_texts(page: pypdfium2.PdfPage) -> list[str]:
    textpage = page.get_textpage()
    try:
        return [textpage.get_text_range()]
    finally:
        textpage.close()


def _fragments(page: pypdfium2.PdfPage, height: float) -> list[Fragment]:
    """Pdfium's rectangles of text (runs of one font on one line) as fragments. Its y grows upwards."""
    textpage = page.get_textpage()
    try:
        found: list[Fragment] = []
        for index in range(min(textpage.count_rects(), MAX_RECTS)):
            left, bottom, right, top = textpage.get_rect(index)
            text = clean_text(textpage.get_text_bounded(left, bottom, right, top).replace("\r\n", " ").replace("\n", " "))
            letters = len(text) - text.count(" ")
            if not letters:
                continue
            first = pdfium_c.FPDFText_GetCharIndexAtPos(textpage, left + 0.5, (top + bottom) / 2, 2.0, 2.0)
            size = pdfium_c.FPDFText_GetFontSize(textpage, first) if first >= 0 else 0.0
            size = size if 1.0 < size < 400 else max(1.0, 1.1 * (top - bottom))
            style = TextStyle(size_pt=round(size, 1))
            rtl = RIGHT_TO_LEFT.search(text) is not None
            found.append(Fragment(left, height - top, right, height - bottom, text, height - bottom, style, False, 0, rtl, letters))
        return found
    finally:
        textpage.close()
