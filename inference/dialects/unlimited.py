"""Unlimited-OCR: windows of pages as blocks with a type, a box in thousandths and continuation tags. Both of its ways of writing.

Version 2 writes `<PAGE>`, then `<BLOCK>type<LEVEL1>[x1,y1,x2,y2]<FORK>text` for each block; version 1 `<|det|>type [x1, y1, x2, y2]<|/det|>text`.
Tables are HTML. Tags that say that a block goes on (`cross_text`, `append_text`, `append_table`) are kept as votes: assembly decides.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from inference.dialects.dialect import MAX_ANSWER_CHARS, MAX_BLOCKS, DialectPage, PageSize, box_on_grid, whole
from inference.dialects.html_blocks import blocks_of
from inference.dialects.model_html import parse_fragments
from schemas.content import Block, BlockType

PAGE = "<PAGE>"
PAGE_IMAGE = "<PAGE><image>"
PROMPT = "Multi page parsing."

TYPES: dict[str, BlockType] = {
    "title": BlockType.HEADING,
    "text": BlockType.PARAGRAPH,
    "list": BlockType.LIST_ITEM,
    "table": BlockType.TABLE,
    "table_caption": BlockType.CAPTION,
    "image_caption": BlockType.CAPTION,
    "figure_caption": BlockType.CAPTION,
    "caption": BlockType.CAPTION,
    "table_footnote": BlockType.FOOTNOTE,
    "image_footnote": BlockType.FOOTNOTE,
    "footnote": BlockType.FOOTNOTE,
    "page_footnote": BlockType.FOOTNOTE,
    "image": BlockType.FIGURE,
    "figure": BlockType.FIGURE,
    "chart": BlockType.FIGURE,
    "equation": BlockType.EQUATION,
    "formula": BlockType.EQUATION,
    "code": BlockType.CODE,
    "algorithm": BlockType.CODE,
    "header": BlockType.PAGE_HEADER,
    "page_header": BlockType.PAGE_HEADER,
    "footer": BlockType.PAGE_FOOTER,
    "page_footer": BlockType.PAGE_FOOTER,
    "page_number": BlockType.PAGE_FOOTER,
}
"""What its types are here; a type that is not listed is a paragraph."""
CONTINUATIONS = frozenset({"cross_text", "append_text", "append_table"})

_MARK = re.compile(r"<BLOCK>(?P<head>.{0,300}?)<FORK>|<\|det\|>(?P<old>.{0,300}?)<\|/det\|>", re.DOTALL)
_TYPE = re.compile(r"\s*(?:<[^>]*>\s*)*([A-Za-z_ -]+)")
_LEVEL = re.compile(r"<LEVEL(\d)>", re.IGNORECASE)
_WORDS = re.compile(r"[a-z_]+")
_BOX = re.compile(r"\[\s*(-?\d{1,5}(?:\.\d+)?)\s*,\s*(-?\d{1,5}(?:\.\d+)?)\s*,\s*(-?\d{1,5}(?:\.\d+)?)\s*,\s*(-?\d{1,5}(?:\.\d+)?)\s*\]")
_TOKENS = re.compile(r"<\|[^|<>]{1,40}\|>|</?(?:PAGE|BLOCK|FORK|LEVEL\d)>")


def parse(answer: str, pages: Sequence[PageSize]) -> list[DialectPage]:
    """The pages of an answer, as many as it marks: what comes before the first mark belongs to the first page."""
    parts = answer.split(PAGE)
    if len(parts) > 1 and not parts[0].strip():
        parts = parts[1:]
    size = PageSize(1.0, 1.0)
    found = []
    for number, part in enumerate(parts[: len(pages) + 1]):
        size = pages[number] if number < len(pages) else size
        found.append(_page(part, size))
    return found


def _page(text: str, size: PageSize) -> DialectPage:
    problems = ["truncated"] if len(text) > MAX_ANSWER_CHARS else []
    text = text[:MAX_ANSWER_CHARS]
    marks = list(_MARK.finditer(text))
    blocks: list[Block] = []
    before = text[: marks[0].start()] if marks else text
    if before.strip():
        problems.append("damaged_markup")
        blocks += _blocks("text", before, size)
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=False):
        blocks += _blocks(mark["head"] if mark["head"] is not None else mark["old"], text[mark.end() : end], size)
        if len(blocks) > MAX_BLOCKS:
            problems.append("truncated")
            break
    return DialectPage(blocks=tuple(blocks[:MAX_BLOCKS]), problems=tuple(dict.fromkeys(problems)))


def _blocks(head: str, body: str, size: PageSize) -> list[Block]:
    """The blocks of one mark and what follows it."""
    named = _TYPE.match(head)
    kind = TYPES.get(named[1].strip().lower().replace(" ", "_"), BlockType.PARAGRAPH) if named else BlockType.PARAGRAPH
    level = _LEVEL.search(head)
    numbers = _BOX.search(head)
    box = box_on_grid([float(number) for number in numbers.groups()], size) if numbers else whole(size)
    tags = tuple(tag for tag in dict.fromkeys(_WORDS.findall(head.lower())) if tag in CONTINUATIONS)
    body = _TOKENS.sub("", body).strip()
    made: list[Block] = []
    if kind is BlockType.TABLE:
        for element in parse_fragments(body):
            made += blocks_of(element, box)
    elif kind is BlockType.FIGURE:
        made = [Block(type=kind, bbox=box, text=" ".join(body.split()))]
    elif kind is BlockType.LIST_ITEM:
        made = [Block(type=kind, bbox=box, text=" ".join(line.split()), list_depth=0) for line in body.split("\n") if line.strip()]
    elif body:
        text = body if kind is BlockType.CODE else " ".join(body.split())
        made = [Block(type=kind, bbox=box, text=text, level=int(level[1]) or None if level and kind is BlockType.HEADING else None)]
    if tags and made:
        made[0] = replace(made[0], tags=tags)
    return made
