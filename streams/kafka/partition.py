"""One assigned partition of the transactional processor: its thread, its writer, its logic.

Guarantees: state changes, outputs and source offset of a record become visible together or not at all; a record that the logic fails on becomes
what `poison` makes of it, once; after an abort the logic is made again from what is committed. Consumes nothing itself: the poll loop hands
records over, and sets the source to where the restored state begins.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from confluent_kafka import TopicPartition

from streams.kafka.changelog import CommittedReader
from streams.kafka.errors import ProcessorError
from streams.kafka.handover import Handover
from streams.kafka.lifecycle import TICK_S, CutPolicy, OpenTransaction, Stage
from streams.kafka.logic import Effects, LogicFactory, PartitionLogic, Poison
from streams.kafka.records import OutputRecord, Record, check_size
from streams.kafka.transactions import CancelledError, TransactionAbortedError, TransactionalWriter, WriterFencedError

_log = logging.getLogger(__name__)

_TICK_ERRORS = 3
"""In a row, with a rebuild after each: then the fault is not one of timing."""
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 2.0
"""Between rebuilds without a commit: doubled each time."""


@dataclass(frozen=True, slots=True)
class PartitionSetup:
    """What all partitions of a processor share. `group_metadata` is the membership as the poll loop last saw it."""

    group_id: str
    source: str
    changelog: str
    factory: LogicFactory
    poison: Poison
    policy: CutPolicy
    max_message_bytes: int
    writer_config: Callable[[int], Mapping[str, Any]]
    reader_config: Mapping[str, Any] = field(repr=False)  # may hold secrets
    group_metadata: Callable[[], Any]


@dataclass(slots=True)
class PartitionCounts:
    """What became of a partition's records since it was assigned; only what is committed counts."""

    processed: int = 0
    poisoned: int = 0
    transactions: int = 0
    rebuilds: int = 0
    restored_entries: int = 0

    def add(self, part: "PartitionCounts") -> None:
        """Counts those of another as well."""
        for counter in fields(self):
            setattr(self, counter.name, getattr(self, counter.name) + getattr(part, counter.name))


