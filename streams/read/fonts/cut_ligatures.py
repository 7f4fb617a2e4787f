"""Ligatures of which a font's map to Unicode names the last letter alone ("hey" for "They", "ofice" for "office"). A door to PyMuPDF.

Ghostscript (seen in files of 9.06) writes such maps where the font it was given spelt the ligature out. The text has nothing odd but its words, and
no statistics of letters finds them. What was cut is certain from the name of the glyph, where a font has names; else it follows from its width,
which is that of a ligature and not that of its last letter in the same font. The map is completed in the open document, ahead of the first reading of
its text; files of other producers are not looked at.

macOS (Quartz) numbers the glyphs of a font's part anew and keeps the map of the old numbers: "di!culties" for "difficulties", "→" for "×". There the
names of the glyphs tell all.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import pymupdf
from msgspec import Struct, field

from streams.read.parser_errors import PARSER_ERRORS

GHOSTSCRIPT, QUARTZ = "Ghostscript", "Quartz PDFContext"
PRODUCERS = (GHOSTSCRIPT, QUARTZ)
SLIPS = 1
"""Letters that may have two codes in a font without variants of them."""
MAX_PARENTS = 5
"""Levels of a page tree that are asked for a page's resources; trees have two to four."""
MAX_FONTS = 40
"""Fonts of one page that are looked into."""
MAX_CODES = 65_536
"""Codes of one map or list of widths: as many as two bytes can have."""
MAX_MAP_CHARS = 2**20
"""Of a map, written out: one with all codes of two bytes has a million."""
LIGATURES = ("ff", "fi", "fl", "ffi", "ffl", "Th", "ft", "fft", "ct", "st", "fj")
"""What fonts for text draw as one glyph. `ti` and `tt` are left out: as wide as `fi` and `ft`, and in Calibri and its like alone."""
SIGNS = {
    "multiply": "×", "minus": "−", "plusminus": "±", "divide": "÷", "lessequal": "≤", "greaterequal": "≥", "notequal": "≠", "approxequal": "≈",
    "equivalence": "≡", "infinity": "∞", "element": "∈", "arrowright": "→", "arrowleft": "←", "arrowboth": "↔", "bullet": "•", "asteriskmath": "∗",
}  # fmt: skip
"""Signs by the names of their glyphs (Adobe's list) that text is full of."""
LAST_LETTERS = frozenset(ligature[-1] for ligature in LIGATURES)
NARROWEST, WIDEST = 0.91, 1.03
"""Of the widths of a ligature's letters together, measured on Garamond, Minion, Times and Arial: 0.93 to 1.0, `Th` 0.93."""

_BEGINNING = re.compile(r"beginbf(char|range)")
_CHARACTER = re.compile(r"<([0-9A-Fa-f]{2,8})>\s*<([0-9A-Fa-f]{4,64})>")
_RANGE = re.compile(r"<([0-9A-Fa-f]{2,8})>\s*<([0-9A-Fa-f]{2,8})>\s*<([0-9A-Fa-f]{4,64})>")
_PLAIN = frozenset("".join(LIGATURES))
_REFERENCE = re.compile(r"(\d+) 0 R")
_TOKEN = re.compile(r"[\[\]]|/[^\s/\[\]<>()]+|-?\d+(?:\.\d+)?")


class LigatureMaps(Struct):
    """The maps of an open document. Knows which fonts it has looked at, so that each costs once. `producer`: what wrote it, one of PRODUCERS, or ""
    for a document whose maps are taken as they are.
    """

    document: pymupdf.Document
    producer: str
    seen: set[int] = field(default_factory=set)

    def complete(self, page: int) -> None:
        """Completes the maps of the fonts that a page names (`page` from 0). A font that cannot be looked into keeps its map."""
        if not self.producer:
            return
        named = _fonts_of(self.document, self.document.page_xref(page))
        fonts = [int(number) for number in _REFERENCE.findall(named)[:MAX_FONTS]]
        for xref in fonts:
            if xref not in self.seen:
                self.seen.add(xref)
                with suppress(*PARSER_ERRORS):
                    _complete(self.document, xref, fonts, self.producer)


def ligature_maps(document: pymupdf.Document) -> LigatureMaps:
    """What looks after the maps of a document that was just opened."""
    producer = ((document.metadata or {}).get("producer") or "") if document.is_pdf else ""
    return LigatureMaps(document, next((known for known in PRODUCERS if known in producer), ""))


