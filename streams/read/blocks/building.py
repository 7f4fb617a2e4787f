"""Lines, tables and figures of a page become blocks in reading order.

Order of all work: frames by text direction (most text first) → regions (`schemas.reading_order`) → lines → paragraphs → types → blocks.
Text that stands across the page's direction comes last, with its `rotation`, so that it never cuts a sentence. Nothing is decided here
about running heads: assembly proves them by repetition; here they only stay apart from the body.
"""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from schemas.content import Block, BlockType
from schemas.geometry import BBox, center, contains_point, rounded, union
from schemas.reading_order import find_regions
from streams.read.blocks.classify import Usual, type_of, usual_of
from streams.read.blocks.drop_capitals import with_drop_capitals
from streams.read.blocks.foot_notes import with_notes
from streams.read.blocks.heading_lines import leads
from streams.read.blocks.joining import KnownWords, join_lines
from streams.read.blocks.line_emphasis import emphasis_of
from streams.read.blocks.lines import Fragment, Line
from streams.read.blocks.listings import is_listing, listing_text
from streams.read.blocks.measure import Measure, measure_of
from streams.read.blocks.paragraphs import split_paragraphs
from streams.read.blocks.rows_apart import lines_of_row
from streams.read.blocks.side_by_side import read_down
from streams.read.characters.normalise import collapse
from streams.read.turning import VERTICAL, to_frame, to_page

EDGE_ZONE = 0.085
"""Share of the page's height, above and below, in which a lone number is a page number."""

ENOUGH_LETTERS = 120
"""Letters between the edges of a page from which they alone say what is usual: fine print at its foot may be longer than its text."""

_Element = Line | Block


class Surroundings(Struct, frozen=True):
    """What the pages around say: their words, which decide about hyphens at line ends, the size of their body text, and whether most of it is in
    typewriter type; None where they hold too little text to say so.
    """

    words: KnownWords
    size_pt: float | None = None
    typewritten: bool | None = None


class Placed(Struct):
    """A region of a frame, its lines and objects in order."""

    elements: list[_Element]
    column: tuple[float, float]


def build_blocks(
    fragments: Sequence[Fragment],
    objects: Sequence[Block],
    page_box: BBox,
    around: Surroundings,
    confidence: float,
    panels: Sequence[BBox] = (),
) -> tuple[Block, ...]:
    """All blocks of a page in reading order. `objects` are finished blocks (tables, figures) that take their place in the flow; what stands in
    one of the `panels` stays together.
    """
    blocks: list[Block] = []
    for angle in (angles := _angles(fragments)):
        mine = [fragment for fragment in fragments if fragment.angle == angle]
        more = _frame_blocks(mine, objects if not blocks else (), angle, page_box, around, confidence, panels, main=not blocks)
        blocks = _with_level_text(blocks, more) if angles[0] == VERTICAL and angle == 0 else [*blocks, *more]
    if not fragments:
        blocks += [objects[index] for region in find_regions([block.bbox for block in objects]) for row in region.rows for index in row]
    return tuple(blocks)


def _with_level_text(columns: Sequence[Block], level: Sequence[Block]) -> list[Block]:
    """Columns of vertical writing, before them what stands level above all of them (a heading), behind them what else is level."""
    top = min((block.bbox[1] for block in columns), default=0.0)
    above = [block for block in level if block.bbox[3] <= top]
    return [*above, *columns, *(block for block in level if block.bbox[3] > top)]


def _angles(fragments: Sequence[Fragment]) -> list[int]:
    """Directions of text, the one of most letters first."""
    letters: dict[int, int] = {}
    for fragment in fragments:
        letters[fragment.angle] = letters.get(fragment.angle, 0) + fragment.letters
    return sorted(letters, key=lambda angle: (-letters[angle], angle))


