"""Consume, process, produce: exactly once, with state, on Kafka's transactions.

Guarantees: what a logic (`PartitionLogic`) makes of a record - state changes, outputs - and the record's offset become visible in one transaction
or not at all, over crashes, rebalances and zombies. The poll loop only polls: every assigned partition works, restores and commits in a thread of
its own, so nothing a partition does delays another or the group's heartbeat. Knows no events and no topics but the two it is given.

State lives in a compacted changelog topic with as many partitions as the source; partition n of the one belongs to partition n of the other.
"""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from streams.kafka.clients import close_within, reader_config, static_member_id
from streams.kafka.errors import ProcessorError
from streams.kafka.fetching import resume_at_once
from streams.kafka.holding import HeldPartitions
from streams.kafka.lifecycle import Joining, Stage
from streams.kafka.logic import LogicFactory, Poison
from streams.kafka.partition import PartitionCounts, PartitionSetup, PartitionTask
from streams.kafka.processor_options import ProcessorOptions
from streams.kafka.records import record_from_message

_log = logging.getLogger(__name__)

_POLL_S = 0.05
"""Longest wait for a record before pauses, resumes and restored partitions are looked after."""
_DRAIN_MESSAGES = 1_000
"""Taken from the client's queue between two such looks."""
_REVOKE_TIMEOUT_S = 5.0
"""For committing what is open when a partition moves: far above a commit, below the session timeout."""
_CLOSE_S = 1.0
"""For leaving the group at least, also where partitions took all the time there was."""
_REJOIN_PAUSE_S = 0.5
_SEEK_PATIENCE_S = 30.0


