"""The inside of a paragraph (ECMA-376 part 1, 17.3 and 17.16): its text as a reader sees it, and what hangs on it.

Guarantees: insertions are in, deletions and hidden text are out; a field gives its result, never its instruction; each text box, picture and
equation comes once. A form feed in the text stands for a page break, a line feed for a line break.
"""

import re
import unicodedata
from collections.abc import Callable

from msgspec import Struct

from schemas.content import FormField, Link
from streams.read.blocks.emphasis import CODE, MATH, Run, solid
from streams.read.characters.normalise import clean_text
from streams.read.structure.markup.inline_text import lowered, raised
from streams.read.structure.office.code_lines import TAB, code_text
from streams.read.structure.office.docx_controls import form_field, legacy_control
from streams.read.structure.office.docx_runs import RunFormat, format_of, leading_marks, setting_around
from streams.read.structure.office.docx_styles import Styles
from streams.read.structure.office.equations import latex
from streams.read.structure.office.floats import DrawingReader, Float, chosen
from streams.read.structure.office.hyperlinks import MAX_TARGET, link_of
from streams.read.structure.office.package import Element, Relationship, flag, qname

PAGE_BREAK = "\f"
_PLAIN = RunFormat()
MAX_LINKS = 500
"""Of one paragraph."""
MAX_FIELDS = 64
"""Open fields inside each other."""
_HYPERLINK = re.compile(r'\s*HYPERLINK\s+(?:\\l\s+"?(?P<place>[^"\s]+)|(?!\\)"?(?P<target>[^"\s]+))', re.IGNORECASE)


class NoteMark(Struct, frozen=True):
    """A reference to a note: `footnote` or `endnote`, its id, and the mark that the text shows."""

    kind: str
    identity: str
    mark: str


class Paragraph(Struct):
    """What a paragraph says. `equation`: it holds nothing but equations, which are the lines of its text. `field`: it is one form control. `runs`:
    how its text is set, where any of it is emphasised; `around`: as the style of the whole paragraph sets it.
    """

    text: str = ""
    links: tuple[Link, ...] = ()
    floats: tuple[Float, ...] = ()
    notes: tuple[NoteMark, ...] = ()
    comments: tuple[str, ...] = ()
    bookmarks: tuple[str, ...] = ()
    equation: bool = False
    field: FormField | None = None
    runs: tuple[Run, ...] = ()
    around: int = 0


class _Field(Struct):
    """An open field: its instruction so far, and where its result begins among the parts of the text."""

    instruction: list[str]
    start: int
    in_result: bool = False
    control: str = ""


