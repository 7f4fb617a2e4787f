"""A pipeline in memory behind the console's protocol: says what it was asked, and answers what it was given."""

from pathlib import Path

from schemas.document import Document
from schemas.errors import Code, PageloomError
from schemas.events import DocumentOptions, Format
from streams.console.board import Board
from streams.console.gauges import Sample
from streams.console.port import Absent, Download, OpenDocument
from streams.index.sink import Found, Hit
from tests.unit.console.documents import FIGURE, KEY

PNG = b"\x89PNG\r\n\x1a\n"


class FakePipeline:
    def __init__(self, document: Document | None = None, hits: tuple[Hit, ...] = ()) -> None:
        self.board = Board()
        self.document, self.hits = document, hits
        self.submitted: list[tuple[bytes, str, DocumentOptions, str | None]] = []
        self.asked: list[tuple[str, str]] = []

    def submit(self, path: Path, filename: str, options: DocumentOptions, password: str | None) -> str:
        self.submitted.append((path.read_bytes(), filename, options, password))
        return self.board.submitted(f"{filename}-1", filename, 1_000)

    def cancel(self, key: str) -> None:
        self.asked.append(("cancel", key))

    def replay(self, key: str) -> None:
        self.asked.append(("replay", key))

    def open(self, key: str) -> OpenDocument:
        if self.document is None or key != KEY:
            raise Absent("no such document here")
        return OpenDocument(key=key, document=self.document, drawable=True)

    def picture(self, key: str, page: int) -> bytes:
        self.open(key)
        if page > 3:
            raise PageloomError(Code.NO_SUCH_PAGES, f"page {page}: the document has 3 pages")
        if page == 3:
            raise PageloomError(Code.TIMED_OUT, "page 3: too slow")
        return PNG

    def figure(self, key: str, name: str) -> bytes:
        if name != FIGURE.name:
            raise Absent("the document has no such picture")
        return PNG

    def download(self, key: str, form: Format) -> Download:
        opened = self.open(key)
        return Download(filename=f"{opened.document.filename}.md", media_type="text/markdown; charset=utf-8", content=b"# text")

    def search(self, query: str, limit: int) -> Found:
        return Found(hits=self.hits[:limit], problems=(f"said of {query}",))

    def samples(self) -> list[Sample]:
        return [Sample(at_ms=5, pages_per_s=2.5)]

    def connected(self) -> bool:
        return True
