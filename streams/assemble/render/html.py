"""A finished document as one self-contained HTML page: semantic, readable without any other file, and inert.

Nothing on the page can run or load anything: all text was escaped block by block, and the page's own policy forbids scripts, frames, forms
and every fetch; pictures are seen once their bytes are put in as `data:`. Page furniture is left out, as in Markdown.
"""

from collections.abc import Iterator
from html import escape

from schemas.content import BlockType
from schemas.document import Document, FinishedBlock
from streams.assemble.render.body import page_of, shown_blocks
from streams.assemble.render.figure_html import captioned_table_html, figure_html, has_picture_html
from streams.assemble.render.markers import MarkerKind, split_item

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
STYLE = (
    "body{max-width:50rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 serif}"
    "table{border-collapse:collapse;margin:1rem 0}th,td{border:1px solid #999;padding:.2rem .5rem;text-align:start;vertical-align:top}"
    "pre{overflow:auto;background:#f4f4f4;padding:.5rem}figure{border:1px dashed #999;padding:1rem;min-height:2rem}img{max-width:100%}"
    ".caption,.footnote,.labels{font-size:.9rem}caption{text-align:start}"
    "aside{border-inline-start:3px solid #999;padding-inline-start:1rem}ul.marked,li.nested{list-style:none}"
)


def to_html(document: Document) -> str:
    """The whole page."""
    title = escape(document.metadata.get("title") or document.filename or document.document_id)
    head = (
        '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
    return head + "\n".join(_body(document)) + "\n</main>\n</body>\n</html>\n"


def _body(document: Document) -> Iterator[str]:
    lists = _Lists()
    page = 0
    for shown in shown_blocks(document):
        block = shown.block
        if block.type is not BlockType.LIST_ITEM:
            yield from lists.close_all()
        if page_of(block) != page and not lists.is_open:  # inside a list no anchor may stand: the next block outside gets it
            page = page_of(block)
            yield f'<a id="page-{page}"></a>'
        if block.type is BlockType.LIST_ITEM:
            yield from lists.step(block)
        if has_picture_html(block):
            yield figure_html(shown)
        else:
            yield captioned_table_html(shown) if shown.captions else block.html
    yield from lists.close_all()


class _Lists:
    """The lists that are open, by depth and kind. A nested list stands inside its list, between the items."""

    def __init__(self) -> None:
        self._open: list[tuple[int, MarkerKind]] = []

    @property
    def is_open(self) -> bool:
        """Whether a list is open."""
        return bool(self._open)

    def step(self, block: FinishedBlock) -> Iterator[str]:
        """Closes and opens what must be before the item."""
        depth, kind = block.list_depth or 0, split_item(block.text).kind
        while self._open and (self._open[-1][0] > depth or (self._open[-1][0] == depth and self._open[-1][1] is not kind)):
            yield self._close()
        if not self._open or self._open[-1][0] < depth:
            nested = '<li class="nested">' if self._open else ""
            yield nested + {MarkerKind.BULLET: "<ul>", MarkerKind.NUMBER: "<ol>", MarkerKind.OTHER: '<ul class="marked">'}[kind]
            self._open.append((depth, kind))

    def close_all(self) -> Iterator[str]:
        """Closes every open list."""
        while self._open:
            yield self._close()

    def _close(self) -> str:
        kind = self._open.pop()[1]
        return ("</ol>" if kind is MarkerKind.NUMBER else "</ul>") + ("</li>" if self._open else "")
