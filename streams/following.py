"""What becomes of submissions: progress, the finished document or the failure, read from the public topics.

Without a consumer group: a follower stands at the end of the topics when it is created, so whatever is published after that is not missed.
"""

import time
from collections.abc import Iterator

from confluent_kafka import Consumer, KafkaError, TopicPartition
from msgspec import Struct

from schemas import codec
from schemas.content import BlobReference
from schemas.events import DocumentFailed, DocumentParsed, DocumentProgressed, Rendering
from schemas.identity import Submission
from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import reader_config
from streams.kafka.reading import RecordReader
from streams.kafka.records import Record, record_from_message
from streams.settings import Settings
from streams.topics import FAILED, PARSED, PROGRESS


class DocumentFinished(Struct, frozen=True, kw_only=True):
    """A projection of `DocumentParsed`: everything but the block tree, which is most of it and is in the JSON rendering as well."""

    document_id: str
    submission: Submission
    revision: int
    status: str
    filename: str
    document_reference: BlobReference | None
    renderings: tuple[Rendering, ...]


Followed = DocumentProgressed | DocumentFinished | DocumentFailed
EVENT_TYPES: dict[str, tuple[str, type[DocumentProgressed] | type[DocumentFinished] | type[DocumentFailed]]] = {
    PROGRESS.name: (DocumentProgressed.__name__, DocumentProgressed),
    PARSED.name: (DocumentParsed.__name__, DocumentFinished),
    FAILED.name: (DocumentFailed.__name__, DocumentFailed),
}
"""By topic, the event that is on it and what is read of it."""

MAX_BATCH = 500
"""Records of one call of `events`, so that who follows gets back to its other work under any load."""


def latest_document(settings: Settings, document_id: str) -> DocumentFinished | None:
    """The newest parsed revision of a document that its topic still holds; None where there is none, or it was deleted since.

    Reads the topic from its beginning. Raises KafkaClientError.
    """
    reader = RecordReader(settings.bootstrap_servers, "pageloom-get", settings.kafka_security, max_message_bytes=settings.max_message_bytes)
    found: DocumentFinished | None = None
    for record in reader.since([PARSED.name], 0):
        if record.key != document_id.encode():
            continue
        if record.value is None:
            found = None
            continue
        try:
            event = codec.decode(record.value, DocumentFinished, DocumentParsed.__name__)
        except codec.Undecodable:
            continue
        found = event if found is None or event.revision >= found.revision else found
    return found


class Follower:
    """A reader of the outcome topics, from now on. `reachable` tells whether a broker answered last."""

    def __init__(self, settings: Settings) -> None:
        config = reader_config(settings.bootstrap_servers, "pageloom-follow", settings.kafka_security, max_message_bytes=settings.max_message_bytes)
        admin = TopicAdmin(settings.bootstrap_servers, settings.kafka_security)
        self._consumer = Consumer(config)
        self.reachable = True
        ends = admin.end_offsets(EVENT_TYPES)
        self._consumer.assign([TopicPartition(topic, partition, end) for (topic, partition), end in ends.items()])

    def events(self, within_s: float) -> Iterator[tuple[Record, Followed | None]]:
        """What came in within a time, oldest first for one document; an event of None is a deletion. Bytes that are no event are left out."""
        deadline = time.monotonic() + within_s
        wait = within_s
        for _ in range(MAX_BATCH):
            message = self._consumer.poll(max(0.0, wait))
            if message is None:
                return
            wait = min(0.0, deadline - time.monotonic())
            error = message.error()
            self.reachable = error is None or error.code() != KafkaError._ALL_BROKERS_DOWN
            if error is not None:
                if error.code() == KafkaError._PARTITION_EOF:
                    wait = max(0.0, deadline - time.monotonic())
                continue
            record = record_from_message(message)
            if record.value is None:
                yield record, None
                continue
            try:
                name, wanted = EVENT_TYPES[record.topic]
                yield record, codec.decode(record.value, wanted, name)
            except codec.Undecodable:
                continue

    def close(self) -> None:
        """Leaves the topics."""
        self._consumer.close()
