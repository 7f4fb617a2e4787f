"""Opens one submission: type, limits, encryption, pages. Runs in a child process and speaks to nobody but the blob store.

Guarantees: what comes back can be read: the file is of a known type, is not locked (a copy without encryption was stored where a password
was needed), and has every page of `pages`. Everything else is a `PageloomError` with the code that says why.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.document import OutlineEntry
from schemas.errors import Code, PageloomError
from schemas.identity import Submission
from streams.ingest import sniff
from streams.ingest.images import count_frames
from streams.ingest.pages import select_pages
from streams.ingest.pdf import MUPDF, Inspected, inspect

MAX_UNPACKED_FACTOR = 8
"""What an archive may unpack to, times the limit on a document: XML in Office files shrinks to a tenth, and pictures not at all."""


class Summary(Protocol):
    """What a document without pages of its own says of itself, by whoever reads its structure."""

    page_count: int
    metadata: dict[str, str]
    outline: tuple[OutlineEntry, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenTask:
    """What to open and within which limits. `verify`: the blob was stored by somebody else. `cache_dir`: for copies from a remote store.

    `summarize`: how documents without pages are divided into logical ones, which the reader must see alike; None for a type that has pages.
    """

    document_id: str
    submission: Submission
    document: BlobReference
    verify: bool
    blob_url: str
    cache_dir: str
    filename: str
    content_type: str | None
    pages: str | None
    max_document_bytes: int
    max_pages: int
    max_image_pixels: int
    summarize: Callable[[Path, str], Summary | None]
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Opened:
    """A submission that can be read. `document` is the blob that readers read; the hash is of what was submitted."""

    document: BlobReference
    content_sha256: str
    media_type: str
    parser: str
    page_count: int
    pages: tuple[int, ...]
    metadata: dict[str, str]
    outline: tuple[OutlineEntry, ...]
    warnings: tuple[str, ...]


def open_document(task: OpenTask) -> Opened:
    """Opens a document. Raises PageloomError for everything that cannot be read."""
    store = BlobStore(task.blob_url)
    path = _fetch(store, task)
    with path.open("rb") as file:
        kind = sniff.sniff(file, task.filename, task.content_type, max_unpacked_bytes=MAX_UNPACKED_FACTOR * task.max_document_bytes)
    if kind.media_type in sniff.IMAGES:
        found = Inspected(count_frames(path, kind.media_type, task.max_image_pixels, task.max_pages), MUPDF)
    elif (summary := task.summarize(path, kind.media_type)) is not None:
        found = _summarized(summary, task.max_pages)
    else:
        found = inspect(path, kind.media_type, task.password, task.max_pages)
    pages, missing = select_pages(task.pages, found.page_count)
    document = task.document
    if found.rewritten is not None:
        document = store.put_run(task.document_id, task.submission, "document.pdf", found.rewritten)
    return Opened(
        document=document,
        content_sha256=task.document.sha256,
        media_type=kind.media_type,
        parser=found.parser,
        page_count=found.page_count,
        pages=pages,
        metadata=found.metadata,
        outline=found.outline,
        warnings=(*kind.warnings, *found.warnings, *missing),
    )


def _summarized(summary: Summary, max_pages: int) -> Inspected:
    """A document of logical pages. Raises TOO_MANY_PAGES."""
    if summary.page_count > max_pages:
        raise PageloomError(Code.TOO_MANY_PAGES, f"the document has {summary.page_count} sections; the limit is {max_pages}")
    return Inspected(summary.page_count, MUPDF, summary.metadata, summary.outline, summary.warnings)


def _fetch(store: BlobStore, task: OpenTask) -> Path:
    """A local file with the document. Raises TOO_LARGE, BLOB_MISSING, STORE_UNAVAILABLE."""
    if task.document.size_bytes > task.max_document_bytes:
        raise PageloomError(Code.TOO_LARGE, f"the document has {task.document.size_bytes} bytes; the limit is {task.max_document_bytes}")
    path = store.local_path(task.document, Path(task.cache_dir), task.max_document_bytes)
    if task.verify:
        with path.open("rb") as file:
            same = path.stat().st_size == task.document.size_bytes and hashlib.file_digest(file, "sha256").hexdigest() == task.document.sha256
        if not same:
            raise PageloomError(Code.BLOB_MISSING, f"blob {task.document.name} is not what its reference says")
    return path
