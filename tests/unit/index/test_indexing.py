"""Records of `documents.parsed` become writes of a sink; what can never be indexed is an error with a code."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from schemas import codec
from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.errors import Code, PageloomError
from schemas.events import DocumentParsed, Format, Rendering
from schemas.identity import Submission
from streams.assemble.render import render
from streams.index.chunks import Chunk, chunks_of
from streams.index.indexing import Indexer, revision_header
from streams.index.sink import IndexedDocument, Outcome
from streams.index.worker import patience_s
from streams.kafka.records import Headers, Record
from tests.unit.index.test_index import block, document

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=7, appended_ms=1_000)


class KeptWrites:
    """A sink that keeps what it is told."""

    is_new, place = True, "memory"

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []

    def replace(self, document: IndexedDocument, chunks: Sequence[Chunk]) -> None:
        self.told.append((document.document_id, document.revision, len(chunks)))

    def delete(self, document_id: str, revision: int) -> None:
        self.told.append((document_id, revision, 0))

    def commit(self) -> list[Outcome]:
        return []

    def close(self) -> None:
        pass


def record(value: bytes | None, headers: Headers = ()) -> Record:
    return Record("documents.parsed", 0, 3, 2_000, False, b"d", value, headers)


def parsed() -> DocumentParsed:
    finished = document(block("one"), block("two", page=2), revision=5)
    return DocumentParsed(
        document_id="d", submission=SUBMISSION, revision=5, status="complete", filename="a.pdf", content_sha256="", document=finished
    )  # fmt: skip


@pytest.fixture
def indexer(tmp_path: Path) -> Indexer:
    return Indexer(KeptWrites(), BlobStore(tmp_path.as_uri()), 10**6)


def told(indexer: Indexer) -> list[tuple[str, int, int]]:
    assert isinstance(indexer.sink, KeptWrites)
    return indexer.sink.told


@pytest.mark.parametrize("encode", [codec.encode, codec.encode_json])
def test_a_finished_document_is_written_in_either_encoding(indexer: Indexer, encode) -> None:
    assert indexer.write(record(encode(parsed()))) == ("d", 5)
    assert told(indexer) == [("d", 5, 2)]


def test_a_document_is_read_from_its_json_where_the_event_has_it(indexer: Indexer) -> None:
    rendered = document(block("one"), block("two"), block("three", page=2), revision=5)
    inline = Rendering(format=Format.JSON, text=render(rendered, Format.JSON))
    stored = BlobReference(name="gone", size_bytes=1, sha256="")
    events = [replace(parsed(), renderings=(Rendering(format=Format.MARKDOWN, text="one"), inline))]
    events.append(replace(events[0], document=None, document_reference=stored))  # what is at hand is not fetched
    for event in events:
        assert indexer.write(record(codec.encode(event))) == ("d", 5)
    assert told(indexer) == [("d", 5, len(chunks_of(rendered)))] * 2


@pytest.mark.parametrize("text", ["", "[]", "{", '{"blocks": 1}', "null"])
def test_damaged_json_in_an_event_is_undecodable(indexer: Indexer, text: str) -> None:
    with pytest.raises(PageloomError) as raised:
        indexer.write(record(codec.encode(replace(parsed(), renderings=(Rendering(format=Format.JSON, text=text),)))))
    assert raised.value.code is Code.UNDECODABLE
    assert told(indexer) == []


def test_an_event_with_neither_document_nor_reference_is_undecodable(indexer: Indexer) -> None:
    with pytest.raises(PageloomError, match="neither content nor reference"):
        indexer.write(record(codec.encode(replace(parsed(), document=None))))


def test_a_deletion_carries_its_revision(indexer: Indexer) -> None:
    assert indexer.write(record(None, (("revision", b"77"),))) == ("d", 77)
    assert told(indexer) == [("d", 77, 0)]


@pytest.mark.parametrize("header", [b"", b"x", b"-1", b"9" * 400])
def test_a_deletion_without_a_readable_revision_has_the_time_of_its_record(header: bytes) -> None:
    assert revision_header(record(None, (("revision", header),))) == 2_000_000


@pytest.mark.parametrize("value", [b"", b"nonsense", b"\xc3\x01" + b"\0" * 20, b"{}"])
def test_bytes_that_are_no_document_are_undecodable(indexer: Indexer, value: bytes) -> None:
    with pytest.raises(PageloomError) as raised:
        indexer.write(record(value))
    assert raised.value.code is Code.UNDECODABLE
    assert told(indexer) == []


@pytest.mark.parametrize(
    ("waited_s", "patience"),
    [(0.0, 0.5), (0.2, 0.3), (0.6, 0.1), (1e9, 0.1), (-5.0, 0.5)],
    ids=["just now", "a moment ago", "during the last commit", "a backlog", "a clock that is ahead"],
)
def test_a_batch_waits_for_more_until_its_first_record_is_old_enough(waited_s: float, patience: float) -> None:
    """What came while a batch was committed waited for another half a second, and at 1,000 chunks a second everything did."""
    assert patience_s(0.5, waited_s) == pytest.approx(patience)
