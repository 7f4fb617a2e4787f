"""Which units an engine reads next: one queue for the units of all documents. Pure: time is an argument, nothing is fetched or run here.

Guarantees: a unit that was added is handed out exactly once unless it is dropped first; a batch keeps the budgets (a unit larger
than a budget goes alone); units of one class go round the tenants, and round a tenant's documents, so that no book and no tenant
delays another by more than a turn; a class waits for a more urgent one, but never longer than `STARVED_S`; a unit that is to be read alone runs
before all others, when nothing else does, and nothing starts beside it. Every step is O(1) but for dropping.
"""

from collections import OrderedDict, deque
from collections.abc import Iterable
from enum import IntEnum

from msgspec import Struct

from inference.types import UnitKey

STARVED_S = 60.0
"""A unit that has waited this long goes before more urgent ones: bulk work goes on under a steady load of interactive work."""


class Urgency(IntEnum):
    """Classes of units, the most urgent first."""

    INTERACTIVE = 0
    NORMAL = 1
    BULK = 2


class Task(Struct, frozen=True):
    """A unit in the queue. `key` is unique among all units that wait or run; `pages` and `pixels` are what it costs. `alone`: nothing may be read
    beside it.
    """

    key: UnitKey
    tenant: str
    document: str
    urgency: Urgency
    pages: int
    pixels: int
    alone: bool = False


class Budget(Struct, frozen=True):
    """What a batch holds at most, and how long in seconds its first unit waits for others (less than a batch is handed out then)."""

    pages: int
    pixels: int
    wait_s: float


class Batch(Struct, frozen=True):
    """Units to be read together."""

    tasks: tuple[Task, ...]


class _Class:
    """The waiting units of one class: tenants in turn, of each its documents in turn, of each its units in order."""

    def __init__(self) -> None:
        self.tenants: OrderedDict[str, OrderedDict[str, deque[Task]]] = OrderedDict()
        self.arrivals: deque[tuple[float, UnitKey]] = deque()

    def add(self, task: Task, now_s: float) -> None:
        self.tenants.setdefault(task.tenant, OrderedDict()).setdefault(task.document, deque()).append(task)
        self.arrivals.append((now_s, task.key))

    def peek(self) -> Task | None:
        for documents in self.tenants.values():
            for queue in documents.values():
                return queue[0]
        return None

    def pop(self) -> None:
        """Takes the unit that `peek` shows; its document and its tenant go to the end of their rounds."""
        tenant, documents = next(iter(self.tenants.items()))
        document, queue = next(iter(documents.items()))
        queue.popleft()
        documents.move_to_end(document) if queue else documents.pop(document)
        self.tenants.move_to_end(tenant) if documents else self.tenants.pop(tenant)

    def remove(self, task: Task) -> None:
        documents = self.tenants[task.tenant]
        documents[task.document].remove(task)
        if not documents[task.document]:
            del documents[task.document]
        if not documents:
            del self.tenants[task.tenant]


class Scheduler:
    """The queue, and what is being read."""

    def __init__(self, budget: Budget, *, max_waiting: int, express_reserve: int = 0) -> None:
        """`max_waiting` units wait at most before `full`; interactive ones may be `express_reserve` more."""
        self._budget = budget
        self._max_waiting = max_waiting
        self._reserve = express_reserve
        self._classes = {urgency: _Class() for urgency in Urgency}
        self._waiting: dict[UnitKey, tuple[Task, float]] = {}
        self._running: dict[UnitKey, Task] = {}
        self._suspects: dict[UnitKey, Task] = {}
        """Waiting units that are to be read alone, in their order."""
        self._waiting_pages = 0

    def __contains__(self, key: UnitKey) -> bool:
        """Whether a unit waits or runs."""
        return key in self._waiting or key in self._running or key in self._suspects

    @property
    def waiting(self) -> int:
        """Units that wait."""
        return len(self._waiting) + len(self._suspects)

    @property
    def running(self) -> int:
        """Units that are being read."""
        return len(self._running)

    @property
    def full(self) -> bool:
        """Whether no more work should be taken in; what comes all the same is kept."""
        return self.waiting >= self._max_waiting

    @property
    def overfull(self) -> bool:
        """Whether not even interactive work should be taken in."""
        return self.waiting >= self._max_waiting + self._reserve

    def add(self, task: Task, now_s: float) -> None:
        """Queues a unit. Raises ValueError for a key that waits or runs: nothing is ever read twice at once."""
        if task.key in self:
            raise ValueError(f"unit {task.key!r} waits or runs already")
        if task.alone:
            self._suspects[task.key] = task
            return
        self._waiting[task.key] = (task, now_s)
        self._waiting_pages += task.pages
        self._classes[task.urgency].add(task, now_s)

    def schedule(self, now_s: float) -> Batch | None:
        """The next batch, which then runs; None while there is nothing, or while a part of a batch may still wait for more."""
        if any(task.alone for task in self._running.values()):
            return None
        if self._suspects:
            return None if self._running else self._start_alone()
        if not self._waiting or not self._is_due(now_s):
            return None
        tasks: list[Task] = []
        pages = pixels = 0
        while (queue := self._next_class(now_s)) is not None:
            task = queue.peek()
            if task is None or (tasks and (pages + task.pages > self._budget.pages or pixels + task.pixels > self._budget.pixels)):
                break
            queue.pop()
            self._start(task)
            tasks.append(task)
            pages, pixels = pages + task.pages, pixels + task.pixels
        return Batch(tuple(tasks))

    def update(self, batch: Batch) -> None:
        """A batch has been read; its keys may be added again."""
        for task in batch.tasks:
            self._running.pop(task.key, None)

    def drop(self, keys: Iterable[UnitKey]) -> list[Task]:
        """Takes units out that wait; others are left alone."""
        dropped = []
        for key in keys:
            if key in self._waiting:
                task, _ = self._waiting.pop(key)
                self._waiting_pages -= task.pages
                self._classes[task.urgency].remove(task)
                dropped.append(task)
            elif key in self._suspects:
                dropped.append(self._suspects.pop(key))
        return dropped

    def _start_alone(self) -> Batch:
        task = self._suspects.pop(next(iter(self._suspects)))
        self._running[task.key] = task
        return Batch((task,))

    def _start(self, task: Task) -> None:
        del self._waiting[task.key]
        self._waiting_pages -= task.pages
        self._running[task.key] = task

    def _is_due(self, now_s: float) -> bool:
        """Whether a whole batch waits, or one has waited long enough."""
        if self._waiting_pages >= self._budget.pages:
            return True
        return any((oldest := self._oldest(queue)) is not None and now_s - oldest >= self._budget.wait_s for queue in self._classes.values())

    def _next_class(self, now_s: float) -> _Class | None:
        """The class to be served: one whose oldest unit starves, the longest first, else the most urgent that has any."""
        oldest = [(age, queue) for queue in self._classes.values() if (age := self._oldest(queue)) is not None]
        if not oldest:
            return None
        since, starved = min(oldest, key=lambda entry: entry[0])
        return starved if now_s - since >= STARVED_S else oldest[0][1]

    def _oldest(self, queue: _Class) -> float | None:
        """When the unit that has waited longest in a class was added."""
        while queue.arrivals:
            added, key = queue.arrivals[0]
            waiting = self._waiting.get(key)
            if waiting is not None and waiting[1] == added and self._classes[waiting[0].urgency] is queue:
                return added
            queue.arrivals.popleft()
        return None
