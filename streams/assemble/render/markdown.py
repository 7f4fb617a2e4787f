"""A finished document as GitHub-flavoured Markdown.

Headings, paragraphs, nested lists, pipe tables (HTML tables where cells span), code in fences, figures as placeholders. Page furniture is
left out. No text of the document becomes markup: see `markdown_escape`.
"""

import re

from schemas.content import BlockType
from schemas.document import Document, FinishedBlock, FinishedTable
from streams.assemble.render.body import body_blocks, page_of
from streams.assemble.render.links import runs
from streams.assemble.render.markdown_escape import escape_block, escape_cell, escape_inline, escape_start, escape_target
from streams.assemble.render.markers import MarkerKind, split_item
from streams.assemble.render.table_html import has_spans, table_html

_FENCE = re.compile(r"`{3,}")
_TRAILING_HASHES = re.compile(r"(#+)\s*$")
ALTERNATIVE_TEXT = 200
"""Characters of a figure's text that stand in its placeholder; more is text of its own below it."""


def to_markdown(document: Document) -> str:
    """The whole document, ending in a line break; empty for a document without text."""
    lists = _Indents()
    parts: list[str] = []
    tight = False
    for block in body_blocks(document):
        is_item = block.type is BlockType.LIST_ITEM
        text = lists.item(block) if is_item else _BLOCKS.get(block.type, _paragraph)(block)
        if not is_item:
            lists.reset()
        if parts:
            parts.append("\n" if tight and is_item else "\n\n")
        parts.append(text)
        tight = is_item
    return "".join(parts) + "\n" if parts else ""


def _paragraph(block: FinishedBlock) -> str:
    return _linked(block.text, block)


def _linked(text: str, block: FinishedBlock) -> str:
    """A paragraph's text with its links."""
    if not block.links:
        return escape_block(text)
    parts: list[str] = []
    for run, target in runs(text.strip(), block.links):
        if target is not None:
            if parts and parts[-1].endswith("!"):  # an exclamation mark before a link would make an image of it
                parts[-1] = parts[-1][:-1] + "\\!"
            parts.append(f"[{escape_inline(run, in_link=True, is_run=True)}]({escape_target(target)})")
        else:
            shown = escape_inline(run, is_run=True)
            parts.append(shown if parts else escape_start(shown))
    return "".join(parts)


def _heading(block: FinishedBlock) -> str:
    text = escape_inline(block.text).strip()
    return "#" * min(6, max(1, block.level or 1)) + " " + _TRAILING_HASHES.sub(lambda m: "\\" + m[1], text)


def _table(block: FinishedBlock) -> str:
    table = block.table
    if table is None or not table.rows:
        return _paragraph(block)
    return table_html(table) if table.header_rows > 1 or has_spans(table) else _pipe_table(table)


def _pipe_table(table: FinishedTable) -> str:
    """A table of pipes. One without a header gets an empty one, as Markdown knows none without."""
    rows = [_row(row) for row in table.rows]
    if table.header_rows == 0:
        rows.insert(0, _row(("",) * table.columns))
    rows.insert(1, "|" + " --- |" * table.columns)
    return "\n".join(rows)


def _row(row: tuple[str, ...]) -> str:
    return "| " + " | ".join([escape_cell(text) for text in row]) + " |"


def _code(block: FinishedBlock) -> str:
    return _fenced(block.text, "")


def _equation(block: FinishedBlock) -> str:
    """LaTeX as a math block; a fence is inert wherever it is not known."""
    return _fenced(block.text, "math") if "\\" in block.text or "_{" in block.text or "^{" in block.text else _paragraph(block)


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _figure(block: FinishedBlock) -> str:
    """A placeholder: nothing is loaded, the target names the stored figure or the block."""
    text = " ".join(block.text.split())
    shown = text if text and len(text) <= ALTERNATIVE_TEXT else f"Figure on page {page_of(block)}"
    alternative = escape_inline(shown).replace("[", "(").replace("]", ")")
    image = f"![{alternative}]({escape_target(block.figure.name if block.figure else '#' + block.id)})"
    return image if shown is text or not text else f"{image}\n\n{escape_block(text)}"


def _form_field(block: FinishedBlock) -> str:
    if block.field is None:
        return _paragraph(block)
    return f"**{escape_inline(block.field.name).strip()}:** {escape_inline(block.field.value)}"


def _annotation(block: FinishedBlock) -> str:
    return "> " + escape_block(block.text)


_BLOCKS = {
    BlockType.HEADING: _heading,
    BlockType.TABLE: _table,
    BlockType.CODE: _code,
    BlockType.EQUATION: _equation,
    BlockType.FIGURE: _figure,
    BlockType.FORM_FIELD: _form_field,
    BlockType.ANNOTATION: _annotation,
}


class _Indents:
    """How deep the next list item stands: a nested item begins where the text of its parent does."""

    def __init__(self) -> None:
        self._open: list[tuple[int, int]] = []

    def reset(self) -> None:
        """No list is open."""
        self._open.clear()

    def item(self, block: FinishedBlock) -> str:
        """The item's line."""
        depth = block.list_depth or 0
        while self._open and self._open[-1][0] >= depth:
            self._open.pop()
        indent = self._open[-1][1] if self._open else 0
        item = split_item(block.text)
        marker = f"{item.number}{item.sign} " if item.kind is MarkerKind.NUMBER else "- "
        self._open.append((depth, indent + len(marker)))
        return " " * indent + marker + _linked(item.text, block)
