"""The queue before the finishing processes: bounds, fairness, and what a crash costs."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from schemas.document import DocumentStatus
from schemas.errors import Code, PageloomError
from streams.assemble.finish.child import Finished, FinishTask
from streams.assemble.finish.queue import LARGE_BYTES, MAX_WAITING, STALL_GRACE_S, FinishQueue, Job
from tests.unit.assemble.logged import opened

DONE = Finished(parsed=b"done", status=DocumentStatus.COMPLETE)
TIMEOUT_S = 10.0


class Children:
    """Stands where the sandbox stands; the test ends the calls."""

    def __init__(self) -> None:
        self.running: dict[str, Future[Finished]] = {}
        self.started: list[str] = []

    def submit(self, function: Callable[[FinishTask], Finished], task: FinishTask, /, *, timeout_s: float, limit_setting: str) -> "Future[Finished]":
        name = task.blob_url
        self.started.append(name)
        self.running[name] = Future()
        return self.running[name]

    def end(self, name: str, outcome: Finished | Code = DONE) -> None:
        future = self.running.pop(name)
        if isinstance(outcome, Finished):
            future.set_result(outcome)
        else:
            future.set_exception(PageloomError(outcome, "as the test says"))


def job(name: str, owner: str = "p0", size_bytes: int = 10) -> Job:
    task = FinishTask(
        opened=opened(), raw_events=(), revision=1, blob_url=name, trusted_confidence=0.5, inline_bytes=100, event_bytes=1000
    )  # fmt: skip
    return Job(owner, name, size_bytes, task, wake=lambda: None)


def queue_with(jobs: Iterable[Job], max_running: int = 2) -> tuple[FinishQueue, Children]:
    children = Children()
    queue = FinishQueue(children, max_running=max_running, timeout_s=TIMEOUT_S)
    for one in jobs:
        queue.offer(one, 0.0)
    return queue, children


def test_whoever_waits_for_a_job_is_woken_by_its_end() -> None:
    woken: list[str] = []
    jobs = [replace(job(name), wake=partial(woken.append, name)) for name in "abc"]
    queue, children = queue_with(jobs)
    assert woken == []
    children.end("b")
    assert woken == ["b"]
    children.end("a", Code.CRASHED)
    assert woken == ["b", "a"]
    queue.withdraw("p0")
    assert queue.collect("p0", 1.0) == []


def test_a_bounded_number_runs_and_each_owner_gets_its_own() -> None:
    queue, children = queue_with([job("a"), job("b", "p1"), job("c")])
    assert children.started == ["a", "b"]
    children.end("b")
    assert queue.collect("p0", 1.0) == []
    assert [(one.key, outcome) for one, outcome in queue.collect("p1", 1.0)] == [("b", DONE)]
    assert children.started == ["a", "b", "c"]
    assert queue.collect("p1", 1.0) == []


def test_a_small_document_never_waits_for_large_ones() -> None:
    large = [job(f"large{n}", size_bytes=LARGE_BYTES) for n in range(3)]
    _, children = queue_with([*large, job("small")])
    assert children.started == ["large0", "small"]


def test_one_process_takes_large_documents_too() -> None:
    _, children = queue_with([job("large", size_bytes=LARGE_BYTES)], max_running=1)
    assert children.started == ["large"]


def test_what_crashed_runs_alone_and_three_times_at_most() -> None:
    queue, children = queue_with([job("bad"), job("good"), job("next")])
    children.end("bad", Code.CRASHED)
    queue.collect("p0", 1.0)
    assert children.started == ["bad", "good"]
    children.end("good")
    assert [one.key for one, _ in queue.collect("p0", 2.0)] == ["good"]
    assert children.started[2:] == ["bad"]
    children.end("bad", Code.TIMED_OUT)
    queue.collect("p0", 3.0)
    assert children.started[2:] == ["bad", "bad"]
    children.end("bad", Code.OUT_OF_MEMORY)
    [(one, outcome)] = queue.collect("p0", 4.0)
    assert isinstance(outcome, PageloomError)
    assert (one.key, outcome.code) == ("bad", Code.OUT_OF_MEMORY)
    assert children.started[4:] == ["next"]


def test_a_crash_that_does_not_repeat_costs_nothing() -> None:
    queue, children = queue_with([job("a")])
    children.end("a", Code.CRASHED)
    queue.collect("p0", 1.0)
    children.end("a")
    assert [outcome for _, outcome in queue.collect("p0", 2.0)] == [DONE]


def test_a_store_that_is_away_is_waited_for() -> None:
    queue, children = queue_with([job("a")])
    for now_s in (10.0, 100.0, 1000.0, 10_000.0, 100_000.0):
        children.end("a", Code.STORE_UNAVAILABLE)
        assert queue.collect("p0", now_s) == []
        assert "a" not in children.running
        queue.collect("p0", now_s + 60.0)
        assert "a" in children.running
    children.end("a")
    assert [outcome for _, outcome in queue.collect("p0", 200_000.0)] == [DONE]


def test_an_answer_that_never_comes_counts_as_an_attempt() -> None:
    queue, children = queue_with([job("a")])
    for round_ in range(1, 4):
        outcomes = queue.collect("p0", round_ * (TIMEOUT_S + STALL_GRACE_S))
    [(_, outcome)] = outcomes
    assert isinstance(outcome, PageloomError)
    assert outcome.code is Code.CRASHED
    assert children.started == ["a"] * 3


def test_what_is_withdrawn_is_stopped_and_gives_no_outcome() -> None:
    queue, children = queue_with([job("a"), job("b"), job("c"), job("d", "p1")])
    children.end("b")
    queue.withdraw("p0", "a")
    queue.withdraw("p0", "c")
    assert children.running["a"].cancelled()
    assert [one.key for one, _ in queue.collect("p0", 1.0)] == ["b"]
    queue.withdraw("p0")
    children.end("d")
    assert [one.key for one, _ in queue.collect("p1", 1.0)] == ["d"]
    assert children.started == ["a", "b", "d"]


def test_too_many_that_wait_are_told_by_full() -> None:
    queue, _ = queue_with(job(f"{n}") for n in range(MAX_WAITING + 1))
    assert not queue.full
    queue.offer(job("one more"), 0.0)
    assert queue.full
