"""The transactional processor on a real broker: exactly once over kills, fencing, poison, restored state, and how fast a lone record is."""

import dataclasses
import statistics
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Producer, TopicPartition

from streams.kafka import changelog, transactions
from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.clients import producer_config, reader_config, transactional_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.errors import ProcessorError
from streams.kafka.lifecycle import Stage
from streams.kafka.logic import NOTHING, Effects, PartitionLogic, Wake
from streams.kafka.processor import Processor, ProcessorOptions
from streams.kafka.producing import Producing
from streams.kafka.records import OutputRecord, Record, record_from_message
from streams.kafka.transactions import TransactionalWriter
from tests.integration.counting import POISON_VALUE, Counting, dead_letter
from tests.waiting import wait_until

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


@pytest.fixture(scope="module")
def producing(kafka: EmbeddedKafka) -> Producing:
    return Producing(producer_config(kafka.bootstrap_servers, "test", linger_ms=0))


@pytest.fixture
def bench(kafka: EmbeddedKafka, new_topic: NewTopic, producing: Producing) -> Bench:
    return Bench(
        kafka.bootstrap_servers,
        f"count-{uuid.uuid4().hex[:8]}",
        new_topic("source", partitions=PARTITIONS),
        new_topic("changelog", partitions=PARTITIONS, config={"cleanup.policy": "compact"}),
        new_topic("output", partitions=PARTITIONS),
        producing,
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
        time.sleep(0.3)  # long enough for a record to arrive, if it could
        assert processor.counts().processed == 0
        for logic in made:
            logic.full = False
        wait_until(lambda: processor.counts().processed >= 100, 20, "counted once there is room")
    check_counts(bench.written(), 100)


def test_state_that_cannot_be_restored_ends_the_processor_with_a_reason(bench: Bench) -> None:
    bench.producing.send(OutputRecord(bench.changelog, b"key", b"not a number", partition=1))
    with running(make(bench)) as errors:
        wait_until(lambda: errors, 20, "the processor ends")
    assert "cannot be restored" in str(errors[0])
    assert "partition 1" in str(errors[0])


def test_a_changelog_of_another_shape_is_refused(bench: Bench, new_topic: NewTopic) -> None:
    changelog = new_topic("changelog", partitions=PARTITIONS + 1)
    options = ProcessorOptions(bench.bootstrap, bench.application, bench.source, changelog)
    with pytest.raises(ProcessorError, match="has 3"):
        Processor(options, lambda _partition, _wake: Counting(bench.output), dead_letter(bench.output)).run(lambda: False)


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
