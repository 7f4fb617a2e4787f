"""Runs functions in child processes with a deadline and limits, so that a parser that hangs, crashes or eats memory costs one call.

Guarantees: every call ends: with the function's result, with the `PageloomError` that it raised, with TIMED_OUT, CRASHED, OUT_OF_MEMORY or
INTERNAL, or with `ChildrenError` where it is the machine that is to blame. A child that overran its deadline or crashed is replaced; the
other calls go on. Children hold no socket and no file of the parent, write no core file, open no socket of their own unless they must (see
`confinement`), and die with it. Text of an exception never
crosses (it may quote a document): only its type does.

Knows nothing of documents. Child processes come from a fork server that imported `preload` once, so that a new one is warm in some
20 ms; nothing is ever forked from this process, which has threads. The only door to pebble.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from schemas.errors import Code, PageloomError, internal_error
from streams.confinement import confine, resident_bytes

T = TypeVar("T")

MAX_FILE_BYTES = 2**30
"""Of a file that a child writes: a decrypted copy of the largest document, twice."""
SUBMISSIONS = 3
"""Times that a call is handed out when its pool broke for another reason than the call (somebody killed an idle child)."""
STALL_GRACE_S = 30.0
"""A pool from which nothing has come for a call's deadline and this long is replaced: a child that is killed from outside in the
middle of writing its result leaves the pipe of the whole pool unreadable."""

RECYCLE_NOT_BEFORE = 20
"""Calls for each child of a pool before it may be replaced for its size: children that are large from the start must not be replaced for ever."""

LOST_IN_A_ROW = 2 * SUBMISSIONS
"""Tasks whose pool broke, with no answer from any child between: no call does that, only a machine or an installation on which no child
comes up. Each document after that would be blamed for it."""


class ChildrenError(RuntimeError):
    """No child process comes up, so no call can be told good from bad. Whoever gets it ends, and takes its work up again later."""


class Sandbox:
    """A pool of child processes. Threads may share it; starts nothing before the first call."""

    def __init__(
        self,
        processes: int,
        *,
        max_tasks: int,
        memory_bytes: int,
        preload: Sequence[str] = (),
        start_method: str = "forkserver",
        max_file_bytes: int = MAX_FILE_BYTES,
        network: bool = True,
        recycle_bytes: int = 0,
    ) -> None:
        """`memory_bytes`: address space of one child beyond what it starts with; 0 means no limit.

        `max_tasks`: calls before a child is replaced; 0 means never. `network`: whether children may open sockets and start programs.
        `recycle_bytes`: resident size of a child above which all are replaced, each after its call; 0 means never.
        """
        self.processes = processes
        self._max_tasks = max_tasks
        self._recycle_bytes = recycle_bytes
        self._limits = (memory_bytes, max_file_bytes, start_method == "forkserver", network)
        self._context = multiprocessing.get_context(start_method)
        if start_method == "forkserver":
            # The main module too: children would import it one by one otherwise.
            self._context.set_forkserver_preload(["__main__", *preload])
        self._lock = threading.RLock()
        self._pool: ProcessPool | None = None
        self._open: set[_Call] = set()
        self._closed = False
        self._last_sign = time.monotonic()
        self._lost = 0
        self._calls = 0  # finished by the pool in use, about

    def submit(self, function: Callable[..., T], *args: Any, timeout_s: float, limit_setting: str = "") -> "Future[T]":
        """Runs `function(*args)` in a child; the deadline counts from its start there. Raises RuntimeError when closed.
        `limit_setting` is the name of the setting that the deadline comes from, for whoever is told that it has passed.

        Function, arguments and result travel by pickle. Cancelling the future kills the child if it is at it already.
        """
        call = _Call(function, args, timeout_s, limit_setting)
        call.future.add_done_callback(lambda _: call.cancel_if_cancelled())
        self._hand_out(call)
        return call.future

    async def call(self, function: Callable[..., T], *args: Any, timeout_s: float, limit_setting: str = "") -> T:
        """`submit` for coroutines; cancelling the coroutine cancels the call."""
        future = asyncio.wrap_future(self.submit(function, *args, timeout_s=timeout_s, limit_setting=limit_setting))
        try:
            while True:
                done, _ = await asyncio.wait({future}, timeout=timeout_s + STALL_GRACE_S)
                if done:
                    return future.result()
                if time.monotonic() - self._last_sign > timeout_s + STALL_GRACE_S:
                    await asyncio.to_thread(self._replace_pool)
        finally:
            future.cancel()  # of no effect on one that is done

    def warm_up(self, timeout_s: float = 60.0) -> None:
        """Starts every child and waits until the first answers, so that the first real call finds them ready."""
        self.submit(os.getpid, timeout_s=timeout_s).result(timeout_s)

    def close(self, deadline_s: float = 5.0) -> None:
        """Ends all children; calls that are not done by then end as cancelled."""
        with self._lock:
            self._closed = True
            pool, self._pool = self._pool, None
            left = list(self._open)
        if pool is None:
            return
        deadline = time.monotonic() + deadline_s
        for call in left:
            with contextlib.suppress(TimeoutError, CancelledError):
                call.future.exception(max(0.0, deadline - time.monotonic()))
        for call in left:
            call.future.cancel()
        _stop(pool)

    def _hand_out(self, call: "_Call") -> None:
        with self._lock:
            if self._closed:
                raise RuntimeError("the sandbox is closed")
            self._open.add(call)
            if self._pool is not None and not self._pool.active:
                self._discard_pool()
            if self._pool is None:
                self._last_sign = time.monotonic()
                self._calls = 0
                self._pool = ProcessPool(
                    max_workers=self.processes, max_tasks=self._max_tasks, initializer=confine, initargs=self._limits, context=self._context
                )
            call.submissions += 1
            pool = self._pool
            task = pool.schedule(_weighed, args=(call.function, call.args), timeout=call.timeout_s)
            call.task = task
        task.add_done_callback(lambda done: self._finish(call, done))

    def _finish(self, call: "_Call", task: "Future[Any]") -> None:
        """In a thread of the pool: turns the end of a task into the end of its call, or hands it out again."""
        if call.task is not task:
            return  # of a pool that was replaced
        self._last_sign = time.monotonic()
        outcome = _outcome_of(task, call)
        if not task.cancelled():
            with self._lock:
                self._lost = self._lost + 1 if outcome is None else 0
                self._retire_where_grown(task)
        if outcome is None and call.submissions < SUBMISSIONS and not self._closed:
            # Not here: this thread belongs to the pool that broke.
            threading.Thread(target=self._hand_out_again, args=(call,), daemon=True).start()
            return
        if outcome is None and self._lost >= LOST_IN_A_ROW:
            outcome = ChildrenError("child processes end before they take work; look at the log, the memory of the machine and the installation")
        self._end(call, outcome or PageloomError(Code.CRASHED, f"the processes that ran {call.name} were stopped from outside"))

    def _hand_out_again(self, call: "_Call") -> None:
        try:
            self._hand_out(call)
        except RuntimeError:  # closed meanwhile
            call.future.cancel()

    def _end(self, call: "_Call", outcome: Any) -> None:
        with self._lock:
            self._open.discard(call)
        if not call.future.set_running_or_notify_cancel():
            return
        if isinstance(outcome, PageloomError | ChildrenError):
            call.future.set_exception(outcome)
        else:
            call.future.set_result(outcome[0])

    def _replace_pool(self) -> None:
        with self._lock:
            left = list(self._open)
            self._discard_pool()
            for call in left:
                call.task = None
        for call in left:
            if call.submissions < SUBMISSIONS:
                self._hand_out_again(call)
            else:
                self._end(call, PageloomError(Code.CRASHED, f"the processes that ran {call.name} gave no answer"))

    def _retire_where_grown(self, task: "Future[Any]") -> None:
        """What documents leave behind in a child is not held against later ones: new calls get new children, what is running ends in the old."""
        self._calls += 1
        grown = self._recycle_bytes and task.exception() is None and task.result()[3] > self._recycle_bytes
        if grown and self._pool is not None and self._calls >= RECYCLE_NOT_BEFORE * self.processes:
            pool, self._pool = self._pool, None
            threading.Thread(target=_retire, args=(pool,), daemon=True).start()

    def _discard_pool(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            threading.Thread(target=_stop, args=(pool,), daemon=True).start()


class _Call:
    """One call on its way: what to run, and the future that its owner holds."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], timeout_s: float, limit_setting: str) -> None:
        self.function, self.args, self.timeout_s, self.limit_setting = function, args, timeout_s, limit_setting
        self.future: Future[Any] = Future()
        self.task: Future[Any] | None = None
        self.submissions = 0

    @property
    def name(self) -> str:
        """What the function does, in words for messages."""
        return str(getattr(self.function, "__name__", "a function")).replace("_", " ")

    def cancel_if_cancelled(self) -> None:
        """Passes a cancellation by the owner on to the pool, which kills the child."""
        if self.future.cancelled() and self.task is not None:
            self.task.cancel()


