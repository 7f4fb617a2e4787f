"""Furniture on documents of one page: what place and words prove, and what must stay."""

import pytest

from schemas.content import Block, BlockType, TextStyle
from schemas.document import FinishedPageStatus
from tests.unit.assemble.made_documents import build, page, paragraph

TEXT = "The harbour opens at seven and closes after the last ferry, so that goods which arrive later stay in the northern shed. " * 3


def line(text: str, x: float, y: float, *, wide: float = 0.0, size: float = 8.0, kind: BlockType = BlockType.PARAGRAPH) -> Block:
    """One line; `wide` is its width where it has spaces within."""
    return Block(
        type=kind, text=text, bbox=(x, y, x + (wide or 0.5 * size * len(text)), y + 1.2 * size), style=TextStyle(size_pt=size), column=(50.0, 545.0)
    )


def kinds(*blocks: Block) -> list[BlockType]:
    document = build(page(1, *blocks))
    assert document.pages[0].status is FinishedPageStatus.EXTRACTED
    return [block.type for block in document.blocks]


BODY = (paragraph(TEXT, 150), paragraph(TEXT, 300), paragraph(TEXT, 450))


@pytest.mark.parametrize(
    "foot",
    [
        line("7", 295, 800),
        line("Page 7", 280, 800),
        line("- 12 -", 285, 640),
        line("www.harbour.example", 450, 800),
        line("Download date: 28 Dec 2018", 50, 810),
        line("Journal of Ports | www.ports.example 1 March 2014 | Volume 8 | Issue 3", 50, 800, wide=490),
        line("© Copyright Port Authority 2014. All rights reserved.", 50, 800),
        line("Page 1 PA-23-106826 | National Harbour Strategy", 50, 800, wide=490),
        line("Revision: 2.4 P/N 119-036 10 June 2019", 50, 760, wide=490, size=10),
    ],
    ids=lambda block: block.text[:12],
)
def test_feet(foot: Block) -> None:
    assert kinds(*BODY, foot) == [BlockType.PARAGRAPH] * 3 + [BlockType.PAGE_FOOTER]


def test_a_page_of_one_paragraph_keeps_its_number_out_of_it() -> None:
    assert kinds(BODY[0], line("1", 295, 780)) == [BlockType.PARAGRAPH, BlockType.PAGE_FOOTER]
    assert kinds(paragraph("A label", 150), line("1", 295, 780)) == [BlockType.PARAGRAPH] * 2


@pytest.mark.parametrize(
    "heads",
    [
        [line("Chapter 3 | Harbours 273", 50, 25, wide=490)],
        [line("Harbours in Action", 50, 25), line("447", 530, 25)],
        [line("454 O. Muster, A. Probe / Data in Brief 22 (2019) 451–457", 50, 25)],
        [line("Downloaded from http://ports.example/ on July 12, 2017", 120, 8), line("Harbours in Action", 50, 25), line("447", 530, 25)],
    ],
)
def test_heads(heads: list[Block]) -> None:
    assert kinds(*heads, *BODY) == [BlockType.PAGE_HEADER] * len(heads) + [BlockType.PARAGRAPH] * 3


@pytest.mark.parametrize(
    "kept",
    [
        line("Springfield, 10 June 2019", 50, 40, size=10),
        line("Invoice 4711", 50, 40, size=10),
        line("Ada Byron, 12 Ferry Lane, Springfield", 50, 40, size=10),
        line("With kind regards", 50, 800, size=10),
        line("Total 1,250.00", 50, 600, size=10),
        line("1 A note that explains a word.", 50, 800, kind=BlockType.FOOTNOTE),
        line("2 Methods", 50, 60, wide=490, size=12, kind=BlockType.HEADING),
        line("Made by hand", 50, 800),
    ],
    ids=lambda block: block.text[:12],
)
def test_what_a_letter_begins_and_ends_with_stays(kept: Block) -> None:
    blocks = (kept, *BODY) if kept.bbox[1] < 100 else (*BODY, kept)
    assert not {BlockType.PAGE_HEADER, BlockType.PAGE_FOOTER} & set(kinds(*blocks))


def test_a_page_of_hardly_anything_else_keeps_it() -> None:
    assert BlockType.PAGE_FOOTER not in kinds(line("A", 50, 100), line("B", 50, 400), line("www.harbour.example", 450, 800))
