"""What `read` answers to a range of pages: the calls of the stage and what becomes of pages that cannot be read, without Kafka.

Guarantees: every page of a range ends in an event: `PageExtracted`, or `PageFailed` with its code. A range that crashes its parser or
overruns its deadline is read again page by page, so that a bad page costs itself alone, and only what a page did alone counts against it.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import structlog

from schemas import codec
from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError, Stage, internal_error
from schemas.events import PageImage, PageRangeReady, PageWindowRequested
from streams import topics
from streams.agents.answering import Batches, Caller
from streams.agents.store_watch import past_store_failures, while_there
from streams.ingest.pages import plan_windows
from streams.kafka.records import OutputRecord, Record
from streams.letters import dead_letter, page_event, page_failed
from streams.read.page_events import RangeRead, ReadTask
from streams.read.range_reader import read_range
from streams.sandbox import ChildrenError
from streams.settings import Settings

ATTEMPTS_ALONE: dict[Code, int] = {Code.CRASHED: 3, Code.TIMED_OUT: 2, Code.OUT_OF_MEMORY: 2}
"""How often a page is tried by itself after its range failed. A crash may be the machine's fault; a slow page is slow again."""
NEIGHBOUR_TIMEOUT_S = 5.0
"""What each further page adds to the deadline of a range: most take milliseconds, a scan at full resolution about one second."""

log = structlog.get_logger(__name__)


class ReadStage:
    """Answers the records of `pages.ready` and `pages.ready.express`."""

    def __init__(self, settings: Settings, sandbox: Caller) -> None:
        self._settings = settings
        self._sandbox = sandbox
        self._store = BlobStore(settings.blob_store_url)

    async def answer(self, record: Record) -> Batches:
        """What to write for a range of pages."""
        try:
            unit = codec.decode(record.value or b"", PageRangeReady)
        except codec.Undecodable as error:
            log.error("record.refused", topic=record.topic, partition=record.partition, offset=record.offset, reason=str(error))
            return ((dead_letter(record, Stage.READ, PageloomError(Code.UNDECODABLE, str(error)), keep_value=True),),)
        express = record.topic == topics.RANGES_EXPRESS.name
        try:
            path = await self._fetched(unit)
            return self._written(unit, await self._read(unit, path), express)
        except PageloomError as caught:
            error_of_all = caught
        except ChildrenError:  # ends the worker; blaming a document after another for the machine would cost them all
            raise
        except Exception as bug:  # noqa: BLE001 - a bug of ours costs these pages, not all that come after them
            error_of_all = internal_error(bug)
        pages = range(unit.first_page, unit.last_page + 1)
        return (tuple(self._failed(unit, page, error_of_all, 1) for page in pages),)

    async def _fetched(self, unit: PageRangeReady) -> Path:
        """A local file with the document. Raises BLOB_MISSING, STORE_UNAVAILABLE, TOO_LARGE."""
        settings = self._settings
        return await past_store_failures(
            lambda: asyncio.to_thread(self._store.local_path, unit.document, settings.cache_path, settings.max_document_bytes)
        )

    async def _read(self, unit: PageRangeReady, path: Path) -> list[RangeRead | OutputRecord]:
        """The range, or its pages one by one; a page that failed is its event."""
        more = unit.last_page - unit.first_page
        try:
            return [await self._call(unit, path, unit.first_page, unit.last_page, self._settings.page_timeout_s + more * NEIGHBOUR_TIMEOUT_S)]
        except PageloomError as error:
            if more:
                log.warning(
                    "range.failed", document=unit.document_id, pages=f"{unit.first_page}-{unit.last_page}", code=error.code.value, reason=str(error)
                )
                return [await self._read_alone(unit, path, page, 0, error) for page in range(unit.first_page, unit.last_page + 1)]
            return [await self._read_alone(unit, path, unit.first_page, 1, error)]

    async def _read_alone(self, unit: PageRangeReady, path: Path, page: int, attempts: int, error: PageloomError) -> RangeRead | OutputRecord:
        while attempts == 0 or attempts < ATTEMPTS_ALONE.get(error.code, 1):
            attempts += 1
            try:
                return await self._call(unit, path, page, page, self._settings.page_timeout_s)
            except PageloomError as caught:
                error = caught
        return self._failed(unit, page, error, attempts)

    async def _call(self, unit: PageRangeReady, path: Path, first: int, last: int, timeout_s: float) -> RangeRead:
        task = task_of(unit, path, first, last, self._settings)
        return await past_store_failures(
            lambda: while_there(self._store, self._sandbox.call(read_range, task, timeout_s=timeout_s, limit_setting="page_timeout_s"))
        )

    def _failed(self, unit: PageRangeReady, page: int, error: PageloomError, attempts: int) -> OutputRecord:
        write = log.error if error.code is Code.INTERNAL else log.warning
        write("page.failed", document=unit.document_id, page=page, code=error.code.value, attempts=attempts, reason=str(error))
        failure = PageloomError(error.code, f"page {page}: {error}").failure(Stage.READ, attempts)
        return page_failed(unit.document_id, unit.submission, page, unit.filename, failure)

    def _written(self, unit: PageRangeReady, found: Sequence[RangeRead | OutputRecord], express: bool) -> Batches:
        """Page events first, then the windows: an answer of the model must not come before the page that it belongs to."""
        records: list[OutputRecord] = []
        images: list[PageImage] = []
        for item in found:
            if isinstance(item, OutputRecord):
                records.append(item)
                continue
            records.extend(page_event(unit.document_id, value) for _, value in item.events)
            records.extend(page_event(unit.document_id, codec.encode(failure)) for failure in item.failures)
            images.extend(item.images)
        windows = tuple(window_records(unit, images, self._settings, express=express))
        return (tuple(records), windows) if windows else (tuple(records),)


def task_of(unit: PageRangeReady, path: Path, first_page: int, last_page: int, settings: Settings) -> ReadTask:
    """What a child process needs to read some pages of a range."""
    return ReadTask(
        document_id=unit.document_id,
        submission=unit.submission,
        path=str(path),
        blob_url=settings.blob_store_url,
        media_type=unit.media_type,
        filename=unit.filename,
        page_count=unit.page_count,
        first_page=first_page,
        last_page=last_page,
        options=unit.options,
        inline_content_bytes=settings.inline_content_bytes,
        max_render_pixels=settings.max_render_pixels,
        render_dpi=settings.render_dpi,
        low_confidence=settings.low_confidence,
        layout=settings.layout,
        parser=unit.parser,
        figure_dpi=settings.figure_dpi,
        max_message_parts=settings.max_message_parts,
    )


def window_records(unit: PageRangeReady, images: Sequence[PageImage], settings: Settings, *, express: bool) -> list[OutputRecord]:
    """The windows that a range asks the model for; they keep the lane of their range."""
    topic = (topics.WINDOWS_EXPRESS if express else topics.WINDOWS).name
    records = []
    for window in plan_windows(images, settings.window_pages):
        event = PageWindowRequested(
            document_id=unit.document_id,
            submission=unit.submission,
            first_page=window[0].page,
            last_page=window[-1].page,
            images=window,
            engine=unit.options.engine or settings.engine,
            mode=unit.options.mode,
            priority=unit.options.priority,
            tenant=unit.options.tenant,
        )
        records.append(OutputRecord(topic, f"{unit.document_id}:{window[0].page}".encode(), codec.encode(event)))
    return records
