"""What the index in OpenSearch looks like: its mapping, and a document as rows. Pure.

A row for each chunk, `KEY:NUMBER`, a marker, `KEY`, and how many chunks any revision had, `KEY#`; all on one shard. A row's version is its document's
revision: whichever writer comes late, an older row never replaces a newer one. The version of `KEY#` is its number, so that it only grows. Rows that
a newer revision does not need are emptied and not deleted: the memory of a deletion ends after `index.gc_deletes` (60 s), that of a row does not.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from streams.index.chunks import Chunk
from streams.index.sink import IndexedDocument
from streams.index.words import metadata_terms, words_in

VERSION = 1
"""Of the mapping."""
CHUNK, MARKER, EMPTY, SLOTS = "chunk", "marker", "empty", "slots"
KEYWORD_CHARS = 512
"""Of a value that is compared as a whole; Lucene refuses terms of 32 KB."""

Row = tuple[str, bytes]
"""Id and source of a row."""


def index_body(languages: Sequence[str]) -> dict[str, Any]:
    """Settings and mapping of the index. `languages` are analyzers of the cluster that text is indexed with beside its plain words."""
    words = {"type": "text", "analyzer": "whitespace"}
    keyword = {"type": "keyword", "ignore_above": KEYWORD_CHARS}
    by_language = {name: {"type": "text", "analyzer": name} for name in languages}
    properties = {
        "kind": {"type": "keyword"},
        "document_key": {"type": "keyword"},
        "document_id": keyword,
        "revision": {"type": "long"},
        "chunks": {"type": "integer", "index": False},
        "chunk": {"type": "integer"},
        "filename": keyword,
        "filename_words": words,
        "text": {"type": "text", "fields": by_language},
        "words": words,
        "heading_path": keyword,
        "headings": words,
        "types": keyword,
        "pages": {"type": "integer"},
        "regions": {"type": "object", "enabled": False},
        "confidence": {"type": "float"},
        "metadata": {"type": "object", "enabled": False},
        "metadata_terms": keyword,
        "media_type": keyword,
        "status": keyword,
    }
    return {
        "settings": {"index": {"refresh_interval": "1s"}},  # said, so that an index that nobody asks is refreshed as well
        "mappings": {
            "dynamic": "strict",
            "_meta": {"pageloom": VERSION},
            "_source": {"excludes": ["words", "headings", "filename_words"]},  # made from what is beside them
            "properties": properties,
        },
    }


def action(row_id: str, key: str, revision: int) -> bytes:
    """The line of a bulk that goes before a row."""
    return msgspec.json.encode({"index": {"_id": row_id, "routing": key, "version": revision, "version_type": "external_gte"}})


def chunk_rows(key: str, document: IndexedDocument, chunks: Sequence[Chunk]) -> Iterator[Row]:
    """The rows of a document's chunks."""
    shared = {
        "kind": CHUNK,
        "document_key": key,
        "document_id": document.document_id,
        "revision": document.revision,
        "filename": document.filename,
        "filename_words": " ".join(words_in(document.filename)),
        "metadata": dict(document.metadata),
        "metadata_terms": metadata_terms(document.metadata),
        "media_type": document.media_type,
        "status": document.status,
    }
    for chunk in chunks:
        row = shared | {
            "chunk": chunk.number,
            "text": chunk.text,
            "words": " ".join(words_in(chunk.text)),
            "heading_path": chunk.heading_path,
            "headings": " ".join(words_in(" ".join(chunk.heading_path))),
            "types": chunk.types,
            "pages": sorted({region.page for region in chunk.regions}),
            "regions": chunk.regions,
            "confidence": chunk.confidence,
        }
        yield f"{key}:{chunk.number}", msgspec.json.encode(row)


def empty_rows(key: str, revision: int, numbers: range) -> Iterator[Row]:
    """The rows that stand where an earlier revision had chunks."""
    source = msgspec.json.encode({"kind": EMPTY, "document_key": key, "revision": revision})
    for number in numbers:
        yield f"{key}:{number}", source


def slots_id(key: str) -> str:
    """The id of the row that says how many chunks any revision of a document had."""
    return f"{key}#"


def slots_row(key: str, chunks: int) -> Row:
    """That row; its version is `chunks`."""
    return slots_id(key), msgspec.json.encode({"kind": SLOTS, "document_key": key, "chunks": chunks})


def marker_row(key: str, document_id: str, revision: int, chunks: int) -> Row:
    """The row that says which revision of a document is there."""
    return key, msgspec.json.encode({"kind": MARKER, "document_key": key, "document_id": document_id, "revision": revision, "chunks": chunks})
