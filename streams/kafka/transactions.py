"""A transactional writer: one producer, one transaction at a time, every outcome one of three - done, aborted (rebuild), fenced (another writer).

Used from one thread. The offsets of what it wrote are kept, because a commit returns before its markers are on every partition: whoever reads the
changelog back has to read at least that far.
"""

import contextlib
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from confluent_kafka import KafkaError, KafkaException, Message, Producer, TopicPartition

from streams.kafka.encoding import outgoing
from streams.kafka.lifecycle import Remedy, remedy_for
from streams.kafka.records import OutputRecord

T = TypeVar("T")

_CALL_TIMEOUT_S = 2.0
"""Of one call, so that a thread notices within this time that its partition was taken away."""
_ROOM_S = 0.05
"""Between two tries to queue a record where the queue is full."""
_GIVE_UP_AFTER_S = 30.0
"""Of a commit that stays in doubt; the broker aborts it after the transaction timeout (10 s) at the latest."""

HANG_S = 2.5
"""Of one call that was given two seconds; half a second later (`RENEWAL_PAUSE_S`) it is looked at again. Another writer of the same id ends what
this one left open, so nothing is waited for; one that was only slow, on a machine or a broker that is, costs a restore."""


class TransactionAbortedError(Exception):
    """The transaction is void; state has to be rebuilt from what is committed."""


class WriterFencedError(Exception):
    """The broker refuses this writer for good."""


class CancelledError(Exception):
    """The partition was taken away while a call was waiting."""


