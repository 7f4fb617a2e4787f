"""The agents `open` and `read` on a real Kafka, in a process of their own: what comes in ends as events, whatever happens to the worker."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from schemas import codec, events
from schemas.errors import Code
from schemas.events import DeadLettered, DocumentCancelled, DocumentDeleted, DocumentOpened, DocumentRejected, DocumentSubmitted, PageExtracted
from streams import app, local, topics
from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.errors import BrokerUnreachableError, TopicMismatchError
from streams.loading import environment_of
from streams.settings import Settings
from tests.unit.ingest import documents
from tests.waiting import wait_until

PASSWORD = "correct horse battery"
Headers = Sequence[tuple[str, bytes]]


class Worker:
    """A worker process of kinds `open` and `read`, its log kept."""

    def __init__(self, settings: Settings) -> None:
        self.log = settings.data_path / "worker.log"
        self._environment = {k: v for k, v in os.environ.items() if not k.startswith("PAGELOOM_")} | environment_of(settings)
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as output:
            command = [sys.executable, "-m", "streams.workers", "open", "read"]
            self.process = subprocess.Popen(command, env=self._environment, stdout=output, stderr=output)

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


class Log:
    """Everything on the topics that the worker writes to since this began, by topic and key."""

    def __init__(self, bootstrap_servers: str) -> None:
        self._consumer = Consumer({"bootstrap.servers": bootstrap_servers, "group.id": "unused", "enable.auto.commit": False})
        names = (topics.EVENTS.name, topics.DEAD_LETTERS.name)
        places = [(name, number) for name in names for number in self._consumer.list_topics(name, 10).topics[name].partitions]
        self._consumer.assign([TopicPartition(name, number, self._end(name, number)) for name, number in places])
        self.seen: dict[bytes | None, list[tuple[str, msgspec.Struct]]] = defaultdict(list)
        self.partitions: dict[bytes | None, set[int]] = defaultdict(set)

    def _end(self, name: str, number: int) -> int:
        found: list[int] = []

        def asked() -> bool:
            # A broker that has just started refuses at first.
            with contextlib.suppress(KafkaException):
                found.append(self._consumer.get_watermark_offsets(TopicPartition(name, number), 10)[1])
            return bool(found)

        wait_until(asked, 20, f"the end of {name}")
        return found[0]

    def look(self) -> None:
        message = self._consumer.poll(0.05)
        if message is not None and message.error() is None:
            name = codec.name_of(message.value()) or ""
            self.seen[message.key()].append((name, codec.decode(message.value(), getattr(events, name))))
            self.partitions[message.key()].add(message.partition())

    def of(self, key: bytes | None, name: str) -> list[msgspec.Struct]:
        return [event for kind, event in self.seen[key] if kind == name]

    def await_events(self, key: bytes | None, name: str, count: int = 1, timeout_s: float = 30.0) -> list[msgspec.Struct]:
        def there() -> bool:
            self.look()
            return len(self.of(key, name)) >= count

        wait_until(there, timeout_s, f"{count} {name} of {key!r}")
        return self.of(key, name)

    def close(self) -> None:
        self._consumer.close()


@pytest.fixture(scope="module")
def settings(kafka: EmbeddedKafka, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    made = Settings(
        bootstrap_servers=kafka.bootstrap_servers,
        data_dir=str(tmp_path_factory.mktemp("open")),
        session_timeout_s=6.0,
        read_processes=2,
        max_pages=50,
        open_timeout_s=20.0,
    )
    TopicAdmin(made.bootstrap_servers).ensure_topics(local.topic_specs(made))
    return made


@pytest.fixture(scope="module")
def worker(settings: Settings) -> Iterator[Worker]:
    running = Worker(settings)
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.fixture(scope="module")
def producer(settings: Settings) -> Producer:
    return Producer({"bootstrap.servers": settings.bootstrap_servers, "message.max.bytes": 16_000_000, "partitioner": "murmur2_random"})


@pytest.fixture
def log(settings: Settings, worker: Worker) -> Iterator[Log]:
    following = Log(settings.bootstrap_servers)
    yield following
    following.close()


def publish(producer: Producer, key: bytes | None, value: bytes | None, headers: Headers = (), topic: str = topics.INGEST.name) -> None:
    producer.produce(topic, key=key, value=value, headers=list(headers))
    assert producer.flush(20) == 0


def pages_of(found: list[msgspec.Struct]) -> set[int]:
    return {event.page for event in found if isinstance(event, PageExtracted)}


def test_raw_bytes_without_headers_are_opened_and_read(log: Log, producer: Producer) -> None:
    publish(producer, b"raw-1", documents.pdf(12))
    (opened,) = log.await_events(b"raw-1", "DocumentOpened")
    assert isinstance(opened, DocumentOpened)
    assert (opened.page_count, opened.submission.topic, opened.filename) == (12, "documents.ingest", "")
    pages = log.await_events(b"raw-1", "PageExtracted", 12)
    assert pages_of(pages) == set(range(1, 13))
    assert log.seen[b"raw-1"][0][0] == "DocumentOpened", "the announcement comes first"
    assert len(log.partitions[b"raw-1"]) == 1
    texts = {event.page: event.content for event in pages if isinstance(event, PageExtracted)}
    assert all("This is page" in content.blocks[0].text for content in texts.values() if content is not None)


def test_options_come_by_headers(log: Log, producer: Producer) -> None:
    headers = [("mode", b"disable_ocr"), ("pages", b"2-3"), ("filename", b"a.pdf"), ("metadata-source", b"test")]
    publish(producer, b"options-1", documents.pdf(9), headers)
    (opened,) = log.await_events(b"options-1", "DocumentOpened")
    assert isinstance(opened, DocumentOpened)
    assert (opened.pages, opened.filename, opened.metadata["source"], opened.options.mode.value) == ((2, 3), "a.pdf", "test", "disable_ocr")
    assert pages_of(log.await_events(b"options-1", "PageExtracted", 2)) == {2, 3}


def test_a_count_of_billions_is_that_of_the_pages_there(log: Log, producer: Producer) -> None:
    pages = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 2000000000>>", b"<</Type/Page/Parent 2 0 R>>"]
    publish(producer, b"bomb", documents.raw_pdf(pages))
    (opened,) = log.await_events(b"bomb", "DocumentOpened")
    assert isinstance(opened, DocumentOpened)
    assert opened.pages == (1,)


def circle() -> bytes:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>"
    return documents.raw_pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R 2 0 R]/Count 2>>", page])


@pytest.mark.parametrize(
    ("name", "value", "headers", "codes"),
    [
        ("empty", b"", [], {Code.EMPTY_FILE}),
        ("stub", b"../elsewhere/table.pdf", [("filename", b"table.pdf")], {Code.UNKNOWN_TYPE}),
        ("locked", documents.locked_pdf(user=PASSWORD), [], {Code.ENCRYPTED}),
        ("wrong", documents.locked_pdf(user=PASSWORD), [("password", b"no")], {Code.WRONG_PASSWORD}),
        ("corrupt", b"%PDF-1.7\n" + b"junk " * 99, [], {Code.CORRUPT, Code.NO_PAGES}),
        ("circle", circle(), [], {Code.CORRUPT}),
        ("long", documents.pdf(51), [], {Code.TOO_MANY_PAGES}),
        ("option", documents.pdf(), [("mode", b"quick")], {Code.INVALID_OPTIONS}),
        ("uri", codec.encode(DocumentSubmitted(uri="http://127.0.0.1/x.pdf")), [], {Code.URI_NOT_ALLOWED}),
    ],
)
def test_bad_input_is_rejected_and_the_next_document_goes_on(
    log: Log, producer: Producer, name: str, value: bytes, headers: Headers, codes: set[Code]
) -> None:
    key, after = f"bad-{name}".encode(), f"after-{name}".encode()
    publish(producer, key, value, headers)
    publish(producer, after, documents.pdf(1))
    (rejected,) = log.await_events(key, "DocumentRejected")
    assert isinstance(rejected, DocumentRejected)
    assert rejected.failure.code in codes
    assert pages_of(log.await_events(after, "PageExtracted")) == {1}


def test_a_password_opens_and_is_nowhere_after(log: Log, producer: Producer, settings: Settings, worker: Worker) -> None:
    publish(producer, b"unlock", documents.locked_pdf(user=PASSWORD), [("password", PASSWORD.encode())])
    assert pages_of(log.await_events(b"unlock", "PageExtracted", 2)) == {1, 2}
    damaged = codec.encode(DocumentSubmitted(content=documents.pdf(), password=PASSWORD))[:-9]
    publish(producer, b"damaged", damaged)
    log.await_events(b"damaged", "DocumentRejected")
    letters = [event for event in log.await_events(None, "DeadLettered") if isinstance(event, DeadLettered)]
    assert [letter.value for letter in letters if letter.key == b"damaged"] == [None]
    assert PASSWORD not in str(log.seen)
    assert PASSWORD not in worker.log.read_text()
    assert not [path for path in settings.data_path.rglob("*") if path.is_file() and PASSWORD.encode() in path.read_bytes()]


def test_avro_and_json_submissions(log: Log, producer: Producer) -> None:
    publish(producer, b"avro", codec.encode(DocumentSubmitted(content=documents.pdf(2), filename="b.pdf")))
    assert pages_of(log.await_events(b"avro", "PageExtracted", 2)) == {1, 2}
    as_json = msgspec.json.encode(DocumentSubmitted(content=documents.pdf(1)))
    publish(producer, b"json", as_json, [("content-type", b"application/vnd.pageloom.document-submitted+json")])
    assert pages_of(log.await_events(b"json", "PageExtracted")) == {1}


def test_deletion_and_cancellation_go_on(log: Log, producer: Producer) -> None:
    publish(producer, b"gone", None)
    (deleted,) = log.await_events(b"gone", "DocumentDeleted")
    assert isinstance(deleted, DocumentDeleted)
    cancelled = DocumentCancelled(document_id="cancel-me", requested_ms=5, reason="test")
    publish(producer, b"cancel-me", codec.encode(cancelled), topic=topics.CONTROL.name)
    assert log.await_events(b"cancel-me", "DocumentCancelled") == [cancelled]


@pytest.mark.parametrize("compression", ["gzip", "snappy", "lz4", "zstd"])
def test_producers_may_compress(log: Log, settings: Settings, compression: str) -> None:
    squeezing = Producer({"bootstrap.servers": settings.bootstrap_servers, "compression.type": compression})
    publish(squeezing, compression.encode(), documents.pdf(1))
    log.await_events(compression.encode(), "PageExtracted")


def test_an_aborted_transaction_is_never_seen(log: Log, settings: Settings, producer: Producer) -> None:
    unsure = Producer({"bootstrap.servers": settings.bootstrap_servers, "transactional.id": "unsure-user", "partitioner": "murmur2_random"})
    unsure.init_transactions(30)
    for key, keep in ((b"aborted", False), (b"committed", True)):
        unsure.begin_transaction()
        unsure.produce(topics.INGEST.name, key=key, value=documents.pdf(1))
        unsure.flush(20)
        (unsure.commit_transaction if keep else unsure.abort_transaction)(30)
    # A key of the same partition after it, so that the aborted record would have been seen before.
    publish(producer, b"aborted", documents.pdf(1), [("filename", b"after.pdf")])
    log.await_events(b"committed", "PageExtracted")
    (opened,) = log.await_events(b"aborted", "DocumentOpened")
    assert isinstance(opened, DocumentOpened)
    assert opened.filename == "after.pdf"


def publish_many(producer: Producer, stem: str, count: int) -> list[bytes]:
    keys = [f"{stem}-{n}".encode() for n in range(count)]
    for key in keys:
        producer.produce(topics.INGEST.name, key=key, value=documents.pdf(6))
    assert producer.flush(20) == 0
    return keys


def await_some(log: Log, keys: list[bytes]) -> None:
    def some_read() -> bool:
        log.look()
        return sum(bool(log.of(key, "PageExtracted")) for key in keys) >= 5

    wait_until(some_read, 30, "some documents are read")


def await_all(log: Log, keys: list[bytes]) -> None:
    def whole(key: bytes) -> bool:
        log.look()
        return bool(log.of(key, "DocumentOpened")) and pages_of(log.of(key, "PageExtracted")) == set(range(1, 7))

    for key in keys:
        wait_until(lambda key=key: whole(key), 60, f"all pages of {key!r}")  # type: ignore[misc]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_that_ends_in_the_middle_loses_nothing(log: Log, producer: Producer, worker: Worker, number: signal.Signals) -> None:
    keys = publish_many(producer, f"restart-{number.name}", 40)
    await_some(log, keys)
    assert worker.stop(number) == (0 if number == signal.SIGTERM else -signal.SIGKILL)
    worker.start()
    await_all(log, keys)


def test_a_second_worker_that_comes_and_goes_costs_nothing(log: Log, producer: Producer, worker: Worker, settings: Settings) -> None:
    keys = publish_many(producer, "rebalance", 40)
    await_some(log, keys)
    started = worker.log.read_text().count("worker.started")
    second = Worker(settings)  # writes to the same log
    wait_until(lambda: log.look() or second.log.read_text().count("worker.started") > started, 60, "the second worker has joined")
    keys += publish_many(producer, "rebalanced", 20)
    await_some(log, keys[40:])
    assert second.stop() == 0
    await_all(log, keys)


def test_topics_with_the_producers_time_are_refused(topic_admin: TopicAdmin, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "documents.ingest.wrong"
    topic_admin.ensure_topics([TopicSpec(name, 1, {"message.timestamp.type": "CreateTime"})])
    monkeypatch.setattr(app.topics, "INGEST", topics.Topic(name, "document id", (), "anyone", "open", log_append_time=True))
    with pytest.raises(TopicMismatchError, match="LogAppendTime"):
        app.check_topics(settings, ["open"], threading.Event())


def test_a_topic_that_is_missing_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "REACH_TIMEOUT_S", 0.5)
    monkeypatch.setattr(app.topics, "INGEST", topics.Topic("documents.nowhere", "document id", (), "anyone", "open"))
    with pytest.raises(TopicMismatchError, match=r"documents\.nowhere"):
        app.check_topics(settings, ["open"], threading.Event())


def test_a_worker_without_kafka_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "REACH_TIMEOUT_S", 1.0)
    nowhere = Settings(bootstrap_servers="127.0.0.1:9", data_dir=str(tmp_path))
    with pytest.raises(BrokerUnreachableError, match=r"127\.0\.0\.1:9"):
        app.run_open(nowhere, threading.Event())


def test_a_broker_that_goes_away_while_a_worker_starts_is_waited_for(
    tmp_path: Path, kafka_jars: list[Path], java: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The worker ended with a traceback of its client."""
    with EmbeddedKafka(tmp_path / "kafka", kafka_jars, java) as broker:
        settings = Settings(bootstrap_servers=broker.bootstrap_servers, data_dir=str(tmp_path), read_processes=1)
        TopicAdmin(settings.bootstrap_servers).ensure_topics(local.topic_specs(settings))
        monkeypatch.setattr(app, "check_topics", lambda *_: True)  # it was there a moment ago
        broker.stop()
        stop = threading.Event()
        worker = threading.Thread(target=app.run_open, args=(settings, stop))
        worker.start()
        wait_until(lambda: "Unable connect" in caplog.text, 30, "the worker has asked in vain")
        broker.start()
        seen = Log(settings.bootstrap_servers)
        publisher = Producer({"bootstrap.servers": settings.bootstrap_servers})
        publisher.produce(topics.INGEST.name, documents.pdf(1), b"late")
        assert publisher.flush(30) == 0
        wait_until(lambda: bool(seen.look() or seen.of(b"late", "DocumentOpened")), 60, "the document is opened")
        stop.set()
        worker.join()
