"""What poll loop and partition thread share: nothing twice, nothing out of order, nothing while not running, bounds by pausing."""

import threading
import time

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from streams.kafka.handover import INBOX_BYTES, INBOX_RECORDS, Handover
from streams.kafka.lifecycle import Stage
from streams.kafka.records import Record


def record(offset: int, size: int = 1) -> Record:
    return Record("source", 0, offset, 0, True, None, b"x" * size)


def running(position: int | None = None) -> Handover:
    handover = Handover()
    handover.restored(position)
    handover.move(Stage.RUNNING)
    return handover


def test_only_a_running_partition_takes_records() -> None:
    handover = Handover()
    handover.offer(record(0))
    assert handover.wants_pause
    handover.restored(5)
    handover.offer(record(5))
    assert handover.expected == 5
    handover.move(Stage.RUNNING)
    handover.offer(record(5))
    assert [taken.offset for taken in handover.take(0)] == [5]
    assert handover.expected == 6


def test_what_was_had_is_left_out_and_counted() -> None:
    handover = running(10)
    for offset in (8, 10, 9, 10, 14):
        handover.offer(record(offset))
    assert [taken.offset for taken in handover.take(0)] == [10, 14]
    assert handover.repeated == 3


def test_whoever_wakes_a_partition_ends_one_wait() -> None:
    handover = running()
    handover.wake()
    started_s = time.monotonic()
    assert handover.take(60.0) == []
    waking = threading.Timer(0.01, handover.wake)
    waking.start()
    assert handover.take(60.0) == []
    assert time.monotonic() - started_s < 30
    waking.join()
    handover.offer(record(0))
    handover.wake()
    assert len(handover.take(60.0)) == 1
    assert handover.take(0.001) == []


def test_caught_up_means_the_end_was_seen_and_everything_taken() -> None:
    handover = running()
    assert not handover.caught_up
    handover.offer(record(0))
    handover.end_reached()
    assert not handover.caught_up
    handover.take(0)
    assert handover.caught_up
    handover.contact_lost()
    assert not handover.caught_up
    handover.end_reached()
    handover.offer(record(1))
    handover.take(0)
    assert not handover.caught_up


def test_an_end_before_running_says_nothing() -> None:
    handover = Handover()
    handover.end_reached()
    handover.restored(None)
    handover.end_reached()
    handover.move(Stage.RUNNING)
    assert not handover.caught_up


def test_pause_at_the_bound_and_resume_below_half_of_it() -> None:
    handover = running()
    for offset in range(INBOX_RECORDS - 1):
        handover.offer(record(offset))
    assert not handover.wants_pause
    handover.offer(record(INBOX_RECORDS))
    assert handover.wants_pause
    assert not handover.wants_more
    handover.take(0)
    assert handover.wants_more
    handover.offer(record(INBOX_RECORDS + 1, INBOX_BYTES))
    assert handover.wants_pause


def test_a_full_logic_pauses_and_has_room_again() -> None:
    handover = running()
    handover.tell_full(True)
    assert handover.wants_pause
    assert not handover.wants_more
    handover.tell_full(False)
    assert handover.wants_more


def test_fenced_stays_known_after_the_close() -> None:
    handover = running()
    handover.move(Stage.FENCED)
    handover.move(Stage.CLOSED)
    assert handover.is_fenced


def test_a_stop_wakes_a_thread_that_waits_for_records() -> None:
    handover = running()
    thread = threading.Thread(target=handover.take, args=(30,))
    thread.start()
    handover.move(Stage.STOPPING)
    thread.join(5)
    assert not thread.is_alive()


@given(st.lists(st.integers(0, 50), max_size=100))
def test_taken_offsets_only_grow(offsets: list[int]) -> None:
    handover = running()
    for offset in offsets:
        handover.offer(record(offset))
    taken = [one.offset for one in handover.take(0)]
    assert taken == sorted(set(taken))
    assert len(taken) + handover.repeated == len(offsets)


class Partition(RuleBasedStateMachine):
    """A source that is read from where the partition says; rebuilds at any time: what is committed is the log, once and in order."""

    def __init__(self) -> None:
        super().__init__()
        self.handover = Handover()
        self.read_from = 0
        self.folded: list[int] = []  # offsets in the open transaction
        self.committed: list[int] = []

    @precondition(lambda self: self.handover.stage is Stage.RESTORING)
    @rule()
    def restore(self) -> None:
        self.handover.restored(len(self.committed) or None)

    @precondition(lambda self: self.handover.stage is Stage.RESTORED)
    @rule()
    def seek_and_run(self) -> None:
        self.read_from = self.handover.expected
        self.handover.move(Stage.RUNNING)

    @rule(count=st.integers(1, 5))
    def poll(self, count: int) -> None:
        for _ in range(count):
            self.handover.offer(record(self.read_from))
            self.read_from += 1

    @precondition(lambda self: self.handover.stage is Stage.RUNNING)
    @rule()
    def fold(self) -> None:
        self.folded += [one.offset for one in self.handover.take(0)]

    @precondition(lambda self: self.handover.stage is Stage.RUNNING)
    @rule()
    def commit(self) -> None:
        self.committed += self.folded
        self.folded = []

    @precondition(lambda self: self.handover.stage is Stage.RUNNING)
    @rule()
    def abort(self) -> None:
        self.folded = []
        self.handover.move(Stage.RESTORING)

    @invariant()
    def committed_is_the_log_without_gap_or_repetition(self) -> None:
        assert self.committed == list(range(len(self.committed)))


TestPartition = Partition.TestCase
