"""All metrics in one table, and what a stage calls to feed them. No client library: `prometheus` keeps the numbers."""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Protocol

from msgspec import Struct


class Kind(Enum):
    """How a metric moves."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Metric(Struct, frozen=True):
    """One metric: `labels` in their order, `buckets` of a histogram in its unit."""

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...]
    buckets: tuple[float, ...] = ()


WORK_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""A page of text takes milliseconds, one on a slow engine a minute."""
WAIT_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 21_600.0)
"""A record waits milliseconds for an idle worker, hours behind an archive."""

QUEUE_AGE = Metric("pageloom_queue_age_seconds", Kind.HISTOGRAM, "age of a record when work on it began", ("stage", "topic"), WAIT_S)
WORK = Metric("pageloom_work_seconds", Kind.HISTOGRAM, "work on one record, or on one batch of the index", ("stage", "topic"), WORK_S)
EVENTS = Metric("pageloom_events_total", Kind.COUNTER, "events written, by name; failures with their code", ("stage", "event", "code"))
DOCUMENT = Metric("pageloom_document_seconds", Kind.HISTOGRAM, "from a submission on the log to its terminal record", ("outcome",), WAIT_S)
SEARCHABLE = Metric("pageloom_searchable_seconds", Kind.HISTOGRAM, "from a finished document on the log to its commit in the index", (), WAIT_S)
CHUNKS = Metric("pageloom_index_chunks_total", Kind.COUNTER, "chunks given to the search index, by what became of them", ("result",))
IN_WORK = Metric("pageloom_in_work", Kind.GAUGE, "records, or pages of an engine, being worked on", ("stage",))
WAITING = Metric("pageloom_waiting", Kind.GAUGE, "what this process has taken and not begun", ("stage",))
CAPACITY = Metric("pageloom_capacity", Kind.GAUGE, "how much could be in work at once", ("stage",))
BATCHES = Metric("pageloom_batches_total", Kind.COUNTER, "batches begun", ("stage",))
BATCH_ITEMS = Metric("pageloom_batch_items_total", Kind.COUNTER, "what was in them: divided by the batches, their fill", ("stage",))
PAGES = Metric("pageloom_recognized_pages_total", Kind.COUNTER, "pages: recognized (the cached among them), cached, failed", ("outcome",))
LAG = Metric("pageloom_lag_records", Kind.GAUGE, "records before the consumer group; one or two are marks of transactions", ("stage", "topic"))
MEMBERS = Metric("pageloom_workers", Kind.GAUGE, "members of the consumer group", ("stage",))
REACHABLE = Metric("pageloom_kafka_reachable", Kind.GAUGE, "whether Kafka answered when it was last asked", ())

METRICS: tuple[Metric, ...] = (
    QUEUE_AGE, WORK, EVENTS, DOCUMENT, SEARCHABLE, CHUNKS, IN_WORK, WAITING, CAPACITY, BATCHES, BATCH_ITEMS, PAGES, LAG, MEMBERS, REACHABLE,
)  # fmt: skip


class Reading(Struct, frozen=True):
    """A value that is looked at when somebody asks."""

    metric: Metric
    labels: tuple[str, ...]
    value: float


Readings = Callable[[], Iterable[Reading]]
"""Called from another thread than the one that works, whenever somebody asks; must not wait long."""


class Meters(Protocol):
    """What a stage tells. `labels` are the values of the metric's labels, in their order."""

    def count(self, metric: Metric, *labels: str, amount: float = 1.0) -> None:
        """Adds to a counter."""

    def observe(self, metric: Metric, value: float, *labels: str) -> None:
        """One more value of a histogram."""

    def watch(self, readings: Readings) -> None:
        """From now on these are read whenever somebody asks."""


class NoMeters:
    """Counts nothing."""

    def count(self, *_told: object, **_more: object) -> None:
        """See `Meters.count`."""

    def observe(self, *_told: object) -> None:
        """See `Meters.observe`."""

    def watch(self, _readings: object) -> None:
        """See `Meters.watch`."""
