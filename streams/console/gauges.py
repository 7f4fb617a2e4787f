"""The pipeline in numbers, sampled every few seconds and kept for some minutes: lag by group, workers, pages a second, dead letters.

The lag counts markers of transactions as well, which nobody reads: one or two a partition are none.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

import structlog
from msgspec import Struct

from streams.console.board import Board
from streams.kafka.admin import TopicAdmin
from streams.kafka.errors import KafkaClientError
from streams.settings import Settings
from streams.telemetry.groups import GROUPS, Group, standings
from streams.topics import DEAD_LETTERS, PAGES_FAILED, TOPICS

INTERVAL_S = 3.0
KEPT = 200
"""Samples: ten minutes."""
TIMEOUT_S = 10.0

log = structlog.get_logger(__name__)


class StageSample(Struct, frozen=True, kw_only=True):
    """How a kind of worker stands: members of its group, and records that wait for it, by topic."""

    name: str
    workers: int
    lag: dict[str, int]


class Sample(Struct, frozen=True, kw_only=True):
    """The pipeline at one time. `records` are upper bounds by topic; `pages_per_s` is since the sample before; `error` says why the rest is empty."""

    at_ms: int
    stages: tuple[StageSample, ...] = ()
    records: dict[str, int] = {}
    pages_per_s: float = 0.0
    under_way: int = 0
    dead_letters: int = 0
    failed_pages: int = 0
    error: str = ""


class Gauges:
    """Samples until it is stopped."""

    def __init__(self, settings: Settings, board: Board) -> None:
        self._settings, self._board = settings, board
        self._samples: deque[Sample] = deque(maxlen=KEPT)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="console-gauges", daemon=True)

    def start(self) -> None:
        """Begins to sample."""
        self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """Ends; a request that is under way is not waited for longer than this."""
        self._stop.set()
        self._thread.join(timeout_s)

    def samples(self) -> list[Sample]:
        """Oldest first."""
        return list(self._samples)

    def _run(self) -> None:
        admin = TopicAdmin(self._settings.bootstrap_servers, self._settings.kafka_security, timeout_s=TIMEOUT_S)
        rate = rate_meter(time.monotonic(), self._board.pages_settled)
        while not self._stop.is_set():
            pages_per_s = rate(time.monotonic(), self._board.pages_settled)
            at_ms, under_way = int(time.time() * 1000), self._board.under_way()
            try:
                sample = sample_of(admin, at_ms, pages_per_s, under_way)
            except KafkaClientError as error:
                sample = Sample(at_ms=at_ms, pages_per_s=pages_per_s, under_way=under_way, error=str(error))
            self._samples.append(sample)
            self._stop.wait(INTERVAL_S)


def rate_meter(began_s: float, count: int) -> Callable[[float, int], float]:
    """A function of monotonic time and a growing count that says how fast it grew since it was last asked."""
    last = [began_s, float(count)]

    def rate(now_s: float, count: int) -> float:
        span_s, grown = now_s - last[0], count - last[1]
        last[:] = [now_s, float(count)]
        return round(grown / span_s, 2) if span_s > 0 else 0.0

    return rate


def sample_of(admin: TopicAdmin, at_ms: int, pages_per_s: float, under_way: int, stages: Sequence[Group] = GROUPS) -> Sample:
    """Asks the cluster once. Raises KafkaClientError."""
    ranges = {listing.name: listing.ranges for listing in admin.list_topics(topic.name for topic in TOPICS)}
    found = [StageSample(name=at.group.name, workers=at.members, lag=at.lag) for at in standings(admin, stages, ranges)]
    records = {name: sum(end - start for start, end in partitions) for name, partitions in ranges.items()}
    return Sample(
        at_ms=at_ms,
        stages=tuple(found),
        records=records,
        pages_per_s=pages_per_s,
        under_way=under_way,
        dead_letters=records.get(DEAD_LETTERS.name, 0),
        failed_pages=records.get(PAGES_FAILED.name, 0),
    )
