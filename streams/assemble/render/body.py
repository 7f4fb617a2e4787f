"""What of a finished document is its text: the blocks that people read, furniture and empty form fields left out."""

from collections.abc import Iterator

from schemas.content import FURNITURE, BlockType
from schemas.document import Document, FinishedBlock


def body_blocks(document: Document) -> Iterator[FinishedBlock]:
    """The blocks of the body, in reading order."""
    for block in document.blocks:
        if block.type in FURNITURE:
            continue
        if block.type is BlockType.FORM_FIELD and block.field is not None and block.field.value.casefold() in ("", "off"):
            continue
        if block.text or block.type is BlockType.FIGURE or block.table is not None:
            yield block


def page_of(block: FinishedBlock) -> int:
    """The page that a block begins on."""
    return block.regions[0].page
