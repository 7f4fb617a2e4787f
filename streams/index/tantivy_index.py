"""The embedded search index: tantivy in a folder, one writer, any number of readers. The only door to tantivy.

Each document has its chunks and one marker row with its revision (kept after a deletion), so that order is decided by what is in the
index and not by the memory of a process. Text is cut into words by `words`, for the index as for a query.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import tantivy

from schemas.document import Region
from schemas.identity import path_name
from streams.index.chunks import Chunk
from streams.index.highlight import excerpt
from streams.index.query import Clause, Field, Query, Range, Term, Words, parse_query
from streams.index.sink import Found, Hit, IndexedDocument, Outcome, Result, SinkRefuses, SinkUnavailable
from streams.index.words import metadata_terms, words_in

WRITER_HEAP_BYTES = 48 * 2**20
"""Of one indexing thread: enough for thousands of chunks between commits."""
NO_ROOM_BYTES = 2**20
"""Below this an index that cannot be opened is not damaged: it has no room for its lock and its settings."""
HEADING_BOOST = 1.5

CHUNK, MARKER = "chunk", "marker"
TEXT_FIELDS: dict[Field, tuple[str, ...]] = {
    Field.ANY: ("words", "headings", "filename"),
    Field.FILENAME: ("filename",),
    Field.HEADING: ("headings",),
}
EXACT_FIELDS = {Field.TYPE: "type", Field.DOCUMENT: "document_id", Field.METADATA: "metadata"}
PAGE_STEP, CONFIDENCE_STEP = 1, 1000
"""Numbers are indexed as whole ones: confidences in thousandths."""


def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    for name in ("kind", "document_key", "document_id"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    for name in ("type", "metadata"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("words", "headings", "filename"):
        builder.add_text_field(name, tokenizer_name="whitespace")
    for name in ("page", "confidence"):
        builder.add_unsigned_field(name, indexed=True)
    builder.add_bytes_field("stored", stored=True, indexed=False)  # as a text it would be a term of the index as well, as long as itself
    builder.add_unsigned_field("revision", stored=True, indexed=True, fast=True)
    builder.add_unsigned_field("chunk", stored=True, indexed=True, fast=True)
    return builder.build()


def _open(folder: Path) -> Any:
    """Raises SinkRefuses for an index of another version."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return tantivy.Index(_schema(), path=str(folder))
    except ValueError as error:
        raise SinkRefuses(
            f"the search index in {folder} is damaged or was made by another version of Pageloom ({error}); remove the folder: "
            "the index worker makes it anew from the documents that documents.parsed still holds"
        ) from error


class TantivySink:
    """The writing side. Opening it takes tantivy's lock on the folder: a second writer is refused with an error that names the folder."""

    def __init__(self, folder: Path) -> None:
        """Raises SinkRefuses, and SinkUnavailable where its disk is full."""
        self.is_new = not (folder.is_dir() and tantivy.Index.exists(str(folder)))
        self.place = str(folder)
        try:
            self._index = _open(folder)
            self._writer: Any = self._new_writer()
        except (SinkRefuses, ValueError) as error:
            if shutil.disk_usage(folder).free < NO_ROOM_BYTES:  # the library tells it from a lock and from damage by words alone
                raise self._unavailable(error) from error
            if isinstance(error, SinkRefuses):
                raise
            raise SinkRefuses(f"the search index in {folder} is being written by another process; stop it first") from error
        self._batch: list[tuple[str, int, IndexedDocument | None, Sequence[Chunk]]] = []
        """What was written since the last commit, to be written again where the disk has no room: a writer that fails is of no more use."""
        self._written: dict[str, int] = {}
        """Revisions written since the last commit, which a searcher does not show yet."""
        self._outcomes: list[Outcome] = []

    def replace(self, document: IndexedDocument, chunks: Sequence[Chunk]) -> None:
        """See `SearchSink.replace`."""
        self._take(document.document_id, document.revision, document, chunks)

    def delete(self, document_id: str, revision: int) -> None:
        """See `SearchSink.delete`."""
        self._take(document_id, revision, None, ())

    def commit(self) -> list[Outcome]:
        """See `SearchSink.commit`."""
        try:
            if self._writer is None:
                self._write_again()
            self._writer.commit()
        except ValueError as error:
            self._writer = None
            raise self._unavailable(error) from error
        self._index.reload()
        self._written.clear()
        self._batch.clear()
        outcomes, self._outcomes = self._outcomes, []
        return outcomes

    def close(self) -> None:
        """See `SearchSink.close`."""
        if self._writer is not None:
            self._writer.wait_merging_threads()

    def _new_writer(self) -> Any:
        return self._index.writer(heap_size=WRITER_HEAP_BYTES, num_threads=1)

    def _unavailable(self, error: Exception) -> SinkUnavailable:
        return SinkUnavailable(
            f"the search index in {self.place} cannot be written ({error}); make room on its disk: nothing is lost, it goes on then"
        )

    def _take(self, document_id: str, revision: int, document: IndexedDocument | None, chunks: Sequence[Chunk]) -> None:
        """A write of the batch; one that fails is told by the commit, which tries the whole batch again."""
        self._batch.append((document_id, revision, document, chunks))
        if self._writer is None:
            return
        try:
            self._apply(document_id, revision, document, chunks)
        except ValueError:
            self._writer = None

    def _write_again(self) -> None:
        """The whole batch by a new writer, from what the last commit left. Raises ValueError."""
        self._writer = self._new_writer()
        self._written.clear()
        self._outcomes.clear()
        for write in self._batch:
            self._apply(*write)

    def _apply(self, document_id: str, revision: int, document: IndexedDocument | None, chunks: Sequence[Chunk]) -> None:
        key = path_name(document_id)
        if self._mark(key, document_id, revision, len(chunks)) and document is not None:
            filters = metadata_terms(document.metadata)
            for chunk in chunks:
                self._add(_row(key, document, filters, chunk))

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

    def _mark(self, key: str, document_id: str, revision: int, chunks: int) -> bool:
        """Removes every row of the document and writes its marker, unless something newer is there."""
        is_newest = self._known_revision(key) <= revision
        result = Result.WRITTEN if is_newest else Result.OLDER
        self._outcomes.append(Outcome(document_id=document_id, revision=revision, result=result, chunks=chunks))
        if is_newest:
            self._writer.delete_documents_by_term("document_key", key)
            self._add({"kind": MARKER, "document_key": key, "document_id": document_id, "revision": revision})
            self._written[key] = revision
        return is_newest

    def _add(self, row: dict[str, Any]) -> None:
        self._writer.add_document(tantivy.Document.from_dict(row, self._index.schema))


