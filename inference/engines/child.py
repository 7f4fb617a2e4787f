"""An engine in a process of its own: started when first needed, killed when it hangs, started again when it died.

Guarantees: every unit is answered, whatever the process does. A page that was being read when the process died is read again alone;
three deaths alone and it fails (ENGINE_FAILED), one deadline alone and it has TIMED_OUT. Only an engine that cannot be started at all is
an error of the worker. Used by one thread, which must outlive the process (the kernel kills it with that thread); `kill` is for others.
"""

import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import structlog

from inference.engines import wire
from inference.types import EngineSpec, PageRefused, Unit, UnitAnswer
from schemas.errors import Code, PageloomError

START_TIMEOUT_S = 120.0
"""Loading models from a cold disk on a busy machine; warm it takes 2 s."""
START_ATTEMPTS = 3
"""A process may be killed while it starts (a machine short of memory); an engine that never starts ends the worker."""
MAX_CRASHES_ALONE = 3
"""Of one page: a page that kills its process three times with nobody beside it is what kills it."""
STOP_TIMEOUT_S = 2.0
"""For a process to be gone after SIGKILL."""
RECYCLE_PAGES = 2_000
"""Pages of one process, so that leaks of native code stay small."""
RECYCLE_GROWTH_BYTES = 1024 * 2**20
"""What a process may have grown since it was warm; measured on pages of 40 megapixels: 550 MB in all. One that has grown more is replaced."""

log = structlog.get_logger(__name__)


class EngineClosed(Exception):
    """The engine was closed while it worked; what it was asked is unanswered."""


