"""What the tests of the transactional processor stand on: topics of their own, a processor that counts, and what it has written."""

import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition

from streams.kafka.clients import producer_config, reader_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.errors import ProcessorError
from streams.kafka.lifecycle import Stage
from streams.kafka.logic import PartitionLogic, Wake
from streams.kafka.processor import Processor
from streams.kafka.processor_options import ProcessorOptions
from streams.kafka.producing import Producing
from streams.kafka.records import OutputRecord, Record, record_from_message
from tests.integration.counting import Counting, dead_letter

PARTITIONS = 2
NewTopic = Callable[..., str]


@dataclass(frozen=True)
class Bench:
    """A source, its changelog, an output and a name for the application that works on them."""

    bootstrap: str
    application: str
    source: str
    changelog: str
    output: str
    producing: Producing

    @property
    def options(self) -> ProcessorOptions:
        return ProcessorOptions(self.bootstrap, self.application, self.source, self.changelog, session_timeout_ms=2_000)

    def publish(self, records: list[tuple[bytes, bytes]]) -> None:
        for key, value in records:
            self.producing.produce(OutputRecord(self.source, key, value))
        self.producing.flush(20)

    def written(self, topic: str | None = None) -> list[Record]:
        return read_all(self.bootstrap, topic or self.output)


def new_bench(kafka: EmbeddedKafka, new_topic: NewTopic) -> Bench:
    """Topics that nobody else uses, on a broker."""
    return Bench(
        kafka.bootstrap_servers,
        f"count-{uuid.uuid4().hex[:8]}",
        new_topic("source", partitions=PARTITIONS),
        new_topic("changelog", partitions=PARTITIONS, config={"cleanup.policy": "compact"}),
        new_topic("output", partitions=PARTITIONS),
        Producing(producer_config(kafka.bootstrap_servers, "test", linger_ms=0)),
    )


def read_all(bootstrap: str, topic: str) -> list[Record]:
    """Every committed record of a topic that is there now."""
    reader = Consumer(reader_config(bootstrap, "test", fetch_wait_ms=10))
    records: list[Record] = []
    try:
        partitions = list(reader.list_topics(topic, timeout=10).topics[topic].partitions)
        reader.assign([TopicPartition(topic, partition, OFFSET_BEGINNING) for partition in partitions])
        ends = 0
        while ends < len(partitions):
            message = reader.poll(10)
            assert message is not None, f"no end of {topic}"
            if message.error() is None:
                records.append(record_from_message(message))
            else:
                assert message.error().code() == KafkaError._PARTITION_EOF
                ends += 1
    finally:
        reader.close()
    return records


@contextmanager
def running(processor: Processor) -> Iterator[list[Exception]]:
    """Runs a processor in a thread; yields the errors that ended it."""
    stop = threading.Event()
    errors: list[Exception] = []

    def run() -> None:
        try:
            processor.run(stop.is_set)
        except ProcessorError as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="processor")
    thread.start()
    try:
        yield errors
    finally:
        stop.set()
        thread.join(20)
        assert not thread.is_alive(), "the processor did not stop"


def all_running(processor: Processor) -> Callable[[], bool]:
    return lambda: list(processor.stages().values()) == [Stage.RUNNING] * PARTITIONS


def numbered(first: int, last: int, keys: int = 20) -> list[tuple[bytes, bytes]]:
    return [(b"key-%d" % (number % keys), b"%d" % number) for number in range(first, last)]


def check_counts(outputs: list[Record], expected_records: int, keys: int = 20) -> None:
    """Every record once, and every key's counts without gap or repetition, in order."""
    assert sorted(int((record.value or b"").split(b"=")[0]) for record in outputs) == list(range(expected_records))
    by_key: dict[bytes, list[int]] = {}
    for record in outputs:
        by_key.setdefault(record.key or b"", []).append(int((record.value or b"").split(b"=")[1]))
    assert len(by_key) == keys
    for counts in by_key.values():
        assert counts == list(range(1, len(counts) + 1))


def make(bench: Bench, made: list[Counting] | None = None, on_record: Callable[[Record], None] | None = None) -> Processor:
    def factory(_partition: int, _wake: Wake) -> PartitionLogic:
        logic = Counting(bench.output, on_record)
        if made is not None:
            made.append(logic)
        return logic

    return Processor(bench.options, factory, dead_letter(bench.output))
