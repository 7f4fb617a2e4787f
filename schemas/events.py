"""The events on the log: past tense, frozen, one Avro record each (`schemas/avsc/<Name>.avsc`, the same fields in the same order).

Which event is written to which topic, by whom, stands in `streams/topics.py`. A new field has a default, so that old data is read by
new code; nothing is renamed or removed. Times are milliseconds since the epoch. Pages count from 1.
"""

from enum import Enum

from msgspec import Struct

from schemas.content import BlobReference, PageContent
from schemas.document import Document, OutlineEntry
from schemas.errors import Failure
from schemas.geometry import BBox
from schemas.identity import Submission


class Mode(str, Enum):
    """How much work a document gets."""

    DISABLE_OCR = "disable_ocr"
    FAST = "fast"
    BALANCED = "balanced"


class Format(str, Enum):
    """What a finished document is written as."""

    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"


class Priority(str, Enum):
    """Who waits for whom."""

    INTERACTIVE = "interactive"
    NORMAL = "normal"
    BULK = "bulk"


class DocumentOptions(Struct, frozen=True, kw_only=True):
    """What the producer asks for. `pages` like `1-20,25`; None in `engine` and `dpi` leaves the choice to the settings."""

    mode: Mode = Mode.FAST
    formats: tuple[Format, ...] = (Format.MARKDOWN, Format.JSON)
    pages: str | None = None
    engine: str | None = None
    dpi: int | None = None
    join_tables: bool = True
    priority: Priority = Priority.NORMAL
    tenant: str = "default"


class DocumentSubmitted(Struct, frozen=True, kw_only=True):
    """A producer submits a document: its bytes, a blob that it stored before, or a URI below a root that the settings allow.

    The record's key is the document id. `password` is used once and never written to another event.
    """

    content: bytes | None = None
    document: BlobReference | None = None
    uri: str | None = None
    filename: str = ""
    content_type: str | None = None
    password: str | None = None
    metadata: dict[str, str] = {}
    options: DocumentOptions = DocumentOptions()


class DocumentOpened(Struct, frozen=True, kw_only=True):
    """A submission is a document of `page_count` pages, of which `pages` were asked for (ascending, none twice).

    `parser` is `mupdf`, or `pdfium` for a PDF in which only that one finds pages.
    """

    document_id: str
    submission: Submission
    document: BlobReference
    content_sha256: str
    filename: str
    media_type: str
    page_count: int
    pages: tuple[int, ...]
    options: DocumentOptions
    metadata: dict[str, str] = {}
    outline: tuple[OutlineEntry, ...] = ()
    warnings: tuple[str, ...] = ()
    parser: str = "mupdf"


class DocumentRejected(Struct, frozen=True, kw_only=True):
    """A submission cannot be opened."""

    document_id: str
    submission: Submission
    filename: str
    failure: Failure


class DocumentDeleted(Struct, frozen=True, kw_only=True):
    """The producer wants nothing of the document kept. `submission` is the ingest record that said so."""

    document_id: str
    submission: Submission


class DocumentCancelled(Struct, frozen=True, kw_only=True):
    """Somebody gave up the unfinished submissions of a document that were logged before `requested_ms`."""

    document_id: str
    requested_ms: int
    reason: str = ""


class PageRangeReady(Struct, frozen=True, kw_only=True):
    """A unit of work for a reader: consecutive pages of one document, all of them asked for. `parser` is the one that found the pages."""

    document_id: str
    submission: Submission
    document: BlobReference
    filename: str
    media_type: str
    page_count: int
    first_page: int
    last_page: int
    options: DocumentOptions
    parser: str = "mupdf"


class PageStatus(str, Enum):
    """What reading a page from its file found."""

    EXTRACTED = "extracted"
    BLANK = "blank"


class DoubtfulRegion(Struct, frozen=True, kw_only=True):
    """A part of a page whose text cannot be trusted while the rest can: its box, the probability that its text is right, and why.

    `requested`: a model is asked to read it. Where regions of a page are requested, the page's image shows these alone.
    """

    bbox: BBox
    confidence: float
    reasons: tuple[str, ...]
    requested: bool = False


