"""PDF files, and XPS, which MuPDF opens as well: whether they may be read, how many pages they have, their outline and metadata.

Runs in a child process, since a hostile file may crash or hang the parser. Guarantees: a page count is believed only if pages can be
loaded; nothing of a size that the file chooses is kept without a bound; MuPDF's messages, which quote the file, go nowhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pymupdf
import pypdfium2

from schemas.document import OutlineEntry
from schemas.errors import Code, PageloomError
from streams.ingest import sniff
from streams.ingest.page_tree import mend_page_count, tree_is_cyclic

T = TypeVar("T")

MUPDF, PDFIUM = "mupdf", "pdfium"

FILE_TYPES: dict[str, str] = {sniff.PDF: "pdf", sniff.XPS: "xps"}
"""MuPDF's names of what it opens here."""

MAX_OUTLINE_ENTRIES = 5_000
"""A 600-page guide has 1,300."""
MAX_OUTLINE_LEVEL = 32
MAX_TITLE = 500
MAX_METADATA_VALUE = 2_000
"""Characters: outline and metadata travel in the event as a whole."""
SAMPLED_PAGES = 8
"""Pages loaded to believe a page count, spread over the document: one bad page is no reason to refuse it."""
INFO: tuple[tuple[str, str], ...] = (
    ("title", "title"), ("author", "author"), ("subject", "subject"), ("keywords", "keywords"), ("creator", "creator"),
    ("producer", "producer"), ("creationDate", "created"), ("modDate", "modified"),
)  # fmt: skip
"""MuPDF's names of the information dictionary, and ours."""

PERMISSIONS: tuple[tuple[str, int], ...] = (
    ("pdf:copy_allowed", pymupdf.PDF_PERM_COPY), ("pdf:print_allowed", pymupdf.PDF_PERM_PRINT), ("pdf:modify_allowed", pymupdf.PDF_PERM_MODIFY),
)  # fmt: skip
"""Recorded, not enforced: what may be done with the text is for the producer to decide (ISO 32000, table 22)."""

_PDFIUM_WRONG_PASSWORD, _PDFIUM_UNKNOWN_SECURITY = 4, 5


@dataclass(frozen=True, slots=True)
class Inspected:
    """What a document says of itself. `rewritten`: its bytes without encryption where a password was needed, or with its count of pages put right;
    readers read those.
    """

    page_count: int
    parser: str = MUPDF
    metadata: dict[str, str] = field(default_factory=dict)
    outline: tuple[OutlineEntry, ...] = ()
    warnings: tuple[str, ...] = ()
    rewritten: bytes | None = None


def inspect(path: Path, media_type: str, password: str | None, max_pages: int) -> Inspected:
    """Opens a document and looks at it.

    Raises PageloomError: ENCRYPTED, WRONG_PASSWORD, CORRUPT, NO_PAGES, TOO_MANY_PAGES, OUT_OF_MEMORY.
    """
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        document = _asked(lambda: pymupdf.open(path, filetype=FILE_TYPES[media_type]), "the file is damaged or cut off: it cannot be opened")
    except PageloomError as error:
        if media_type != sniff.PDF or error.code is not Code.CORRUPT:
            raise
        _check_security(path)
        return _by_pdfium(path, max_pages)
    with document:
        locked = _unlock(document, password)
        mended, page_count = _counted(document, media_type)
        if page_count > max_pages:
            raise PageloomError(Code.TOO_MANY_PAGES, f"the document says that it has {page_count} pages; the limit is {max_pages}")
        if page_count < 1:
            if media_type != sniff.PDF or locked:
                raise PageloomError(Code.NO_PAGES, "the document has no page")
            return _by_pdfium(path, max_pages)
        warnings = _check_pages(document, page_count)
        if media_type == sniff.PDF and document.is_repaired:
            warnings = ("the file is damaged and was repaired for reading", *warnings)
        if mended:
            warnings = (f"the file says that it has {mended[0]} pages and holds {mended[1]}: those that it holds are read", *warnings)
        outline, more = _outline(document, page_count)
        anew = (
            _asked(
                lambda: document.tobytes(encryption=pymupdf.PDF_ENCRYPT_NONE),
                "its copy without password or with its pages counted cannot be written: objects of it are damaged",
            )
            if locked or mended
            else None
        )
        return Inspected(page_count, MUPDF, _metadata(document), outline, (*warnings, *more), anew)


def _asked(question: Callable[[], T], what: str) -> T:
    """The parser's answer. What it raises has many types, one of them bare RuntimeError; all mean a bad file, but for memory."""
    try:
        return question()
    except (RuntimeError, ValueError, TypeError, LookupError, OSError, pymupdf.mupdf.FzErrorBase) as error:
        if any(isinstance(e, pymupdf.mupdf.FzErrorSystem) for e in (error, error.__cause__, error.__context__)):
            raise PageloomError(Code.OUT_OF_MEMORY, "the parser of the document ran out of memory") from None
        raise PageloomError(Code.CORRUPT, what) from None


