"""Reads what a partition of a processor has committed: its group's source offset, and its changelog as live entries.

Only committed records count. The end of a changelog is where the broker says so, and not before an offset that is known to be committed although
its transaction's marker may still be on its way. A broker that is down is waited for, as long as the partition is wanted.
"""

import logging
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition

from streams.kafka.errors import ProcessorError
from streams.kafka.transactions import CancelledError

_log = logging.getLogger(__name__)

_POLL_S = 0.2
_CALL_TIMEOUT_S = 2.0
_RETRY_S = 0.1
DOUBT_S = 15.0
"""Longer than the timeout of transactions (10 s) and the broker's look for those that passed it."""
_SILENCE_S = 30.0
"""Without an answer for this long, a line in the log says what is waited for."""


class CommittedReader:
    """A client of its own for one restore.

    The group's member must not be asked instead: called from two threads at once beside its poll loop, `committed` hangs (confluent-kafka 2.16.1).
    """

    def __init__(self, config: Mapping[str, Any], group_id: str, cancelled: Callable[[], bool]) -> None:
        """`config` is a `reader_config`. The group is asked about, never joined. Calls raise CancelledError once `cancelled` says so."""
        self._consumer = Consumer({**config, "group.id": group_id})
        self._cancelled = cancelled

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._consumer.close()

    def source_offset(self, topic: str, partition: int, in_doubt: Callable[[], None]) -> int | None:
        """The group's committed offset, None if there is none; one that an open transaction holds in doubt is waited for.

        `in_doubt` is called where that takes longer than any transaction may, and again after as long.
        """
        asked_s = time.monotonic()
        while not self._cancelled():
            try:
                answer = self._consumer.committed([TopicPartition(topic, partition)], _CALL_TIMEOUT_S)[0]
                if answer.error is None:
                    return answer.offset if answer.offset >= 0 else None
                reason = answer.error.str()
            except KafkaException as error:
                reason = error.args[0].str()
            _log.warning("%s, partition %d: committed offset not known yet (%s)", topic, partition, reason)
            if time.monotonic() - asked_s > DOUBT_S:
                in_doubt()
                asked_s = time.monotonic()
            time.sleep(_RETRY_S)
        raise CancelledError

    def live_entries(self, topic: str, partition: int, at_least: int) -> dict[bytes, bytes]:
        """The last value of every key that was not removed, in the order in which the keys were last written; read beyond `at_least`.

        Raises ProcessorError if the partition does not exist.
        """
        entries: dict[bytes, bytes] = {}
        self._learn_leader(topic)
        self._consumer.assign([TopicPartition(topic, partition, OFFSET_BEGINNING)])
        heard_s = time.monotonic()
        while True:
            message = self._consumer.poll(_POLL_S)
            if self._cancelled():
                raise CancelledError
            if message is None:
                if time.monotonic() - heard_s > _SILENCE_S:
                    _log.warning("waiting for the broker to read changelog %s, partition %d", topic, partition)
                    heard_s = time.monotonic()
                continue
            heard_s = time.monotonic()
            error = message.error()
            if error is None:
                _fold(entries, message.key(), message.value())
            elif error.code() == KafkaError._PARTITION_EOF:
                if (message.offset() or 0) > at_least:  # of the end itself
                    return entries
            elif error.fatal() or error.code() in (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_PARTITION):
                raise ProcessorError(f"changelog {topic}, partition {partition} cannot be read: {error.str()}; create the topics first")

    def _learn_leader(self, topic: str) -> None:
        """Fetches the topic's metadata, without which the first fetch comes a second later."""
        try:
            self._consumer.list_topics(topic, timeout=_CALL_TIMEOUT_S)
        except KafkaException as error:
            _log.warning("%s: metadata not known yet (%s)", topic, error.args[0].str())


def _fold(entries: dict[bytes, bytes], key: bytes | None, value: bytes | None) -> None:
    entries.pop(key or b"", None)
    if value is not None:
        entries[key or b""] = value
