"""A finished document as GitHub-flavoured Markdown.

Headings, paragraphs, nested lists, emphasised text, code and formulas in it, pipe tables (HTML tables where cells span), code in fences, figures as
placeholders, footnotes that the text refers to as `[^1]`, counted through the document. Page furniture is left out. No text of the document becomes
markup: see `markdown_escape`.
"""

import re
import sys
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from schemas.content import BlockType
from schemas.document import Document, FinishedBlock, FinishedTable
from streams.assemble.render.body import Shown, page_of, shown_blocks
from streams.assemble.render.figure_html import LONGEST_ALTERNATIVE, alternative_text
from streams.assemble.render.links import page_target
from streams.assemble.render.markdown_escape import continued, escape_block, escape_cell, escape_inline, escape_target
from streams.assemble.render.markdown_inline import Labels, inline
from streams.assemble.render.markers import MarkerKind, split_item
from streams.assemble.render.table_cells import rich_cells
from streams.assemble.render.table_html import has_spans, table_html
from streams.assemble.render.text_runs import text_runs
from streams.assemble.text.note_marks import own_mark

_FENCE = re.compile(r"`{3,}")
_NONE: Labels = {}
_TRAILING_HASHES = re.compile(r"(#+)\s*$")


def to_markdown(document: Document) -> str:
    """The whole document, ending in a line break; empty for a document without text."""
    shown = _with_live_links(list(shown_blocks(document)))
    labels = _labels(shown)
    lists = _Indents(labels)
    anchors = _linked_pages(shown)
    parts: list[str] = []
    tight = False
    for one in shown:
        is_item = one.block.type is BlockType.LIST_ITEM
        if anchors and not (is_item and tight):  # inside a list no anchor stands: the next block outside gets it
            for anchor in _anchors(anchors, page_of(one.block)):
                parts += ["\n\n", anchor] if parts else [anchor]
                tight = False
        text = lists.item(one.block) if is_item else _shown(one, labels)
        if not is_item:
            lists.reset()
        if parts:
            parts.append("\n" if tight and is_item else "\n\n")
        parts.append(text)
        tight = is_item
    parts += [f"\n\n{anchor}" for anchor in _anchors(anchors, sys.maxsize)]
    return "".join(parts) + "\n" if parts else ""


def _with_live_links(shown: Sequence[Shown]) -> list[Shown]:
    """The blocks without links to pages behind the last one that was read, of which there is nothing to show."""
    last = max((page_of(one.block) for one in shown), default=0)

    def alive(block: FinishedBlock) -> FinishedBlock:
        links = tuple(link for link in block.links if (page_target(link.target) or 0) <= last)
        return block if len(links) == len(block.links) else replace(block, links=links)

    return [replace(one, block=alive(one.block), above=tuple(map(alive, one.above)), below=tuple(map(alive, one.below))) for one in shown]


def _linked_pages(shown: Sequence[Shown]) -> list[int]:
    """The pages that the text links to, in order: only these get anchors, which most texts do without."""
    links = (link for one in shown for block in (*one.above, one.block, *one.below) for link in block.links)
    return sorted({page for link in links if (page := page_target(link.target)) is not None})


def _anchors(pages: list[int], page: int) -> Iterator[str]:
    """Takes the pages up to this one from those that want an anchor. A page that shows nothing has its place before the next."""
    while pages and pages[0] <= page:
        yield f'<a id="page-{pages.pop(0)}"></a>'


def _labels(shown: Sequence[Shown]) -> dict[str, int]:
    """Numbers in the order in which the text refers to notes."""
    blocks = [block for one in shown for block in (*one.above, one.block, *one.below)]
    present = {block.id for block in blocks if block.type is BlockType.FOOTNOTE}
    marked = (block for block in blocks if block.notes and (block.table is None or not _needs_html(block.table)))
    runs = (run for block in marked for run in text_runs(block.text, block.links, block.notes))  # a mark within a hyperlink is written as its text
    referred = dict.fromkeys(run.note for run in runs if run.note in present)
    return {note: number for number, note in enumerate(referred, 1)}


def _shown(shown: Shown, labels: Labels) -> str:
    """A block between the captions that stand above and below it."""
    block = shown.block
    match block.type:
        case BlockType.FIGURE:
            text = _figure(shown)
        case BlockType.HEADING:
            text = _heading(block, labels)
        case BlockType.FOOTNOTE if block.id in labels:
            text = _footnote(block, labels)
        case _:
            own = _BLOCKS.get(block.type)
            text = own(block, labels) if own else _paragraph(block, labels)
    above, below = ([_paragraph(caption, labels) for caption in captions] for captions in (shown.above, shown.below))
    return "\n\n".join((*above, text, *below))


def _paragraph(block: FinishedBlock, labels: Labels = _NONE) -> str:
    return _linked(block.text, block, labels)


def _linked(text: str, block: FinishedBlock, labels: Labels, start: int = 0) -> str:
    """A paragraph's text with its links, the marks of its notes and its emphasis. `start` is where it begins in the block's text."""
    if not block.links and not block.notes and not block.spans:
        return escape_block(text)
    return inline(text, block.links, block.notes, block.spans, labels, start)


