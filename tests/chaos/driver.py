"""A chaos run: documents are published without a pause while faults are drawn; then everything is healed, and what is under way comes to its end.

Three phases. Slow, where the plan wants it: one answer of the model that takes longer than a consumer may stay away from its group, while all else
goes on. Alone: each kind of fault by itself, and the time until all documents that were under way have ended. Storm: faults at random moments, over
each other. The driver judges nothing: it writes down what it did and saw (`Account`), and the verifier compares.
"""

import random
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from schemas import codec
from schemas.blobs import BlobStore
from schemas.events import DocumentCancelled, DocumentSubmitted
from streams import topics
from streams.kafka.clients import producer_config
from streams.kafka.errors import DeliveryError
from streams.kafka.feeding import RecordFeed
from streams.kafka.producing import Place, Producing
from streams.kafka.records import OutputRecord, Record
from tests.chaos.documents import MESSAGE_BYTES, make_document
from tests.chaos.faults import EXCLUSIVE, FAULTS, STORE_HURT, Begun, draw, names_for
from tests.chaos.world import SERVED, World

UNDER_WAY = 40
"""Documents at once: enough for all workers, and few enough that what is under way at a fault ends soon after it."""
CANCELLED_SHARE = 0.01
"""Of the documents: cancelled right after they were published; a document or a failure comes of them, never both."""
PATIENCE_S = 120.0
"""Without any document that ends, when nothing is disturbed any more: what is under way then is lost."""
START_PATIENCE_S = 180.0
SLOW_GRACE_S = 15.0
"""For the slow answer to be asked for, and to become a document."""
FEED_S = 0.02


class Plan(Struct, frozen=True, kw_only=True):
    """What a run is to do. It ends when both `documents` and `faults` are reached, or after `minutes` of disturbance."""

    seed: int
    documents: int
    faults: int
    minutes: float
    per_kind: int = 3
    alone: int = 1
    pause_s: float = 2.5
    """Between two faults of the storm, on average."""
    slow_s: float = 0.0
    """Of one answer of the model that is slower than all others; 0: none."""
    engine: str = SERVED
    """What recognizes: the model server, or an engine in processes of the workers."""
    scans: bool = False
    """Most documents have scans."""


class Disturbance(Struct, kw_only=True):
    """A fault as it was. Times are seconds since the epoch; `in_flight` are requests at the model when it began.

    `alone_s`: of a fault by itself, from its end until all documents that were under way at its beginning had ended; `next_s`: until the first
    document after it ended.
    """

    name: str
    detail: str
    began: float
    ended: float
    in_flight: int
    alone_s: float | None = None
    next_s: float | None = None


class Account(Struct, kw_only=True):
    """What a run did and saw."""

    plan: Plan
    bootstrap_servers: str
    model_url: str
    blob_url: str
    published: dict[str, str] = {}
    """Document id → its kind."""
    cancelled: list[str] = []
    poisoned: list[str] = []
    """The topics that got a record that is none."""
    disturbances: list[Disturbance] = []
    findings: list[str] = []
    """Processes that ended by themselves or badly."""
    unended: list[str] = []
    seconds: float = 0.0