class TransactionalWriter:
    """Writes records in transactions under one transactional id."""

    def __init__(self, config: Mapping[str, Any], changelog: str) -> None:
        """`config` is a `transactional_config`; of records of `changelog` the offsets are kept."""
        self._producer = Producer(dict(config))
        self._changelog = changelog
        self._is_open = False
        self._written_offset = -1
        self.committed_changelog_offset = -1
        """Of the last changelog record in a committed transaction of this writer; -1 before the first."""
        self._call_began_s: float | None = None

    def hangs(self, now_s: float, patience: float = 1.0) -> bool:
        """Whether the library keeps a call far beyond its time, as it does where a broker goes away or comes back, and where one takes connections
        and does not answer (2.16.1, its issue 5456: `send_offsets_to_transaction` was measured to take 9 to 25 s of the two it was given).

        Such a call may never return, and nothing comes of it: the writer is to be left alone, and another of the same id to be made. `patience`
        stretches the time. May be asked from any thread.
        """
        began_s = self._call_began_s
        return began_s is not None and now_s - began_s > HANG_S * patience

    def fence(self, cancelled: Callable[[], bool]) -> None:
        """Makes every older writer of this id harmless and ends what it left open; waits for the broker unless `cancelled`.

        When it returns, the markers of all earlier transactions of this id are on the log.
        """
        while True:
            # Connected first: otherwise the search for the coordinator fails at once and is repeated half a second later.
            with contextlib.suppress(KafkaException):
                self._watched(lambda: self._producer.list_topics(self._changelog, timeout=_CALL_TIMEOUT_S))
            try:
                self._watched(lambda: self._producer.init_transactions(_CALL_TIMEOUT_S))
            except KafkaException as error:
                if cancelled():
                    raise CancelledError from None
                if not error.args[0].retriable():
                    raise WriterFencedError(_text(error)) from error
            else:
                return

    def begin(self) -> None:
        """Opens a transaction."""
        self._call(self._producer.begin_transaction)
        self._is_open = True
        self._written_offset = -1

    def write(self, record: OutputRecord) -> None:
        """Adds a record to the open transaction; waits for room in the queue."""
        arguments: dict[str, Any] = {} if record.partition is None else {"partition": record.partition}
        if record.topic == self._changelog:
            arguments["on_delivery"] = self._changelog_written
        deadline = time.monotonic() + _GIVE_UP_AFTER_S
        try:
            while not self._watched(lambda: self._queued(record, arguments)):
                if time.monotonic() > deadline:
                    self.abort()
                    raise TransactionAbortedError(f"no room for a record of {record.topic} within {_GIVE_UP_AFTER_S:g} s")
                self._watched(lambda: self._producer.poll(_ROOM_S))
            self._watched(lambda: self._producer.poll(0))
        except KafkaException as error:  # also from poll, once the writer is fenced
            self._raise(error)

    def commit(self, position: TopicPartition | None, group_metadata: Callable[[], Any]) -> None:
        """Commits the open transaction together with the source position; the group's generation is checked with it.

        Raises TransactionAbortedError (already aborted) or WriterFencedError; nothing of the transaction is visible then.
        """
        if position is not None:
            self._call(lambda: self._producer.send_offsets_to_transaction([position], group_metadata(), _CALL_TIMEOUT_S))
        self._call(lambda: self._producer.commit_transaction(_CALL_TIMEOUT_S))
        self._is_open = False
        self.committed_changelog_offset = max(self.committed_changelog_offset, self._written_offset)

    def void_offset(self, place: TopicPartition, group_metadata: Callable[[], Any]) -> None:
        """Ends what an older writer of this id left in doubt about an offset, by a transaction that touches it and is aborted. Call it after `fence`.

        Where a broker was killed at the wrong moment (4.4), an offset of a fenced transaction stays pending with nothing left that would end it, and
        the group's offset is never told again; the markers of any later transaction of the same producer end it. Nothing becomes visible.
        Raises TransactionAbortedError if the broker did not take it, WriterFencedError.
        """
        self.begin()
        self._call(lambda: self._producer.send_offsets_to_transaction([place], group_metadata(), _CALL_TIMEOUT_S))
        self.abort()

    def abort(self) -> None:
        """Aborts the transaction if one is open. Raises WriterFencedError if the broker does not let it."""
        if not self._is_open:
            return
        deadline = time.monotonic() + _GIVE_UP_AFTER_S
        while True:
            try:
                self._watched(lambda: self._producer.abort_transaction(_CALL_TIMEOUT_S))
            except KafkaException as error:
                if not error.args[0].retriable() or time.monotonic() > deadline:
                    raise WriterFencedError(_text(error)) from error
            else:
                self._is_open = False
                return

    def close(self) -> None:
        """Drops what is unsent; an open transaction is aborted first, as far as the broker still listens."""
        with contextlib.suppress(WriterFencedError):  # then its successor, or the broker's timeout, aborts it
            self.abort()
        self._producer.purge()

    def _queued(self, record: OutputRecord, arguments: Mapping[str, Any]) -> bool:
        """Whether the library took the record; False when its queue is full."""
        value = record.value if record.topic == self._changelog else outgoing(record.topic, record.value)  # nobody else reads the changelog
        try:
            self._producer.produce(record.topic, value, record.key, headers=list(record.headers), **arguments)
        except BufferError:
            return False
        return True

    def _call(self, call: Callable[[], Any]) -> None:
        """One step of a transaction, repeated while the library asks for it."""
        deadline = time.monotonic() + _GIVE_UP_AFTER_S
        while True:
            try:
                self._watched(call)
            except KafkaException as error:
                if self._remedy(error) is not Remedy.RETRY or time.monotonic() > deadline:
                    self._raise(error)
            else:
                return

    def _watched(self, call: Callable[[], T]) -> T:
        self._call_began_s = time.monotonic()
        try:
            return call()
        finally:
            self._call_began_s = None

    def _raise(self, error: KafkaException) -> None:
        """Turns an error into one of the two outcomes; aborts for the first."""
        if self._remedy(error) is Remedy.REJOIN:
            raise WriterFencedError(_text(error)) from error
        self.abort()
        raise TransactionAbortedError(_text(error)) from error

    @staticmethod
    def _remedy(error: KafkaException) -> Remedy:
        cause: KafkaError = error.args[0]
        return remedy_for(fatal=cause.fatal(), requires_abort=cause.txn_requires_abort(), retriable=cause.retriable())

    def _changelog_written(self, error: KafkaError | None, message: Message) -> None:
        if error is None:
            self._written_offset = max(self._written_offset, message.offset() or 0)


def _text(error: KafkaException) -> str:
    cause: KafkaError = error.args[0]
    return f"{cause.name()}: {cause.str()}"
