"""The topics of windows, each read as a member of a group of its own.

One group for all topics would be simpler and wrong: the cooperative assignor of the client library levels the number of partitions a member has, not
of which topic, so of two workers one got all express windows and the other all the rest (librdkafka 2.16). A group a topic shares out each of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import structlog
from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

from inference.config import InferConfig
from inference.control import partitions_of
from inference.offsets import Partition

TAKE_RECORDS = 200
"""Records taken of a topic between two looks at the lanes."""
LEAVE_S = 2.0
"""For leaving one group: a broker that answers needs some milliseconds; one that is away learns of it by the session."""

log = structlog.get_logger(__name__)

Moved = Callable[[set[Partition]], None]


class Sources:
    """The consumers of an infer worker. Used by one thread; `poll` is where partitions come and go."""

    def __init__(self, config: InferConfig, stopped: Callable[[], bool], *, on_assign: Moved, on_revoke: Moved, on_lost: Moved) -> None:
        """Joins the groups; the first `poll` brings partitions. A broker that is away is waited for unless `stopped`. Raises KafkaException where a
        topic cannot be had.
        """

        def told(moved: Moved) -> Callable[[Consumer, list[TopicPartition]], None]:
            return lambda _, places: moved({(place.topic, place.partition) for place in places})

        self._leave = config.leave
        self._consumers: dict[str, Consumer] = {}
        self.partitions = 0
        """Of all topics, assigned to whomever."""
        for topic in config.topics:
            consumer = Consumer({**config.consumer_config, "group.id": config.group_of(topic)})
            self._consumers[topic] = consumer
            self.partitions += len(partitions_of(consumer, topic, stopped))
        for topic, consumer in self._consumers.items():
            consumer.subscribe([topic], on_assign=told(on_assign), on_revoke=told(on_revoke), on_lost=told(on_lost))

    def assignment(self) -> set[Partition]:
        """What this worker has of all topics."""
        return {(place.topic, place.partition) for consumer in self._consumers.values() for place in consumer.assignment()}

    def poll(self, wait_s: float) -> Iterator[Message]:
        """What came of each topic, in the order of the topics; waits for `wait_s` where nothing does."""
        for consumer in self._consumers.values():
            message = consumer.poll(wait_s / len(self._consumers))
            if message is not None:
                yield message
                yield from consumer.consume(TAKE_RECORDS, 0)

    def commit(self, offsets: Mapping[Partition, int], *, wait: bool) -> dict[Partition, int]:
        """Commits the next offset to read of each partition; those that were. A group that is rebalancing takes none: the next owner starts from the
        last commit and finds our answers in the cache.
        """
        taken: dict[Partition, int] = {}
        for topic, consumer in self._consumers.items():
            own = {place: offset for place, offset in offsets.items() if place[0] == topic}
            if own:
                try:
                    consumer.commit(offsets=[TopicPartition(*place, offset) for place, offset in own.items()], asynchronous=not wait)
                except KafkaException as error:
                    log.warning("infer.commit_failed", topic=topic, error=error.args[0].str())
                else:
                    taken |= own
        return taken

    def pause(self, partitions: Iterable[Partition]) -> None:
        """No records of these until they are resumed."""
        self._each(Consumer.pause, partitions)

    def resume(self, partitions: Iterable[Partition]) -> None:
        """The opposite of `pause`."""
        self._each(Consumer.resume, partitions)

    def close(self) -> None:
        """Leaves all groups, also where leaving one of them fails."""
        with ExitStack() as leaving:
            for consumer in self._consumers.values():
                leaving.callback(self._leave, consumer, LEAVE_S)

    def _each(self, do: Callable[[Consumer, list[TopicPartition]], Any], partitions: Iterable[Partition]) -> None:
        for topic, number in partitions:
            do(self._consumers[topic], [TopicPartition(topic, number)])
