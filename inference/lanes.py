"""Lanes: threads that read batches of units, one batch each at a time, beside a loop that must never wait for them.

A lane owns its engine from start to end (an engine process dies with the thread that started it). What a lane cannot survive
comes out of `collect` as the error it is.
"""

import queue
import threading
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from inference.engines.child import EngineClosed
from inference.reading import Interrupted, Reader, UnitReader
from inference.scheduler import Batch
from inference.types import UnitKey
from inference.windows import WaitingUnit
from schemas.events import RecognizedPage


class Outcome(Struct, frozen=True):
    """A batch that was read: the pages of each of its units, in order; no units where the worker stops and they are left unanswered."""

    batch: Batch
    units: tuple[WaitingUnit, ...]
    pages: tuple[tuple[RecognizedPage, ...], ...]


class Lanes:
    """Some lanes of one engine. `limit`: how many of them are used, at most all; lowering it lets what is being read go on."""

    def __init__(self, count: int, engine: Callable[[], Reader], unit_reader: Callable[[Reader], UnitReader]) -> None:
        """`engine` makes the engine of a lane, `unit_reader` what reads units with it."""
        self._done: queue.SimpleQueue[Outcome | BaseException] = queue.SimpleQueue()
        self._finished = threading.Event()
        self._work: queue.SimpleQueue[tuple[Batch, tuple[WaitingUnit, ...]] | None] = queue.SimpleQueue()
        self._busy = 0
        self.limit = count
        self._reading: list[frozenset[UnitKey]] = [frozenset()] * count
        self._engines = [engine() for _ in range(count)]
        self._threads = [threading.Thread(target=self._run, args=(n, unit_reader(e)), name=f"lane-{n}") for n, e in enumerate(self._engines)]
        for thread in self._threads:
            thread.start()

    @property
    def idle(self) -> int:
        """Lanes that have nothing to do."""
        return max(0, min(self.limit, len(self._threads)) - self._busy)

    def submit(self, batch: Batch, units: Sequence[WaitingUnit]) -> None:
        """Hands a batch to an idle lane."""
        self._busy += 1
        self._work.put((batch, tuple(units)))

    def cancel(self, keys: Collection[UnitKey]) -> None:
        """Ends what is being read of nothing but these units, where the engine can be told to; elsewhere it goes on."""
        wanted = frozenset(keys)
        for lane, reading in enumerate(self._reading):
            if reading and reading <= wanted:
                self._engines[lane].cancel()

    def wait(self, within_s: float) -> None:
        """Until there is something to collect, or so many seconds have passed."""
        self._finished.wait(within_s)

    def collect(self) -> list[Outcome]:
        """What was read since the last call. Raises what ended a lane."""
        self._finished.clear()  # before the queue is emptied: what comes meanwhile sets it again
        outcomes: list[Outcome] = []
        while True:
            try:
                done = self._done.get_nowait()
            except queue.Empty:
                return outcomes
            self._busy -= 1
            if isinstance(done, BaseException):
                raise done
            outcomes.append(done)

    def close(self) -> None:
        """Ends the engines at once; what they were reading is unanswered."""
        for engine in self._engines:
            engine.kill()
        for _ in self._threads:
            self._work.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self, lane: int, reader: UnitReader) -> None:
        try:
            while (work := self._work.get()) is not None:
                batch, units = work
                self._reading[lane] = frozenset(unit.key for unit in units)
                try:
                    self._end(Outcome(batch, units, tuple(reader.read(units))))
                except Interrupted:
                    self._end(Outcome(batch, (), ()))
                except EngineClosed:
                    return
                except BaseException as error:  # noqa: BLE001 - it is raised again by `collect`, in the thread that decides
                    self._end(error)
                    return
                finally:
                    self._reading[lane] = frozenset()
        finally:
            self._engines[lane].close()

    def _end(self, done: Outcome | BaseException) -> None:
        self._done.put(done)
        self._finished.set()
