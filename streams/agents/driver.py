"""Faust as the agents here need it: committed records only, and offsets that move only when the work says so.

Guarantees, each held by a test:

* Records of an aborted transaction are never seen: Faust asks for uncommitted ones unless its own transactions are on.
* An offset is committed only after `finish` was called for it and for every earlier record of its partition. Faust's own acknowledgements are
  ignored: it acknowledges what an agent was cancelled over, what it skips around a rebalance, and commits past gaps (its issue 606).
* A wait for records ends when some are there; a wait for none costs one request in `FETCH_WAIT_MS`.

The only door to Faust's driver. Knows nothing of documents.
"""

import ssl
from collections import deque
from collections.abc import Mapping
from typing import Any

import faust
from aiokafka import AIOKafkaConsumer
from faust.transport.drivers import aiokafka as driver

from streams.kafka.errors import KafkaClientError
from streams.kafka.records import Record
from streams.settings import Settings

FETCH_WAIT_MS = 500
"""Longest time that the broker holds a fetch open: also how long an idle consumer may need to notice its end."""
COMMIT_INTERVAL_S = 1.0
"""After a kill, at most this much finished work is done again."""
REQUEST_TIMEOUT_S = 40.0
"""Of one request to a broker; always above the session timeout, since a join is answered only when the old members are gone."""
MAX_POLL_INTERVAL_S = 3600.0
"""Backpressure stops the reading of records for as long as a full pool of slow documents takes; heartbeats go on."""

MAX_POLL_RECORDS = 1
"""Faust hands out a batch in order and waits where a topic's buffer is full: behind a batch of a book's ranges, the express topic waited for
minutes. One at a time, a full topic is passed over at the next record; it costs a millisecond for work of ten and more."""

KNOWN_SECURITY = frozenset(
    {
        "security.protocol", "sasl.mechanism", "sasl.mechanisms", "sasl.username", "sasl.password",
        "ssl.ca.location", "ssl.certificate.location", "ssl.key.location", "ssl.key.password",
    }
)  # fmt: skip
"""librdkafka's properties that Faust's client can follow."""


class CommittedConsumerThread(driver.AIOKafkaConsumerThread):  # type: ignore[misc]
    """Asks the broker for committed records."""

    def _create_worker_consumer(self, transport: Any) -> AIOKafkaConsumer:
        consumer = super()._create_worker_consumer(transport)
        # The fetcher is made by `start`, from these.
        consumer._isolation_level = "read_committed"
        consumer._fetch_max_wait_ms = FETCH_WAIT_MS
        return consumer


class ExplicitConsumer(driver.Consumer):  # type: ignore[misc]
    """Moves offsets by `begin` and `finish` alone, in the order of each partition."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.progress = PartitionProgress()

    def _new_consumer_thread(self) -> CommittedConsumerThread:
        return CommittedConsumerThread(self, loop=self.loop, beacon=self.beacon)

    def ack(self, message: Any) -> bool:  # noqa: ARG002 - Faust's signature
        """Faust's own acknowledgement: ignored, since it says nothing of the work."""
        return False

    def verify_event_path(self, now: float, tp: Any) -> None:
        """Faust's warning about partitions that do not move: off, for it takes a transaction's marker at their end for a record."""

    def begin(self, message: Any) -> None:
        """The work on a message begins; messages of a partition begin in order."""
        self.progress.begin((message.tp, message.generation_id), message)

    def finish(self, message: Any) -> None:
        """The work on a message is on the log. Nothing is committed for a partition that was assigned anew since."""
        for done in self.progress.finish((message.tp, message.generation_id), message):
            if done.generation_id == self.app.consumer_generation_id:
                super().ack(done)


