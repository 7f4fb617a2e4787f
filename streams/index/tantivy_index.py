"""The embedded search index: tantivy in a folder, one writer, any number of readers. The only door to tantivy.

Each document has its chunks and one marker row with its revision (kept after a deletion), so that order is decided by what is in the
index and not by the memory of a process. CJK text has no spaces between words: it is indexed character by character, and a run of such
characters is searched as a phrase.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import tantivy

from schemas.document import Region
from schemas.identity import path_name
from streams.index.chunks import Chunk
from streams.index.sink import Hit, IndexedDocument

WRITER_HEAP_BYTES = 48 * 2**20
"""Of one indexing thread: enough for thousands of chunks between commits."""

CJK = re.compile("([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
MAX_QUERY_CHARS = 1_000
"""Anybody may ask anything: parsing and matching cost with the length."""
CHUNK, MARKER = "chunk", "marker"


def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    for name in ("kind", "document_key", "document_id"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("filename", stored=True)
    builder.add_text_field("words")
    builder.add_text_field("headings")
    builder.add_text_field("stored", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("revision", stored=True, indexed=True, fast=True)
    builder.add_unsigned_field("chunk", stored=True, indexed=True, fast=True)
    return builder.build()


def _open(folder: Path) -> Any:
    folder.mkdir(parents=True, exist_ok=True)
    return tantivy.Index(_schema(), path=str(folder))


class TantivySink:
    """The writing side. Opening it takes tantivy's lock on the folder: a second writer is refused with an error that names the folder."""

    def __init__(self, folder: Path) -> None:
        self._index = _open(folder)
        try:
            self._writer = self._index.writer(heap_size=WRITER_HEAP_BYTES, num_threads=1)
        except ValueError as error:
            raise RuntimeError(f"the search index in {folder} is being written by another process; stop it first") from error
        self._written: dict[str, int] = {}
        """Revisions written since the last commit, which a searcher does not show yet."""

    def replace(self, document: IndexedDocument, chunks: Sequence[Chunk]) -> bool:
        """See `SearchSink.replace`."""
        key = path_name(document.document_id)
        if self._known_revision(key) > document.revision:
            return False
        self._mark(key, document.document_id, document.revision)
        for chunk in chunks:
            self._add(_row(key, document, chunk))
        return True

    def delete(self, document_id: str, revision: int) -> bool:
        """See `SearchSink.delete`."""
        key = path_name(document_id)
        if self._known_revision(key) > revision:
            return False
        self._mark(key, document_id, revision)
        return True

    def commit(self) -> None:
        """See `SearchSink.commit`."""
        self._writer.commit()
        self._index.reload()
        self._written.clear()

    def close(self) -> None:
        """See `SearchSink.close`."""
        self._writer.wait_merging_threads()

    def _known_revision(self, key: str) -> int:
        """The newest revision written of a document, -1 for none."""
        if key in self._written:
            return self._written[key]
        searcher = self._index.searcher()
        query = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, tantivy.Query.term_query(self._index.schema, "document_key", key, "basic")),
                (tantivy.Occur.Must, tantivy.Query.term_query(self._index.schema, "kind", MARKER, "basic")),
            ]
        )
        hits = searcher.search(query, limit=1).hits
        return int(searcher.doc(hits[0][1]).get_first("revision")) if hits else -1

    def _mark(self, key: str, document_id: str, revision: int) -> None:
        """Removes every row of the document and writes its marker."""
        self._writer.delete_documents_by_term("document_key", key)
        self._add({"kind": MARKER, "document_key": key, "document_id": document_id, "revision": revision})
        self._written[key] = revision

    def _add(self, row: dict[str, Any]) -> None:
        self._writer.add_document(tantivy.Document.from_dict(row, self._index.schema))


class TantivyReader:
    """The searching side; sees what was committed when it was opened or last searched."""

    def __init__(self, folder: Path) -> None:
        if not (folder.is_dir() and tantivy.Index.exists(str(folder))):
            raise FileNotFoundError(f"no search index in {folder}; parse a document first, or name the folder with PAGELOOM_INDEX_DIR")
        self._index = _open(folder)

    def search(self, query: str, limit: int) -> list[Hit]:
        """See `SearchReader.search`. Understands tantivy's query language (`"a phrase"`, `filename:report`, `+must -not`)."""
        self._index.reload()
        searcher = self._index.searcher()
        parsed, _errors = self._index.parse_query_lenient(
            spaced(query[:MAX_QUERY_CHARS], as_phrase=True), ["words", "headings", "filename"], {"headings": 1.5}, conjunction_by_default=True
        )
        only_chunks = tantivy.Query.term_query(self._index.schema, "kind", CHUNK, "basic")
        found = searcher.search(tantivy.Query.boolean_query([(tantivy.Occur.Must, parsed), (tantivy.Occur.Must, only_chunks)]), limit=limit)
        return [_hit(searcher.doc(address), score) for score, address in found.hits]


class _Stored(msgspec.Struct, frozen=True):
    """What a hit shows, kept as one JSON value."""

    text: str
    heading_path: tuple[str, ...]
    regions: tuple[Region, ...]


def _row(key: str, document: IndexedDocument, chunk: Chunk) -> dict[str, Any]:
    stored = _Stored(chunk.text, chunk.heading_path, chunk.regions)
    return {
        "kind": CHUNK,
        "document_key": key,
        "document_id": document.document_id,
        "filename": document.filename,
        "words": spaced(chunk.text),
        "headings": spaced(" ".join(chunk.heading_path)),
        "stored": msgspec.json.encode(stored).decode(),
        "revision": document.revision,
        "chunk": chunk.number,
    }


def _hit(row: Any, score: float) -> Hit:
    stored = msgspec.json.decode(row.get_first("stored"), type=_Stored)
    first = stored.regions[0] if stored.regions else None
    return Hit(
        document_id=row.get_first("document_id"),
        filename=row.get_first("filename") or "",
        revision=row.get_first("revision"),
        chunk=row.get_first("chunk"),
        page=first.page if first else 0,
        bbox=first.bbox if first else None,
        heading_path=stored.heading_path,
        text=stored.text,
        score=score,
    )


def spaced(text: str, *, as_phrase: bool = False) -> str:
    """CJK characters set apart by spaces; as a phrase, a run of two or more of them is put in quotation marks."""
    if not as_phrase:
        return CJK.sub(r" \1 ", text)
    if '"' in text:
        return CJK.sub(r" \1 ", text)
    return re.sub(f"({CJK.pattern[1:-1]}{{2,}})", lambda run: f' "{" ".join(run.group(1))}" ', text)
