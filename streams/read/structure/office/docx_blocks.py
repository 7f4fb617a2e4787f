"""The blocks of a text document's stories (body, notes, headers, text boxes) in their order.

Knows what a paragraph is from its style and its list; what hangs on a paragraph (text boxes, pictures, charts, comments) comes right after it.
Stories write to a `PageBuilder`, which knows where pages end.
"""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from schemas.content import Block, BlockType, Link, Span
from schemas.text import LINE_BREAK
from streams.read.blocks.emphasis import BOLD, CODE, Run, solid, spans_of
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.cell_text import CellText, joined_text
from streams.read.structure.logical_page import UNPLACED
from streams.read.structure.office.charts import Chart, chart_blocks
from streams.read.structure.office.code_lines import is_all_code, looks_like_code
from streams.read.structure.office.docx_inline import PAGE_BREAK, InlineReader, NoteMark, Paragraph
from streams.read.structure.office.docx_numbering import Marker, Numbering
from streams.read.structure.office.docx_pages import PageBuilder
from streams.read.structure.office.docx_styles import BODY_LEVEL, Role, StyleFacts, Styles, numbering_of, outline_level
from streams.read.structure.office.docx_tables import ReadTable, children, only_cell, read_table, table_style
from streams.read.structure.office.floats import Figure, TextBox, chosen
from streams.read.structure.office.package import Element, flag, qname

MAX_NESTING = 12
"""Stories inside each other: a text box in a cell in a text box. What lies deeper is kept as plain text."""
LONGEST_HEADING = 400
"""Characters: a longer text in a heading's style is a paragraph that somebody wanted large."""

_TYPED_MARKER = re.compile(r"(?:[•●○▪◦‣·]|\d{1,3}[.)])\s+\S")
"""Markers that somebody typed instead of making a list."""
_PARAGRAPH, _TEXT, _TABLE, _SECTION = qname("w:p"), qname("w:t"), qname("w:tbl"), qname("w:sectPr")
_PROPERTIES, _STYLE, _VAL = qname("w:pPr"), qname("w:pStyle"), qname("w:val")
_TRANSPARENT = frozenset(qname(f"w:{name}") for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "sdtEndPr"))


_OF_LINES = frozenset({Role.BODY, Role.CAPTION})
"""What keeps the lines that its author ended."""
_AS_IT_IS = frozenset({BlockType.CODE, BlockType.EQUATION})
"""What emphasis says nothing of."""


class Shape(Struct, frozen=True):
    """What a paragraph is, from its properties: its style's facts, its marker, and its own outline level."""

    facts: StyleFacts
    marker: Marker | None
    outline: int | None
    breaks_before: bool


