"""An element of a model's HTML as blocks of a page: headings, paragraphs, lists, tables, code. Pure.

A piece of HTML has one box at most; all blocks that are made of it share it.
"""

from typing import Any

from inference.dialects.model_html import MAX_DEPTH, items_of, latex_of, table_of, text_of
from schemas.content import Block, BlockType
from schemas.geometry import BBox

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CONTAINERS = frozenset({"div", "section", "article", "main", "body", "html", "form", "center", "figure", "details", "span"})
_PLAIN: dict[str, BlockType] = {
    "pre": BlockType.CODE,
    "figcaption": BlockType.CAPTION,
    "caption": BlockType.CAPTION,
    "header": BlockType.PAGE_HEADER,
    "footer": BlockType.PAGE_FOOTER,
}


def blocks_of(element: Any, box: BBox, kind: BlockType = BlockType.PARAGRAPH, depth: int = 0) -> list[Block]:
    """The blocks of an element. `kind` is what its text is where its tags do not say."""
    tag = element.tag
    if tag in _HEADINGS:
        return _text_block(text_of(element), box, BlockType.HEADING, level=_HEADINGS[tag])
    if tag == "table":
        return _table_blocks(element, box)
    if tag in ("ul", "ol"):
        items = [(text, level) for text, level in items_of(element) if text]
        return [Block(type=BlockType.LIST_ITEM, bbox=box, text=text, list_depth=level) for text, level in items]
    if tag == "img":
        return [Block(type=BlockType.FIGURE, bbox=box, text=(element.get("alt") or "").strip())]
    if tag == "math":
        return _text_block(latex_of(element), box, BlockType.EQUATION)
    if tag in _PLAIN:
        return _text_block(text_of(element, lines=tag == "pre"), box, _PLAIN[tag])
    if tag in _CONTAINERS and depth < MAX_DEPTH and _holds_blocks(element):
        return _blocks_inside(element, box, kind, depth)
    return _text_block(text_of(element), box, kind)


def _blocks_inside(element: Any, box: BBox, kind: BlockType, depth: int) -> list[Block]:
    """The blocks of what an element holds; text between its children is kept with its kind."""
    found = _text_block(_folded(element.text), box, kind)
    for child in element:
        if isinstance(child.tag, str) and child.tag not in ("script", "style"):
            found += blocks_of(child, box, kind, depth + 1)
        found += _text_block(_folded(child.tail), box, kind)
    return found


def _holds_blocks(element: Any) -> bool:
    inner = ("table", "ul", "ol", "p", "div", "pre", "img", "section", "header", "footer", "figure", "figcaption", *_HEADINGS)
    return any(child.tag in inner for child in element)


def _table_blocks(element: Any, box: BBox) -> list[Block]:
    found: list[Block] = []
    for caption in element.findall("caption"):
        found += _text_block(text_of(caption), box, BlockType.CAPTION)
    table = table_of(element)
    if table is not None:
        found.append(Block(type=BlockType.TABLE, bbox=box, table=table))
    return found


def _text_block(text: str, box: BBox, kind: BlockType, level: int | None = None) -> list[Block]:
    if not text:
        return []
    kind = BlockType.PARAGRAPH if kind is BlockType.TABLE else kind
    return [Block(type=kind, bbox=box, text=text, level=level, list_depth=0 if kind is BlockType.LIST_ITEM else None)]


def _folded(text: str | None) -> str:
    return " ".join((text or "").split())
