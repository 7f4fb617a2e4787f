"""Documents of pages, made in code: small builders for blocks, tables and pages as a reader would hand them over."""

from collections.abc import Iterable, Sequence
from typing import Any

from schemas.content import BlobReference, Block, BlockType, Cell, PageContent, Source, Table, TextStyle
from schemas.document import Document, FinishedBlock, FinishedPageStatus, FinishedTable, OutlineEntry, PageError
from schemas.events import DocumentOpened, DocumentOptions
from schemas.geometry import BBox
from schemas.identity import Submission
from streams.assemble.document.build import build_document
from streams.assemble.document.pages import PageInput

WIDTH, HEIGHT = 595.0, 842.0
BODY = TextStyle(size_pt=10.0, font="Serif")
HEADER = ["No.", "Name", "Amount"]
SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=7, appended_ms=1_700_000_000_000)


def block(text: str, y: float = 100.0, kind: BlockType = BlockType.PARAGRAPH, **more: Any) -> Block:
    """A block of one line of 12 points, `y` points from the top, over the whole type area unless `bbox` says otherwise."""
    more.setdefault("bbox", (50.0, y, 545.0, y + 12.0))
    more.setdefault("style", BODY)
    more.setdefault("column", (50.0, 545.0))
    return Block(type=kind, text=text, **more)


def paragraph(text: str, y: float = 100.0, **more: Any) -> Block:
    """A paragraph of several lines whose last line is full."""
    return block(text, y, line_count=more.pop("line_count", 3), **more)


def heading(text: str, y: float = 80.0, size: float = 16.0, bold: bool = True, **more: Any) -> Block:
    """A heading in large type."""
    return block(text, y, BlockType.HEADING, style=TextStyle(size_pt=size, font="Serif", bold=bold), **more)


def table(rows: Sequence[Sequence[str]], y: float = 70.0, bottom: float | None = None, header_rows: int = 0, x: float = 50.0, **more: Any) -> Block:
    """A ruled table over the type area. It reaches to `bottom` (default: 14 points a row)."""
    columns = len(rows[0])
    bottom = y + 14.0 * len(rows) if bottom is None else bottom
    step, tall = (545.0 - 50.0) / columns, (bottom - y) / len(rows)
    edges = tuple(x + step * i for i in range(columns + 1))
    cells = tuple(
        Cell(row=r, column=c, text=text, bbox=(edges[c], y + tall * r, edges[c + 1], y + tall * (r + 1)))
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    )
    grid = Table(
        rows=len(rows),
        columns=columns,
        cells=more.pop("cells", cells),
        header_rows=header_rows,
        column_edges=more.pop("column_edges", edges),
        ruled=more.pop("ruled", 1.0),
        full_cells=more.pop("full_cells", ()),
    )
    return Block(type=BlockType.TABLE, bbox=(x, y, edges[-1], bottom), table=grid, **more)


def page(number: int, *blocks: Block, status: FinishedPageStatus = FinishedPageStatus.EXTRACTED, **more: Any) -> PageInput:
    """A page with these blocks."""
    content = PageContent(page=number, width_pt=WIDTH, height_pt=HEIGHT, rotation=0, source=Source.TEXT_LAYER, blocks=blocks)
    return PageInput(
        page=number,
        status=status,
        text_layer_confidence=0.9,
        confidence=0.9,
        reasons=(),
        width_pt=more.pop("width_pt", WIDTH),
        height_pt=HEIGHT,
        rotation=0,
        content=content,
        **more,
    )


def blank(number: int) -> PageInput:
    """A page without ink."""
    return PageInput(
        page=number,
        status=FinishedPageStatus.BLANK,
        text_layer_confidence=1.0,
        confidence=1.0,
        reasons=(),
        width_pt=WIDTH,
        height_pt=HEIGHT,
        rotation=0,
    )


def failed(number: int) -> PageInput:
    """A page that could not be read."""
    return PageInput(
        page=number,
        status=FinishedPageStatus.FAILED,
        text_layer_confidence=0.0,
        confidence=0.0,
        reasons=(),
        width_pt=WIDTH,
        height_pt=HEIGHT,
        rotation=0,
        error=PageError(code="timed_out", stage="read", message="page: too slow", retryable=True),
    )


def opened(pages: Iterable[int], outline: Sequence[OutlineEntry] = (), metadata: dict[str, str] | None = None, **options: Any) -> DocumentOpened:
    """A submission of which these pages were asked for."""
    numbers = tuple(sorted(pages))
    return DocumentOpened(
        document_id="made",
        submission=SUBMISSION,
        document=BlobReference(name="shared/ab/ab", size_bytes=1, sha256="ab"),
        content_sha256="ab",
        filename="made.pdf",
        media_type="application/pdf",
        page_count=max(numbers, default=0),
        pages=numbers,
        options=DocumentOptions(**options),
        metadata=metadata or {},
        outline=tuple(outline),
    )


def build(*pages: PageInput, outline: Sequence[OutlineEntry] = (), metadata: dict[str, str] | None = None, **options: Any) -> Document:
    """The finished document of these pages."""
    return build_document(opened((p.page for p in pages), outline, metadata, **options), pages, 1)


def of_type(document: Document, kind: BlockType) -> list[FinishedBlock]:
    """The blocks of one type, in order."""
    return [b for b in document.blocks if b.type is kind]


def texts(document: Document, kind: BlockType = BlockType.PARAGRAPH) -> list[str]:
    """Their texts."""
    return [b.text for b in of_type(document, kind)]


def tables(document: Document) -> list[FinishedTable]:
    """All tables, in order."""
    return [b.table for b in document.blocks if b.table is not None]


def rows(first: int, count: int) -> list[list[str]]:
    """Numbered rows of three columns."""
    return [[str(n), f"Company {n}", f"{n * 7}.50"] for n in range(first, first + count)]


def one(document: Document) -> FinishedTable:
    """The only table of a document."""
    (only,) = tables(document)
    return only


def apart(document: Document) -> list[str]:
    """The reasons for which tables were left apart; fails if any was joined."""
    assert all(len({r.page for r in b.regions}) == 1 for b in of_type(document, BlockType.TABLE))
    return [reason for t in tables(document) for j in t.joins for reason in j.reasons]


def whole_page(rows: Sequence[Sequence[str]], **more: Any) -> Block:
    """A table that fills the type area from top to bottom."""
    return table(rows, y=60.0, bottom=780.0, **more)


def line_box(x: float, y: float, width: float = 40.0) -> BBox:
    """The box of a short line."""
    return (x, y, x + width, y + 12.0)
