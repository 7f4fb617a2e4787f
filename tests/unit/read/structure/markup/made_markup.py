"""Markup read from a string, and blocks in a form that a test can state."""

from schemas.content import Block, BlockType, Table
from streams.read.structure.logical_page import LogicalPage
from streams.read.structure.markup.html import read_html
from streams.read.structure.markup.markdown import read_markdown
from streams.read.structure.text.encodings import Decoded


def html_page(markup: str) -> LogicalPage:
    """The one page of a text of HTML."""
    (page,) = read_html(Decoded(text=markup, encoding="utf-8")).pages
    return page


def html_blocks(markup: str) -> tuple[Block, ...]:
    """Its blocks."""
    return html_page(markup).blocks


def markdown_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of the one page of a text in Markdown."""
    (page,) = read_markdown(Decoded(text=text, encoding="utf-8")).pages
    return page.blocks


def said(blocks: tuple[Block, ...]) -> list[tuple[str, str]]:
    """(type, text) of every block."""
    return [(block.type.value, block.text) for block in blocks]


def texts(blocks: tuple[Block, ...], kind: BlockType = BlockType.PARAGRAPH) -> list[str]:
    """The texts of the blocks of one type."""
    return [block.text for block in blocks if block.type is kind]


def items(blocks: tuple[Block, ...]) -> list[tuple[int | None, str]]:
    """(depth, text) of every list item."""
    return [(block.list_depth, block.text) for block in blocks if block.type is BlockType.LIST_ITEM]


def the_table(blocks: tuple[Block, ...]) -> Table:
    """The only table."""
    (table,) = [block.table for block in blocks if block.table is not None]
    return table


def grid(table: Table) -> list[list[str]]:
    """The texts of a table by row and column; a span's text stands once."""
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell.text
    return rows