def _complete(document: pymupdf.Document, xref: int, fonts: Sequence[int], producer: str) -> None:
    """Completes a font's map. `fonts`: all of the page."""
    place = _reference(document, xref, "ToUnicode")
    if not place:
        return
    text = document.xref_stream(place)[: MAX_MAP_CHARS + 1].decode("latin-1")
    if len(text) > MAX_MAP_CHARS:
        return
    letters = letters_of(text)
    composite = document.xref_get_key(xref, "Subtype")[1] == "/Type0"
    if producer == QUARTZ:
        cut = {} if composite else stale_by_name(letters, _names(document, xref))
    elif LAST_LETTERS.isdisjoint(letters.values()):
        return
    elif composite:
        cut = cut_by_width(letters, _widths(document, xref), _plain_widths(document, xref, fonts))
    elif any(letter in LAST_LETTERS and code != ord(letter) for code, letter in letters.items()):
        cut = cut_by_name(letters, _names(document, xref))
    else:
        return
    if cut:
        document.update_stream(place, completed(text, cut, digits=4 if composite else 2).encode("latin-1"))


def letters_of(text: str) -> dict[int, str]:
    """What a map says: by code, the characters."""
    found: dict[int, str] = {}
    budget = MAX_CODES
    for kind, body in _sections(text):
        if kind == "char":
            found |= {int(code, 16): _characters(value) for code, value in _CHARACTER.findall(body)}
            continue
        for first, last, value in _RANGE.findall(body):
            start, count = _characters(value), min(int(last, 16) - int(first, 16) + 1, budget)
            for step in range(count):
                found[int(first, 16) + step] = start[:-1] + chr(min(ord(start[-1]) + step, 0x10FFFF))
            budget -= max(0, count)
    return found


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """The sections of a map: `char` or `range`, and what stands in it. One without an end is the last."""
    place = 0
    while (begin := _BEGINNING.search(text, place)) is not None:
        end = text.find(f"endbf{begin[1]}", begin.end())
        if end < 0:
            return
        yield begin[1], text[begin.end() : end]
        place = end


def cut_by_name(letters: Mapping[int, str], names: Mapping[int, str]) -> dict[int, str]:
    """By code, the ligatures that the names of glyphs spell and the map cuts."""
    cut = {}
    for code, name in names.items():
        spelt = name.partition(".")[0].replace("_", "")
        if spelt in LIGATURES and letters.get(code) == spelt[-1]:
            cut[code] = spelt
    return cut


def stale_by_name(letters: Mapping[int, str], names: Mapping[int, str]) -> dict[int, str]:
    """By code, what the names of glyphs say where they name a ligature or a sign and the map says another sign."""
    stale = {}
    for code, name in names.items():
        spelt = name.partition(".")[0].replace("_", "")
        said, shown = letters.get(code, ""), spelt if spelt in LIGATURES else SIGNS.get(name, "")
        if shown and said and said != shown and not any(map(str.isalnum, said)):
            stale[code] = shown
    return stale


def cut_by_width(letters: Mapping[int, str], widths: Mapping[int, float], plain: Mapping[str, float]) -> dict[int, str]:
    """By code, the ligatures that their widths prove: not as wide as their last letter, which the font or its sibling has, but as all of them.

    `plain`: widths of letters in a sibling; where the font has two codes of a letter, the narrower is the plain one. Nothing where two ligatures fit.
    """
    if _has_variants(letters):
        return {}
    narrowest, cut = dict(plain), dict[int, str]()
    for code, letter in letters.items():
        if code in widths:
            narrowest[letter] = min(widths[code], narrowest.get(letter, widths[code]))
    for code, letter in letters.items():
        if letter not in LAST_LETTERS or code not in widths:
            continue
        fitting = [
            ligature
            for ligature in LIGATURES
            if ligature[-1] == letter
            and set(ligature) <= narrowest.keys()
            and NARROWEST <= widths[code] / max(1.0, sum(narrowest[part] for part in ligature)) <= WIDEST
        ]
        if len(fitting) == 1:
            cut[code] = fitting[0]
    return cut


def _has_variants(letters: Mapping[int, str]) -> bool:
    """Whether letters that end no ligature have two codes, too: small capitals, letters of another width."""
    others = [letter for letter in letters.values() if letter.isalpha() and letter not in LAST_LETTERS]
    return len(others) - len(set(others)) > SLIPS