def _footnote(block: FinishedBlock, labels: Labels) -> str:
    """A note that the text refers to: the label stands in the place of its mark."""
    mark = own_mark(block.text)
    length = mark.length if mark else 0
    return f"[^{labels[block.id]}]: " + continued(_linked(block.text[length:], block, labels, length), " " * 4)


def _heading(block: FinishedBlock, labels: Labels) -> str:
    if block.links or block.notes or block.spans:
        text = inline(block.text, block.links, block.notes, block.spans, labels, begins=False)
    else:
        text = escape_inline(block.text).strip()
    return "#" * min(6, max(1, block.level or 1)) + " " + _TRAILING_HASHES.sub(lambda m: "\\" + m[1], text)


def _table(block: FinishedBlock, labels: Labels) -> str:
    table = block.table
    if table is None or not table.rows:
        return _paragraph(block, labels)
    if _needs_html(table):  # where no Markdown is read: the marks of notes stay as they are printed
        return table_html(table, spans=block.spans, links=block.links)
    return _pipe_table(table, block, labels)


def _needs_html(table: FinishedTable) -> bool:
    """Whether pipes cannot say what a table is."""
    return table.header_rows > 1 or has_spans(table)


def _pipe_table(table: FinishedTable, block: FinishedBlock, labels: Labels) -> str:
    """A table of pipes. One without a header gets an empty one, as Markdown knows none without."""
    rows: list[Sequence[str]] = [[escape_cell(text) for text in row] for row in table.rows]
    for (row, column), cell in rich_cells(table, block.notes, block.spans, block.links).items():
        written = inline(cell.text, cell.links, cell.notes, cell.spans, labels, begins=False)
        rows[row] = [*rows[row][:column], written.replace("|", "\\|"), *rows[row][column + 1 :]]
    shown = ["| " + " | ".join(row) + " |" for row in rows]
    if table.header_rows == 0:
        shown.insert(0, "| " + " | ".join([""] * table.columns) + " |")
    shown.insert(1, "|" + " --- |" * table.columns)
    return "\n".join(shown)


def _code(block: FinishedBlock, _labels: Labels) -> str:
    return _fenced(block.text, block.language)


def _equation(block: FinishedBlock, _labels: Labels) -> str:
    """LaTeX as a math block, a fence being inert wherever it is not known; else the picture, with its flat text to be found by."""
    if "\\" in block.text or "_{" in block.text or "^{" in block.text:
        return _fenced(block.text, "math")
    return _image(" ".join(block.text.split()), block) if block.figure is not None and block.text else _paragraph(block)


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _figure(shown: Shown) -> str:
    """An image: nothing is loaded, the target names the stored figure; one that is not stored has none, as nothing in the text could be led to. Text
    in it that is no alternative text stands below.
    """
    block = shown.block
    text = " ".join(block.text.split())
    image = _image(alternative_text(shown), block)
    is_said = not text or (not shown.captions and len(text) <= LONGEST_ALTERNATIVE)
    return image if is_said else f"{image}\n\n{escape_block(text)}"


def _image(alternative: str, block: FinishedBlock) -> str:
    shown = escape_inline(alternative).replace("[", "(").replace("]", ")")
    return f"![{shown}]({escape_target(block.figure.name) if block.figure else ''})"


def _form_field(block: FinishedBlock, _labels: Labels) -> str:
    if block.field is None:
        return _paragraph(block)
    label = escape_inline((block.field.label or block.field.name).strip().rstrip(":：").rstrip())
    return f"**{label}:** {escape_inline(block.field.value)}" if label else escape_block(block.field.value)


def _annotation(block: FinishedBlock, _labels: Labels) -> str:
    return "> " + continued(escape_block(block.text), "> ")


_BLOCKS = {
    BlockType.TABLE: _table,
    BlockType.CODE: _code,
    BlockType.EQUATION: _equation,
    BlockType.FORM_FIELD: _form_field,
    BlockType.ANNOTATION: _annotation,
}


class _Indents:
    """How deep the next list item stands: a nested item begins where the text of its parent does."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._open: list[tuple[int, int, MarkerKind]] = []

    def reset(self) -> None:
        """No list is open."""
        self._open.clear()

    def item(self, block: FinishedBlock) -> str:
        """The item's line. A list that begins with another number than 1 is one only behind a blank line (CommonMark 0.31, 5.3)."""
        depth = block.list_depth or 0
        is_first = not self._open
        above = None
        while self._open and self._open[-1][0] >= depth:
            above = self._open.pop()
        indent = self._open[-1][1] if self._open else 0
        item = split_item(block.text)
        marker = f"{item.number}{item.sign} " if item.kind is MarkerKind.NUMBER else "- "
        begins = above is None or above[0] != depth or above[2] is not item.kind
        self._open.append((depth, indent + len(marker), item.kind))
        apart = "\n" if begins and not is_first and item.kind is MarkerKind.NUMBER and item.number != 1 else ""
        text = _linked(item.text, block, self._labels, len(block.text) - len(item.text))
        return apart + " " * indent + marker + continued(text, " " * (indent + len(marker)))