def _outcome_of(task: "Future[Any]", call: _Call) -> Any:
    """A one-element tuple with the result, a PageloomError, or None where the call is not to blame for its end."""
    if task.cancelled():
        return PageloomError(Code.CRASHED, f"{call.name} was cancelled")
    error = task.exception()
    if error is None:
        ok, value, message, _ = task.result()
        return (value,) if ok else PageloomError(value, message)
    if isinstance(error, TimeoutError):
        named = f" ({call.limit_setting} of the settings)" if call.limit_setting else ""
        return PageloomError(Code.TIMED_OUT, f"{call.name} took more than {call.timeout_s:g} s{named}")
    if isinstance(error, ProcessExpired):
        if error.exitcode == -signal.SIGTERM:
            return None  # sent to a whole process group by an operator or a supervisor; a crash never looks like that
        return PageloomError(Code.CRASHED, f"{call.name} ended its process {_cause(error.exitcode)}")
    if isinstance(error, BrokenProcessPool):
        return None
    return PageloomError(Code.INTERNAL, f"{call.name} cannot be handed to a process or back: {type(error).__name__}")


def _cause(exit_code: int) -> str:
    if exit_code >= 0:
        return f"with exit code {exit_code}"
    try:
        return f"by {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"by signal {-exit_code}"


def _retire(pool: ProcessPool) -> None:
    """Lets a pool end what it has."""
    pool.close()
    pool.join()


def _stop(pool: ProcessPool) -> None:
    pool.stop()
    pool.join()


def _weighed(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any, str, int]:
    """In the child: as `_guarded`, and how large the process is now."""
    return *_guarded(function, args), resident_bytes()


def _guarded(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any, str]:
    """In the child: the result, or a failure as data (an exception would bring its traceback, and documents with it)."""
    try:
        return True, function(*args), ""
    except PageloomError as error:
        return False, error.code, str(error)
    except MemoryError:
        return False, Code.OUT_OF_MEMORY, f"{function.__name__} needed more memory than it may have"
    except RecursionError:
        return False, Code.CORRUPT, "the document is nested deeper than its parser follows"
    except Exception as error:  # noqa: BLE001 - whatever a parser raises ends here as data
        return False, Code.INTERNAL, str(internal_error(error))
