"""Assembly of one partition: runs the fold on what comes from the log, from the child processes and from the clock.

Guarantees: all that the fold decides leaves as one `Effects`, so that state, output and offset are committed together; a complete document is
finished in the background, again after a restart, and published once; bytes that are no event become dead letters. The edge between
the pure parts (`state`) and the runtime; speaks to no broker itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass

import structlog

from schemas.codec import Undecodable
from schemas.errors import Code, PageloomError, Stage
from schemas.events import DocumentOpened, Progress
from schemas.identity import Submission, revision_of
from streams import topics
from streams.assemble.effects import effects_of, output_record, refused, together
from streams.assemble.finish.child import Finished, FinishTask
from streams.assemble.finish.queue import FinishQueue, Job
from streams.assemble.state.deadlines import CaughtUpClock, overdue
from streams.assemble.state.documents import Documents, WorkingDocument
from streams.assemble.state.entries import entries_of
from streams.assemble.state.envelopes import PageRead, WindowAnswered, open_envelope
from streams.assemble.state.fold import Event, fold
from streams.assemble.state.inner_events import DeadlinePassed, DocumentFinished, FinishFailed, RecordExpired, RunsPurged
from streams.assemble.state.steps import Output, progress_of
from streams.kafka.logic import NOTHING, Effects, Wake
from streams.kafka.records import Record

LOOK_S = 1.0
"""Between two looks at the deadlines: they are minutes and hours long."""

TELL_S = 0.4
"""Between two records of one document's progress: a few a second."""

TELL_LOOK_S = TELL_S / 4
"""Between two looks for documents to tell of: bounds how much later than `TELL_S` a record comes."""

EXPIRED_AT_ONCE = 200
"""Records forgotten in one look, so that one transaction stays small after a long standstill."""

MAX_PURGING = 16
"""Documents whose blobs are being removed; the next are begun in the next look. Keeps the child processes free for finishing."""

PURGE_PAUSE_S = 30.0
"""Before blobs are tried again that could not be removed: the store is the same for all."""

log = structlog.get_logger(__name__)

Purge = Callable[[str, tuple[Submission, ...]], "Future[None]"]
"""Starts to remove the blobs of submissions of a document."""


@dataclass(frozen=True, slots=True)
class AssembleLimits:
    """What assembly may take, in bytes and seconds; see the settings of the same names."""

    blob_url: str
    trusted_confidence: float
    inline_bytes: int
    event_bytes: int
    no_progress_timeout_s: float
    document_timeout_s: float
    record_retention_ms: int
    parsed_as_json: bool = False


