"""The infer worker: windows in, their answers out. `sources` and `control` speak Kafka as well, nothing else here does.

Guarantees: the poll loop never waits for an engine or the blob store; offsets are committed only after the answers that they stand for were
acknowledged, the lowest unfinished of each partition; a full queue pauses partitions (express ones last) and drops nothing; a record that is
no request costs one dead letter. At least once: after a kill, some windows are answered twice, and what was being read is known to its next reader.
"""

import math
import threading
import time
from collections.abc import Callable
from pathlib import Path

import structlog
from confluent_kafka import KafkaError, KafkaException, Message, Producer

from inference.cache import RecognitionCache
from inference.config import InferConfig
from inference.control import CancellationReader
from inference.desk import Desk, Incoming, InferCounts, Outgoing
from inference.engines.running import capacity_of, engine_maker, lanes_for, resolved
from inference.journal import AttemptJournal
from inference.lanes import Lanes
from inference.observing import Nobody, Observer
from inference.offsets import Partition
from inference.reading import Reader, UnitReader
from inference.scheduler import Budget
from inference.sources import Sources
from inference.types import EngineSpec
from inference.windows import Position
from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError

IDLE_POLL_S = 0.05
"""How long an idle loop waits for a record of any topic: also how soon it sees that it is to stop."""
BUSY_POLL_S = 0.02
"""How long a finished page may wait to be written while the loop waits for new records: nothing beside reading it."""
COMMIT_INTERVAL_S = 0.5
"""What a kill makes us read again is also in the cache, so commits need not be more frequent."""
REVOKE_FLUSH_S = 3.0
"""On a rebalance: how long answers on their way are waited for, so that the next owner does not repeat them."""


log = structlog.get_logger(__name__)


def run_consumer(config: InferConfig, stop: threading.Event, counts: InferCounts | None = None, observer: Observer | None = None) -> None:
    """Answers windows until `stop` is set, then finishes what is being read within `stop_timeout_s`.

    Raises PageloomError for an engine that is unknown or cannot be started, KafkaException when a client gives up for good.
    """
    _check_engines(config)
    spec = resolved(config.engines[config.engine])
    capacity = capacity_of(spec, config)
    lanes = _lanes(spec, capacity, config, stop)
    budget = Budget(min(config.batch_pages, spec.capabilities.batch_pages), config.batch_pixels, config.batch_wait_s)
    journal = AttemptJournal(Path(config.journal_dir)) if config.journal_dir else None
    desk = Desk(
        spec,
        lanes,
        budget,
        window_queue=config.window_queue,
        max_message_bytes=config.max_message_bytes,
        counts=counts or InferCounts(),
        journal=journal,
    )
    worker: _Worker | None = None
    try:
        worker = _Worker(config, desk, journal, observer or Nobody(), stop.is_set)
        log.info("infer.started", engine=spec.name, version=spec.version(), topics=config.topics)
        while not stop.is_set():
            lanes.limit = lanes_for(spec, capacity, worker.workers)
            worker.turn()
        worker.finish(time.monotonic() + config.stop_timeout_s)
        log.info("infer.stopped", **vars(desk.counts))
        _close(journal)
    except (PageloomError, KafkaException):
        _close(journal)  # an engine that does not start, a client that gave up: no page's fault; of anything else the journal stays as evidence
        raise
    finally:
        lanes.close()
        if worker is not None:
            worker.close()


def _lanes(spec: EngineSpec, capacity: int, config: InferConfig, stop: threading.Event) -> Lanes:
    """As many lanes as this worker may keep busy, all over one store and one cache."""
    store = BlobStore(config.blob_url)
    cache = RecognitionCache(store, spec.name, spec.version())

    def reader(engine: Reader) -> UnitReader:
        return UnitReader(store, cache, engine, config.inline_content_bytes, stop, keeps_figures=config.keeps_figures)

    return Lanes(lanes_for(spec, capacity), engine_maker(spec, config), reader)


def _check_engines(config: InferConfig) -> None:
    """Raises PageloomError for an engine that is unknown."""
    for name in filter(None, (config.engine, config.fallback)):
        if name not in config.engines:
            known = ", ".join(sorted(config.engines))
            raise PageloomError(Code.ENGINE_UNKNOWN, f"the settings name engine {name!r}; known are: {known}")


def _close(journal: AttemptJournal | None) -> None:
    if journal is not None:
        journal.close()