class InlineReader:
    """Reads paragraphs of one part, in order: fields may run over several of them."""

    def __init__(self, styles: Styles, drawings: DrawingReader, relationships: dict[str, Relationship], mark: Callable[[str, Element], str]) -> None:
        self._styles, self._drawings, self._relationships, self._mark = styles, drawings, relationships, mark
        self._fields: list[_Field] = []
        self._around = self._setting = 0
        self._begin()

    def read(self, paragraph: Element) -> Paragraph:
        """One paragraph (`w:p`)."""
        self._begin()
        self._around = self._setting = setting_around(paragraph, self._styles)
        for field in self._fields:
            field.start = 0
        self._walk(paragraph)
        for field in self._fields:  # a link that goes on in the next paragraph
            self._link_of_field(field)
        equation = bool(self._equations) and not self._other_text
        text = "\n".join(self._parts[place] for place in self._equations) if equation else "".join(self._parts)
        return Paragraph(
            text=text,
            links=tuple(self._links[:MAX_LINKS]),
            floats=tuple(self._floats),
            notes=tuple(self._notes),
            comments=tuple(self._comments),
            bookmarks=tuple(self._bookmarks),
            equation=equation,
            field=form_field(paragraph, text),
            runs=tuple((solid(part), self._settings.get(place, 0)) for place, part in enumerate(self._parts)) if self._settings else (),
            around=self._around,
        )

    def _begin(self) -> None:
        self._parts: list[str] = []
        self._settings: dict[int, int] = {}
        self._links: list[Link] = []
        self._floats: list[Float] = []
        self._notes: list[NoteMark] = []
        self._comments: list[str] = []
        self._bookmarks: list[str] = []
        self._equations: list[int] = []
        self._other_text = False

    def _walk(self, element: Element) -> None:
        for child in element:
            reader = _READERS.get(child.tag)
            if reader is not None:
                reader(self, child)

    def _run(self, run: Element) -> None:
        form, self._setting = _PLAIN, self._around
        for child in run:
            tag = child.tag
            if tag == _TEXT:
                if child.text and self._shown():
                    said = code_text(child.text) if self._setting & CODE else clean_text(child.text, form.font)
                    if marks := leading_marks(said):
                        said = self._attached(said, marks)
                    self._say(raised(said) if form.shift > 0 else lowered(said) if form.shift < 0 else said)
            elif tag == _RUN_PROPERTIES:
                form = format_of(child, self._styles, self._around)
                if form.hidden:
                    return
                self._setting = form.setting
            elif tag in _SIGNS:
                if self._shown():
                    self._parts.append(TAB if self._setting & CODE and tag == _TAB else _SIGNS[tag])
            else:
                reader = _IN_RUN.get(tag)
                if reader is not None:
                    reader(self, child)

    def _say(self, text: str) -> None:
        if self._setting:
            self._settings[len(self._parts)] = self._setting
        self._parts.append(text)
        self._other_text = self._other_text or bool(text.strip())

    def _attached(self, text: str, marks: int) -> str:
        """Puts the combining marks that a text begins with on the character before it, which is set as it was; the rest of the text."""
        if not self._parts or not self._parts[-1][-1:].strip():
            return text
        before = self._parts[-1]
        base = len(before) - 1
        while base and unicodedata.combining(before[base]):
            base -= 1
        self._parts[-1] = before[:base] + unicodedata.normalize("NFC", before[base:] + text[:marks])
        return text[marks:]

    def _shown(self) -> bool:
        return all(field.in_result for field in self._fields)

    def _break(self, element: Element) -> None:
        if self._shown():
            self._parts.append(PAGE_BREAK if element.get(_TYPE) == "page" else "\n")

    def _symbol(self, element: Element) -> None:
        code = element.get(qname("w:char"), "")
        try:
            sign = chr(int(code, 16))
        except (ValueError, OverflowError):
            return
        if self._shown():
            self._say(clean_text(sign, element.get(qname("w:font"), "")))

    def _field_character(self, element: Element) -> None:
        kind = element.get(qname("w:fldCharType"))
        if kind == "begin" and len(self._fields) < MAX_FIELDS:
            self._fields.append(_Field([], len(self._parts), control=legacy_control(element)))
        elif kind == "separate" and self._fields:
            self._fields[-1].in_result, self._fields[-1].start = True, len(self._parts)
        elif kind == "end" and self._fields:
            field = self._fields.pop()
            if field.control and self._shown():
                self._say(field.control)
            self._link_of_field(field)

    def _link_of_field(self, field: _Field) -> None:
        match = _HYPERLINK.match("".join(field.instruction))
        if match:
            self._link(match["target"] or f"#{match['place']}", field.start)

    def _instruction(self, element: Element) -> None:
        if self._fields and not self._fields[-1].in_result:
            self._fields[-1].instruction.append((element.text or "")[:MAX_TARGET])

    def _link(self, target: str, start: int) -> None:
        link = link_of("".join(self._parts[start:]), target, inside=True)
        if link is not None:
            self._links.append(link)

    def _hyperlink(self, element: Element) -> None:
        start = len(self._parts)
        self._walk(element)
        relationship, anchor = self._relationships.get(element.get(qname("r:id"), "")), element.get(qname("w:anchor"), "")
        if relationship is None and anchor:
            self._link(f"#{anchor}", start)  # a place in the document, known by its page in the end
        elif relationship is not None and relationship.external:
            self._link(f"{relationship.target}#{anchor}" if anchor and "#" not in relationship.target else relationship.target, start)

    def _bookmark(self, element: Element) -> None:
        self._bookmarks.append(element.get(qname("w:name"), ""))

    def _simple_field(self, element: Element) -> None:
        start = len(self._parts)
        self._walk(element)
        self._link_of_field(_Field([element.get(qname("w:instr"), "")], start))

    def _content_control(self, element: Element) -> None:
        """A content control: what was filled in; a prompt that nobody answered is no text."""
        properties, content = element.find(qname("w:sdtPr")), element.find(qname("w:sdtContent"))
        if content is not None and not (properties is not None and flag(properties.find(qname("w:showingPlcHdr")))):
            self._walk(content)

    def _alternatives(self, element: Element) -> None:
        branch = chosen(element)
        if branch is not None:
            for child in branch:
                reader = _READERS.get(child.tag) or _IN_RUN.get(child.tag)
                if reader is not None:
                    reader(self, child)

    def _drawing(self, element: Element) -> None:
        if self._shown():
            self._floats.extend(self._drawings.floats(element))

    def _note(self, element: Element) -> None:
        kind = "footnote" if element.tag == qname("w:footnoteReference") else "endnote"
        identity = element.get(qname("w:id"), "")
        if self._shown():
            mark = self._mark(kind, element)
            self._parts.append(mark)
            self._notes.append(NoteMark(kind, identity, mark))

    def _comment(self, element: Element) -> None:
        self._comments.append(element.get(qname("w:id"), ""))

    def _ruby(self, element: Element) -> None:
        """Text with its reading above: the text, then the reading in brackets as dictionaries print it."""
        base, reading = element.find(qname("w:rubyBase")), element.find(qname("w:rt"))
        if base is not None:
            self._walk(base)
        if reading is not None and self._shown():
            said = clean_text("".join(text.text or "" for text in reading.iter(_TEXT)))
            self._say(f"({said})" if said.strip() else "")

    def _equation(self, element: Element) -> None:
        text = latex(element)
        if text and self._shown():
            self._equations.append(len(self._parts))
            self._settings[len(self._parts)] = MATH
            self._parts.append(text)

    def _displayed_equation(self, element: Element) -> None:
        for equation in element.iterchildren(qname("m:oMath")):
            self._equation(equation)
            self._parts.append("\n")


