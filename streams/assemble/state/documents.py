"""The documents of one partition: those in work as states, the others as the encoded record that the order of their submissions needs.

An ended document costs a few hundred bytes until its record expires. Not thread-safe: a partition has one thread.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from schemas.codec import decode, encode
from schemas.state import DocumentRecorded
from streams.assemble.state.deadlines import Waiting
from streams.assemble.state.document_state import Change, DocumentState, PageState
from streams.assemble.state.entries import change_of


class WorkingDocument:
    """A document in work: its state, and what its partition remembers of it between two events.

    `progress_s` and `read_s` are when the last event and the last reading of it came, in seconds of the partition's caught-up clock. `offered`:
    it was given to be finished, at `offered_s`; `told_s` is when its progress was last published (both monotonic seconds).
    """

    __slots__ = ("offered", "offered_s", "progress_s", "read_s", "state", "told_s")

    def __init__(self, state: DocumentState, clock_s: float) -> None:
        self.state = state
        self.progress_s = clock_s
        self.read_s = clock_s
        self.offered = False
        self.offered_s = 0.0
        self.told_s = 0.0


class Documents:
    """All documents of a partition."""

    def __init__(self) -> None:
        self.working: dict[str, WorkingDocument] = {}
        """In the order in which they were opened."""
        self._parked: dict[str, bytes] = {}
        self._aging: deque[tuple[int, str]] = deque()
        """(when, which) of every parking, in the order of time; an older entry of a document that was parked anew counts for nothing."""

    def restore(self, entries: Iterable[tuple[bytes, bytes]], clock_s: float) -> None:
        """Takes over the live entries of the changelog, in any order. Raises Undecodable."""
        changes: dict[str, list[Change]] = {}
        for key, value in entries:
            document_id, change = change_of(key, value)
            changes.setdefault(document_id, []).append(change)
        states = []
        for document_id, of_document in changes.items():
            state = DocumentState()
            state.apply(of_document)
            record = state.record
            states.append(((record.opened_ms or record.updated_ms) if record else 0, document_id, state))
        for _, document_id, state in sorted(states, key=lambda one: one[:2]):
            self.keep(document_id, WorkingDocument(state, clock_s))

    def get(self, document_id: str, clock_s: float) -> WorkingDocument:
        """A document, in work or not, known or not. What is done to it counts after `keep`."""
        known = self.working.get(document_id)
        if known is not None:
            return known
        parked = self._parked.get(document_id)
        return WorkingDocument(DocumentState(decode(parked, DocumentRecorded) if parked else None), clock_s)

    def keep(self, document_id: str, document: WorkingDocument, *, reopened: bool = False) -> None:
        """Puts a document where its state says: in work (last in order if just opened), parked, or forgotten."""
        if not document.state.idle:
            self._parked.pop(document_id, None)
            if reopened:
                self.working.pop(document_id, None)
            self.working.setdefault(document_id, document)
            return
        self.working.pop(document_id, None)
        record = document.state.record
        if record is None:
            self._parked.pop(document_id, None)
        else:
            self._parked[document_id] = encode(record)
            self._aging.append((record.updated_ms, document_id))

    def expired(self, before_ms: int, limit: int) -> list[str]:
        """At most `limit` documents whose record did not change since `before_ms`; each is handed out once."""
        found: list[str] = []
        while self._aging and self._aging[0][0] < before_ms and len(found) < limit:
            updated_ms, document_id = self._aging.popleft()
            parked = self._parked.get(document_id)
            if parked is not None and decode(parked, DocumentRecorded).updated_ms == updated_ms:
                found.append(document_id)
        return found

    def waiting(self) -> Iterator[Waiting]:
        """The open documents that wait for pages, in the order of their opening."""
        for document_id, document in self.working.items():
            state = document.state
            record = state.record
            if record is not None and record.opened is not None and not state.complete:
                yield Waiting(document_id, record.opened_ms, document.progress_s, document.read_s, state.count(PageState.RECOGNIZING) > 0)
