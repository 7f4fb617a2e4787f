"""Opens a document that has no pages of its own, by the reader of its media type.

Guarantees: what comes back is whole; a file that its reader cannot understand is CORRUPT, one beyond the bounds TOO_LARGE, one locked ENCRYPTED.
Nothing is ever fetched, whatever a document refers to.
"""

import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from schemas.document import OutlineEntry
from schemas.errors import Code, PageloomError
from streams.read.structure import message
from streams.read.structure.epub import book
from streams.read.structure.logical_page import LogicalDocument, LogicalPage
from streams.read.structure.markup import html, markdown
from streams.read.structure.office import docx, pptx, xlsx
from streams.read.structure.text import plain_text, separated
from streams.settings import MAX_MESSAGE_PARTS

Reader = Callable[[Path], LogicalDocument]


class Summary(Struct, kw_only=True):
    """A document without its pages. `page_count` counts the logical ones."""

    page_count: int
    metadata: dict[str, str]
    outline: tuple[OutlineEntry, ...]
    warnings: tuple[str, ...]


DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

READERS: dict[str, Reader] = {
    DOCX: docx.read,
    PPTX: pptx.read,
    XLSX: xlsx.read,
    "application/epub+zip": book.read,
    "text/html": html.read,
    "application/xhtml+xml": html.read,
    "text/markdown": markdown.read,
    "text/plain": plain_text.read,
    "text/csv": separated.read,
    "text/tab-separated-values": separated.read,
    "message/rfc822": message.read,
}
"""The reader of each media type: a function in a module of this room."""

READ_ERRORS = (
    ValueError, LookupError, ArithmeticError, SyntaxError, RuntimeError, EOFError, OSError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What parsing a damaged file raises: lxml's errors are SyntaxError, those of text and numbers ValueError."""


def is_structured(media_type: str) -> bool:
    """Whether documents of this type are read by their structure."""
    return _bare(media_type) in READERS


def open_structured(path: Path, media_type: str, *, max_message_parts: int = MAX_MESSAGE_PARTS) -> LogicalDocument:
    """Reads a document; of an e-mail so many parts. Raises PageloomError: UNKNOWN_TYPE, BLOB_MISSING, CORRUPT, TOO_LARGE, ENCRYPTED."""
    kind = _bare(media_type)
    reader = READERS.get(kind)
    if reader is None:
        raise PageloomError(Code.UNKNOWN_TYPE, f"no reader of structure for documents of type {kind[:100]}")
    if not path.is_file():
        raise PageloomError(Code.BLOB_MISSING, "the document's bytes are not in the store")
    try:
        document = message.read(path, max_message_parts) if reader is message.read else reader(path)
    except READ_ERRORS as error:
        raise PageloomError(Code.CORRUPT, f"the document cannot be read as {kind[:100]}: it is damaged, or of another type") from error
    return document if document.page_count else replace(document, pages=(LogicalPage(blocks=()),))  # what says nothing has one blank page


def page_of(document: LogicalDocument, number: int) -> LogicalPage:
    """A page, counted from 1. Raises PageloomError: NO_SUCH_PAGES, CORRUPT, TOO_LARGE."""
    if not 1 <= number <= document.page_count:
        raise PageloomError(Code.NO_SUCH_PAGES, f"the document has {document.page_count} sections")
    try:
        return document.page(number)
    except READ_ERRORS as error:
        raise PageloomError(Code.CORRUPT, "this part of the document is damaged") from error


def summarize(path: Path, media_type: str, *, max_message_parts: int = MAX_MESSAGE_PARTS) -> Summary | None:
    """What a document says of itself and how many logical pages it has; None for a type that is not read by structure. Raises as above."""
    if not is_structured(media_type):
        return None
    document = open_structured(path, media_type, max_message_parts=max_message_parts)
    return Summary(page_count=document.page_count, metadata=document.metadata, outline=document.outline, warnings=document.warnings)


def _bare(media_type: str) -> str:
    return media_type.partition(";")[0].strip().lower()
