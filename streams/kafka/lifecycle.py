"""The decisions of the transactional processor, without its I/O: which stages a partition goes through, when a transaction ends, how often to
tick, what an error of the client library asks for, and what becomes of a partition whose writer is of no more use. Pure: no clock, no client.
"""

from dataclasses import dataclass
from enum import Enum, auto


class Stage(Enum):
    """Where an assigned partition stands."""

    RESTORING = auto()
    """Its thread fences zombies and reads the changelog; the source is paused."""
    RESTORED = auto()
    """State is whole; waits for the poll loop to seek to its offset and resume."""
    RUNNING = auto()
    STOPPING = auto()
    """Revoked, or the processor stops: commits what is processed, takes nothing more."""
    LOST = auto()
    """Another member may own it already: nothing more may be committed."""
    FENCED = auto()
    """The broker refuses its writer for good: another one is needed, see `Renewals`."""
    FAILED = auto()
    """A fault that a rebuild does not cure: the processor ends."""
    CLOSED = auto()


TRANSITIONS: dict[Stage, frozenset[Stage]] = {
    Stage.RESTORING: frozenset({Stage.RESTORED, Stage.STOPPING, Stage.LOST, Stage.FENCED, Stage.FAILED}),
    Stage.RESTORED: frozenset({Stage.RUNNING, Stage.STOPPING, Stage.LOST}),
    Stage.RUNNING: frozenset({Stage.RESTORING, Stage.STOPPING, Stage.LOST, Stage.FENCED, Stage.FAILED}),
    Stage.STOPPING: frozenset({Stage.LOST, Stage.FENCED, Stage.FAILED, Stage.CLOSED}),
    Stage.LOST: frozenset({Stage.CLOSED}),
    Stage.FENCED: frozenset({Stage.CLOSED}),
    Stage.FAILED: frozenset({Stage.CLOSED}),
    Stage.CLOSED: frozenset(),
}
"""Every change of stage that can happen; any other is a bug."""


def next_stage(current: Stage, wanted: Stage) -> Stage:
    """The stage after a request. Requests that come too late (to stop what is lost, to run what is being stopped) leave the stage as it is."""
    return wanted if wanted in TRANSITIONS[current] else current


@dataclass(frozen=True, slots=True)
class OpenTransaction:
    """What has been put into a transaction so far; `poisoned` of its `records` went to the dead letters.

    Times are monotonic; `urgent_at_s` is when the first effect came that somebody waits for, None before.
    """

    records: int
    poisoned: int
    size_bytes: int
    opened_at_s: float
    urgent_at_s: float | None


@dataclass(frozen=True, slots=True)
class CutPolicy:
    """When a transaction ends.

    While records wait, transactions grow to the bounds (500 records are committed in 8 ms, one in 15 to 28). When none waits, a transaction with
    something urgent ends after `idle_s`: long enough for records that arrive together to share it, short beside the commit itself. One without
    stays open up to `patient_s`.
    """

    max_records: int = 500
    max_bytes: int = 4 * 2**20
    """Keeps a commit far below the transaction timeout, and the producer's queue small."""
    max_age_s: float = 0.1
    """Since something urgent, while records keep coming."""
    idle_s: float = 0.005
    patient_s: float = 0.25

    def is_due(self, transaction: OpenTransaction, now_s: float, records_wait: bool) -> bool:
        """Whether to commit now."""
        if transaction.records >= self.max_records or transaction.size_bytes >= self.max_bytes:
            return True
        if now_s - transaction.opened_at_s >= self.patient_s:
            return True
        if transaction.urgent_at_s is None:
            return False
        waited_s = now_s - transaction.urgent_at_s
        return waited_s >= self.max_age_s or (not records_wait and waited_s >= self.idle_s)

    def wait_s(self, transaction: OpenTransaction, now_s: float) -> float:
        """How long to wait for another record before the transaction is due; 0 if it is."""
        if self.is_due(transaction, now_s, records_wait=True):
            return 0.0
        due_at_s = transaction.opened_at_s + self.patient_s
        if transaction.urgent_at_s is not None:
            due_at_s = min(due_at_s, transaction.urgent_at_s + self.idle_s)
        return max(0.0, due_at_s - now_s)


