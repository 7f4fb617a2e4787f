"""Finished documents for reading: found on `documents.parsed`, opened, kept for a while; pages drawn on demand in a child process.

Guarantees: memory is bounded by bytes, not by how many documents there are; nothing of a document's bytes is parsed in this process; only pictures
that the document itself names are given out.
"""

import io
import tempfile
import threading
import zipfile
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from schemas import codec
from schemas.blobs import BlobStore
from schemas.document import Document
from schemas.errors import Code, PageloomError
from schemas.events import DocumentParsed, Format, Rendering
from schemas.identity import REVISIONS_PER_MS, path_name
from streams.assemble.render.formats import render
from streams.console.board import Board, Known
from streams.console.card import Origin, Stage
from streams.console.kept import Kept
from streams.console.lookup import find_record
from streams.console.port import Absent, Download, OpenDocument
from streams.console.tracking import OpenedPages
from streams.console.views import figure_names
from streams.following import DocumentFinished
from streams.index.sink import Hit
from streams.outputs import FIGURES_SUFFIX, SUFFIXES, write_document
from streams.read.preview import draw_page, is_drawable
from streams.sandbox import Sandbox
from streams.settings import Settings
from streams.topics import EVENTS, PARSED

MAX_JSON_BYTES = 64 * 2**20
"""Of a document that is shown page by page: some 20,000 pages of text. A larger one is left to the consumers of its topic."""
KEPT_JSON_BYTES = 128 * 2**20
"""Of all documents that are kept open, by the size of their JSON; in memory they take about four times that."""
KEPT_PICTURE_BYTES = 96 * 2**20
"""Of drawn pages: some 400."""
MAX_FIGURE_BYTES = 32 * 2**20
MAX_DOWNLOAD_BYTES = 2**30
DRAWERS = 2
"""Child processes that draw: a person looks at one page, and the next ones are asked for ahead."""
QUEUE_FACTOR = 3
"""A picture may wait for others, each of which may take its whole time."""
MAX_HITS_KEPT = 2_000
"""Documents that were found by searching and are not on the board."""
MEDIA_TYPES = {Format.MARKDOWN: "text/markdown; charset=utf-8", Format.JSON: "application/json", Format.HTML: "text/html; charset=utf-8"}


class _Held(Struct, frozen=True):
    """A document as it is kept: with the event that published it."""

    opened: OpenDocument
    finished: DocumentFinished
    origin: Origin | None