def _frame_blocks(
    fragments: Sequence[Fragment],
    objects: Sequence[Block],
    angle: int,
    page_box: BBox,
    around: Surroundings,
    confidence: float,
    panels: Sequence[BBox],
    *,
    main: bool,
) -> list[Block]:
    regions = _placed(with_drop_capitals(fragments), objects, angle, [to_frame(panel, angle) for panel in panels])
    lines = [element for region in regions for element in region.elements if isinstance(element, Line)]
    frame = to_frame(page_box, angle)
    zone = EDGE_ZONE * (frame[3] - frame[1])
    body = [line for line in lines if frame[1] + zone < line.baseline < frame[3] - zone]
    some = sum(line.letters for line in body) > ENOUGH_LETTERS
    usual = usual_of(body if some else lines, around.size_pt if main else None, typewritten=around.typewritten)
    boxes = [to_frame(block.bbox, angle) for block in objects]
    page = _Page(angle, usual, around.words, boxes, frame[1] + zone, frame[3] - zone, frame, confidence)
    blocks: list[Block] = []
    for region in regions:
        blocks += _region_blocks(region, page, blocks[-1] if blocks else None)
    if main:
        return blocks
    return [_aside(block, page_box) for block in blocks]


def _aside(block: Block, page_box: BBox) -> Block:
    """Text across the page's direction: in the margin it is furniture, elsewhere a paragraph of its own; a caption (of a turned table) stays one,
    headings and items are none.
    """
    if block.type is BlockType.CAPTION:
        return block
    x0, y0, x1, y1 = page_box
    margin = block.bbox[2] < x0 + 0.1 * (x1 - x0) or block.bbox[0] > x1 - 0.1 * (x1 - x0) or block.bbox[3] < y0 + 0.06 * (y1 - y0)
    return replace(block, type=BlockType.PAGE_HEADER if margin else BlockType.PARAGRAPH, list_depth=None)


class _Page(Struct):
    """What building a block needs to know about its page, in the frame of its text."""

    angle: int
    usual: Usual
    words: KnownWords
    objects: list[BBox]
    top: float
    bottom: float
    frame: BBox
    confidence: float


def _placed(fragments: Sequence[Fragment], objects: Sequence[Block], angle: int, panels: Sequence[BBox]) -> list[Placed]:
    """Regions of the frame in reading order, rows made into lines. A panel is one box among the others, then a page of its own."""
    rtl = sum(f.letters for f in fragments if f.rtl) * 2 > sum(f.letters for f in fragments)
    boxes = [f.box for f in fragments] + [to_frame(block.bbox, angle) for block in objects]
    inside: dict[int, list[int]] = {}
    for index, box in enumerate(boxes if panels else ()):
        number = next((n for n, panel in enumerate(panels) if contains_point(panel, *center(box))), None)
        if number is not None:
            inside.setdefault(number, []).append(index)
    held = {index for members in inside.values() for index in members}
    outside = [index for index in range(len(boxes)) if index not in held]
    order = [*outside, *(-1 - number for number in inside)]
    placed: list[Placed] = []
    for region in find_regions([boxes[i] if i >= 0 else panels[-1 - i] for i in order], right_to_left=rtl):
        rows: list[list[int]] = []
        for row in ([order[index] for index in row] for row in region.rows):
            rows.append([])
            for index in row:
                if index >= 0:
                    rows[-1].append(index)
                    continue
                placed.append(_place(rows, region.column, fragments, objects))
                rows = [[]]
                members = inside[-1 - index]
                parts = find_regions([boxes[i] for i in members], right_to_left=rtl)
                placed += [_place([[members[i] for i in inner] for inner in part.rows], part.column, fragments, objects) for part in parts]
        placed.append(_place(rows, region.column, fragments, objects))
    return [place for place in placed if place.elements]


def _place(rows: Sequence[Sequence[int]], column: tuple[float, float], fragments: Sequence[Fragment], objects: Sequence[Block]) -> Placed:
    count = len(fragments)
    elements: list[_Element] = []
    for row in rows:
        texts = [fragments[index] for index in row if index < count]
        elements += lines_of_row(texts) if texts else []
        elements += [objects[index - count] for index in row if index >= count]
    return Placed(elements, column)


def _region_blocks(region: Placed, page: _Page, before: Block | None) -> list[Block]:
    """The blocks of a region. `before`: the last one of the region before it."""
    lines = [element for element in region.elements if isinstance(element, Line)]
    if not lines:
        return [element for element in region.elements if isinstance(element, Block)]
    measure = measure_of(lines, page.usual.leading)
    blocks: list[Block] = []
    paragraphs: list[list[Line]] = []
    run: list[Line] = []
    for element in [*region.elements, None]:
        if isinstance(element, Line):
            run.append(element)
            continue
        if run:
            for part, alone in read_down(run):
                own = measure_of(part, page.usual.leading) if alone else measure
                found = _paragraphs(part, own, page)
                paragraphs += found
                blocks += _text_blocks(found, own, region.column, page)
            run = []
        if element is not None:
            blocks.append(element)
    return with_notes(blocks, paragraphs, page.usual, (page.frame[1] + page.frame[3]) / 2, page.bottom, before)