def _counted(document: Any, media_type: str) -> tuple[tuple[int, int] | None, int]:
    """(pages stated and held where the statement was wrong, pages); no page of a PDF whose list of pages MuPDF cannot follow."""
    what = "the list of its pages is damaged"
    try:
        mended = _asked(lambda: mend_page_count(document) if media_type == sniff.PDF else None, what)
        return mended, _asked(lambda: document.page_count, what)
    except PageloomError as error:
        if media_type != sniff.PDF or error.code is not Code.CORRUPT:
            raise
        return None, 0


def _unlock(document: Any, password: str | None) -> bool:
    """Whether a password was needed, and given. An owner password alone locks nothing: such a file opens by itself."""
    if not document.needs_pass:
        return False
    if password is None:
        raise PageloomError(Code.ENCRYPTED, "the document needs a password to be opened")
    if not document.authenticate(password):
        raise PageloomError(Code.WRONG_PASSWORD, "the password does not open the document")
    return True


def _check_security(path: Path) -> None:
    """Raises ENCRYPTED where the second parser says that the encryption is what it cannot get past."""
    try:
        pypdfium2.PdfDocument(path).close()
    except pypdfium2.PdfiumError as error:
        if error.err_code in (_PDFIUM_WRONG_PASSWORD, _PDFIUM_UNKNOWN_SECURITY):
            raise PageloomError(Code.ENCRYPTED, "the document has an encryption that no parser here knows") from None


def _by_pdfium(path: Path, max_pages: int) -> Inspected:
    """A PDF that MuPDF cannot open, or in which it finds no page. Raises CORRUPT, NO_PAGES, TOO_MANY_PAGES."""
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        raise PageloomError(Code.CORRUPT, "the file is damaged or cut off: neither MuPDF nor pdfium finds a page in it") from None
    try:
        page_count = len(document)
        if page_count > max_pages:
            raise PageloomError(Code.TOO_MANY_PAGES, f"the document says that it has {page_count} pages; the limit is {max_pages}")
        if page_count < 1:
            raise PageloomError(Code.NO_PAGES, "neither MuPDF nor pdfium finds a page")
        document[0].close()
    except pypdfium2.PdfiumError:
        raise PageloomError(Code.CORRUPT, "the file is damaged: MuPDF finds no page in it and pdfium cannot load the first") from None
    finally:
        document.close()
    return Inspected(page_count, PDFIUM, warnings=("MuPDF finds no page; read by pdfium",))


def _check_pages(document: Any, page_count: int) -> tuple[str, ...]:
    """Loads some pages; a bad one is a warning. Raises CORRUPT where none can be loaded, or half of them in a page tree that runs in a circle."""
    step = max(1, (page_count - 1) // (SAMPLED_PAGES - 1))
    sampled = sorted({*range(0, page_count, step), page_count - 1})
    bad = [number + 1 for number in sampled if not _loads(document, number)]
    if not bad:
        return ()
    if len(bad) == len(sampled):
        raise PageloomError(Code.CORRUPT, f"none of {len(sampled)} pages tried can be loaded")
    if document.is_pdf and 2 * len(bad) >= len(sampled) and tree_is_cyclic(document):
        raise PageloomError(Code.CORRUPT, "the page tree runs in a circle, so that its pages cannot be told apart")
    return (f"pages that cannot be loaded: {', '.join(map(str, bad))} of {len(sampled)} tried",)


def _loads(document: Any, number: int) -> bool:
    try:
        _asked(lambda: document.load_page(number), "")
    except PageloomError as error:
        if error.code is not Code.CORRUPT:
            raise
        return False
    return True


def _outline(document: Any, page_count: int) -> tuple[tuple[OutlineEntry, ...], tuple[str, ...]]:
    """The bookmarks, bounded; what is wrong with them is a warning."""
    try:
        entries = _asked(lambda: document.get_toc(simple=True), "")
    except PageloomError as error:
        if error.code is not Code.CORRUPT:
            raise
        return (), ("the outline cannot be read",)
    outline = []
    for level, title, page in entries[:MAX_OUTLINE_ENTRIES]:
        text = clean_text(title, MAX_TITLE)
        if text:
            outline.append(OutlineEntry(level=max(1, min(level, MAX_OUTLINE_LEVEL)), title=text, page=page if 1 <= page <= page_count else None))
    cut = (f"the outline has {len(entries)} entries; kept are {MAX_OUTLINE_ENTRIES}",) if len(entries) > MAX_OUTLINE_ENTRIES else ()
    return tuple(outline), cut


def _metadata(document: Any) -> dict[str, str]:
    info = document.metadata or {}
    found = {ours: clean_text(str(info[theirs]), MAX_METADATA_VALUE) for theirs, ours in INFO if info.get(theirs)}
    if document.is_pdf and info.get("encryption"):
        found |= {name: "true" if document.permissions & bit else "false" for name, bit in PERMISSIONS}
    return {name: value for name, value in found.items() if value}


def clean_text(text: str, max_length: int) -> str:
    """Text of a file on one line, without control characters and unpaired surrogates, cut."""
    line = " ".join(text[: 4 * max_length].split())
    return "".join(c for c in line if c.isprintable() and not "\ud800" <= c <= "\udfff")[:max_length]
