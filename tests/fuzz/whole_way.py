"""The whole way of a document without Kafka, as child processes go it: opened, read, finished. What comes out is said in a word."""

from pathlib import Path

from msgspec import Struct

from schemas import codec
from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError
from schemas.events import DocumentOpened, DocumentOptions, DocumentParsed, Format, Mode
from schemas.identity import Submission
from streams.assemble.finish.child import FinishTask, finish_document
from streams.ingest.opening import OpenTask, open_document
from streams.read.page_events import ReadTask
from streams.read.range_reader import read_range
from streams.read.structure.documents import summarize

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=1, appended_ms=1)
PAGES = 4
"""Read at most: mutations of a page tree claim thousands."""
ALL_FORMATS = (Format.MARKDOWN, Format.JSON, Format.HTML)


class Ended(Struct, frozen=True):
    """How a document ended: `complete`, `partial`, or the code of an error; `bugs` are failures that are faults of ours, in words."""

    outcome: str
    bugs: tuple[str, ...] = ()


def go(folder: str, filename: str, data: bytes, mode: Mode) -> Ended:
    """Takes a document the whole way. Raises what no stage turned into data: a bug."""
    try:
        opened, raw = _opened_and_read(folder, filename, data, mode)
        event = _finished(folder, opened, raw)
    except PageloomError as error:
        return Ended(error.code.value, (str(error),) if error.code is Code.INTERNAL else ())
    failed = [codec.decode(value, PageFailedMessage, "PageFailed") for value in raw if codec.name_of(value) == "PageFailed"]
    bugs = tuple(f"{one.failure.message}" for one in failed if one.failure.code is Code.INTERNAL)
    return Ended(event.status, bugs)


class _Failure(Struct, frozen=True):
    code: Code
    message: str


class PageFailedMessage(Struct, frozen=True):
    """What is looked at of a page that failed."""

    failure: _Failure


def _opened_and_read(folder: str, filename: str, data: bytes, mode: Mode) -> tuple[DocumentOpened, tuple[bytes, ...]]:
    url = Path(folder).as_uri()
    store = BlobStore(url)
    document = store.put_shared(data)
    task = OpenTask(
        document_id="fuzzed", submission=SUBMISSION, document=document, verify=False, blob_url=url, cache_dir=folder, filename=filename,
        content_type=None, pages=None, max_document_bytes=2**26, max_pages=2000, max_image_pixels=10_000_000, summarize=summarize,
    )  # fmt: skip
    found = open_document(task)
    pages = found.pages[:PAGES]
    options = DocumentOptions(mode=mode, formats=ALL_FORMATS)
    read = read_range(
        ReadTask(
            document_id="fuzzed",
            submission=SUBMISSION,
            path=str(store.local_path(found.document, Path(folder), 2**26)),
            blob_url=url,
            media_type=found.media_type,
            filename=filename,
            page_count=found.page_count,
            first_page=pages[0],
            last_page=pages[-1],
            options=options,
            inline_content_bytes=2**20,
            max_render_pixels=1_000_000,
            render_dpi=72,
            low_confidence=0.5,
            parser=found.parser,
            figure_dpi=72,
        )
    )
    opened = DocumentOpened(
        document_id="fuzzed", submission=SUBMISSION, document=found.document, content_sha256=found.content_sha256, filename=filename,
        media_type=found.media_type, page_count=found.page_count, pages=pages, options=options, metadata=found.metadata, outline=found.outline,
        warnings=found.warnings, parser=found.parser,
    )  # fmt: skip
    assert codec.decode(codec.encode(opened), DocumentOpened) == opened
    ended = {number for number, _ in read.events} | {failure.page for failure in read.failures}
    assert ended == set(pages), "every page of a range ends in an event"
    return opened, (*(value for _, value in read.events), *(codec.encode(failure) for failure in read.failures))


def _finished(folder: str, opened: DocumentOpened, raw: tuple[bytes, ...]) -> DocumentParsed:
    task = FinishTask(
        opened=opened, raw_events=raw, revision=1, blob_url=Path(folder).as_uri(), trusted_confidence=0.5, inline_bytes=2**23, event_bytes=2**24
    )
    return codec.decode(finish_document(task).parsed, DocumentParsed)
