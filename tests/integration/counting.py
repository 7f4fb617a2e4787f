"""A small processor for the tests, in process or as a program of its own: counts records by key and writes every count.

As a program (`python -m tests.integration.counting BOOTSTRAP APPLICATION SOURCE CHANGELOG OUTPUT DIE_AFTER MARKER`) it kills itself, with SIGKILL
and in the middle of a transaction, after DIE_AFTER records, unless the file MARKER says that it has done so already.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from streams.kafka.lifecycle import CutPolicy
from streams.kafka.logic import NOTHING, Effects
from streams.kafka.processor import Processor
from streams.kafka.processor_options import ProcessorOptions
from streams.kafka.records import OutputRecord, Record

POISON_VALUE = b"poison"


class PoisonedError(Exception):
    """The logic cannot digest a record."""


class Counting:
    """Counts by key; the state entry of a key is its count as text."""

    full = False

    def __init__(self, output: str, on_record: Callable[[Record], None] | None = None) -> None:
        self.counts: dict[bytes, int] = {}
        self.caught_up = False
        self.is_closed = False
        self._output = output
        self._on_record = on_record

    def restore(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        self.counts = {key: int(value) for key, value in entries}

    def process(self, record: Record) -> Effects:
        key = record.key or b""
        self.counts[key] = self.counts.get(key, 0) + 1
        if record.value == POISON_VALUE:
            raise PoisonedError("cannot be digested")
        if self._on_record is not None:
            self._on_record(record)
        count = b"%d" % self.counts[key]
        return Effects(state=[(key, count)], outputs=[OutputRecord(self._output, key, (record.value or b"") + b"=" + count)])

    def tick(self, now_s: float, caught_up: bool) -> Effects:
        self.caught_up = caught_up
        return NOTHING

    def close(self) -> None:
        self.is_closed = True


def dead_letter(topic: str) -> Callable[[Record, Exception], Effects]:
    """A poison callback that writes the record's offset and the name of the error."""

    def poison(record: Record, error: Exception) -> Effects:
        return Effects(outputs=[OutputRecord(topic, record.key, f"{record.offset}:{type(error).__name__}".encode())])

    return poison


def main(arguments: list[str]) -> None:
    """Runs until killed."""
    bootstrap, application, source, changelog, output, die_after, marker = arguments
    seen = 0

    def die_once(_record: Record) -> None:
        nonlocal seen
        seen += 1
        if seen > int(die_after) and not Path(marker).exists():
            Path(marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)

    options = ProcessorOptions(
        bootstrap,
        application,
        source,
        changelog,
        # Cuts by count alone, so that the kill falls into an open transaction of which much is on the log already.
        policy=CutPolicy(max_records=300, max_age_s=5.0, idle_s=1.0, patient_s=5.0),
        linger_ms=50,
        session_timeout_ms=2_000,
        static_id=f"{application}-child",
    )
    Processor(options, lambda _partition, _wake: Counting(output, die_once), dead_letter(output)).run(lambda: False)


if __name__ == "__main__":
    main(sys.argv[1:])
