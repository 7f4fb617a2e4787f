"""Captions of a page bound to the figures and tables that they speak of. Pure functions of finished blocks.

Promise: a caption gets one object at most, the nearest that stands above, below or beside it with nothing between, of the kind that its words name
where there is one. A figure without a numbered caption takes the small print right under it, or beside it, as its caption. The line below an object
that says its source is a caption of it, too. No text is lost or moved.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from schemas.content import Block, BlockType
from schemas.geometry import BBox, area, intersection_area, overlap_x, overlap_y, width
from streams.read.blocks.classify import SOURCE, names_table
from streams.read.turning import to_frame

MAX_OBJECTS, MAX_CAPTIONS = 120, 80
"""Of one page that are compared with each other; a contact sheet of pictures has as many."""
REACH_PT = 48.0
"""How far a caption stands from its object at most: three lines and a rule."""
SIDE_REACH_PT = 26.0
"""The same for a caption beside a figure: the gutter between two columns."""
UNNUMBERED_REACH_PT = 14.0
"""The same for small print without a number, which says less of what it belongs to."""
LONGEST_UNNUMBERED = 400
"""Characters; more is a paragraph in small type."""
SMALLER = 0.95
"""Size of small print over the size of the body's text."""
OTHER_KIND = 2.0
"""A figure is as far from a table's caption as if it stood twice as far away: numbers are sometimes given to pictures of tables."""

_IS_ADDRESS = re.compile(r"https?:|www\.|@|\bdoi\b|\bissn\b|©|^\W*[\d\s.,/-]*\W*$", re.IGNORECASE)
"""What stands by a logo: no caption."""

OBJECTS = frozenset({BlockType.FIGURE, BlockType.TABLE})
_PROSE = frozenset({BlockType.PARAGRAPH, BlockType.HEADING, BlockType.LIST_ITEM, BlockType.CODE})