class Run:
    """One run."""

    def __init__(self, world: World, plan: Plan) -> None:
        settings = world.settings
        self._world, self._plan = world, plan
        self._dice = random.Random(plan.seed)
        self._names = random.Random(f"{plan.seed}:faults")  # of its own, so that a seed names the same faults however fast the machine is
        self._faults = names_for(plan.engine)
        self._blobs = BlobStore(settings.blob_store_url)
        config = producer_config(settings.bootstrap_servers, "chaos", linger_ms=0, max_message_bytes=MESSAGE_BYTES)
        self._producing = Producing(config, max_message_bytes=MESSAGE_BYTES)
        self._feed = RecordFeed(
            settings.bootstrap_servers, "chaos", dict.fromkeys((topics.PARSED.name, topics.FAILED.name)), max_message_bytes=MESSAGE_BYTES
        )
        self._under_way: set[str] = set()
        self._number = 0
        self._ended = 0
        self._last_end = 0.0
        self._active: list[tuple[float, Begun, Disturbance]] = []
        self.account = Account(
            plan=plan, bootstrap_servers=settings.bootstrap_servers, model_url=settings.engine_url, blob_url=settings.blob_store_url
        )

    def go(self) -> Account:
        """The whole run."""
        started = time.monotonic()
        self._until_ended(10, START_PATIENCE_S)  # workers start, groups form
        self._slow()
        began = time.monotonic()
        self._alone(began)
        self._storm(began)
        self._heal_all()
        self._finish()
        self.account.seconds = time.monotonic() - started
        self.account.unended = sorted(self._under_way)
        self.account.findings = self._world.fleet.findings
        self._feed.close()
        return self.account

    def _time_left(self, began_s: float) -> bool:
        return time.monotonic() - began_s < 60 * self._plan.minutes

    def _slow(self) -> None:
        """One answer that takes long; everything else goes on meanwhile."""
        if not self._plan.slow_s:
            return
        began = time.time()
        self._world.model.order(slow=[self._plan.slow_s])
        ends_s = time.monotonic() + self._plan.slow_s + SLOW_GRACE_S
        while time.monotonic() < ends_s:
            self._turn()
        detail = f"1 answer in {self._plan.slow_s:g} s"
        self.account.disturbances.append(Disturbance(name="model-slow", detail=detail, began=began, ended=time.time(), in_flight=0))

    def _alone(self, began_s: float) -> None:
        """Every kind of fault by itself."""
        for name in [name for name in self._faults for _ in range(self._plan.alone)]:
            if not self._time_left(began_s):
                return
            found = self._begin(name)
            if found is None:
                continue
            waiting = set(self._under_way)
            while found in [disturbance for _, _, disturbance in self._active]:
                self._turn()
            while waiting & self._under_way and time.time() - found.ended < PATIENCE_S:
                self._turn()
            found.alone_s = round(max(0.0, self._last_end - found.ended), 2)
            self._until_ended(5, PATIENCE_S)

    def _storm(self, began_s: float) -> None:
        """Faults over each other, until there are enough of them and of documents."""
        next_s = time.monotonic()
        while self._time_left(began_s) and (self._wants_faults() or self._wants_documents()):
            self._turn()
            if self._wants_faults() and time.monotonic() >= next_s:
                self._begin(draw(self._names, self._faults))
                next_s = time.monotonic() + self._dice.expovariate(1 / self._plan.pause_s)

    def _wants_faults(self) -> bool:
        return len(self.account.disturbances) < self._plan.faults

    def _wants_documents(self) -> bool:
        return len(self.account.published) < self._plan.documents

    def _begin(self, name: str) -> Disturbance | None:
        """Begins a fault, unless one that excludes it goes on."""
        names = {begun.name for _, begun, _ in self._active}
        if any(name in group and names & group for group in EXCLUSIVE):
            return None
        in_flight = self._world.model.in_flight() or 0
        began = time.time()
        begun = FAULTS[name][1](self._world, self._dice)
        if begun is None:
            return None
        if begun.poisoned:
            self._produce(OutputRecord(begun.poisoned, b"noise", self._dice.randbytes(200)))
            self.account.poisoned.append(begun.poisoned)
        disturbance = Disturbance(name=name, detail=begun.detail, began=began, ended=time.time(), in_flight=in_flight)
        self.account.disturbances.append(disturbance)
        if begun.heal is not None:
            self._active.append((time.monotonic() + begun.lasts_s, begun, disturbance))
        print(
            f"{len(self.account.disturbances):4} {name:16} {begun.detail:24} {len(self.account.published)} published, {self._ended} ended", flush=True
        )
        return disturbance

    def _heal_all(self) -> None:
        while self._active:
            self._turn(publish=False)
        self._world.fleet.settle()

    def _finish(self) -> None:
        """What is under way ends, or is lost."""
        quiet_s = time.monotonic()
        while self._under_way and time.monotonic() - quiet_s < PATIENCE_S:
            ended = self._ended
            self._turn(publish=False)
            if self._ended > ended:
                quiet_s = time.monotonic()

    def _until_ended(self, count: int, patience_s: float) -> None:
        """Goes on until some more documents have ended. Raises AssertionError where nothing ends."""
        wanted, deadline = self._ended + count, time.monotonic() + patience_s
        while self._ended < wanted:
            if time.monotonic() > deadline:
                raise AssertionError(f"no {count} documents ended within {patience_s:g} s; the logs of the workers say more")
            self._turn()

    def _turn(self, *, publish: bool = True) -> None:
        """Documents in, their ends out, workers watched, faults that are over healed."""
        now_s = time.monotonic()
        for entry in [entry for entry in self._active if entry[0] <= now_s]:
            self._active.remove(entry)
            _, begun, disturbance = entry
            assert begun.heal is not None
            begun.heal()
            disturbance.ended = time.time()
        self._world.fleet.watch(now_s)
        if publish and len(self._under_way) < UNDER_WAY and not self._is_store_hurt():
            self._publish()
        self._take(self._feed.records(FEED_S if len(self._under_way) >= UNDER_WAY or not publish else 0.0))

    def _is_store_hurt(self) -> bool:
        """Whether the store cannot be written: a document larger than a message is put there by its producer."""
        return any(begun.name in STORE_HURT for _, begun, _ in self._active)

    def _take(self, records: Iterable[Record]) -> None:
        """Terminal records, each at the time at which the broker wrote it: what was written before a fault's end is no sign that output goes on."""
        for record in records:
            document_id = (record.key or b"").decode()
            if document_id not in self._under_way:
                continue
            self._under_way.discard(document_id)
            self._ended += 1
            self._last_end = written = record.timestamp_ms / 1000
            for disturbance in reversed(self.account.disturbances[-20:]):
                if disturbance.next_s is None and written >= disturbance.ended:
                    disturbance.next_s = round(written - disturbance.ended, 2)

    def _publish(self) -> None:
        """The next document; now and then it is cancelled at once."""
        made = make_document(self._plan.seed, self._number, scans=self._plan.scans)
        self._number += 1
        value = made.data
        if made.blob:
            value = codec.encode(DocumentSubmitted(document=self._blobs.put_shared(made.data), filename=made.filename))
        headers = (("filename", made.filename.encode()), ("formats", b"markdown,json"))
        self._produce(OutputRecord(topics.INGEST.name, made.document_id.encode(), value, () if made.blob else headers))
        self.account.published[made.document_id] = made.kind
        self._under_way.add(made.document_id)
        if self._dice.random() < CANCELLED_SHARE:
            event = DocumentCancelled(document_id=made.document_id, requested_ms=time.time_ns() // 1_000_000 + 1000, reason="chaos")
            self._produce(OutputRecord(topics.CONTROL.name, made.document_id.encode(), codec.encode(event)))
            self.account.cancelled.append(made.document_id)

    def _produce(self, record: OutputRecord) -> None:
        """Queues a record; one that is not written in the end is an error of the run."""
        self._producing.produce(record, self._written)

    @staticmethod
    def _written(result: Place | DeliveryError) -> None:
        if isinstance(result, DeliveryError):
            raise result


def write_account(account: Account, path: Path) -> None:
    """As JSON, for the verifier."""
    path.write_bytes(msgspec.json.encode(account))
