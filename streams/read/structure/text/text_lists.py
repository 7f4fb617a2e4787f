"""Lists of plain text: items by their signs or numbers, nested by their indentation, their wrapped lines joined."""

import re
from collections.abc import Iterator, Sequence

from schemas.content import Block, BlockType
from streams.read.blocks.joining import KnownWords, join_lines
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.logical_page import UNPLACED
from streams.read.structure.text.lines import indent_of

MAX_DEPTH = 12
_BULLET = re.compile(r"(\s*)([-*+•●○▪■□◦‣⁃·–]|o(?=\s{2,}))(\s+)(?=\S)")
_NUMBER = re.compile(r"(\s*)(\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)])(\s+)(?=\S)")
_INITIAL = re.compile(r"\s*[A-Z]\.\s+[A-Z][a-z]")
"""The initial of a name, not the letter of an item."""
_SHOWN_BULLET = "• "


def is_item(line: str) -> bool:
    """Whether a line begins an item."""
    return _BULLET.match(line) is not None or (_NUMBER.match(line) is not None and _INITIAL.match(line) is None)


def read_items(run: Sequence[str], words: KnownWords) -> Iterator[Block]:
    """The items of a run of lines whose first is one."""
    indents: list[int] = []
    lines: list[str] = []
    marker, depth = "", 0
    for line in run:
        if not is_item(line):
            lines.append(line.strip())
            continue
        if lines:
            yield _item(marker, lines, depth, words)
        found = _BULLET.match(line) or _NUMBER.match(line)
        text = line[found.end() :] if found else line
        marker = _SHOWN_BULLET if _BULLET.match(line) else f"{found[2]} " if found else ""
        indent = indent_of(line)
        while indents and indents[-1] > indent:
            indents.pop()
        if not indents or indents[-1] < indent:
            indents.append(indent)
        depth, lines = min(MAX_DEPTH, len(indents) - 1), [text]
    yield _item(marker, lines, depth, words)


def _item(marker: str, lines: list[str], depth: int, words: KnownWords) -> Block:
    text = collapse(clean_text(join_lines(lines, words)))
    return Block(type=BlockType.LIST_ITEM, bbox=UNPLACED, text=marker + text, list_depth=depth, line_count=len(lines))
