"""Which small type at the foot of a column is footnotes, and which is the running foot below them. Pure functions of blocks and their lines."""

from collections.abc import Sequence

from msgspec.structs import replace

from schemas.content import Block, BlockType
from streams.read.blocks.classify import Usual, is_note
from streams.read.blocks.lines import Line

HIGH_UP = 2 / 3
"""Of the way down to a page's middle from which raised marks begin notes: three long ones in a narrow column reach over the middle."""
APART = 2.2
"""Distance in sizes of type of a running foot from the notes above it, at the least; notes follow each other by 1.0 to 1.6."""


def with_notes(
    blocks: Sequence[Block], paragraphs: Sequence[Sequence[Line]], usual: Usual, middle: float, bottom: float, before: Block | None
) -> list[Block]:
    """Types the footnotes of a column: the small type at its foot, from the first one that begins with a mark, or that goes on with a note of the
    column before, whose last block is `before`. `middle` and `bottom`: half way down the page, and where the zone of its number begins, in the frame.
    The blocks in their order, some of them replaced.
    """
    found = list(blocks)
    texts = [index for index, block in enumerate(blocks) if block.table is None and block.style is not None]
    tail = len(texts)
    while tail and _may_be_note(blocks[texts[tail - 1]], usual):
        tail -= 1
    after_note = 0 < tail < len(texts) and _goes_on(before, blocks[texts[tail]])
    for position in range(tail, len(texts)):
        block, lines = blocks[texts[position]], paragraphs[position]
        lone = not after_note or _is_apart(lines[0], paragraphs[position - 1][-1])
        last = lines[0].y0 > bottom and len(lines) == 1 and lone and not lines[0].raised
        foot = last and not block.text.endswith((".", "。"))  # a running foot often begins with the page's number
        prose = block.type in (BlockType.PARAGRAPH, BlockType.LIST_ITEM)
        if prose and not foot and lines[0].y0 > (HIGH_UP * middle if lines[0].raised else middle) and is_note(lines, usual, after_note=after_note):
            found[texts[position]] = replace(block, type=BlockType.FOOTNOTE, list_depth=None)
            after_note = True
        else:
            after_note = False
    return found


def _is_apart(line: Line, above: Line) -> bool:
    """Whether a line stands clear of the one above it, as a running foot does of the notes."""
    return line.baseline - above.baseline > APART * max(line.style.size_pt, above.style.size_pt)


def _goes_on(note: Block | None, block: Block) -> bool:
    """Whether a block may go on with a note of the column before: in the same type, and the note stopped in a sentence."""
    if note is None or note.type is not BlockType.FOOTNOTE or note.ends_short or note.style is None or block.style is None:
        return False
    return note.style.font == block.style.font and note.style.size_pt == block.style.size_pt and not note.text.endswith((".", "。"))


def _may_be_note(block: Block, usual: Usual) -> bool:
    return block.style is not None and block.style.size_pt <= 0.95 * usual.size_pt
