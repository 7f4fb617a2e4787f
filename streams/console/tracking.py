"""Follows the public topics and tells the board: a thread of its own, without a consumer group.

Guarantees: bytes that are no event are left out; page content is never decoded; a broker that is away is waited for. Documents come from the
compacted topic of progress, however old; their pages from the events of the last time.
"""

import threading
import time
from collections.abc import Callable

import structlog
from msgspec import Struct

from schemas import codec
from schemas.content import BlobReference
from schemas.errors import Failure
from schemas.events import DocumentFailed, DocumentProgressed, PageFailed, PageStatus
from schemas.identity import Submission
from streams.console.board import Board
from streams.console.card import Origin, Stage
from streams.console.strip import MAX_PAGES, Mark
from streams.kafka.errors import KafkaClientError
from streams.kafka.feeding import RecordFeed
from streams.kafka.records import Record
from streams.settings import Settings
from streams.topics import EVENTS, FAILED, PROGRESS

PAGES_AGE_MS = 60 * 60 * 1000
"""Pages of older documents are not read again when the console starts: their counts are in their progress."""
FAILURES_AGE_MS = 7 * 24 * 60 * 60 * 1000
"""As long as submissions are kept, so that what failed can be replayed."""
POLL_S = 0.25
RETRY_PAUSE_S = 2.0

log = structlog.get_logger(__name__)


class OpenedPages(Struct, frozen=True):
    """A projection of `DocumentOpened`: what a strip and pictures of pages need."""

    document_id: str
    submission: Submission
    document: BlobReference
    filename: str
    media_type: str
    pages: tuple[int, ...]
    parser: str = "mupdf"


class PageTrust(Struct, frozen=True):
    """A projection of `PageExtracted`, without its content."""

    document_id: str
    submission: Submission
    page: int
    status: PageStatus
    text_layer_confidence: float
    recognition_requested: bool


class AnsweredPage(Struct, frozen=True):
    """Of `RecognizedPage`, what a strip shows."""

    page: int
    failure: Failure | None = None
    confidence: float = 0.0


class WindowTrust(Struct, frozen=True):
    """A projection of `PageWindowRecognized`."""

    document_id: str
    submission: Submission
    pages: tuple[AnsweredPage, ...]


class Tracker:
    """Keeps a board up to date until it is stopped. `connected` tells whether a broker answered last."""

    def __init__(self, settings: Settings, board: Board) -> None:
        self._settings, self._board = settings, board
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="console-tracker", daemon=True)
        self.connected = False

    def start(self) -> None:
        """Begins to follow."""
        self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """Ends within about the time of one poll."""
        self._stop.set()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._follow()
            except KafkaClientError as error:
                self.connected = False
                log.warning("console.kafka_away", error=str(error))
                self._stop.wait(RETRY_PAUSE_S)

    def _follow(self) -> None:
        settings, now_ms = self._settings, int(time.time() * 1000)
        since = {PROGRESS.name: 0, FAILED.name: now_ms - FAILURES_AGE_MS, EVENTS.name: now_ms - PAGES_AGE_MS}
        feed = RecordFeed(
            settings.bootstrap_servers, "pageloom-console", since, settings.kafka_security, max_message_bytes=settings.max_message_bytes
        )
        try:
            while not self._stop.is_set():
                for record in feed.records(POLL_S):
                    take(self._board, record, int(time.time() * 1000))
                self.connected = feed.reachable
        finally:
            feed.close()


def take(board: Board, record: Record, now_ms: int) -> None:
    """Tells the board what a record says. Records of other events, and bytes that are none, say nothing."""
    if record.value is None:
        if record.topic == PROGRESS.name and record.key is not None:
            board.deleted(record.key.decode("utf-8", "replace"))
        return
    apply = _APPLY.get(codec.name_of(record.value) or "")
    if apply is None:
        return
    try:
        apply(board, record, record.value, now_ms)
    except codec.Undecodable:
        log.info("console.no_event", topic=record.topic, partition=record.partition, offset=record.offset)


def _opened(board: Board, record: Record, value: bytes, now_ms: int) -> None:
    event = codec.decode(value, OpenedPages, "DocumentOpened")
    origin = Origin(document=event.document, media_type=event.media_type, parser=event.parser, filename=event.filename)
    board.opened(event.document_id, event.submission, event.pages[:MAX_PAGES], origin, _time(record, now_ms))


def _page(board: Board, record: Record, value: bytes, now_ms: int) -> None:
    event = codec.decode(value, PageTrust, "PageExtracted")
    mark = Mark.BLANK if event.status is PageStatus.BLANK else Mark.EXTRACTED
    if event.recognition_requested:
        mark = Mark.RECOGNIZING
    confidence = None if event.status is PageStatus.BLANK else event.text_layer_confidence
    board.page(event.document_id, event.submission, event.page, mark, confidence, _time(record, now_ms))


def _window(board: Board, record: Record, value: bytes, now_ms: int) -> None:
    event = codec.decode(value, WindowTrust, "PageWindowRecognized")
    for page in event.pages:
        mark, reason = (Mark.RECOGNIZED, "") if page.failure is None else (Mark.FAILED, page.failure.message)
        confidence = page.confidence if page.failure is None else None
        board.page(event.document_id, event.submission, page.page, mark, confidence, _time(record, now_ms), reason)


def _page_failed(board: Board, record: Record, value: bytes, now_ms: int) -> None:
    event = codec.decode(value, PageFailed)
    board.page(event.document_id, event.submission, event.page, Mark.FAILED, None, _time(record, now_ms), event.failure.message)


def _progressed(board: Board, record: Record, value: bytes, now_ms: int) -> None:
    event = codec.decode(value, DocumentProgressed)
    settled = event.extracted + event.recognized + event.failed
    stage = Stage(event.progress.value)
    board.progressed(event.document_id, event.submission, event.filename, stage, event.pages, settled, _time(record, now_ms), record.partition)


def _failed(board: Board, record: Record, value: bytes, now_ms: int) -> None:
    event = codec.decode(value, DocumentFailed)
    board.failed(event.document_id, event.submission, event.filename, event.failure, _time(record, now_ms))


def _time(record: Record, now_ms: int) -> int:
    """When it was written, as far as the log knows."""
    return record.timestamp_ms if record.timestamp_ms >= 0 else now_ms


_APPLY: dict[str, Callable[[Board, Record, bytes, int], None]] = {
    "DocumentOpened": _opened,
    "PageExtracted": _page,
    "PageWindowRecognized": _window,
    "PageFailed": _page_failed,
    "DocumentProgressed": _progressed,
    "DocumentFailed": _failed,
}
"""What is shown of which event."""
