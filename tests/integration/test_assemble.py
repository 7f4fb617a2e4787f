"""Assembly on a real broker: page events in, exactly one finished document out, whatever happens to the worker."""

import os
import signal
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Iterable, Iterator

import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition
from msgspec.structs import replace

from schemas.codec import decode, encode
from schemas.document import FinishedPageStatus
from schemas.errors import Code
from schemas.events import DeadLettered, DocumentFailed, DocumentParsed, PageFailed
from streams import topics
from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import producer_config, reader_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.producing import Producing
from streams.kafka.records import OutputRecord, Record, record_from_message
from streams.loading import environment_of, load_settings
from streams.local import topic_specs
from streams.settings import Settings
from tests.unit.assemble.logged import Logged, deleted, extracted, opened, page_failed, recognized, submission
from tests.waiting import wait_until

OUTPUTS = (topics.PARSED, topics.FAILED, topics.PAGES_FAILED, topics.DEAD_LETTERS)


class Outputs:
    """Follows what assembly writes, committed records only."""

    def __init__(self, bootstrap: str) -> None:
        self.records: list[Record] = []
        self._reader = Consumer({**reader_config(bootstrap, "test"), "enable.partition.eof": False, "fetch.wait.max.ms": 10})
        places = [
            TopicPartition(topic.name, partition, OFFSET_BEGINNING)
            for topic in OUTPUTS
            for partition in self._reader.list_topics(topic.name, timeout=10).topics[topic.name].partitions
        ]
        self._reader.assign(places)

    def look(self, timeout_s: float = 0.05) -> None:
        message = self._reader.poll(timeout_s)
        while message is not None:
            self.records.append(record_from_message(message))
            message = self._reader.poll(0)

    def of(self, topic: topics.Topic, document_id: str | None = None) -> list[Record]:
        self.look()
        return [one for one in self.records if one.topic == topic.name and document_id in (None, (one.key or b"").decode())]

    def await_parsed(self, document_id: str, count: int = 1, timeout_s: float = 40.0) -> list[DocumentParsed | None]:
        wait_until(lambda: len(self.of(topics.PARSED, document_id)) >= count, timeout_s, f"{count} records of {document_id}")
        return [None if one.value is None else decode(one.value, DocumentParsed) for one in self.of(topics.PARSED, document_id)]

    def close(self) -> None:
        self._reader.close()


class Worker:
    """An assemble worker in a process of its own."""

    def __init__(self, settings: Settings) -> None:
        self._environment = {**os.environ, **environment_of(settings)}
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "streams.workers", "assemble"], env=self._environment)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(20)


