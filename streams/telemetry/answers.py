"""Watches the stages that answer records, `open` and `read`: their answer stays what it is, with the trace in its headers."""

import dataclasses
import time
from collections.abc import Awaitable, Callable

from streams.kafka.records import OutputRecord, Record
from streams.telemetry.metrics import EVENTS, IN_WORK, QUEUE_AGE, WORK, Reading
from streams.telemetry.outcomes import FAILURES, outcome_of
from streams.telemetry.spans import Headers, about
from streams.telemetry.telemetry import Telemetry

Batches = tuple[tuple[OutputRecord, ...], ...]
Answer = Callable[[Record], Awaitable[Batches]]


def watched(answer: Answer, stage: str, telemetry: Telemetry) -> Answer:
    """The answer, watched; itself where nobody is told."""
    if telemetry.silent:
        return answer
    meters, in_work = telemetry.meters, [0]
    meters.watch(lambda: [Reading(IN_WORK, (stage,), in_work[0])])

    async def watching(record: Record) -> Batches:
        begun_s = time.monotonic()
        meters.observe(QUEUE_AGE, queue_age_s(record), stage, record.topic)
        span = telemetry.tracer.begin(stage, record.headers, about(record.key))
        problem = "internal"
        in_work[0] += 1
        try:
            batches = await answer(record)
            problem = _told(telemetry, stage, batches)
            return with_headers(batches, span.headers)
        finally:
            in_work[0] -= 1
            span.end(problem)
            meters.observe(WORK, time.monotonic() - begun_s, stage, record.topic)

    return watching


def queue_age_s(record: Record) -> float:
    """How long a record has been on the log. Clocks differ: never negative."""
    return max(0.0, time.time() - record.timestamp_ms / 1000) if record.timestamp_ms >= 0 else 0.0


def with_headers(batches: Batches, headers: Headers) -> Batches:
    """The batches, each record with these headers besides its own."""
    if not headers:
        return batches
    return tuple(tuple(dataclasses.replace(record, headers=(*record.headers, *headers)) for record in batch) for batch in batches)


def _told(telemetry: Telemetry, stage: str, batches: Batches) -> str:
    """Counts what was written; gives back the code of the last failure, or an empty text."""
    problem = ""
    for batch in batches:
        for record in batch:
            event, code = outcome_of(record.value)
            telemetry.meters.count(EVENTS, stage, event, code)
            if event in FAILURES:
                problem = code
    return problem
