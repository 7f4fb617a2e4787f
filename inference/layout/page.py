"""Lines of text, as a model found them on an image, become the blocks of a page in reading order. Pure: no image, no model.

For engines that read lines only. Works on the page turned upright, in points; boxes of the result are of the page as displayed. Columns and
their order come from `schemas.reading_order`; tables from words and rules; paragraphs from spacing, indents and type size; headings from size against
the page's body. Text that stands across the page comes last.
"""

from collections.abc import Sequence
from statistics import median

from msgspec import Struct

from inference.layout.figures import figure_block, figure_of
from inference.layout.lines import Frame, Line, Word, cells_of_row, read_share, size_of
from inference.layout.paragraphs import (
    Column,
    Usual,
    are_names,
    column_of,
    ends_short,
    is_continued,
    is_indented,
    is_title,
    stacks_of,
    type_of,
    usual_of,
    with_steady_sizes,
)
from inference.layout.parting import parted
from inference.layout.tables import table_block, tables_among
from inference.text import clean_line, join_lines
from inference.text import words_of as words_of_text
from inference.types import PageText, Shade, TextLine, recognized_content
from schemas.content import Block, BlockType, PageContent, TextStyle
from schemas.events import PageImage
from schemas.geometry import BBox, height, rounded, union, width
from schemas.reading_order import Region, find_regions
from streams.read.blocks.captions import bind_captions


class Row(Struct, frozen=True):
    """A row of a region: its cells from left to right."""

    cells: tuple[Line, ...]

    @property
    def box(self) -> BBox:
        """The box around its cells."""
        return union(cell.box for cell in self.cells)


MAX_WEIGHT = 20_000.0
"""Of a block, in characters: a box of strange size must not outweigh its page."""
MAX_LINES = 6_000
"""More lines than any printed page has are left out: a texture read as text must not cost a minute of layout."""


def content_of(text: PageText, image: PageImage, width_px: int, height_px: int) -> PageContent:
    """The content of a page from the lines on its image of `width_px` x `height_px` pixels."""
    frame = Frame(text.rotation, width_px, height_px, image.width_pt / width_px, image.height_pt / height_px, text.skew)
    lines = text.lines[:MAX_LINES]
    along = [made for line in lines if line.rotation == text.rotation and (made := _line_of(line, frame))]
    usual = usual_of(along)
    words = words_of_text(line.text for line in along)
    shades = [Shade(frame.to_upright(shade.box), shade.gray) for shade in text.shades]
    figures = [frame.to_upright(figure) for figure in text.figures]
    part_of = [figure_of(line.box, line.text, figures, usual.size) for line in along]
    shown = [figure_block(box, [line for line, part in zip(along, part_of, strict=True) if part == n], frame) for n, box in enumerate(figures)]
    along = [line for line, part in zip(along, part_of, strict=True) if part is None]
    rules = [frame.to_upright(rule) for rule in text.rules]
    tables, along = tables_among(along, rules, usual.size, shades)
    objects = [*zip(figures, shown, strict=True), *((table.bbox, table_block(table, frame)) for table in tables)]
    boxes = [*(line.box for line in along), *(box for box, _ in objects)]
    blocks: list[Block] = []
    for part in parted(boxes, rules, usual.size):
        for region in find_regions([boxes[index] for index in part]):
            whole = Region(tuple(tuple(part[index] for index in row) for row in region.rows), region.column)
            blocks += _blocks_of(whole, along, [block for _, block in objects], usual, words, frame)
    across = [line for line in lines if line.rotation != text.rotation]
    blocks += [b for line in across if figure_of(frame.to_upright(line.bbox), line.text, figures, 0.0) is None and (b := _across(line, frame))]
    return recognized_content(image, bind_captions(blocks))


def page_confidence(content: PageContent) -> float:
    """The mean of the blocks' confidences by weight; 1 for a page without text."""
    total = sum(block_weight(block) for block in content.blocks)
    return round(sum(block.confidence * block_weight(block) for block in content.blocks) / total, 4) if total else 1.0


def block_weight(block: Block) -> float:
    """How much a block counts on its page: its characters, or those its lines have room for where far fewer were read."""
    if block.table is not None:
        return max(1, sum(len(cell.text) for cell in block.table.cells))
    room = 0.0
    if block.style is not None and block.style.size_pt > 0:
        length = width(block.bbox) if block.rotation in (0, 180) else height(block.bbox)
        room = min(MAX_WEIGHT, block.line_count * length / (0.5 * block.style.size_pt))
    return max(1.0, len(block.text), 0.5 * room)