def _paragraphs(lines: Sequence[Line], measure: Measure, page: _Page) -> list[list[Line]]:
    """The paragraphs of lines. Lines of typewriter type among others are kept together as a listing, and if they prove none, split like prose."""
    split = partial(split_paragraphs, measure=measure, page_top=page.top, page_bottom=page.bottom)
    if page.usual.monospace:
        return split(lines, code_is_special=False)
    found: list[list[Line]] = []
    for paragraph in split(lines, code_is_special=True):
        kept = len(paragraph) < 2 or not paragraph[0].style.monospace or is_listing(paragraph)
        found += [paragraph] if kept else split(paragraph, code_is_special=False)
    return found


def _text_blocks(paragraphs: list[list[Line]], measure: Measure, column: tuple[float, float], page: _Page) -> list[Block]:
    blocks: list[Block] = []
    depths: list[float] = []
    for index, lines in enumerate(paragraphs):
        above = paragraphs[index - 1][-1] if index else None
        under = paragraphs[index + 1] if index + 1 < len(paragraphs) else []
        below = under[0] if under else None
        text = join_lines([line.text for line in lines], page.words)
        if not text:
            text = collapse(lines[0].text)
        led = leads(lines, above, under, (measure.start, measure.end), measure.leading_of(under[0] if under else lines[0]))
        kind = type_of(lines, text, page.usual, page.objects, isolated=_isolated(lines, above, below, measure), leads=led)
        if kind is BlockType.HEADING and ((lines[0].aside and lines[0].y0 < page.top) or (lines[0].parted and lines[0].y1 > page.bottom)):
            kind = BlockType.PARAGRAPH  # the other half of a running head or foot
        if kind is BlockType.HEADING and lines[0].begins_with_label:
            kind = BlockType.PARAGRAPH
        depth = _depth(measure.begin_of(lines[0]), depths, lines[0].style.size_pt) if kind is BlockType.LIST_ITEM else None
        if kind in (BlockType.HEADING, BlockType.PARAGRAPH):
            depths.clear()
        if kind is BlockType.CODE:
            text = listing_text(lines)
        blocks.append(_block(kind, text, lines, depth, measure, column, page))
    return blocks


def _block(kind: BlockType, text: str, lines: list[Line], depth: int | None, measure: Measure, column: tuple[float, float], page: _Page) -> Block:
    size = max(lines[0].style.size_pt, 1.0)
    room = measure.end - measure.end_of(lines[-1])
    main = max(lines, key=lambda line: line.letters)
    corners = to_page((column[0], 0.0, column[1], 0.0), page.angle)
    return Block(
        type=kind,
        bbox=rounded(to_page(union(line.box for line in lines), page.angle)),
        text=text,
        confidence=page.confidence,
        style=main.style,
        list_depth=depth,
        column=(round(corners[0], 2), round(corners[2], 2)) if page.angle in (0, 180) else None,
        line_count=len(lines),
        indented=measure.begin_of(lines[0]) - measure.start > 0.7 * size,
        ends_short=room > (1.5 if measure.justified else 6.0) * size,
        rotation=0 if page.angle == VERTICAL else page.angle,
        spans=emphasis_of(kind, text, lines, page.usual),
    )


def _isolated(lines: list[Line], above: Line | None, below: Line | None, measure: Measure) -> bool:
    """More than the usual line distance above and below."""
    more = 1.18 * measure.leading_of(lines[0])
    return (above is None or lines[0].baseline - above.baseline > more) and (below is None or below.baseline - lines[-1].baseline > more)


def _depth(begin: float, depths: list[float], size: float) -> int:
    """Depth of a list item by its indent, 0 for the outermost; `depths` are the indents of the items it stands under."""
    while depths and begin < depths[-1] - 0.5 * size:
        depths.pop()
    if not depths or begin > depths[-1] + 0.8 * size:
        depths.append(begin)
    return min(len(depths) - 1, 9)
