"""One document as the console shows it: a card of plain values, and the entry that events change to make it."""

from collections import deque
from enum import Enum

from msgspec import Struct

from schemas.content import BlobReference
from schemas.errors import Failure
from schemas.identity import Submission
from streams.console.strip import Strip

RATE_WINDOW_MS = 20_000
"""Over which pages a second are counted: long enough to be steady, short enough to notice a stop."""
RATE_SAMPLES = 2_000
"""Settled pages remembered for the rate, of one document: a hundred a second."""
MAX_PAGE_REASONS = 20
"""Of failed pages that a card names; the finished document has all."""
REASON_CHARS = 500


class Stage(str, Enum):
    """Where a document is. The words of `schemas.events.Progress`, and before them `submitted`: published here, not heard of since."""

    SUBMITTED = "submitted"
    OPENED = "opened"
    READING = "reading"
    FINISHING = "finishing"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Whether nothing more is to come."""
        return self in (Stage.COMPLETE, Stage.PARTIAL, Stage.FAILED)


class Origin(Struct, frozen=True, kw_only=True):
    """Where the pages of a submission are drawn from."""

    document: BlobReference
    media_type: str
    parser: str
    filename: str


class PageReason(Struct, frozen=True):
    """Why a page is failed."""

    page: int
    reason: str


class Card(Struct, frozen=True, kw_only=True):
    """A document as JSON for the browser. `settled` of `pages` are done; `rate` is pages a second lately; `numbers` are page numbers, empty
    where they are 1, 2, 3 …; times are milliseconds since the epoch.
    """

    key: str
    document_id: str
    filename: str
    stage: str
    pages: int
    settled: int
    marks: str
    trust: str
    numbers: tuple[int, ...]
    rate: float
    began_ms: int
    ended_ms: int | None
    code: str
    reason: str
    retryable: bool
    page_reasons: tuple[PageReason, ...]


class Entry:
    """What is known of a document. Changed by its board alone."""

    def __init__(self, key: str, document_id: str, began_ms: int) -> None:
        self.key, self.document_id = key, document_id
        self.filename = ""
        self.began_ms = began_ms
        self.version = 0
        self.submission: Submission | None = None
        self._reset()

    def _reset(self) -> None:
        self.stage = Stage.SUBMITTED
        self.pages = self.settled = 0
        self.strip: Strip | None = None
        self.origin: Origin | None = None
        self.failure: Failure | None = None
        self.ended_ms: int | None = None
        self.partition: int | None = None
        self._page_reasons: dict[int, str] = {}
        self._settled_ms: deque[int] = deque(maxlen=RATE_SAMPLES)

    def begin(self, submission: Submission, at_ms: int) -> None:
        """A newer submission takes the place of what was known."""
        self._reset()
        self.submission, self.began_ms = submission, at_ms or self.began_ms

    def settle(self, now_ms: int) -> None:
        """One more page is done."""
        self._settled_ms.append(now_ms)
        if self.strip is not None:
            self.settled = max(self.settled, self.strip.settled)

    def note_page(self, page: int, reason: str) -> None:
        """Why a page failed, for as many as a card names."""
        if len(self._page_reasons) < MAX_PAGE_REASONS:
            self._page_reasons[page] = reason[:REASON_CHARS]

    def card(self) -> Card:
        """The values now."""
        failure = self.failure
        return Card(
            key=self.key,
            document_id=self.document_id,
            filename=self.filename or self.document_id,
            stage=self.stage.value,
            pages=self.pages,
            settled=self.settled,
            marks=self.strip.marks if self.strip else "",
            trust=self.strip.trust if self.strip else "",
            numbers=self.strip.numbers if self.strip else (),
            rate=self._rate(),
            began_ms=self.began_ms,
            ended_ms=self.ended_ms,
            code=failure.code.value if failure else "",
            reason=failure.message[:REASON_CHARS] if failure else "",
            retryable=failure.retryable if failure else False,
            page_reasons=tuple(PageReason(page, reason) for page, reason in sorted(self._page_reasons.items())),
        )

    def _rate(self) -> float:
        """Pages a second over the last time in which pages came; 0 for fewer than two."""
        if len(self._settled_ms) < 2:
            return 0.0
        last = self._settled_ms[-1]
        lately = [at for at in self._settled_ms if at > last - RATE_WINDOW_MS]
        span_ms = last - lately[0]
        return round((len(lately) - 1) * 1000 / span_ms, 2) if span_ms > 0 else 0.0
