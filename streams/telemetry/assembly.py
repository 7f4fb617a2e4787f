"""Watches the logic of a partition of `assemble`: what it publishes carries the trace of its document, from the first record to the last.

The context of a document is kept in memory, as long as the document is unfinished; after a restart it comes from the next record of the document.
Work of a transaction that is aborted is counted again when it is done again.
"""

import dataclasses
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

from msgspec import Struct

from schemas import codec
from schemas.events import Progress
from schemas.identity import Submission
from streams.kafka.logic import Effects, LogicFactory, PartitionLogic, Wake
from streams.kafka.records import OutputRecord, Record
from streams.telemetry.answers import queue_age_s
from streams.telemetry.metrics import DOCUMENT, EVENTS, IN_WORK, QUEUE_AGE, Reading
from streams.telemetry.outcomes import FAILURES, outcome_of
from streams.telemetry.spans import TRACEPARENT, Headers, about
from streams.telemetry.telemetry import Telemetry
from streams.topics import FAILED, PARSED, PROGRESS

STAGE = "assemble"
MAX_CONTEXTS = 100_000
"""Of unfinished documents of a partition, some 200 bytes each; the oldest goes first."""
ENDED = (Progress.COMPLETE, Progress.PARTIAL, Progress.FAILED)


class _Ended(Struct, frozen=True):
    """Of a record of progress."""

    submission: Submission
    progress: Progress


def watched_logic(factory: LogicFactory, telemetry: Telemetry) -> LogicFactory:
    """The factory, its logics watched; itself where nobody is told."""
    if telemetry.silent:
        return factory
    living: set[_WatchedLogic] = set()
    telemetry.meters.watch(lambda: [Reading(IN_WORK, (STAGE,), sum(logic.unfinished for logic in list(living)))])

    def watched(partition: int, wake: Wake) -> PartitionLogic:
        logic = _WatchedLogic(factory(partition, wake), telemetry, living.discard)
        living.add(logic)
        return logic

    return watched


class _WatchedLogic:
    """See `PartitionLogic`."""

    def __init__(self, logic: PartitionLogic, telemetry: Telemetry, closed: Callable[["_WatchedLogic"], None]) -> None:
        self._logic = logic
        self._on_close = closed
        self._telemetry = telemetry
        self._contexts: OrderedDict[bytes, tuple[Headers, int]] = OrderedDict()
        """By document: the context, and when its first record came (nanoseconds since the epoch)."""

    @property
    def unfinished(self) -> int:
        """Documents of which records came since the partition was assigned, and that have not ended."""
        return len(self._contexts)

    @property
    def full(self) -> bool:
        """See `PartitionLogic.full`."""
        return self._logic.full

    def restore(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """See `PartitionLogic.restore`."""
        self._logic.restore(entries)

    def process(self, record: Record) -> Effects:
        """See `PartitionLogic.process`."""
        self._telemetry.meters.observe(QUEUE_AGE, queue_age_s(record), STAGE, record.topic)
        if record.key is not None and record.key not in self._contexts:
            self._contexts[record.key] = (tuple(h for h in record.headers if h[0] == TRACEPARENT), time.time_ns())
            if len(self._contexts) > MAX_CONTEXTS:
                self._contexts.popitem(last=False)
        return self._told(self._logic.process(record))

    def tick(self, now_s: float, caught_up: bool) -> Effects:
        """See `PartitionLogic.tick`."""
        return self._told(self._logic.tick(now_s, caught_up))

    def close(self) -> None:
        """See `PartitionLogic.close`."""
        self._on_close(self)
        self._logic.close()

    def _told(self, effects: Effects) -> Effects:
        """Counts what is published, and gives the ends of documents their context."""
        if not effects.outputs:
            return effects
        outputs = []
        for output in effects.outputs:
            event, code = outcome_of(output.value)
            if output.topic == PROGRESS.name:
                self._progressed(output)
            else:
                self._telemetry.meters.count(EVENTS, STAGE, event, code)
            outputs.append(self._ended(output, code if event in FAILURES else "") if output.topic in (PARSED.name, FAILED.name) else output)
        return dataclasses.replace(effects, outputs=outputs)

    def _ended(self, output: OutputRecord, problem: str) -> OutputRecord:
        headers, started_ns = self._contexts.pop(output.key or b"", ((), time.time_ns()))
        span = self._telemetry.tracer.begin(STAGE, headers, about(output.key), started_ns)
        span.end(problem)
        return dataclasses.replace(output, headers=(*output.headers, *span.headers))

    def _progressed(self, output: OutputRecord) -> None:
        """How long a document took, told by its last record of progress."""
        if output.value is None:
            return
        try:
            told = codec.decode(output.value, _Ended, "DocumentProgressed")
        except codec.Undecodable:
            return
        if told.progress in ENDED:
            self._telemetry.meters.observe(DOCUMENT, max(0.0, time.time() - told.submission.appended_ms / 1000), told.progress.value)
