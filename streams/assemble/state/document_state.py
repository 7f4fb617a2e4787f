"""One document as the aggregator knows it between two events.

`apply` is the only way the state changes, live and on restore alike: what the fold decided goes in as changes, and the same changes go to
the changelog. So a restored state equals the state that went on. Counting costs the same for every page, however long the document.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from schemas.identity import Submission
from schemas.state import DocumentRecorded
from streams.assemble.state.envelopes import PageRead, Reading, WindowAnswered

MAX_ENDED = 64
"""Submissions remembered to have ended, per document. `open` runs at most one small batch twice, so a repeated event is among the newest."""


class PageState(Enum):
    """Where a page that was asked for is."""

    AWAITED = "awaited"
    EXTRACTED = "extracted"
    RECOGNIZING = "recognizing"
    SHARED = "shared"
    """Answered, but a window that holds it and its next page is outstanding: neighbours share their boundary page, and the better reading counts."""
    RECOGNIZED = "recognized"
    FAILED = "failed"


class Standing(Enum):
    """Where a submission stands among those of its document."""

    NEWER = "newer"
    """Newer than all that was seen, or the first."""
    LIVE = "live"
    """The one being worked on; perhaps only pages of it were seen so far."""
    ENDED = "ended"
    """It has its terminal record."""
    OLDER = "older"
    """Something newer was seen before it began."""


@dataclass(frozen=True, slots=True)
class RecordChange:
    """The document's record; None forgets it."""

    record: DocumentRecorded | None


@dataclass(frozen=True, slots=True)
class PageKept:
    """A page's reading enters the state."""

    page: PageRead


@dataclass(frozen=True, slots=True)
class WindowKept:
    """A window's answer enters the state."""

    window: WindowAnswered


@dataclass(frozen=True, slots=True)
class PageDropped:
    """A page's reading leaves the state."""

    page: int


@dataclass(frozen=True, slots=True)
class WindowDropped:
    """A window's answer leaves the state."""

    first_page: int
    last_page: int


Change = RecordChange | PageKept | WindowKept | PageDropped | WindowDropped


class DocumentState:
    """A document's record and the entries of its live submission. Read it freely; only `apply` changes it."""

    __slots__ = ("_answers", "_asked", "_counts", "_recognitions", "_settled", "pages", "record", "windows")

    def __init__(self, record: DocumentRecorded | None = None) -> None:
        self.record: DocumentRecorded | None = None
        self.pages: dict[int, PageRead] = {}
        self.windows: dict[tuple[int, int], WindowAnswered] = {}
        self._asked: frozenset[int] = frozenset()
        # A page may stand in two windows, as neighbours share their boundary page. So two neighbouring pages that a model was asked for stand in
        # one window together, or each was asked for alone: only then all windows of the document came.
        self._settled: Counter[int] = Counter()
        self._answers: Counter[int] = Counter()
        self._recognitions: Counter[int] = Counter()
        self._counts: Counter[PageState] = Counter()
        if record is not None:
            self.apply((RecordChange(record),))

    def apply(self, changes: Iterable[Change]) -> None:
        """Makes the changes, in their order."""
        for change in changes:
            match change:
                case RecordChange(record):
                    self._set_record(record)
                case PageKept(page):
                    self._set_page(page.page, page)
                case PageDropped(page=number):
                    self._set_page(number, None)
                case WindowKept(window):
                    self._count_answers(window, +1)
                    self.windows[window.first_page, window.last_page] = window
                case WindowDropped(first_page, last_page):
                    dropped = self.windows.pop((first_page, last_page), None)
                    if dropped is not None:
                        self._count_answers(dropped, -1)

    def standing(self, submission: Submission) -> Standing:
        """Where a submission stands."""
        record = self.record
        if record is None:
            return Standing.NEWER
        if has_ended(record, submission):
            return Standing.ENDED
        if record.newest is None or submission.order > record.newest.order:
            return Standing.NEWER
        return Standing.LIVE if submission.order == record.newest.order else Standing.OLDER

    def page_state(self, page: int) -> PageState:
        """Where a page is, by what was seen of it."""
        seen = self.pages.get(page)
        if seen is None:
            return PageState.AWAITED
        if seen.reading is Reading.FAILED:
            return PageState.FAILED
        if seen.reading is not Reading.REQUESTED:
            return PageState.EXTRACTED
        if not self._answers[page]:
            return PageState.RECOGNIZING
        if not self._settled[page] and self._is_requested(page + 1):
            return PageState.SHARED
        return PageState.RECOGNIZED if self._recognitions[page] else PageState.FAILED

    def asked(self, page: int) -> bool:
        """Whether the opened submission asks for the page."""
        return page in self._asked

    def count(self, state: PageState) -> int:
        """How many of the pages asked for are in a state; 0 before the document was opened."""
        return self._counts[state]

    def pages_in(self, state: PageState) -> list[int]:
        """The pages asked for that are in a state, ascending."""
        return sorted(page for page in self._asked if self.page_state(page) is state)

    @property
    def complete(self) -> bool:
        """Whether nothing is awaited any more for the submission that is open."""
        return self.opened and not any(self._counts[state] for state in (PageState.AWAITED, PageState.RECOGNIZING, PageState.SHARED))

    @property
    def opened(self) -> bool:
        """Whether a submission is open."""
        return self.record is not None and self.record.opened is not None

    @property
    def idle(self) -> bool:
        """Whether nothing is going on: at most the record is kept, for the order of what comes."""
        return not self.opened and not self.pages and not self.windows and not (self.record and self.record.purge)

    def _set_record(self, record: DocumentRecorded | None) -> None:
        was_opened = self.record.opened if self.record else None
        self.record = record
        opened = record.opened if record else None
        if opened is not was_opened:
            self._asked = frozenset(opened.pages) if opened else frozenset()
            self._counts = Counter(self.page_state(page) for page in self._asked)

    def _is_requested(self, page: int) -> bool:
        seen = self.pages.get(page)
        return seen is not None and seen.reading is Reading.REQUESTED

    def _set_page(self, number: int, page: PageRead | None) -> None:
        before, before_it = self.page_state(number), self.page_state(number - 1)
        if page is None:
            self.pages.pop(number, None)
        else:
            self.pages[number] = page
        self._recount(number, before)
        self._recount(number - 1, before_it)

    def _count_answers(self, window: WindowAnswered, step: int) -> None:
        for page, recognized in window.answers:
            before = self.page_state(page)
            _add(self._answers, page, step)
            if recognized:
                _add(self._recognitions, page, step)
            if page < window.last_page or window.first_page == window.last_page:
                _add(self._settled, page, step)
            self._recount(page, before)

    def _recount(self, page: int, before: PageState) -> None:
        after = self.page_state(page)
        if after is not before and page in self._asked:
            self._counts[before] -= 1
            self._counts[after] += 1


def has_ended(record: DocumentRecorded, submission: Submission) -> bool:
    """Whether a submission has its terminal record. One older than all that is remembered is taken to have ended."""
    ended = record.ended
    if len(ended) >= MAX_ENDED and submission.order < ended[0].order:
        return True
    return any(submission.order == other.order for other in ended)


def with_ended(ended: tuple[Submission, ...], submission: Submission) -> tuple[Submission, ...]:
    """The submissions that ended, with one more; the oldest is forgotten where there are too many."""
    return tuple(sorted((*ended, submission), key=lambda one: one.order))[-MAX_ENDED:]


def _add(counter: Counter[int], key: int, step: int) -> None:
    counter[key] += step
    if not counter[key]:
        del counter[key]
