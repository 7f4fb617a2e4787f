"""Records of topics read once, from a time or at a place, without a group: for people who look things up.

Guarantees: what was committed when reading began is read, each record once, and then it ends; a record that is gone is None, not another one.
"""

import time
from collections.abc import Generator, Iterable, Iterator, Sequence

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import Security, reader_config
from streams.kafka.errors import KafkaClientError
from streams.kafka.producing import Place
from streams.kafka.records import Record, record_from_message

_POLL_S = 0.2
ANSWER_TIMEOUT_S = 30.0
"""For the broker to say anything at all: longer than its restart."""


class RecordReader:
    """A reader of one cluster. Used by one thread."""

    def __init__(self, bootstrap_servers: str, client_id: str, security: Security | None = None, *, max_message_bytes: int) -> None:
        self._admin = TopicAdmin(bootstrap_servers, security)
        self._config = reader_config(bootstrap_servers, client_id, security, max_message_bytes=max_message_bytes)

    def since(self, topics: Sequence[str], since_ms: int, partition: int | None = None) -> Generator[Record, None, None]:
        """The records of topics that were written from a time on (milliseconds since the epoch), in order within each partition; of one
        partition alone where that is given.

        Raises KafkaClientError where the broker does not answer.
        """
        ends = {place: end for place, end in self._admin.end_offsets(topics).items() if end > 0 and partition in (None, place[1])}
        consumer = Consumer(self._config)
        try:
            starts = first_offsets(consumer, ends.keys(), since_ms)
            behind = {place for place, start in starts.items() if start < ends[place]}
            consumer.assign([TopicPartition(*place, starts[place]) for place in behind])
            yield from _until(consumer, {place: ends[place] for place in behind})
        finally:
            consumer.close()

    def at(self, place: Place) -> Record | None:
        """The record at a place, None where it is gone: by age, by compaction, or because nothing was ever there."""
        listed = {topic.name: topic.ranges for topic in self._admin.list_topics([place.topic])}
        ranges = listed.get(place.topic, ())
        if place.partition >= len(ranges) or not ranges[place.partition][0] <= place.offset < ranges[place.partition][1]:
            return None
        consumer = Consumer(self._config)
        try:
            consumer.list_topics(place.topic, timeout=ANSWER_TIMEOUT_S)
            consumer.assign([TopicPartition(place.topic, place.partition, place.offset)])
            found = next(_until(consumer, {(place.topic, place.partition): ranges[place.partition][1]}), None)
        finally:
            consumer.close()
        return found if found is not None and found.offset == place.offset else None


def first_offsets(consumer: Consumer, places: Iterable[tuple[str, int]], since_ms: int) -> dict[tuple[str, int], int]:
    """For each partition the offset of its first record from a time on; 2**62 where there is none. Raises KafkaClientError."""
    asked = [TopicPartition(topic, partition, since_ms) for topic, partition in places]
    if not asked:
        return {}
    try:
        for topic in {place.topic for place in asked}:
            consumer.list_topics(topic, timeout=ANSWER_TIMEOUT_S)
        answers = consumer.offsets_for_times(asked, timeout=ANSWER_TIMEOUT_S)
    except KafkaException as error:
        raise KafkaClientError(f"the broker does not say where records begin: {error.args[0].str()}") from error
    return {(answer.topic, answer.partition): answer.offset if answer.offset >= 0 else 2**62 for answer in answers}


def _until(consumer: Consumer, ends: dict[tuple[str, int], int]) -> Iterator[Record]:
    """Records up to the ends of all partitions. Raises KafkaClientError for a broker that says nothing any more."""
    open_places = set(ends)
    heard_s = time.monotonic()
    while open_places:
        message = consumer.poll(_POLL_S)
        if message is None:
            if time.monotonic() - heard_s > ANSWER_TIMEOUT_S:
                raise KafkaClientError(f"no answer from the broker within {ANSWER_TIMEOUT_S:g} s; check that it runs")
            continue
        place = (message.topic() or "", message.partition() or 0)
        error = message.error()
        if error is not None:
            if error.code() == KafkaError._PARTITION_EOF:
                heard_s = time.monotonic()
                open_places.discard(place)
            elif error.fatal() or time.monotonic() - heard_s > ANSWER_TIMEOUT_S:  # others are tried again by the client
                raise KafkaClientError(f"{place[0]} cannot be read: {error.str()}")
            continue
        heard_s = time.monotonic()
        offset = message.offset() or 0
        if place in open_places and offset < ends[place]:
            yield record_from_message(message)
        if offset >= ends[place] - 1:
            open_places.discard(place)
