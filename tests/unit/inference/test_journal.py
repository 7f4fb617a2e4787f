"""What a worker was reading when it died: counted once, held against nobody who was answered, and only deaths alone convict."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference import journal as journals
from inference.desk import Desk, InferCounts
from inference.journal import MAX_DEATHS_ALONE, SUSPECT_DEATHS, AttemptJournal, Standing, left_in_flight
from inference.scheduler import Budget, Scheduler, Task, Urgency
from schemas.errors import Code
from tests.unit.inference.engine_for_tests import spec_of
from tests.unit.inference.making import request_of
from tests.unit.inference.test_desk import HeldLanes, answer_of, record

ONE, OTHER = ("d", "s", 1, 1), ("d", "s", 2, 2)


def die(journal: AttemptJournal) -> None:
    """What the kernel does for a process that ends: the file is closed, and the lock gone."""
    os.close(journal._file)


def death(folder: Path, *keys: tuple[str, str, int, int], alone: bool = False) -> None:
    victim = AttemptJournal(folder)
    victim.begin(keys, alone=alone)
    die(victim)


def test_what_a_living_worker_reads_is_held_against_nothing(tmp_path: Path) -> None:
    living, other = AttemptJournal(tmp_path), AttemptJournal(tmp_path)
    living.begin([ONE], alone=True)
    assert other.adopt() == 0
    assert other.standing(ONE) == Standing()


def test_a_death_counts_once_for_what_was_being_read_whoever_looks(tmp_path: Path) -> None:
    victim = AttemptJournal(tmp_path)
    victim.begin([ONE, OTHER], alone=False)
    victim.end([OTHER])
    die(victim)
    first, second = AttemptJournal(tmp_path), AttemptJournal(tmp_path)
    assert (first.adopt(), second.adopt()) == (0, 0)  # the first took it over when it began
    assert second.standing(ONE) == Standing(deaths=1)
    assert second.standing(OTHER) == Standing()


def test_an_orderly_end_is_no_evidence(tmp_path: Path) -> None:
    stopped = AttemptJournal(tmp_path)
    stopped.begin([ONE], alone=True)
    stopped.close()
    assert AttemptJournal(tmp_path).standing(ONE) == Standing()


def test_who_was_there_at_two_deaths_is_read_alone_and_an_answer_clears_it(tmp_path: Path) -> None:
    for _ in range(SUSPECT_DEATHS):
        death(tmp_path, ONE, OTHER)
    reader = AttemptJournal(tmp_path)
    assert reader.standing(ONE).is_suspect
    assert not reader.standing(ONE).is_convicted
    reader.begin([ONE], alone=True)
    reader.end([ONE])
    assert reader.standing(ONE) == Standing()
    assert reader.standing(OTHER).is_suspect


def test_only_deaths_alone_convict(tmp_path: Path) -> None:
    for _ in range(10):
        death(tmp_path, ONE, OTHER)
    assert not AttemptJournal(tmp_path).standing(ONE).is_convicted
    for _ in range(MAX_DEATHS_ALONE):
        death(tmp_path, ONE, alone=True)
    last = AttemptJournal(tmp_path)
    assert last.standing(ONE) == Standing(deaths=10 + MAX_DEATHS_ALONE, alone=MAX_DEATHS_ALONE)
    assert last.standing(ONE).is_convicted
    assert not last.standing(OTHER).is_convicted


def test_a_long_journal_is_begun_anew_with_what_is_in_flight(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(journals, "ROTATED_BYTES", 1_000)
    victim = AttemptJournal(tmp_path)
    victim.begin([OTHER], alone=False)
    for page in range(3, 60):
        victim.begin([("d", "s", page, page)], alone=False)
        victim.end([("d", "s", page, page)])
    (path,) = tmp_path.glob("attempts-*.jsonl")
    assert path.stat().st_size < 1_400
    die(victim)
    assert AttemptJournal(tmp_path).standing(OTHER) == Standing(deaths=1)


def test_a_death_that_a_full_disk_does_not_take_is_forgotten_and_ends_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker that found it ended with a traceback, and so did each that was started after it."""
    death(tmp_path, ONE)  # known before
    victim = AttemptJournal(tmp_path)
    victim.begin([ONE, OTHER], alone=False)
    die(victim)

    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    found = AttemptJournal(tmp_path)
    monkeypatch.undo()
    assert len(list(tmp_path.glob("attempts-*.jsonl"))) == 1  # its own: what it found is not counted again
    assert found.standing(OTHER) == Standing()


