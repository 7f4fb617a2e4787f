"""What the transactional processor asks of the code that it runs. Values and protocols only; no client library.

One logic lives for each assigned partition, in one thread: `restore` once, then `process` and `tick` in any order, then `close`. It is thrown
away and made again whenever a transaction is aborted, so all that it must not forget goes into `Effects.state`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from streams.kafka.records import OutputRecord, Record

StateChange = tuple[bytes, bytes | None]
"""Key and new value of a state entry; None removes it."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What becomes visible, together with the source offset, in one transaction: all or nothing.

    `urgent`: somebody waits for it, so that it is committed in milliseconds. What nobody waits for shares a transaction with what comes next:
    a commit costs the broker as much as a hundred records.
    """

    state: tuple[StateChange, ...] | list[StateChange] = ()
    outputs: tuple[OutputRecord, ...] | list[OutputRecord] = ()
    urgent: bool = True

    def __bool__(self) -> bool:
        return bool(self.state or self.outputs)


NOTHING = Effects()


class PartitionLogic(Protocol):
    """The state machine of one partition. Its methods are called from one thread and must return within a second."""

    @property
    def full(self) -> bool:
        """Whether it can take no more records now; `tick` goes on being called."""
        ...

    def restore(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Takes over the live state entries (the last value of each key), before anything else is called. An error ends the processor."""
        ...

    def process(self, record: Record) -> Effects:
        """Folds one record. An error makes the record poison: the logic is rebuilt as if it had never seen it."""
        ...

    def tick(self, now_s: float, caught_up: bool) -> Effects:
        """Results of background work and of timers; `now_s` is monotonic.

        `caught_up` tells that every record of the partition that was on the log has been processed. Called after records, soon after a
        `Wake`, and ten times a second anyhow. An error rebuilds the logic; three without a commit between them end the processor.
        """
        ...

    def close(self) -> None:
        """Ends background work; called once, at revocation, stop or before a rebuild. What is not committed by then is done again elsewhere."""
        ...


Wake = Callable[[], None]
"""Asks for a `tick` now, for there is a result. From any thread; of no effect on a logic that was closed."""

LogicFactory = Callable[[int, Wake], PartitionLogic]
"""Makes the logic of a partition; called in that partition's thread."""

Poison = Callable[[Record, Exception], Effects]
"""Turns a record that the logic failed on into a dead letter, which must fit a message. An error in it ends the processor."""
