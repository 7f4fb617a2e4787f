"""Our reader without Kafka: a file read by the range, in this process, with the calls and settings of a reader process."""

import atexit
import hashlib
import os
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pymupdf

from schemas.blobs import BlobStore
from schemas.codec import decode
from schemas.content import BlobReference, PageContent
from schemas.events import DocumentOptions, Mode, PageExtracted, PageRangeReady
from schemas.identity import Submission
from streams.agents.read_stage import task_of
from streams.loading import load_settings
from streams.read.range_reader import read_range
from streams.settings import Settings

OPTIONS = DocumentOptions(mode=Mode.FAST)
MAX_CONTENT_BYTES = 64 * 1024**2
"""Of one page's content as it is read back; a page of print takes some kilobytes."""
SUBMISSION = Submission(topic="bench", partition=0, offset=0, appended_ms=0)


@cache
def _settings() -> Settings:
    """Settings as they are by default, with a blob store that goes with the process."""
    folder = tempfile.TemporaryDirectory(prefix="pageloom-bench-")
    atexit.register(folder.cleanup)
    return load_settings(os.environ, data_dir=folder.name)


def count_pages(path: Path) -> int:
    """Pages of a PDF."""
    with pymupdf.open(path) as document:
        return len(document)


def read_pages(path: Path, pages: int) -> list[bytes]:
    """Reads a PDF of so many pages; its events. Raises what `read_range` raises, and RuntimeError for a page that fails."""
    settings = _settings()
    name = hashlib.sha256(str(path).encode()).hexdigest()[:16]
    events: list[bytes] = []
    for first in range(1, pages + 1, settings.range_pages):
        last = min(first + settings.range_pages - 1, pages)
        unit = PageRangeReady(
            document_id=name,
            submission=SUBMISSION,
            document=BlobReference(name=name, size_bytes=0, sha256=""),
            filename=path.name,
            media_type="application/pdf",
            page_count=pages,
            first_page=first,
            last_page=last,
            options=OPTIONS,
        )
        found = read_range(task_of(unit, path, first, last, settings))
        if found.failures:
            raise RuntimeError(f"{path.name}: {found.failures[0].failure.message}")
        events += [event for _, event in found.events]
    return events


def text_of(events: Iterable[bytes]) -> str:
    """The text of pages, by block and by cell."""
    store = BlobStore(_settings().blob_store_url)
    texts = []
    for data in events:
        event = decode(data, PageExtracted)
        content = event.content
        if content is None and event.content_reference is not None:
            content = decode(store.get(event.content_reference, MAX_CONTENT_BYTES), PageContent)
        for block in content.blocks if content else ():
            texts.append(block.text)
            texts += [cell.text for cell in block.table.cells] if block.table else []
    return "\n".join(texts)
