"""Watches an infer worker: its requests as spans, its counts as metrics. What it is to `inference` stands in `inference.observing`."""

import time
from collections.abc import Iterable

from inference.desk import InferCounts
from inference.observing import Position
from streams.telemetry.metrics import (
    BATCH_ITEMS,
    BATCHES,
    CAPACITY,
    EVENTS,
    IN_WORK,
    PAGES,
    QUEUE_AGE,
    WAITING,
    WORK,
    Reading,
)
from streams.telemetry.spans import Headers, Span, about
from streams.telemetry.telemetry import Telemetry

STAGE = "infer"


class RecognitionObserver:
    """See `inference.observing.Observer`. Used by the worker's thread; the counts are read by another."""

    def __init__(self, telemetry: Telemetry, counts: InferCounts) -> None:
        self._telemetry = telemetry
        self._counts = counts
        self._taken: dict[Position, tuple[Span, float]] = {}
        telemetry.meters.watch(self._readings)

    def taken(self, position: Position, key: bytes | None, headers: Headers, appended_ms: int) -> None:
        """See `Observer.taken`."""
        if position in self._taken:
            return
        if appended_ms >= 0:
            self._telemetry.meters.observe(QUEUE_AGE, max(0.0, time.time() - appended_ms / 1000), STAGE, position[0][0])
        self._taken[position] = (self._telemetry.tracer.begin(STAGE, headers, about(key)), time.monotonic())

    def answered(self, position: Position) -> Headers:
        """See `Observer.answered`."""
        taken = self._taken.pop(position, None)
        if taken is None:
            return ()
        span, begun_s = taken
        span.end()
        self._telemetry.meters.observe(WORK, time.monotonic() - begun_s, STAGE, position[0][0])
        return span.headers

    def forgotten(self, partitions: Iterable[tuple[str, int]]) -> None:
        """See `Observer.forgotten`."""
        gone = set(partitions)
        for position in [position for position in self._taken if position[0] in gone]:
            self._taken.pop(position)[0].end("revoked")

    def _readings(self) -> list[Reading]:
        counts = self._counts
        pages = {"recognized": counts.recognized, "cached": counts.cached, "failed": counts.failed}
        return [
            *(Reading(PAGES, (outcome,), number) for outcome, number in pages.items()),
            *(Reading(EVENTS, (STAGE, "PageWindowRecognized", code), number) for code, number in list(counts.failures.items())),
            Reading(EVENTS, (STAGE, "PageWindowRecognized", ""), counts.answered),
            Reading(EVENTS, (STAGE, "DeadLettered", "undecodable"), counts.dead_lettered),
            Reading(BATCHES, (STAGE,), counts.batches),
            Reading(BATCH_ITEMS, (STAGE,), counts.batch_pages),
            Reading(IN_WORK, (STAGE,), counts.running),
            Reading(WAITING, (STAGE,), counts.waiting),
            Reading(CAPACITY, (STAGE,), counts.lanes),
        ]