def test_old_suspicions_are_dropped(tmp_path: Path) -> None:
    death(tmp_path, ONE)
    AttemptJournal(tmp_path)
    (path,) = (tmp_path / "suspects").iterdir()
    os.utime(path, (0, time.time() - journals.KEPT_S - 60))
    assert AttemptJournal(tmp_path).standing(ONE) == Standing()


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.booleans()), max_size=20), st.integers(0, 400))
def test_a_journal_cut_anywhere_names_nobody_who_did_not_begin(entries, cut) -> None:
    lines = [f'{{"begin": "{unit}", "alone": {str(alone).lower()}}}' if begins else f'{{"end": "{unit}"}}' for begins, unit, alone in entries]
    whole = "\n".join(lines).encode()
    assert left_in_flight(whole[:cut]).keys() <= {str(unit) for begins, unit, _ in entries if begins}


def test_a_killed_process_leaves_word(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from inference.journal import AttemptJournal\n"
        "journal = AttemptJournal(Path(sys.argv[1])); journal.begin([('d', 's', 1, 1)], alone=True)\n"
        "print('reading', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"reading\n"
        watcher = AttemptJournal(tmp_path)
        assert watcher.standing(ONE) == Standing()
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        assert watcher.adopt() == 1
    assert watcher.standing(ONE) == Standing(deaths=1, alone=1)


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_nothing_is_read_beside_a_unit_that_is_to_be_alone(alone, random) -> None:
    queue = Scheduler(Budget(2, 10**9, 0.0), max_waiting=100)
    tasks = [Task(("d", "s", n, n), "t", "d", Urgency.NORMAL, 1, 1, alone=is_alone) for n, is_alone in enumerate(alone)]
    running, read = [], []
    for _ in range(10_000):
        if tasks and random.random() < 0.3:
            queue.add(tasks.pop(), 0.0)
        elif random.random() < 0.5 and (batch := queue.schedule(1.0)) is not None:
            running.append(batch)
        elif running:
            done = running.pop(random.randrange(len(running)))
            queue.update(done)
            read += done.tasks
        together = [task for batch in running for task in batch.tasks]
        assert len(together) <= 1 or not any(task.alone for task in together)
        if len(read) == len(alone):
            return
    raise AssertionError(f"{len(alone) - len(read)} units were never read")


def test_a_unit_that_ended_three_workers_alone_is_answered_as_crashed_and_its_neighbours_are_read(tmp_path: Path) -> None:
    """A page that kills the worker itself was read again after every restart, for ever."""
    bad, good = request_of(1, document="bad"), request_of(1, document="good")

    def life(number: int) -> tuple[HeldLanes, Desk, AttemptJournal]:
        lanes, journal = HeldLanes(), AttemptJournal(tmp_path)
        desk = Desk(spec_of(), lanes, Budget(2, 10**9, 0.0), window_queue=9, max_message_bytes=10**6, counts=InferCounts(), journal=journal)
        desk.take(record(0, bad), 0.0)
        desk.take(record(1, good), 0.0)
        desk.step(1.0)
        return lanes, desk, journal

    for number in range(SUSPECT_DEATHS):
        lanes, _, journal = life(number)
        assert sum(len(units) for _, units in lanes.held) == 2
        die(journal)
    for number in range(MAX_DEATHS_ALONE):
        lanes, desk, journal = life(number)
        (units,) = (units for _, units in lanes.held)
        if units[0].request.document_id == "good":
            lanes.finish()
            desk.step(2.0)
            (units,) = (units for _, units in lanes.held)
        assert [unit.request.document_id for unit in units] == ["bad"]
        die(journal)
    lanes, desk, _ = life(9)
    lanes.finish()
    desk.step(2.0)
    answers = {answer_of(out).document_id: answer_of(out).pages[0].failure for out in desk.outgoing()}
    assert answers["good"] is None
    assert answers["bad"] is not None
    assert (answers["bad"].code, answers["bad"].attempts) == (Code.CRASHED, MAX_DEATHS_ALONE)
