"""One door for writing outside of transactions: no message is dropped, none is too large, each is acknowledged or known to have failed.

Thread-safe. A full queue makes `produce` wait (and serve acknowledgements meanwhile), which is the backpressure of a writer.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from streams.kafka.clients import MAX_MESSAGE_BYTES
from streams.kafka.encoding import outgoing
from streams.kafka.errors import ClientSettingsError, DeliveryError
from streams.kafka.records import OutputRecord, check_size


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message lies in the log."""

    topic: str
    partition: int
    offset: int


Acknowledged = Callable[[Place | DeliveryError], None]
"""Called once for a message, from within `produce`, `serve`, `flush` or `send` of any thread: its place once all replicas have it, or the failure."""

_POLL_S = 0.1


class Producing:
    """A producer that tells of every failure: to the message's own callback or, without one, by the next `produce` or `flush`."""

    def __init__(self, config: Mapping[str, Any], *, max_message_bytes: int = MAX_MESSAGE_BYTES) -> None:
        """`config` is a `producer_config`; messages above `max_message_bytes` are refused. Raises ClientSettingsError."""
        try:
            self._producer = Producer(dict(config))
        except KafkaException as error:
            raise ClientSettingsError(f"the Kafka client refuses its settings: {error.args[0].str()}") from error
        self._max_message_bytes = max_message_bytes
        self._next_step = f"check that the broker at {config['bootstrap.servers']} answers"
        self._failures: list[DeliveryError] = []
        self._lock = threading.Lock()

    def produce(self, record: OutputRecord, acknowledged: Acknowledged | None = None, *, timeout_s: float = 30.0) -> None:
        """Queues one record; waits at most `timeout_s` for room in the queue.

        Raises MessageTooLargeError, or DeliveryError if the client refuses it, there was no room in time, or an earlier message without a
        callback failed.
        """
        self._raise_failures()
        check_size(record.topic, record.key, record.value, record.headers, self._max_message_bytes)
        report = acknowledged or self._keep_failure
        deadline = time.monotonic() + timeout_s
        while not self._queued(record, report):
            if time.monotonic() > deadline:
                raise DeliveryError(f"the queue for {record.topic} stayed full for {timeout_s:g} s; {self._next_step}")
            self.serve(_POLL_S)
        self.serve()

    def send(self, record: OutputRecord, *, timeout_s: float = 30.0) -> Place:
        """Writes one record and waits until it is acknowledged. Raises as `produce` does, and DeliveryError if it is not."""
        results: list[Place | DeliveryError] = []
        deadline = time.monotonic() + timeout_s
        self.produce(record, results.append, timeout_s=timeout_s)
        while not results:
            if time.monotonic() > deadline:
                raise DeliveryError(f"a message for {record.topic} was not acknowledged within {timeout_s:g} s; {self._next_step}")
            self.serve(_POLL_S)
        if isinstance(results[0], DeliveryError):
            raise results[0]
        return results[0]

    def serve(self, timeout_s: float = 0.0) -> None:
        """Serves acknowledgements for at most `timeout_s`; callbacks run here. Raises DeliveryError if the client gave up for good."""
        try:
            self._producer.poll(timeout_s)
        except KafkaException as error:
            raise _failure("any topic", error.args[0]) from error

    def flush(self, timeout_s: float) -> None:
        """Waits until every message is acknowledged or failed. Raises DeliveryError if one without a callback failed, or any is outstanding."""
        try:
            outstanding = self._producer.flush(timeout_s)
        except KafkaException as error:
            raise _failure("any topic", error.args[0]) from error
        self._raise_failures()
        if outstanding:
            raise DeliveryError(f"{outstanding} messages were not acknowledged within {timeout_s:g} s; {self._next_step}")

    @property
    def outstanding(self) -> int:
        """Messages queued or in flight."""
        return len(self._producer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.flush(30.0)

    def _queued(self, record: OutputRecord, report: Acknowledged) -> bool:
        """Whether the client took the record; False when its queue is full."""

        def delivered(error: KafkaError | None, message: Message) -> None:
            if error is None:
                report(Place(record.topic, message.partition() or 0, message.offset() or 0))
            else:
                report(_failure(record.topic, error))

        arguments: dict[str, Any] = {} if record.partition is None else {"partition": record.partition}
        value = outgoing(record.topic, record.value)
        try:
            self._producer.produce(record.topic, value, record.key, on_delivery=delivered, headers=list(record.headers), **arguments)
        except BufferError:
            return False
        except KafkaException as error:
            raise _failure(record.topic, error.args[0]) from error
        return True

    def _keep_failure(self, result: Place | DeliveryError) -> None:
        if isinstance(result, DeliveryError):
            with self._lock:
                self._failures.append(result)

    def _raise_failures(self) -> None:
        with self._lock:
            failures, self._failures = self._failures, []
        if failures:
            raise DeliveryError(f"{len(failures)} messages were not delivered, the first: {failures[0]}")


def _failure(topic: str, error: KafkaError) -> DeliveryError:
    return DeliveryError(f"a message for {topic} was not delivered ({error.name()}: {error.str()}); check the broker, then send it again")
