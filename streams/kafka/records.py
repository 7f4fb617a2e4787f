"""Records as values: what a consumer hands on and what a producer is asked to write. The client library's messages end here.

A null value and an empty one are different things (null deletes, empty is an empty file), so both survive: `None` and `b""`.
"""

from dataclasses import dataclass

from confluent_kafka import TIMESTAMP_LOG_APPEND_TIME, Message

from streams.kafka.encoding import incoming
from streams.kafka.errors import MessageTooLargeError

Headers = tuple[tuple[str, bytes | None], ...]

BATCH_OVERHEAD_BYTES = 128
"""Of a record batch with one record: 61 bytes of batch header, at most 21 of record framing, rounded up."""
_HEADER_OVERHEAD_BYTES = 10
"""Two lengths as variable-size integers of at most 5 bytes."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a topic. `timestamp_ms` is -1 where the log has none; who set it, broker or producer, is told beside it."""

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    timestamp_is_log_append: bool
    key: bytes | None
    value: bytes | None
    headers: Headers = ()


@dataclass(frozen=True, slots=True)
class OutputRecord:
    """One record to be written. Without a `partition` the key decides (murmur2)."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: Headers = ()
    partition: int | None = None


def record_from_message(message: Message) -> Record:
    """The record in a message without an error. Raises ValueError for a message that carries an error instead."""
    if message.error() is not None:
        raise ValueError(f"the message is an error, not a record: {message.error()}")
    kind, timestamp_ms = message.timestamp()
    return Record(
        topic=message.topic() or "",
        partition=message.partition(),
        offset=message.offset(),
        timestamp_ms=timestamp_ms,
        timestamp_is_log_append=kind == TIMESTAMP_LOG_APPEND_TIME,
        key=message.key(),
        value=incoming(message.topic() or "", message.value()),
        headers=tuple(message.headers() or ()),
    )


def message_size_bytes(key: bytes | None, value: bytes | None, headers: Headers = ()) -> int:
    """Most bytes that a message takes in a batch of its own, before compression."""
    in_headers = sum(len(name.encode()) + len(data or b"") + _HEADER_OVERHEAD_BYTES for name, data in headers)
    return len(key or b"") + len(value or b"") + in_headers + BATCH_OVERHEAD_BYTES


def check_size(topic: str, key: bytes | None, value: bytes | None, headers: Headers, limit_bytes: int) -> int:
    """Size of a message. Raises MessageTooLargeError above the limit, before anything is produced."""
    size = message_size_bytes(key, value, headers)
    if size > limit_bytes:
        raise MessageTooLargeError(topic, size, limit_bytes)
    return size
