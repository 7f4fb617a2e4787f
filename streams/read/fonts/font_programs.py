"""What characters a page's glyphs are by the fonts that it embeds: for text without a map to Unicode. A door to PyMuPDF.

Where a PDF names glyphs by number and says nothing of their meaning, the embedded font often still has its own table from characters to
glyphs. Read backwards, it decodes the page for certain, in any script, where statistics could only guess. Fonts are read, never run.
"""

import re
from functools import lru_cache
from typing import Any

import pymupdf

from streams.read.parser_errors import PARSER_ERRORS

MAX_FONTS = 40
"""Fonts of one page that are looked into; undecodable pages have one to ten."""
MAX_FONT_BYTES = 30 * 2**20
"""The largest CJK fonts; more is not a font."""
MAX_GLYPHS = 65_536
NAME_BYTES = 200
_REFERENCE = re.compile(r"^\[\s*(\d+) \d+ R")
_INLINE_MAP = re.compile(r"/CIDToGIDMap\s*(/\w+|\d+ \d+ R)")


def glyph_readings(page: pymupdf.Page) -> dict[str, dict[int, str]]:
    """By font, as the text pass names it, the character of each glyph number; fonts that name themselves otherwise or say nothing are left out.

    Two fonts of one name are left out as well: whose glyphs the text pass means cannot be told.
    """
    if not page.parent.is_pdf:
        return {}
    found: dict[str, dict[int, str]] = {}
    twice: set[str] = set()
    for entry in page.get_fonts(full=True)[:MAX_FONTS]:
        xref, extension, kind, base = entry[0], entry[1], entry[2], entry[3]
        name = base.split("+", 1)[-1][:NAME_BYTES]
        if kind != "Type0" or extension not in ("ttf", "otf") or not _names_glyphs(page.parent, xref):
            continue
        if name in found:
            twice.add(name)
        found[name] = _characters(page.parent, xref)
    return {name: table for name, table in found.items() if table and name not in twice}


def _names_glyphs(document: pymupdf.Document, xref: int) -> bool:
    """Whether a composite font's codes are glyph numbers, and it has no map to Unicode."""
    identity = document.xref_get_key(xref, "Encoding")[1] in ("/Identity-H", "/Identity-V")
    if not identity or document.xref_get_key(xref, "ToUnicode")[0] != "null":
        return False
    return _map_of_glyphs(document, xref) in ("null", "/Identity")


def _map_of_glyphs(document: pymupdf.Document, xref: int) -> str:
    """The map from codes to glyphs of a composite font's one descendant, as it is written: `null` where there is none, a dictionary of a stream.

    Followed step by step: MuPDF finds nothing by a path through an array.
    """
    array = _written(document, *document.xref_get_key(xref, "DescendantFonts"))
    if found := _REFERENCE.search(array):
        number = int(found[1])
        return _written(document, *document.xref_get_key(number, "CIDToGIDMap")) if 0 < number < document.xref_length() else ""
    inline = _INLINE_MAP.search(array)
    return inline[1] if inline else "null"


def _written(document: pymupdf.Document, kind: str, value: str) -> str:
    """A value as it is written; of a reference, what it refers to; nothing of one to an object that is not there."""
    if kind != "xref":
        return value
    number = int(value.split(maxsplit=1)[0])
    return str(document.xref_object(number, compressed=True)) if 0 < number < document.xref_length() else ""


def _characters(document: pymupdf.Document, xref: int) -> dict[int, str]:
    try:
        data = document.extract_font(xref)[3]
        return dict(_reversed(data)) if data and len(data) <= MAX_FONT_BYTES else {}
    except PARSER_ERRORS:
        return {}


@lru_cache(maxsize=16)
def _reversed(data: bytes) -> dict[int, str]:
    """A font program's characters by glyph number; of several characters with one glyph, the plainest (lowest)."""
    font: Any = pymupdf.Font(fontbuffer=data)
    table: dict[int, str] = {}
    for code in sorted(font.valid_codepoints(), reverse=True)[-MAX_GLYPHS:]:
        glyph = font.has_glyph(code)
        if glyph and not 0xE000 <= code <= 0xF8FF:
            table[glyph] = chr(code)
    return table
