"""What a search index has to do for us, whichever it is.

A sink is idempotent: writing the same revision twice is writing it once, and an older revision never replaces a newer one or a deletion. After
`commit` what was written is durable and can be found (at once, or within the second after which an index shows it), and only then may its
offset be committed.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

from msgspec import Struct

from schemas.geometry import BBox
from streams.index.chunks import Chunk
from streams.index.highlight import Piece
from streams.settings import SettingsError


class SinkUnavailable(RuntimeError):
    """The index does not take anything now; the same may be tried again. The message says what was asked and what came back."""


class SinkRefuses(SettingsError):
    """The index is not ours to write as the settings say: another version made it, or it does not know us. The message says what to do."""


class IndexedDocument(Struct, frozen=True, kw_only=True):
    """What the index keeps of a document beside its chunks."""

    document_id: str
    revision: int
    filename: str
    metadata: Mapping[str, str]
    media_type: str = ""
    status: str = ""


class Result(Enum):
    """What became of a write."""

    WRITTEN = "written"
    OLDER = "older"
    """Something newer of the document is in the index."""
    REFUSED = "refused"
    """The index does not accept it, and will not."""


class Outcome(Struct, frozen=True, kw_only=True):
    """How one write ended. `reason` is for a person and quotes no document."""

    document_id: str
    revision: int
    result: Result
    chunks: int = 0
    reason: str = ""


class Hit(Struct, frozen=True, kw_only=True):
    """A chunk that matches. `page` and `bbox` are of its first region (page 0 and no box where the format has no pages).

    `excerpt` is the part of the text that shows why it was found.
    """

    document_id: str
    filename: str
    revision: int
    chunk: int
    page: int
    bbox: BBox | None
    heading_path: tuple[str, ...]
    text: str
    score: float
    types: tuple[str, ...] = ()
    confidence: float = 0.0
    excerpt: tuple[Piece, ...] = ()


class Found(Struct, frozen=True, kw_only=True):
    """The answer to a query. `problems` say what of it was not understood."""

    hits: tuple[Hit, ...]
    problems: tuple[str, ...] = ()


class SearchSink(Protocol):
    """An open index. Not thread-safe. What `replace` and `delete` are given is written with the next `commit`, or earlier where it gets much."""

    @property
    def is_new(self) -> bool:
        """Whether opening it made it: it holds nothing of what was on the log before."""

    @property
    def place(self) -> str:
        """Where it is, for a person."""

    def replace(self, document: IndexedDocument, chunks: Sequence[Chunk]) -> None:
        """These are the chunks of the document from now on. May raise what `commit` raises."""

    def delete(self, document_id: str, revision: int) -> None:
        """Nothing is left of the document up to this revision. May raise what `commit` raises."""

    def commit(self) -> list[Outcome]:
        """Makes everything durable; one outcome for each write since the last commit, in any order.

        Raises SinkUnavailable, after which the same call may be made again and nothing is forgotten; SinkRefuses.
        """

    def close(self) -> None:
        """Commits nothing; releases the index."""


class SearchReader(Protocol):
    """The reading side of an index."""

    def search(self, query: str, limit: int) -> Found:
        """The best chunks for a query, best first. Any text is a legal query (see `query`). Raises SinkUnavailable, SinkRefuses."""