class PartitionProgress:
    """Which messages are finished together with all before them, by partition and assignment. Pure bookkeeping."""

    def __init__(self) -> None:
        self._begun: dict[Any, deque[list[Any]]] = {}

    def begin(self, place: Any, message: Any) -> None:
        """A message of a place is being worked on, after all that began before it."""
        self._begun.setdefault(place, deque()).append([message, False])

    def finish(self, place: Any, message: Any) -> list[Any]:
        """The messages that are now finished without a gap, in order; each is given back once."""
        begun = self._begun.get(place, deque())
        for entry in begun:
            if entry[0] is message:
                entry[1] = True
                break
        released = []
        while begun and begun[0][1]:
            released.append(begun.popleft()[0])
        if not begun:
            self._begun.pop(place, None)
        return released


class Transport(driver.Transport):  # type: ignore[misc]
    """Faust's transport with the consumer above."""

    Consumer = ExplicitConsumer


def new_app(name: str, settings: Settings, *, buffered: int) -> faust.App:
    """An app without agents, tables and web server. `buffered`: records held in memory for each topic beyond those being worked on."""
    url = "kafka://" + settings.bootstrap_servers.replace(",", ";kafka://")
    app = faust.App(
        name,
        broker=url,
        broker_client_id=name,
        broker_credentials=credentials_of(settings.kafka_security),
        broker_session_timeout=settings.session_timeout_s,
        broker_heartbeat_interval=max(0.3, settings.session_timeout_s / 4),
        broker_request_timeout=max(REQUEST_TIMEOUT_S, settings.session_timeout_s + 5),
        broker_commit_interval=COMMIT_INTERVAL_S,
        broker_max_poll_interval=MAX_POLL_INTERVAL_S,
        broker_max_poll_records=MAX_POLL_RECORDS,
        consumer_auto_offset_reset="earliest",
        consumer_max_fetch_size=settings.max_message_bytes,
        producer_max_request_size=settings.max_message_bytes,
        producer_acks=-1,
        producer_linger=0.002,
        producer_compression_type="lz4",
        stream_buffer_maxsize=buffered,
        stream_wait_empty=False,
        stream_recovery_delay=0,
        topic_allow_declare=False,
        topic_disable_leader=True,
        key_serializer="raw",
        value_serializer="raw",
        store="memory://",
        datadir=str(settings.data_path / "faust"),
        autodiscover=False,
        web_enabled=False,
        worker_redirect_stdouts=False,
    )
    app.finalize()
    app.transport = Transport(list(app.conf.broker_consumer), app)
    return app


def record_of(message: Any) -> Record:
    """A message as a value. Faust keeps the time in seconds, as a float that still holds its milliseconds."""
    return Record(
        topic=message.topic,
        partition=message.partition,
        offset=message.offset,
        timestamp_ms=round(message.timestamp * 1000) if message.timestamp is not None else -1,
        timestamp_is_log_append=message.timestamp_type == 1,
        key=message.key,
        value=message.value,
        headers=tuple(message.headers or ()),
    )


def credentials_of(security: Mapping[str, str]) -> Any:
    """librdkafka's security properties in Faust's terms; None for none. Raises KafkaClientError for what Faust's client cannot do."""
    protocol = security.get("security.protocol", "plaintext").upper()
    if protocol == "PLAINTEXT":
        return None
    if unknown := sorted(security.keys() - KNOWN_SECURITY):
        raise KafkaClientError(
            f"security properties that the open and read workers do not know: {', '.join(unknown)}; known are {', '.join(sorted(KNOWN_SECURITY))}"
        )
    context = None
    if protocol in ("SSL", "SASL_SSL"):
        context = ssl.create_default_context(cafile=security.get("ssl.ca.location"))
        if certificate := security.get("ssl.certificate.location"):
            context.load_cert_chain(certificate, security.get("ssl.key.location"), security.get("ssl.key.password"))
    if protocol == "SSL":
        return faust.SSLCredentials(context)
    mechanism = security.get("sasl.mechanism") or security.get("sasl.mechanisms", "PLAIN")
    return faust.SASLCredentials(
        username=security.get("sasl.username"), password=security.get("sasl.password"), ssl_context=context, mechanism=mechanism
    )
