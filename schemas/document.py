"""The finished document: the JSON that people get, field for field (`schemas/document.schema.json` says the same as JSON Schema).

A public contract: fields are added, never renamed or removed. Optional fields are left out where they do not apply. Boxes are points
of the page as displayed: after /Rotate, origin at the top left of the crop box.
"""

from enum import Enum

from msgspec import Struct

from schemas.content import BlobReference, BlockType, FormField, Link, Span
from schemas.geometry import BBox


class DocumentStatus(str, Enum):
    """Whether every page that was asked for is there."""

    COMPLETE = "complete"
    PARTIAL = "partial"


class FinishedPageStatus(str, Enum):
    """Where a page's text comes from."""

    EXTRACTED = "extracted"
    RECOGNIZED = "recognized"
    BLANK = "blank"
    FAILED = "failed"


class OutlineEntry(Struct, frozen=True, kw_only=True):
    """A bookmark: level from 1, title, page from 1 or None where it leads nowhere."""

    level: int
    title: str
    page: int | None = None


class PageError(Struct, frozen=True, kw_only=True):
    """Why a page is failed."""

    code: str
    stage: str
    message: str
    retryable: bool


class FinishedPage(Struct, frozen=True, kw_only=True):
    """What became of one page. `confidence` is of what is in the document; `engine` is None unless it or regions of it were recognized.

    `logical`: no page on paper, but a section, sheet or chapter of a format without pages; its number counts these.
    """

    number: int
    status: FinishedPageStatus
    text_layer_confidence: float
    confidence: float
    reasons: tuple[str, ...]
    width_pt: float
    height_pt: float
    rotation: int
    engine: str | None = None
    error: PageError | None = None
    logical: bool = False


class Region(Struct, frozen=True, kw_only=True):
    """Where a block stands: one region for each page or column that it runs over."""

    page: int
    bbox: BBox


class FinishedCell(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A cell of a finished table; rows and columns count from 0 in the joined table, `page` is where the cell was read.

    `regions` are all places of a cell that a page or column break cut; they are left out where `page` and `bbox` say it all.
    """

    row: int
    column: int
    row_span: int
    column_span: int
    text: str
    page: int
    bbox: BBox | None = None
    regions: tuple[Region, ...] = ()


class Join(Struct, frozen=True, kw_only=True):
    """Why a table goes on over a page or column break, or was left apart: score 0..1, `joined|possible|apart`, reasons."""

    from_page: int
    to_page: int
    score: float
    decision: str
    reasons: tuple[str, ...]


class FinishedTable(Struct, frozen=True, kw_only=True):
    """A whole table. `rows` are cell texts, header rows first, every row `columns` long; a span's text stands once, the rest is empty."""

    header_rows: int
    columns: int
    confidence: float
    rows: tuple[tuple[str, ...], ...]
    cells: tuple[FinishedCell, ...]
    joins: tuple[Join, ...] = ()


class NoteReference(Struct, frozen=True, kw_only=True):
    """Where a text refers to a footnote: `length` characters at `offset` are the mark, `note` is the id of the footnote's block."""

    offset: int
    length: int
    note: str


class FinishedBlock(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A block in reading order. `text` is plain, `html` is safe markup of the same; `heading_path` are the headings above it.

    `figure` is the picture of a figure or an equation; `caption_of` is, of a caption, the id of its figure or table; `notes` are the footnotes
    that the text refers to; `spans` are the parts of the text that are emphasised, code or formulas. `sideways_of` is, of a table that
    holds further columns of the same rows as the one before, the id of that one. `language` is that of code.
    """

    id: str
    type: BlockType
    level: int | None
    text: str
    html: str
    heading_path: tuple[str, ...]
    confidence: float
    regions: tuple[Region, ...]
    links: tuple[Link, ...] = ()
    list_depth: int | None = None
    field: FormField | None = None
    figure: BlobReference | None = None
    table: FinishedTable | None = None
    caption_of: str | None = None
    notes: tuple[NoteReference, ...] = ()
    sideways_of: str | None = None
    spans: tuple[Span, ...] = ()
    language: str = ""


class Document(Struct, frozen=True, kw_only=True):
    """A finished document. `submission` is the id of the submission; `page_count` counts the pages of `pages`."""

    document_id: str
    submission: str
    revision: int
    content_sha256: str
    filename: str
    media_type: str
    mode: str
    status: DocumentStatus
    page_count: int
    metadata: dict[str, str]
    outline: tuple[OutlineEntry, ...]
    warnings: tuple[str, ...]
    pages: tuple[FinishedPage, ...]
    blocks: tuple[FinishedBlock, ...]
