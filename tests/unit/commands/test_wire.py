"""Events on the log: Confluent's frame outside, our own inside, in both directions and for every event."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import codec, events, writers
from schemas.blobs import BlobStore
from schemas.events import DocumentCancelled
from streams import topics, wire
from streams.kafka import encoding
from streams.kafka.errors import RegistryError
from streams.kafka.registry import SchemaRegistry
from streams.settings import Settings
from tests.unit.kafka.scripted_registry import ScriptedRegistry, running_registry
from tests.unit.schemas.test_codec import values
from tests.unit.schemas.test_writers import RANGE, written

CANCELLED = codec.encode(DocumentCancelled(document_id="d", requested_ms=5))


@pytest.fixture
def registry() -> Iterator[ScriptedRegistry]:
    with running_registry() as running:
        yield running
    encoding.use(None)
    writers.look_up_with(None)
    writers._learned.clear()


def spoken(registry: ScriptedRegistry, folder: Path) -> wire.RegistryEncoding:
    return wire.RegistryEncoding(SchemaRegistry(registry.url, patience_s=0.05), BlobStore(folder.as_uri()))


def test_every_event_of_every_topic_comes_back(registry: ScriptedRegistry, tmp_path: Path) -> None:
    ours, theirs = spoken(registry, tmp_path), spoken(registry, tmp_path)
    for topic in topics.TOPICS:
        for name in topic.events if topic is not topics.CHANGELOG else ():
            value = writers.header_of_event(name) + b"body"
            framed = ours.outgoing(topic.name, value)
            schema_id = int.from_bytes(framed[1:5], "big")
            assert (framed[0], framed[5:]) == (0, b"body")
            assert json.loads(registry.schemas[schema_id - 1])["name"] == name
            assert ours.incoming(topic.name, framed) == theirs.incoming(topic.name, framed) == value
            assert ours.incoming(topic.name, value) == value, "the other encoding is read as well"
    assert registry.subjects.keys() == {
        wire.subject_of(topic.name, name) for topic in topics.TOPICS if topic is not topics.CHANGELOG for name in topic.events
    }


def test_subjects_are_named_by_topic() -> None:
    assert wire.subject_of("documents.parsed", "DocumentParsed") == "documents.parsed-value"
    assert wire.subject_of("pages.events", "PageFailed") == "pages.events-pageloom.PageFailed"


def test_once_registered_nothing_is_asked(registry: ScriptedRegistry, tmp_path: Path) -> None:
    ours = spoken(registry, tmp_path)
    ours.register_all()
    asked = len(registry.asked)
    for _ in range(3):
        ours.incoming("documents.control", ours.outgoing("documents.control", CANCELLED))
    assert len(registry.asked) == asked


def test_what_is_no_event_stays_as_it_is(registry: ScriptedRegistry, tmp_path: Path) -> None:
    ours = spoken(registry, tmp_path)
    registry.add('{"type": "record", "name": "Stranger", "namespace": "elsewhere", "fields": []}')
    for value in (b"", b"\0", b"\0\0\0\0", b"\0\0\0\0\1body", b"\0\0\0\0\x09body", b"\0" * 100, b"%PDF-1.7", b"{}"):
        assert ours.incoming("documents.ingest", value) == value
        assert ours.outgoing("documents.ingest", value) == value
    assert ours.outgoing(topics.CHANGELOG.name, CANCELLED) == CANCELLED


def test_an_id_that_is_no_schema_is_asked_for_once(registry: ScriptedRegistry, tmp_path: Path) -> None:
    ours = spoken(registry, tmp_path)
    for _ in range(3):
        ours.incoming("documents.ingest", b"\0\0\0\0\x09body")
    assert len(registry.asked) == 1


def test_ids_kept_are_bounded(registry: ScriptedRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MAX_IDS", 5)
    ours = spoken(registry, tmp_path)
    for number in range(20):
        ours.incoming("documents.ingest", b"\0" + number.to_bytes(4, "big") + b"body")
    assert len(ours._headers) <= 5


def test_a_newer_schema_of_the_registry_is_read_and_kept_for_child_processes(registry: ScriptedRegistry, tmp_path: Path) -> None:
    data, text = written("PageRangeReady", RANGE)
    framed = b"\0" + registry.add(text).to_bytes(4, "big") + data[10:]
    value = spoken(registry, tmp_path).incoming("pages.ready", framed)
    assert codec.decode(value, events.PageRangeReady) == RANGE
    writers._learned.clear()
    writers.look_up_with(BlobStore(tmp_path.as_uri()).find_schema)
    assert codec.decode(data, events.PageRangeReady) == RANGE


def test_a_registry_that_is_away_is_no_fault_of_the_record(registry: ScriptedRegistry, tmp_path: Path) -> None:
    registry.faults = [500] * 100
    with pytest.raises(RegistryError):
        spoken(registry, tmp_path).incoming("pages.ready", b"\0\0\0\0\1body")
    registry.faults = [409]
    with pytest.raises(RegistryError, match="compatibility"):
        spoken(registry, tmp_path).outgoing("documents.control", CANCELLED)


def test_a_worker_shares_its_schemas_and_a_process_without_registry_changes_nothing(tmp_path: Path) -> None:
    made = Settings(data_dir=str(tmp_path))
    wire.speak(made, writes=True)
    store = BlobStore(made.blob_store_url)
    for name in codec.event_names():
        assert store.find_schema(writers.header_of_event(name).hex()) == codec.schema_text(name)
    assert encoding.outgoing("documents.control", CANCELLED) == CANCELLED
    assert encoding.incoming("documents.control", None) is None
    writers.look_up_with(None)


def test_a_process_speaks_as_its_settings_say(registry: ScriptedRegistry, tmp_path: Path) -> None:
    made = Settings(data_dir=str(tmp_path), schema_registry_url=registry.url, schema_registry_auth="user:hidden")
    wire.speak(made, writes=True)
    framed = encoding.outgoing("documents.control", CANCELLED)
    assert framed is not None
    assert framed[:1] == b"\0"
    assert encoding.incoming("documents.control", framed) == CANCELLED
    assert "hidden" not in repr(made)


def test_a_store_that_is_away_does_not_keep_a_worker_from_starting(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("no folder")
    wire.speak(Settings(data_dir=str(tmp_path)), writes=True)
    writers.look_up_with(None)


def test_any_event_survives_the_frame(registry: ScriptedRegistry, tmp_path: Path) -> None:
    ours = spoken(registry, tmp_path)

    @settings(max_examples=10, deadline=None)
    @given(values(events.DocumentSubmitted))
    def check(event: msgspec.Struct) -> None:
        assert codec.decode(ours.incoming("documents.ingest", ours.outgoing("documents.ingest", codec.encode(event))), type(event)) == event

    check()


@given(st.binary(max_size=40))
def test_without_an_encoding_any_bytes_pass(value: bytes) -> None:
    assert encoding.incoming("t", value) == encoding.outgoing("t", value) == value
