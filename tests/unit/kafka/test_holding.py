"""The partitions that a member holds: another writer for one that hangs or is refused, while the others go on."""

import logging
import threading
from typing import Any, ClassVar, cast

import pytest

from streams.kafka import holding
from streams.kafka.errors import ProcessorError
from streams.kafka.handover import Handover
from streams.kafka.holding import MOST_LEFT_ALONE, HeldPartitions
from streams.kafka.lifecycle import MOST_RENEWALS, RENEWAL_PAUSE_S, Stage
from streams.kafka.partition import PartitionCounts, PartitionSetup

SETUP = cast("PartitionSetup", None)


class Task:
    """A partition's task that does what a test says."""

    made: ClassVar[list["Task"]] = []

    def __init__(self, partition: int, _setup: PartitionSetup) -> None:
        self.partition = partition
        self.handover = Handover()
        self.counts = PartitionCounts()
        self.is_hanging = False
        self.has_ended = threading.Event()
        Task.made.append(self)

    def start(self) -> None:
        pass

    def hangs(self, _now_s: float, _patience: float) -> bool:
        return self.is_hanging

    def join(self, timeout_s: float) -> bool:
        assert timeout_s <= 0.0, "the poll loop waits for nobody here"
        return self.has_ended.is_set()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldPartitions:
    monkeypatch.setattr(holding, "PartitionTask", Task)
    Task.made.clear()
    held = HeldPartitions("source")
    for partition in range(2):
        held.begin(partition, SETUP)
    return held


def renewed(held: HeldPartitions, now_s: float) -> Any:
    """What is renewed, looked for and then looked at again after the pause."""
    assert held.renew(SETUP, now_s) == []
    return held.renew(SETUP, now_s + RENEWAL_PAUSE_S)


def test_who_is_well_keeps_its_writer(held: HeldPartitions) -> None:
    assert renewed(held, 1.0) == []
    assert list(held.tasks.values()) == Task.made


def test_one_that_hangs_is_left_alone_and_may_not_commit_any_more(held: HeldPartitions) -> None:
    hanging, other = Task.made
    hanging.counts.transactions = 5
    hanging.is_hanging = True
    assert renewed(held, 1.0) == [0]
    assert hanging.handover.stage is Stage.LOST
    assert held.tasks == {1: other, 0: Task.made[2]}
    assert held.counts().transactions == 5, "what it committed counts on"


def test_one_that_hung_and_returned_within_the_pause_goes_on(held: HeldPartitions) -> None:
    Task.made[0].is_hanging = True
    assert held.renew(SETUP, 1.0) == []
    Task.made[0].is_hanging = False
    assert held.renew(SETUP, 1.0 + RENEWAL_PAUSE_S) == []
    assert len(Task.made) == 2


def test_a_writer_that_is_refused_is_replaced_and_after_some_in_a_row_the_member_joins_again(held: HeldPartitions) -> None:
    for number in range(MOST_RENEWALS):
        task = cast("Task", held.tasks[0])
        task.handover.move(Stage.FENCED)
        task.has_ended.set()
        assert renewed(held, 10.0 * number) == [0]
    cast("Task", held.tasks[0]).handover.move(Stage.FENCED)
    assert renewed(held, 100.0) is None


def test_too_many_that_never_return_end_the_processor(held: HeldPartitions, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)

    def hang(number: int) -> Any:
        task = cast("Task", held.tasks[0])
        task.is_hanging = True
        task.counts.transactions = 1  # it was not in vain
        return renewed(held, 10.0 * number)

    most = 2 * MOST_LEFT_ALONE
    assert [hang(number) for number in range(most)] == [[0]] * most
    with pytest.raises(ProcessorError, match="calls of the Kafka client do not return; start anew"):
        hang(most)


def test_those_that_returned_at_last_are_not_held_against_it(held: HeldPartitions) -> None:
    for number in range(4 * MOST_LEFT_ALONE):
        task = cast("Task", held.tasks[0])
        task.is_hanging = True
        task.counts.transactions = 1
        assert renewed(held, 10.0 * number) == [0]
        task.has_ended.set()
