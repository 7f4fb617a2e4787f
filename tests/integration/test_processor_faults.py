"""The transactional processor when things go wrong: exactly once over kills, zombies, fenced writers, calls that hang, a broker that dies."""

import dataclasses
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from streams.kafka import changelog, transactions
from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.clients import producer_config, reader_config, transactional_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.logic import NOTHING, Effects
from streams.kafka.processor import Processor
from streams.kafka.producing import Producing
from streams.kafka.records import OutputRecord
from streams.kafka.transactions import TransactionalWriter
from tests.integration.counting import Counting, dead_letter
from tests.integration.processor_bench import PARTITIONS, Bench, NewTopic, all_running, check_counts, make, new_bench, numbered, running
from tests.waiting import wait_until


@pytest.fixture
def bench(kafka: EmbeddedKafka, new_topic: NewTopic) -> Bench:
    """Topics of a test's own on the broker of this run."""
    return new_bench(kafka, new_topic)


@pytest.mark.parametrize("die_after", [450, 1300])
def test_exactly_once_when_killed_inside_a_transaction(bench: Bench, tmp_path: Path, die_after: int) -> None:
    bench.publish(numbered(0, 3000))
    arguments = [bench.bootstrap, bench.application, bench.source, bench.changelog, bench.output, str(die_after), str(tmp_path / "died")]
    command = [sys.executable, "-m", "tests.integration.counting", *arguments]
    assert subprocess.run(command, check=False, timeout=60, cwd=Path(__file__).parents[2]).returncode == -9
    started_s = time.monotonic()
    child = subprocess.Popen(command, cwd=Path(__file__).parents[2])
    try:
        wait_until(lambda: len(bench.written()) >= 3000, 40, "all records counted by the second run")
        print(f"killed after {die_after} records, restarted: all 3000 counted {time.monotonic() - started_s:.1f} s later")
    finally:
        child.kill()
        child.wait()
    check_counts(bench.written(), 3000)


def test_a_zombie_is_fenced_and_its_open_transaction_is_void(bench: Bench, new_topic: NewTopic) -> None:
    probe = new_topic("probe", partitions=PARTITIONS)
    partition = bench.producing.send(OutputRecord(probe, b"key-1", b"")).partition
    zombie = Producer(transactional_config(bench.bootstrap, "zombie", f"{bench.application}-{partition}"))
    zombie.init_transactions(10)
    zombie.begin_transaction()
    zombie.produce(bench.changelog, b"999", b"key-1", partition=partition)
    zombie.produce(bench.output, b"zombie", b"key-1")
    assert zombie.flush(10) == 0
    bench.publish([(b"key-1", b"after")])
    processor = make(bench)
    with running(processor):
        wait_until(lambda: [record.value for record in bench.written()] == [b"after=1"], 20, "the record is counted from an empty state")
    with pytest.raises(KafkaException) as fenced:
        zombie.commit_transaction(10)
    assert fenced.value.args[0].fatal()


def test_a_fenced_partition_gets_another_writer_and_its_member_stays(bench: Bench) -> None:
    processor = make(bench)
    with running(processor) as errors:
        bench.publish(numbered(0, 100))
        wait_until(lambda: len(bench.written()) >= 100, 20, "first records counted")
        member = processor._consumer
        intruder = Producer(transactional_config(bench.bootstrap, "intruder", f"{bench.application}-0"))
        intruder.init_transactions(10)
        bench.publish(numbered(100, 200))
        wait_until(lambda: len(bench.written()) >= 200, 30, "records counted by another writer")
        assert processor._consumer is member, "a rebalance would have stopped all partitions"
    check_counts(bench.written(), 200)
    assert not errors


