"""What an ingest record is."""

import base64
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import codec
from schemas.content import BlobReference
from schemas.errors import Code
from schemas.events import DocumentOptions, DocumentSubmitted, Mode
from streams.ingest.submission import SUBMITTED_AVRO, SUBMITTED_JSON, Deletion, Refused, Submitted, claims_event, classify
from streams.kafka.records import Record

PASSWORD = "correct horse battery"


def record(value: bytes | None, key: bytes | None = b"doc", headers: tuple[tuple[str, bytes | None], ...] = ()) -> Record:
    return Record("documents.ingest", 1, 7, 1_700_000_000_123, True, key, value, headers)


def refused(value: bytes | None, key: bytes | None = b"doc", headers: tuple[tuple[str, bytes | None], ...] = ()) -> Refused:
    with pytest.raises(Refused) as caught:
        classify(record(value, key, headers))
    assert PASSWORD not in str(caught.value)
    return caught.value


def test_raw_bytes_are_a_file_with_options_in_headers() -> None:
    found = classify(record(b"%PDF-1.7", headers=(("mode", b"disable_ocr"), ("filename", b"a.pdf"))))
    assert isinstance(found, Submitted)
    assert (found.document_id, found.content, found.document) == ("doc", b"%PDF-1.7", None)
    assert found.asked.options.mode is Mode.DISABLE_OCR
    assert found.submission.id == "documents.ingest-1-7"
    assert found.submission.appended_ms == 1_700_000_000_123


def test_without_a_key_the_content_names_the_document() -> None:
    found = classify(record(b"bytes", key=None))
    assert found.document_id == hashlib.sha256(b"bytes").hexdigest()
    event = codec.encode(DocumentSubmitted(content=b"bytes"))
    assert classify(record(event, key=b"")).document_id == found.document_id


def test_null_deletes_and_empty_is_an_empty_file() -> None:
    assert isinstance(classify(record(None)), Deletion)
    assert refused(b"").code is Code.EMPTY_FILE
    assert refused(None, key=None).code is Code.INVALID_KEY


@pytest.mark.parametrize("key", [b"\xff\xfe", b"x" * 513, b"a\nb"])
def test_a_key_that_is_no_id_is_refused_under_its_hash(key: bytes) -> None:
    error = refused(b"file", key=key)
    assert error.code is Code.INVALID_KEY
    assert error.document_id == hashlib.sha256(key).hexdigest()


SUBMITTED = DocumentSubmitted(
    content=b"%PDF", filename="x/y.pdf", password=PASSWORD, metadata={"a": "b"}, options=DocumentOptions(mode=Mode.BALANCED, pages="2")
)


def test_avro_is_known_by_its_fingerprint_and_by_its_content_type() -> None:
    for headers in ((), (("Content-Type", SUBMITTED_AVRO.encode()),)):
        found = classify(record(codec.encode(SUBMITTED), headers=headers))
        assert isinstance(found, Submitted)
        assert (found.content, found.asked.filename, found.asked.password) == (b"%PDF", "y.pdf", PASSWORD)
        assert found.asked.options.pages == "2"
        assert PASSWORD not in repr(found)


def test_json_is_known_by_its_content_type() -> None:
    value = json.dumps({"content": base64.b64encode(b"%PDF").decode(), "options": {"mode": "fast", "formats": ["html"]}, "password": "p"}).encode()
    found = classify(record(value, headers=(("content-type", SUBMITTED_JSON.encode() + b"; charset=utf-8"),)))
    assert isinstance(found, Submitted)
    assert (found.content, found.asked.password) == (b"%PDF", "p")
    assert isinstance(classify(record(value)), Submitted), "without the content type it is a file"
    assert classify(record(value)).content == value  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (codec.encode(SUBMITTED)[:-3], None),
        (codec.encode(SUBMITTED) + b"x", None),
        (b"not avro " + PASSWORD.encode(), SUBMITTED_AVRO),
        (b'{"password": "' + PASSWORD.encode() + b'", ', SUBMITTED_JSON),
        (b'{"password": "' + PASSWORD.encode() + b'", "content": 5}', SUBMITTED_JSON),
        (b"[" * 100_000, SUBMITTED_JSON),
        (b"", SUBMITTED_JSON),
    ],
)
def test_damaged_events_are_undecodable(value: bytes, kind: str | None) -> None:
    error = refused(value, headers=(("content-type", kind.encode()),) if kind else ())
    assert error.code is Code.UNDECODABLE
    assert error.undecodable
    assert claims_event(record(value, headers=(("content-type", kind.encode()),) if kind else ()))


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (DocumentSubmitted(), Code.INVALID_OPTIONS),
        (DocumentSubmitted(content=b"x", uri="file:///etc/passwd"), Code.INVALID_OPTIONS),
        (DocumentSubmitted(content=b""), Code.EMPTY_FILE),
        (DocumentSubmitted(document=BlobReference(name="runs/a/b/c", size_bytes=1, sha256="0")), Code.INVALID_OPTIONS),
        (DocumentSubmitted(content=b"x", options=DocumentOptions(dpi=9_999_999)), Code.INVALID_OPTIONS),
        (DocumentSubmitted(content=b"x", metadata={"": "x"}), Code.INVALID_OPTIONS),
    ],
)
def test_events_that_ask_for_what_is_not_given(event: DocumentSubmitted, code: Code) -> None:
    assert refused(codec.encode(event)).code is code


def test_a_password_in_place_of_a_word_is_not_quoted() -> None:
    value = b'{"content": "eA==", "options": {"mode": "' + PASSWORD.encode() + b'"}}'
    error = refused(value, headers=(("content-type", SUBMITTED_JSON.encode()),))
    assert error.code is Code.UNDECODABLE
    assert "$.options.mode" in str(error)
    assert PASSWORD not in str(error)


@given(st.one_of(st.none(), st.binary(max_size=200)), st.one_of(st.none(), st.binary(max_size=20)), st.booleans())
def test_any_record_is_something(value: bytes | None, key: bytes | None, says_event: bool) -> None:
    headers = (("content-type", SUBMITTED_AVRO.encode()),) if says_event else ()
    try:
        document_id = classify(record(value, key, headers)).document_id
    except Refused as error:
        document_id = error.document_id
    assert document_id
