"""Pausing and resuming a consumer's partitions without the second that the client library adds.

Measured (librdkafka 2.16): a partition that is resumed while nothing else is fetched from its broker waits until that broker's thread wakes, up to
one second. Any request to the broker wakes it.
"""

import logging
from collections.abc import Sequence

from confluent_kafka import Consumer, KafkaException, TopicPartition

_log = logging.getLogger(__name__)

_WAKE_TIMEOUT_S = 0.2
"""A broker that answers does so in 2 to 5 ms; one that does not is waited for by the fetch itself, outside of the poll loop."""


def resume_at_once(consumer: Consumer, places: Sequence[TopicPartition]) -> None:
    """Resumes partitions so that their next fetch is sent now; call it from the poll loop."""
    consumer.resume(list(places))
    for place in places:
        try:
            consumer.get_watermark_offsets(place, timeout=_WAKE_TIMEOUT_S, cached=False)
        except KafkaException as error:
            _log.debug("%s, partition %d: not woken (%s)", place.topic, place.partition, error.args[0].str())