class Processor:
    """Runs one logic for each partition that the group gives to this member. `run` is called once, by the thread that owns it."""

    def __init__(self, options: ProcessorOptions, factory: LogicFactory, poison: Poison) -> None:
        """Nothing is connected before `run`."""
        self._options = options
        self._static_id = options.static_id or static_member_id(options.application)  # one for all memberships
        self._factory = factory
        self._poison = poison
        self._held = HeldPartitions(options.source)
        self._paused: set[int] = set()
        self._contact_lost = False
        self._seek_failing_since: float | None = None
        self._consumer: Consumer | None = None
        self._setup: PartitionSetup | None = None
        # Asked for by the poll loop alone: called from two threads at once beside a poll, the client library's calls hang (2.16.1).
        self._group_metadata: Any = None

    def run(self, stop: Callable[[], bool], *, stop_timeout_s: float = 10.0) -> None:
        """Processes until `stop()` is true (asked at least 20 times a second), then commits what is open and leaves, within `stop_timeout_s`.

        Raises ProcessorError if a partition cannot go on; what is committed is whole then, and a new start continues from it.
        """
        self._check_topics()
        try:
            while not stop():
                self._run_membership(stop, stop_timeout_s)
        finally:
            self._leave(stop_timeout_s)

    def counts(self) -> PartitionCounts:
        """What became of all records since the start, of all partitions together."""
        return self._held.counts()

    def stages(self) -> dict[int, Stage]:
        """The assigned partitions and where each stands."""
        return {partition: task.handover.stage for partition, task in list(self._held.tasks.items())}

    def _check_topics(self) -> None:
        """Raises ProcessorError unless source and changelog exist with the same number of partitions."""
        reader = Consumer(reader_config(self._options.bootstrap_servers, self._options.application, self._options.security))
        try:
            topics = reader.list_topics(timeout=30.0).topics
        except KafkaException as error:
            raise ProcessorError(f"no broker at {self._options.bootstrap_servers} ({error.args[0].str()}); check the address") from error
        finally:
            reader.close()
        counts = [len(topics[name].partitions) if name in topics else 0 for name in (self._options.source, self._options.changelog)]
        if counts[0] != counts[1] or not counts[0]:
            raise ProcessorError(
                f"{self._options.source} has {counts[0]} partitions and its changelog {self._options.changelog} has {counts[1]}; "
                "they must exist and be equal: create the topics before starting the processor"
            )

    def _run_membership(self, stop: Callable[[], bool], stop_timeout_s: float) -> None:
        """One membership of the group: until the stop, or until it is of no more use."""
        self._join()
        joining = Joining(time.monotonic())
        assert self._consumer is not None
        assert self._setup is not None
        while not stop():
            self._poll(self._consumer)
            self._look_after_partitions(self._consumer)
            failed = next((task for task in self._held.tasks.values() if task.failure is not None), None)
            if failed is not None:
                error = failed.failure
                if isinstance(error, ProcessorError):
                    raise error
                raise ProcessorError(f"{self._options.source}, partition {failed.partition}: {type(error).__name__}: {error}; report it") from error
            now_s = time.monotonic()
            renewed = self._held.renew(self._setup, now_s)
            is_overdue = joining.is_overdue(now_s, heard=bool(self._held.tasks or self._consumer.memberid()))
            if renewed is None or is_overdue:
                why = "the group does not answer" if is_overdue else "writers are refused again and again"
                _log.warning("%s: %s; joining the group again", self._options.source, why)
                self._leave(stop_timeout_s)
                time.sleep(_REJOIN_PAUSE_S)  # not in a poll loop: there is no member now
                return
            self._pause(self._consumer, renewed)

    def _join(self) -> None:
        options = self._options
        consumer = Consumer({**options.member_config(self._static_id), "error_cb": self._on_client_error})
        self._consumer = consumer
        self._setup = PartitionSetup(
            group_id=options.application,
            source=options.source,
            changelog=options.changelog,
            factory=self._factory,
            poison=self._poison,
            policy=options.policy,
            max_message_bytes=options.max_message_bytes,
            writer_config=options.writer_config,
            reader_config=options.restore_config(),
            group_metadata=lambda: self._group_metadata,
        )
        consumer.subscribe([options.source], on_assign=self._on_assign, on_revoke=self._on_revoke, on_lost=self._on_lost)

    def _leave(self, timeout_s: float) -> None:
        """Ends all partitions and the membership; one deadline for all."""
        consumer, self._consumer = self._consumer, None
        if consumer is None:
            return
        deadline = time.monotonic() + timeout_s
        self._end(list(self._held.tasks), timeout_s, Stage.STOPPING)
        close_within(consumer, max(_CLOSE_S, deadline - time.monotonic()), keeps_its_place=bool(self._options.static_id))

    # -- the poll loop

    def _poll(self, consumer: Consumer) -> None:
        """Hands what the client has to the partitions; waits for the first record only."""
        try:
            message = consumer.poll(_POLL_S)
            for _ in range(_DRAIN_MESSAGES):
                if message is None:
                    return
                self._dispatch(message)
                message = consumer.poll(0)
            if message is not None:
                self._dispatch(message)
        except KafkaException as error:
            self._on_consumer_error(error.args[0])

    def _dispatch(self, message: Message) -> None:
        error = message.error()
        if error is None:
            task = self._held.tasks.get(message.partition() or 0)
            if task is not None:
                task.handover.offer(record_from_message(message))
        elif error.code() == KafkaError._PARTITION_EOF:
            task = self._held.tasks.get(message.partition() or 0)
            if task is not None:
                task.handover.end_reached()
        else:
            self._on_consumer_error(error)

    def _on_consumer_error(self, error: KafkaError) -> None:
        """Errors that the library retries are told; a fatal one ends the processor."""
        if error.fatal():
            raise ProcessorError(
                f"{self._options.application} cannot go on as a member of its group: {error.str()}; "
                "is another process running under the same static id?"
            )
        _log.warning("%s: %s (%s)", self._options.source, error.str(), error.name())

    def _look_after_partitions(self, consumer: Consumer) -> None:
        """Resumes what is restored, pauses what is full, and after an outage asks again where the ends are."""
        self._group_metadata = consumer.consumer_group_metadata()
        contact_lost, self._contact_lost = self._contact_lost, False
        for partition, task in self._held.tasks.items():
            if task.handover.stage is Stage.RESTORED:
                if self._seek(consumer, task):
                    task.handover.move(Stage.RUNNING)
            elif contact_lost and task.handover.stage is Stage.RUNNING:
                task.handover.contact_lost()
                self._contact_lost |= not self._seek(consumer, task)  # a seek makes the client report the end again
            if partition in self._paused:
                if task.handover.wants_more:
                    resume_at_once(consumer, [TopicPartition(self._options.source, partition)])
                    self._paused.discard(partition)
            elif task.handover.wants_pause:
                self._pause(consumer, [partition])

    def _pause(self, consumer: Consumer, partitions: Sequence[int]) -> None:
        """Stops the source of partitions; those that are paused stay so."""
        if partitions:
            consumer.pause([TopicPartition(self._options.source, partition) for partition in partitions])
            self._paused.update(partitions)

    def _seek(self, consumer: Consumer, task: PartitionTask) -> bool:
        """Whether the source stands at the partition's offset; the client refuses while it is still setting a new assignment up."""
        try:
            consumer.seek(TopicPartition(self._options.source, task.partition, task.handover.expected))
        except KafkaException as error:
            now_s = time.monotonic()
            self._seek_failing_since = self._seek_failing_since or now_s
            if now_s - self._seek_failing_since > _SEEK_PATIENCE_S:
                raise ProcessorError(f"{self._options.source}, partition {task.partition}: seek is refused ({error.args[0].str()})") from error
            return False
        self._seek_failing_since = None
        return True

    # -- called by the client from within poll and close

    def _is_gone(self, consumer: Consumer) -> bool:
        """Whether a consumer is one whose close was not waited for: the next membership may have partitions of the same numbers."""
        return consumer is not self._consumer

    def _on_assign(self, consumer: Consumer, partitions: Sequence[TopicPartition]) -> None:
        if self._is_gone(consumer):
            return
        # From an offset of our own choice, and paused: the client must not ask for the committed one before zombies are fenced.
        consumer.incremental_assign([TopicPartition(place.topic, place.partition, 0) for place in partitions])
        self._pause(consumer, [place.partition for place in partitions])
        self._group_metadata = consumer.consumer_group_metadata()
        assert self._setup is not None
        for place in partitions:
            self._held.begin(place.partition, self._setup)
        _log.info("%s: assigned partitions %s", self._options.source, sorted(place.partition for place in partitions))

    def _on_revoke(self, consumer: Consumer, partitions: Sequence[TopicPartition]) -> None:
        _log.info("%s: partitions %s are revoked", self._options.source, sorted(place.partition for place in partitions))
        if not self._is_gone(consumer):
            self._end([place.partition for place in partitions], _REVOKE_TIMEOUT_S, Stage.STOPPING)
        consumer.incremental_unassign(list(partitions))

    def _on_lost(self, consumer: Consumer, partitions: Sequence[TopicPartition]) -> None:
        _log.warning("%s: partitions %s were taken away", self._options.source, sorted(place.partition for place in partitions))
        if not self._is_gone(consumer):
            # Not waited for: none of them may commit any more, and the sooner this returns, the sooner the group has us again.
            self._end([place.partition for place in partitions], 0.0, Stage.LOST)
        consumer.incremental_unassign(list(partitions))

    def _on_client_error(self, error: KafkaError) -> None:
        _log.warning("%s: %s (%s)", self._options.source, error.str(), error.name())
        if error.code() in (KafkaError._ALL_BROKERS_DOWN, KafkaError._TRANSPORT):
            self._contact_lost = True

    def _end(self, partitions: Sequence[int], timeout_s: float, by: Stage) -> None:
        """Ends partitions within one deadline; see `HeldPartitions.end`."""
        self._paused.difference_update(partitions)
        self._held.end(partitions, timeout_s, by)
