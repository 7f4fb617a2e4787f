"""The pipeline with a schema registry: framed events, JSON for those without Avro, workers of another version, and poison on every topic."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas import codec, writers
from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.errors import Code, Stage, failure_of
from schemas.events import DeadLettered, DocumentCancelled, DocumentOptions, DocumentSubmitted, PageFailed, PageRangeReady
from schemas.identity import Submission
from streams import local, topics, wire
from streams.index.tantivy_index import TantivyReader
from streams.kafka import encoding
from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import producer_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.producing import Place, Producing
from streams.kafka.reading import RecordReader
from streams.kafka.records import OutputRecord, Record
from streams.loading import load_settings
from streams.settings import Settings
from tests.unit.ingest import documents
from tests.unit.kafka.scripted_registry import ScriptedRegistry, running_registry
from tests.unit.schemas.test_writers import written
from tests.waiting import wait_until

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=2**40, appended_ms=1)


class Fleet:
    """All workers on a broker of their own, and what lies on its log, as it lies there."""

    def __init__(self, settings: Settings, registry: ScriptedRegistry, workers: local.LocalWorkers) -> None:
        self.settings, self.registry, self.workers = settings, registry, workers
        self.producing = Producing(producer_config(settings.bootstrap_servers, "tests"))
        self._reader = RecordReader(settings.bootstrap_servers, "tests", max_message_bytes=settings.max_message_bytes)

    def send(self, topic: str, key: bytes | None, value: bytes | None, headers: tuple[tuple[str, bytes | None], ...] = ()) -> Place:
        return self.producing.send(OutputRecord(topic, key, value, headers))

    def records(self, topic: str, key: bytes | None = None) -> list[Record]:
        self.workers.watch()
        return [record for record in self._reader.since([topic], 0) if key is None or record.key == key]

    def await_records(self, topic: str, key: bytes, count: int = 1) -> list[Record]:
        def enough() -> list[Record]:
            found = self.records(topic, key)
            return found if len(found) >= count else []

        return wait_until(enough, 90, f"{count} records of {key!r} on {topic}")

    def letters(self) -> list[DeadLettered]:
        return [codec.decode(self.plain(record), DeadLettered) for record in self.records(topics.DEAD_LETTERS.name)]

    def plain(self, record: Record) -> bytes:
        """A framed value with its own header again, as any reader with the registry has it."""
        value = record.value or b""
        assert value[:1] == b"\0", f"a value on {record.topic} is not framed"
        header = writers.learn(self.registry.schemas[int.from_bytes(value[1:5], "big") - 1])
        assert header is not None
        return header + value[5:]


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory, kafka_jars: list[Path], java: Path) -> Iterator[Fleet]:
    folder = tmp_path_factory.mktemp("wire")
    with EmbeddedKafka(folder / "kafka", kafka_jars, java) as broker, running_registry() as registry:
        settings = load_settings(
            {}, bootstrap_servers=broker.bootstrap_servers, data_dir=str(folder), session_timeout_s=6.0, read_processes=1, engine_processes=1,
            partitions=2, engine="tesseract", engine_fallback="", schema_registry_url=registry.url, parsed_encoding="json",
        )  # fmt: skip
        TopicAdmin(settings.bootstrap_servers).ensure_topics(local.topic_specs(settings))
        with local.LocalWorkers(settings, broker=broker) as workers:
            yield Fleet(settings, registry, workers)
    writers._learned.clear()


def test_every_event_is_framed_and_the_finished_document_is_json(fleet: Fleet) -> None:
    fleet.send(topics.INGEST.name, b"framed", documents.pdf(2), (("filename", b"a.pdf"),))
    (record,) = fleet.await_records(topics.PARSED.name, b"framed")
    parsed = json.loads(record.value or b"")
    assert (parsed["document_id"], parsed["status"]) == ("framed", "complete")
    assert [page["number"] for page in parsed["document"]["pages"]] == [1, 2]
    events = [codec.name_of(fleet.plain(one)) for one in fleet.records(topics.EVENTS.name, b"framed")]
    assert Counter(events) == {"DocumentOpened": 1, "PageExtracted": 2}
    assert {"documents.ingest-value", "pages.events-pageloom.PageExtracted", "documents.parsed-value"} <= fleet.registry.subjects.keys()


def test_the_index_reads_json(fleet: Fleet) -> None:
    fleet.send(topics.INGEST.name, b"searched", documents.docx())

    def hits() -> list[str]:
        fleet.workers.watch()
        if not (fleet.settings.index_path / "meta.json").is_file():
            return []
        return [hit.document_id for hit in TantivyReader(fleet.settings.index_path).search("paragraph", 5).hits]

    assert "searched" in wait_until(hits, 60, "the document is found")


def test_a_submission_may_come_in_either_encoding(fleet: Fleet) -> None:
    event = codec.encode(DocumentSubmitted(content=documents.pdf(1), filename="b.pdf"))
    framed = wire.RegistryEncoding(
        wire.SchemaRegistry(fleet.registry.url), BlobStore(fleet.settings.blob_store_url)
    ).outgoing(topics.INGEST.name, event)  # fmt: skip
    assert framed[:1] == b"\0"
    fleet.send(topics.INGEST.name, b"with-fingerprint", event)
    fleet.send(topics.INGEST.name, b"with-id", framed)
    for key in (b"with-fingerprint", b"with-id"):
        (record,) = fleet.await_records(topics.PARSED.name, key)
        assert json.loads(record.value or b"")["filename"] == "b.pdf"


def test_our_own_clients_read_the_same_log(fleet: Fleet) -> None:
    wire.speak(fleet.settings, writes=False)
    try:
        opened = [codec.name_of(record.value or b"") for record in fleet.records(topics.EVENTS.name, b"framed")]
    finally:
        encoding.use(None)
        writers.look_up_with(None)
    assert Counter(opened) == {"DocumentOpened": 1, "PageExtracted": 2}


def test_old_workers_take_what_new_ones_write(fleet: Fleet) -> None:
    """A fleet in the middle of an upgrade: ranges of the next version's open workers, one behind an id, one behind a fingerprint."""
    store = BlobStore(fleet.settings.blob_store_url)
    for name, framed in (("new-by-id", True), ("new-by-fingerprint", False)):
        unit = ready(name, store.put_shared(documents.pdf(3)))
        data, text = written("PageRangeReady", unit)
        store.put_schema(data[:10].hex(), text)
        value = b"\0" + fleet.registry.add(text).to_bytes(4, "big") + data[10:] if framed else data
        fleet.send(topics.RANGES.name, name.encode(), value)
        pages = fleet.await_records(topics.EVENTS.name, name.encode(), 3)
        assert {codec.name_of(fleet.plain(one)) for one in pages} == {"PageExtracted"}


