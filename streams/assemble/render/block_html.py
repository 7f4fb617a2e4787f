"""One block as HTML that is safe anywhere: everything from the document is escaped, no tag or attribute comes from it.

What may appear is one short list (`TAGS`); nothing in it loads or runs anything. A test holds it against an HTML cleaner.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from schemas.content import BlockType, FormField, Link, Span
from schemas.document import FinishedTable, NoteReference
from streams.assemble.render.inline_html import Marks, backlinks_html, inline_html
from streams.assemble.render.markers import MarkerKind, split_item
from streams.assemble.render.table_html import table_html
from streams.assemble.text.wording import is_right_to_left

TAGS = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "pre", "code", "figure", "figcaption", "a", "aside", "header", "footer"}
    | {"strong", "em", "s", "sup", "br", "table", "thead", "tbody", "tr", "th", "td"}
)
"""All tags that a block's HTML may hold."""


class BlockParts(NamedTuple):
    """What a block shows. `marks` are, of a note, the ids of the marks that refer to it."""

    identity: str
    kind: BlockType
    text: str
    level: int | None = None
    links: Sequence[Link] = ()
    table: FinishedTable | None = None
    field: FormField | None = None
    notes: Sequence[NoteReference] = ()
    spans: Sequence[Span] = ()
    marks: Sequence[str] = ()


def block_html(shown: BlockParts) -> str:
    """The block as one HTML element with the block's id."""
    if shown.table is not None:
        return table_html(shown.table, shown.identity, notes=shown.notes, spans=shown.spans, links=shown.links)
    mark = f'id="{escape(shown.identity)}"' + (' dir="auto"' if is_right_to_left(shown.text) else "")
    written = _ELEMENTS.get(shown.kind)
    return written(shown, mark) if written is not None else f"<p {mark}>{_inline(shown, shown.text)}</p>"


def _inline(shown: BlockParts, text: str) -> str:
    """The end of the block's text from somewhere on, with all that hangs on it."""
    return inline_html(text, shown.links, shown.notes, shown.spans, Marks(shown.identity), len(shown.text) - len(text))


def _linked(shown: BlockParts) -> str:
    """The block's text with its links alone."""
    return inline_html(shown.text, shown.links, (), (), Marks(shown.identity))


def _heading(shown: BlockParts, mark: str) -> str:
    depth = min(6, max(1, shown.level or 1))
    return f"<h{depth} {mark}>{_inline(shown, shown.text)}</h{depth}>"


def _item(shown: BlockParts, mark: str) -> str:
    item = split_item(shown.text)
    value = f' value="{item.number}"' if item.kind is MarkerKind.NUMBER else ""
    return f"<li {mark}{value}>{_inline(shown, item.text)}</li>"


def _form_field(shown: BlockParts, mark: str) -> str:
    if shown.field is None:
        return f"<p {mark}>{_inline(shown, shown.text)}</p>"
    label = shown.field.label or shown.field.name
    named = f"<strong>{escape(label)}</strong> " if label else ""
    return f'<p {mark} class="form_field">{named}{escape(shown.field.value)}</p>'


def _footnote(shown: BlockParts, mark: str) -> str:
    return f'<p {mark} class="footnote" role="doc-footnote">{_inline(shown, shown.text)}{backlinks_html(shown.marks)}</p>'


_ELEMENTS: Mapping[BlockType, Callable[[BlockParts, str], str]] = {
    BlockType.HEADING: _heading,
    BlockType.LIST_ITEM: _item,
    BlockType.CODE: lambda shown, mark: f"<pre {mark}><code>{escape(shown.text)}</code></pre>",
    BlockType.FIGURE: lambda shown, mark: f'<figure {mark}><figcaption class="figure">{_linked(shown)}</figcaption></figure>',
    BlockType.EQUATION: lambda shown, mark: f'<pre {mark} class="equation"><code>{escape(shown.text)}</code></pre>',
    BlockType.FORM_FIELD: _form_field,
    BlockType.ANNOTATION: lambda shown, mark: f'<aside {mark} class="annotation">{_linked(shown)}</aside>',
    BlockType.PAGE_HEADER: lambda shown, mark: f"<header {mark}>{_linked(shown)}</header>",
    BlockType.PAGE_FOOTER: lambda shown, mark: f"<footer {mark}>{_linked(shown)}</footer>",
    BlockType.CAPTION: lambda shown, mark: f'<p {mark} class="caption">{_inline(shown, shown.text)}</p>',
    BlockType.FOOTNOTE: _footnote,
}
"""How each kind of block is written; all others as a paragraph."""
