"""Captions bound to what they name, where a file only says that a paragraph is a caption. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from schemas.content import Block, BlockType

_OBJECTS = frozenset({BlockType.FIGURE, BlockType.TABLE, BlockType.EQUATION})


def bound(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a page, each caption with the place of the object beside it. Office puts captions of tables above and others below."""
    taken = {block.caption_of for block in blocks if block.caption_of is not None}
    found = list(blocks)
    for index, block in enumerate(blocks):
        if block.type is not BlockType.CAPTION or block.caption_of is not None:
            continue
        beside = [other for other in (index - 1, index + 1) if 0 <= other < len(blocks) and blocks[other].type in _OBJECTS and other + 1 not in taken]
        if not beside:
            continue
        usual = [other for other in beside if (blocks[other].type is BlockType.TABLE) == (other > index)]
        place = (usual or beside)[0] + 1
        taken.add(place)
        found[index] = replace(block, caption_of=place)
    return found
