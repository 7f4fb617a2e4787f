"""The search index in an OpenSearch cluster, for searching: queries, words and hits as with the embedded one, and stems of languages besides."""

from collections.abc import Sequence
from typing import Any

import msgspec

from schemas.document import Region
from streams.index.highlight import EXCERPT_CHARS, Piece, excerpt, on_one_line
from streams.index.opensearch_client import Cluster
from streams.index.opensearch_rows import CHUNK
from streams.index.query import Clause, Field, Query, Range, Term, Words, parse_query
from streams.index.sink import Found, Hit

BOOSTS: dict[str, float] = {"words": 1.0, "headings": 1.5, "filename_words": 1.0}
TEXT_FIELDS: dict[Field, tuple[str, ...]] = {Field.ANY: tuple(BOOSTS), Field.FILENAME: ("filename_words",), Field.HEADING: ("headings",)}
EXACT_FIELDS = {Field.TYPE: "types", Field.DOCUMENT: "document_id", Field.METADATA: "metadata_terms"}
NUMBER_FIELDS = {Field.PAGE: "pages", Field.CONFIDENCE: "confidence"}
STEM_BOOST = 0.5
"""A word as it was typed counts more than another form of it."""
MAX_NUMBER = 2**31 - 1
_LEFT, _RIGHT = "\ue000", "\ue001"
"""Around what the cluster highlights: characters that mean nothing in any text."""


class OpenSearchReader:
    """See `SearchReader`."""

    def __init__(self, cluster: Cluster, languages: Sequence[str]) -> None:
        self._cluster = cluster
        self._stemmed = tuple(f"text.{name}" for name in languages)

    def search(self, query: str, limit: int) -> Found:
        """See `SearchReader.search`."""
        asked = parse_query(query)
        if not asked.asks:
            return Found(hits=(), problems=asked.problems)
        hits = self._cluster.search(self.body(asked, limit))
        words = asked.words
        return Found(hits=tuple(_hit(hit, words) for hit in hits), problems=asked.problems)

    def body(self, query: Query, limit: int) -> dict[str, Any]:
        """The request for a query."""
        must = [self._clause(clause) for clause in query.clauses if not clause.negated]
        must_not = [self._clause(clause) for clause in query.clauses if clause.negated]
        shown = {"type": "unified", "number_of_fragments": 1, "fragment_size": EXCERPT_CHARS, "pre_tags": [_LEFT], "post_tags": [_RIGHT]}
        return {
            "size": limit,
            "track_total_hits": False,
            "query": {"bool": {"filter": [{"term": {"kind": CHUNK}}], "must": must, "must_not": must_not}},
            "highlight": {**shown, "fields": {name: {} for name in self._stemmed}} if self._stemmed else {},
        }

    def _clause(self, clause: Clause) -> dict[str, Any]:
        return _any_of([self._term(term) for term in clause.any_of])

    def _term(self, term: Term) -> dict[str, Any]:
        if isinstance(term, Range):
            bounds = {"gte": term.low, "lte": term.high}
            number = {name: min(bound, MAX_NUMBER) for name, bound in bounds.items() if bound is not None}
            return _unscored({"range": {NUMBER_FIELDS[term.field]: number}})
        if term.field in EXACT_FIELDS:
            value = f"{term.name}={term.words[0]}" if term.field is Field.METADATA else term.words[0]
            return _unscored({"term": {EXACT_FIELDS[term.field]: {"value": value}}})
        found = [_in_words(name, term) for name in TEXT_FIELDS[term.field]]
        if term.field is Field.ANY:
            found += [{"match_phrase": {name: {"query": term.text, "boost": STEM_BOOST}}} for name in self._stemmed]
        return _any_of(found)


def _in_words(name: str, term: Words) -> dict[str, Any]:
    return {"match_phrase": {name: {"query": " ".join(term.words), "boost": BOOSTS[name]}}}


def _any_of(queries: list[dict[str, Any]]) -> dict[str, Any]:
    return queries[0] if len(queries) == 1 else {"bool": {"should": queries, "minimum_should_match": 1}}


def _unscored(query: dict[str, Any]) -> dict[str, Any]:
    return {"constant_score": {"filter": query, "boost": 0.0}}


class _Source(msgspec.Struct, frozen=True):
    """A row as it is kept."""

    document_id: str
    filename: str
    revision: int
    chunk: int
    text: str
    heading_path: tuple[str, ...]
    types: tuple[str, ...]
    regions: tuple[Region, ...]
    confidence: float


def _hit(hit: dict[str, Any], words: frozenset[str]) -> Hit:
    row = msgspec.convert(hit["_source"], _Source)
    first = row.regions[0] if row.regions else None
    return Hit(
        document_id=row.document_id,
        filename=row.filename,
        revision=row.revision,
        chunk=row.chunk,
        page=first.page if first else 0,
        bbox=first.bbox if first else None,
        heading_path=row.heading_path,
        text=row.text,
        score=float(hit["_score"] or 0.0),
        types=row.types,
        confidence=row.confidence,
        excerpt=_excerpt(row.text, words, [part for parts in hit.get("highlight", {}).values() for part in parts]),
    )


def _excerpt(text: str, words: frozenset[str], highlighted: list[str]) -> tuple[Piece, ...]:
    """Around the words as they were typed; where only another form of them stands in the text, what the cluster highlights."""
    ours = excerpt(text, words)
    if any(piece.hit for piece in ours) or not highlighted:
        return ours
    pieces: list[Piece] = []
    for part in on_one_line(highlighted[0]).split(_LEFT):
        marked, closed, rest = part.partition(_RIGHT)
        pieces += [Piece(marked, hit=bool(closed)), Piece(rest, hit=False)]
    return tuple(piece for piece in pieces if piece.text)
