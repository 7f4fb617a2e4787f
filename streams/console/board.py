"""What the console knows of documents: events in, cards out. The newest documents only, so that memory is bounded whatever goes through Kafka.

Guarantees: events may come twice and in any order between topics; what is older than the submission shown never changes it. Every change has a
number, so that a page that was away asks for what changed since. Time is an argument. Thread-safe; knows no Kafka and no web.
"""

import threading

from msgspec import Struct

from schemas.errors import Failure
from schemas.identity import Submission, path_name
from streams.console.card import Card, Entry, Origin, Stage
from streams.console.strip import Mark, Strip

MAX_DOCUMENTS = 200
"""Shown at once, the newest: a person looks at the top of the list; the others are found by searching."""


class Known(Struct, frozen=True, kw_only=True):
    """What helps to find a document on the topics. `since_ms`: it was not finished before. Of a search hit only its `revision` is known."""

    key: str
    document_id: str
    since_ms: int
    stage: Stage | None = None
    submission: Submission | None = None
    revision: int | None = None
    partition: int | None = None
    origin: Origin | None = None


class Board:
    """The newest documents by their keys (`path_name` of the document id)."""

    def __init__(self, max_documents: int = MAX_DOCUMENTS) -> None:
        self._entries: dict[str, Entry] = {}
        self._max_documents = max_documents
        self._lock = threading.Lock()
        self._version = 0
        self._removed: dict[str, int] = {}
        self.pages_settled = 0
        """Pages that were read or recognized since this process began."""

    @property
    def version(self) -> int:
        """Of the newest change."""
        return self._version

    def changed_since(self, version: int) -> tuple[int, list[Card], list[str]]:
        """The version now, the cards that changed since another one, oldest change first, and the keys of documents that went."""
        with self._lock:
            changed = sorted((entry for entry in self._entries.values() if entry.version > version), key=lambda entry: entry.version)
            gone = [key for key, at in self._removed.items() if at > version]
            return self._version, [entry.card() for entry in changed], gone

    def known(self, key: str) -> Known | None:
        """What is known of a document now."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            return Known(
                key=key,
                document_id=entry.document_id,
                since_ms=entry.ended_ms or entry.began_ms,
                stage=entry.stage,
                submission=entry.submission,
                partition=entry.partition,
                origin=entry.origin,
            )

    def under_way(self) -> int:
        """Documents that have not ended."""
        with self._lock:
            return sum(1 for entry in self._entries.values() if not entry.stage.ended)

    def submitted(self, document_id: str, filename: str, now_ms: int) -> str:
        """A document was published from here; nothing else is known of it yet. Returns its key."""
        with self._lock:
            entry = self._entry(document_id, now_ms)
            entry.filename = filename
            self._touch(entry)
            return path_name(document_id)

    def opened(self, document_id: str, submission: Submission, pages: tuple[int, ...], origin: Origin, now_ms: int) -> None:
        """A submission has pages: it gets a strip."""
        with self._lock:
            entry = self._current(document_id, submission, now_ms)
            if entry is None or entry.strip is not None:
                return
            entry.filename, entry.origin = origin.filename, origin
            entry.strip, entry.pages = Strip(pages), len(pages)
            if entry.stage is Stage.SUBMITTED:
                entry.stage = Stage.OPENED
            self._touch(entry)

    def page(self, document_id: str, submission: Submission, page: int, mark: Mark, confidence: float | None, now_ms: int, reason: str = "") -> None:
        """Something became of a page."""
        with self._lock:
            entry = self._entries.get(path_name(document_id))
            if entry is None or entry.submission != submission or entry.strip is None:
                return
            if entry.strip.set(page, mark, confidence):
                self.pages_settled += 1
                entry.settle(now_ms)
            if mark is Mark.FAILED and reason:
                entry.note_page(page, reason)
            self._touch(entry)

    def progressed(
        self, document_id: str, submission: Submission, filename: str, stage: Stage, pages: int, settled: int, at_ms: int, partition: int
    ) -> None:
        """Assembly said how far a submission is, on this partition: all public topics have a document on the same one."""
        with self._lock:
            entry = self._current(document_id, submission, at_ms)
            if entry is None or (entry.stage.ended and not stage.ended):
                return
            entry.filename = filename or entry.filename
            entry.stage, entry.pages, entry.settled = stage, max(entry.pages, pages), max(entry.settled, settled)
            entry.ended_ms, entry.partition = (at_ms if stage.ended else None), partition
            self._touch(entry)

    def failed(self, document_id: str, submission: Submission, filename: str, failure: Failure, at_ms: int) -> None:
        """A submission ended without a document."""
        with self._lock:
            entry = self._current(document_id, submission, at_ms)
            if entry is None:
                return
            entry.filename = filename or entry.filename
            entry.stage, entry.failure, entry.ended_ms = Stage.FAILED, failure, at_ms
            self._touch(entry)

    def deleted(self, document_id: str) -> None:
        """Nothing of a document is kept any more."""
        with self._lock:
            self._drop(path_name(document_id))

    def _current(self, document_id: str, submission: Submission, at_ms: int) -> Entry | None:
        """The entry of a submission, new where it is newer than what is known; None where it is older."""
        entry = self._entry(document_id, at_ms)
        if entry.submission is None or submission.order > entry.submission.order:
            entry.begin(submission, max(submission.appended_ms, 0))
        return entry if entry.submission == submission and path_name(document_id) in self._entries else None

    def _entry(self, document_id: str, at_ms: int) -> Entry:
        key = path_name(document_id)
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = Entry(key, document_id, at_ms)
            self._forget(len(self._entries) - self._max_documents)
        return entry

    def _forget(self, count: int) -> None:
        """Leaves out the oldest beyond the bound; those that are under way go last."""
        if count <= 0:
            return
        oldest = sorted(self._entries.values(), key=lambda entry: (not entry.stage.ended, entry.began_ms))[:count]
        for entry in oldest:
            self._drop(entry.key)

    def _drop(self, key: str) -> None:
        if self._entries.pop(key, None) is not None:
            self._version += 1
            self._removed[key] = self._version
            for old in list(self._removed)[: max(0, len(self._removed) - 10 * self._max_documents)]:
                del self._removed[old]

    def _touch(self, entry: Entry) -> None:
        self._version += 1
        entry.version = self._version
        self._removed.pop(entry.key, None)