class StoryReader:
    """Reads stories of one part into a builder. `comment` gives the block of a comment by its id, once; `notes` collects references."""

    def __init__(
        self,
        styles: Styles,
        numbering: Numbering,
        inline: InlineReader,
        builder: PageBuilder,
        comment: Callable[[str], Block | None],
        title_shift: int = 0,
    ) -> None:
        self._styles, self._numbering, self._inline, self._builder = styles, numbering, inline, builder
        self._comment, self._title_shift = comment, title_shift
        self.notes: list[NoteMark] = []
        self._depth = 0

    def elements(self, story: Element) -> Iterator[Element]:
        """Paragraphs, tables and section ends of a story, in order, out of whatever wraps them."""
        for child in story:
            tag = child.tag
            if tag in (_PARAGRAPH, _TABLE, _SECTION):
                yield child
            elif tag in _TRANSPARENT:
                yield from self.elements(child)
            elif tag == qname("mc:AlternateContent"):
                branch = chosen(child)
                if branch is not None:
                    yield from self.elements(branch)
            elif tag == qname("w:altChunk"):
                self._builder.warnings.append("a document embedded as a whole is left out")

    def read(self, story: Element) -> None:
        """All of a story that knows no pages: a note, a cell that is a frame, a text box."""
        if self._depth >= MAX_NESTING:
            for line in self._deep_lines(story):
                self._builder.add(Block(type=BlockType.PARAGRAPH, bbox=UNPLACED, text=line))
            return
        self._depth += 1
        for element in self.elements(story):
            if element.tag == _PARAGRAPH:
                self.paragraph(element, lambda: None)
            elif element.tag == _TABLE:
                self.table(element)
        self._depth -= 1

    def paragraph(self, element: Element, page_break: Callable[[], None]) -> None:
        """One paragraph with all that hangs on it; `page_break` is called where the author put one."""
        properties = element.find(_PROPERTIES)
        shape = self._shape(properties)
        if shape.breaks_before and not self._builder.is_empty:
            page_break()
        said = self._inline.read(element)
        pieces = said.text.split(PAGE_BREAK)
        for name in said.bookmarks:
            self._builder.bookmark(name)
        for index, piece in enumerate(pieces):
            if index:
                page_break()
            text = piece if said.equation else _lines(piece)
            if text.strip():
                self._add(text, said, shape if index == 0 else Shape(shape.facts, None, shape.outline, False))
        self.notes += said.notes
        self._floats(said)
        for identity in said.comments:
            comment = self._comment(identity)
            if comment is not None:
                self._builder.add(comment)

    def table(self, element: Element) -> None:
        """A table; one of a single cell is a frame, and its content is read as text. Pictures in cells come after the table."""
        cell = only_cell(element)
        if cell is not None:
            self.read(cell)
            return
        kept: list[Paragraph] = []
        found = read_table(element, lambda one: self._cell_text(one, kept), styled_header=self._styles.is_header_style(table_style(element)))
        if found is None:
            return
        self._builder.add(Block(type=BlockType.TABLE, bbox=UNPLACED, table=found.table, links=_links_of(kept)))
        self._warn_of_rest(found)
        for paragraph in kept:
            self._floats(paragraph)

    def text_of(self, story: Element, kept: list[Paragraph]) -> str:
        """A story as text alone, a line for each paragraph; `kept` takes what hangs on its paragraphs."""
        return self._cell_text(story, kept).text

    def _cell_text(self, story: Element, kept: list[Paragraph]) -> CellText:
        """A story as text with its emphasis."""
        lines: list[CellText] = []
        if self._depth >= MAX_NESTING:
            return CellText("\n".join(self._deep_lines(story)))
        self._depth += 1
        for element in self.elements(story):
            if element.tag == _PARAGRAPH:
                shape, said = self._shape(element.find(_PROPERTIES)), self._inline.read(element)
                kept.append(said)
                self.notes += said.notes
                marker = f"{shape.marker.text} " if shape.marker and shape.marker.text else ""
                text = _lines(said.text.replace(PAGE_BREAK, "\n"))
                text = text if shape.facts.role is Role.CODE else text.strip()
                if text.strip():
                    before = ((solid(marker), 0),) if marker else ()
                    spans = spans_of(marker + text, (*before, *said.runs), said.around) if said.runs else ()
                    lines.append(CellText(marker + text, spans))
            elif element.tag == _TABLE:
                lines += (CellText(" | ".join(filter(None, row))) for row in self._rows(element, kept))
        self._depth -= 1
        return joined_text(lines, "\n")

    def _deep_lines(self, story: Element) -> list[str]:
        """The words of a story that lies too deep to be read by its structure, by paragraphs."""
        warning = f"text nested more than {MAX_NESTING} deep is kept as plain text"
        if warning not in self._builder.warnings:
            self._builder.warnings.append(warning)
        words = "".join("\n" if node.tag == _PARAGRAPH else node.text or "" for node in story.iter(_PARAGRAPH, _TEXT))
        return list(filter(None, map(collapse, clean_text(words).split("\n"))))

    def _rows(self, table: Element, kept: list[Paragraph]) -> Iterator[Iterator[str]]:
        """The texts of a table's cells, for a table that is part of a text."""
        return ((self.text_of(cell, kept) for cell in children(row, qname("w:tc"))) for row in children(table, qname("w:tr")))

    def _warn_of_rest(self, found: ReadTable) -> None:
        if found.rows_left_out:
            self._builder.warnings.append(f"a table has {found.table.rows + found.rows_left_out} rows; kept are {found.table.rows}")
        if found.cells_left_out:
            self._builder.warnings.append(f"a table is too wide: {found.cells_left_out} cells beyond its first columns are left out")

    def _shape(self, properties: Element | None) -> Shape:
        """What a paragraph is. Counts its list, so it is asked once for each."""
        if properties is None:
            facts = self._styles.facts(None)
            return Shape(facts, self._marker(facts.numbering, None), None, facts.page_break_before)
        style = properties.find(_STYLE)
        identity = style.get(_VAL) if style is not None else None
        facts = self._styles.facts(identity)
        own = numbering_of(properties)
        if own is not None and own[0] == "":  # a level alone: of the style's list
            own = (facts.numbering[0], own[1]) if facts.numbering else None
        numbering = own if own is not None else facts.numbering
        breaks = properties.find(qname("w:pageBreakBefore"))
        return Shape(
            facts,
            self._marker(numbering, identity if own is None else None),
            outline_level(properties),
            flag(breaks) if breaks is not None else facts.page_break_before,
        )

    def _marker(self, numbering: tuple[str, int] | None, style: str | None) -> Marker | None:
        if numbering is None or numbering[0] == "0":
            return None
        level = self._numbering.level_of_style(numbering[0], style, numbering[1])
        return self._numbering.marker(numbering[0], level)

    def _add(self, text: str, said: Paragraph, shape: Shape) -> None:
        """Puts the block of a paragraph on the page."""
        role, level = shape.facts.role, shape.facts.level
        if shape.outline is not None and role in (Role.BODY, Role.HEADING, Role.CODE):
            role, level = (Role.HEADING, shape.outline) if shape.outline < BODY_LEVEL else (Role.BODY, 0)
        is_code = is_all_code(said.runs)
        if is_code and role is Role.BODY and shape.marker is None and looks_like_code(text, after_code=self._builder.last_kind is BlockType.CODE):
            role = Role.CODE
        flat = LINE_BREAK.join(filter(None, map(collapse, text.split("\n")))) if role in _OF_LINES else collapse(text)
        marked = f"{shape.marker.text} {flat}" if shape.marker and shape.marker.text else flat
        links = _links_in(flat, said.links)
        mute = 0 if role is Role.BODY else said.around  # the look of a kind of block says nothing of its text
        mute |= CODE if is_code else 0
        add, block = self._builder.add, _Maker(links, said.runs, marked.removesuffix(flat), mute)
        if said.equation:
            for equation in filter(None, map(str.strip, text.split("\n"))):
                add(block(BlockType.EQUATION, equation))
        elif said.field is not None:
            add(Block(type=BlockType.FORM_FIELD, bbox=UNPLACED, text=f"{said.field.name}: {said.field.value}", field=said.field))
        elif role is Role.TITLE:
            add(block(BlockType.HEADING, flat, level=1))
        elif role in (Role.HEADING, Role.CONTENTS_HEADING) and len(flat) <= LONGEST_HEADING:
            add(block(BlockType.HEADING, marked, level=level + 1 + self._title_shift))
        elif role is Role.CONTENTS:
            add(block(BlockType.LIST_ITEM, flat, list_depth=level))
        elif role is Role.CAPTION:
            add(block(BlockType.CAPTION, marked))
        elif role is Role.CODE and shape.marker is None:
            code = text.rstrip()
            if not self._builder.merge_last(BlockType.CODE, code):
                add(block(BlockType.CODE, code))
        elif shape.marker is not None and (shape.marker.text or shape.marker.is_bullet):
            add(block(BlockType.LIST_ITEM, marked, list_depth=shape.marker.depth))
        elif _TYPED_MARKER.match(flat):
            add(block(BlockType.LIST_ITEM, flat, list_depth=0))
        else:
            add(block(BlockType.PARAGRAPH, flat))

    def _floats(self, said: Paragraph) -> None:
        for one in said.floats:
            if isinstance(one, TextBox):
                self.read(one.content)
            elif isinstance(one, Figure):
                self._builder.add_figure(one)
            elif isinstance(one, Chart):
                for block in chart_blocks(one):
                    self._builder.add(block)
            else:
                self._builder.add(one)


