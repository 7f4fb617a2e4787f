"""Styles of a text document (ECMA-376 part 1, 17.7): what role a paragraph's style gives it, through everything that the style is based on.

Roles come from the outline level and from the names that Word keeps in English in every language; programs that translate the names of headings are
known by their words. Total: cycles, missing parents and absurd values give a body paragraph.
"""

import re
from enum import Enum

from msgspec import Struct

from streams.read.blocks.emphasis import BOLD, CODE, ITALIC, STRUCK
from streams.read.structure.office.code_lines import is_monospace
from streams.read.structure.office.package import Element, flag, number, qname

MAX_BASES = 32
"""Styles in a chain of `basedOn`; deeper is a cycle."""
BODY_LEVEL = 9
"""The outline level that says: no heading (17.3.1.20)."""

MIN_SHIFT = 4
"""Half-points that text is moved off its line when it is raised or lowered; less sets it straight beside a picture or another font."""

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|başlık|заголовок|標題|标题|見出し|제목)"
    r"\s*([1-9])",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"(?:toc|table of contents|contents|verzeichnis|inhaltsverzeichnis|tm)\s*([1-9])", re.IGNORECASE)
_LISTED = re.compile(r"(?:table of figures|table of authorities|index\s*[1-9])", re.IGNORECASE)
_SETTINGS: dict[str, int] = {qname("w:b"): BOLD, qname("w:i"): ITALIC, qname("w:strike"): STRUCK, qname("w:dstrike"): STRUCK}
_FONTS, _ASCII = qname("w:rFonts"), qname("w:ascii")


class Role(str, Enum):
    """What a paragraph is by its style."""

    BODY = "body"
    TITLE = "title"
    HEADING = "heading"
    CONTENTS = "contents"
    CONTENTS_HEADING = "contents_heading"
    CAPTION = "caption"
    CODE = "code"


class StyleFacts(Struct, frozen=True):
    """What a paragraph style says. `level`: of a heading or an entry of contents, from 0. `numbering`: id and level of its list, if any."""

    role: Role = Role.BODY
    level: int = 0
    numbering: tuple[str, int] | None = None
    hidden: bool = False
    page_break_before: bool = False


class Styles:
    """The styles of one document, each resolved once."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._default = ""
        for style in root.iterchildren(qname("w:style")) if root is not None else ():
            identity = style.get(qname("w:styleId"), "")
            self._elements.setdefault(identity, style)
            if style.get(qname("w:type")) == "paragraph" and style.get(qname("w:default"), "0") in ("1", "true", "on"):
                self._default = identity
        self._facts: dict[str, StyleFacts] = {}
        self._shifts: dict[str, int] = {}
        self._settings: dict[str, int] = {}

    def facts(self, identity: str | None) -> StyleFacts:
        """What the style of a paragraph says; of the default style for a paragraph without one, or with one that does not exist."""
        known = identity if identity is not None and identity in self._elements else self._default
        if known not in self._facts:
            self._facts[known] = self._resolved(known)
        return self._facts[known]

    def is_hidden(self, identity: str) -> bool:
        """Whether a character style hides its text."""
        return self.facts(identity).hidden if identity in self._elements else False

    def shift(self, identity: str) -> int:
        """1 for a character style that raises its text, -1 for one that lowers it, else 0."""
        if identity not in self._shifts:
            found = (shift_of(properties) for style in self._chain(identity) if (properties := style.find(qname("w:rPr"))) is not None)
            self._shifts[identity] = next((shift for shift in found if shift is not None), 0)
        return self._shifts[identity]

    def setting(self, identity: str) -> int:
        """How a style sets its text (`emphasis.py`)."""
        if identity not in self._settings:
            found = 0
            for style in reversed(self._chain(identity)):
                properties = style.find(qname("w:rPr"))
                found = found if properties is None else setting_of(properties, found)
            self._settings[identity] = found
        return self._settings[identity]

    def paragraph_setting(self, identity: str | None) -> int:
        """How a paragraph's style sets its text, less what the default style does; of the default style for one without, or that does not exist."""
        if identity is None or identity not in self._elements:
            return 0
        code = CODE if self.facts(identity).role is Role.CODE else 0
        return (self.setting(identity) | code) & ~self.usual_setting

    @property
    def usual_setting(self) -> int:
        """How the default style sets all text of the document, which is no emphasis."""
        return self.setting(self._default)

    def is_header_style(self, identity: str) -> bool:
        """Whether a table style sets its first row apart."""
        return any(part.get(qname("w:type")) == "firstRow" for style in self._chain(identity) for part in style.iterchildren(qname("w:tblStylePr")))

    def _chain(self, identity: str) -> list[Element]:
        """A style and what it is based on, the nearest first."""
        chain: list[Element] = []
        seen: set[str] = set()
        while identity in self._elements and len(chain) < MAX_BASES and identity not in seen:
            seen.add(identity)
            chain.append(self._elements[identity])
            based_on = chain[-1].find(qname("w:basedOn"))
            identity = based_on.get(qname("w:val"), "") if based_on is not None else ""
        return chain

    def _resolved(self, identity: str) -> StyleFacts:
        chain = self._chain(identity)
        numbering, page_break, hidden = None, None, None
        outline: int | None = None
        for style in chain:
            properties = style.find(qname("w:pPr"))
            if properties is not None:
                if numbering is None:
                    numbering = numbering_of(properties)
                if page_break is None and (found := properties.find(qname("w:pageBreakBefore"))) is not None:
                    page_break = flag(found)
                if outline is None:
                    outline = outline_level(properties)
            if hidden is None and (found := style.find(f"{qname('w:rPr')}/{qname('w:vanish')}")) is not None:
                hidden = flag(found)
        role, level = _role(chain, outline)
        return StyleFacts(role, level, numbering, bool(hidden), bool(page_break))


