"""Which offset may be committed when work finishes out of order: the lowest that is unfinished, per partition. Pure.

Guarantees: nothing at or above a committed offset was finished later than it was committed past; a record that comes again (after a rebalance)
does not move anything back. Method: confluent's parallel-consumer, `PartitionState`.
"""

import heapq

Partition = tuple[str, int]
"""Topic and partition."""


class PartitionOffsets:
    """Offsets of one partition: which were taken on, and which of them are finished."""

    def __init__(self) -> None:
        self._unfinished: set[int] = set()
        self._heap: list[int] = []
        self._next = 0
        self._committed: int | None = None

    @property
    def unfinished(self) -> int:
        """Records taken on and not finished."""
        return len(self._unfinished)

    def begin(self, offset: int) -> bool:
        """Takes on a record; False for one that was taken on before."""
        if offset in self._unfinished or offset < self._next:
            return False
        self._unfinished.add(offset)
        heapq.heappush(self._heap, offset)
        self._next = offset + 1
        return True

    def finish(self, offset: int) -> None:
        """A record's work is on the log. Finishing twice is fine."""
        self._unfinished.discard(offset)

    def committable(self) -> int | None:
        """The offset to commit (of the next record to be read after a restart) if it has moved since `committed`, else None."""
        while self._heap and self._heap[0] not in self._unfinished:
            heapq.heappop(self._heap)
        lowest = self._heap[0] if self._heap else self._next
        return None if lowest == (self._committed or 0) or self._next == 0 else lowest

    def committed(self, offset: int) -> None:
        """The offset was committed."""
        self._committed = offset


class Offsets:
    """All assigned partitions."""

    def __init__(self) -> None:
        self._partitions: dict[Partition, PartitionOffsets] = {}

    def begin(self, partition: Partition, offset: int) -> bool:
        """Takes on a record; False for one that was taken on before and not forgotten."""
        return self._partitions.setdefault(partition, PartitionOffsets()).begin(offset)

    def finish(self, partition: Partition, offset: int) -> None:
        """A record's work is on the log; nothing where the partition was forgotten meanwhile."""
        if partition in self._partitions:
            self._partitions[partition].finish(offset)

    def committable(self) -> dict[Partition, int]:
        """What to commit now, by partition."""
        return {p: offset for p, state in self._partitions.items() if (offset := state.committable()) is not None}

    def committed(self, offsets: dict[Partition, int]) -> None:
        """These were committed."""
        for partition, offset in offsets.items():
            if partition in self._partitions:
                self._partitions[partition].committed(offset)

    def forget(self, partitions: set[Partition]) -> None:
        """Partitions were taken away."""
        for partition in partitions:
            self._partitions.pop(partition, None)
