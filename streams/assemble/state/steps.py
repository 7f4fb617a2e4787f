"""What one event does to a document, as a value: changes of its state, records for other topics, or the reason why it did nothing."""

from dataclasses import dataclass
from enum import Enum

import msgspec
from msgspec import Struct

from schemas.errors import Code as ErrorCode
from schemas.errors import Failure, Stage, failure_of
from schemas.events import DocumentFailed, DocumentOpened, DocumentProgressed, Progress
from schemas.identity import Submission
from schemas.state import DocumentRecorded
from streams import topics
from streams.assemble.state.document_state import Change, DocumentState, PageDropped, PageState, RecordChange, WindowDropped, with_ended
from streams.topics import Topic


class Skipped(Enum):
    """Why an event did nothing."""

    DUPLICATE = "duplicate"
    """The first on the log won."""
    LATE = "late"
    """Its submission has ended, or is being finished."""
    OLDER = "older"
    """Something newer of the document was seen before."""
    NOT_ASKED = "not_asked"
    """A page that the submission does not ask for."""
    TOO_MANY = "too_many"
    """More pages of an unopened submission than are held."""


@dataclass(frozen=True, slots=True)
class Output:
    """A record for another topic, under the document's key. `value` is an event, the bytes of one, or None, which deletes."""

    topic: Topic
    value: Struct | bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What one event does. Nothing at all has a reason."""

    changes: tuple[Change, ...] = ()
    outputs: tuple[Output, ...] = ()
    skipped: Skipped | None = None


class StepDraft:
    """A step being put together, over a state that is only read. Lives for one call of the fold."""

    def __init__(self, state: DocumentState, document_id: str, now_ms: int) -> None:
        self.state = state
        self.record = state.record or DocumentRecorded(document_id=document_id)
        self.now_ms = now_ms
        self._forgotten = False
        self._dropped = False
        self._changes: list[Change] = []
        self._outputs: list[Output] = []

    def revise(self, **fields: object) -> None:
        """Changes fields of the document's record."""
        self.record = msgspec.structs.replace(self.record, **fields)

    def change(self, *changes: Change) -> None:
        """Adds changes of page entries."""
        self._changes.extend(changes)

    def put(self, topic: Topic, value: Struct | bytes | None, headers: tuple[tuple[str, bytes], ...] = ()) -> None:
        """Adds a record for another topic."""
        self._outputs.append(Output(topic, value, headers))

    def drop_entries(self) -> None:
        """Forgets every page entry of the live submission, once."""
        if self._dropped:
            return
        self._dropped = True
        self.change(*(PageDropped(page) for page in sorted(self.state.pages)))
        self.change(*(WindowDropped(first, last) for first, last in sorted(self.state.windows)))

    def forget(self) -> None:
        """Forgets the record itself."""
        self._forgotten = True

    def end(self, submission: Submission) -> None:
        """Remembers that a submission has its terminal record; the live one leaves the state."""
        self.revise(ended=with_ended(self.record.ended, submission))
        if self.record.newest is not None and submission.order == self.record.newest.order:
            self.revise(opened=None, opened_ms=0)
            self.drop_entries()

    def fail(self, submission: Submission, filename: str, failure: Failure) -> None:
        """Ends a submission without a document."""
        self.put(topics.FAILED, DocumentFailed(document_id=self.record.document_id, submission=submission, filename=filename, failure=failure))
        self.end(submission)

    def fail_opened(self, code: ErrorCode, why: str) -> None:
        """Ends the open submission without a document, for a reason that arose here. Nothing happens if none is open."""
        opened = self.record.opened
        if opened is not None:
            self.progress(opened.submission, opened.filename, Progress.FAILED)
            self.fail(opened.submission, opened.filename, self.failure(opened.submission, code, why))

    def failure(self, submission: Submission, code: ErrorCode, why: str) -> Failure:
        """A failure of this stage."""
        return failure_of(code, Stage.ASSEMBLE, f"document {self.record.document_id!r}, submission {submission.id}: {why}")

    def progress(self, submission: Submission, filename: str, progress: Progress) -> None:
        """Tells where a submission is; how far, if it is the open one."""
        opened = self.state.record.opened if self.state.record else None
        if opened is not None and opened.submission == submission:
            self.put(topics.PROGRESS, progress_of(self.state, opened, progress))
        else:
            event = DocumentProgressed(document_id=self.record.document_id, submission=submission, filename=filename, progress=progress, pages=0)
            self.put(topics.PROGRESS, event)

    def step(self) -> Step:
        """The finished step. Page entries change before the record, so that a record never speaks of entries that are not there."""
        changes = self._changes
        if self._forgotten:
            changes = [*changes, RecordChange(None)]
        elif self.record != self.state.record:
            record = msgspec.structs.replace(self.record, updated_ms=self.now_ms)
            changes = [*changes, RecordChange(record)]
        return Step(tuple(changes), tuple(self._outputs))


def progress_of(state: DocumentState, opened: DocumentOpened, progress: Progress) -> DocumentProgressed:
    """How far the open submission is."""
    return DocumentProgressed(
        document_id=opened.document_id,
        submission=opened.submission,
        filename=opened.filename,
        progress=progress,
        pages=len(opened.pages),
        extracted=state.count(PageState.EXTRACTED),
        recognizing=state.count(PageState.RECOGNIZING) + state.count(PageState.SHARED),
        recognized=state.count(PageState.RECOGNIZED),
        failed=state.count(PageState.FAILED),
    )
