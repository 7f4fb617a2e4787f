"""The consumer that keeps the search index up to date with `documents.parsed`: the one file here that speaks Kafka.

Guarantees: read committed; offsets are committed after the index has committed what they stand for; a record that cannot be indexed costs one
dead letter and the next goes on. A store that does not answer is asked again before that.
"""

import threading
import time
from collections.abc import Sequence
from typing import Any

import msgspec
import structlog
from confluent_kafka import Consumer, KafkaException, TopicPartition

from schemas import codec
from schemas.blobs import BlobStore
from schemas.document import Document
from schemas.errors import Code, PageloomError, Stage
from schemas.events import DocumentParsed
from streams.index.chunks import chunks_of
from streams.index.sink import IndexedDocument, SearchSink
from streams.index.tantivy_index import TantivySink
from streams.kafka.clients import consumer_config, producer_config
from streams.kafka.producing import Producing
from streams.kafka.records import Record, record_from_message
from streams.letters import dead_letter
from streams.settings import Settings
from streams.topics import PARSED

GROUP = "pageloom-index"
POLL_S = 0.1
BATCH_RECORDS = 200
"""Written between two commits of the index at most: bounds what a kill makes us write again."""
STORE_PATIENCE_S = 60.0
"""Well below `max.poll.interval.ms` (300 s)."""

log = structlog.get_logger(__name__)


def run_index(settings: Settings, stop: threading.Event) -> None:
    """Indexes until `stop` is set, then commits what was written and leaves the group."""
    sink = TantivySink(settings.index_path)
    consumer = Consumer(
        consumer_config(
            settings.bootstrap_servers,
            "pageloom-index",
            GROUP,
            settings.kafka_security,
            session_timeout_ms=int(settings.session_timeout_s * 1000),
            max_message_bytes=settings.max_message_bytes,
        )
    )
    dead_letters = Producing(producer_config(settings.bootstrap_servers, "pageloom-index", settings.kafka_security))
    indexer = Indexer(sink, BlobStore(settings.blob_store_url), settings.max_document_bytes)
    try:
        consumer.subscribe([PARSED.name])
        log.info("index.started", folder=str(settings.index_path))
        while not stop.is_set():
            _index_batch(consumer, dead_letters, indexer, settings.index_commit_s)
    finally:
        sink.close()
        consumer.close()


def _index_batch(consumer: Any, dead_letters: Producing, indexer: "Indexer", age_s: float) -> None:
    """One batch: what comes within `age_s` of its first record, written, committed to the index, then to Kafka."""
    records = _take(consumer, age_s)
    for record in records:
        try:
            _write_when_reachable(indexer, record)
        except PageloomError as error:
            log.warning("index.dead_letter", document=_text(record.key), offset=record.offset, code=error.code.value, error=str(error))
            dead_letters.produce(dead_letter(record, Stage.INDEX, error, keep_value=True))
    if records:
        indexer.sink.commit()
        dead_letters.flush(30.0)
        _commit(consumer, records)


def _write_when_reachable(indexer: "Indexer", record: Record) -> None:
    """Writes a record, again while the blob store is away, for less time than a consumer may stay away from its group."""
    deadline = time.monotonic() + STORE_PATIENCE_S
    while True:
        try:
            indexer.write(record)
        except PageloomError as error:
            if error.code is not Code.STORE_UNAVAILABLE or time.monotonic() > deadline:
                raise
            time.sleep(1.0)
        else:
            return


def _take(consumer: Any, age_s: float) -> list[Record]:
    records: list[Record] = []
    deadline = time.monotonic() + POLL_S
    while len(records) < BATCH_RECORDS and (left := deadline - time.monotonic()) > 0:
        message = consumer.poll(left)
        if message is None:
            continue
        if message.error() is not None:
            log.warning("index.fetch_error", error=message.error().str())
            continue
        if not records:
            deadline = time.monotonic() + age_s
        records.append(record_from_message(message))
    return records


def _commit(consumer: Any, records: Sequence[Record]) -> None:
    """Commits past the last record of each partition. One that was taken away meanwhile is indexed again by its new owner: no harm."""
    ends = {(r.topic, r.partition): r.offset + 1 for r in records}
    try:
        consumer.commit(offsets=[TopicPartition(topic, partition, offset) for (topic, partition), offset in ends.items()], asynchronous=False)
    except KafkaException as error:
        log.warning("index.commit_failed", error=error.args[0].str())


class Indexer:
    """Turns records of `documents.parsed` into writes to a sink."""

    def __init__(self, sink: SearchSink, blobs: BlobStore, max_document_bytes: int) -> None:
        self.sink = sink
        self._blobs = blobs
        self._max_document_bytes = max_document_bytes

    def write(self, record: Record) -> None:
        """Writes one record. Raises PageloomError (undecodable, blob_missing, …) for one that can never be indexed as it is."""
        if record.value is None:
            self.sink.delete(_text(record.key), _revision_header(record))
            return
        try:
            parsed = codec.decode(record.value, DocumentParsed)
        except codec.Undecodable as error:
            raise PageloomError(Code.UNDECODABLE, f"{record.topic}[{record.partition}]@{record.offset}: {error}") from error
        document = self._document(parsed)
        about = IndexedDocument(document_id=parsed.document_id, revision=parsed.revision, filename=parsed.filename, metadata=document.metadata)
        written = self.sink.replace(about, chunks_of(document))
        log.info("index.written" if written else "index.skipped_older", document=parsed.document_id, revision=parsed.revision)

    def _document(self, parsed: DocumentParsed) -> Document:
        if parsed.document is not None:
            return parsed.document
        if parsed.document_reference is None:
            raise PageloomError(Code.UNDECODABLE, f"{parsed.document_id}: a parsed document with neither content nor reference")
        data = self._blobs.get(parsed.document_reference, self._max_document_bytes)
        try:
            return msgspec.json.decode(data, type=Document)
        except msgspec.DecodeError as error:
            raise PageloomError(Code.UNDECODABLE, f"{parsed.document_id}: its stored JSON is damaged") from error


def _revision_header(record: Record) -> int:
    """The revision that a deletion carries; without a readable one it is the record's own time, which is later than what it deletes."""
    text = dict(record.headers).get("revision") or b""
    return int(text) if text.isdigit() else record.timestamp_ms * 1000


def _text(key: bytes | None) -> str:
    return (key or b"").decode("utf-8", "replace")