@pytest.fixture(scope="module")
def assembling(kafka: EmbeddedKafka, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with their topics there. Deadlines are short; sessions as short as the broker allows."""
    settings = load_settings(
        {},
        bootstrap_servers=kafka.bootstrap_servers,
        data_dir=str(tmp_path_factory.mktemp("assemble")),
        session_timeout_s=6.0,
        no_progress_timeout_s=2.0,
    )
    TopicAdmin(settings.bootstrap_servers).ensure_topics(topic_specs(settings))
    return settings


@pytest.fixture(scope="module")
def worker(assembling: Settings) -> Iterator[Worker]:
    started = Worker(assembling)
    yield started
    assert started.stop() == 0


@pytest.fixture
def outputs(assembling: Settings) -> Iterator[Outputs]:
    following = Outputs(assembling.bootstrap_servers)
    yield following
    following.close()


@pytest.fixture
def producing(assembling: Settings) -> Iterator[Producing]:
    with Producing(producer_config(assembling.bootstrap_servers, "test", linger_ms=0)) as producer:
        yield producer


def publish(producing: Producing, document_id: str, events: Iterable[Logged]) -> None:
    for event in events:
        value = encode(replace(event, document_id=document_id))
        producing.produce(OutputRecord(topics.EVENTS.name, document_id.encode(), value))
    producing.flush(10.0)


def new_id() -> str:
    return f"document-{uuid.uuid4().hex[:8]}"


@pytest.mark.usefixtures("worker")
def test_events_in_any_order_give_one_document(outputs: Outputs, producing: Producing) -> None:
    document_id = new_id()
    events = [extracted(3), recognized(2), opened(1, (1, 2, 3, 4)), extracted(2, requested=True), page_failed(1), extracted(4, blank=True)]
    publish(producing, document_id, [*events[:-1], *events, *events])
    [document] = outputs.await_parsed(document_id)
    assert document is not None
    assert document.document is not None
    wanted = [FinishedPageStatus.FAILED, FinishedPageStatus.RECOGNIZED, FinishedPageStatus.EXTRACTED, FinishedPageStatus.BLANK]
    assert [page.status for page in document.document.pages] == wanted
    [failed] = outputs.of(topics.PAGES_FAILED, document_id)
    assert decode(failed.value or b"", PageFailed).page == 1
    publish(producing, document_id, [*events, *events])
    barrier = new_id()
    publish(producing, barrier, [opened(1), extracted(1)])
    outputs.await_parsed(barrier)
    assert len(outputs.of(topics.PARSED, document_id)) == 1


@pytest.mark.usefixtures("worker")
def test_a_newer_submission_and_a_deletion(outputs: Outputs, producing: Producing) -> None:
    document_id = new_id()
    publish(producing, document_id, [opened(1, (1, 2)), extracted(1), opened(2), extracted(1, number=2)])
    outputs.await_parsed(document_id)
    publish(producing, document_id, [deleted(4)])
    published = outputs.await_parsed(document_id, 2)
    assert published[0] is not None
    assert (published[0].submission, published[1]) == (submission(2), None)
    [failed] = outputs.of(topics.FAILED, document_id)
    assert decode(failed.value or b"", DocumentFailed).failure.code is Code.SUPERSEDED
    headers = [dict(one.headers) for one in outputs.of(topics.PARSED, document_id)]
    assert headers[1]["submission"] == submission(4).id.encode()
    assert int(headers[1]["revision"] or b"") > int(headers[0]["revision"] or b"")


@pytest.mark.usefixtures("worker")
def test_a_document_without_progress_ends_as_partial(outputs: Outputs, producing: Producing) -> None:
    document_id = new_id()
    publish(producing, document_id, [opened(1, (1, 2)), extracted(2)])
    [document] = outputs.await_parsed(document_id)
    assert document is not None
    assert document.status == "partial"
    [failed] = outputs.of(topics.PAGES_FAILED, document_id)
    event = decode(failed.value or b"", PageFailed)
    assert (event.page, event.failure.code) == (1, Code.NO_PROGRESS)


@pytest.mark.usefixtures("worker")
def test_what_is_no_event_becomes_a_dead_letter_and_the_next_goes_on(outputs: Outputs, producing: Producing) -> None:
    document_id = new_id()
    mark = uuid.uuid4().bytes
    producing.produce(OutputRecord(topics.EVENTS.name, document_id.encode(), mark))
    publish(producing, document_id, [opened(1), extracted(1)])
    outputs.await_parsed(document_id)
    letters = [decode(one.value or b"", DeadLettered) for one in outputs.of(topics.DEAD_LETTERS)]
    [letter] = [one for one in letters if one.value == mark]
    assert (letter.topic, letter.stage, letter.cause) == (topics.EVENTS.name, "assemble", "undecodable")


@pytest.mark.usefixtures("worker")
def test_a_document_that_is_too_large_for_its_event_comes_by_reference(assembling: Settings, outputs: Outputs, producing: Producing) -> None:
    document_id = new_id()
    text = "a sentence that is long enough to be counted " * 4_000
    publish(producing, document_id, [opened(1, range(1, 31)), *(extracted(page, text=text) for page in range(1, 31))])
    [document] = outputs.await_parsed(document_id)
    assert document is not None
    assert document.document is None
    assert document.document_reference is not None
    assert document.document_reference.size_bytes > assembling.inline_document_bytes


@pytest.mark.usefixtures("worker")
def test_latency_of_a_lone_document(outputs: Outputs, producing: Producing) -> None:
    took_s = []
    for _ in range(15):
        document_id = new_id()
        started = time.monotonic()
        publish(producing, document_id, [opened(1), extracted(1)])
        outputs.await_parsed(document_id)
        took_s.append(time.monotonic() - started)
    print(f"events on the log to document read: median {statistics.median(took_s) * 1000:.0f} ms, longest {max(took_s) * 1000:.0f} ms")
    assert statistics.median(took_s) < 1.0


def test_a_worker_killed_in_the_middle_publishes_every_document_once(worker: Worker, outputs: Outputs, producing: Producing) -> None:
    documents = [new_id() for _ in range(60)]
    for document_id in documents:
        publish(producing, document_id, [opened(1, (1, 2, 3)), extracted(1), extracted(2)])
    for index, document_id in enumerate(documents):
        publish(producing, document_id, [extracted(3)])
        if index == 30:
            wait_until(lambda: outputs.of(topics.PARSED, documents[0]), 40.0, "the first documents come out")
            worker.kill()
            worker.start()
    for document_id in documents:
        outputs.await_parsed(document_id)
    assert {document_id: len(outputs.of(topics.PARSED, document_id)) for document_id in documents} == dict.fromkeys(documents, 1)
    assert [one for one in outputs.of(topics.FAILED) if (one.key or b"").decode() in documents] == []
