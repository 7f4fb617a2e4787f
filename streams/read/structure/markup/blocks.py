"""Blocks of a tree of HTML, in the order of the document.

Guarantees: every visible character comes out once, in a block or in a cell; the walk nests no deeper than `tree.MAX_DEPTH`. Nothing is fetched:
what a picture's address stands for is asked of the caller. Navigation, and the head and foot of a whole page, are furniture.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from schemas.content import FURNITURE, Block, BlockType
from streams.read.structure.logical_page import Picture
from streams.read.structure.markup.page_parts import PART_HANDLERS
from streams.read.structure.markup.pictures import Loader
from streams.read.structure.markup.reader import BlockReader, Handler, Resolver
from streams.read.structure.markup.running_text import TEXT_HANDLERS
from streams.read.structure.markup.tree import Element

HANDLERS: Mapping[str, Handler] = {**TEXT_HANDLERS, **PART_HANDLERS}
"""How each element is read; others are blocks or run inside a line, as `names` says."""


class ReadMarkup(Struct, frozen=True, kw_only=True):
    """What a tree says. `anchors`: the index of the block that each id stands at or before; `pictures` name their block by its index."""

    blocks: tuple[Block, ...]
    pictures: tuple[Picture, ...]
    anchors: dict[str, int]
    warnings: tuple[str, ...]


def read_tree(root: Element, resolve: Resolver, load: Loader) -> ReadMarkup:
    """The blocks of a whole document or of a part of one."""
    reader = BlockReader(root, HANDLERS, resolve, load)
    reader.element(root)
    reader.flush()
    return ReadMarkup(
        blocks=_with_content(reader.blocks),
        pictures=tuple(reader.pictures),
        anchors=reader.anchors,
        warnings=tuple(dict.fromkeys(reader.warnings)),
    )


def _with_content(blocks: list[Block]) -> tuple[Block, ...]:
    """A page of nothing but heads and feet has marked its content as such: it is content."""
    if blocks and all(block.type in FURNITURE for block in blocks):
        return tuple(replace(block, type=BlockType.PARAGRAPH) for block in blocks)
    return tuple(blocks)
