"""One block as HTML that is safe anywhere: everything from the document is escaped, no tag or attribute comes from it.

What may appear is one short list (`TAGS`); nothing in it loads or runs anything. A test holds it against an HTML cleaner.
"""

from collections.abc import Sequence
from functools import partial
from html import escape

from schemas.content import BlockType, FormField, Link, Span
from schemas.document import FinishedTable, NoteReference
from streams.assemble.render.markers import MarkerKind, split_item
from streams.assemble.render.table_html import table_html
from streams.assemble.render.text_runs import Setting, text_runs
from streams.assemble.text.wording import is_right_to_left

TAGS = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "pre", "code", "figure", "figcaption", "a", "aside", "header", "footer"}
    | {"strong", "em", "s", "sup", "table", "thead", "tbody", "tr", "th", "td"}
)
"""All tags that a block's HTML may hold."""


def block_html(
    identity: str,
    kind: BlockType,
    text: str,
    level: int | None = None,
    links: Sequence[Link] = (),
    table: FinishedTable | None = None,
    field: FormField | None = None,
    notes: Sequence[NoteReference] = (),
    spans: Sequence[Span] = (),
) -> str:
    """The block as one HTML element with the block's id."""
    if table is not None:
        return table_html(table, identity)
    shown = partial(_inline, links=links, notes=notes, spans=spans)
    mark = f'id="{escape(identity)}"' + (' dir="auto"' if is_right_to_left(text) else "")
    match kind:
        case BlockType.HEADING:
            depth = min(6, max(1, level or 1))
            return f"<h{depth} {mark}>{shown(text)}</h{depth}>"
        case BlockType.LIST_ITEM:
            item = split_item(text)
            value = f' value="{item.number}"' if item.kind is MarkerKind.NUMBER else ""
            return f"<li {mark}{value}>{shown(item.text, start=len(text) - len(item.text))}</li>"
        case BlockType.CODE:
            return f"<pre {mark}><code>{escape(text)}</code></pre>"
        case BlockType.FIGURE:
            return f'<figure {mark}><figcaption class="figure">{_inline(text, links)}</figcaption></figure>'
        case BlockType.EQUATION:
            return f'<pre {mark} class="equation"><code>{escape(text)}</code></pre>'
        case BlockType.FORM_FIELD if field is not None:
            label = field.label or field.name
            named = f"<strong>{escape(label)}</strong> " if label else ""
            return f'<p {mark} class="form_field">{named}{escape(field.value)}</p>'
        case BlockType.ANNOTATION:
            return f'<aside {mark} class="annotation">{_inline(text, links)}</aside>'
        case BlockType.PAGE_HEADER:
            return f"<header {mark}>{_inline(text, links)}</header>"
        case BlockType.PAGE_FOOTER:
            return f"<footer {mark}>{_inline(text, links)}</footer>"
        case BlockType.CAPTION | BlockType.FOOTNOTE:
            return f'<p {mark} class="{kind.value}">{shown(text)}</p>'
    return f"<p {mark}>{shown(text)}</p>"


def _inline(text: str, links: Sequence[Link], notes: Sequence[NoteReference] = (), spans: Sequence[Span] = (), start: int = 0) -> str:
    """Text with its links, the marks of its notes and its emphasis. `start` is where it begins in the text of its block."""
    if not links and not notes and not spans:
        return escape(text)
    parts = []
    for run in text_runs(text, links, notes, start, spans):
        if run.target is not None:
            link = f'<a href="{escape(run.target)}" rel="noopener noreferrer nofollow">{escape(run.text)}</a>'
            parts.append(_emphasised(link, run.setting))
        elif run.note is not None:
            mark = f'<a href="#{escape(run.note)}" rel="footnote">{escape(run.text)}</a>'
            parts.append(f"<sup>{mark}</sup>" if run.text.isascii() else mark)  # superscript digits are raised as they are
        else:
            parts.append(_emphasised(escape(run.text), run.setting))
    return "".join(parts)


def _emphasised(shown: str, setting: Setting) -> str:
    """Safe HTML in the elements that set it off."""
    for tag, is_so in (("em", setting.italic), ("strong", setting.bold), ("s", setting.struck)):
        if is_so:
            shown = f"<{tag}>{shown}</{tag}>"
    return shown
