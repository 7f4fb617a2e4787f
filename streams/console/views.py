"""A finished document in the pieces that a browser asks for: an overview, one page at a time, a table whole. Pure.

Guarantees: pieces are bounded, and say so where something was left out; boxes are points of the page as displayed; text is text, never markup.
"""

from collections.abc import Iterable

from msgspec import Struct

from schemas.content import BlockType
from schemas.document import Document, FinishedBlock, FinishedPage, FinishedTable, Join
from schemas.geometry import BBox, area

MAX_OUTLINE = 2_000
"""Headings of an overview: more is no outline that anybody reads."""
MAX_BLOCKS = 2_000
"""Of one page: a dense newspaper page has some 300; a logical page may be a whole chapter."""
MAX_CELLS = 20_000
"""Of one table: what a browser lays out within a second."""
MAX_TEXT = 100_000
"""Characters of one block: forty pages."""
MAX_WARNINGS = 100


class PageLine(Struct, frozen=True, kw_only=True):
    """A page in the overview."""

    number: int
    status: str
    confidence: float
    reasons: tuple[str, ...]
    engine: str | None
    error: str
    logical: bool


class Heading(Struct, frozen=True, kw_only=True):
    """An entry of the outline; `block` is empty for a bookmark of the file."""

    level: int
    title: str
    page: int | None
    block: str = ""


class Overview(Struct, frozen=True, kw_only=True):
    """What a document is, and all its pages."""

    key: str
    document_id: str
    filename: str
    revision: int
    status: str
    mode: str
    media_type: str
    metadata: dict[str, str]
    warnings: tuple[str, ...]
    pages: tuple[PageLine, ...]
    outline: tuple[Heading, ...]
    blocks: int
    tables: int
    drawable: bool
    low_confidence: float


class CellView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A cell of a table; `bbox` is on its page, None where the format has no places."""

    row: int
    column: int
    text: str
    page: int
    row_span: int = 1
    column_span: int = 1
    bbox: BBox | None = None


class TableView(Struct, frozen=True, kw_only=True):
    """A whole table with its seams. `left_out` counts the cells beyond `MAX_CELLS`."""

    rows: int
    columns: int
    header_rows: int
    confidence: float
    cells: tuple[CellView, ...]
    joins: tuple[Join, ...]
    left_out: int = 0


class BlockView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A block as it concerns one page: its `boxes` there, and the pages that it runs over besides."""

    id: str
    type: str
    text: str
    confidence: float
    level: int | None = None
    boxes: tuple[BBox, ...] = ()
    other_pages: tuple[int, ...] = ()
    list_depth: int | None = None
    field: tuple[str, str] | None = None
    figure: str = ""
    table: TableView | None = None
    links: tuple[tuple[str, str], ...] = ()


class PageView(Struct, frozen=True, kw_only=True):
    """One page with its blocks in reading order. `left_out` counts the blocks beyond `MAX_BLOCKS`."""

    number: int
    status: str
    confidence: float
    text_layer_confidence: float
    reasons: tuple[str, ...]
    engine: str | None
    error: str
    width_pt: float
    height_pt: float
    blocks: tuple[BlockView, ...]
    left_out: int = 0


def overview_of(document: Document, key: str, *, drawable: bool, low_confidence: float) -> Overview:
    """The overview; the outline is the headings of the text, or the file's bookmarks where there are none."""
    return Overview(
        key=key,
        document_id=document.document_id,
        filename=document.filename,
        revision=document.revision,
        status=document.status.value,
        mode=document.mode,
        media_type=document.media_type,
        metadata=document.metadata,
        warnings=document.warnings[:MAX_WARNINGS],
        pages=tuple(_page_line(page) for page in document.pages),
        outline=_outline(document),
        blocks=len(document.blocks),
        tables=sum(1 for block in document.blocks if block.table is not None),
        drawable=drawable,
        low_confidence=low_confidence,
    )


def page_view(document: Document, number: int) -> PageView | None:
    """A page by its number; None where the document has no such page."""
    page = next((page for page in document.pages if page.number == number), None)
    if page is None:
        return None
    blocks = [block for block in document.blocks if any(region.page == number for region in block.regions)]
    return PageView(
        number=number,
        status=page.status.value,
        confidence=page.confidence,
        text_layer_confidence=page.text_layer_confidence,
        reasons=page.reasons,
        engine=page.engine,
        error=_error(page),
        width_pt=page.width_pt,
        height_pt=page.height_pt,
        blocks=tuple(_block_view(block, number) for block in blocks[:MAX_BLOCKS]),
        left_out=max(0, len(blocks) - MAX_BLOCKS),
    )


def figure_names(document: Document) -> Iterable[str]:
    """The names of the document's stored pictures; no other blob is given out."""
    return (block.figure.name for block in document.blocks if block.figure is not None)


def _page_line(page: FinishedPage) -> PageLine:
    return PageLine(
        number=page.number,
        status=page.status.value,
        confidence=page.confidence,
        reasons=page.reasons,
        engine=page.engine,
        error=_error(page),
        logical=page.logical,
    )


def _error(page: FinishedPage) -> str:
    return f"{page.error.code}: {page.error.message}" if page.error is not None else ""


def _outline(document: Document) -> tuple[Heading, ...]:
    headings = [
        Heading(level=block.level or 1, title=block.text[:200], page=block.regions[0].page if block.regions else None, block=block.id)
        for block in document.blocks
        if block.type is BlockType.HEADING and block.text
    ]
    bookmarks = [Heading(level=entry.level, title=entry.title[:200], page=entry.page) for entry in document.outline]
    return tuple((headings or bookmarks)[:MAX_OUTLINE])


def _block_view(block: FinishedBlock, number: int) -> BlockView:
    pages = sorted({region.page for region in block.regions})
    return BlockView(
        id=block.id,
        type=block.type.value,
        text="" if block.table is not None else block.text[:MAX_TEXT],
        confidence=round(block.confidence, 4),
        level=block.level,
        boxes=tuple(region.bbox for region in block.regions if region.page == number and area(region.bbox) > 0),
        other_pages=tuple(page for page in pages if page != number),
        list_depth=block.list_depth,
        field=(block.field.label or block.field.name, block.field.value) if block.field is not None else None,
        figure=block.figure.name if block.figure is not None else "",
        table=_table_view(block.table) if block.table is not None else None,
        links=tuple((link.text, link.target) for link in block.links[:MAX_BLOCKS]),
    )


def _table_view(table: FinishedTable) -> TableView:
    cells = tuple(
        CellView(
            row=cell.row,
            column=cell.column,
            text=cell.text[:MAX_TEXT],
            page=cell.page,
            row_span=cell.row_span,
            column_span=cell.column_span,
            bbox=cell.bbox if cell.bbox is not None and area(cell.bbox) > 0 else None,
        )
        for cell in table.cells[:MAX_CELLS]
    )
    return TableView(
        rows=len(table.rows),
        columns=table.columns,
        header_rows=table.header_rows,
        confidence=table.confidence,
        cells=cells,
        joins=table.joins,
        left_out=max(0, len(table.cells) - MAX_CELLS),
    )
