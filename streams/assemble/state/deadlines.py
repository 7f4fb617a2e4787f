"""When a document waits no more for its pages. Pure: times are arguments.

Two deadlines. The hard one counts always. The other counts time without progress, and only where waiting longer is of no use: while assembly is
caught up with the log, no window of the document is outstanding (whoever recognizes answers every window), and readers do
not come nearer: they take documents in the order of their opening, so as long as pages of one that was opened before come in, the readers are busy
and this one's turn is still to come.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

MAX_STEP_S = 5.0
"""Counted at most between two looks: a process that was stopped for an hour has not waited for anybody."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document that waits, in numbers. `progress_s` and `read_s` are when the last event and the last reading of it came, on the caught-up
    clock; `opened_ms` is since the epoch.
    """

    document_id: str
    opened_ms: int
    progress_s: float
    read_s: float
    window_outstanding: bool


class CaughtUpClock:
    """Seconds during which assembly was caught up with the log."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self._looked_s: float | None = None

    def look(self, monotonic_s: float, caught_up: bool) -> None:
        """Goes on, if it was caught up since the last look."""
        if caught_up and self._looked_s is not None:
            self.now_s += min(MAX_STEP_S, max(0.0, monotonic_s - self._looked_s))
        self._looked_s = monotonic_s if caught_up else None


def overdue(
    waiting: Iterable[Waiting], *, clock_s: float, now_ms: int, no_progress_timeout_s: float, document_timeout_s: float
) -> Iterator[tuple[str, str]]:
    """The documents that wait no more, each with the reason. `waiting` is in the order of opening."""
    documents = list(waiting)
    readers_heard_s = accumulate((document.read_s for document in documents), max)
    for document, heard_s in zip(documents, readers_heard_s, strict=True):
        if now_ms - document.opened_ms > document_timeout_s * 1000:
            yield document.document_id, f"{document_timeout_s:g} s after the document was opened"
        elif not document.window_outstanding and clock_s - max(document.progress_s, heard_s) > no_progress_timeout_s:
            yield document.document_id, f"after {no_progress_timeout_s:g} s without progress"
