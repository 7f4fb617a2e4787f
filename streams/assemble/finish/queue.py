"""Which document is finished when: a bounded number at once, in child processes, each tried again where that may help.

Shared by the partitions of a worker, each in its own thread; every method is quick and takes the lock for itself. Guarantees: every job that
is offered ends in one outcome for its owner, unless withdrawn; a job that crashed, overran its time or its memory runs alone from
then on, three times at most; one whose store is away waits and tries again as long as its owner lets it; a small document never waits for large
ones while there are two processes or more. Knows nothing of the fold.
"""

import threading
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from schemas.errors import Code, PageloomError
from streams.assemble.finish.child import Finished, FinishTask, finish_document

MAX_ATTEMPTS = 3
"""As for pages: what failed three times alone fails always."""

LARGE_BYTES = 2**20
"""Of page events: about 200 pages, half a second of work."""

MAX_WAITING = 64
MAX_WAITING_BYTES = 256 * 2**20
"""Waiting jobs beyond either bound mean that finishing cannot keep up: partitions pause. The bytes are held by the state anyway."""

STALL_GRACE_S = 60.0
"""Beyond the deadline of a child, which starts counting when it starts: then the answer is lost, whatever became of the child."""

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
"""Between attempts while the blob store is away."""


class Children(Protocol):
    """What runs a function in a child process; see `streams.sandbox`."""

    def submit(self, function: Callable[[FinishTask], Finished], task: FinishTask, /, *, timeout_s: float, limit_setting: str) -> "Future[Finished]":
        """The outcome comes with the future: a result, or a PageloomError."""
        ...


@dataclass(frozen=True, slots=True)
class Job:
    """A document to be finished. `key` tells its owner's documents apart; `wake` is called, from any thread, when it is time to collect; the rest is
    the queue's own.
    """

    owner: Hashable
    key: str
    size_bytes: int
    task: FinishTask = field(repr=False)
    wake: Callable[[], None] = field(repr=False)
    attempts: int = 0
    not_before_s: float = 0.0
    pauses: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class _Running:
    job: Job
    future: "Future[Finished]"
    lost_at_s: float


Outcome = Finished | PageloomError


class FinishQueue:
    """The queue before the child processes."""

    def __init__(self, children: Children, *, max_running: int, timeout_s: float) -> None:
        self._children = children
        self._max_running = max_running
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._small: deque[Job] = deque()
        self._large: deque[Job] = deque()
        self._suspects: deque[Job] = deque()
        self._paused: list[Job] = []
        self._running: dict[int, _Running] = {}
        self._done: dict[Hashable, list[tuple[Job, Outcome]]] = {}
        self._offered = 0

    def offer(self, job: Job, now_s: float) -> None:
        """Takes a job; its outcome comes by `collect`."""
        with self._lock:
            self._offered += 1
            self._queue(replace(job, number=self._offered))
            self._advance(now_s)

    def collect(self, owner: Hashable, now_s: float) -> list[tuple[Job, Outcome]]:
        """The outcomes of an owner's jobs since the last call. Starts what can start."""
        with self._lock:
            self._advance(now_s)
            return self._done.pop(owner, [])

    def withdraw(self, owner: Hashable, key: str | None = None) -> None:
        """Forgets an owner's jobs, or the one of a document; a child that works on one is stopped."""
        with self._lock:
            for queue in (self._small, self._large, self._suspects, self._paused):
                kept = [job for job in queue if not _is(job, owner, key)]
                queue.clear()
                queue.extend(kept)
            for run in [run for run in self._running.values() if _is(run.job, owner, key)]:
                del self._running[run.job.number]
                run.future.cancel()
            self._done[owner] = [(job, outcome) for job, outcome in self._done.get(owner, ()) if not _is(job, owner, key)]
            if not self._done[owner]:
                del self._done[owner]

    @property
    def full(self) -> bool:
        """Whether more waits than should."""
        with self._lock:
            waiting = [*self._small, *self._large, *self._suspects, *self._paused]
        return len(waiting) >= MAX_WAITING or sum(job.size_bytes for job in waiting) >= MAX_WAITING_BYTES

    def _queue(self, job: Job) -> None:
        if job.attempts:
            self._suspects.append(job)
        else:
            (self._large if job.size_bytes >= LARGE_BYTES else self._small).append(job)

    def _advance(self, now_s: float) -> None:
        for run in list(self._running.values()):
            if run.lost_at_s <= now_s:
                run.future.cancel()
            if run.future.done():
                del self._running[run.job.number]
                self._settle(run.job, run.future, now_s)
        for rested in [job for job in self._paused if job.not_before_s <= now_s]:
            self._paused.remove(rested)
            self._queue(rested)
        while (job := self._next()) is not None:
            future = self._children.submit(finish_document, job.task, timeout_s=self._timeout_s, limit_setting="finish_timeout_s")
            self._running[job.number] = _Running(job, future, now_s + self._timeout_s + STALL_GRACE_S)
            future.add_done_callback(partial(_wake, job))

    def _next(self) -> Job | None:
        """The job that starts now, taken from its queue. A suspect waits until nothing runs, and nothing starts while one waits or runs."""
        if any(run.job.attempts for run in self._running.values()):
            return None
        if self._suspects:
            return None if self._running else self._suspects.popleft()
        if len(self._running) >= self._max_running:
            return None
        large_running = sum(run.job.size_bytes >= LARGE_BYTES for run in self._running.values())
        open_queues = [self._small]
        if large_running < max(1, self._max_running - 1):
            open_queues.append(self._large)
        heads = [queue for queue in open_queues if queue]
        return min(heads, key=lambda queue: queue[0].number).popleft() if heads else None

    def _settle(self, job: Job, future: "Future[Finished]", now_s: float) -> None:
        outcome = _outcome(future)
        if isinstance(outcome, PageloomError):
            if outcome.code is Code.STORE_UNAVAILABLE:
                pause_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**job.pauses)
                self._paused.append(replace(job, not_before_s=now_s + pause_s, pauses=min(job.pauses + 1, 10)))
                return
            if outcome.code is not Code.MESSAGE_TOO_LARGE and job.attempts + 1 < MAX_ATTEMPTS:
                self._suspects.append(replace(job, attempts=job.attempts + 1))
                return
        self._done.setdefault(job.owner, []).append((job, outcome))


def _wake(job: Job, _: "Future[Finished]") -> None:
    job.wake()


def _is(job: Job, owner: Hashable, key: str | None) -> bool:
    return job.owner == owner and (key is None or job.key == key)


def _outcome(future: "Future[Finished]") -> Outcome:
    if future.cancelled():
        return PageloomError(Code.CRASHED, "finishing was stopped from outside")
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, PageloomError):
        return error
    return PageloomError(Code.INTERNAL, f"finishing ended with {type(error).__name__}")