def _line_of(line: TextLine, frame: Frame) -> Line | None:
    """A line on the upright page; None for one without readable characters."""
    text = clean_line(line.text)
    if not text:
        return None
    box = frame.to_upright(line.bbox)
    size = size_of(text, box[3] - box[1])
    across = box[2] - box[0]
    words = tuple(
        Word(cleaned, box[0] + across * word.start, box[0] + across * word.end) for word in line.words if (cleaned := clean_line(word.text))
    )
    if words:  # the ink itself: a detector's boxes end up to half a letter beyond it
        box = words[0].x0, box[1], words[-1].x1, box[3]
    return Line(box, text, line.confidence * read_share(text, size, across), size, words)


def _blocks_of(region: Region, lines: Sequence[Line], objects: Sequence[Block], usual: Usual, words: frozenset[str], frame: Frame) -> list[Block]:
    """The blocks of a region: its rows of lines as paragraphs, tables and figures between them. What stands beside one in a row comes before it."""
    blocks: list[Block] = []
    rows: list[Row] = []
    for row in region.rows:
        beside = [lines[index] for index in row if index < len(lines)]
        if beside:
            rows.append(Row(tuple(cells_of_row(beside))))
        for block in (objects[index - len(lines)] for index in row if index >= len(lines)):
            blocks += _paragraph_blocks(rows, region.column, usual, words, frame)
            blocks.append(block)
            rows = []
    return blocks + _paragraph_blocks(rows, region.column, usual, words, frame)


def _paragraph_blocks(rows: Sequence[Row], extent: tuple[float, float], usual: Usual, words: frozenset[str], frame: Frame) -> list[Block]:
    """Rows of one column as paragraphs. A row of several cells stands alone, its cells in order."""
    blocks: list[Block] = []
    lines = with_steady_sizes([_row_line(row) for row in rows], usual)
    for start, end in stacks_of(lines, usual):
        column = column_of(lines[start:end], extent)
        paragraph: list[Line] = []
        for index in range(start, end):
            following = lines[index + 1] if index + 1 < end else None
            alone = len(rows[index].cells) > 1 or (index > start and len(rows[index - 1].cells) > 1)
            goes_on = paragraph and (is_title(paragraph[-1], lines[index], usual) or is_continued(paragraph, lines[index], following, column))
            if paragraph and (alone or not goes_on):
                blocks.append(_paragraph(paragraph, column, usual, words, frame, isolated=False, beside=are_names(rows[index - 1].cells)))
                paragraph = []
            paragraph.append(lines[index])
        whole = len(paragraph) == end - start
        blocks.append(_paragraph(paragraph, column, usual, words, frame, isolated=whole, beside=are_names(rows[end - 1].cells)))
    return blocks


def _row_line(row: Row) -> Line:
    if len(row.cells) == 1:
        return row.cells[0]
    return Line(row.box, " ".join(cell.text for cell in row.cells), _confidence(row.cells), median(cell.size for cell in row.cells))


def _paragraph(lines: Sequence[Line], column: Column, usual: Usual, words: frozenset[str], frame: Frame, *, isolated: bool, beside: bool) -> Block:
    text = join_lines([line.text for line in lines], words)
    kind = type_of(lines, text, usual, isolated=isolated, beside=beside)
    return Block(
        type=kind,
        bbox=rounded(frame.turn_back(union(line.box for line in lines))),
        text=text,
        confidence=_confidence(lines),
        style=TextStyle(size_pt=round(median(line.size for line in lines), 1)),
        list_depth=0 if kind is BlockType.LIST_ITEM else None,
        column=(round(column.x0, 2), round(column.x1, 2)) if frame.rotation == 0 else None,
        line_count=len(lines),
        indented=is_indented(lines[0], column),
        ends_short=ends_short(lines[-1], None, column),
        rotation=frame.rotation,
    )


def _across(line: TextLine, frame: Frame) -> Block | None:
    text = clean_line(line.text)
    if not text:
        return None
    return Block(
        type=BlockType.PARAGRAPH,
        bbox=rounded(frame.to_page(line.bbox)),
        text=text,
        confidence=round(line.confidence, 4),
        rotation=line.rotation,
    )


def _confidence(lines: Sequence[Line]) -> float:
    return round(sum(line.confidence * line.weight for line in lines) / sum(line.weight for line in lines), 4)
