"""The worker processes of a chaos run: several of each kind, started, killed, stopped and continued one by one.

Guarantees: an instance that ended is started again after a pause unless it was removed; an end that nobody asked for is kept as a finding, with the
end of its log. Every process dies with this one.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path

from streams.kafka import die_with_parent
from streams.local_logs import last_word, why_ended

ROOT = Path(__file__).parents[2]
KINDS = ("open", "read", "infer", "assemble", "index")
RESTART_PAUSE_S = 1.0
IN_VAIN = ("no broker at ", "did not leave its group within", "threads of the Kafka client did not end")
"""What a worker says that waited for a broker in vain, at its start or at its end; it ends with a failure then, in bounded time."""
STOP_TIMEOUT_S = 60.0
"""For all together at the end; the longest deadline of a worker is 14 s, and ten workers end at once, on a machine that may have a core for all."""
LOG_TAIL_BYTES = 8_000
"""A traceback and what led to it: one finding once had its cause above a tail of 2,000."""


class Standing(Enum):
    """What an instance is meant to be."""

    RUNNING = auto()
    STOPPED = auto()
    ENDING = auto()
    REMOVED = auto()


class Instance:
    """One worker process, over all its lives."""

    def __init__(self, kind: str, number: int, environment: Mapping[str, str], logs: Path, state: Path) -> None:
        self.kind, self.number = kind, number
        self.name = f"{kind}-{number}"
        self.log_path = logs / f"{self.name}.log"
        # Only one process may write an index, so each instance has its own.
        self._environment = {**environment, "PAGELOOM_INDEX_DIR": str(state / f"index-{number}")}
        self.standing = Standing.RUNNING
        self.restart_at_s: float | None = None
        self.starts = 0
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        self.starts += 1
        self._began_at = self.log_path.stat().st_size if self.log_path.exists() else 0
        guard = [sys.executable, "-I", "-S", die_with_parent.__file__, str(os.getpid())]
        with self.log_path.open("ab") as output:
            return subprocess.Popen(
                [*guard, sys.executable, "-m", "streams.workers", self.kind],
                env=self._environment, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def send(self, number: signal.Signals, standing: Standing) -> None:
        """A signal, and what the instance is meant to be after it."""
        self.standing = standing
        self.process.send_signal(number)

    def restart(self) -> None:
        """Starts it again."""
        self.standing, self.restart_at_s = Standing.RUNNING, None
        self.process = self._start()

    @property
    def good_ends(self) -> tuple[int, ...]:
        """Statuses that it may end with when it was asked to; before it listens to signals, SIGTERM ends it as it ends any process."""
        with self.log_path.open("rb") as file:
            file.seek(self._began_at)
            has_started = b".started" in file.read()
        return (0, -signal.SIGKILL) if has_started else (0, -signal.SIGKILL, -signal.SIGTERM)

    def tail(self) -> str:
        """The end of its log, as far as this life wrote it."""
        with self.log_path.open("rb") as file:
            file.seek(max(self._began_at, self.log_path.stat().st_size - LOG_TAIL_BYTES))
            return file.read().decode("utf-8", "replace")


class Fleet:
    """All instances. They write to `logs`, and keep what they keep in `state`."""

    def __init__(self, environment: Mapping[str, str], logs: Path, state: Path, per_kind: int) -> None:
        logs.mkdir()
        self._shared = (environment, logs, state)
        self.instances = [Instance(kind, number, *self._shared) for kind in KINDS for number in range(1, per_kind + 1)]
        self.left = max(1, per_kind - 1)
        """Undisturbed instances of a kind that are left at least: they have to go on without the others."""
        self.findings: list[str] = []
        self.in_vain = 0
        """Lives that ended so."""

    def running(self, kind: str | None = None) -> list[Instance]:
        """Instances that run undisturbed, of one kind or of all."""
        return [
            i
            for i in self.instances
            if i.standing is Standing.RUNNING and i.process.poll() is None and i.restart_at_s is None and kind in (None, i.kind)
        ]

    def add(self, kind: str) -> Instance:
        """One more of a kind."""
        number = max(i.number for i in self.instances if i.kind == kind) + 1
        self.instances.append(Instance(kind, number, *self._shared))
        return self.instances[-1]

    def watch(self, now_s: float) -> None:
        """Call it often: starts again what ended, and notes what ended by itself or badly."""
        for instance in self.instances:
            status = instance.process.poll()
            if status is None or instance.standing is Standing.REMOVED:
                continue
            if instance.restart_at_s is None:
                if any(words in instance.tail() for words in IN_VAIN):
                    self.in_vain += 1
                elif instance.standing is Standing.RUNNING or (instance.standing is Standing.ENDING and status not in instance.good_ends):
                    self.findings.append(f"{instance.name} {why_ended(status)}:\n{instance.tail()}")
                    last_word(instance.log_path, instance.name, status, json=False)
                instance.restart_at_s = now_s + RESTART_PAUSE_S
            elif now_s >= instance.restart_at_s:
                instance.restart()

    def settle(self) -> None:
        """Ends what is left of disturbances: everything that was stopped goes on."""
        for instance in self.instances:
            if instance.standing is Standing.STOPPED:
                instance.send(signal.SIGCONT, Standing.RUNNING)

    def stop(self) -> list[str]:
        """Asks all to end and waits for them together; returns the names of those that had to be killed."""
        deadline = time.monotonic() + STOP_TIMEOUT_S
        alive = [i for i in self.instances if i.process.poll() is None]
        for instance in alive:
            instance.send(signal.SIGCONT, Standing.REMOVED)
            instance.process.terminate()
        stuck = []
        for instance in alive:
            try:
                instance.process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                stuck.append(instance.name)
                instance.process.kill()
                instance.process.wait()
        return stuck