def ready(name: str, document: BlobReference) -> PageRangeReady:
    return PageRangeReady(
        document_id=name, submission=SUBMISSION, document=document, filename="a.pdf", media_type="application/pdf", page_count=3,
        first_page=1, last_page=3, options=DocumentOptions(),
    )  # fmt: skip


def poison(right: bytes, wrong: bytes) -> dict[str, bytes]:
    """What must never be on a topic, by what is wrong with it. `right`: an event that belongs there, `wrong`: one that does not."""
    return {
        "undecodable": os.urandom(30).replace(b"\0", b"\1") + b"no event",
        "unknown schema": codec.MARKER + b"\xff" * 8 + right[10:],
        "unknown id": b"\0\0\x7f\xff\xff" + right[10:],
        "truncated": right[:-3],
        "too long": right + b"more",
        "wrong type": wrong,
        "empty": b"",
    }


def test_poison_on_every_topic_costs_one_dead_letter_each(fleet: Fleet) -> None:
    blob = BlobReference(name="shared/00/00", size_bytes=1, sha256="00")
    cancelled = codec.encode(DocumentCancelled(document_id="d", requested_ms=1))
    submitted = codec.encode(DocumentSubmitted(content=b"x", password="hidden"))
    failed = PageFailed(document_id="d", submission=SUBMISSION, page=1, failure=failure_of(Code.CORRUPT, Stage.READ, "made up"))
    right = {
        topics.CONTROL: cancelled, topics.RANGES: codec.encode(ready("d", blob)), topics.RANGES_EXPRESS: codec.encode(ready("d", blob)),
        topics.WINDOWS: codec.encode(failed), topics.WINDOWS_EXPRESS: codec.encode(failed), topics.EVENTS: codec.encode(failed),
        topics.PARSED: codec.encode(failed),
    }  # fmt: skip
    sent: dict[tuple[str, int, int], str] = {}
    for topic, event in right.items():
        for fault, value in poison(event, submitted).items():
            place = fleet.send(topic.name, b"poisoned", value)
            sent[place.topic, place.partition, place.offset] = fault
    # On the ingest topic all but a damaged event is a file.
    for fault, value in (("truncated", submitted[:-3]), ("too long", submitted + b"more")):
        place = fleet.send(topics.INGEST.name, b"poisoned", value)
        sent[place.topic, place.partition, place.offset] = fault

    def all_there() -> bool:
        return {(one.topic, one.partition, one.offset) for one in fleet.letters()} >= sent.keys()

    wait_until(all_there, 90, "a dead letter for each")
    fleet.send(topics.INGEST.name, b"after-poison", documents.pdf(1))
    fleet.await_records(topics.PARSED.name, b"after-poison")
    letters = fleet.letters()
    counted = Counter((one.topic, one.partition, one.offset) for one in letters)
    assert counted == dict.fromkeys(sent, 1)
    assert {one.cause for one in letters} == {"undecodable"}
    assert all(one.value is None for one in letters if one.topic == topics.INGEST.name), "it may hold a password"
    assert not [one for one in letters if "hidden" in one.message]
