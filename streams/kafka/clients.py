"""Configurations of confluent-kafka clients: one function for each kind of client, plain values in, a new dictionary out.

Fixed here for everybody: writers are idempotent with acks=all and partition by murmur2, as the other clients of this application and Java's do
(librdkafka's own default is CRC32); readers see committed records only and commit by hand. Never logged: these dictionaries hold secrets.
"""

import contextlib
import logging
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from confluent_kafka import Consumer, KafkaException

from streams.kafka.errors import ClientSettingsError, KafkaClientError

MIB = 2**20
MAX_MESSAGE_BYTES = 16 * MIB
"""Of broker, topics and clients alike."""

FETCH_WAIT_MS = 500
"""How long the broker holds a fetch that finds nothing. A new record ends the wait at once; a seek, a resume (see `resume_at_once`) and the news
of an end are late by it. At 100 ms, the idle consumers of one pipeline took 6 % of a core of the broker more."""
FETCH_WAIT_TO_END_MS = 10
"""For reading up to the end once: the end is told after this wait."""

_LEAVE_POLL_S = 0.02
"""Between two looks whether a member has left its group: the client says nothing when it has."""

_client_log = logging.getLogger("streams.kafka.client")
"""librdkafka's own lines go here; without a logger it writes to stderr."""

TRANSACTION_LINGER_MS = 1_000
"""A commit sends at once what waits, so this delays nobody. Above the age of any transaction: what is sent before its commit is a request more."""

Security = Mapping[str, str]
"""SASL and TLS properties in librdkafka's names, passed through."""

ALLOWED_SECURITY = ("security.", "sasl.", "ssl.", "enable.ssl.", "https.")
"""Prefixes of the properties that a security mapping may hold: it must not undo a guarantee of this module."""


@contextlib.contextmanager
def client_errors() -> Iterator[None]:
    """Turns what the client library raises, because it gave up, into a KafkaClientError that says what to do."""
    try:
        yield
    except KafkaException as error:
        cause = error.args[0]
        raise KafkaClientError(f"the Kafka client gave up ({cause.name()}: {cause.str()}); what was in work comes again: start anew") from error


def close_within(consumer: Consumer, timeout_s: float, *, keeps_its_place: bool = False) -> None:
    """Leaves a consumer's group, unless it `keeps_its_place` there for a member of the same static id. A client that does not end in time, as happens
    where its broker came and went, is left to end with the process: its session times out like that of a process that was killed. Raises what the
    client raises in time.
    """
    failures: list[Exception] = []
    deadline = time.monotonic() + timeout_s

    def close() -> None:
        try:
            if not keeps_its_place:
                leave_group(consumer, deadline)
            consumer.close()
        except Exception as error:  # noqa: BLE001 - the edge of a thread: raised below
            failures.append(error)

    closing = threading.Thread(target=close, name="close", daemon=True)
    closing.start()
    closing.join(timeout_s)
    if failures:
        raise failures[0]
    if closing.is_alive():
        _client_log.warning("a Kafka client did not leave its group within %g s; going on without it, nothing is lost", timeout_s)


def leave_group(consumer: Consumer, deadline: float) -> None:
    """Leaves the group now, by the deadline (monotonic) or not at all: a close alone leaves a member with a static id where it is until its session
    times out. Records that come meanwhile are dropped; they come again to whoever has the partition next.
    """
    consumer.unsubscribe()
    while consumer.memberid() and time.monotonic() < deadline:
        consumer.poll(_LEAVE_POLL_S)


def static_member_id(client_id: str) -> str:
    """A static id (group.instance.id) that no other member has or ever had.

    With one, a member that has not heard of its coordinator for a session, because the broker was away for longer, is known again when it is back.
    Without, it joins as somebody new, and the whole group waits for the session of the one that it was: 8.1 s instead of 0.2 at a session of 8 s.
    """
    return f"{client_id}-{uuid.uuid4().hex}"


def common_config(bootstrap_servers: str, client_id: str, security: Security | None = None) -> dict[str, Any]:
    """What every client has. Raises ClientSettingsError for a security property that is none."""
    foreign = [name for name in security or {} if not name.startswith(ALLOWED_SECURITY)]
    if foreign:
        raise ClientSettingsError(
            f"not a security property of a Kafka client: {', '.join(sorted(foreign))}; allowed are {', '.join(ALLOWED_SECURITY)}*"
        )
    return {
        "bootstrap.servers": bootstrap_servers,
        "client.id": client_id,
        "logger": _client_log,
        # Idle connections are closed by brokers as a matter of course; not worth a line.
        "log.connection.close": False,
        # A restarted broker is found again in at most 2 s, not 10. The first pause is never doubled for an address that refuses (2.16): at the
        # default of 100 ms each client tries 19 times a second, and the clients of a machine take half a core from the broker that starts.
        "reconnect.backoff.ms": 500,
        "reconnect.backoff.max.ms": 2000,
        **(security or {}),
    }


