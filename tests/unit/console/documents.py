"""Finished documents and events for the tests of the console, made in code."""

from schemas.content import BlobReference, BlockType
from schemas.document import (
    Document,
    DocumentStatus,
    FinishedBlock,
    FinishedCell,
    FinishedPage,
    FinishedPageStatus,
    FinishedTable,
    Join,
    Region,
)
from schemas.identity import Submission, path_name

DOCUMENT_ID = "report.pdf-1"
KEY = path_name(DOCUMENT_ID)
FIGURE = BlobReference(name="runs/aa/bb/figure-0a.png", size_bytes=3, sha256="0" * 64)


def submission(offset: int = 0, appended_ms: int = 1_000) -> Submission:
    return Submission(topic="documents.ingest", partition=0, offset=offset, appended_ms=appended_ms)


def page(number: int, confidence: float = 0.98) -> FinishedPage:
    return FinishedPage(
        number=number,
        status=FinishedPageStatus.EXTRACTED,
        text_layer_confidence=confidence,
        confidence=confidence,
        reasons=(),
        width_pt=600.0,
        height_pt=800.0,
        rotation=0,
    )


def block(name: str, text: str, number: int = 1, kind: BlockType = BlockType.PARAGRAPH, **more: object) -> FinishedBlock:
    values = {
        "id": name,
        "type": kind,
        "level": 1 if kind is BlockType.HEADING else None,
        "text": text,
        "html": "",
        "heading_path": (),
        "confidence": 0.9,
        "regions": (Region(page=number, bbox=(10.0, 20.0, 300.0, 40.0)),),
    }
    return FinishedBlock(**(values | more))  # type: ignore[arg-type]


def table_over_pages(*last_row: str) -> FinishedBlock:
    rows = (("Lot", "Crop"), ("1", "Oats"), ("2", "Rye"), last_row or ("3", "Flax"))
    pages = (1, 1, 2, 3)
    cells = tuple(
        FinishedCell(
            row=row,
            column=column,
            row_span=1,
            column_span=1,
            text=text,
            page=pages[row],
            bbox=(10.0 + 50 * column, 100.0 + 20 * row, 60.0 + 50 * column, 120.0 + 20 * row),
        )
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    )
    joins = tuple(Join(from_page=n, to_page=n + 1, score=0.97, decision="joined", reasons=("columns_agree", "header_repeated")) for n in (1, 2))
    return block(
        "t1",
        "",
        kind=BlockType.TABLE,
        regions=tuple(Region(page=n, bbox=(10.0, 100.0, 110.0, 180.0)) for n in (1, 2, 3)),
        table=FinishedTable(header_rows=1, columns=2, confidence=0.95, rows=rows, cells=cells, joins=joins),
    )


def document(*blocks: FinishedBlock, pages: int = 3, filename: str = "report.pdf") -> Document:
    return Document(
        document_id=DOCUMENT_ID,
        submission="documents.ingest-0-0",
        revision=1_000_000,
        content_sha256="0" * 64,
        filename=filename,
        media_type="application/pdf",
        mode="fast",
        status=DocumentStatus.COMPLETE,
        page_count=pages,
        metadata={},
        outline=(),
        warnings=(),
        pages=tuple(page(number) for number in range(1, pages + 1)),
        blocks=blocks,
    )
