"""A document through the real reader and the real assembly, without Kafka: a file in, the finished document out."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from schemas.content import BlobReference, Block, BlockType, PageContent, Source
from schemas.document import Document, FinishedPageStatus, PageError
from schemas.events import DocumentOpened, DocumentOptions, Mode
from schemas.identity import Submission
from streams.assemble.document.build import build_document
from streams.assemble.document.pages import PageInput
from streams.assemble.finish.choice import choose_pages, events_of
from streams.read.page_events import ReadTask
from streams.read.range_reader import close_documents, read_range

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=1, appended_ms=1_700_000_000_000)
OPTIONS = DocumentOptions(mode=Mode.DISABLE_OCR)
INLINE_BYTES = 64_000_000
"""Every content stays in its event."""

Change = Callable[[PageInput], PageInput]


def read_pages(path: Path, page_count: int) -> list[PageInput]:
    """All pages of a PDF as assembly gets them. Raises ValueError where a page cannot be fetched, which no made page may need."""
    with tempfile.TemporaryDirectory(prefix="pageloom-bench-") as store:
        task = ReadTask(
            document_id=path.stem, submission=SUBMISSION, path=str(path), blob_url=store, media_type="application/pdf", filename=path.name,
            page_count=page_count, first_page=1, last_page=page_count, options=OPTIONS, inline_content_bytes=INLINE_BYTES,
            max_render_pixels=4_000_000, render_dpi=100, low_confidence=0.0,
        )  # fmt: skip
        found = read_range(task)
        close_documents()
    events = events_of(event for _, event in found.events)
    return [chosen.page for chosen in choose_pages(opened_as(path.stem, page_count), events, _no_blob, 0.0)]


def opened_as(name: str, page_count: int) -> DocumentOpened:
    """A submission of all pages."""
    return DocumentOpened(
        document_id=name, submission=SUBMISSION, document=BlobReference(name="shared/aa/aa", size_bytes=1, sha256="aa"), content_sha256="aa",
        filename=f"{name}.pdf", media_type="application/pdf", page_count=page_count, pages=tuple(range(1, page_count + 1)), options=OPTIONS,
    )  # fmt: skip


def assembled(name: str, pages: Sequence[PageInput]) -> Document:
    """The finished document of the pages."""
    return build_document(opened_as(name, len(pages)), pages, 1)


def failed_page(page: PageInput) -> PageInput:
    """The page as if nothing could read it."""
    error = PageError(code="timed_out", stage="read", message="too slow", retryable=True)
    return replace(page, status=FinishedPageStatus.FAILED, content=None, confidence=0.0, error=error)


def recognized_page(page: PageInput) -> PageInput:
    """The page as a model that speaks in blocks would hand it over: no type faces, no columns, tables without edges, rules or cell boxes."""
    if page.content is None:
        return page
    content: PageContent = replace(page.content, source=Source.RECOGNITION, blocks=tuple(_as_recognized(block) for block in page.content.blocks))
    return replace(page, status=FinishedPageStatus.RECOGNIZED, engine="model", confidence=0.8, content=content)


def _as_recognized(block: Block) -> Block:
    plain = replace(block, style=None, column=None, confidence=0.8, level=1 if block.type is BlockType.HEADING else None)
    if plain.table is None:
        return plain
    cells = tuple(replace(cell, bbox=None) for cell in plain.table.cells)
    return replace(plain, table=replace(plain.table, cells=cells, column_edges=(), ruled=0.0, closed_top=False, closed_bottom=False, full_cells=()))


def _no_blob(reference: BlobReference) -> PageContent:
    raise ValueError(f"{reference.name} is not inline")
