"""A document that is given up while the workers that have it are down: they come back, and nobody reads it any more."""

import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas import codec
from schemas.errors import Code
from schemas.events import DocumentCancelled, DocumentFailed
from streams import topics
from streams.kafka.clients import producer_config
from streams.kafka.feeding import RecordFeed
from streams.kafka.producing import Producing
from streams.kafka.reading import RecordReader
from streams.kafka.records import OutputRecord, Record
from tests.chaos.documents import KINDS, MESSAGE_BYTES
from tests.chaos.fleet import Standing
from tests.chaos.verifier import Verdict, look_at_state
from tests.chaos.world import World
from tests.integration.unread import unread_partitions
from tests.waiting import wait_until

HANG_S = 300.0
"""Of the model: longer than the test."""


class Bench:
    """A pipeline with one worker of each kind, and what came out of it."""

    def __init__(self, world: World) -> None:
        self.world = world
        servers = world.settings.bootstrap_servers
        self.producing = Producing(producer_config(servers, "test", linger_ms=0))
        self.feed = RecordFeed(servers, "test", dict.fromkeys((topics.PARSED.name, topics.FAILED.name)), max_message_bytes=MESSAGE_BYTES)
        self.ended: list[Record] = []

    def look(self) -> bool:
        self.world.fleet.watch(time.monotonic())
        self.ended += self.feed.records(0.05)
        return True

    def publish(self, document_id: str, kind: str) -> None:
        data = KINDS[kind][1](random.Random(document_id), 1)
        self.producing.send(OutputRecord(topics.INGEST.name, document_id.encode(), data))

    def endings(self, document_id: str) -> list[Record]:
        return [record for record in self.ended if record.key == document_id.encode()]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    world = World(tmp_path, per_kind=1, documents=0, recognize_timeout_s=HANG_S)
    try:
        yield Bench(world)
    finally:
        world.close()


@pytest.mark.timeout(300)
def test_a_document_cancelled_while_its_workers_are_down_costs_no_more_model_calls_and_ends_once(bench: Bench) -> None:
    world = bench.world
    world.model.order(hang_s=HANG_S)
    bench.publish("given up", "long-scan")
    wait_until(lambda: bench.look() and world.model.in_flight(), 90, "the model is asked")
    for instance in (*world.fleet.running("infer"), *world.fleet.running("assemble")):
        instance.send(signal.SIGKILL, Standing.ENDING)
        instance.process.wait()
    asked = world.model.begun()
    cancelled = DocumentCancelled(document_id="given up", requested_ms=time.time_ns() // 1_000_000 + 1, reason="nobody wants it")
    bench.producing.send(OutputRecord(topics.CONTROL.name, b"given up", codec.encode(cancelled)))
    wait_until(lambda: bench.look() and bench.endings("given up"), 90, "the document has ended")
    address = world.settings.bootstrap_servers
    wait_until(lambda: bench.look() and not unread_partitions(address, "pageloom-infer", (topics.WINDOWS.name,)), 90, "its windows are answered")
    assert world.model.begun() == asked, "the model was asked for a document that was given up"

    world.model.order(hang_s=0)
    bench.publish("wanted", "scan")
    wait_until(lambda: bench.look() and bench.endings("wanted"), 90, "the next document has ended")
    (ended,) = bench.endings("given up")
    assert ended.topic == topics.FAILED.name
    assert codec.decode(ended.value or b"", DocumentFailed).failure.code is Code.CANCELLED
    assert bench.endings("wanted")[0].topic == topics.PARSED.name
    verdict = Verdict()
    look_at_state(verdict, RecordReader(world.settings.bootstrap_servers, "test", max_message_bytes=MESSAGE_BYTES))
    assert verdict.states_left == []
