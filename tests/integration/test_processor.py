"""The transactional processor on a real broker: state that outlives it, poison, partitions that move, and how fast a lone record is."""

import statistics
import threading
import time

import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

from streams.kafka.clients import reader_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.errors import ProcessorError
from streams.kafka.lifecycle import Stage
from streams.kafka.logic import NOTHING, Effects
from streams.kafka.processor import Processor
from streams.kafka.processor_options import ProcessorOptions
from streams.kafka.records import OutputRecord
from tests.integration.counting import POISON_VALUE, Counting, dead_letter
from tests.integration.processor_bench import PARTITIONS, Bench, NewTopic, all_running, check_counts, make, new_bench, numbered, running
from tests.waiting import wait_until


@pytest.fixture
def bench(kafka: EmbeddedKafka, new_topic: NewTopic) -> Bench:
    """Topics of a test's own on the broker of this run."""
    return new_bench(kafka, new_topic)


def test_state_survives_a_restart(bench: Bench) -> None:
    bench.publish(numbered(0, 1000))
    first = make(bench)
    with running(first):
        wait_until(lambda: first.counts().processed >= 1000, 20, "first half processed")
    bench.publish(numbered(1000, 2000))
    made: list[Counting] = []
    second = make(bench, made)
    with running(second):
        wait_until(lambda: second.counts().processed >= 1000, 20, "second half processed")
        wait_until(lambda: all(logic.caught_up for logic in made), 10, "the logics are told that they are caught up")
        assert second.counts().restored_entries == 20
    check_counts(bench.written(), 2000)
    assert all(logic.is_closed for logic in made)


def test_each_changelog_entry_is_on_the_partition_of_its_source(bench: Bench) -> None:
    bench.publish(numbered(0, 200))
    processor = make(bench)
    with running(processor):
        wait_until(lambda: processor.counts().processed >= 200, 20, "processed")
    placed = {(record.key, record.partition) for record in bench.written(bench.source)}
    assert {(record.key, record.partition) for record in bench.written(bench.changelog)} == placed


def test_a_poison_record_becomes_a_dead_letter_and_the_next_goes_on(bench: Bench) -> None:
    bench.publish([(b"a", b"0"), (b"a", b"1"), (b"a", POISON_VALUE), (b"a", b"2"), (b"a", POISON_VALUE), (b"a", b"3")])
    made: list[Counting] = []
    processor = make(bench, made)
    with running(processor):
        wait_until(lambda: len(bench.written()) >= 6, 20, "all outputs written")
        counts = processor.counts()
    assert [record.value for record in bench.written()] == [b"0=1", b"1=2", b"2:PoisonedError", b"2=3", b"4:PoisonedError", b"3=4"]
    assert (counts.poisoned, counts.rebuilds) == (2, 2)
    assert sum(logic.is_closed for logic in made) == PARTITIONS + 2


def test_an_output_above_the_limit_is_poison_not_silence(bench: Bench) -> None:
    small = ProcessorOptions(bench.bootstrap, bench.application, bench.source, bench.changelog, max_message_bytes=2_000)
    bench.publish([(b"a", b"0"), (b"a", b"x" * 1_990), (b"a", b"1")])
    processor = Processor(small, lambda _partition, _wake: Counting(bench.output), dead_letter(bench.output))
    with running(processor):
        wait_until(lambda: len(bench.written()) >= 3, 20, "all outputs written")
    assert [record.value for record in bench.written()] == [b"0=1", b"1:MessageTooLargeError", b"1=2"]


def test_partitions_move_between_members_without_loss(bench: Bench) -> None:
    first, second = make(bench), make(bench)
    stop = threading.Event()

    def publish() -> None:
        for number in range(0, 3000, 100):
            bench.publish(numbered(number, number + 100))
            if stop.wait(0.05):
                return

    publisher = threading.Thread(target=publish)
    with running(first) as first_errors:
        wait_until(all_running(first), 20, "both partitions at the first member")
        publisher.start()
        with running(second) as second_errors:
            wait_until(lambda: len(first.stages()) == 1 and list(second.stages().values()) == [Stage.RUNNING], 20, "one partition each")
            wait_until(lambda: second.counts().processed > 100, 20, "the second member works")
        wait_until(all_running(first), 20, "both partitions back at the first member")
        publisher.join()
        wait_until(lambda: len(bench.written()) >= 3000, 20, "everything counted")
    check_counts(bench.written(), 3000)
    assert not first_errors
    assert not second_errors


def test_a_full_logic_pauses_its_partition_until_it_has_room(bench: Bench) -> None:
    made: list[Counting] = []
    processor = make(bench, made)
    with running(processor):
        wait_until(all_running(processor), 20, "running")
        for logic in made:
            logic.full = True
        wait_until(lambda: processor._paused == set(range(PARTITIONS)), 10, "both partitions paused")
        bench.publish(numbered(0, 100))
        assert len(bench.written(bench.source)) == 100  # another reader has had all of them
        assert processor.counts().processed == 0
        for logic in made:
            logic.full = False
        wait_until(lambda: processor.counts().processed >= 100, 20, "counted once there is room")
    check_counts(bench.written(), 100)


def test_a_changelog_of_another_shape_is_refused(bench: Bench, new_topic: NewTopic) -> None:
    changelog = new_topic("changelog", partitions=PARTITIONS + 1)
    options = ProcessorOptions(bench.bootstrap, bench.application, bench.source, changelog)
    with pytest.raises(ProcessorError, match="has 3"):
        Processor(options, lambda _partition, _wake: Counting(bench.output), dead_letter(bench.output)).run(lambda: False)


def test_outputs_of_a_tick_are_committed_without_a_record(bench: Bench) -> None:
    class Timer(Counting):
        told = False

        def tick(self, now_s: float, caught_up: bool) -> Effects:
            if self.told or not caught_up:
                return NOTHING
            self.told = True
            return Effects(state=[(b"timer", b"1")], outputs=[OutputRecord(bench.output, b"timer", b"rang")])

    with running(Processor(bench.options, lambda _partition, _wake: Timer(bench.output), dead_letter(bench.output))):
        wait_until(lambda: len(bench.written()) == PARTITIONS, 20, "each partition's timer rang once caught up")
    assert {record.value for record in bench.written()} == {b"rang"}
    assert {(record.partition, record.value) for record in bench.written(bench.changelog)} == {(number, b"1") for number in range(PARTITIONS)}


def test_latency_of_a_lone_record(bench: Bench) -> None:
    """Prints what a lone record takes from its acknowledgement on the source to its committed output at a reader."""
    processor = make(bench)
    reader = Consumer({**reader_config(bench.bootstrap, "test"), "enable.partition.eof": False, "fetch.wait.max.ms": 10})
    latencies_ms = []
    with running(processor):
        wait_until(all_running(processor), 20, "running")
        reader.list_topics(bench.output, timeout=10)
        reader.assign([TopicPartition(bench.output, partition, OFFSET_BEGINNING) for partition in range(PARTITIONS)])
        for number in range(40):
            bench.producing.send(OutputRecord(bench.source, b"key-%d" % number, b"%d" % number))
            sent_s = time.monotonic()
            message = reader.poll(10)
            assert message is not None
            assert message.error() is None
            latencies_ms.append(1000 * (time.monotonic() - sent_s))
    reader.close()
    settled = sorted(latencies_ms[10:])
    print(f"lone record, source to committed output: median {statistics.median(settled):.1f} ms, 95 % {settled[int(len(settled) * 0.95)]:.1f} ms")
    assert statistics.median(settled) < 200