class TantivyReader:
    """The searching side; sees what was committed when it was last searched."""

    def __init__(self, folder: Path) -> None:
        """Raises FileNotFoundError where there is no index yet, SinkRefuses for one of another version."""
        if not (folder.is_dir() and tantivy.Index.exists(str(folder))):
            raise FileNotFoundError(f"no search index in {folder}; parse a document first, or name the folder with PAGELOOM_INDEX_DIR")
        self._index = _open(folder)

    def chunks(self) -> int:
        """How many there are."""
        self._index.reload()
        query = tantivy.Query.term_query(self._index.schema, "kind", CHUNK, "basic")
        return int(self._index.searcher().search(query, limit=1, count=True).count)

    def search(self, query: str, limit: int) -> Found:
        """See `SearchReader.search`."""
        asked = parse_query(query)
        if not asked.asks:
            return Found(hits=(), problems=asked.problems)
        self._index.reload()
        searcher = self._index.searcher()
        found = searcher.search(_compiled(self._index.schema, asked), limit=limit)
        words = asked.words
        return Found(hits=tuple(_hit(searcher.doc(address), score, words) for score, address in found.hits), problems=asked.problems)


def _compiled(schema: Any, query: Query) -> Any:
    """A query in tantivy's terms."""
    parts = [(tantivy.Occur.Must, tantivy.Query.term_query(schema, "kind", CHUNK, "basic"))]
    parts += [(tantivy.Occur.MustNot if clause.negated else tantivy.Occur.Must, _clause(schema, clause)) for clause in query.clauses]
    return tantivy.Query.boolean_query(parts)


def _clause(schema: Any, clause: Clause) -> Any:
    terms = [_term(schema, term) for term in clause.any_of]
    return terms[0] if len(terms) == 1 else tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])


def _term(schema: Any, term: Term) -> Any:
    if isinstance(term, Range):
        return _range(schema, term)
    if term.field in EXACT_FIELDS:
        value = f"{term.name}={term.words[0]}" if term.field is Field.METADATA else term.words[0]
        return tantivy.Query.const_score_query(tantivy.Query.term_query(schema, EXACT_FIELDS[term.field], value, "basic"), 0.0)
    fields = TEXT_FIELDS[term.field]
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, _in_field(schema, name, term)) for name in fields])


def _in_field(schema: Any, name: str, term: Words) -> Any:
    words = list(term.words)
    found = tantivy.Query.phrase_query(schema, name, words) if len(words) > 1 else tantivy.Query.term_query(schema, name, words[0])
    return tantivy.Query.boost_query(found, HEADING_BOOST) if name == "headings" else found


def _range(schema: Any, term: Range) -> Any:
    step = CONFIDENCE_STEP if term.field is Field.CONFIDENCE else PAGE_STEP
    low, high = (None if bound is None else min(round(bound * step), 2**53) for bound in (term.low, term.high))
    found = tantivy.Query.range_query(schema, term.field.value, tantivy.FieldType.Unsigned, low, high, use_inverted_index=True)
    return tantivy.Query.const_score_query(found, 0.0)


class _Stored(msgspec.Struct, frozen=True):
    """What a hit shows, kept as one JSON value."""

    filename: str
    text: str
    heading_path: tuple[str, ...]
    regions: tuple[Region, ...]
    types: tuple[str, ...]
    confidence: float


def _row(key: str, document: IndexedDocument, filters: list[str], chunk: Chunk) -> dict[str, Any]:
    stored = _Stored(document.filename, chunk.text, chunk.heading_path, chunk.regions, chunk.types, chunk.confidence)
    return {
        "kind": CHUNK,
        "document_key": key,
        "document_id": document.document_id,
        "filename": " ".join(words_in(document.filename)),
        "words": " ".join(words_in(chunk.text)),
        "headings": " ".join(words_in(" ".join(chunk.heading_path))),
        "type": list(chunk.types),
        "metadata": filters,
        "page": sorted({region.page for region in chunk.regions}),
        "confidence": round(chunk.confidence * CONFIDENCE_STEP),
        "stored": msgspec.json.encode(stored),
        "revision": document.revision,
        "chunk": chunk.number,
    }


def _hit(row: Any, score: float, words: frozenset[str]) -> Hit:
    stored = msgspec.json.decode(row.get_first("stored"), type=_Stored)
    first = stored.regions[0] if stored.regions else None
    return Hit(
        document_id=row.get_first("document_id"),
        filename=stored.filename,
        revision=row.get_first("revision"),
        chunk=row.get_first("chunk"),
        page=first.page if first else 0,
        bbox=first.bbox if first else None,
        heading_path=stored.heading_path,
        text=stored.text,
        score=score,
        types=stored.types,
        confidence=stored.confidence,
        excerpt=excerpt(stored.text, words),
    )
