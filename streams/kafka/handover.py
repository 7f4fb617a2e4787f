"""What the poll loop and a partition's thread share: the stage, the records that wait, and how much more may come. No I/O.

The poll loop offers and asks, the thread takes and tells; every method may be called from either. Bounds are kept by pausing the source, never by
refusing a record of a running partition.
"""

import threading
from collections import deque

from streams.kafka.lifecycle import Stage, next_stage
from streams.kafka.records import Record

INBOX_RECORDS = 2_000
INBOX_BYTES = 32 * 2**20
"""Of keys and values waiting for one partition; above either bound its source is paused, below half of both resumed. What the client has handed
out already when a pause comes may exceed them: at most one look of the poll loop, 1,000 messages."""


class Handover:
    """Shared state of one assigned partition."""

    def __init__(self) -> None:
        """A partition that is being restored."""
        self._condition = threading.Condition()
        self._stage = Stage.RESTORING
        self._is_fenced = False
        self._records: deque[Record] = deque()
        self._size_bytes = 0
        self._expected = 0
        self._end_seen = False
        self._full = False
        self._repeated = 0
        self._woken = False

    # -- for the poll loop

    @property
    def stage(self) -> Stage:
        """Where the partition stands."""
        return self._stage

    @property
    def is_fenced(self) -> bool:
        """Whether the broker refused the writer; stays set after the close."""
        return self._is_fenced

    @property
    def repeated(self) -> int:
        """Records that were offered again although the partition has had them, and were left out."""
        return self._repeated

    @property
    def expected(self) -> int:
        """Offset that the source has to stand at: after the last record that was offered, or where the restored state begins."""
        with self._condition:
            return self._expected

    @property
    def wants_pause(self) -> bool:
        """Whether the source is to be paused: not running, or enough waits already."""
        with self._condition:
            waits = len(self._records) >= INBOX_RECORDS or self._size_bytes >= INBOX_BYTES
            return self._stage is not Stage.RUNNING or self._full or waits

    @property
    def wants_more(self) -> bool:
        """Whether a paused source is to be resumed; between the two lies a margin, so that it does not flutter."""
        with self._condition:
            low = len(self._records) <= INBOX_RECORDS // 2 and self._size_bytes <= INBOX_BYTES // 2
            return self._stage is Stage.RUNNING and not self._full and low

    def offer(self, record: Record) -> None:
        """Takes a record unless the partition is not running (then it is read again) or has had it."""
        with self._condition:
            if self._stage is not Stage.RUNNING:
                return
            if record.offset < self._expected:
                self._repeated += 1
                return
            self._expected = record.offset + 1
            self._end_seen = False
            self._records.append(record)
            self._size_bytes += len(record.key or b"") + len(record.value or b"")
            self._condition.notify_all()

    def end_reached(self) -> None:
        """Everything on the log has been offered."""
        with self._condition:
            self._end_seen = self._stage is Stage.RUNNING
            self._condition.notify_all()

    def contact_lost(self) -> None:
        """The broker is not heard: nobody knows whether everything has been offered."""
        with self._condition:
            self._end_seen = False

    # -- for both, and for whoever works for the partition's logic

    def wake(self) -> None:
        """Ends the wait for records, or the next one."""
        with self._condition:
            self._woken = True
            self._condition.notify_all()

    def move(self, wanted: Stage) -> None:
        """Asks for another stage, which is refused when it comes too late; records that wait are dropped unless the partition runs."""
        with self._condition:
            self._stage = next_stage(self._stage, wanted)
            self._is_fenced = self._is_fenced or self._stage is Stage.FENCED
            if self._stage is not Stage.RUNNING:
                self._records.clear()
                self._size_bytes = 0
                self._end_seen = False
            self._condition.notify_all()

    def is_taken_away(self) -> bool:
        """Whether the partition is to end."""
        return self._stage in (Stage.STOPPING, Stage.LOST)

    # -- for the partition's thread

    def restored(self, position: int | None) -> None:
        """State is whole; the source has to stand at `position`. None begins at 0, which the client moves to the log's earliest record."""
        with self._condition:
            self._expected = position or 0
            self._full = False
        self.move(Stage.RESTORED)

    def await_decision(self) -> None:
        """Waits until the poll loop has set the source, or ends the partition."""
        with self._condition:
            self._condition.wait_for(lambda: self._stage is not Stage.RESTORED)

    def take(self, wait_s: float) -> list[Record]:
        """All records that wait; waits for the first for at most `wait_s`, until somebody wakes the partition or the stage changes."""
        with self._condition:
            if not self._records and not self._woken and self._stage is Stage.RUNNING and wait_s > 0:
                self._condition.wait(wait_s)
            self._woken = False
            taken = list(self._records)
            self._records.clear()
            self._size_bytes = 0
            return taken

    @property
    def records_wait(self) -> bool:
        """Whether `take` would return at once."""
        return bool(self._records)

    @property
    def caught_up(self) -> bool:
        """Whether everything on the log has been taken."""
        with self._condition:
            return self._end_seen and not self._records and self._stage is Stage.RUNNING

    def tell_full(self, full: bool) -> None:
        """Whether the logic can take no more."""
        self._full = full

    def pause(self, seconds: float) -> None:
        """Waits, unless the partition is taken away."""
        with self._condition:
            self._condition.wait_for(self.is_taken_away, seconds)
