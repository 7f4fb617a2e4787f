"""The consumer that keeps the search index up to date with `documents.parsed`: the one file here that speaks Kafka.

Guarantees: read committed; offsets are committed after the index has committed what they stand for; a record that cannot be indexed, or that the
index refuses, costs one dead letter and the next goes on. An index that is away is waited for without end, in the group and with no record lost; a
blob store that is away, for a minute. An index that was just made is filled from the beginning of the topic.
"""

import threading
import time
from collections.abc import Sequence
from typing import Any

import structlog
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Message, TopicPartition

from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError, Stage
from streams.index.indexing import Indexer, text_of
from streams.index.sink import Outcome, Result, SinkUnavailable
from streams.index.sinks import check_search_settings, open_sink
from streams.kafka.clients import close_within, consumer_config, producer_config
from streams.kafka.producing import Producing
from streams.kafka.records import Record, record_from_message
from streams.letters import dead_letter
from streams.settings import Settings
from streams.telemetry.metrics import BATCH_ITEMS, BATCHES, CHUNKS, EVENTS, SEARCHABLE, WORK
from streams.telemetry.spans import about
from streams.telemetry.telemetry import SILENT, Telemetry
from streams.topics import PARSED

GROUP = "pageloom-index"
STAGE = "index"
POLL_S = 0.1
CLIENT_TICK_S = 0.001
"""The client waits for whole milliseconds: asked for less it does not wait at all, and half a percent of a core went into asking again."""
BATCH_RECORDS = 200
"""Written between two commits of the index at most: bounds what a kill makes us write again."""
SHORTEST_SHARE = 0.2
"""Of `index_commit_s`: a commit takes a tenth of a second."""
STORE_PATIENCE_S = 60.0
"""For one document, less than other stages wait: a few in a row must stay below `max.poll.interval.ms` (300 s)."""
RETRY_S = 1.0
"""Between two tries at an index that is away."""
FLUSH_S = 30.0
LEAVE_TIMEOUT_S = 5.0
"""For the last offsets and the word to the group: milliseconds, unless the broker is away."""

log = structlog.get_logger(__name__)


def run_index(settings: Settings, stop: threading.Event, telemetry: Telemetry = SILENT) -> None:
    """Indexes until `stop` is set, then commits what was written and leaves the group. Raises SettingsError, SinkRefuses."""
    check_search_settings(settings)
    sink = _opened(settings, stop)
    if sink is None:
        return
    worker = IndexWorker(settings, Indexer(sink, BlobStore(settings.blob_store_url), settings.max_document_bytes), stop, telemetry)
    try:
        log.info("index.started", index=sink.place, new=sink.is_new)
        while not stop.is_set():
            worker.turn()
    finally:
        sink.close()
        worker.close()


def _opened(settings: Settings, stop: threading.Event) -> Any:
    """The index, waited for while it is away; None where the worker is to stop before."""
    while not stop.is_set():
        try:
            return open_sink(settings)
        except SinkUnavailable as error:
            log.warning("index.unavailable", error=str(error))
            stop.wait(RETRY_S)
    return None


