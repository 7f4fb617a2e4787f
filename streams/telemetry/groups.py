"""How far the consumer group of a stage is behind, as Kafka tells: asked when somebody asks us, at most every few seconds."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from streams.kafka.admin import TopicAdmin
from streams.kafka.errors import KafkaClientError
from streams.telemetry.metrics import LAG, MEMBERS, REACHABLE, Reading
from streams.topics import EVENTS, INGEST, PARSED, RANGES, RANGES_EXPRESS, WINDOWS, WINDOWS_EXPRESS

FRESH_S = 5.0
"""An answer is good for so long: scrapes and health checks ask several times a minute."""


class Group(Struct, frozen=True, kw_only=True):
    """A kind of worker, and its consumer group by the topic that is read in it."""

    name: str
    topics: Mapping[str, str]


GROUPS: tuple[Group, ...] = (
    Group(name="open", topics={INGEST.name: "pageloom-open"}),
    Group(name="read", topics={RANGES.name: "pageloom-read", RANGES_EXPRESS.name: "pageloom-read"}),
    Group(name="infer", topics={WINDOWS.name: "pageloom-infer", WINDOWS_EXPRESS.name: "pageloom-infer-express"}),
    Group(name="assemble", topics={EVENTS.name: "assemble"}),
    Group(name="index", topics={PARSED.name: "pageloom-index"}),
)
"""In the order of the flow."""


class Standing(Struct, frozen=True, kw_only=True):
    """Where a group stands: its members, and by topic the offsets that it has before it."""

    group: Group
    members: int
    lag: dict[str, int]


class GroupLag:
    """What is known of some groups. Thread-safe; one question at a time."""

    def __init__(self, admin: TopicAdmin, groups: Sequence[Group], now_s: Callable[[], float] = time.monotonic) -> None:
        """The timeout of `admin` bounds what a scrape waits."""
        self._admin = admin
        self._groups = groups
        self._now_s = now_s
        self._lock = threading.Lock()
        self._asked_s: float | None = None
        self._readings: list[Reading] = []
        self._error = ""

    def readings(self) -> list[Reading]:
        """Lag and members of each group, and whether Kafka answers."""
        self._ask()
        return [*self._readings, Reading(REACHABLE, (), 0.0 if self._error else 1.0)]

    def error(self) -> str:
        """Why Kafka does not answer; empty where it does."""
        self._ask()
        return self._error

    def _ask(self) -> None:
        with self._lock:
            if self._asked_s is not None and self._now_s() - self._asked_s < FRESH_S:
                return
            try:
                self._readings, self._error = list(_readings(self._admin, self._groups)), ""
            except (KafkaClientError, TimeoutError) as error:
                self._readings, self._error = [], str(error) or "Kafka did not answer in time"
            self._asked_s = self._now_s()


def _readings(admin: TopicAdmin, groups: Sequence[Group]) -> list[Reading]:
    ranges = {listing.name: listing.ranges for listing in admin.list_topics(topic for group in groups for topic in group.topics)}
    found = []
    for standing in standings(admin, groups, ranges):
        found += [Reading(LAG, (standing.group.name, topic), lag) for topic, lag in standing.lag.items()]
        found.append(Reading(MEMBERS, (standing.group.name,), standing.members))
    return found


def standings(admin: TopicAdmin, groups: Sequence[Group], ranges: dict[str, tuple[tuple[int, int], ...]]) -> Iterator[Standing]:
    """Asks where each group stands; `ranges` are the offsets of each partition of its topics. Raises KafkaClientError."""
    members = admin.group_members(sorted({name for group in groups for name in group.topics.values()}))
    for group in groups:
        committed: dict[tuple[str, int], int] = {}
        for name in dict.fromkeys(group.topics.values()):
            committed |= admin.committed_offsets(name, [topic for topic, of in group.topics.items() if of == name])
        # Each worker of a kind is a member of each of its groups, save for a moment while it joins or leaves them.
        most = max(members[name] for name in group.topics.values())
        yield Standing(group=group, members=most, lag=lag_of(group.topics, ranges, committed))


def lag_of(topics: Iterable[str], ranges: dict[str, tuple[tuple[int, int], ...]], committed: dict[tuple[str, int], int]) -> dict[str, int]:
    """By topic, how many offsets a group has before it; a partition that it never committed counts from its beginning."""
    return {
        topic: sum(max(0, end - max(start, committed.get((topic, number), start))) for number, (start, end) in enumerate(ranges.get(topic, ())))
        for topic in topics
    }
