"""What becomes of submissions: progress, the finished document or the failure, read from the public topics.

Without a consumer group: a follower stands at the end of the topics when it is created, so whatever is published after that is not missed.
"""

import time
from collections.abc import Iterator

from confluent_kafka import Consumer, KafkaError, TopicPartition

from schemas import codec
from schemas.events import DocumentFailed, DocumentParsed, DocumentProgressed
from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import reader_config
from streams.kafka.records import Record, record_from_message
from streams.settings import Settings
from streams.topics import FAILED, PARSED, PROGRESS

Followed = DocumentProgressed | DocumentParsed | DocumentFailed
EVENT_TYPES: dict[str, type[DocumentProgressed] | type[DocumentParsed] | type[DocumentFailed]] = {
    PROGRESS.name: DocumentProgressed,
    PARSED.name: DocumentParsed,
    FAILED.name: DocumentFailed,
}
POLL_S = 0.1
MAX_BATCH = 500


class Follower:
    """A reader of the outcome topics, from now on."""

    def __init__(self, settings: Settings) -> None:
        config = reader_config(settings.bootstrap_servers, "pageloom-follow", settings.kafka_security, max_message_bytes=settings.max_message_bytes)
        admin = TopicAdmin(settings.bootstrap_servers, settings.kafka_security)
        self._consumer = Consumer(config)
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
            if error is not None:
                if error.code() == KafkaError._PARTITION_EOF:
                    wait = max(0.0, deadline - time.monotonic())
                continue
            record = record_from_message(message)
            if record.value is None:
                yield record, None
                continue
            try:
                yield record, codec.decode(record.value, EVENT_TYPES[record.topic])
            except codec.Undecodable:
                continue

    def close(self) -> None:
        """Leaves the topics."""
        self._consumer.close()