class Library:
    """The finished documents of one cluster. Thread-safe."""

    def __init__(self, settings: Settings, board: Board) -> None:
        self._settings, self._board = settings, board
        self._blobs = BlobStore(settings.blob_store_url)
        self._held: Kept[_Held] = Kept(KEPT_JSON_BYTES)
        self._pictures: Kept[bytes] = Kept(KEPT_PICTURE_BYTES)
        self._hits: OrderedDict[str, Known] = OrderedDict()
        self._hits_lock = threading.Lock()
        self._fetching = threading.Lock()
        self._sandbox = Sandbox(
            DRAWERS,
            max_tasks=settings.child_tasks,
            memory_bytes=settings.child_memory_bytes,
            network=settings.store_is_remote,
            preload=("streams.read.preview",),
        )

    def close(self) -> None:
        """Ends the child processes."""
        self._sandbox.close()

    def remember(self, hits: Sequence[Hit]) -> None:
        """Documents that were found can be opened, however old they are."""
        with self._hits_lock:
            for hit in hits:
                key = path_name(hit.document_id)
                self._hits[key] = Known(
                    key=key, document_id=hit.document_id, since_ms=hit.revision // REVISIONS_PER_MS, revision=hit.revision
                )  # fmt: skip
                self._hits.move_to_end(key)
            while len(self._hits) > MAX_HITS_KEPT:
                self._hits.popitem(last=False)

    def open(self, key: str) -> OpenDocument:
        """See `Pipeline.open`."""
        return self._hold(key).opened

    def picture(self, key: str, page: int) -> bytes:
        """See `Pipeline.picture`."""
        held = self._hold(key)
        if held.origin is None or not held.opened.drawable:
            raise Absent("pages of this document cannot be drawn: its format has none, or the topics no longer say where it is")
        place = (held.origin.document.name, held.origin.parser, page)
        drawn = self._pictures.get(place)
        if drawn is not None:
            return drawn
        path = self._blobs.local_path(held.origin.document, self._settings.cache_path, self._settings.max_document_bytes)
        timeout_s = self._settings.page_timeout_s
        task = self._sandbox.submit(
            draw_page, str(path), held.origin.media_type, held.origin.parser, page, timeout_s=timeout_s, limit_setting="page_timeout_s"
        )
        try:
            drawn = task.result(QUEUE_FACTOR * timeout_s)
        except TimeoutError:
            task.cancel()
            raise PageloomError(
                Code.TIMED_OUT, f"page {page} was not drawn in time (page_timeout_s of the settings): other pages are being drawn"
            ) from None
        return self._pictures.put(place, drawn, len(drawn))

    def figure(self, key: str, name: str) -> bytes:
        """See `Pipeline.figure`."""
        document = self.open(key).document
        if name not in figure_names(document):
            raise Absent("the document has no such picture")
        reference = next(block.figure for block in document.blocks if block.figure is not None and block.figure.name == name)
        return self._blobs.get(reference, MAX_FIGURE_BYTES)

    def download(self, key: str, form: Format) -> Download:
        """See `Pipeline.download`. HTML holds its pictures; Markdown that has pictures comes with them as a ZIP file."""
        held = self._hold(key)
        finished, document = held.finished, held.opened.document
        wanted = {rendering.format: rendering for rendering in finished.renderings}
        for needed in {form, Format.JSON} - wanted.keys():
            wanted[needed] = Rendering(format=needed, text=render(document, needed))
        finished = msgspec.structs.replace(finished, renderings=(wanted[form], wanted[Format.JSON]) if form is not Format.JSON else (wanted[form],))
        name = Path(document.filename.replace("/", "_") or "document").name
        with tempfile.TemporaryDirectory(prefix="pageloom-download-") as folder:
            content = write_document(Path(folder), "document", finished, self._blobs, MAX_DOWNLOAD_BYTES)[form]
            pictures = Path(folder) / f"document{FIGURES_SUFFIX}"
            if form is Format.MARKDOWN and pictures.is_dir():
                return Download(filename=f"{name}.zip", media_type="application/zip", content=_zipped(content, pictures))
        return Download(filename=f"{name}{SUFFIXES[form]}", media_type=MEDIA_TYPES[form], content=content)

    def _hold(self, key: str) -> _Held:
        """The newest finished submission of a document, from memory where it is. Raises Absent, PageloomError, KafkaClientError."""
        known = self._board.known(key) or self._hits.get(key)
        if known is None:
            raise Absent("no such document here; it was deleted, or search for it")
        if known.stage is not None and known.stage not in (Stage.COMPLETE, Stage.PARTIAL):
            known = self._hits.get(key) or known
            if known.stage is not None:
                raise Absent(f"the document is {known.stage.value}; there is nothing to read yet")
        place = (key, known.submission or known.revision)
        held = self._held.get(place)
        if held is not None:
            return held
        with self._fetching:  # one look-up at a time: two for one document would do the work twice
            held = self._held.get(place)
            if held is None:
                held, size_bytes = self._fetch(known)
                self._held.put(place, held, size_bytes)
        return held

    def _fetch(self, known: Known) -> tuple[_Held, int]:
        def is_it(value: bytes) -> bool:
            if codec.name_of(value) != DocumentParsed.__name__:
                return False
            found = codec.decode(value, DocumentFinished, DocumentParsed.__name__)
            return found.submission == known.submission if known.submission is not None else found.revision == known.revision

        record = find_record(self._settings, PARSED.name, known.document_id, known.since_ms, known.partition, is_it)
        if record is None or record.value is None:
            raise Absent("the topic documents.parsed no longer holds this document; publish the file again")
        finished = codec.decode(record.value, DocumentFinished, DocumentParsed.__name__)
        document, size_bytes = self._document(record.value, finished)
        origin = known.origin or self._origin(known, finished)
        opened = OpenDocument(key=known.key, document=document, drawable=origin is not None and is_drawable(origin.media_type))
        return _Held(opened, finished, origin), size_bytes

    def _document(self, value: bytes, finished: DocumentFinished) -> tuple[Document, int]:
        """The finished document with about its size in bytes. Raises Absent for one that is too large, and what the store raises."""
        if finished.document_reference is None:
            parsed = codec.decode(value, DocumentParsed)
            if parsed.document is None:
                raise PageloomError(Code.UNDECODABLE, f"{finished.document_id}: a parsed document with neither content nor reference")
            return parsed.document, len(value)
        if finished.document_reference.size_bytes > MAX_JSON_BYTES:
            size = f"{finished.document_reference.size_bytes / 2**20:.0f} MiB"
            raise Absent(f"the document's JSON has {size}, more than the console opens; take it from documents.parsed, or `pageloom parse` it")
        data = self._blobs.get(finished.document_reference, MAX_JSON_BYTES)
        try:
            return msgspec.json.decode(data, type=Document), len(data)
        except msgspec.DecodeError as error:
            raise PageloomError(Code.UNDECODABLE, f"{finished.document_id}: its stored JSON is damaged") from error

    def _origin(self, known: Known, finished: DocumentFinished) -> Origin | None:
        """Where the pages are drawn from, of a document that was opened before the console looked; None where the log has forgotten it."""

        def is_it(value: bytes) -> bool:
            wanted = codec.name_of(value) == "DocumentOpened"
            return wanted and codec.decode(value, OpenedPages, "DocumentOpened").submission == finished.submission

        record = find_record(self._settings, EVENTS.name, known.document_id, finished.submission.appended_ms, known.partition, is_it)
        if record is None or record.value is None:
            return None
        event = codec.decode(record.value, OpenedPages, "DocumentOpened")
        return Origin(document=event.document, media_type=event.media_type, parser=event.parser, filename=event.filename)


def _zipped(markdown: bytes, pictures: Path) -> bytes:
    """A ZIP file of a Markdown text and its pictures, which it links to."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("document.md", markdown)
        for picture in sorted(pictures.iterdir()):
            archive.write(picture, f"{pictures.name}/{picture.name}", compress_type=zipfile.ZIP_STORED)
    return buffer.getvalue()