class IndexWorker:
    """A member of the group with its index."""

    def __init__(self, settings: Settings, indexer: Indexer, stop: threading.Event, telemetry: Telemetry = SILENT) -> None:
        self._telemetry = telemetry
        security = settings.kafka_security
        self._indexer = indexer
        self._stop = stop
        self._age_s = settings.index_commit_s
        self._dead_letters = Producing(producer_config(settings.bootstrap_servers, GROUP, security))
        self._early: list[Message] = []
        """Messages that came while the index was away."""
        self._rewound: set[int] = set()
        config = consumer_config(
            settings.bootstrap_servers,
            GROUP,
            GROUP,
            security,
            session_timeout_ms=int(settings.session_timeout_s * 1000),
            max_message_bytes=settings.max_message_bytes,
        )
        self._consumer = Consumer({**config, "on_commit": _commit_ended})
        self._consumer.subscribe([PARSED.name], on_assign=self._on_assign)

    def turn(self) -> None:
        """One batch: what comes until its first record is `index_commit_s` old, written, committed to the index, then to Kafka."""
        records = self._take()
        if not records:
            return
        begun_s = time.monotonic()
        spans = [self._telemetry.tracer.begin(STAGE, record.headers, about(record.key)) for record in records]
        written: dict[tuple[str, int], Record] = {}
        for record in records:
            try:
                revision = self._write(record)
            except PageloomError as error:
                self._refuse(record, error)
                continue
            if revision is None:
                return
            written[revision] = record
        outcomes = self._commit_index()
        if outcomes is None:
            return
        self._tell(outcomes, written)
        self._dead_letters.flush(FLUSH_S)
        self._commit(records)
        self._measure(records, outcomes, time.monotonic() - begun_s)
        for span in spans:
            span.end()

    def close(self) -> None:
        """Leaves the group, within a bounded time."""
        close_within(self._consumer, LEAVE_TIMEOUT_S)

    def _write(self, record: Record) -> tuple[str, int] | None:
        """Writes a record, again while the index is away, and while the blob store is for less time than a consumer may stay away from its group.

        None where the worker stops before.
        """
        deadline = time.monotonic() + STORE_PATIENCE_S
        while True:
            try:
                return self._indexer.write(record)
            except PageloomError as error:
                if error.code is not Code.STORE_UNAVAILABLE or time.monotonic() > deadline:
                    raise
                self._stop.wait(RETRY_S)
            except SinkUnavailable as error:  # a large batch is sent in parts; what the sink has taken, it keeps
                if not self._await_index(error):
                    return None

    def _commit_index(self) -> list[Outcome] | None:
        """What became of the batch; None where the worker stops before the index took it."""
        while True:
            try:
                return self._indexer.sink.commit()
            except SinkUnavailable as error:
                if not self._await_index(error):
                    return None

    def _await_index(self, error: SinkUnavailable) -> bool:
        """A pause before the next try, as a living member of the group that takes no records; False where the worker is to stop."""
        log.warning("index.unavailable", error=str(error))
        if assigned := self._consumer.assignment():
            self._consumer.pause(assigned)
        message = self._consumer.poll(RETRY_S)
        if message is not None and message.error() is None:
            self._early.append(message)  # of a partition that was assigned a moment ago
        if assigned := self._consumer.assignment():
            self._consumer.resume(assigned)
        return not self._stop.is_set()

    def _tell(self, outcomes: Sequence[Outcome], written: dict[tuple[str, int], Record]) -> None:
        """Logs how each write ended; one that the index refused becomes a dead letter."""
        for outcome in outcomes:
            if outcome.result is Result.REFUSED:
                record = written.get((outcome.document_id, outcome.revision))
                if record is not None:
                    message = f"document {outcome.document_id!r}, revision {outcome.revision}: the search index refuses it ({outcome.reason})"
                    self._refuse(record, PageloomError(Code.NOT_INDEXED, message))
                continue
            event = "index.written" if outcome.result is Result.WRITTEN else "index.skipped_older"
            log.info(event, document=outcome.document_id, revision=outcome.revision, chunks=outcome.chunks)

    def _measure(self, records: Sequence[Record], outcomes: Sequence[Outcome], took_s: float) -> None:
        meters = self._telemetry.meters
        meters.observe(WORK, took_s, STAGE, PARSED.name)
        meters.count(BATCHES, STAGE)
        meters.count(BATCH_ITEMS, STAGE, amount=len(records))
        for outcome in outcomes:
            meters.count(CHUNKS, outcome.result.value, amount=outcome.chunks)
        for record in records:
            meters.observe(SEARCHABLE, max(0.0, time.time() - record.timestamp_ms / 1000))

    def _refuse(self, record: Record, error: PageloomError) -> None:
        log.warning("index.dead_letter", document=text_of(record.key), offset=record.offset, code=error.code.value, error=str(error))
        self._telemetry.meters.count(EVENTS, STAGE, "DeadLettered", error.code.value)
        self._dead_letters.produce(dead_letter(record, Stage.INDEX, error, keep_value=True))

    def _take(self) -> list[Record]:
        records = [record_from_message(message) for message in self._early]
        self._early.clear()
        deadline = time.monotonic() + (self._age_s if records else POLL_S)
        while len(records) < BATCH_RECORDS:
            left = max(0.0, deadline - time.monotonic())
            message = self._consumer.poll(left)
            if message is None:
                if left >= CLIENT_TICK_S:
                    continue
                break
            error = message.error()
            if error is not None:
                if error.fatal():
                    raise KafkaException(error)
                log.warning("index.fetch_error", error=error.str())
                continue
            record = record_from_message(message)
            if not records:
                deadline = time.monotonic() + patience_s(self._age_s, time.time() - record.timestamp_ms / 1000)
            records.append(record)
        return records

    def _commit(self, records: Sequence[Record]) -> None:
        """Commits past the last record of each partition. One that was taken away meanwhile is indexed again by its new owner: no harm."""
        ends = {(r.topic, r.partition): r.offset + 1 for r in records}
        places = [TopicPartition(topic, partition, offset) for (topic, partition), offset in ends.items()]
        try:
            # Not waited for: a broker that goes away meanwhile would keep the worker for as long. Where it fails, what comes next on the partition is
            # committed with it, and until then a restart writes the same again.
            self._consumer.commit(offsets=places, asynchronous=True)
        except KafkaException as error:
            _commit_ended(error.args[0], places)

    def _on_assign(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        """Partitions come, each from the group's offset; the first time from its beginning where the index was made just now."""
        if self._indexer.sink.is_new:
            for place in partitions:
                if place.partition not in self._rewound:
                    self._rewound.add(place.partition)
                    place.offset = OFFSET_BEGINNING
        consumer.incremental_assign(partitions)


def patience_s(age_s: float, waited_s: float) -> float:
    """How long a batch waits for more: until its first record has waited for `age_s` since it was written, so that what came during the commit
    before is taken almost at once. Clocks of machines differ: never longer than for one that came just now, and never so short that every record
    has a commit of its own.
    """
    return min(max(age_s - waited_s, SHORTEST_SHARE * age_s), age_s)


def _commit_ended(error: KafkaError | None, _: list[TopicPartition]) -> None:
    if error is not None:
        log.warning("index.commit_failed", error=error.str())
