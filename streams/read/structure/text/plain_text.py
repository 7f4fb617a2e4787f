"""Plain text by the structure that people give to it with spaces, rules and signs; a form feed begins a page.

Guarantees: every line comes out once, in order. What a run of lines is, is decided on the run alone, and by how long the lines of the whole file
are: hard-wrapped lines become one paragraph, hyphens as in printed text; what is no prose and no sure table keeps its lines, as code.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path

from schemas.content import Block, BlockType
from schemas.errors import Code, PageloomError
from streams.read.blocks.joining import KnownWords, join_lines
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.logical_page import UNPLACED, LogicalDocument, LogicalPage
from streams.read.structure.paging import logical_pages
from streams.read.structure.text.encodings import Decoded, decode_text
from streams.read.structure.text.headings import heading_at
from streams.read.structure.text.lines import indent_of, is_rule, placed
from streams.read.structure.text.separated import rows_of, table_pages
from streams.read.structure.text.source_code import is_source
from streams.read.structure.text.text_lists import is_item, read_items
from streams.read.structure.text.text_tables import table_of

MAX_CHARACTERS = 64_000_000
MAX_PAGES = 20_000
"""Form feeds counted as pages; a listing of more is read on as the last one."""
WRAP_RANGE = (40, 110)
"""Characters of a line in text that is wrapped by hand or program; longer lines are whole paragraphs."""
FULL = 0.8
"""Share of the usual length from which a line is full: the next word did not fit."""
LONG_LINES = 2.0
"""Lines this many times as long as wrapped ones are paragraphs of their own."""
CODE_INDENT = 4
MAX_CODE = 100_000
"""Characters after which a listing goes on in another block, at the end of a line."""

MAX_VERSE = 60
"""Short lines of one run that become a paragraph each; more are a listing."""
SHORT_LINE = 50

_CODE_SIGNS = re.compile(r"[{};]\s*$|^\s*(?:#include|import |def |class |function |return |if \(|for \(|while \(|//|/\*|\$ |>>> )|[=!]==?|->|::|\(\)")
_STAMP = re.compile(r"^\s*(?:\[?\d{2,4}[-/:.]\d{2}[-/:.]\d{2,4}|\[[^\]]{2,30}\]|(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\b)")
_QUOTED = re.compile(r"^(?:> ?)+")
_DRAWN = re.compile(r"[|+\\/_=~^<>#*-]{2,}")


def read(path: Path) -> LogicalDocument:
    """The document. Raises PageloomError: TOO_LARGE."""
    return read_plain_text(decode_text(path.read_bytes()))


def read_plain_text(decoded: Decoded) -> LogicalDocument:
    """The document of a text."""
    if len(decoded.text) > MAX_CHARACTERS:
        raise PageloomError(Code.TOO_LARGE, f"text of {len(decoded.text)} characters; at most {MAX_CHARACTERS} are read")
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    parts = text.strip("\f").split("\f", MAX_PAGES)
    wrap = usual_length(text)
    words = KnownWords(text.splitlines())
    pages: list[LogicalPage] = []
    for number, part in enumerate(parts):
        blocks, more = _blocks_of(part, wrap, words, whole=len(parts) == 1)
        pages += logical_pages(
            blocks,
            confidence=decoded.confidence,
            reasons=decoded.reasons,
            warnings=(*(() if number else decoded.warnings), *more),
            logical=len(parts) == 1,
        )
    return LogicalDocument(pages=tuple(pages))


def usual_length(text: str) -> int:
    """The length, in characters, at which the text's lines are wrapped; 0 where they are not."""
    lengths = sorted(len(line.rstrip()) for line in text[:500_000].splitlines() if len(line.strip()) > 20)
    if len(lengths) < 2:
        return 0
    long = lengths[int(0.95 * (len(lengths) - 1))]
    return long if WRAP_RANGE[0] <= long <= WRAP_RANGE[1] else 0


def _blocks_of(text: str, wrap: int, words: KnownWords, *, whole: bool) -> tuple[list[Block], tuple[str, ...]]:
    """The blocks of one page, and warnings. A whole file of separated values is a table, one of JSON or a program is a listing."""
    if is_source(text):
        return list(_listing(text)), ()
    if whole and (rows := rows_of(text, is_sure=False)) is not None:
        parts, warnings = table_pages(rows)
        return [block for part in parts for block in part], warnings
    reader = _Reader(wrap, words)
    return [block for run in runs_of(text) for part in quotations_apart(run) for block in reader.blocks(part)], ()


def _listing(text: str) -> Iterator[Block]:
    """Lines as they stand, blank ones among them, as code."""
    lines: list[str] = []
    length = 0
    for line in text.strip("\n").split("\n"):
        lines.append(line)
        length += len(line) + 1
        if length > MAX_CODE:
            yield Block(type=BlockType.CODE, bbox=UNPLACED, text=clean_lines(lines))
            lines, length = [], 0
    if any(line.strip() for line in lines):
        yield Block(type=BlockType.CODE, bbox=UNPLACED, text=clean_lines(lines).rstrip())


def runs_of(text: str) -> Iterator[list[str]]:
    """Lines between blank lines, in order."""
    run: list[str] = []
    for line in text.split("\n"):
        if line.strip():
            run.append(line.rstrip())
        elif run:
            yield run
            run = []
    if run:
        yield run


