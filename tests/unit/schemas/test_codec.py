"""Types and published schemas agree, every event round-trips, old data is read, and no bytes do harm."""

import io
import json
from types import SimpleNamespace
from typing import Any

import fastavro
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import codec, writers
from schemas.derivation import RECORDS, avro_schema
from schemas.events import DocumentCancelled, DocumentOptions, DocumentSubmitted, PageExtracted, PageStatus
from schemas.identity import Submission

SUBMISSION = Submission(topic="documents.ingest", partition=1, offset=7, appended_ms=1_700_000_000_000)


def values(annotation: Any) -> st.SearchStrategy[Any]:
    """A strategy for a field's type: finite doubles, 64-bit integers, text without lone surrogates."""
    node = msgspec.inspect.type_info(annotation)
    return _values(node)


def _values(node: Any) -> st.SearchStrategy[Any]:
    info = msgspec.inspect
    match node:
        case info.StructType():
            fields = {f.encode_name: _values(f.type) for f in node.fields}
            return st.fixed_dictionaries(fields).map(lambda kw, cls=node.cls: cls(**kw))
        case info.UnionType():
            return st.one_of([_values(t) for t in node.types])
        case info.VarTupleType():
            return st.lists(_values(node.item_type), max_size=3).map(tuple)
        case info.TupleType():
            return st.tuples(*(_values(t) for t in node.item_types))
        case info.DictType():
            return st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3)
        case info.EnumType():
            return st.sampled_from(list(node.cls))
    simple = {
        info.StrType: st.text(max_size=20),
        info.IntType: st.integers(-(2**63), 2**63 - 1),
        info.FloatType: st.floats(allow_nan=False),
        info.BoolType: st.booleans(),
        info.BytesType: st.binary(max_size=20),
        info.NoneType: st.none(),
    }
    return simple[type(node)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.__name__)
def test_published_schema_is_what_the_type_says(record: type[msgspec.Struct]) -> None:
    assert json.loads(codec.schema_text(record.__name__)) == json.loads(json.dumps(avro_schema(record)))


def test_every_published_schema_has_a_type() -> None:
    assert set(codec.event_names()) == {record.__name__ for record in RECORDS}


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.__name__)
def test_round_trip(record: type[msgspec.Struct]) -> None:
    @settings(max_examples=15, deadline=None)
    @given(values(record))
    def check(event: msgspec.Struct) -> None:
        data = codec.encode(event)
        assert codec.name_of(data) == record.__name__
        assert codec.decode(data, record) == event

    check()


def test_no_array_holds_items_of_zero_bytes() -> None:
    """Five bytes could claim millions of such items."""

    def walk(node: Any) -> None:
        if isinstance(node, list):
            for branch in node:
                walk(branch)
        elif isinstance(node, dict):
            items = node.get("items")
            assert items != "null"
            assert not (isinstance(items, dict) and items.get("type") == "record" and not items["fields"])
            for value in node.values():
                walk(value)

    for name in codec.event_names():
        walk(json.loads(codec.schema_text(name)))


def test_old_data_is_read_by_the_new_schema(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """A schema of the past lacks a defaulted field; today's reader fills it in."""
    old = json.loads(codec.schema_text("DocumentCancelled"))
    old["fields"] = [f for f in old["fields"] if f["name"] != "reason"]
    (tmp_path / "avsc" / "past").mkdir(parents=True)
    (tmp_path / "avsc" / "past" / "DocumentCancelled.1.avsc").write_text(json.dumps(old))
    for name in codec.event_names():
        (tmp_path / "avsc" / f"{name}.avsc").write_text(codec.schema_text(name))
    parsed = fastavro.parse_schema(old)
    body = io.BytesIO()
    fastavro.schemaless_writer(body, parsed, {"document_id": "d", "requested_ms": 5})
    data = writers.header_of(parsed) + body.getvalue()

    with pytest.raises(codec.Undecodable, match="known schema"):
        codec.decode(data, DocumentCancelled)
    monkeypatch.setattr(writers, "resources", SimpleNamespace(files=lambda _package: tmp_path))
    writers._published.cache_clear()
    try:
        assert codec.decode(data, DocumentCancelled) == DocumentCancelled(document_id="d", requested_ms=5, reason="")
    finally:
        writers._published.cache_clear()


class Envelope(msgspec.Struct, frozen=True):
    """Fewer fields than the event has, one of them of a type that is first defined in a field left out."""

    document_id: str
    page: int
    attempts: int


def page_event() -> PageExtracted:
    return PageExtracted(
        document_id="d", submission=SUBMISSION, page=3, status=PageStatus.BLANK, text_layer_confidence=1.0, reasons=("blank",),
        recognition_requested=False, width_pt=10.0, height_pt=20.0, rotation=0,
    )  # fmt: skip


def test_a_projection_reads_only_what_it_names() -> None:
    assert codec.decode(codec.encode(page_event()), Envelope, "PageExtracted") == Envelope("d", 3, 1)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_bytes_are_undecodable_and_nothing_else(data: st.DataObject) -> None:
    event = DocumentSubmitted(content=b"%PDF-", filename="a.pdf", metadata={"a": "b"}, options=DocumentOptions(pages="1-3"))
    raw = bytearray(codec.encode(event))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(raw[: data.draw(st.integers(0, len(raw)))])
    try:
        codec.decode(cut, DocumentSubmitted)
    except codec.Undecodable:
        return


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "known schema"), (b"hello", "known schema"), (codec.MARKER + b"12345678", "known schema")],
)
def test_foreign_bytes_are_named(data: bytes, why: str) -> None:
    with pytest.raises(codec.Undecodable, match=why):
        codec.decode(data, PageExtracted)


def test_size_is_bounded_before_decoding() -> None:
    with pytest.raises(codec.Undecodable, match="at most 10"):
        codec.decode(codec.encode(page_event()), PageExtracted, max_bytes=10)


def test_another_event_and_trailing_bytes_are_refused() -> None:
    data = codec.encode(page_event())
    with pytest.raises(codec.Undecodable, match="PageExtracted where a DocumentCancelled"):
        codec.decode(data, DocumentCancelled)
    with pytest.raises(codec.Undecodable, match="left over"):
        codec.decode(data + b"\0", PageExtracted)


def test_fingerprint_is_that_of_the_avro_specification() -> None:
    """The specification gives the CRC-64-AVRO of `"null"` as 63dd24e7cc258f8a; on the wire it is little-endian."""
    assert writers.header_of("null") == bytes.fromhex("c3018a8f25cce724dd63")
