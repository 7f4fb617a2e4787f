"""The walk over a tree of HTML: blocks so far, the text of the block that is open, and what stands around it.

What each element means stands in `running_text` and `page_parts`; a handler reads an element with the methods of the reader that it is given.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec.structs import replace

from schemas.content import Block, BlockType, Link, Span
from schemas.text import LINE_BREAK
from streams.read.blocks.emphasis import BOLD, shifted
from streams.read.structure.logical_page import UNPLACED, Picture
from streams.read.structure.markup import names
from streams.read.structure.markup.forms import FormIndex
from streams.read.structure.markup.inline_text import InlineText
from streams.read.structure.markup.lists import BULLET, ListNumbers
from streams.read.structure.markup.pictures import Loader
from streams.read.structure.markup.tree import MAX_DEPTH, Element, classes_of, is_hidden, kind_of, name_of, plain_text

MAX_LIST_DEPTH = 30
"""Nested lists that are told apart; a program writes more, no person does."""
LONGEST_ID = 200
"""Characters of an anchor."""

_TYPED_BULLET = re.compile(r"[•●▪◦‣·]\s+(?=\S)")
"""A bullet that stands in the text of an item as well."""

Resolver = Callable[[str], str | None]
"""From a link's `href` to the target as it is kept; None for one that is not kept."""
Handler = Callable[["BlockReader", Element], None]
"""Reads one element."""