def quotations_apart(run: list[str]) -> Iterator[list[str]]:
    """A run cut where a quotation, as e-mail marks it (`> …`), begins, ends, goes a level deeper, or has a blank line.

    One such line alone may be a comparison, lines of numbers behind the mark are limits (`> 5 mg`), and three marks without fewer anywhere, or a run
    that a prompt begins, are what an interpreter shows.
    """
    marks = [found.group() if (found := _QUOTED.match(line)) else "" for line in run]
    depths = [mark.count(">") for mark in marks]
    said = [line[len(mark) :] for line, mark in zip(run, marks, strict=True)]
    quoted = [line for line, depth in zip(said, depths, strict=True) if depth]
    limits = sum(line[:1].isdigit() for line in quoted)
    if len(quoted) < 2 or 2 * limits > len(quoted) or run[0].startswith("$ ") or min(depth for depth in depths if depth) > 2:
        yield run
        return
    for (_, is_blank), lines in groupby(zip(run, depths, said, strict=True), lambda one: (one[1], not one[2].strip())):
        if not is_blank:
            yield [line for line, _, _ in lines]


class _Reader:
    """Reads runs of lines with what is known of the whole text: where its lines are wrapped, and its words."""

    def __init__(self, wrap: int, words: KnownWords) -> None:
        self._wrap = wrap
        self._words = words

    def blocks(self, run: list[str]) -> Iterator[Block]:
        """The blocks of one run of lines."""
        if all(_QUOTED.match(line) for line in run):
            run = [line for line in (_QUOTED.sub("", line) for line in run) if line.strip()]
        while run:
            if (heading := heading_at(run)) is None:
                break
            yield Block(type=BlockType.HEADING, bbox=UNPLACED, text=heading.text, level=heading.level)
            run = run[heading.lines :]
        if not run or all(is_rule(line) for line in run):
            return
        if (table := table_of(run)) is not None:
            yield Block(type=BlockType.TABLE, bbox=UNPLACED, table=table)
        elif is_item(run[0]):
            yield from read_items(run, self._words)
        elif is_code(run) or self._is_listing(run):
            yield Block(type=BlockType.CODE, bbox=UNPLACED, text=clean_lines(run))
        else:
            yield from self._prose(run)

    def _prose(self, run: list[str]) -> Iterator[Block]:
        """Paragraphs: cut where a first line is indented, and at lists that begin without a blank line."""
        paragraph: list[str] = []
        rest: list[str] = []
        for index, line in enumerate(run):
            if index and is_item(line) and sum(is_item(other) for other in run[index:]) > 1 and not self._is_full(run[index - 1], line):
                rest = run[index:]
                break
            if paragraph and self._starts(paragraph, line, run[index + 1] if index + 1 < len(run) else None):
                yield from self._paragraph(paragraph)
                paragraph = []
            paragraph.append(line)
        yield from self._paragraph(paragraph)
        if rest:
            yield from read_items(rest, self._words)

    def _starts(self, paragraph: Sequence[str], line: str, following: str | None) -> bool:
        """Whether a line begins a paragraph by its indentation: further in than the line above, and than the one below where there is one."""
        indent = indent_of(line)
        if indent <= indent_of(paragraph[-1]) or (len(paragraph) == 1 and following is not None and indent_of(following) == indent):
            return False
        return following is None or indent_of(following) < indent

    def _paragraph(self, lines: list[str]) -> Iterator[Block]:
        if not lines:
            return
        for group in self._joined(lines):
            text = collapse(clean_text(join_lines(group, self._words)))
            if text:
                yield Block(type=BlockType.PARAGRAPH, bbox=UNPLACED, text=text, line_count=len(group))

    def _joined(self, lines: list[str]) -> list[list[str]]:
        """Lines that are one text: all where most are full, each its own where few are (verse, addresses) or where lines are paragraphs."""
        full = sum(self._is_full(line, after) for line, after in pairwise(lines))
        wrapped = self._wrap > 0 and max(map(len, lines)) <= LONG_LINES * self._wrap
        return [lines] if wrapped and 2 * full >= len(lines) - 1 else [[line] for line in lines]

    def _is_listing(self, run: Sequence[str]) -> bool:
        """Whether many short lines follow each other that nobody wrapped."""
        if len(run) <= MAX_VERSE or sum(map(len, run)) > SHORT_LINE * len(run):
            return False
        return 2 * sum(self._is_full(line, after) for line, after in pairwise(run)) < len(run)

    def _is_full(self, line: str, after: str) -> bool:
        """Whether the first word of the next line did not fit behind a line any more."""
        if not self._wrap:
            return False
        word = after.split(maxsplit=1)[0] if after.strip() else ""
        return len(placed(line)) + 1 + len(word) > FULL * self._wrap


def is_code(run: Sequence[str]) -> bool:
    """Whether lines are to be kept as they stand: set in like a listing, drawn, or full of the signs of programs and logs."""
    shortest = min(indent_of(line) for line in run)
    inner = [line for line in run if not is_rule(line)]
    if not inner:
        return False
    if sum(_STAMP.match(line) is not None for line in run) > 0.6 * len(run) and len(run) > 2:
        return True
    signs = sum(_CODE_SIGNS.search(line) is not None for line in run)
    if signs >= max(2, 0.4 * len(run)):
        return True
    drawn = sum(len(_DRAWN.findall(line)) > 1 for line in run)
    if len(run) > 2 and drawn > 0.5 * len(run):
        return True
    return shortest >= CODE_INDENT and signs > 0


def clean_lines(run: Sequence[str]) -> str:
    """Lines as they stand, the indentation that all share taken off."""
    shared = min((indent_of(line) for line in run if line.strip()), default=0)
    return "\n".join(line.expandtabs(8)[shared:].rstrip() for line in run)