class AssembleLogic:
    """A `PartitionLogic` (see `streams.kafka.logic`). `finish_queue` is shared by all partitions; `now_ms` is the time since the epoch, `started_s`
    the monotonic time, which `tick` tells from then on; `wake` asks for a tick.
    """

    def __init__(
        self,
        partition: int,
        finish_queue: FinishQueue,
        purge: Purge,
        limits: AssembleLimits,
        *,
        now_ms: Callable[[], int],
        started_s: float,
        wake: Wake,
    ) -> None:
        self._owner = (partition, object())  # a rebuilt logic must not get the outcomes of its predecessor
        self._finish_queue = finish_queue
        self._purge = purge
        self._limits = limits
        self._now_ms = now_ms
        self._wake = wake
        self._documents = Documents()
        self._clock = CaughtUpClock()
        self._now_s = started_s
        self._look_at_s = started_s
        self._tell_at_s = started_s
        self._purging: dict[str, tuple[tuple[Submission, ...], Future[None]]] = {}
        self._purge_at_s = started_s
        self._untold: set[str] = set()
        self.counts: Counter[tuple[str, str]] = Counter()
        """What became of every event: (its type, `folded` or why it was skipped)."""

    @property
    def full(self) -> bool:
        """Whether finishing cannot keep up."""
        return self._finish_queue.full

    def restore(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Takes over the changelog. Documents that are complete are finished again. Raises Undecodable for an entry of no known schema."""
        self._documents.restore(entries, self._clock.now_s)

    def process(self, record: Record) -> Effects:
        """Folds one record of `pages.events`."""
        if record.value is None:
            return self._refuse(record, "a record without a value")
        try:
            event = open_envelope(record.value)
        except Undecodable as error:
            return self._refuse(record, str(error))
        if record.key != event.document_id.encode():
            return self._refuse(record, "its key is not the id of its document, so it may stand on a foreign partition")
        return self._fold(event.document_id, event)

    def tick(self, now_s: float, caught_up: bool) -> Effects:
        """What finished, what is overdue, what changed: see the module."""
        self._now_s = now_s
        self._clock.look(now_s, caught_up)
        effects = [self._finished(job.key, job.task, outcome) for job, outcome in self._finish_queue.collect(self._owner, now_s)]
        if self._purging:
            effects += self._purged()
        if now_s >= self._look_at_s:
            self._look_at_s = now_s + LOOK_S
            effects += self._look()
        if self._untold and now_s >= self._tell_at_s:
            self._tell_at_s = now_s + TELL_LOOK_S
            effects.append(self._tell())
        return together(effects)

    def close(self) -> None:
        """Gives up what runs in the background: who has the partition next finds it in the state."""
        self._finish_queue.withdraw(self._owner)
        for _, future in self._purging.values():
            future.cancel()
        if self.counts:
            log.info(
                "assemble.partition_closed",
                partition=self._owner[0],
                **{f"{event}.{outcome}": n for (event, outcome), n in sorted(self.counts.items())},
            )

    def _fold(self, document_id: str, event: Event) -> Effects:
        document = self._documents.get(document_id, self._clock.now_s)
        state = document.state
        was_opened = state.record.opened if state.record else None
        step = fold(state, document_id, event, self._now_ms())
        self.counts[type(event).__name__, step.skipped.value if step.skipped else "folded"] += 1
        if step.skipped:
            return NOTHING
        state.apply(step.changes)
        opened = state.record.opened if state.record else None
        if isinstance(event, PageRead | WindowAnswered | DocumentOpened):
            document.progress_s = self._clock.now_s
            document.read_s = document.read_s if isinstance(event, WindowAnswered) else self._clock.now_s
        if opened is not was_opened:
            if document.offered:
                self._finish_queue.withdraw(self._owner, document_id)
            document.offered = False
            document.told_s = self._now_s
        self._documents.keep(document_id, document, reopened=opened is not None and opened is not was_opened)
        if opened is None:
            self._untold.discard(document_id)
        elif opened is was_opened:
            self._untold.add(document_id)
        self._carry_on(document_id, document)
        return effects_of(document_id, entries_of(document_id, step.changes), step.outputs)

    def _carry_on(self, document_id: str, document: WorkingDocument) -> None:
        """Starts in the background what the state asks for: finishing what is complete, removing the blobs of what was deleted."""
        record = document.state.record
        if record is None:
            return
        if record.opened is not None and document.state.complete and not document.offered:
            document.offered = True
            document.offered_s = self._now_s
            task = self._finish_task(document, record.opened, revision_of(record.opened.submission, record.last_revision))
            size = sum(map(len, task.raw_events))
            self._finish_queue.offer(Job(self._owner, document_id, size, task, self._wake), self._now_s)
        room = len(self._purging) < MAX_PURGING and self._now_s >= self._purge_at_s
        if record.purge and room and document_id not in self._purging:
            self._purging[document_id] = (record.purge, self._purge(document_id, record.purge))

    def _finish_task(self, document: WorkingDocument, opened: DocumentOpened, revision: int) -> FinishTask:
        state, limits = document.state, self._limits
        return FinishTask(
            opened=opened,
            raw_events=(*(page.raw for page in state.pages.values()), *(window.raw for window in state.windows.values())),
            revision=revision,
            blob_url=limits.blob_url,
            trusted_confidence=limits.trusted_confidence,
            inline_bytes=limits.inline_bytes,
            event_bytes=limits.event_bytes,
            as_json=limits.parsed_as_json,
        )

    def _finished(self, document_id: str, task: FinishTask, outcome: Finished | PageloomError) -> Effects:
        submission = task.opened.submission
        if isinstance(outcome, Finished):
            return self._fold(document_id, DocumentFinished(submission, task.revision, outcome.status, outcome.parsed, outcome.failed))
        return self._finish_failed(document_id, submission, outcome)

    def _finish_failed(self, document_id: str, submission: Submission, error: PageloomError) -> Effects:
        where = f"document {document_id!r}, submission {submission.id}: its pages could not be made a document"
        failure = PageloomError(error.code, f"{where}: {error}").failure(Stage.ASSEMBLE)
        log.warning("assemble.document_not_finished", document_id=document_id, submission=submission.id, code=error.code.value)
        return self._fold(document_id, FinishFailed(submission, failure))

    def _look(self) -> list[Effects]:
        """Once in a while: deadlines, expired records, and what waits to be carried on after a restore or a pause."""
        effects = []
        limits, now_ms = self._limits, self._now_ms()
        late = overdue(
            self._documents.waiting(), clock_s=self._clock.now_s, now_ms=now_ms,
            no_progress_timeout_s=limits.no_progress_timeout_s, document_timeout_s=limits.document_timeout_s,
        )  # fmt: skip
        for document_id, why in list(late):
            opened = self._open_document(document_id)
            if opened is not None:
                log.warning("assemble.document_waits_no_more", document_id=document_id, submission=opened.submission.id, why=why)
                effects.append(self._fold(document_id, DeadlinePassed(opened.submission, why)))
        expired_ms = now_ms - limits.record_retention_ms
        for document_id, document in list(self._documents.working.items()):
            self._carry_on(document_id, document)
            effects += self._given_up(document_id, document, expired_ms)
        effects += [self._fold(document_id, RecordExpired()) for document_id in self._documents.expired(expired_ms, EXPIRED_AT_ONCE)]
        return effects

    def _given_up(self, document_id: str, document: WorkingDocument, expired_ms: int) -> list[Effects]:
        """Ends what the other deadlines do not see: finishing that never comes to an end, pages of a document that is never opened."""
        record = document.state.record
        if record is None:
            return []
        if record.opened is not None:
            if not document.offered or self._now_s - document.offered_s <= self._limits.document_timeout_s:
                return []
            waited = f"{self._limits.document_timeout_s:g} s after its last page (document_timeout_s of the settings)"
            error = PageloomError(Code.TIMED_OUT, f"not finished {waited}; look at the blob store")
            return [self._finish_failed(document_id, record.opened.submission, error)]
        return [self._fold(document_id, RecordExpired())] if record.updated_ms < expired_ms and not record.purge else []

    def _purged(self) -> list[Effects]:
        effects = []
        for document_id, (submissions, future) in list(self._purging.items()):
            if not future.done():
                continue
            del self._purging[document_id]
            error = None if future.cancelled() else future.exception()
            if future.cancelled() or error is not None:
                log.warning("assemble.blobs_not_removed_yet", document_id=document_id, error=str(error or "stopped from outside"))
                self._purge_at_s = self._now_s + PURGE_PAUSE_S
                continue
            effects.append(self._fold(document_id, RunsPurged(submissions)))
        return effects

    def _tell(self) -> Effects:
        """Progress of the documents that got on since they were told of last."""
        outputs = []
        for document_id in list(self._untold):
            document = self._documents.working.get(document_id)
            opened = self._open_document(document_id)
            if document is None or opened is None:
                self._untold.discard(document_id)
            elif self._now_s - document.told_s >= TELL_S:
                self._untold.discard(document_id)
                document.told_s = self._now_s
                progress = Progress.FINISHING if document.state.complete else Progress.READING
                outputs.append(output_record(document_id, Output(topics.PROGRESS, progress_of(document.state, opened, progress))))
        return Effects((), outputs, urgent=False) if outputs else NOTHING

    def _open_document(self, document_id: str) -> DocumentOpened | None:
        document = self._documents.working.get(document_id)
        return document.state.record.opened if document and document.state.record else None

    def _refuse(self, record: Record, why: str) -> Effects:
        self.counts["record", "dead_lettered"] += 1
        return refused(record, PageloomError(Code.UNDECODABLE, why))
