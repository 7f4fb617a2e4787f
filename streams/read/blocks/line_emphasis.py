"""What is emphasised in a paragraph of lines: bold and italic parts that differ from what the page is set in."""

from collections.abc import Iterator, Sequence

from schemas.content import BlockType, Span, TextStyle
from streams.read.blocks.classify import Usual
from streams.read.blocks.emphasis import BOLD, ITALIC, Run, is_formula_font, solid, spans_of
from streams.read.blocks.lines import Line

FLOWING = frozenset({BlockType.PARAGRAPH, BlockType.LIST_ITEM, BlockType.HEADING, BlockType.CAPTION, BlockType.FOOTNOTE})
"""Blocks in which emphasis means something."""


def emphasis_of(kind: BlockType, text: str, lines: Sequence[Line], usual: Usual) -> tuple[Span, ...]:
    """The emphasised parts of a block's text. What most of the page is set in is no emphasis, nor is what sets a heading off from the text."""
    if kind not in FLOWING or not _any_set(lines):
        return ()
    mute = (BOLD if usual.bold else 0) | (ITALIC if usual.italic else 0)
    runs = list(_runs(lines))
    if kind is BlockType.HEADING:
        mute |= BOLD
        if all(setting & ITALIC for count, setting in runs if count):
            mute |= ITALIC
    return spans_of(text, runs, mute)


def _any_set(lines: Sequence[Line]) -> bool:
    """Whether anything in lines is bold or italic: said by their styles, which cost nothing more."""
    for line in lines:
        for part in line.parts:
            if part.runs or part.style.bold or part.style.italic:
                return True
    return False


def _runs(lines: Sequence[Line]) -> Iterator[Run]:
    """How the parts of lines are set, in order."""
    for line in lines:
        for part in line.parts:
            if part.runs:
                yield from part.runs
            else:
                yield solid(part.text), _setting(part.style)


def _setting(style: TextStyle) -> int:
    bold = BOLD if style.bold else 0
    return bold | ITALIC if style.italic and not is_formula_font(style.font) else bold
