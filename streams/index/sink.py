"""What a search index has to do for us, whichever it is.

A sink is idempotent: writing the same revision twice is writing it once, and an older revision never replaces a newer one or a deletion. What is
written can be found after `commit`, and only then may its offset be committed.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from schemas.geometry import BBox
from streams.index.chunks import Chunk


class IndexedDocument(Struct, frozen=True, kw_only=True):
    """What the index keeps of a document beside its chunks."""

    document_id: str
    revision: int
    filename: str
    metadata: Mapping[str, str]


class Hit(Struct, frozen=True, kw_only=True):
    """A chunk that matches. `page` and `bbox` are of its first region (page 0 and no box where the format has no pages)."""

    document_id: str
    filename: str
    revision: int
    chunk: int
    page: int
    bbox: BBox | None
    heading_path: tuple[str, ...]
    text: str
    score: float


class SearchSink(Protocol):
    """An open index. Not thread-safe; one process writes."""

    def replace(self, document: IndexedDocument, chunks: Sequence[Chunk]) -> bool:
        """Makes these the chunks of the document. False when a newer revision is there already."""

    def delete(self, document_id: str, revision: int) -> bool:
        """Removes the chunks of a document up to this revision. False when a newer revision is there."""

    def commit(self) -> None:
        """Makes everything written so far durable and visible."""

    def close(self) -> None:
        """Commits nothing; releases the index."""


class SearchReader(Protocol):
    """The reading side of an index."""

    def search(self, query: str, limit: int) -> list[Hit]:
        """The best chunks for a query, best first. Any text is a legal query."""
