"""Plain page models: Markdown, or HTML, for one page, without boxes. Read with a CommonMark parser; HTML tables inside are read as tables.

Blocks have the box of the whole page, since nothing says where they stand.
"""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from inference.dialects.dialect import MAX_ANSWER_CHARS, MAX_BLOCKS, DialectPage, PageSize, whole
from inference.dialects.html_blocks import blocks_of
from inference.dialects.model_html import parse_fragments
from schemas.content import Block, BlockType, Cell, Table
from schemas.geometry import BBox

PROMPT = "Convert this page to Markdown, in reading order. Write tables as HTML and formulas as LaTeX. Answer with the text of the page alone."

MAX_BRACKETS = 400
"""Open brackets of one block that may begin links: the parser's time grows with their square."""

_FENCE = re.compile(r"\A\s*```(?:markdown|md|html)?\s*\n(.*?)\n?```\s*\Z", re.DOTALL)
_FRONT_MATTER = re.compile(r"\A---\n.{0,4000}?\n---\n", re.DOTALL)
_FORMULA = re.compile(
    r"\$\$.{1,4000}?\$\$|\\\[(?:(?!\\\[).){1,4000}?\\\]|\\\((?:(?!\\\().){1,1000}?\\\)|(?<![\w\\$])\$(?=\S)[^$\n]{1,500}?(?<=\S)\$(?!\d)", re.DOTALL
)
_BLOCK = re.compile(r"(?:[^\n]+\n?)+")
_PLACE = re.compile("\ue0f0(\\d+)\ue0f1")


def parse(answer: str, pages: Sequence[PageSize]) -> list[DialectPage]:
    """The one page of an answer."""
    box = whole(pages[0] if pages else PageSize(1.0, 1.0))
    problems = ["truncated"] if len(answer) > MAX_ANSWER_CHARS else []
    text = answer[:MAX_ANSWER_CHARS].replace("\r\n", "\n")
    fenced = _FENCE.match(text)
    text = _FRONT_MATTER.sub("", fenced[1] if fenced else text)
    text, formulas = _put_aside(text)
    text = _BLOCK.sub(lambda block: block[0].replace("[", "&#91;") if block[0].count("[") > MAX_BRACKETS else block[0], text)
    tokens = MarkdownIt("commonmark", {"html": True, "maxNesting": 30}).enable(["table", "strikethrough"]).parse(text)
    blocks = [_put_back(block, formulas) for block in _Reader(tokens, box).blocks()]
    if len(blocks) > MAX_BLOCKS:
        problems.append("truncated")
    return [DialectPage(blocks=tuple(blocks[:MAX_BLOCKS]), problems=tuple(dict.fromkeys(problems)))]


def _put_aside(text: str) -> tuple[str, list[str]]:
    """The text with a sign in the place of each formula, and the formulas: what is LaTeX must not be read as Markdown."""
    formulas: list[str] = []

    def aside(found: re.Match[str]) -> str:
        formulas.append(" ".join(found[0].split()))
        return f"\ue0f0{len(formulas) - 1}\ue0f1"

    return _FORMULA.sub(aside, text.replace("\ue0f0", " ").replace("\ue0f1", " ")), formulas


def _put_back(block: Block, formulas: list[str]) -> Block:
    """A block with its formulas; one that is nothing but a displayed formula is an equation."""
    text = _PLACE.sub(lambda found: formulas[int(found[1])], block.text)
    table = block.table
    if table is not None:
        cells = tuple(replace(cell, text=_PLACE.sub(lambda found: formulas[int(found[1])], cell.text)) for cell in table.cells)
        table = replace(table, cells=cells)
    alone = block.type is BlockType.PARAGRAPH and _PLACE.fullmatch(block.text) is not None and text.startswith(("$$", "\\["))
    return replace(block, type=BlockType.EQUATION if alone else block.type, text=text, table=table)


class _Reader:
    """Walks the tokens of a page once."""

    def __init__(self, tokens: list[Token], box: BBox) -> None:
        self._tokens = tokens
        self._box = box
        self._found: list[Block] = []
        self._lists: list[tuple[bool, int]] = []
        self._level: int | None = None
        self._marked: int | None = None

    def blocks(self) -> list[Block]:
        """All blocks."""
        index = 0
        while index < len(self._tokens):
            index = self._take(index)
        return self._found

    def _take(self, index: int) -> int:
        token = self._tokens[index]
        match token.type:
            case "heading_open":
                self._level = int(token.tag[1])
            case "bullet_list_open" | "ordered_list_open":
                self._lists.append((token.type == "ordered_list_open", int(token.attrs.get("start", 1))))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                ordered, number = self._lists[-1]
                self._marked = number if ordered else 0
                self._lists[-1] = (ordered, number + 1)
            case "inline":
                self._text(token)
            case "fence" | "code_block":
                self._add(BlockType.CODE, token.content.rstrip("\n"))
            case "html_block":
                for element in parse_fragments(token.content):
                    self._found += blocks_of(element, self._box)
            case "table_open":
                return self._table(index)
        return index + 1

    def _text(self, token: Token) -> None:
        if token.content.lstrip().startswith("<") and "<table" in token.content.lower():
            for element in parse_fragments(token.content):
                self._found += blocks_of(element, self._box)
            return
        pictures = [child for child in token.children or () if child.type == "image"]
        text = plain_text(token)
        if self._level is not None:
            self._add(BlockType.HEADING, text, level=self._level)
            self._level = None
        elif pictures and text == "".join(picture.content for picture in pictures).strip():
            self._found += [Block(type=BlockType.FIGURE, bbox=self._box, text=picture.content) for picture in pictures]
        elif self._lists:
            if self._marked is not None:
                marker = f"{self._marked}. " if self._lists[-1][0] else ""
                self._add(BlockType.LIST_ITEM, marker + text, depth=len(self._lists) - 1)
                self._marked = None
            else:
                self._add(BlockType.PARAGRAPH, text)
        else:
            self._add(BlockType.PARAGRAPH, text)

    def _table(self, start: int) -> int:
        """A pipe table; gives the index after it."""
        rows: list[list[str]] = []
        header_rows, index = 0, start
        while self._tokens[index].type != "table_close":
            token = self._tokens[index]
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(plain_text(token))
            elif token.type == "thead_close":
                header_rows = len(rows)
            index += 1
        columns = max((len(row) for row in rows), default=0)
        if columns:
            cells = tuple(Cell(row=y, column=x, text=text) for y, row in enumerate(rows) for x, text in enumerate(row))
            if not any(cell.text for cell in cells if cell.row < header_rows):  # a table must have a header in Markdown; an empty one stands for none
                cells = tuple(Cell(row=cell.row - header_rows, column=cell.column, text=cell.text) for cell in cells if cell.row >= header_rows)
                rows, header_rows = rows[header_rows:], 0
            table = Table(rows=len(rows), columns=columns, cells=cells, header_rows=min(header_rows, max(0, len(rows) - 1)))
            if rows:
                self._found.append(Block(type=BlockType.TABLE, bbox=self._box, table=table))
        return index + 1

    def _add(self, kind: BlockType, text: str, level: int | None = None, depth: int | None = None) -> None:
        if text:
            self._found.append(Block(type=kind, bbox=self._box, text=text, level=level, list_depth=depth))


def plain_text(inline: Token) -> str:
    """The text of an inline token without its markup; formulas keep their dollars, breaks become spaces."""
    parts = []
    for child in inline.children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "image":
            parts.append(child.content)
        elif child.type == "html_inline" and child.content.lower().startswith("<br"):
            parts.append(" ")
    return " ".join("".join(parts).split())