class BlockReader:
    """Reads elements into blocks. `kind` is what text becomes here; `marker` what stands before the first text of a list item."""

    def __init__(self, root: Element, handlers: Mapping[str, Handler], resolve: Resolver, load: Loader) -> None:
        self.root = root
        self.handlers = handlers
        self.resolve = resolve
        self.load = load
        self.blocks: list[Block] = []
        self.pictures: list[Picture] = []
        self.anchors: dict[str, int] = {}
        self.warnings: list[str] = []
        self.line = InlineText()
        self.kind = BlockType.PARAGRAPH
        self.level: int | None = None
        self.marker: str | None = None
        self.lists: list[ListNumbers] = []
        self.script: Callable[[str], str] | None = None
        self.in_section = False
        self.depth = 0
        self.line_breaks = 0
        self.forms = FormIndex(root)
        self._behind: list[tuple[Block, Picture | None]] = []

    def element(self, element: Element) -> None:
        """Reads one element and all inside it; not what follows it."""
        tag = name_of(element)
        if not tag or tag in names.SKIPPED or (element.attrib and _is_unseen(element)):
            return
        if identity := element.get("id") or (element.get("name") if tag == "a" else None):
            self.anchors.setdefault(str(identity)[:LONGEST_ID], len(self.blocks))
        if self.depth >= MAX_DEPTH:
            self.warnings.append(f"elements nested deeper than {MAX_DEPTH} are kept as plain text")
            self.say(plain_text(element))
            return
        self.depth += 1
        if handler := self.handlers.get(tag):
            handler(self, element)
        elif tag in names.BLOCKS:
            self.block(element)
        else:
            self.children(element)
        self.depth -= 1

    def children(self, element: Element) -> None:
        """Reads what is inside an element."""
        self.say(element.text)
        for child in element:
            self.element(child)
            self.say(child.tail)

    def block(self, element: Element, kind: BlockType | None = None, level: int | None = None) -> None:
        """Reads an element that begins and ends blocks, as the kind that is given or that it says itself."""
        self.flush()
        with self.within(kind or self.kind_in(element), level):
            self.children(element)
            self.flush()

    def say(self, text: str | None) -> None:
        """Appends text to the block that is open."""
        if text:
            if self.line_breaks and text.strip():
                self.line_breaks = 0
            self.line.add(self.script(text) if self.script else text)

    def flush(self) -> None:
        """Ends the block that is open; pictures and fields that stood inside its text follow it."""
        self.line_breaks = 0
        text, links, spans = self.line.take(BOLD if self.kind is BlockType.HEADING else 0)
        if text:
            self._end_block(text, links, spans)
        if self.line.is_cut:
            self.line.is_cut = False
            self.warnings.append("a block of more than a million characters is cut")
        behind, self._behind = self._behind, []
        for block, picture in behind:
            if picture is not None:
                self.pictures.append(replace(picture, block=len(self.blocks)))
            self.blocks.append(block)

    def put_behind(self, block: Block, picture: Picture | None = None) -> None:
        """Keeps a block until the one that is open ends; where none is, it follows at once."""
        self._behind.append((block, picture))
        if self.line.is_blank:
            self.flush()

    def add(self, kind: BlockType, text: str, links: tuple[Link, ...] = (), language: str = "") -> None:
        """Appends a whole block."""
        self.blocks.append(Block(type=kind, bbox=UNPLACED, text=text, links=links, language=language))

    def _end_block(self, text: str, links: tuple[Link, ...], spans: tuple[Span, ...]) -> None:
        marker, self.marker = self.marker, None
        kind, level, depth = self.kind, None, None
        if marker is not None and kind is BlockType.PARAGRAPH:
            kind, depth = BlockType.LIST_ITEM, min(MAX_LIST_DEPTH, max(0, len(self.lists) - 1))
            if marker == BULLET and (typed := _TYPED_BULLET.match(text)) is not None:
                text, spans = text[typed.end() :], _from(spans, typed.end())
        elif kind is BlockType.HEADING:
            level, marker = self.level, None
            text, links = _on_one_line(text, links)
        spans = shifted(spans, len(marker or ""))
        text = (marker or "") + text
        self.blocks.append(Block(type=kind, bbox=UNPLACED, text=text, links=links, level=level, list_depth=depth, spans=spans))

    @contextmanager
    def within(self, kind: BlockType, level: int | None = None) -> Iterator[None]:
        """What is read inside is of this kind."""
        before = self.kind, self.level
        self.kind, self.level = kind, level
        try:
            yield
        finally:
            self.kind, self.level = before

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is read inside stands in no list around it."""
        before = self.marker, self.lists
        self.marker, self.lists = None, []
        try:
            yield
        finally:
            self.marker, self.lists = before

    def kind_in(self, element: Element) -> BlockType:
        """The kind of text inside a block element: as around it, unless the element says otherwise."""
        if not element.attrib:
            return self.kind
        kinds, classes = set(kind_of(element).split()), set(classes_of(element))
        if kinds & names.NOTE_KINDS or classes & names.NOTE_CLASSES:
            return BlockType.FOOTNOTE
        if classes & names.CAPTION_CLASSES:
            return BlockType.CAPTION
        return BlockType.ANNOTATION if classes & names.ANNOTATION_CLASSES else self.kind


def _from(spans: tuple[Span, ...], start: int) -> tuple[Span, ...]:
    """The spans of the text from a place on."""
    cut = (replace(s, offset=max(0, s.offset - start), length=s.length - max(0, start - s.offset)) for s in spans)
    return tuple(span for span in cut if span.length > 0)


def _is_unseen(element: Element) -> bool:
    """Whether an element is no text of the page. A note is text although it is shown only when asked for; the number of a printed page is none."""
    kinds = set(kind_of(element).split())
    return bool(kinds & names.PAGE_BREAK_KINDS) or (is_hidden(element) and not kinds & names.NOTE_KINDS)


def text_of_blocks(blocks: list[Block], between: str) -> str:
    """Blocks as one text, as a cell or a piece of furniture holds them."""
    texts = (" ".join(cell.text for cell in block.table.cells if cell.text) if block.table is not None else block.text for block in blocks)
    return between.join(text.replace(LINE_BREAK, " ") for text in texts if text)


def _on_one_line(text: str, links: tuple[Link, ...]) -> tuple[str, tuple[Link, ...]]:
    """A text and its links without the ends of lines; every character keeps its place."""
    if LINE_BREAK not in text:
        return text, links
    return text.replace(LINE_BREAK, " "), tuple(replace(link, text=link.text.replace(LINE_BREAK, " ")) for link in links)
