"""Records of `documents.parsed` as writes to a sink. Knows no Kafka."""

import msgspec

from schemas import codec
from schemas.blobs import BlobStore
from schemas.document import Document
from schemas.errors import Code, PageloomError
from schemas.events import DocumentParsed
from streams.index.chunks import chunks_of
from streams.index.sink import IndexedDocument, SearchSink
from streams.kafka.records import Record


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
        try:
            parsed = codec.decode(record.value, DocumentParsed)
        except codec.Undecodable as error:
            raise PageloomError(Code.UNDECODABLE, f"{record.topic}[{record.partition}]@{record.offset}: {error}") from error
        document = self._document(parsed)
        about = IndexedDocument(
            document_id=parsed.document_id,
            revision=parsed.revision,
            filename=parsed.filename,
            metadata=document.metadata,
            media_type=document.media_type,
            status=parsed.status,
        )
        self.sink.replace(about, chunks_of(document))
        return parsed.document_id, parsed.revision

    def _document(self, parsed: DocumentParsed) -> Document:
        if parsed.document is not None:
            return parsed.document
        if parsed.document_reference is None:
            raise PageloomError(Code.UNDECODABLE, f"{parsed.document_id}: a parsed document with neither content nor reference")
        data = self._blobs.get(parsed.document_reference, self._max_document_bytes)
        try:
            return msgspec.json.decode(data, type=Document)
        except msgspec.DecodeError as error:
            raise PageloomError(Code.UNDECODABLE, f"{parsed.document_id}: its stored JSON is damaged") from error


def revision_header(record: Record) -> int:
    """The revision that a deletion carries; without a readable one it is the record's own time, which is later than what it deletes."""
    text = dict(record.headers).get("revision") or b""
    return int(text) if text.isdigit() and len(text) <= 18 else record.timestamp_ms * 1000


def text_of(key: bytes | None) -> str:
    """A record's key as text."""
    return (key or b"").decode("utf-8", "replace")
