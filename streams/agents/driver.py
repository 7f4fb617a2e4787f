"""Faust as the agents here need it: committed records only, and offsets that move only when the work says so.

Guarantees, each held by a test:

* Records of an aborted transaction are never seen: Faust asks for uncommitted ones unless its own transactions are on.
* An offset is committed only after `finish` was called for it and for every earlier record of its partition. Faust's own acknowledgements are
  ignored: it acknowledges what an agent was cancelled over, what it skips around a rebalance, and commits past gaps (its issue 606).
* A rebalance loses no record, also where nothing was committed yet.
* A wait for records ends when some are there; a wait for none costs one request in `FETCH_WAIT_MS`.
* A broker that is away in the middle of a rebalance delays its end, however long it is away; one that goes away while a worker starts, its start.

With `starting`, the only door to Faust's driver. Knows nothing of documents.
"""

import ssl
from collections import deque
from collections.abc import Mapping
from typing import Any

import faust
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from faust.tables.manager import TableManager
from faust.tables.recovery import RebalanceAgain, Recovery, ServiceStopped
from faust.transport.drivers import aiokafka as driver

from streams.agents.starting import RETRY_BACKOFF_MS, be_patient
from streams.kafka.encoding import incoming
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

MAX_BATCH_BYTES = 2**20
"""Of records for one partition that travel together, unless one alone is larger. At the client's 16 KiB nearly every page of a range was a request of
its own, each sent after the answer to the one before: twice the requests of the whole pipeline."""

KNOWN_SECURITY = frozenset(
    {
        "security.protocol", "sasl.mechanism", "sasl.mechanisms", "sasl.username", "sasl.password",
        "ssl.ca.location", "ssl.certificate.location", "ssl.key.location", "ssl.key.password",
    }
)  # fmt: skip
"""librdkafka's properties that Faust's client can follow."""
KNOWN_MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")


class CommittedConsumerThread(driver.AIOKafkaConsumerThread):  # type: ignore[misc]
    """Asks the broker for committed records."""

    def _create_worker_consumer(self, transport: Any) -> AIOKafkaConsumer:
        consumer = super()._create_worker_consumer(transport)
        # The fetcher is made by `start`, from these.
        consumer._isolation_level = "read_committed"
        consumer._fetch_max_wait_ms = FETCH_WAIT_MS
        consumer._retry_backoff_ms = RETRY_BACKOFF_MS
        consumer._client._retry_backoff = RETRY_BACKOFF_MS / 1000
        be_patient(consumer._client)
        return consumer

    async def seek_to_committed(self) -> Mapping[Any, int]:
        """To where the group goes on; see the function."""
        offsets: Mapping[Any, int] = await self.call_thread(seek_to_committed, self._ensure_consumer())
        return offsets

    async def _commit(self, offsets: Mapping[Any, int]) -> bool:
        """Commits what is still assigned. Nothing left of it is no error: Faust asks its client to commit nothing then, and dies of the answer."""
        assigned = self.assignment()
        kept = {place: offset for place, offset in offsets.items() if place in assigned}
        return bool(await super()._commit(kept)) if kept else False


async def seek_to_committed(consumer: AIOKafkaConsumer) -> Mapping[Any, int]:
    """Takes every assigned partition to the offset that its group committed, or to its beginning; returns the committed offsets.

    The client itself leaves a partition of which nothing is committed where it stands (0.14). What Faust had fetched of it and dropped in a rebalance
    was lost so: the first documents of a new group, whose workers had just started.
    """
    offsets: Mapping[Any, int] = await consumer.seek_to_committed()
    fresh = {place for place, offset in offsets.items() if not offset} & consumer.assignment()
    if fresh:
        await consumer.seek_to_beginning(*fresh)
    return offsets


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


class PatientRecovery(Recovery):  # type: ignore[misc]
    """What resumes the streams after a rebalance, also where there are no tables.

    Faust takes a step that timed out (40 s, `REQUEST_TIMEOUT_S`) for the end of the service and leaves without a word: the worker goes on as a member
    of its group, and never reads a record again. Here the step is begun anew.
    """

    async def _wait(self, coro: Any, timeout: Any = None) -> None:
        try:
            await super()._wait(coro, timeout)
        except ServiceStopped:
            if self.should_stop:
                raise
            self.signal_recovery_start.set()
            raise RebalanceAgain from None


class PatientTables(TableManager):  # type: ignore[misc]
    """No tables, but the recovery above."""

    _recovery: PatientRecovery | None

    @property
    def recovery(self) -> PatientRecovery:
        """The recovery service, made when it is first asked for."""
        if self._recovery is None:
            self._recovery = PatientRecovery(self.app, self, beacon=self.beacon, loop=self.loop)
        return self._recovery


class PatientProducer(driver.Producer):  # type: ignore[misc]
    """Waits for a broker that goes away while it starts."""

    def _new_producer(self, *args: Any, **kwargs: Any) -> AIOKafkaProducer:
        producer = super()._new_producer(*args, **kwargs)
        be_patient(producer.client)
        return producer


class Transport(driver.Transport):  # type: ignore[misc]
    """Faust's transport with the clients above."""

    Consumer = ExplicitConsumer
    Producer = PatientProducer


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
        producer_max_batch_size=MAX_BATCH_BYTES,
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
        TableManager=PatientTables,
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
        value=incoming(message.topic, message.value),
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
    if protocol not in ("SSL", "SASL_SSL", "SASL_PLAINTEXT"):
        raise KafkaClientError("security.protocol is none of PLAINTEXT, SSL, SASL_SSL and SASL_PLAINTEXT")
    context = None if protocol == "SASL_PLAINTEXT" else _tls_context(security)
    if protocol == "SSL":
        return faust.SSLCredentials(context)
    mechanism = (security.get("sasl.mechanism") or security.get("sasl.mechanisms", "PLAIN")).upper()
    if mechanism not in KNOWN_MECHANISMS:
        raise KafkaClientError(f"the open and read workers do not know this SASL mechanism; known are {', '.join(KNOWN_MECHANISMS)}")
    username, password = security.get("sasl.username"), security.get("sasl.password")
    if username is None or password is None:
        raise KafkaClientError("kafka_security needs sasl.username and sasl.password for its SASL mechanism")
    return faust.SASLCredentials(username=username, password=password, ssl_context=context, mechanism=mechanism)


def _tls_context(security: Mapping[str, str]) -> ssl.SSLContext:
    """TLS with the broker's name checked, and the client's certificate where there is one."""
    try:
        context = ssl.create_default_context(cafile=security.get("ssl.ca.location"))
        if certificate := security.get("ssl.certificate.location"):
            context.load_cert_chain(certificate, security.get("ssl.key.location"), security.get("ssl.key.password", ""))
    except OSError as error:  # ssl.SSLError is one; its text says what is wrong with the file, and quotes nothing of it
        reason = f"{type(error).__name__}: {error.strerror or error}"
        raise KafkaClientError(f"a file that kafka_security names by ssl.*.location cannot be used ({reason})") from None
    return context
