"""What of a finished document is its text: the blocks that people read, furniture and empty form fields left out, captions with their objects."""

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from schemas.content import FURNITURE, BlockType
from schemas.document import Document, FinishedBlock

BESIDE = 0.5
"""Share of a caption's height on which its object stands too, from which neither is above the other."""


class Shown(Struct, frozen=True):
    """A block as it is shown: a figure or table with its captions, those printed above it and those below."""

    block: FinishedBlock
    above: tuple[FinishedBlock, ...] = ()
    below: tuple[FinishedBlock, ...] = ()

    @property
    def captions(self) -> tuple[FinishedBlock, ...]:
        """All captions, in reading order."""
        return (*self.above, *self.below)


def body_blocks(document: Document) -> Iterator[FinishedBlock]:
    """The blocks of the body, in reading order."""
    for block in document.blocks:
        if block.type in FURNITURE:
            continue
        if block.type is BlockType.FORM_FIELD and block.field is not None and block.field.value.casefold() in ("", "off"):
            continue
        if block.text or block.type is BlockType.FIGURE or block.table is not None:
            yield block


def shown_blocks(document: Document) -> Iterator[Shown]:
    """The blocks of the body; a caption stands with its object, wherever on the pages both are."""
    body = list(body_blocks(document))
    present = {block.id: place for place, block in enumerate(body)}
    captions: dict[str, list[FinishedBlock]] = defaultdict(list)
    for block in body:
        if block.caption_of in present and block.caption_of is not None:
            captions[block.caption_of].append(block)
    for block in body:
        if block.caption_of in present:
            continue
        mine = captions.get(block.id, [])
        above = tuple(caption for caption in mine if _stands_above(caption, block, is_before=present[caption.id] < present[block.id]))
        yield Shown(block, above, tuple(caption for caption in mine if caption not in above))


def page_of(block: FinishedBlock) -> int:
    """The page that a block begins on."""
    return block.regions[0].page


def _stands_above(caption: FinishedBlock, block: FinishedBlock, *, is_before: bool) -> bool:
    """By place; by reading order where one stands beside the other, as on a turned page, and where formats have no places."""
    a, b = caption.regions[0], block.regions[0]
    top, bottom = max(a.bbox[1], b.bbox[1]), min(a.bbox[3], b.bbox[3])
    if a.page == b.page and bottom - top >= BESIDE * (a.bbox[3] - a.bbox[1]):
        return is_before
    return (a.page, a.bbox[1]) < (b.page, b.bbox[1])