def producer_config(
    bootstrap_servers: str,
    client_id: str,
    security: Security | None = None,
    *,
    linger_ms: float = 5,
    max_message_bytes: int = MAX_MESSAGE_BYTES,
) -> dict[str, Any]:
    """An idempotent producer: acknowledged by all replicas, in order, without duplicates by retry."""
    return {
        **common_config(bootstrap_servers, client_id, security),
        "enable.idempotence": True,
        # More than one lets a message vanish that is told to be written. Where a leader refuses a partition's first request and takes the second (it
        # was fenced for a moment), Kafka takes a producer's numbers as they come, and the client takes the first, sent again, for one that is there
        # (librdkafka 2.16, Kafka 4.4).
        "max.in.flight.requests.per.connection": 1,
        "acks": "all",
        "partitioner": "murmur2_random",
        "compression.type": "lz4",
        "message.max.bytes": max_message_bytes,
        "linger.ms": linger_ms,
        # In bytes, so that a few large messages bound the queue as well as many small ones.
        "queue.buffering.max.kbytes": 128 * 1024,
        "queue.buffering.max.messages": 100_000,
    }


def transactional_config(
    bootstrap_servers: str,
    client_id: str,
    transactional_id: str,
    security: Security | None = None,
    *,
    transaction_timeout_ms: int = 10_000,
    linger_ms: float = TRANSACTION_LINGER_MS,
    max_message_bytes: int = MAX_MESSAGE_BYTES,
) -> dict[str, Any]:
    """A producer for transactions of tens of milliseconds.

    `retry.backoff.ms` is what a client waits while the previous transaction's markers are being written: at the default of 100 ms every
    transaction takes 105 ms, at 5 ms it takes 28. `transaction_timeout_ms` bounds how long a killed writer hides records behind it.
    """
    return {
        **producer_config(bootstrap_servers, client_id, security, linger_ms=linger_ms, max_message_bytes=max_message_bytes),
        "transactional.id": transactional_id,
        "transaction.timeout.ms": transaction_timeout_ms,
        "retry.backoff.ms": 5,
    }


def consumer_config(
    bootstrap_servers: str,
    client_id: str,
    group_id: str,
    security: Security | None = None,
    *,
    session_timeout_ms: int = 10_000,
    static_id: str = "",
    max_message_bytes: int = MAX_MESSAGE_BYTES,
    fetch_wait_ms: int = FETCH_WAIT_MS,
) -> dict[str, Any]:
    """A member of a group that commits by hand; partitions move one by one (cooperative-sticky), the others go on.

    `static_id` (group.instance.id) is for instances with a stable name: after a restart they get their partitions back at once. Others have one of
    their own for as long as they live, see `static_member_id`; they leave by `close_within`.
    """
    return {
        **_fetch_config(bootstrap_servers, client_id, security, max_message_bytes, fetch_wait_ms),
        "group.id": group_id,
        "partition.assignment.strategy": "cooperative-sticky",
        "session.timeout.ms": session_timeout_ms,
        # Members learn of a rebalance with their next heartbeat: the default of 3 s is what a join takes.
        "heartbeat.interval.ms": max(100, min(1000, session_timeout_ms // 5)),
        "group.instance.id": static_id or static_member_id(client_id),
    }


def reader_config(
    bootstrap_servers: str,
    client_id: str,
    security: Security | None = None,
    *,
    max_message_bytes: int = MAX_MESSAGE_BYTES,
    fetch_wait_ms: int = FETCH_WAIT_MS,
) -> dict[str, Any]:
    """A reader without a group, for partitions assigned by hand; the end of a partition is reported.

    Ask for the topic (`list_topics(topic)`) before `assign`: without its metadata the client looks for the leader in steps of half a second.
    """
    return {
        **_fetch_config(bootstrap_servers, client_id, security, max_message_bytes, fetch_wait_ms),
        "group.id": f"{client_id}-{uuid.uuid4().hex}",  # the client library wants one; it is never joined nor committed to
        "enable.partition.eof": True,
    }


def _fetch_config(bootstrap_servers: str, client_id: str, security: Security | None, max_message_bytes: int, fetch_wait_ms: int) -> dict[str, Any]:
    return {
        **common_config(bootstrap_servers, client_id, security),
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "isolation.level": "read_committed",
        "auto.offset.reset": "earliest",
        "max.partition.fetch.bytes": max_message_bytes,
        "fetch.wait.max.ms": fetch_wait_ms,
        "fetch.max.bytes": max(50 * MIB, max_message_bytes),
        "receive.message.max.bytes": max(50 * MIB, max_message_bytes) + 2 * MIB,
        # Memory of records fetched ahead, of all partitions together.
        "queued.max.messages.kbytes": 64 * 1024,
        # An error of a fetch waits this long before the next: an idle partition's first record must not wait for it.
        "fetch.error.backoff.ms": 50,
    }