class EngineChild:
    """One engine process, now or when it is needed."""

    def __init__(self, spec: EngineSpec, *, page_timeout_s: float, memory_bytes: int = 0) -> None:
        """`page_timeout_s` for one page alone; a step of several has as many times that. `memory_bytes`: see `wire.Hello`."""
        self._spec = spec
        self._page_timeout_s = page_timeout_s
        self._memory_bytes = memory_bytes
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: socket.socket | None = None
        self._pages = 0
        self._warm_bytes = 0
        self._closed = False

    def recognize(self, units: Sequence[Unit]) -> list[UnitAnswer]:
        """An answer for every unit. Raises PageloomError where the engine cannot be started, EngineClosed after `kill`."""
        answers: dict[int, UnitAnswer] = {}
        alone: list[int] = []
        waiting = list(range(len(units)))
        while waiting:
            failed, overdue = self._run([units[i] for i in waiting], waiting, answers)
            if failed is None:
                break
            suspects = [waiting[i] for i in range(*failed)]
            if len(suspects) == 1:
                # It was alone in its step already: this counts against it.
                answers[suspects[0]] = self._alone(units[suspects[0]], 1, overdue)
            else:
                alone += suspects
            waiting = [i for i in waiting if i not in answers and i not in alone]
        for index in alone:
            answers[index] = self._alone(units[index], 0, False)
        return [answers[index] for index in range(len(units))]

    def kill(self) -> None:
        """Ends the process at once and for good; from any thread."""
        with self._lock:
            self._closed = True
        self._stop()

    def cancel(self) -> None:
        """Nothing: the page that is being read costs less than a new process."""

    def close(self) -> None:
        """Ends the process."""
        self._stop()

    def _alone(self, unit: Unit, crashes: int, overdue: bool) -> UnitAnswer:
        """Reads a suspect by itself. `crashes`: how often it has died alone; `overdue`: whether its deadline has passed alone."""
        while not overdue and crashes < MAX_CRASHES_ALONE:
            answers: dict[int, UnitAnswer] = {}
            failed, overdue = self._run([unit], [0], answers)
            if failed is None:
                return answers[0]
            crashes += 0 if overdue else 1
        seconds = self._page_timeout_s * len(unit.pages)
        code = Code.TIMED_OUT if overdue else Code.ENGINE_FAILED
        late = f"no answer within {seconds:g} s (recognize_timeout_s of the settings)"
        cause = late if overdue else f"its process died {crashes} times on this page alone"
        return tuple(
            PageRefused(page=p.image.page, code=code, message=f"page {p.image.page}: engine {self._spec.name}: {cause}", attempts=max(1, crashes))
            for p in unit.pages
        )

    def _run(self, units: Sequence[Unit], names: Sequence[int], answers: dict[int, UnitAnswer]) -> tuple[tuple[int, int] | None, bool]:
        """Sends units and collects their answers under their names.

        Returns the step (first, one past last) in which the process died or was killed, None where all were answered, and whether
        it was killed because of its deadline.
        """
        connection = self._started()
        sizes = [len(unit.pages) for unit in units]
        try:
            wire.send(connection, wire.Work(tuple(units)), time.monotonic() + self._page_timeout_s * max(1, sum(sizes)))
        except (wire.Disconnected, wire.Overdue):
            self._stop()
            return (0, len(units)), False
        for first, last in wire.steps(sizes, self._spec.capabilities.batch_pages):
            deadline = time.monotonic() + self._page_timeout_s * max(1, sum(sizes[first:last]))
            try:
                for index in range(first, last):
                    answers[names[index]] = self._answer(connection, units[index], index, deadline)
            except (wire.Disconnected, wire.Overdue) as error:
                overdue = isinstance(error, wire.Overdue)
                self._lost(units[first:last], overdue)
                for index in range(first, last):
                    answers.pop(names[index], None)
                return (first, last), overdue
        self._pages += sum(sizes)
        if self._pages >= RECYCLE_PAGES or self._grown_bytes() > RECYCLE_GROWTH_BYTES:
            self._stop()
        return None, False

    def _lost(self, units: Sequence[Unit], overdue: bool) -> None:
        documents = list(dict.fromkeys(unit.document_id for unit in units))
        log.warning("engine.lost", engine=self._spec.name, overdue=overdue, documents=documents, pages=[p.image.page for u in units for p in u.pages])
        self._stop()

    def _grown_bytes(self) -> int:
        """How much larger the process is than it was when warm; 0 where the system does not tell."""
        return _resident_bytes(self._process.pid) - self._warm_bytes if self._process is not None else 0

    def _answer(self, connection: socket.socket, unit: Unit, index: int, deadline_s: float) -> UnitAnswer:
        message: wire.FromEngine = wire.receive(connection, wire.FromEngine, wire.MAX_ANSWER_BYTES, deadline_s)  # type: ignore[arg-type]
        if not isinstance(message, wire.Answered) or message.index != index:
            raise wire.Disconnected("an answer out of turn")
        if [answer.page for answer in message.answer] != [page.image.page for page in unit.pages]:
            raise wire.Disconnected("an answer for other pages")
        return message.answer

    def _started(self) -> socket.socket:
        """The connection to a living, warm process."""
        if self._process is not None and self._process.poll() is not None:
            self._stop()  # it died while nobody asked it anything: no page's fault
        for attempt in range(1, START_ATTEMPTS + 1):
            if self._connection is not None or self._start(last=attempt == START_ATTEMPTS):
                break
        if self._closed or self._connection is None:
            raise EngineClosed
        return self._connection

    def _start(self, *, last: bool) -> bool:
        """Starts a process and waits until it is warm; False where it died of something that may not happen again, unless it is the last try."""
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            if self._closed:
                ours.close()
                raise EngineClosed
            # -P: a folder that the worker happens to stand in must not shadow a module.
            command = [sys.executable, "-P", "-m", "inference.engines.child_main", str(theirs.fileno()), str(os.getpid())]
            environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environment)
            self._connection = ours
            self._pages = 0
        deadline = time.monotonic() + START_TIMEOUT_S
        try:
            wire.send(ours, wire.Hello(self._spec.module, self._spec.capabilities, self._spec.options, self._memory_bytes), deadline)
            first: wire.FromEngine = wire.receive(ours, wire.FromEngine, wire.MAX_ANSWER_BYTES, deadline)  # type: ignore[arg-type]
        except (wire.Disconnected, wire.Overdue) as error:
            self._stop()
            if self._closed:
                raise EngineClosed from None
            log.warning("engine.start_failed", engine=self._spec.name, cause=type(error).__name__)
            if not last:
                return False
            cause = "too slow" if isinstance(error, wire.Overdue) else "its process ends at once"
            raise PageloomError(Code.ENGINE_FAILED, f"engine {self._spec.name} does not start: {cause}; its log says more") from error
        if not isinstance(first, wire.Ready):
            self._stop()
            message = first.message if isinstance(first, wire.Unfit) else "it spoke out of turn"
            raise PageloomError(Code.ENGINE_FAILED, f"engine {self._spec.name} does not start: {message}")
        with self._lock:
            self._warm_bytes = _resident_bytes(self._process.pid) if self._process is not None else 0
        return True

    def _stop(self) -> None:
        """Ends the process, if there is one, and forgets it."""
        with self._lock:
            process, connection = self._process, self._connection
            self._process = self._connection = None
        if process is not None:
            process.kill()
            process.wait(STOP_TIMEOUT_S)
        if connection is not None:
            connection.close()


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0
