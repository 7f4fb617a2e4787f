"""Blocks of one part of a document as logical pages: one, or several where there are more blocks than a page may have.

Links inside a document name a place while it is read (`#` and the place) and a page in the end, since only then all places are known.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from schemas.content import Block, BlockType, Link
from streams.read.structure.logical_page import CERTAIN, LogicalPage, Picture

MAX_PAGE_BLOCKS = 10_000
"""A chapter of some hundred printed pages. Assembly keeps twice as many of a page, and a model or reader of events takes no more at once."""


def divided(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """(first, end) of every page: at most `MAX_PAGE_BLOCKS` blocks, cut before the weightiest heading in the later half."""
    pages = []
    first = 0
    while len(blocks) - first > MAX_PAGE_BLOCKS:
        later = range(first + MAX_PAGE_BLOCKS // 2, first + MAX_PAGE_BLOCKS)
        headings = [number for number in later if blocks[number].type is BlockType.HEADING]
        end = min(headings, key=lambda number: (blocks[number].level or 6, -number)) if headings else first + MAX_PAGE_BLOCKS
        pages.append((first, end))
        first = end
    return [*pages, (first, len(blocks))]


def logical_pages(
    blocks: Sequence[Block],
    pictures: Sequence[Picture] = (),
    *,
    confidence: float = CERTAIN,
    reasons: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (),
    logical: bool = True,
) -> list[LogicalPage]:
    """The pages of one part. What is said of the characters holds for each, `warnings` stand on the first. `logical` as of a page."""
    found: list[LogicalPage] = []
    for first, end in divided(blocks):
        found.append(
            LogicalPage(
                blocks=tuple(_moved(block, first, end) for block in blocks[first:end]),
                pictures=tuple(replace(picture, block=picture.block - first) for picture in pictures if first <= picture.block < end),
                confidence=confidence,
                reasons=reasons,
                logical=logical,
                warnings=() if found else warnings,
            )
        )
    return found


def _moved(block: Block, first: int, end: int) -> Block:
    """A block on a page that begins at block `first`: a caption counts from there, and loses what stands on another page."""
    if block.caption_of is None or first == 0:
        return block
    return replace(block, caption_of=block.caption_of - first if first < block.caption_of <= end else None)


def with_page_links(page: LogicalPage, number: int, page_at: Callable[[str], int | None]) -> LogicalPage:
    """Page `number` with inner links that name pages; those that lead nowhere, or stay on the page, are dropped."""
    if not any(link.target.startswith("#") for block in page.blocks for link in block.links):
        return page
    return replace(page, blocks=tuple(_with_page_links(block, number, page_at) if block.links else block for block in page.blocks))


def _with_page_links(block: Block, number: int, page_at: Callable[[str], int | None]) -> Block:
    links = []
    for link in block.links:
        if not link.target.startswith("#"):
            links.append(link)
        elif (target := page_at(link.target[1:])) is not None and target != number:
            links.append(Link(text=link.text, target=f"#page={target}"))
    return replace(block, links=tuple(links))