_TEXT, _RUN_PROPERTIES, _TYPE, _TAB = qname("w:t"), qname("w:rPr"), qname("w:type"), qname("w:tab")
_SIGNS: dict[str, str] = {_TAB: " ", qname("w:ptab"): " ", qname("w:cr"): "\n", qname("w:noBreakHyphen"): "-"}
"""Elements of a run that stand for one character. A soft hyphen stands for none: where lines end is not known."""

Reader = Callable[[InlineReader, Element], None]
_READERS: dict[str, Reader] = {
    qname(name): reader
    for name, reader in (
        ("w:r", InlineReader._run), ("w:hyperlink", InlineReader._hyperlink), ("w:ins", InlineReader._walk), ("w:moveTo", InlineReader._walk),
        ("w:smartTag", InlineReader._walk), ("w:customXml", InlineReader._walk), ("w:dir", InlineReader._walk), ("w:bdo", InlineReader._walk),
        ("w:sdt", InlineReader._content_control), ("w:fldSimple", InlineReader._simple_field), ("mc:AlternateContent", InlineReader._alternatives),
        ("m:oMath", InlineReader._equation), ("m:oMathPara", InlineReader._displayed_equation), ("w:bookmarkStart", InlineReader._bookmark),
    )
}  # fmt: skip
"""What a paragraph may hold; anything else (deletions among it) is passed over."""
_IN_RUN: dict[str, Reader] = {
    qname(name): reader
    for name, reader in (
        ("w:br", InlineReader._break), ("w:sym", InlineReader._symbol), ("w:fldChar", InlineReader._field_character),
        ("w:instrText", InlineReader._instruction), ("w:footnoteReference", InlineReader._note), ("w:endnoteReference", InlineReader._note),
        ("w:commentReference", InlineReader._comment), ("w:drawing", InlineReader._drawing), ("w:pict", InlineReader._drawing),
        ("w:object", InlineReader._drawing), ("w:ruby", InlineReader._ruby), ("mc:AlternateContent", InlineReader._alternatives),
    )
}  # fmt: skip