def completed(text: str, cut: Mapping[int, str], digits: int) -> str:
    """The map with the ligatures spelt out, behind what it said of their codes before: the last word counts."""
    lines = [f"<{code:0{digits}x}><{ligature.encode('utf-16-be').hex()}>" for code, ligature in sorted(cut.items())]
    return text.replace("endcmap", f"{len(lines)} beginbfchar\n" + "\n".join(lines) + "\nendbfchar\nendcmap", 1)


def _characters(value: str) -> str:
    return bytes.fromhex(value[: len(value) // 4 * 4]).decode("utf-16-be", "replace")


def _reference(document: pymupdf.Document, xref: int, key: str) -> int:
    """The number of the object that a key refers to; 0 for none."""
    kind, value = document.xref_get_key(xref, key)
    found = _REFERENCE.search(value) if kind in ("xref", "array") else None
    return int(found.group(1)) if found else 0


def _value(document: pymupdf.Document, xref: int, key: str) -> str:
    """A value written out, also where it is an object of its own."""
    kind, value = document.xref_get_key(xref, key)
    place = _REFERENCE.search(value) if kind == "xref" else None
    return str(document.xref_object(int(place[1])) if place else value)


def _names(document: pymupdf.Document, xref: int) -> dict[int, str]:
    """Names of glyphs by code, as a simple font's own encoding gives them."""
    place = _reference(document, xref, "Encoding")
    text = _value(document, place, "Differences") if place else _value(document, xref, "Encoding/Differences")
    found: dict[int, str] = {}
    code = 0
    for token in _TOKEN.findall(text):
        if token.startswith("/"):
            found[code] = token[1:]
            code += 1
        elif token not in "[]":
            code = int(float(token))
    return found


def _widths(document: pymupdf.Document, xref: int) -> dict[int, float]:
    """Widths by code of a composite font whose codes are those of its glyphs, in thousandths of an em; those of the default width are left out."""
    if document.xref_get_key(xref, "Encoding")[1] not in ("/Identity-H", "/Identity-V"):
        return {}
    descendant = _reference(document, xref, "DescendantFonts")
    tokens = _TOKEN.findall(_value(document, descendant, "W")) if descendant else []
    found: dict[int, float] = {}
    numbers: list[float] = []
    listing: int | None = None
    budget = MAX_CODES
    for token in tokens[1:]:  # the first opens the array
        if token == "[":
            listing = int(numbers.pop()) if numbers else 0
        elif token == "]":
            listing = None
        elif listing is not None and not token.startswith("/"):
            found[listing] = float(token)
            listing += 1
        elif not token.startswith("/"):
            numbers.append(float(token))
            if len(numbers) == 3:  # first code, last code, width of all between
                first, last, width = numbers
                codes = range(max(0, int(first)), min(int(last), MAX_CODES) + 1)[: max(0, budget)]
                found |= dict.fromkeys(codes, width)
                budget -= len(codes)
                numbers = []
    return found


def _fonts_of(document: pymupdf.Document, page: int) -> str:
    """The fonts of a page, by its own resources or those that it inherits; written out."""
    for step in range(MAX_PARENTS):
        found = _value(document, page, "Parent/" * step + "Resources/Font")
        if found != "null":
            return found
    return ""


def _plain_widths(document: pymupdf.Document, xref: int, fonts: Sequence[int]) -> dict[str, float]:
    """Widths of letters in the simple fonts of a page that are parts of the same font: Ghostscript keeps apart what one encoding has no room for."""
    name = _face(document, xref)
    found: dict[str, float] = {}
    for other in fonts:
        if other != xref and document.xref_get_key(other, "Subtype")[1] != "/Type0" and _face(document, other) == name:
            first = document.xref_get_key(other, "FirstChar")[1]
            numbers = [float(token) for token in _TOKEN.findall(_value(document, other, "Widths")) if token not in "[]"]
            start = int(first) if first.isdecimal() else 0
            found |= {chr(start + step): width for step, width in enumerate(numbers[:256]) if width > 0 and chr(start + step) in _PLAIN}
    return found


def _face(document: pymupdf.Document, xref: int) -> str:
    """The name of a font without the tag of its part and the name of its encoding."""
    return str(document.xref_get_key(xref, "BaseFont")[1]).strip("/").rpartition("+")[2].removesuffix("-Identity-H")
