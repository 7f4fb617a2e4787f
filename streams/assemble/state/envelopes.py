"""What the fold needs to know of a record on `pages.events`, and the bytes themselves.

Page events are decoded to their envelope only (an Avro projection): their content stays as it was logged, goes into the state like that, and is
decoded once, when the document is finished. Guarantees: bytes that are no event of this topic, or one whose page numbers make no sense,
raise `Undecodable`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from msgspec import Struct

from schemas.codec import Undecodable, decode, name_of
from schemas.errors import Failure, Stage
from schemas.events import DocumentCancelled, DocumentDeleted, DocumentOpened, DocumentRejected, PageFailed, PageStatus
from schemas.identity import Submission

MAX_PAGE = 10_000_000
"""A page number beyond this is damage, whatever the page limit of a deployment: the biggest scanned series have a few hundred thousand."""

MAX_WINDOW_PAGES = 1_000
"""Windows have up to ten pages; no engine in sight takes a hundred."""


class Reading(Enum):
    """What reading a page from its file gave."""

    EXTRACTED = "extracted"
    BLANK = "blank"
    REQUESTED = "requested"
    """Extracted, and a window with it was requested: the page waits for its recognition."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PageRead:
    """A `PageExtracted`, or a `PageFailed` of any stage but `infer`. `raw` is the event as it was logged."""

    document_id: str
    submission: Submission
    page: int
    reading: Reading
    raw: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class WindowAnswered:
    """A `PageWindowRecognized`, or a `PageFailed` of the stage `infer`. `answers` are (page, whether it was recognized)."""

    document_id: str
    submission: Submission
    first_page: int
    last_page: int
    answers: tuple[tuple[int, bool], ...]
    raw: bytes = field(repr=False)


LoggedEvent = DocumentOpened | DocumentRejected | DocumentDeleted | DocumentCancelled | PageRead | WindowAnswered


class _ExtractedEnvelope(Struct, frozen=True):
    document_id: str
    submission: Submission
    page: int
    status: PageStatus
    recognition_requested: bool


class _RecognizedPageEnvelope(Struct, frozen=True):
    page: int
    failure: Failure | None = None


class _RecognizedEnvelope(Struct, frozen=True):
    document_id: str
    submission: Submission
    first_page: int
    last_page: int
    pages: tuple[_RecognizedPageEnvelope, ...]


def open_envelope(data: bytes) -> LoggedEvent:
    """The event that the bytes are. Raises Undecodable."""
    name = name_of(data)
    opener = _OPENERS.get(name or "")
    if opener is None:
        raise Undecodable(f"a {name} does not belong here" if name else "no single-object encoded Avro of a known schema")
    return opener(data)


def _opened(data: bytes) -> DocumentOpened:
    event = decode(data, DocumentOpened)
    pages = event.pages
    if not 0 <= event.page_count <= MAX_PAGE or any(a >= b for a, b in pairwise(pages)):
        raise Undecodable("a DocumentOpened whose pages are not ascending")
    if pages and not 1 <= pages[0] <= pages[-1] <= event.page_count:
        raise Undecodable("a DocumentOpened that asks for pages that it does not have")
    return event


def _extracted(data: bytes) -> PageRead:
    event = decode(data, _ExtractedEnvelope, "PageExtracted")
    reading = Reading.REQUESTED if event.recognition_requested else Reading.EXTRACTED
    if event.status is PageStatus.BLANK:
        reading = Reading.BLANK
    return PageRead(event.document_id, event.submission, _checked_page(event.page), reading, data)


def _failed(data: bytes) -> PageRead | WindowAnswered:
    event = decode(data, PageFailed)
    page = _checked_page(event.page)
    if event.failure.stage is Stage.INFER:
        return WindowAnswered(event.document_id, event.submission, page, page, ((page, False),), data)
    return PageRead(event.document_id, event.submission, page, Reading.FAILED, data)


def _recognized(data: bytes) -> WindowAnswered:
    event = decode(data, _RecognizedEnvelope, "PageWindowRecognized")
    first, last = _checked_page(event.first_page), _checked_page(event.last_page)
    if not first <= last < first + MAX_WINDOW_PAGES:
        raise Undecodable(f"a PageWindowRecognized of the pages {first} to {last}")
    answers = tuple((page.page, page.failure is None) for page in event.pages)
    if [page for page, _ in answers] != list(range(first, last + 1)):
        raise Undecodable(f"a PageWindowRecognized that does not answer just the pages {first} to {last}")
    return WindowAnswered(event.document_id, event.submission, first, last, answers, data)


def _checked_page(page: int) -> int:
    if not 1 <= page <= MAX_PAGE:
        raise Undecodable(f"page {page}")
    return page


_OPENERS: dict[str, Callable[[bytes], LoggedEvent]] = {
    "DocumentOpened": _opened,
    "DocumentRejected": lambda data: decode(data, DocumentRejected),
    "DocumentDeleted": lambda data: decode(data, DocumentDeleted),
    "DocumentCancelled": lambda data: decode(data, DocumentCancelled),
    "PageExtracted": _extracted,
    "PageFailed": _failed,
    "PageWindowRecognized": _recognized,
}
