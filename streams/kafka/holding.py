"""The partitions that a member of the processor's group holds: their tasks, from assignment to end, and what became of all records.

Guarantees: a partition whose writer is refused or hangs gets another one where it is, as long as that helps; a thread that does not end in time may
no longer commit. Used by the poll loop alone; any thread may ask for `counts`, and look at a copy of `tasks`.
"""

import logging
import time
from collections.abc import Sequence

from streams.kafka.errors import ProcessorError
from streams.kafka.lifecycle import Renewal, Renewals, Stage
from streams.kafka.partition import PartitionCounts, PartitionSetup, PartitionTask

_log = logging.getLogger(__name__)

MOST_LEFT_ALONE = 3
"""Threads for each partition that wait in the client library for what may never come, each with a writer of some megabytes and four threads of its
own. Beyond that the process is to end: whoever starts it again gets a client that works."""


class HeldPartitions:
    """What one processor holds, over all its memberships."""

    def __init__(self, source: str) -> None:
        """Nothing yet."""
        self._source = source
        self.tasks: dict[int, PartitionTask] = {}
        self._renewals = Renewals()
        self._left_alone: list[PartitionTask] = []
        self._past = PartitionCounts()

    def begin(self, partition: int, setup: PartitionSetup) -> None:
        """A partition is ours: its task begins to restore."""
        self._renewals.well(partition)
        self.tasks[partition] = PartitionTask(partition, setup)
        self.tasks[partition].start()

    def end(self, partitions: Sequence[int], timeout_s: float, by: Stage) -> None:
        """Ends partitions within one deadline; one that does not end in time may no longer commit, and is left alone."""
        tasks = [self.tasks.pop(partition) for partition in partitions if partition in self.tasks]
        deadline = time.monotonic() + timeout_s
        for task in tasks:
            task.handover.move(by)
        for task in tasks:
            self._renewals.well(task.partition)
            if not task.join(deadline - time.monotonic()):
                task.handover.move(Stage.LOST)
                self._left_alone.append(task)
                if timeout_s:
                    _log.warning("%s, partition %d did not end within %g s", self._source, task.partition, timeout_s)
            self._past.add(task.counts)
        self._left_alone = [task for task in self._left_alone if not task.join(0.0)]

    def renew(self, setup: PartitionSetup, now_s: float) -> list[int] | None:
        """The partitions that were given another writer now, which begin to restore. None where the member has to join its group again.

        Raises ProcessorError where too many threads are left alone.
        """
        renewed = []
        for partition, task in list(self.tasks.items()):
            hangs = task.hangs(now_s, self._renewals.patience(partition, now_s))
            if not hangs and not task.handover.is_fenced:
                self._renewals.well(partition)
                continue
            decision = self._renewals.decide(partition, now_s, has_committed=task.counts.transactions > 0)
            if decision is Renewal.REJOIN:
                return None
            if decision is Renewal.RENEW:
                why = "a call of the Kafka client does not return" if hangs else "its writer was refused"
                _log.warning("%s, partition %d: %s; going on with another writer", self._source, partition, why)
                self.end([partition], 0.0, Stage.LOST)
                self.begin(partition, setup)
                renewed.append(partition)
        if renewed and len(self._left_alone) > MOST_LEFT_ALONE * len(self.tasks):
            raise ProcessorError(f"{self._source}: {len(self._left_alone)} calls of the Kafka client do not return; start anew, nothing is lost")
        return renewed

    def counts(self) -> PartitionCounts:
        """What became of all records since the start, of all partitions together."""
        total = PartitionCounts()
        for counts in (self._past, *(task.counts for task in list(self.tasks.values()))):
            total.add(counts)
        return total
