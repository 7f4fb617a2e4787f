"""Signs that publishers' sign fonts pass off as plain letters ("E O 0.7" for "E > 0.7", "q 2005" for "© 2005"). A door to PyMuPDF.

Such a font holds a few signs, names each after the key that types it, and the text layer repeats the name: nothing in the text tells. The font's
own program does: each of its glyphs is drawn once and told by its shape (`glyph_shapes`), and believed only where it is a sign for certain and
clearly not the letter. Looked into are small programs of fonts with such a publisher's name; a page without one pays for a look at its fonts.
Fonts of the Indian rupee, older than its code, have it in the place of the grave accent; their names say so.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pymupdf

from streams.read.fonts.glyph_shapes import shapes_of, sign_unlike
from streams.read.parser_errors import PARSER_ERRORS

MAX_FONTS = 60
"""Fonts of one page that are looked into; pages of journals have ten to twenty."""
MAX_GLYPHS = 24
"""Of a font of signs, at the most: such subsets have two to seven, fonts for text soon thirty."""
MAX_FONT_BYTES = 16_384
"""Of its program; twenty glyphs are a fifth of it."""
_NAME = re.compile(r"Adv(?:P|PS|OT|TT|T)?(?:[0-9A-F]{3,}|Math|Mac|Pi|Sy|Gr)|Adv[A-Z]+\d+|Math(?:ematical)?Pi|\w*with(?:Math|Comm)Pi", re.ASCII)
"""Fonts as the typesetting system Advent and the foundries of pi fonts name them."""
_RUPEE = re.compile(r"Rupee_?\s?Foradian", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _may_lie(font: str) -> bool:
    name = font.split("+", 1)[-1]
    return _NAME.match(name) is not None or _RUPEE.match(name) is not None


def has_pi_fonts(content: Mapping[str, Any]) -> bool:
    """Whether text of a page's dictionary is set in a font that may call signs letters, by its name."""
    return any(map(_may_lie, {span["font"] for block in content["blocks"] for line in block.get("lines", ()) for span in line["spans"]}))


def pi_readings(page: Any) -> dict[str, dict[str, str]]:
    """By font, as the text pass names it, the sign of each character that is one. Two fonts of one name that say different things are left out."""
    document = page.parent
    found: dict[str, dict[str, str]] = {}
    try:
        for entry in page.get_fonts(full=True)[:MAX_FONTS] if document.is_pdf else ():
            name = entry[3].split("+", 1)[-1]
            if not _may_lie(name):
                continue
            table = {"`": "₹"} if _RUPEE.match(name) else _signs_of(document, entry[0])
            found[name] = table if found.get(name, table) == table else {}
    except PARSER_ERRORS:
        return {}  # a font that cannot be looked into is read as it was
    return {name: table for name, table in found.items() if table}


def _signs_of(document: Any, xref: int) -> dict[str, str]:
    data = document.extract_font(xref)[3]
    return _signs(data) if data and len(data) <= MAX_FONT_BYTES else {}


@lru_cache(maxsize=256)
def _signs(program: bytes) -> dict[str, str]:
    """The signs of a font's program by the characters that it calls them; empty for a font of more than signs. Raises what MuPDF raises."""
    font: Any = pymupdf.Font(fontbuffer=program)
    if font.glyph_count > MAX_GLYPHS:
        return {}
    letters = [chr(code) for code in font.valid_codepoints() if 0x21 <= code <= 0xFF][:MAX_GLYPHS]
    if not letters:
        return {}
    shapes = zip(letters, shapes_of([(font, letter) for letter in letters]), strict=True)
    return {letter: sign for letter, shape in shapes if shape is not None and (sign := sign_unlike(shape, letter))}