class PartitionTask:
    """The life of one assigned partition, from assignment to close. The poll loop uses `start`, `handover`, `join` and reads the results."""

    def __init__(self, partition: int, setup: PartitionSetup) -> None:
        """Not started yet."""
        self.partition = partition
        self.handover = Handover()
        self.counts = PartitionCounts()
        self.failure: Exception | None = None
        """Why the partition failed, once it did."""
        self._setup = setup
        self._name = f"{setup.source}, partition {partition}"
        self._writer: TransactionalWriter | None = None
        self._logic: PartitionLogic | None = None
        self._position: int | None = None  # after the last record folded; None before the group's first
        self._committed: int | None = None
        self._open: OpenTransaction | None = None
        self._poisons: dict[int, Exception] = {}
        self._tick_errors = 0
        self._rebuilds_in_a_row = 0
        self._thread = threading.Thread(target=self._live, name=f"{setup.source}-{partition}", daemon=True)

    def start(self) -> None:
        """Begins to restore, in the partition's own thread."""
        self._thread.start()

    def hangs(self, now_s: float, patience: float) -> bool:
        """Whether its thread waits for a call of the client library that may never return; see `TransactionalWriter.hangs`."""
        writer = self._writer
        return writer is not None and writer.hangs(now_s, patience)

    def join(self, timeout_s: float) -> bool:
        """Waits for the thread; whether it has ended."""
        self._thread.join(max(0.0, timeout_s))
        return not self._thread.is_alive()

    # -- all below runs in the thread

    def _live(self) -> None:
        handover = self.handover
        try:
            while handover.stage is Stage.RESTORING:
                self._restore()
                handover.await_decision()
                self._work()
        except CancelledError:
            pass
        except WriterFencedError as error:
            _log.warning("%s: fenced (%s)", self._name, error)
            handover.move(Stage.FENCED)
        except Exception as error:  # noqa: BLE001 - the edge of a thread: the poll loop raises it
            self.failure = error
            handover.move(Stage.FAILED)
        finally:
            self._close()

    def _restore(self) -> None:
        """Fences older writers (once), reads the committed offset and the changelog, and makes the logic from them."""
        started_s = time.monotonic()
        setup, cancelled = self._setup, self.handover.is_taken_away
        with CommittedReader(setup.reader_config, setup.group_id, cancelled) as reader:
            if self._writer is None:
                self._writer = TransactionalWriter(setup.writer_config(self.partition), setup.changelog)
                self._writer.fence(cancelled)
                self._committed = reader.source_offset(setup.source, self.partition, self._void_offset)
            entries = reader.live_entries(setup.changelog, self.partition, self._writer.committed_changelog_offset)
        self._logic = setup.factory(self.partition, self.handover.wake)
        try:
            self._logic.restore(entries.items())
        except Exception as error:
            raise ProcessorError(
                f"{self._name}: the state in {setup.changelog} cannot be restored ({type(error).__name__}: {error}); it was written by another "
                "version or is damaged: run the version that wrote it, and report it"
            ) from error
        self._position = self._committed
        self.counts.restored_entries = len(entries)
        self.handover.restored(self._position)
        _log.info("%s: %d state entries restored in %.2f s, from offset %s", self._name, len(entries), time.monotonic() - started_s, self._position)

    def _void_offset(self) -> None:
        """The committed offset stays in doubt although no older writer is left: see the writer. One that is refused now is tried again."""
        assert self._writer is not None
        _log.warning("%s: an offset of an earlier writer is in doubt; ending it", self._name)
        with contextlib.suppress(TransactionAbortedError):
            self._writer.void_offset(TopicPartition(self._setup.source, self.partition, 0), self._setup.group_metadata)

    def _work(self) -> None:
        """Processes until the stage changes; an abort leaves it at RESTORING."""
        handover = self.handover
        try:
            while handover.stage is Stage.RUNNING:
                for record in handover.take(self._wait_s()):
                    self._fold(record)
                    self._commit_if_due(records_wait=True)
                    if handover.stage is not Stage.RUNNING:
                        break
                self._tick()
                self._commit_if_due(records_wait=handover.records_wait)
            if handover.stage is Stage.STOPPING and self._open is not None:
                self._commit()
        except TransactionAbortedError as error:
            self._rebuild(f"transaction aborted ({error})")

    def _wait_s(self) -> float:
        """How long to wait for a record before it is time to tick or commit."""
        return TICK_S if self._open is None else min(TICK_S, self._setup.policy.wait_s(self._open, time.monotonic()))

    def _fold(self, record: Record) -> None:
        """One record into the logic and the open transaction; a failing one is remembered as poison and everything rebuilt."""
        assert self._logic is not None
        cause = self._poisons.get(record.offset)
        if cause is not None:
            effects = self._setup.poison(record, cause)
            self._check_sizes(effects)
        else:
            try:
                effects = self._logic.process(record)
                self._check_sizes(effects)
            except Exception as error:
                # Its text may quote the document: only the dead letter says it, by the caller's own rules.
                _log.error("%s, offset %d: not processed (%s)", self._name, record.offset, type(error).__name__)
                self._poisons[record.offset] = error
                raise self._aborted("a record could not be processed") from error
        self._add(effects, records=1, poisoned=int(cause is not None))
        self._position = record.offset + 1

    def _tick(self) -> None:
        assert self._logic is not None
        try:
            effects = self._logic.tick(time.monotonic(), self.handover.caught_up)
            self._check_sizes(effects)
        except Exception as error:
            self._tick_errors += 1
            if self._tick_errors >= _TICK_ERRORS:
                raise ProcessorError(
                    f"{self._name}: tick failed {_TICK_ERRORS} times in a row ({type(error).__name__}: {error}); report it"
                ) from error
            _log.error("%s: tick failed (%s)", self._name, type(error).__name__)
            raise self._aborted("a tick failed") from error
        self.handover.tell_full(self._logic.full)
        if effects:
            self._add(effects)

    def _aborted(self, reason: str) -> TransactionAbortedError:
        """Aborts the open transaction on our own account."""
        assert self._writer is not None
        self._writer.abort()
        return TransactionAbortedError(reason)

    def _check_sizes(self, effects: Effects) -> None:
        limit = self._setup.max_message_bytes
        for key, value in effects.state:
            check_size(self._setup.changelog, key, value, (), limit)
        for output in effects.outputs:
            check_size(output.topic, output.key, output.value, output.headers, limit)

    def _add(self, effects: Effects, *, records: int = 0, poisoned: int = 0) -> None:
        """Writes effects into the transaction, which is opened by the first."""
        assert self._writer is not None
        if self._open is None:
            self._writer.begin()
            self._open = OpenTransaction(0, 0, 0, time.monotonic(), None)
        size = 0
        for key, value in effects.state:
            # To the source's partition, never by the key's hash: who owns the source partition owns its state.
            self._writer.write(OutputRecord(self._setup.changelog, key, value, partition=self.partition))
            size += len(key) + len(value or b"")
        for output in effects.outputs:
            self._writer.write(output)
            size += len(output.key or b"") + len(output.value or b"")
        before = self._open
        urgent_at_s = before.urgent_at_s
        if urgent_at_s is None and effects.urgent:
            urgent_at_s = time.monotonic()
        self._open = OpenTransaction(before.records + records, before.poisoned + poisoned, before.size_bytes + size, before.opened_at_s, urgent_at_s)

    def _commit_if_due(self, *, records_wait: bool) -> None:
        if self._open is not None and self._setup.policy.is_due(self._open, time.monotonic(), records_wait):
            self._commit()

    def _commit(self) -> None:
        assert self._writer is not None
        assert self._open is not None
        if self.handover.stage is Stage.LOST:
            raise CancelledError  # the close aborts
        position = None
        if self._position is not None:
            position = TopicPartition(self._setup.source, self.partition, self._position)
        self._writer.commit(position, self._setup.group_metadata)
        self.counts.processed += self._open.records - self._open.poisoned
        self.counts.poisoned += self._open.poisoned
        self.counts.transactions += 1
        self._open = None
        self._committed = self._position
        self._tick_errors = 0  # not after any good tick: a logic just rebuilt may do well until its records come again
        self._rebuilds_in_a_row = 0
        if self._poisons and self._position is not None:
            self._poisons = {offset: error for offset, error in self._poisons.items() if offset >= self._position}

    def _rebuild(self, reason: str) -> None:
        """Throws the logic away and lets the partition be restored, later the more often it happens without a commit between."""
        assert self._logic is not None
        _log.warning("%s: %s; rebuilding from offset %s", self._name, reason, self._committed)
        logic, self._logic, self._open = self._logic, None, None
        logic.close()
        self.counts.rebuilds += 1
        self.handover.move(Stage.RESTORING)
        if self._rebuilds_in_a_row:
            self.handover.pause(min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2 ** (self._rebuilds_in_a_row - 1)))
        self._rebuilds_in_a_row += 1

    def _close(self) -> None:
        try:
            if self._logic is not None:
                self._logic.close()
            if self._writer is not None:
                self._writer.close()
                self._writer = None  # the client library ends its own threads here, not in the poll loop
        finally:
            self.handover.move(Stage.CLOSED)
