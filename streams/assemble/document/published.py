"""Turns a settled draft into the finished document: ids, texts, safe HTML, pages. Decides nothing about the text any more."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from schemas.content import BlockType, Link, Span
from schemas.document import Document, DocumentStatus, FinishedBlock, FinishedPage, FinishedPageStatus, NoteReference
from schemas.text import CODE_LANGUAGE, LINE_BREAK
from streams.assemble.document.draft import Draft, Piece
from streams.assemble.document.pages import PageInput
from streams.assemble.render.block_html import BlockParts, block_html
from streams.assemble.render.inline_html import marks_of
from streams.assemble.render.table_cells import table_spans, table_text
from streams.assemble.text.emphasis import MAX_JOINED_SPANS

_UNEMPHASISED = frozenset({BlockType.CODE, BlockType.EQUATION, BlockType.FORM_FIELD})
"""What is written as it is, without emphasis."""


def published_document(draft: Draft, revision: int) -> Document:
    """The document as it is published."""
    opened = draft.opened
    pages = tuple(_finished_page(sheet.page) for sheet in draft.sheets)
    names, marks = _names(draft), _marks(draft)
    failed = any(page.status is FinishedPageStatus.FAILED for page in pages)
    return Document(
        document_id=opened.document_id,
        submission=opened.submission.id,
        revision=revision,
        content_sha256=opened.content_sha256,
        filename=opened.filename,
        media_type=opened.media_type,
        mode=opened.options.mode.value,
        status=DocumentStatus.PARTIAL if failed else DocumentStatus.COMPLETE,
        page_count=len(pages),
        metadata=draft.metadata,
        outline=opened.outline,
        warnings=(*draft.warnings, *(f"{_page_list(numbers)}: {message}" for message, numbers in draft.notes.items())),
        pages=pages,
        blocks=tuple(_finished_block(piece, names, marks) for piece in draft.pieces()),
    )


def _finished_page(page: PageInput) -> FinishedPage:
    return FinishedPage(
        number=page.page,
        status=page.status,
        text_layer_confidence=round(page.text_layer_confidence, 4),
        confidence=round(page.confidence, 4),
        reasons=page.reasons,
        width_pt=round(page.width_pt, 2),
        height_pt=round(page.height_pt, 2),
        rotation=page.rotation,
        engine=page.engine,
        error=page.error,
        logical=page.logical,
    )


def _names(draft: Draft) -> dict[tuple[int, int], str]:
    """The ids of figures and tables by page and number there, where captions look for them; of a part of a table the id of the whole."""
    named = {}
    for piece in draft.pieces():
        if piece.type in (BlockType.FIGURE, BlockType.TABLE):
            for part in (piece, *piece.fragments):
                named[part.page, part.number] = _identity(piece)
    return named


def _identity(piece: Piece) -> str:
    """A block's id is its page and its number there as read, so it does not move when something before it changes."""
    return f"p{piece.page}-{piece.number}"


def _marks(draft: Draft) -> dict[str, list[str]]:
    """By the id of a note the ids of the marks that refer to it, in the order of the text."""
    marks: dict[str, list[str]] = defaultdict(list)
    for piece in draft.pieces():
        if piece.notes:
            text, links = (_text(piece), _links(piece)) if piece.table is None else (table_text(piece.table.rows), ())
            for mark, note in marks_of(_identity(piece), text, links, _references(piece)):
                marks[note].append(mark)
    return marks


def _references(piece: Piece) -> tuple[NoteReference, ...]:
    return tuple(NoteReference(offset=offset, length=length, note=_identity(note)) for offset, length, note in piece.notes)


def _finished_block(piece: Piece, names: dict[tuple[int, int], str], marks: Mapping[str, Sequence[str]]) -> FinishedBlock:
    identity, of = _identity(piece), piece.block.caption_of
    table = piece.table.finished() if piece.table is not None else None
    text = table_text(table.rows) if table is not None else _text(piece)
    field, links = piece.block.field, _links(piece)
    spans = _table_spans(piece) if table is not None else tuple(piece.spans) if piece.type not in _UNEMPHASISED else ()
    notes = _references(piece) if piece.notes else ()
    shown = BlockParts(identity, piece.type, text, piece.level, links, table, field, notes, spans, marks.get(identity, ()))
    return FinishedBlock(
        id=identity,
        type=piece.type,
        level=piece.level if piece.type is BlockType.HEADING else None,
        text=text,
        html=block_html(shown),
        heading_path=piece.heading_path,
        confidence=round(piece.confidence, 4),
        regions=tuple(piece.regions),
        links=links,
        list_depth=piece.block.list_depth if piece.type is BlockType.LIST_ITEM else None,
        field=field,
        figure=piece.block.figure,
        table=table,
        caption_of=names.get((piece.page, of)) if of is not None and piece.type is BlockType.CAPTION else None,
        notes=notes,
        sideways_of=_identity(piece.sideways_of) if piece.sideways_of is not None else None,
        spans=spans,
        language=piece.block.language if piece.type is BlockType.CODE and CODE_LANGUAGE.fullmatch(piece.block.language) else "",
    )


def _table_spans(piece: Piece) -> tuple[Span, ...]:
    """What is set off in the cells of a table, by offsets in the table's text."""
    joined = piece.table
    if joined is None:
        return ()
    return tuple(islice(table_spans(joined.rows, ((cell.row, cell.column, cell.spans) for cell in joined.cells)), MAX_JOINED_SPANS))


def _text(piece: Piece) -> str:
    """One line, except where lines carry meaning or their author ended them."""
    if piece.type in (BlockType.CODE, BlockType.EQUATION):
        return piece.text.strip("\n")
    piece.make_line()
    return piece.text.replace(LINE_BREAK, "\n")


def _links(piece: Piece) -> tuple[Link, ...]:
    """Its hyperlinks, with their text as `_text` writes it."""
    return tuple(replace(link, text=link.text.replace(LINE_BREAK, "\n")) if LINE_BREAK in link.text else link for link in piece.links)


def _page_list(numbers: list[int]) -> str:
    """`page 3`, `pages 3-5, 9`."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    shown = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
    return f"page {shown}" if len(numbers) == 1 else f"pages {shown}"
