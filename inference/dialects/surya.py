"""Surya 2: a page as HTML blocks, `<div data-label="Text" data-bbox="x0 y0 x1 y1">`, boxes in thousandths of the page's sides."""

import re
from collections.abc import Sequence
from typing import Any

from inference.dialects.dialect import MAX_ANSWER_CHARS, MAX_BLOCKS, DialectPage, PageSize, box_on_grid, whole
from inference.dialects.html_blocks import blocks_of
from inference.dialects.model_html import parse_fragments, text_of
from schemas.content import Block, BlockType

PROMPT = (
    'Read this page. Answer with its blocks in reading order as HTML, each a div with data-label and data-bbox="x0 y0 x1 y1" in thousandths '
    "of the page's width and height. Write tables as HTML tables and formulas as LaTeX in math tags."
)

LABELS: dict[str, BlockType | None] = {
    "caption": BlockType.CAPTION,
    "footnote": BlockType.FOOTNOTE,
    "equation-block": BlockType.EQUATION,
    "list-group": BlockType.LIST_ITEM,
    "page-header": BlockType.PAGE_HEADER,
    "page-footer": BlockType.PAGE_FOOTER,
    "image": BlockType.FIGURE,
    "figure": BlockType.FIGURE,
    "diagram": BlockType.FIGURE,
    "chemical-block": BlockType.FIGURE,
    "section-header": BlockType.HEADING,
    "table": BlockType.TABLE,
    "text": BlockType.PARAGRAPH,
    "complex-block": BlockType.PARAGRAPH,
    "code-block": BlockType.CODE,
    "form": BlockType.PARAGRAPH,
    "table-of-contents": BlockType.PARAGRAPH,
    "bibliography": BlockType.LIST_ITEM,
    "blank-page": None,
}
"""What its labels are here; None is no block."""

_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


def parse(answer: str, pages: Sequence[PageSize]) -> list[DialectPage]:
    """The one page of an answer."""
    page = pages[0] if pages else PageSize(1.0, 1.0)
    problems = ["truncated"] if len(answer) > MAX_ANSWER_CHARS else []
    blocks: list[Block] = []
    elements = parse_fragments(_without_fence(answer[:MAX_ANSWER_CHARS]))
    for element in elements:
        if len(blocks) >= MAX_BLOCKS:
            problems.append("truncated")
            break
        blocks += _blocks(element, page)
    if elements and not any(element.get("data-label") for element in elements):
        problems.append("damaged_markup")
    return [DialectPage(blocks=tuple(blocks[:MAX_BLOCKS]), problems=tuple(dict.fromkeys(problems)))]


def _blocks(element: Any, page: PageSize) -> list[Block]:
    label = (element.get("data-label") or "").strip().lower()
    numbers = [float(number) for number in _NUMBERS.findall(element.get("data-bbox") or "")[:4]]
    box = box_on_grid(numbers, page) if len(numbers) == 4 else whole(page)
    if label not in LABELS:
        return blocks_of(element, box)
    kind = LABELS[label]
    if kind is None:
        return []
    if kind in (BlockType.TABLE, BlockType.PARAGRAPH, BlockType.LIST_ITEM, BlockType.HEADING):
        return blocks_of(element, box, kind)
    code = element.find(".//pre") if kind is BlockType.CODE else None
    text = text_of(element if code is None else code, lines=kind is BlockType.CODE)
    return [Block(type=kind, bbox=box, text=text)] if text or kind is BlockType.FIGURE else []


def _without_fence(answer: str) -> str:
    text = answer.strip()
    if text.startswith("```"):
        text = text.partition("\n")[2]
    return text.removesuffix("```")
