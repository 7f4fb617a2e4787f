"""Reads a text document (WordprocessingML, ECMA-376 part 1, chapter 17) as logical pages.

Guarantees: everything that the author sees is there once: body, tables, text boxes, notes with their marks, comments, headers and footers (once
for each, as furniture); deleted and hidden text is not. Logical pages are sections and what the author's page breaks divide (see `docx_pages`).
Notes stand at the end of the page that refers to them, endnotes at the end of the document.
"""

from collections.abc import Sequence
from pathlib import Path

from schemas.content import Block, BlockType
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.logical_page import UNPLACED, LogicalDocument
from streams.read.structure.office.docx_blocks import StoryReader
from streams.read.structure.office.docx_inline import InlineReader, NoteMark
from streams.read.structure.office.docx_numbering import Numbering
from streams.read.structure.office.docx_pages import PageBuilder, Paper
from streams.read.structure.office.docx_styles import Role, Styles
from streams.read.structure.office.floats import DrawingReader
from streams.read.structure.office.number_words import spelled
from streams.read.structure.office.package import Element, Package, number, qname
from streams.read.structure.office.properties import core_properties
from streams.read.structure.paging import with_page_links

MAX_NOTES = 50_000
"""Notes that one page refers to: a critical edition has some thousands in all."""
MAX_FURNITURE = 2_000
"""Characters of one header or footer."""

_PARAGRAPH, _TABLE, _SECTION = qname("w:p"), qname("w:tbl"), qname("w:sectPr")
_SECTION_OF_PARAGRAPH = f"{qname('w:pPr')}/{_SECTION}"


def read(path: Path) -> LogicalDocument:
    """Reads a `.docx`, `.docm` or `.dotx` file. Raises PageloomError (too_large) and what parsing a damaged file raises."""
    with Package(path) as package:
        return _Document(package).read()


