"""The formats a finished document is written as, in one table. Renderers know the document's contract and nothing of how it was made."""

from collections.abc import Callable

from schemas.document import Document
from schemas.events import Format
from streams.assemble.render.html import to_html
from streams.assemble.render.json import to_json
from streams.assemble.render.markdown import to_markdown

RENDERERS: dict[Format, Callable[[Document], str]] = {
    Format.MARKDOWN: to_markdown,
    Format.JSON: to_json,
    Format.HTML: to_html,
}


def render(document: Document, format: Format) -> str:
    """The document in one format. Equal documents give equal text."""
    return RENDERERS[format](document)
