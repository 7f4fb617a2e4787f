"""The worker's decisions between log and engine: what becomes of a record, what is read next, what is written, what may be committed.

Knows values, not Kafka: `take` a record, `step`, write what `outgoing` says, and tell `written` when it was acknowledged. Every request is
answered; an offset becomes committable only after the answer of its request was acknowledged. What was being read when a worker died is read alone,
and fails where that ends a worker again and again (see `journal`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog
from msgspec import Struct

from inference.cancellations import Cancellations
from inference.journal import Journal, Standing, Unrecorded
from inference.lanes import Lanes
from inference.offsets import Offsets, Partition
from inference.reading import failed_page
from inference.scheduler import Budget, Scheduler, Task, Urgency
from inference.types import EngineSpec, UnitKey
from inference.windows import AnsweredWindow, Malformed, Position, WaitingUnit, Windows, answer, check
from schemas import codec
from schemas.dead_letters import dead_lettered
from schemas.errors import Code, PageloomError, Stage
from schemas.events import DocumentCancelled, PageWindowRequested, Priority, RecognizedPage

MESSAGE_OVERHEAD_BYTES = 1024
"""Key and framing of a message beside its value."""

NOWHERE: Position = (("", -1), -1)
"""The position of a record that answers no request."""

URGENCY = {Priority.INTERACTIVE: Urgency.INTERACTIVE, Priority.NORMAL: Urgency.NORMAL, Priority.BULK: Urgency.BULK}

log = structlog.get_logger(__name__)


@dataclass
class InferCounts:
    """How the records of this worker ended, and its pages."""

    windows: int = 0
    answered: int = 0
    dead_lettered: int = 0
    repeated: int = 0
    recognized: int = 0
    cached: int = 0
    failed: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    """Failed pages by code."""
    batches: int = 0
    batch_pages: int = 0
    waiting: int = 0
    """Units that wait, as of the last step; the next two likewise."""
    running: int = 0
    lanes: int = 0


class Incoming(Struct, frozen=True):
    """A record of a source topic."""

    partition: Partition
    offset: int
    key: bytes | None
    value: bytes | None
    express: bool = False


class Outgoing(Struct, frozen=True):
    """A record to write. `position` is the request that it answers, or `NOWHERE`; `dead_letter` says which topic it goes to."""

    position: Position
    key: bytes | None
    value: bytes
    dead_letter: bool = False


class Desk:
    """One worker's state. Used by one thread; lanes work beside it."""

    def __init__(
        self,
        spec: EngineSpec,
        lanes: Lanes,
        budget: Budget,
        *,
        window_queue: int,
        max_message_bytes: int,
        counts: InferCounts,
        journal: Journal | None = None,
    ) -> None:
        self._spec = spec
        self._journal = journal or Unrecorded()
        self._lanes = lanes
        self._max_value_bytes = max_message_bytes - MESSAGE_OVERHEAD_BYTES
        self._windows = Windows(spec.version())
        self._scheduler = Scheduler(budget, max_waiting=window_queue, express_reserve=max(1, window_queue // 10))
        self._cancelled = Cancellations()
        self._units: dict[UnitKey, WaitingUnit] = {}
        self._offsets = Offsets()
        self._requests: dict[Position, PageWindowRequested] = {}
        self._outgoing: list[Outgoing] = []
        self.counts = counts

    @property
    def full(self) -> bool:
        """Whether ordinary partitions are to be paused."""
        return self._scheduler.full

    @property
    def overfull(self) -> bool:
        """Whether express partitions are to be paused as well."""
        return self._scheduler.overfull

    @property
    def busy(self) -> bool:
        """Whether anything waits or is being read."""
        return bool(self._scheduler.waiting or self._scheduler.running)

    @property
    def reading(self) -> bool:
        """Whether anything is being read."""
        return self._scheduler.running > 0

    @property
    def occupied(self) -> bool:
        """Whether every lane reads: a record that came now could not begin."""
        return self.reading and not self._lanes.idle

    def wait(self, within_s: float) -> None:
        """Until a lane has read its batch, or so many seconds have passed."""
        self._lanes.wait(within_s)

    def take(self, record: Incoming, now_s: float) -> None:
        """Takes a record on. One that is in work already (it came again after a rebalance) is left to that work."""
        position = (record.partition, record.offset)
        if not self._offsets.begin(record.partition, record.offset):
            self.counts.repeated += 1
            return
        self.counts.windows += 1
        try:
            request = codec.decode(record.value or b"", PageWindowRequested)
            check(request)
        except (codec.Undecodable, Malformed) as error:
            self._dead_letter(record, str(error))
            return
        self._requests[position] = request
        if request.engine != self._spec.name:
            own = self._spec.name
            message = (
                f"engine {request.engine!r} is not the one of the infer workers, {own!r}: start them with it (`PAGELOOM_ENGINE`), or leave it out"
            )
            self._answer_failed(position, request, Code.ENGINE_UNKNOWN, message)
            return
        if (cancelled := self._cancelled.of(request)) is not None:
            self._pass_on(cancelled)
            self._answer_failed(position, request, Code.CANCELLED, "it was cancelled")
            return
        for unit in self._windows.accept(position, request, self._spec.capabilities.window_pages):
            standing = self._journal.standing(unit.key)
            self._units[unit.key] = unit
            if unit.key in self._scheduler:
                continue
            if standing.is_convicted:
                self._fail_convicted(unit, standing)
            else:
                self._scheduler.add(_task(unit, express=record.express, alone=standing.is_suspect), now_s)

    def step(self, now_s: float) -> None:
        """Takes in what was read, and hands out what is next. Raises what ended a lane."""
        for outcome in self._lanes.collect():
            self._scheduler.update(outcome.batch)
            self._journal.end([task.key for task in outcome.batch.tasks])
            for unit, pages in zip(outcome.units, outcome.pages, strict=True):
                self._settle(unit.key, pages)
        while self._lanes.idle and (batch := self._scheduler.schedule(now_s)) is not None:
            self._journal.begin([task.key for task in batch.tasks], alone=batch.tasks[0].alone)
            self._lanes.submit(batch, [self._units[task.key] for task in batch.tasks])
            self.counts.batches += 1
            self.counts.batch_pages += sum(task.pages for task in batch.tasks)
        self.counts.waiting, self.counts.running, self.counts.lanes = self._scheduler.waiting, self._scheduler.running, self._lanes.limit

    def outgoing(self) -> list[Outgoing]:
        """What is to be written, once."""
        out, self._outgoing = self._outgoing, []
        return out

    def written(self, position: Position) -> None:
        """The record that answers a request was acknowledged."""
        self._requests.pop(position, None)
        self._offsets.finish(*position)

    def refused(self, position: Position) -> None:
        """The broker finds an answer too large: it is answered by failures, which are small."""
        request = self._requests.get(position)
        if request is not None:
            self._answer_failed(position, request, Code.MESSAGE_TOO_LARGE, "the answer is larger than a message may be")

    def committable(self) -> dict[Partition, int]:
        """What may be committed now."""
        return self._offsets.committable()

    def committed(self, offsets: dict[Partition, int]) -> None:
        """These were committed."""
        self._offsets.committed(offsets)

    def revoke(self, partitions: set[Partition]) -> None:
        """Partitions were taken away: what waits for them is dropped, what is being read for them fills only the cache."""
        for task in self._scheduler.drop(self._windows.forget(partitions)):
            self._units.pop(task.key, None)
        self._requests = {position: request for position, request in self._requests.items() if position[0] not in partitions}
        self._outgoing = [out for out in self._outgoing if out.position[0] not in partitions]
        self._offsets.forget(partitions)

    def cancel(self, event: DocumentCancelled) -> None:
        """Nobody wants a document any longer: what waits of it, or comes yet, is answered as cancelled; what is being read is ended if that helps."""
        self._cancelled.add(event)
        units = self._windows.units_of(event.document_id, event.requested_ms)
        if units:
            self._pass_on(event)
        self._lanes.cancel(units)
        for task in self._scheduler.drop(units):
            unit = self._units[task.key]
            message = f"document {event.document_id!r} was cancelled"
            self._settle(unit.key, [failed_page(image.page, Code.CANCELLED, message) for image in unit.images])

    def drop_waiting(self) -> None:
        """The worker stops: what waits is left to the next owner of its partition."""
        self._scheduler.drop(list(self._units))

    def _pass_on(self, event: DocumentCancelled) -> None:
        """Before the answers: where they came first, the document would end as one whose pages failed, and not as cancelled."""
        self._outgoing.append(Outgoing(NOWHERE, event.document_id.encode(), codec.encode(event)))

    def _fail_convicted(self, unit: WaitingUnit, standing: Standing) -> None:
        log.error("infer.unit_ends_workers", document=unit.request.document_id, pages=[image.page for image in unit.images], deaths=standing.deaths)
        message = f"document {unit.request.document_id!r}: the worker died {standing.alone} times while it read this page alone"
        self._settle(unit.key, [failed_page(image.page, Code.CRASHED, message, standing.alone) for image in unit.images])

    def _settle(self, key: UnitKey, pages: Sequence[RecognizedPage]) -> None:
        self._units.pop(key, None)
        for page in pages:
            self.counts.failed += page.failure is not None
            self.counts.recognized += page.failure is None
            self.counts.cached += page.cached
            if page.failure is not None:
                self.counts.failures[page.failure.code.value] += 1
        for window in self._windows.settle(key, pages):
            self._emit(window)

    def _emit(self, window: AnsweredWindow) -> None:
        value = codec.encode(window.event)
        if len(value) > self._max_value_bytes:
            self.refused(window.position)
            return
        self.counts.answered += 1
        self._outgoing.append(Outgoing(window.position, window.event.document_id.encode(), value))

    def _answer_failed(self, position: Position, request: PageWindowRequested, code: Code, message: str) -> None:
        pages = [failed_page(i.page, code, f"document {request.document_id!r}, page {i.page}: {message}") for i in request.images]
        event = answer(request, pages, self._spec.version())
        self.counts.answered += 1
        self.counts.failed += len(pages)
        self.counts.failures[code.value] += len(pages)
        self._outgoing.append(Outgoing(position, request.document_id.encode(), codec.encode(event)))

    def _dead_letter(self, record: Incoming, message: str) -> None:
        error = PageloomError(Code.UNDECODABLE, message)
        letter = dead_lettered((*record.partition, record.offset), record.key, record.value, Stage.INFER, error)
        log.warning("infer.dead_letter", topic=letter.topic, partition=letter.partition, offset=letter.offset, error=message)
        self.counts.dead_lettered += 1
        self._outgoing.append(Outgoing((record.partition, record.offset), record.key, codec.encode(letter), dead_letter=True))


def _task(unit: WaitingUnit, *, express: bool, alone: bool) -> Task:
    urgency = Urgency.INTERACTIVE if express else URGENCY[unit.request.priority]
    return Task(
        key=unit.key,
        tenant=unit.request.tenant,
        document=unit.request.document_id,
        urgency=urgency,
        pages=len(unit.images),
        pixels=sum(image.width_px * image.height_px for image in unit.images),
        alone=alone,
    )
