"""Whether a worker lives and is ready. A worker's loop asks many times a second whether it is to stop: who asks, lives."""

import threading
import time
from collections.abc import Callable

STUCK_S = 60.0
"""Without a question for so long, a loop hangs: the longest that it may wait for anything (a request to an index) is half of that."""


class Heartbeat(threading.Event):
    """An event to stop by that notes when it was last asked for, by the thread that made it. Setting it sets the one that it stands for."""

    def __init__(self, stop: threading.Event, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._stop = stop
        self._now_s = now_s
        self._owner = threading.get_ident()
        self._asked_s: float | None = None

    def is_set(self) -> bool:
        """Whether to stop."""
        self._note()
        return self._stop.is_set()

    def set(self) -> None:
        """Stops."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until it is to stop."""
        self._note()
        return self._stop.wait(timeout)

    @property
    def stopping(self) -> bool:
        """Whether the worker is to stop; asking does not count as a beat."""
        return self._stop.is_set()

    @property
    def silent_for_s(self) -> float | None:
        """How long ago the worker asked; None before its first question."""
        return None if self._asked_s is None else self._now_s() - self._asked_s

    def _note(self) -> None:
        if threading.get_ident() == self._owner:
            self._asked_s = self._now_s()


class Health:
    """What the two questions are answered from. `kafka` says why Kafka does not answer, or nothing."""

    def __init__(self, beat: Heartbeat, kafka: Callable[[], str]) -> None:
        self._beat = beat
        self._kafka = kafka

    def not_alive(self) -> str:
        """Why the process is to be started again; empty while it lives."""
        silent_s = self._beat.silent_for_s
        if silent_s is not None and silent_s > STUCK_S:
            return f"its loop has not turned for {silent_s:.0f} s"
        return ""

    def not_ready(self) -> str:
        """Why it takes no work now; empty when it does."""
        if self._beat.stopping:
            return "it is stopping"
        if self._beat.silent_for_s is None:
            return "it is starting"
        return self.not_alive() or self._kafka()