class _Worker:
    """The desk between its consumer and its producer."""

    def __init__(self, config: InferConfig, desk: Desk, journal: AttemptJournal | None, observer: Observer, stopped: Callable[[], bool]) -> None:
        self._config = config
        self._observer = observer
        self._journal = journal
        self._desk = desk
        self._producer = Producer(dict(config.producer_config))
        self._control = CancellationReader(config, stopped) if config.control_topic else None
        self._paused: set[Partition] = set()
        self._pending = 0
        self._failure: KafkaException | None = None
        self._committed_s = time.monotonic()
        self._assigned: set[Partition] = set()
        self._listen()  # to what was said before, ahead of the first window
        self._sources = Sources(config, stopped, on_assign=self._on_assign, on_revoke=self._on_revoke, on_lost=self._on_lost)

    @property
    def workers(self) -> float:
        """Among how many workers a shared engine is divided: by our part of the partitions, which makes the parts of all add up to the whole.

        The group's members are not asked for: the client library's request for them ends the process when a broker comes back (2.16.1).
        """
        return self._sources.partitions / len(self._assigned) if self._assigned else math.inf

    def turn(self) -> None:
        """One round: records in, engine, answers out, commit."""
        self._balance_load()
        occupied = self._desk.occupied
        wait_s = 0.0 if occupied else BUSY_POLL_S if self._desk.busy or self._pending else IDLE_POLL_S
        for message in self._sources.poll(wait_s):
            self._take(message)
        self._listen()
        if occupied:  # a lane that ends is what the next page waits for, no new record
            self._desk.wait(BUSY_POLL_S)
        self._desk.step(time.monotonic())
        self._write()
        self._commit(force=False)

    def finish(self, deadline_s: float) -> None:
        """Takes nothing more in; finishes what is being read, as far as the deadline allows."""
        self._desk.drop_waiting()
        self._pause(self._sources.assignment())
        engine_deadline_s = deadline_s - min(1.0, 0.2 * self._config.stop_timeout_s)
        while self._desk.reading and time.monotonic() < engine_deadline_s:
            for _ in self._sources.poll(BUSY_POLL_S):
                pass  # came before the pause: the next owner reads it
            self._desk.step(time.monotonic())
            self._write()
        self._write()
        self._producer.flush(max(0.0, deadline_s - time.monotonic()))
        self._commit(force=True)

    def close(self) -> None:
        """Leaves the groups."""
        try:
            self._sources.close()
        finally:
            if self._control is not None:
                self._control.close()

    def _take(self, message: Message) -> None:
        error = message.error()
        if error is not None:
            if error.fatal():
                raise KafkaException(error)
            if error.code() != KafkaError._PARTITION_EOF:
                log.warning("infer.fetch_error", error=error.str())
            return
        topic = str(message.topic())
        express = self._config.is_express(topic)
        value = self._config.incoming(topic, _bytes(message.value()))
        record = Incoming((topic, int(message.partition() or 0)), int(message.offset() or 0), _bytes(message.key()), value, express)
        self._observer.taken((record.partition, record.offset), record.key, tuple(message.headers() or ()), message.timestamp()[1])
        self._desk.take(record, time.monotonic())

    def _listen(self) -> None:
        """Cancellations, as they come."""
        if self._control is not None:
            for event in self._control.events():
                self._desk.cancel(event)

    def _write(self) -> None:
        """Hands answers to the producer and serves acknowledgements. Raises KafkaException for one that cannot be written at all."""
        for out in self._desk.outgoing():
            topic = self._config.dead_letter_topic if out.dead_letter else self._config.events_topic
            headers = list(self._observer.answered(out.position))
            while not self._produce(topic, out, headers):
                self._producer.poll(BUSY_POLL_S)
        self._producer.poll(0)
        if self._failure is not None:
            raise self._failure

    def _produce(self, topic: str, out: Outgoing, headers: list[tuple[str, bytes | None]]) -> bool:
        """False while the producer's queue is full."""
        try:
            value = self._config.outgoing(topic, out.value)
            self._producer.produce(topic, value, out.key, on_delivery=self._delivery(out.position), headers=headers)
        except BufferError:
            return False
        except KafkaException as error:
            if error.args[0].code() != KafkaError.MSG_SIZE_TOO_LARGE:
                raise
            self._desk.refused(out.position)
            return True
        self._pending += 1
        return True

    def _delivery(self, position: Position) -> Callable[[KafkaError | None, Message], None]:
        def delivered(error: KafkaError | None, _: Message) -> None:
            self._pending -= 1
            if error is None:
                self._desk.written(position)
            elif error.code() == KafkaError.MSG_SIZE_TOO_LARGE:
                self._desk.refused(position)
            else:
                self._failure = KafkaException(error)

        return delivered

    def _commit(self, *, force: bool) -> None:
        now = time.monotonic()
        if not force and now - self._committed_s < COMMIT_INTERVAL_S:
            return
        self._committed_s = now
        offsets = self._desk.committable()
        if not offsets:
            return
        self._desk.committed(self._sources.commit(offsets, wait=force))

    def _balance_load(self) -> None:
        """Pauses partitions while the queue is full, express ones later, and resumes them."""
        assigned = self._sources.assignment() if self._desk.full or self._paused else set()
        wanted = {p for p in assigned if (self._desk.overfull if self._config.is_express(p[0]) else self._desk.full)}
        self._paused &= assigned
        self._pause(wanted - self._paused)
        if resumed := self._paused - wanted:
            self._sources.resume(resumed)
            self._paused -= resumed

    def _pause(self, partitions: set[Partition]) -> None:
        if partitions:
            self._sources.pause(partitions)
            self._paused |= partitions

    def _on_assign(self, partitions: set[Partition]) -> None:
        """Partitions come from others; the client assigns them after this. One that died left word of what it was reading."""
        self._assigned |= partitions
        if self._journal is not None:
            self._journal.adopt()

    def _on_revoke(self, partitions: set[Partition]) -> None:
        """Partitions go to others: what is answered is committed first. Runs inside `poll`."""
        self._write()
        self._producer.flush(REVOKE_FLUSH_S)
        self._commit(force=True)
        self._on_lost(partitions)

    def _on_lost(self, partitions: set[Partition]) -> None:
        """Partitions are gone already: nothing of them may be committed."""
        self._desk.revoke(partitions)
        self._assigned -= partitions
        self._observer.forgotten(partitions)
        self._paused -= partitions


def _bytes(value: str | bytes | None) -> bytes | None:
    return value.encode() if isinstance(value, str) else value
