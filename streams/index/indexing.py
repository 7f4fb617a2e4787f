"""Records of `documents.parsed` as writes to a sink. Knows no Kafka."""

from typing import TypeVar

import msgspec
from msgspec import Struct

from schemas import codec
from schemas.blobs import BlobStore
from schemas.collector import without_collector
from schemas.content import BlobReference
from schemas.document import Document
from schemas.errors import Code, PageloomError
from schemas.events import DocumentParsed, Format, Rendering
from streams.index.chunks import chunks_of
from streams.index.sink import IndexedDocument, SearchSink
from streams.kafka.records import Record

T = TypeVar("T", bound=Struct)


class _Announced(Struct, frozen=True, kw_only=True):
    """A projection of `DocumentParsed`: everything but the block tree, which costs twenty times as much to read as its JSON rendering does."""

    document_id: str
    revision: int
    status: str
    filename: str
    document_reference: BlobReference | None
    renderings: tuple[Rendering, ...]


class Indexer:
    """Turns records into writes. What the sink raises goes through."""

    def __init__(self, sink: SearchSink, blobs: BlobStore, max_document_bytes: int) -> None:
        self.sink = sink
        self._blobs = blobs
        self._max_document_bytes = max_document_bytes

    def write(self, record: Record) -> tuple[str, int]:
        """Writes one record; gives back which revision of which document it is.

        Raises PageloomError (undecodable, blob_missing, …) for one that can never be indexed as it is.
        """
        if record.value is None:
            document_id, revision = text_of(record.key), revision_header(record)
            self.sink.delete(document_id, revision)
            return document_id, revision
        with without_collector():  # a document is a tree
            parsed = _decoded(record, _Announced)
            document = self._document(record, parsed)
            about = IndexedDocument(
                document_id=parsed.document_id,
                revision=parsed.revision,
                filename=parsed.filename,
                metadata=document.metadata,
                media_type=document.media_type,
                status=parsed.status,
            )
            chunks = chunks_of(document)
        self.sink.replace(about, chunks)
        return parsed.document_id, parsed.revision

    def _document(self, record: Record, parsed: _Announced) -> Document:
        """The document, from where it is read fastest: its JSON in the event, its JSON in the store, the block tree in the event."""
        data: str | bytes | None = next((one.text for one in parsed.renderings if one.format is Format.JSON and one.text is not None), None)
        if data is None and parsed.document_reference is not None:
            data = self._blobs.get(parsed.document_reference, self._max_document_bytes)
        if data is None:
            document = _decoded(record, DocumentParsed).document
            if document is None:
                raise PageloomError(Code.UNDECODABLE, f"{parsed.document_id}: a parsed document with neither content nor reference")
            return document
        try:
            return msgspec.json.decode(data, type=Document)
        except msgspec.DecodeError as error:
            raise PageloomError(Code.UNDECODABLE, f"{parsed.document_id}: its JSON is damaged") from error


def _decoded(record: Record, as_type: type[T]) -> T:
    """What is read of a `DocumentParsed`. Raises PageloomError."""
    try:
        return codec.decode(record.value or b"", as_type, DocumentParsed.__name__)
    except codec.Undecodable as error:
        raise PageloomError(Code.UNDECODABLE, f"{record.topic}[{record.partition}]@{record.offset}: {error}") from error


def revision_header(record: Record) -> int:
    """The revision that a deletion carries; without a readable one it is the record's own time, which is later than what it deletes."""
    text = dict(record.headers).get("revision") or b""
    return int(text) if text.isdigit() and len(text) <= 18 else record.timestamp_ms * 1000


def text_of(key: bytes | None) -> str:
    """A record's key as text."""
    return (key or b"").decode("utf-8", "replace")