def bind_captions(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, captions with the place of their object (`Block.caption_of`)."""
    bound = list(blocks)
    objects = [index for index, block in enumerate(blocks) if block.type in OBJECTS and area(block.bbox) > 0][:MAX_OBJECTS]
    if not objects:
        return bound
    taken: dict[int, int] = {}
    captions = [index for index, block in enumerate(blocks) if block.type is BlockType.CAPTION][:MAX_CAPTIONS]
    pairs = ((_distance(blocks, caption, other), caption, other) for caption in captions for other in objects)
    for distance, caption, other in sorted(pair for pair in pairs if pair[0] is not None):
        if distance is not None and caption not in taken and other not in taken.values():
            taken[caption] = other
    for caption, other in sorted(taken.items()):
        bound[caption] = replace(blocks[caption], caption_of=other + 1)
        title = _title_after(blocks, caption, other)
        if title is not None:
            bound[title] = replace(blocks[title], type=BlockType.CAPTION, level=None, list_depth=None, caption_of=other + 1)
    for other in objects:
        if blocks[other].type is BlockType.FIGURE and other not in taken.values():
            small = _small_print(bound, other, _body_size(blocks))
            if small is not None:
                bound[small] = replace(bound[small], type=BlockType.CAPTION, level=None, list_depth=None, caption_of=other + 1)
    sources = [index for index, block in enumerate(bound) if block.type is BlockType.PARAGRAPH and SOURCE.match(block.text)][:MAX_CAPTIONS]
    for source in sources:
        told = _told_by(bound, source, objects)
        if told is not None:
            bound[source] = replace(bound[source], type=BlockType.CAPTION, caption_of=told + 1)
    return bound


def _told_by(blocks: Sequence[Block], source: int, objects: Sequence[int]) -> int | None:
    """The object whose source a line tells: the nearest right above it."""
    angle = blocks[source].rotation
    line = to_frame(blocks[source].bbox, angle)
    above = ((other, to_frame(blocks[other].bbox, angle)) for other in objects)
    near = [(line[1] - box[3], other, box) for other, box in above if box[3] <= line[1] + 2 and _gap(line, box) is not None]
    if not near or len(blocks[source].text) > LONGEST_UNNUMBERED:
        return None
    _, nearest, box = min(near)
    prose = (to_frame(block.bbox, angle) for block in blocks if block.type in _PROSE and block.text)
    return None if any(_between(other, line, box) for other in prose) else nearest


def _distance(blocks: Sequence[Block], caption: int, other: int) -> float | None:
    """How far a caption is from an object, in points, weighted by what it names; None where it cannot be its caption."""
    text, angle = blocks[caption], blocks[caption].rotation
    own, box = to_frame(text.bbox, angle), to_frame(blocks[other].bbox, angle)
    gap = _gap(own, box)
    if gap is None:
        return None
    title = _title_after(blocks, caption, other)
    prose = (block for index, block in enumerate(blocks) if block.type in _PROSE and block.text and index != title)
    if any(_between(to_frame(block.bbox, angle), own, box) for block in prose):
        return None
    return gap if names_table(text.text) == (blocks[other].type is BlockType.TABLE) else OTHER_KIND * (gap + 4.0)


def _gap(text: BBox, box: BBox) -> float | None:
    """Points between a text and an object that it stands above, below or beside; inside counts as beside."""
    across, down = overlap_x(text, box), overlap_y(text, box)
    if across > 0.4 * min(width(text), width(box)):
        apart = max(text[1] - box[3], box[1] - text[3], 0.0)
        return apart if apart <= REACH_PT else None
    if down > 0.6 * min(text[3] - text[1], box[3] - box[1]):
        apart = max(text[0] - box[2], box[0] - text[2], 0.0)
        return apart + 6.0 if apart <= SIDE_REACH_PT else None
    return None


def _between(box: BBox, text: BBox, other: BBox) -> bool:
    """Whether a block stands in the white space between a text and an object."""
    x0, x1 = max(text[0], other[0]), min(text[2], other[2])
    y0, y1 = (text[3], other[1]) if text[3] <= other[1] else (other[3], text[1])
    return x0 < x1 and y0 < y1 and intersection_area(box, (x0, y0, x1, y1)) > 0.3 * min(area(box), (x1 - x0) * (y1 - y0))


def _title_after(blocks: Sequence[Block], caption: int, other: int) -> int | None:
    """The title that stands between a caption of a label only ("Table 3") and its object, or right after it."""
    label, index = blocks[caption], caption + 1
    if len(label.text) > 16 or index >= len(blocks) or blocks[index].type not in (BlockType.PARAGRAPH, BlockType.HEADING):
        return None
    title, angle = blocks[index], label.rotation
    own, below, box = (to_frame(block.bbox, angle) for block in (label, title, blocks[other]))
    above = own[3] <= box[1] + 2
    size = label.style.size_pt if label.style else 10.0
    close = -2.0 <= below[1] - own[3] < 1.2 * size and overlap_x(below, own) > 0 and title.rotation == angle
    if not close or title.line_count > 3 or (above and below[3] > box[1] + 2):
        return None
    return index if above or _is_small(title, size * 1.02 / SMALLER) else None


def _small_print(blocks: Sequence[Block], other: int, body_size_pt: float) -> int | None:
    """The small print that captions a figure without a number: right below, else beside, else above it."""
    box = blocks[other].bbox
    found: list[tuple[int, float, int]] = []
    for index, block in enumerate(blocks):
        if block.type not in (BlockType.PARAGRAPH, BlockType.HEADING) or not 3 < len(block.text) <= LONGEST_UNNUMBERED or block.rotation:
            continue
        gap = _gap(block.bbox, box)
        if gap is None or gap > UNNUMBERED_REACH_PT or _IS_ADDRESS.search(block.text):
            continue
        if not _is_small(block, body_size_pt) or width(block.bbox) > 1.25 * width(box):
            continue
        rank = 0 if block.bbox[1] >= box[3] - 2 else 2 if block.bbox[3] <= box[1] + 2 else 1
        if rank < 2:  # small print above a figure is more often the end of something else
            found.append((rank, gap, index))
    return min(found)[2] if found else None


def _body_size(blocks: Sequence[Block]) -> float:
    """The size of most prose on the page; 0 without any."""
    sizes: dict[float, int] = {}
    for block in blocks:
        if block.style is not None and block.type in (BlockType.PARAGRAPH, BlockType.LIST_ITEM):
            sizes[block.style.size_pt] = sizes.get(block.style.size_pt, 0) + len(block.text)
    return max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0.0


def _is_small(block: Block, body_size_pt: float) -> bool:
    style = block.style
    if style is None:
        return False
    return style.size_pt <= SMALLER * body_size_pt or (style.italic and style.size_pt <= 1.02 * body_size_pt)