def shift_of(properties: Element) -> int | None:
    """What run properties say of their text's height: 1 raised, -1 lowered, 0 on the line; None where they say nothing (17.3.2.42, 17.3.2.24)."""
    script = properties.find(qname("w:vertAlign"))
    if script is not None:
        return {"superscript": 1, "subscript": -1}.get(script.get(qname("w:val"), ""), 0)
    position = properties.find(qname("w:position"))
    if position is None:
        return None
    half_points = number(position.get(qname("w:val")))
    return 0 if abs(half_points) < MIN_SHIFT else 1 if half_points > 0 else -1


def setting_of(properties: Element, inherited: int) -> int:
    """How run properties set their text (17.3.2.1, 17.3.2.16, 17.3.2.37, 17.3.2.26), where they say nothing as it is inherited."""
    found = inherited
    for child in properties:
        setting = _SETTINGS.get(child.tag)
        if setting is not None:
            found = found | setting if flag(child) else found & ~setting
        elif child.tag == _FONTS and (font := child.get(_ASCII)):
            found = found | CODE if is_monospace(font) else found & ~CODE
    return found


def outline_level(properties: Element) -> int | None:
    """The outline level that paragraph properties state, 0..9; None where they state none."""
    found = properties.find(qname("w:outlineLvl"))
    return None if found is None else min(max(number(found.get(qname("w:val")), BODY_LEVEL), 0), BODY_LEVEL)


def numbering_of(properties: Element) -> tuple[str, int] | None:
    """The list that paragraph properties name, and the level in it; list `0` takes a paragraph out of every list (17.9.18)."""
    found = properties.find(qname("w:numPr"))
    if found is None:
        return None
    identity, level = found.find(qname("w:numId")), found.find(qname("w:ilvl"))
    depth = number(level.get(qname("w:val"))) if level is not None else 0
    return (identity.get(qname("w:val"), "0") if identity is not None else "", min(max(depth, 0), 8))


def _role(chain: list[Element], outline: int | None) -> tuple[Role, int]:
    for style in chain:
        name = _name(style)
        lower = name.lower()
        if lower == "title":
            return Role.TITLE, 0
        if match := _CONTENTS.fullmatch(name):
            return Role.CONTENTS, int(match[1]) - 1
        if lower in ("toc heading", "contents heading"):
            return Role.CONTENTS_HEADING, 0
        if _LISTED.fullmatch(name):
            return Role.CONTENTS, 0
        if lower == "caption":
            return Role.CAPTION, 0
        if lower in ("html preformatted", "macro", "macro text", "source code", "code", "code block", "preformatted text", "plain text code"):
            return Role.CODE, 0
        if match := _HEADING.fullmatch(name):
            return (Role.HEADING, outline if outline is not None and outline < BODY_LEVEL else int(match[1]) - 1)
    if outline is not None and outline < BODY_LEVEL:
        return Role.HEADING, outline
    return (Role.CODE, 0) if _is_monospace(chain) else (Role.BODY, 0)


def _name(style: Element) -> str:
    name = style.find(qname("w:name"))
    found = name.get(qname("w:val"), "") if name is not None else style.get(qname("w:styleId"), "")
    return str(found).strip()


def _is_monospace(chain: list[Element]) -> bool:
    for style in chain:
        fonts = style.find(f"{qname('w:rPr')}/{qname('w:rFonts')}")
        if fonts is not None and fonts.get(qname("w:ascii")):
            return is_monospace(fonts.get(qname("w:ascii"), ""))
    return False
