"""Schemas of other versions: old and new workers side by side, and schemas that would do harm."""

import io
import json
from collections.abc import Iterator
from typing import Any

import fastavro
import pytest
from hypothesis import assume, given, settings

from schemas import codec, writers
from schemas.content import BlobReference, PageContent, Source
from schemas.events import DocumentOptions, DocumentParsed, PageRangeReady
from schemas.identity import Submission
from tests.unit.schemas.test_codec import values

SUBMISSION = Submission(topic="documents.ingest", partition=1, offset=7, appended_ms=1_700_000_000_000)
RANGE = PageRangeReady(
    document_id="d", submission=SUBMISSION, document=BlobReference(name="shared/00/00", size_bytes=1, sha256="00"), filename="a.pdf",
    media_type="application/pdf", page_count=9, first_page=1, last_page=8, options=DocumentOptions(),
)  # fmt: skip


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    writers.look_up_with(None)
    writers._learned.clear()


def tomorrow(name: str) -> dict[str, Any]:
    """The schema of an event in the next version: a field more in it and in each record inside."""
    definition = json.loads(codec.schema_text(name))

    def extend(node: Any) -> None:
        if isinstance(node, list):
            for branch in node:
                extend(branch)
        elif isinstance(node, dict):
            for field in node.get("fields", ()):
                extend(field["type"])
            extend(node.get("items", node.get("values")))
            if node.get("type") == "record":
                node["fields"] = [{"name": "of_tomorrow", "type": ["null", "string"], "default": None}, *node["fields"]]

    extend(definition)
    return definition


def written(name: str, event: Any) -> tuple[bytes, str]:
    """The event as tomorrow's worker writes it, and its schema."""
    definition = tomorrow(name)
    parsed = fastavro.parse_schema(json.loads(json.dumps(definition)))
    today = fastavro.schemaless_reader(io.BytesIO(codec.encode(event)[10:]), writers.schema_of(name), None)
    body = io.BytesIO()
    fastavro.schemaless_writer(body, parsed, today | {"of_tomorrow": "new"})
    return writers.header_of(parsed) + body.getvalue(), json.dumps(definition)


def test_an_old_worker_reads_what_a_new_one_writes_once_it_can_look_up_the_schema() -> None:
    data, text = written("PageRangeReady", RANGE)
    with pytest.raises(codec.Undecodable, match="no known schema"):
        codec.decode(data, PageRangeReady)
    asked: list[str] = []

    def look_up(header: str) -> str | None:
        asked.append(header)
        return text if header == data[:10].hex() else None

    writers.look_up_with(look_up)
    assert codec.name_of(data) == "PageRangeReady"
    assert [codec.decode(data, PageRangeReady) for _ in range(3)] == [RANGE] * 3
    assert asked == [data[:10].hex()], "asked once"


def test_content_in_blobs_too() -> None:
    content = PageContent(page=1, width_pt=1.0, height_pt=2.0, rotation=0, source=Source.TEXT_LAYER, blocks=())
    data, text = written("PageContent", content)
    assert writers.learn(text) == data[:10]
    assert codec.decode(data, PageContent) == content


def test_a_schema_that_nobody_knows_is_asked_for_once_and_again_with_a_new_look_up() -> None:
    data, text = written("PageRangeReady", RANGE)
    asked: list[str] = []
    writers.look_up_with(asked.append)
    for _ in range(3):
        assert codec.name_of(data) is None
    assert len(asked) == 1
    writers.look_up_with(lambda header: text)
    assert codec.decode(data, PageRangeReady) == RANGE


def test_noise_keeps_memory_bounded() -> None:
    writers.look_up_with(lambda header: None)
    for number in range(3 * writers.MAX_LEARNED):
        assert codec.name_of(codec.MARKER + number.to_bytes(8, "big")) is None
    assert len(writers._learned) <= writers.MAX_LEARNED


def test_a_store_that_answers_with_another_schema_is_not_believed() -> None:
    data, _ = written("PageRangeReady", RANGE)
    writers.look_up_with(lambda header: codec.schema_text("DocumentCancelled"))
    assert codec.name_of(data) is None


def with_field(kind: Any) -> str:
    definition = json.loads(codec.schema_text("DocumentCancelled"))
    return json.dumps({**definition, "fields": [*definition["fields"], {"name": "more", "type": kind}]})


@pytest.mark.parametrize(
    "text",
    [
        "", "no JSON", "[]", "7", '"string"', '{"type": "record"}', "[" * 100_000, '{"a":' * 5000,
        json.dumps({"type": "record", "name": "Stranger", "namespace": "pageloom", "fields": []}),
        json.dumps({"type": "record", "name": "PageFailed", "namespace": "elsewhere", "fields": []}),
        with_field({"type": "array", "items": "null"}),
        with_field({"type": "array", "items": {"type": "record", "name": "Empty", "fields": []}}),
        with_field({"type": "array", "items": {"type": "record", "name": "Empty", "fields": [{"name": "x", "type": "null"}]}}),
        with_field(["null", {"type": "array", "items": {"type": "fixed", "name": "Nothing", "size": 0}}]),
        with_field({"type": "string", "doc": "x" * writers.MAX_SCHEMA_BYTES}),
    ],
)  # fmt: skip
def test_schemas_that_would_do_harm_are_not_learned(text: str) -> None:
    assert writers.learn(text) is None


def test_a_harmless_field_is_learned() -> None:
    assert writers.learn(with_field({"type": "array", "items": "string"})) is not None


def test_bytes_of_a_registry_are_named() -> None:
    with pytest.raises(codec.Undecodable, match="schema 66051 of a schema registry"):
        codec.decode(b"\0\0\1\2\3rest", PageRangeReady)


@settings(max_examples=15, deadline=None)
@given(values(DocumentParsed))
def test_a_finished_document_as_json(event: DocumentParsed) -> None:
    assume("inf" not in repr(event))  # JSON has no such number, and no measure of a page is one
    data = codec.encode_json(event)
    assert json.loads(data)["document_id"] == event.document_id
    assert codec.decode(data, DocumentParsed) == event


@pytest.mark.parametrize("data", [b"{", b"{}", b'{"document_id": 7}', b"{" * 100_000, b'{"document_id":"\xff"}'])
def test_damaged_json_is_undecodable(data: bytes) -> None:
    with pytest.raises(codec.Undecodable):
        codec.decode(data, DocumentParsed)


def test_only_finished_documents_are_read_from_json() -> None:
    with pytest.raises(codec.Undecodable, match="known schema"):
        codec.decode(codec.encode_json(RANGE), PageRangeReady)
