"""Topics and groups as seen by an administrator: create, verify, list, and ask how far a group has come.

Creating is idempotent and safe from several processes at once; a topic of another shape is an error, never changed: partition counts and
timestamp types are relied on by state that is already written.
"""

import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic, OffsetSpec, ResourceType

from streams.kafka.clients import FETCH_WAIT_TO_END_MS, Security, common_config, reader_config
from streams.kafka.errors import BrokerUnreachableError, ClientSettingsError, KafkaClientError, TopicMismatchError

VERIFIED_SETTINGS = ("message.timestamp.type", "cleanup.policy")
"""Settings of a topic that the application relies on; retention and sizes are the operator's business."""

PASSING_ERRORS = frozenset(
    {
        KafkaError.NOT_LEADER_FOR_PARTITION,
        KafkaError.LEADER_NOT_AVAILABLE,
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
        KafkaError.FENCED_LEADER_EPOCH,
        KafkaError.UNKNOWN_LEADER_EPOCH,
        KafkaError.OFFSET_NOT_AVAILABLE,
        KafkaError._NOENT,  # the client's own word for partitions that have no leader yet
    }
)
"""Answers of a broker that has not yet heard of a new leader, or of itself as one; a restarted broker gives them for a moment."""

FORBIDDEN = frozenset({KafkaError.TOPIC_AUTHORIZATION_FAILED, KafkaError.GROUP_AUTHORIZATION_FAILED, KafkaError.CLUSTER_AUTHORIZATION_FAILED})
"""Answers to a user who may not do what was asked."""

_POLL_S = 0.1
_ASK_S = 0.5
"""For one answer while a broker is waited for: whoever waits may be told to stop meanwhile."""
_REPLICAS_BY_BROKER = -1
"""Number of replicas: the broker's own default."""

Partition = tuple[str, int]
"""Topic and partition number."""


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """A topic as the application needs it."""

    name: str
    partitions: int
    config: Mapping[str, str] = field(default_factory=dict)
    replicas: int = _REPLICAS_BY_BROKER


@dataclass(frozen=True, slots=True)
class TopicListing:
    """A topic as it is. `ranges` holds, for each partition, its first offset and the one after its last; markers of transactions count."""

    name: str
    ranges: tuple[tuple[int, int], ...]

    @property
    def partitions(self) -> int:
        """Number of partitions."""
        return len(self.ranges)

    @property
    def at_most_records(self) -> int:
        """An upper bound of the records in it: compaction and markers of transactions leave gaps."""
        return sum(end - start for start, end in self.ranges)


class _Refusals:
    """Why brokers refuse a client, in the library's words: a question that goes unanswered says only that it was."""

    def __init__(self) -> None:
        self.last = ""

    def listen(self, error: KafkaError) -> None:
        """For a client's `error_cb`."""
        if error.code() in (KafkaError._AUTHENTICATION, KafkaError._SSL):
            self.last = error.str()