TICK_S = 0.1
"""How long to wait for a record before the logic is asked for what its timers say; finished documents wake the partition. Each partition ticks:
every 15 ms, four took 3 % of a core."""


class Remedy(Enum):
    """What to do about an error of the client library in a transaction."""

    RETRY = auto()
    """The same call again."""
    ABORT = auto()
    """Abort, rebuild from what is committed, process again."""
    REJOIN = auto()
    """The writer is of no more use: another instance fenced it, or the library gave up."""


def remedy_for(*, fatal: bool, requires_abort: bool, retriable: bool) -> Remedy:
    """The remedy for an error with these flags; unknown ones abort, since what was sent is then in doubt."""
    if fatal:
        return Remedy.REJOIN
    if requires_abort:
        return Remedy.ABORT
    return Remedy.RETRY if retriable else Remedy.ABORT


class Renewal(Enum):
    """What to do about a partition whose writer is of no more use."""

    WAIT = auto()
    RENEW = auto()
    """Another writer where it is: the membership stays, and with it every other partition."""
    REJOIN = auto()
    """That did not help: the member leaves its group and joins again."""


RENEWAL_PAUSE_S = 0.5
"""Before another writer is made. A process that slept has been told by then that its partitions were given away, and fences nobody."""
MOST_RENEWALS = 3
"""In a row, without a transaction committed between: then the fault is not one of a moment."""
SLOW_S = 60.0
"""After a new writer, calls of its partition are given more time for so long: a machine that was too busy may still be."""


class Renewals:
    """The partitions whose writers are of no more use: since when, and how often in a row. Times are monotonic.

    A broker that was away ends the transactions that were open, by their age: their writers are refused although nobody took the partition, and
    calls that were waiting may hang. To leave the group for that would cost all partitions a rebalance, and, where the leaving is not
    heard, the session of the member that is gone.
    """

    def __init__(self) -> None:
        self._since_s: dict[int, float] = {}
        self._in_a_row: dict[int, int] = {}
        self._lately: dict[int, tuple[int, float]] = {}

    def well(self, partition: int) -> None:
        """Its writer is of use, or it is no longer ours."""
        self._since_s.pop(partition, None)

    def patience(self, partition: int, now_s: float) -> float:
        """How much longer than at first a call may take: doubled by each new writer, for a while, since a broker or a machine that is merely slow
        only becomes slower by them.
        """
        times, last_s = self._lately.get(partition, (0, now_s))
        return 1.0 if now_s - last_s > SLOW_S else 2.0 ** min(times, MOST_RENEWALS)

    def decide(self, partition: int, now_s: float, *, has_committed: bool) -> Renewal:
        """What to do now. `has_committed`: whether the writer committed anything before it failed."""
        if now_s - self._since_s.setdefault(partition, now_s) < RENEWAL_PAUSE_S:
            return Renewal.WAIT
        del self._since_s[partition]
        in_a_row = 1 if has_committed else self._in_a_row.get(partition, 0) + 1
        self._in_a_row[partition] = in_a_row
        times, last_s = self._lately.get(partition, (0, now_s))
        self._lately[partition] = (1 if now_s - last_s > SLOW_S else times + 1, now_s)
        if in_a_row <= MOST_RENEWALS:
            return Renewal.RENEW
        self._in_a_row.clear()
        return Renewal.REJOIN


JOIN_S = 60.0
"""Without a place in the group: joining takes one to ten seconds, and up to a minute on a machine that is too busy."""


class Joining:
    """Whether a member that holds nothing is known to its group. Times are monotonic.

    On a machine that stood still, a client was seen that never asked for its group's coordinator (2.16.1): nothing was refused, nothing was
    logged, and no record was ever read. Such a member is to be made anew.
    """

    def __init__(self, now_s: float) -> None:
        self._heard_s = now_s

    def is_overdue(self, now_s: float, *, heard: bool) -> bool:
        """Whether nothing has been heard of the group for too long. `heard`: whether partitions are held, or the group has named the member."""
        if heard:
            self._heard_s = now_s
        return now_s - self._heard_s > JOIN_S
