"""Cancellations from the control topic: all that it still holds, then new ones, from all its partitions and without a group.

Guarantees: when it is made, what was said before has been read, so that a worker that is started again reads nothing that was given up while it was
away, unless that takes longer than `TIMEOUT_S`. What is no cancellation is skipped: assemble sees it as well.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import structlog
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Message, TopicPartition

from inference.config import InferConfig
from schemas import codec
from schemas.events import DocumentCancelled

START_PATIENCE_S = 30.0
"""For the partitions of a topic: longer than a broker's restart, short enough to be seen."""
ASK_S, RETRY_S = 2.0, 0.2
TIMEOUT_S = 10.0
"""For what the topic holds: a day of cancellations."""
POLL_S = 0.05

log = structlog.get_logger(__name__)


def partitions_of(consumer: Consumer, topic: str, stopped: Callable[[], bool]) -> list[int]:
    """The partitions of a topic; a broker that goes away while a worker starts, or a topic that is being made, is waited for. None of them where the
    worker is `stopped` before (asked after each answer, at least every `ASK_S`).

    Raises KafkaException after `START_PATIENCE_S` without either.
    """
    deadline_s = time.monotonic() + START_PATIENCE_S
    while not stopped():
        try:
            found = consumer.list_topics(topic, ASK_S).topics.get(topic)
            if found is not None and found.partitions:
                return sorted(found.partitions)
            error = found.error if found is not None else None
            if error is not None and error.code() != KafkaError.UNKNOWN_TOPIC_OR_PART:
                failure = KafkaException(KafkaError(error.code(), f"topic {topic}: {error.str()}"))
            else:
                missing = f"topic {topic} does not exist; create it with `pageloom topics`"
                failure = KafkaException(KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART, missing))
        except KafkaException as error:
            failure = error
        if time.monotonic() > deadline_s:
            raise failure
        time.sleep(RETRY_S)
    return []


class CancellationReader:
    """A reader of one control topic. Used by one thread."""

    def __init__(self, config: InferConfig, stopped: Callable[[], bool]) -> None:
        """`config` names a control topic. What it holds is waited for unless `stopped`."""
        self._config = config
        self._consumer = Consumer(dict(config.control_config))
        self._said: list[DocumentCancelled] = []
        partitions = partitions_of(self._consumer, config.control_topic, stopped)
        places = [TopicPartition(config.control_topic, partition, OFFSET_BEGINNING) for partition in partitions]
        self._consumer.assign(places)
        self._catch_up(places)

    def events(self) -> Iterator[DocumentCancelled]:
        """What came since the last call. Never waits."""
        yield from self._said
        self._said = []
        while (message := self._consumer.poll(0)) is not None:
            yield from self._read(message)

    def close(self) -> None:
        """Leaves the topic."""
        self._consumer.close()

    def _catch_up(self, places: list[TopicPartition]) -> None:
        deadline = time.monotonic() + TIMEOUT_S
        behind: dict[int, int] = {}
        for place in places:
            low, high = self._range_of(place, deadline)
            behind |= {place.partition: high} if high > low else {}
        while behind and time.monotonic() < deadline:
            message = self._consumer.poll(POLL_S)
            if message is None or message.error() is not None:
                continue
            self._said += self._read(message)
            partition = int(message.partition() or 0)
            if int(message.offset() or 0) + 1 >= behind.get(partition, 2**62):
                del behind[partition]

    def _range_of(self, place: TopicPartition, deadline_s: float) -> tuple[int, int]:
        """The first offset of a partition and the one after its last. A broker that was just started does not lead its partitions yet."""
        while True:
            try:
                low, high = self._consumer.get_watermark_offsets(place, TIMEOUT_S)
            except KafkaException as error:
                if time.monotonic() > deadline_s:
                    log.warning("infer.control_late", partition=place.partition, error=error.args[0].str())
                    return 0, 0  # what it holds is read all the same, if only after the first windows
                time.sleep(POLL_S)
            else:
                return low, high

    def _read(self, message: Message) -> Iterator[DocumentCancelled]:
        if message.error() is not None:
            return
        data: Any = message.value()
        value = self._config.incoming(self._config.control_topic, data.encode() if isinstance(data, str) else data)
        try:
            yield codec.decode(value or b"", DocumentCancelled)
        except codec.Undecodable as error:
            log.info("infer.control_skipped", reason=str(error))