class TopicAdmin:
    """An administrator's connection to one cluster, kept for as long as its requests."""

    def __init__(self, bootstrap_servers: str, security: Security | None = None, *, timeout_s: float = 30.0) -> None:
        """Connects with the first request; `timeout_s` bounds each. Raises ClientSettingsError."""
        self._refusals = _Refusals()
        try:
            self._admin = AdminClient({**common_config(bootstrap_servers, "pageloom-admin", security), "error_cb": self._refusals.listen})
        except KafkaException as error:
            raise ClientSettingsError(f"the Kafka client refuses its settings: {error.args[0].str()}") from error
        self._reader_config = reader_config(bootstrap_servers, "pageloom-admin", security, fetch_wait_ms=FETCH_WAIT_TO_END_MS)
        self._bootstrap_servers = bootstrap_servers
        self._timeout_s = timeout_s
        self._askers: dict[str, Consumer] = {}
        self._asking = threading.Lock()

    def await_broker(self, timeout_s: float, stop: Callable[[], bool] = lambda: False) -> bool:
        """Waits until a broker answers; False where `stop()` (asked several times a second) is true before. Raises BrokerUnreachableError after
        the time.
        """
        deadline = time.monotonic() + timeout_s
        reason = "it names no broker"
        while (remaining := deadline - time.monotonic()) > 0:
            if stop():
                return False
            try:
                # The client connects in the background: a short question that goes unanswered delays nothing but the next.
                if self._admin.list_topics(timeout=min(_ASK_S, remaining)).brokers:
                    return True
            except KafkaException as error:
                reason = error.args[0].str()
            time.sleep(min(_POLL_S, remaining))
        raise self._unreachable(f" within {timeout_s:g} s", reason)

    def _unreachable(self, when: str, reason: str) -> BrokerUnreachableError:
        self._admin.poll(0)  # tells the errors that have come up since
        if self._refusals.last:
            return BrokerUnreachableError(
                f"no connection to {self._bootstrap_servers}{when} ({self._refusals.last}); check user, password, certificates and security.protocol"
            )
        return BrokerUnreachableError(
            f"no broker at {self._bootstrap_servers}{when} ({reason}); check the address, the security settings, and that Kafka runs"
        )

    def ensure_topics(self, specs: Sequence[TopicSpec]) -> list[str]:
        """Creates what is missing, waits until it can be used, verifies everything; returns the names that were created.

        Raises TopicMismatchError for a topic of another shape, KafkaClientError if the cluster refuses.
        """
        new = [NewTopic(spec.name, spec.partitions, spec.replicas, config=dict(spec.config)) for spec in specs]
        created = []
        for name, future in self._admin.create_topics(new, operation_timeout=self._timeout_s).items():
            try:
                future.result(self._timeout_s)
                created.append(name)
            except KafkaException as error:
                if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                    raise KafkaClientError(f"topic {name} cannot be created: {error.args[0].str()}") from error
            except TimeoutError as error:
                raise _no_answer(self._timeout_s) from error
        self._await_leaders([spec.name for spec in specs])
        self.verify_topics(specs)
        return created

    def verify_topics(self, specs: Sequence[TopicSpec]) -> None:
        """Raises TopicMismatchError naming every topic that is missing, or whose partition count or relied-on settings differ."""
        counts = self._partition_counts()
        problems = [
            f"{spec.name} has {counts[spec.name]} partitions, needed are {spec.partitions}" if spec.name in counts else f"{spec.name} is missing"
            for spec in specs
            if counts.get(spec.name) != spec.partitions
        ]
        checked = [spec for spec in specs if spec.name in counts and any(name in spec.config for name in VERIFIED_SETTINGS)]
        actual = self._settings([spec.name for spec in checked])
        for spec in checked:
            for name in VERIFIED_SETTINGS:
                wanted, found = spec.config.get(name), actual[spec.name].get(name)
                if wanted is not None and wanted != found:
                    problems.append(f"{spec.name} has {name}={found}, needed is {wanted}")
        if problems:
            raise TopicMismatchError(
                f"topics of another shape: {'; '.join(problems)}. Create them as `pageloom topics` shows, or use another cluster; "
                "they are never changed by themselves, since state that is already written relies on them"
            )

    def list_topics(self, names: Iterable[str] | None = None) -> list[TopicListing]:
        """The named topics that exist (all but internal ones without names), with their offsets, by name."""
        counts = self._partition_counts()
        wanted = sorted(counts if names is None else counts.keys() & set(names))
        partitions = [(name, number) for name in wanted if not name.startswith("__") for number in range(counts[name])]
        starts, ends = self._offsets(partitions, OffsetSpec.earliest()), self._offsets(partitions, OffsetSpec.latest())
        listed: dict[str, list[tuple[int, int]]] = {}
        for place in partitions:
            listed.setdefault(place[0], []).append((starts[place], ends[place]))
        return [TopicListing(name, tuple(ranges)) for name, ranges in listed.items()]

    def end_offsets(self, topics: Iterable[str]) -> dict[Partition, int]:
        """For every partition of existing topics, the offset after its last record."""
        return {(topic.name, number): end for topic in self.list_topics(topics) for number, (_, end) in enumerate(topic.ranges)}

    def committed_offsets(self, group_id: str, topics: Iterable[str]) -> dict[Partition, int]:
        """For every partition, the offset that the group reads next; partitions that it never committed are left out."""
        counts = self._partition_counts()
        places = [TopicPartition(name, number) for name in topics for number in range(counts.get(name, 0))]
        if not places:
            return {}
        with self._asking:
            try:
                answer = self._asker(group_id).committed(places, self._timeout_s)
            except KafkaException as error:
                raise KafkaClientError(f"the cluster does not tell of group {group_id}: {error.args[0].str()}") from error
        return {(place.topic, place.partition): place.offset for place in answer if place.error is None and place.offset >= 0}

    def _asker(self, group_id: str) -> Consumer:
        """A client that asks about a group and never joins it.

        The admin client's own request ends the process (a segmentation fault, 2.16.1) where the coordinator answers with certain errors.
        """
        if group_id not in self._askers:
            # Offsets that an open transaction holds in doubt are told as they were, not waited for.
            self._askers[group_id] = Consumer({**self._reader_config, "group.id": group_id, "isolation.level": "read_uncommitted"})
        return self._askers[group_id]

    def group_members(self, group_ids: Sequence[str]) -> dict[str, int]:
        """How many members each group has now; 0 for a group that nobody joined.

        By the client library's older request: its newer one, `describe_consumer_groups`, ends the process (an assertion, 2.16.1) where a broker
        that was away comes back while it waits.
        """
        members = dict.fromkeys(group_ids, 0)
        for group_id in group_ids:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DeprecationWarning)
                    found = self._admin.list_groups(group_id, timeout=self._timeout_s)
            except KafkaException as error:
                raise KafkaClientError(f"the cluster does not tell of group {group_id}: {error.args[0].str()}") from error
            members |= {group.id: len(group.members) for group in found if group.id == group_id}
        return members

    def has_reached(self, group_id: str, targets: Mapping[Partition, int]) -> bool:
        """Whether the group has committed past each target offset (of a record that was written, not of an end)."""
        committed = self.committed_offsets(group_id, {topic for topic, _ in targets})
        return all(committed.get(place, 0) > offset for place, offset in targets.items())

    def _partition_counts(self) -> dict[str, int]:
        try:
            metadata = self._admin.list_topics(timeout=self._timeout_s)
        except KafkaException as error:
            raise self._unreachable("", error.args[0].str()) from error
        return {name: len(topic.partitions) for name, topic in metadata.topics.items()}

    def _await_leaders(self, names: Sequence[str]) -> None:
        """Waits until every partition has a leader: the controller knows a new topic a little before its brokers do."""
        deadline = time.monotonic() + self._timeout_s
        while True:
            topics = self._admin.list_topics(timeout=self._timeout_s).topics
            if all(name in topics and topics[name].partitions and all(p.leader >= 0 for p in topics[name].partitions.values()) for name in names):
                return
            if time.monotonic() > deadline:
                raise KafkaClientError(f"created topics got no leader within {self._timeout_s:g} s; look at the broker's log")
            time.sleep(0.02)

    def _settings(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        if not names:
            return {}
        resources = [ConfigResource(ResourceType.TOPIC, name) for name in names]
        futures = self._admin.describe_configs(resources, request_timeout=self._timeout_s)
        return {
            resource.name: {name: str(entry.value) for name, entry in _result(future, self._timeout_s).items()}
            for resource, future in futures.items()
        }

    def _offsets(self, places: Sequence[Partition], spec: OffsetSpec) -> dict[Partition, int]:
        if not places:
            return {}
        found: dict[Partition, int] = {}
        deadline = time.monotonic() + self._timeout_s
        while len(found) < len(places):
            request = {TopicPartition(topic, number): spec for topic, number in places if (topic, number) not in found}
            for place, future in self._admin.list_offsets(request, request_timeout=self._timeout_s).items():
                try:
                    found[place.topic, place.partition] = _result(future, self._timeout_s).offset
                except KafkaClientError as error:
                    # A leader that has just changed, or is just made: the client learns of it with its next request.
                    if not _is_passing(error) or time.monotonic() > deadline:
                        raise
            if len(found) < len(places):
                time.sleep(_POLL_S)
        return found


def _result(future: "Future[Any]", timeout_s: float) -> Any:
    try:
        return future.result(timeout_s)
    except KafkaException as error:
        refused = error.args[0]
        step = "; this user needs more rights, docs/operations.md lists them" if refused.code() in FORBIDDEN else ""
        raise KafkaClientError(f"the cluster refused: {refused.str().rstrip('.')}{step}") from error
    except TimeoutError as error:
        raise _no_answer(timeout_s) from error


def _no_answer(timeout_s: float) -> KafkaClientError:
    return KafkaClientError(f"the cluster did not answer within {timeout_s:g} s; look whether the broker has too much to do")


def _is_passing(error: KafkaClientError) -> bool:
    """Whether the cluster's answer is one that the same request may not get again."""
    cause = error.__cause__
    return isinstance(cause, KafkaException) and cause.args[0].code() in PASSING_ERRORS
