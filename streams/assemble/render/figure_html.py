"""Figures, equations and captioned tables in a page of HTML. The stored picture is named, never loaded: the page's policy forbids every fetch, and
who puts the page where people see it puts the picture's bytes in its place.
"""

from html import escape

from schemas.content import BlockType
from schemas.document import FinishedBlock
from streams.assemble.render.body import Shown, page_of
from streams.assemble.render.table_html import table_html

LONGEST_ALTERNATIVE = 200
"""Characters of an alternative text: screen readers read it in one breath."""


def alternative_text(shown: Shown) -> str:
    """What a figure shows, in words: its caption, cut where it is long; else the text in it, else where it is. Of an equation its text."""
    block = shown.block
    text = " ".join(block.text.split())
    caption = " ".join(" ".join(caption.text for caption in shown.captions).split())
    if caption and block.type is BlockType.FIGURE:
        return caption if len(caption) <= LONGEST_ALTERNATIVE else caption[: LONGEST_ALTERNATIVE - 1].rstrip() + "…"
    return text if text and len(text) <= LONGEST_ALTERNATIVE else f"{block.type.value.capitalize()} on page {page_of(block)}"


def has_picture_html(block: FinishedBlock) -> bool:
    """Whether a block is shown by a picture: figures, and equations that are no formula in words yet."""
    return block.type is BlockType.FIGURE or (block.type is BlockType.EQUATION and block.figure is not None)


def figure_html(shown: Shown) -> str:
    """A figure with its picture, the text in it, and its captions where they are printed."""
    block = shown.block
    parts = [f'<figure id="{escape(block.id)}">' if block.type is BlockType.FIGURE else f'<figure id="{escape(block.id)}" class="equation">']
    parts += [_figcaption(shown.above)] if shown.above else []
    if block.figure is not None:
        parts.append(f'<img src="{escape(block.figure.name)}" alt="{escape(alternative_text(shown))}">')
    if block.text and (block.type is BlockType.FIGURE or block.figure is None):
        parts.append(f'<p class="labels">{escape(block.text)}</p>')
    below = _figcaption(shown.below) if shown.below else ""
    if shown.above and shown.below:  # a figure has one figcaption
        below = "\n".join(caption.html for caption in shown.below)
    parts += [below] if below else []
    return "\n".join([*parts, "</figure>"])


def captioned_table_html(shown: Shown) -> str:
    """A table that holds its captions; each keeps its id."""
    block = shown.block
    if block.table is None:
        return block.html
    return table_html(block.table, block.id, "\n".join(caption.html for caption in shown.captions), block.notes, block.spans, block.links)


def _figcaption(captions: tuple[FinishedBlock, ...]) -> str:
    return "<figcaption>" + "\n".join(caption.html for caption in captions) + "</figcaption>"