class _Document:
    """One document while it is read."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main_part()
        self._builder = PageBuilder()
        self._styles = Styles(package.related_xml(self._main, "styles"))
        self._numbering = Numbering(package.related_xml(self._main, "numbering"))
        self._counts = {"footnote": 0, "endnote": 0}
        self._endnotes: list[NoteMark] = []
        self._notes = {kind: self._by_id(f"{kind}s", f"w:{kind}") for kind in self._counts}
        self._comments = self._by_id("comments", "w:comment")
        self._furniture_seen: set[str] = set()
        self._section: Element | None = None
        self._closing: list[Block] = []
        self._story_of_body = self._story(self._main)

    def read(self) -> LogicalDocument:
        """The whole document."""
        root = self._package.xml(self._main)
        body = root.find(qname("w:body")) if root is not None else None
        if body is None:
            raise ValueError("no body")
        self._story_of_body = self._story(self._main, title_shift=1 if self._has_title(body) else 0)
        elements = list(self._story_of_body.elements(body))
        sections = _sections_of(elements)
        for element, section in zip(elements, sections, strict=True):
            if section is not self._section:
                self._begin_section(section)
            if element.tag == _PARAGRAPH:
                self._story_of_body.paragraph(element, self._end_page)
            elif element.tag == _TABLE:
                self._story_of_body.table(element)
        self._add_notes()
        for note in self._endnotes:
            self._add_note(note)
        self._builder.end_page(_paper(self._section), self._closing)
        places = self._builder.places
        return LogicalDocument(
            pages=[with_page_links(page, number, places.get) for number, page in enumerate(self._builder.pages, 1)],
            metadata=core_properties(self._package),
            warnings=self._package.warnings,
        )

    def _begin_section(self, section: Element | None) -> None:
        """Goes on to the next section, on a new page unless it says otherwise, with its headers."""
        if self._section is not None and section is not None and _kind(section) != "continuous":
            closing, self._closing = self._closing, []
            self._end_page(closing)
        self._section = section
        self._closing += self._open_section(section)

    def _end_page(self, closing: Sequence[Block] = ()) -> None:
        self._add_notes()
        self._builder.end_page(_paper(self._section), closing)

    def _has_title(self, body: Element) -> bool:
        """Whether one paragraph is the title of all, so that headings stand below it."""
        titles = 0
        for style in body.iter(qname("w:pStyle")):
            if self._styles.facts(style.get(qname("w:val"))).role is Role.TITLE:
                paragraph = style.getparent().getparent()
                titles += any((text.text or "").strip() for text in paragraph.iter(qname("w:t")))
        return titles == 1

    def _story(self, part: str, title_shift: int = 0) -> StoryReader:
        drawings = DrawingReader(self._package, part, self._builder.warnings)
        inline = InlineReader(self._styles, drawings, self._package.relationships(part), self._mark)
        return StoryReader(self._styles, self._numbering, inline, self._builder, self._comment, title_shift)

    def _mark(self, kind: str, reference: Element) -> str:
        """The mark of a note in the text. A mark of the author's own follows in the text itself."""
        if reference.get(qname("w:customMarkFollows"), "0").lower() in ("1", "true", "on"):
            return ""
        self._counts[kind] += 1
        return f"[{spelled(self._counts[kind], 'lowerRoman' if kind == 'endnote' else 'decimal')}]"

    def _add_notes(self) -> None:
        """Puts the footnotes of the page at its end, and remembers the endnotes."""
        story = self._story_of_body
        notes, story.notes = story.notes[:MAX_NOTES], []
        self._endnotes += [note for note in notes if note.kind == "endnote"]
        for note in notes:
            if note.kind == "footnote":
                self._add_note(note)

    def _add_note(self, note: NoteMark) -> None:
        element = self._notes[note.kind].get(note.identity)
        text = collapse(self._text(f"{note.kind}s", element)) if element is not None else ""
        if text:
            self._builder.add(Block(type=BlockType.FOOTNOTE, bbox=UNPLACED, text=f"{note.mark} {text}".strip()))

    def _comment(self, identity: str) -> Block | None:
        element = self._comments.pop(identity, None)
        text = collapse(self._text("comments", element)) if element is not None else ""
        if element is None or not text:
            return None
        author = collapse(clean_text(element.get(qname("w:author"), "")))[:200]
        return Block(type=BlockType.ANNOTATION, bbox=UNPLACED, text=f"{author}: {text}" if author else text)

    def _text(self, kind: str, element: Element) -> str:
        """The text of a note or comment, which are parts of their own with relationships of their own."""
        part = next(self._package.related(self._main, kind), self._main)
        return self._story(part).text_of(element, [])

    def _by_id(self, kind: str, tag: str) -> dict[str, Element]:
        """Notes or comments by id; separators between text and notes are none."""
        root = self._package.related_xml(self._main, kind)
        elements = root.iterchildren(qname(tag)) if root is not None else ()
        return {e.get(qname("w:id"), ""): e for e in elements if e.get(qname("w:type"), "normal") == "normal"}

    def _open_section(self, section: Element | None) -> list[Block]:
        """Puts the section's headers on the page, each once in the document, and gives back its footers, which close it."""
        closing: list[Block] = []
        for reference in section if section is not None else ():
            is_header = reference.tag == qname("w:headerReference")
            relationship = self._package.relationships(self._main).get(reference.get(qname("r:id"), ""))
            if not (is_header or reference.tag == qname("w:footerReference")) or relationship is None or relationship.external:
                continue
            root = self._package.side_xml(relationship.target)
            text = collapse(self._story(relationship.target).text_of(root, []))[:MAX_FURNITURE] if root is not None else ""
            if text and text not in self._furniture_seen:
                self._furniture_seen.add(text)
                block = Block(type=BlockType.PAGE_HEADER if is_header else BlockType.PAGE_FOOTER, bbox=UNPLACED, text=text)
                if is_header:
                    self._builder.add(block)
                else:
                    closing.append(block)
        return closing


def _sections_of(elements: Sequence[Element]) -> list[Element | None]:
    """For each element of the body the section that it belongs to: the next one that ends."""
    sections: list[Element | None] = []
    current: Element | None = None
    for element in reversed(elements):
        if element.tag == _SECTION:
            current = element
        elif element.tag == _PARAGRAPH and (ending := element.find(_SECTION_OF_PARAGRAPH)) is not None:
            current = ending
        sections.append(current)
    return sections[::-1]


def _kind(section: Element) -> str:
    kind = section.find(qname("w:type"))
    return kind.get(qname("w:val"), "nextPage") if kind is not None else "nextPage"


def _paper(section: Element | None) -> Paper:
    """The paper of a section; its sizes are in twentieths of a point."""
    size = section.find(qname("w:pgSz")) if section is not None else None
    if size is None:
        return Paper()
    width, height = number(size.get(qname("w:w"))) / 20, number(size.get(qname("w:h"))) / 20
    return Paper(width, height) if min(width, height) >= 10 and max(width, height) <= 20_000 else Paper()
