"""What the console's web server asks of the pipeline, as one protocol: the server knows no Kafka, no store and no index behind it.

Every method may block, is called in a thread, and raises PageloomError or KafkaClientError with a message for a person; `Absent` where something
is not there (any more).
"""

from pathlib import Path
from typing import Protocol

from msgspec import Struct

from schemas.document import Document
from schemas.events import DocumentOptions, Format
from streams.console.board import Board
from streams.console.gauges import Sample
from streams.index.sink import Found


class Absent(LookupError):
    """It is not there; the message says what and why."""


class OpenDocument(Struct, frozen=True, kw_only=True):
    """A finished document and what is needed to show it. `drawable`: its pages can be drawn."""

    key: str
    document: Document
    drawable: bool


class Download(Struct, frozen=True, kw_only=True):
    """A file for a person."""

    filename: str
    media_type: str
    content: bytes


class Pipeline(Protocol):
    """The pipeline behind the console."""

    board: Board

    def submit(self, path: Path, filename: str, options: DocumentOptions, password: str | None) -> str:
        """Publishes a file; returns the document's key on the board."""

    def cancel(self, key: str) -> None:
        """Gives up what is unfinished of a document."""

    def replay(self, key: str) -> None:
        """Publishes a failed or partial submission again."""

    def open(self, key: str) -> OpenDocument:
        """The finished document, of the newest submission that was finished."""

    def picture(self, key: str, page: int) -> bytes:
        """PNG of a page of an open document."""

    def figure(self, key: str, name: str) -> bytes:
        """A stored picture of an open document."""

    def download(self, key: str, form: Format) -> Download:
        """A finished document in one format."""

    def search(self, query: str, limit: int) -> Found:
        """What is found in the index, best first, and what of the query was not understood."""

    def samples(self) -> list[Sample]:
        """The pipeline over the last minutes, oldest first."""

    def connected(self) -> bool:
        """Whether Kafka answered last."""
