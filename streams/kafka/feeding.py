"""Records of topics from a time or from now on, and then as they come, without a group: for whoever shows what happens.

Guarantees: committed records only, in order within each partition, each once; a broker that is away is waited for. Used by one thread.
"""

import time
from collections.abc import Callable, Iterator, Mapping

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import Security, reader_config
from streams.kafka.errors import KafkaClientError
from streams.kafka.reading import first_offsets
from streams.kafka.records import Record, record_from_message

MAX_BATCH = 500
"""Records of one call, so that who follows gets back to its other work under any load."""


class RecordFeed:
    """A reader of topics, each from its own time (milliseconds since the epoch) or, where that is None, from its end.

    `reachable` tells whether a broker answered last.
    """

    def __init__(
        self, bootstrap_servers: str, client_id: str, since_ms: Mapping[str, int | None], security: Security | None = None, *, max_message_bytes: int
    ) -> None:
        """Raises KafkaClientError where no broker answers."""
        ends = TopicAdmin(bootstrap_servers, security).end_offsets(since_ms)
        config = reader_config(bootstrap_servers, client_id, security, max_message_bytes=max_message_bytes)
        self._consumer = Consumer({**config, "error_cb": self._on_client_error})
        self.reachable = True
        places = []
        for topic, at_ms in since_ms.items():
            its_ends = {place: end for place, end in ends.items() if place[0] == topic}
            starts = its_ends if at_ms is None else first_offsets(self._consumer, its_ends, at_ms)
            places += [TopicPartition(*place, min(starts[place], end)) for place, end in its_ends.items()]
        self._behind = {(place.topic, place.partition): ends[place.topic, place.partition] for place in places}
        self._behind = {at: end for at, end in self._behind.items() if end > 0}
        try:
            self._consumer.assign(places)
        except KafkaException as error:
            raise KafkaClientError(f"the topics cannot be followed: {error.args[0].str()}") from error

    @property
    def caught_up(self) -> bool:
        """Whether everything that was there at the beginning has been read."""
        return not self._behind

    def records(self, within_s: float) -> Iterator[Record]:
        """What came in within a time."""
        for message in arriving(self._consumer.poll, within_s):
            error = message.error()
            if error is None or error.code() == KafkaError._PARTITION_EOF:
                self.reachable = True
            place = (message.topic() or "", message.partition() if message.partition() is not None else -1)
            if error is not None:
                if error.code() == KafkaError._PARTITION_EOF:
                    self._behind.pop(place, None)
                continue
            if (message.offset() or 0) + 1 >= self._behind.get(place, 2**62):
                del self._behind[place]
            yield record_from_message(message)

    def close(self) -> None:
        """Leaves the topics."""
        self._consumer.close()

    def _on_client_error(self, error: KafkaError) -> None:
        # Called within `poll`, which does not give out errors of the client as a whole. Told once, until a broker answered again.
        if error.code() == KafkaError._ALL_BROKERS_DOWN:
            self.reachable = False


def arriving(poll: Callable[[float], Message | None], within_s: float) -> Iterator[Message]:
    """What a client hands out within a time, at most `MAX_BATCH`: it is waited for until a record is there, and no longer.

    An end of a partition is no record. One that comes after a record must not begin the wait anew: the client tells of the ends of other partitions
    together with the records of one, and whoever follows a document would hear of its end and then sit there for the rest of the time.
    """
    deadline = time.monotonic() + within_s
    has_record = False
    for _ in range(MAX_BATCH):
        message = poll(0.0 if has_record else max(0.0, deadline - time.monotonic()))
        if message is None:
            return
        has_record = has_record or message.error() is None
        yield message