def test_a_call_of_the_client_library_that_never_returns_is_left_alone(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The partition stood still for ever; its documents were read by nobody. What hung comes to nothing when it returns after all."""
    release = threading.Event()
    hung: list[Producer] = []

    class Hanging(Producer):
        def commit_transaction(self, *timeout: float) -> None:
            if not hung:
                hung.append(self)
                release.wait()
            super().commit_transaction(*timeout)

    monkeypatch.setattr(transactions, "Producer", Hanging)
    monkeypatch.setattr(transactions, "HANG_S", 3.0)
    with running(make(bench)) as errors:
        bench.publish(numbered(0, 200))
        wait_until(lambda: len(bench.written()) == 200, 60, "all records are counted")
        release.set()
        bench.publish(numbered(200, 300))
        wait_until(lambda: len(bench.written()) >= 300, 60, "and those that come later")
    assert hung
    assert not errors
    check_counts(bench.written(), 300)


def test_a_member_that_is_gone_takes_nothing_from_the_next(bench: Bench) -> None:
    """A close that is not waited for may revoke partitions, by their numbers, when the next membership has the same ones."""
    processor = make(bench)
    with running(processor) as errors:
        wait_until(all_running(processor), 20, "both partitions are assigned")
        gone = Consumer(reader_config(bench.bootstrap, "gone"))
        places = [TopicPartition(bench.source, 0)]
        for late in (processor._on_revoke, processor._on_lost):
            gone.incremental_assign(places)
            late(gone, places)
        processor._on_assign(gone, places)
        gone.close()
        bench.publish(numbered(0, 200))
        wait_until(lambda: len(bench.written()) == 200, 30, "all records are counted")
    assert not errors
    check_counts(bench.written(), 200)


def test_a_member_that_stops_leaves_its_partitions_at_once(bench: Bench) -> None:
    """Its name in the group would keep them until its session times out: two seconds here, ten by default."""
    options = dataclasses.replace(bench.options, session_timeout_ms=30_000)
    first, second = (Processor(options, lambda _partition, _wake: Counting(bench.output), dead_letter(bench.output)) for _ in range(2))
    with running(second) as errors:
        with running(first):
            wait_until(lambda: len(first.stages()) == 1 == len(second.stages()), 20, "one partition each")
        wait_until(all_running(second), 15, "both partitions at the one that is left")
    assert not errors


def test_state_that_cannot_be_restored_ends_the_processor_with_a_reason(bench: Bench) -> None:
    bench.producing.send(OutputRecord(bench.changelog, b"key", b"not a number", partition=1))
    with running(make(bench)) as errors:
        wait_until(lambda: errors, 20, "the processor ends")
    assert "cannot be restored" in str(errors[0])
    assert "partition 1" in str(errors[0])


def test_a_tick_that_fails_is_tried_again_and_thrice_in_a_row_ends_the_processor(bench: Bench) -> None:
    failures = iter([True, True, False])

    class Ticking(Counting):
        def tick(self, now_s: float, caught_up: bool) -> Effects:
            if self.counts and next(failures, True):
                raise OSError("no disk")
            return NOTHING

    processor = Processor(bench.options, lambda _partition, _wake: Ticking(bench.output), dead_letter(bench.output))
    bench.publish([(b"a", b"0")])
    with running(processor) as errors:
        wait_until(lambda: errors, 20, "the processor ends")
    assert "tick failed 3 times in a row (OSError: no disk)" in str(errors[0])


def test_the_processor_outlives_its_broker(tmp_path: Path, kafka_jars: list[Path], java: Path) -> None:
    with EmbeddedKafka(tmp_path, kafka_jars, java) as broker:
        admin = TopicAdmin(broker.bootstrap_servers)
        admin.ensure_topics([TopicSpec(name, PARTITIONS) for name in ("source", "changelog", "output")])
        producing = Producing(producer_config(broker.bootstrap_servers, "test"))
        bench = Bench(broker.bootstrap_servers, "count", "source", "changelog", "output", producing)
        made: list[Counting] = []
        processor = make(bench, made)
        with running(processor) as errors:
            bench.publish(numbered(0, 500))
            wait_until(lambda: processor.counts().processed >= 500, 20, "first records counted")
            wait_until(lambda: all(logic.caught_up for logic in made), 10, "caught up")
            broker.kill()
            wait_until(lambda: not any(logic.caught_up for logic in made), 20, "without a broker nobody is caught up")
            broker.start()
            assert broker.bootstrap_servers == bench.bootstrap
            wait_until(lambda: all(logic.caught_up for logic in made if not logic.is_closed), 40, "caught up again")
            bench.publish(numbered(500, 1000))
            wait_until(lambda: len(bench.written()) >= 1000, 40, "all counted")
        check_counts(bench.written(), 1000)
        assert not errors


def test_an_offset_that_a_gone_writer_left_in_doubt_is_ended_and_not_waited_for_without_end(
    kafka: EmbeddedKafka, new_topic: NewTopic, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a broker was killed, a partition waited for its committed offset for ever: a fenced transaction held it, with nobody left to end it."""
    monkeypatch.setattr(changelog, "DOUBT_S", 0.5)
    source, group = new_topic("source"), f"group-{uuid.uuid4().hex[:8]}"
    member = Consumer({**reader_config(kafka.bootstrap_servers, "test"), "group.id": group})
    writer = TransactionalWriter(transactional_config(kafka.bootstrap_servers, "test", f"writer-{group}"), source)
    writer.fence(lambda: False)
    writer.begin()
    writer.commit(TopicPartition(source, 0, 5), member.consumer_group_metadata)
    other = Producer(transactional_config(kafka.bootstrap_servers, "other", f"other-{group}"))
    other.init_transactions(20)
    other.begin_transaction()
    other.send_offsets_to_transaction([TopicPartition(source, 0, 9)], member.consumer_group_metadata(), 20)

    doubts = []

    def in_doubt() -> None:
        doubts.append(time.monotonic())
        writer.void_offset(TopicPartition(source, 0, 0), member.consumer_group_metadata)  # ends what is of its own id, and moves nothing
        if len(doubts) == 2:
            other.abort_transaction(20)

    with changelog.CommittedReader(reader_config(kafka.bootstrap_servers, "test"), group, lambda: False) as reader:
        assert reader.source_offset(source, 0, in_doubt) == 5
    assert len(doubts) == 2
    member.close()
    writer.close()