class _Maker(Struct, frozen=True):
    """Makes a block with the links of its paragraph, and with its emphasis.

    `marker` may stand before its text, and is set like nothing in it; `mute` are settings that say nothing.
    """

    links: tuple[Link, ...]
    runs: tuple[Run, ...]
    marker: str
    mute: int

    def __call__(self, kind: BlockType, text: str, *, level: int | None = None, list_depth: int | None = None) -> Block:
        spans: tuple[Span, ...] = ()
        if self.runs and kind not in _AS_IT_IS:
            before = ((solid(self.marker), 0),) if text.startswith(self.marker) else ()
            spans = spans_of(text, (*before, *self.runs), self.mute | (BOLD if kind is BlockType.HEADING else 0))
        return Block(type=kind, bbox=UNPLACED, text=text, level=level, list_depth=list_depth, links=self.links, spans=spans)


def _links_in(text: str, links: tuple[Link, ...]) -> tuple[Link, ...]:
    """The links whose text stands in a text, with the ends of lines that it has there."""
    flat = text.replace(LINE_BREAK, " ")
    places = ((link, flat.find(link.text)) for link in links)
    return tuple(link if link.text in text else replace(link, text=text[at : at + len(link.text)]) for link, at in places if at >= 0)


def _links_of(paragraphs: list[Paragraph]) -> tuple[Link, ...]:
    return tuple(link for paragraph in paragraphs for link in paragraph.links)


def _lines(text: str) -> str:
    """A paragraph's text with its line breaks, nothing at their ends."""
    return text if "\n" not in text else "\n".join(line.rstrip() for line in text.split("\n"))
