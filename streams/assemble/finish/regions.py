"""A sound page with a few parts that a model read: the recognized blocks in the place of what the text layer says there. Pure.

A page of which regions were recognized keeps its text layer everywhere else. What a model says outside of the regions is dropped: it saw white there.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from schemas.content import Block, BlockType, PageContent
from schemas.events import DoubtfulRegion
from schemas.geometry import BBox, area, center, contains_point, intersection_area, overlap_x

SAME_PLACE = 0.5
"""Share of a region that a figure covers to be what was read."""
TWICE = 0.2
"""Share of what a model read that sound text of the layer covers to be that text, read once more."""
_IN_PICTURES = frozenset({"ink_without_text", "picture_of_text"})
"""Reasons for which a region lacks text of its picture, while text of the layer that lies over it is sound."""


def with_regions(content: PageContent, recognized: PageContent, regions: Sequence[DoubtfulRegion]) -> PageContent:
    """The page with each region as the model read it; a region in which it read nothing stays as it was.

    Figures stay, the text in them follows them, and so does text that is set over a picture. Other text goes where its middle lies in the region.
    """
    blocks = list(content.blocks)
    for doubtful in regions:
        region = doubtful.bbox
        read = [block for block in recognized.blocks if contains_point(region, *center(block.bbox)) and _says_something(block)]
        replaced = list[int]()
        if _IN_PICTURES.issuperset(doubtful.reasons):
            own = [block.bbox for block in content.blocks if block.type is not BlockType.FIGURE and intersection_area(block.bbox, region) > 0]
            read = [block for block in read if not any(intersection_area(box, block.bbox) > TWICE * area(block.bbox) for box in own)]
        else:
            replaced = [i for i, block in enumerate(blocks) if block.type is not BlockType.FIGURE and contains_point(region, *center(block.bbox))]
        if not read:
            continue
        place = replaced[0] if replaced else _place_of(region, read[0].bbox, blocks)
        gone = set(replaced)
        blocks = [
            *(b for i, b in enumerate(blocks[:place]) if i not in gone),
            *read,
            *(b for i, b in enumerate(blocks[place:], place) if i not in gone),
        ]
    return replace(content, blocks=tuple(blocks))


def _says_something(block: Block) -> bool:
    return bool(block.text.strip()) or block.table is not None


def _place_of(region: BBox, first: BBox, blocks: Sequence[Block]) -> int:
    """Where what was read in a region comes in: after the figure that it was read from, else after the last block above its `first` in its column."""
    for index, block in enumerate(blocks):
        if block.type is BlockType.FIGURE and intersection_area(block.bbox, region) > SAME_PLACE * area(region):
            return index + 1
    above = [i for i, block in enumerate(blocks) if block.bbox[3] <= first[1] + 1 and overlap_x(block.bbox, region) > 0]
    return above[-1] + 1 if above else 0
