"""A sound page with a few parts that a model read: the recognized blocks in the place of what the text layer says there. Pure.

A page of which regions were recognized keeps its text layer everywhere else. What a model says outside of the regions is dropped: it saw white there.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from schemas.content import Block, BlockType, PageContent
from schemas.geometry import BBox, area, center, contains_point, intersection_area, overlap_x

SAME_PLACE = 0.5
"""Share of a region that a figure covers to be what was read."""


def with_regions(content: PageContent, recognized: PageContent, regions: Sequence[BBox]) -> PageContent:
    """The page with each region as the model read it; a region in which it read nothing stays as it was.

    Figures stay, the text in them follows them. Text blocks go where their middle lies in the region.
    """
    blocks = list(content.blocks)
    for region in regions:
        read = [block for block in recognized.blocks if contains_point(region, *center(block.bbox)) and _says_something(block)]
        if not read:
            continue
        replaced = [index for index, block in enumerate(blocks) if block.type is not BlockType.FIGURE and contains_point(region, *center(block.bbox))]
        place = replaced[0] if replaced else _place_of(region, blocks)
        gone = set(replaced)
        blocks = [
            *(b for i, b in enumerate(blocks[:place]) if i not in gone),
            *read,
            *(b for i, b in enumerate(blocks[place:], place) if i not in gone),
        ]
    return replace(content, blocks=tuple(blocks))


def _says_something(block: Block) -> bool:
    return bool(block.text.strip()) or block.table is not None


def _place_of(region: BBox, blocks: Sequence[Block]) -> int:
    """Where what was read in a region comes in: after the figure that it was read from, else after the last block above it in its column."""
    for index, block in enumerate(blocks):
        if block.type is BlockType.FIGURE and intersection_area(block.bbox, region) > SAME_PLACE * area(region):
            return index + 1
    above = [i for i, block in enumerate(blocks) if block.bbox[3] <= region[1] + 1 and overlap_x(block.bbox, region) > 0]
    return above[-1] + 1 if above else 0