class PageExtracted(Struct, frozen=True, kw_only=True):
    """A page was read from its file. Written for every page; `recognition_requested` says that a window with it follows.

    `text_layer_confidence` is the probability 0..1 that the text layer says what the page shows; `reasons` are machine-readable.
    The content is inline when small, else a blob that holds `PageContent` in the same encoding. `logical`: the file knows no such page; its number
    counts sections, sheets or chapters.
    """

    document_id: str
    submission: Submission
    page: int
    status: PageStatus
    text_layer_confidence: float
    reasons: tuple[str, ...]
    recognition_requested: bool
    width_pt: float
    height_pt: float
    rotation: int
    content: PageContent | None = None
    content_reference: BlobReference | None = None
    warnings: tuple[str, ...] = ()
    attempts: int = 1
    regions: tuple[DoubtfulRegion, ...] = ()
    logical: bool = False


class PageImage(Struct, frozen=True, kw_only=True):
    """A rendered page: upright as displayed, PNG. `pixels_sha256` names the pixels, not the file."""

    page: int
    image: BlobReference
    pixels_sha256: str
    width_px: int
    height_px: int
    dpi: float
    width_pt: float
    height_pt: float
    rotation: int


class PageWindowRequested(Struct, frozen=True, kw_only=True):
    """Consecutive low-confidence pages for a model, at most as many as the engine takes at once."""

    document_id: str
    submission: Submission
    first_page: int
    last_page: int
    images: tuple[PageImage, ...]
    engine: str
    mode: Mode
    priority: Priority = Priority.NORMAL
    tenant: str = "default"


class RecognizedPage(Struct, frozen=True, kw_only=True):
    """One page as a model read it, or why it could not. `confidence` 0..1 is the model's own; `problems` are what the guards found.

    `engine`: which one read it, where it is not the one of its window.
    """

    page: int
    content: PageContent | None = None
    content_reference: BlobReference | None = None
    failure: Failure | None = None
    confidence: float = 0.0
    problems: tuple[str, ...] = ()
    attempts: int = 1
    cached: bool = False
    engine: str | None = None


class PageWindowRecognized(Struct, frozen=True, kw_only=True):
    """The answer to a window: exactly its pages, each recognized or failed."""

    document_id: str
    submission: Submission
    first_page: int
    last_page: int
    engine: str
    engine_version: str
    pages: tuple[RecognizedPage, ...]


class PageFailed(Struct, frozen=True, kw_only=True):
    """A page could not be read at all: it costs its page, not its document."""

    document_id: str
    submission: Submission
    page: int
    failure: Failure
    filename: str = ""


class Rendering(Struct, frozen=True, kw_only=True):
    """A finished document in one format, UTF-8: inline when small, else a blob."""

    format: Format
    text: str | None = None
    reference: BlobReference | None = None


class DocumentParsed(Struct, frozen=True, kw_only=True):
    """A document is finished, complete or partial. Exactly one of `document` and `document_reference` (its JSON) is there."""

    document_id: str
    submission: Submission
    revision: int
    status: str
    filename: str
    content_sha256: str
    document: Document | None = None
    document_reference: BlobReference | None = None
    renderings: tuple[Rendering, ...] = ()


class DocumentFailed(Struct, frozen=True, kw_only=True):
    """A submission ended without a document."""

    document_id: str
    submission: Submission
    filename: str
    failure: Failure


class Progress(str, Enum):
    """Where a submission is."""

    OPENED = "opened"
    READING = "reading"
    FINISHING = "finishing"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


class DocumentProgressed(Struct, frozen=True, kw_only=True):
    """How far a submission is: pages asked for, and how many of them are in each state."""

    document_id: str
    submission: Submission
    filename: str
    progress: Progress
    pages: int
    extracted: int = 0
    recognizing: int = 0
    recognized: int = 0
    failed: int = 0


class DeadLettered(Struct, frozen=True, kw_only=True):
    """Bytes that are no event of ours, with where they stood and why. `value` is cut at a bound; hash and size are of all of it."""

    topic: str
    partition: int
    offset: int
    stage: str
    cause: str
    message: str
    key: bytes | None
    value: bytes | None
    value_size_bytes: int
    value_sha256: str
