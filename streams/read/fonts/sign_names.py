"""What signs of mathematics a page's fonts mean by the names of their glyphs: for fonts whose text layer has codes without a meaning, or a lie.

Publishers' sign fonts name a glyph by its number in the symbol font of TeX (`/C0` the minus, `/C15` the bullet), or after whatever letter has its
place in Latin-1 (`/Thorn` the closing parenthesis), and their map to Unicode repeats the name. Such a minus is lost as a control character: a table
of results then has the wrong sign, in good print and without a trace. Asked only of pages that have a control character, or a letter of `LIARS`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from streams.read.parser_errors import PARSER_ERRORS
from streams.read.trust.signals import UNMAPPED

MAX_FONTS = 60
"""Fonts of one page that are looked into; pages of journals have ten to twenty."""
MAX_ENCODING_CHARS = 20_000
"""Of an encoding's list of differences: 256 names of usual length are a tenth of it."""
LIARS = "¼½Þðþ"
"""Letters by whose names such fonts call their signs."""
CODES = "\x01-\x08\x0e-\x1f"
"""Codes of which a text layer does not say the sign, as a range of a pattern."""
MAY_BE_NAMED = re.compile(f"[{CODES}{LIARS}]")
"""What a page has that is worth asking its fonts."""
_TEX = "−·×∗÷⋄±∓⊕⊖⊗⊘⊙○◦•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽"
"""The symbol font of TeX (OMS) from code 0 on: "The TeXbook", appendix F."""
_NAMES = {"Thorn": ")", "eth": "(", "thorn": "+", "onequarter": "=", "onehalf": "[", "C138": "]", "C176": "°"}
_LETTERS = {"Thorn": "Þ", "eth": "ð", "thorn": "þ", "onequarter": "¼", "onehalf": "½"}
_NUMBERED = re.compile(r"C(\d{1,2})")
_SIGN_FONT = re.compile(r"M(?:a?th)Sy", re.IGNORECASE)
_TOKEN = re.compile(r"/([A-Za-z0-9._]+)|(\d+)")
_WIDE_SIGNS = frozenset({0, 2, 6, 17, 20, 21, 24, 25})
"""Signs of TeX's symbol font as wide as a digit and more, which its font of large brackets has narrow ones in the place of."""
_LEAST_WIDE = 600


def sign_readings(page: Any) -> dict[str, dict[str, str]]:
    """By font, as the text pass names it, what each character of its text shows. Fonts of other names and of none are left out.

    Two fonts of one name that say different things are left out: whose glyphs are meant cannot be told.
    """
    document = page.parent
    found: dict[str, dict[str, str]] = {}
    try:
        for entry in page.get_fonts(full=True)[:MAX_FONTS] if document.is_pdf else ():
            name = entry[3].split("+", 1)[-1]
            if table := _signs(document, entry[0], name):
                found[name] = table if found.get(name, table) == table else {}
    except PARSER_ERRORS:
        return {}  # a font that cannot be looked into is read as it was
    return {name: table for name, table in found.items() if table}


def read_signs(raw: Mapping[str, Any], readings: Mapping[str, Mapping[str, str]]) -> bool:
    """Puts the signs in the place of their characters in a raw dictionary; whether there were any."""
    if not readings:
        return False
    changed = False
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                table = readings.get(span["font"].split("+", 1)[-1], {})
                signs = [table.get(char["c"]) for char in span["chars"]] if table else []
                for char, sign in zip(span["chars"], signs, strict=False):
                    char["c"] = sign or char["c"]
                if signs and all(signs):
                    span["char_flags"] &= ~UNMAPPED
                changed = changed or any(signs)
    return changed


def _signs(document: Any, xref: int, name: str) -> dict[str, str]:
    """What the characters of a font show: nothing unless all its glyphs have names of signs, and it is the symbol font that numbers them."""
    kind, value = document.xref_get_key(xref, "Encoding/Differences")
    if kind != "array" or len(value) > MAX_ENCODING_CHARS:
        return {}
    glyphs = dict(_differences(value))
    numbers = {code: int(match[1]) for code, glyph in glyphs.items() if (match := _NUMBERED.fullmatch(glyph))}
    if not numbers and not any(glyph in _NAMES for glyph in glyphs.values()):
        return {}
    if not _SIGN_FONT.search(name) and not _has_wide_signs(document, xref, numbers):
        return {}
    table: dict[str, str] = {}
    for code, glyph in glyphs.items():
        number = numbers.get(code)
        sign = _NAMES.get(glyph, "") if number is None else _TEX[number] if number < len(_TEX) else ""
        if sign:
            table[chr(code)] = table[_LETTERS.get(glyph, chr(code))] = sign
    return table


def _differences(text: str) -> Iterator[tuple[int, str]]:
    """(code, name of its glyph) of the array of an encoding's differences."""
    code = 0
    for match in _TOKEN.finditer(text):
        if match[2]:
            code = int(match[2][:6])
        elif code < 256:
            yield code, match[1]
            code += 1


def _has_wide_signs(document: Any, xref: int, numbers: Mapping[int, int]) -> bool:
    """Whether a font of numbered glyphs is the one of signs, by the widths of those that are wide there."""
    kind, value = document.xref_get_key(xref, "Widths")
    if kind != "array" or len(value) > MAX_ENCODING_CHARS:
        return False
    widths = [float(width) for width in re.findall(r"\d+(?:\.\d+)?", value)]
    first = document.xref_get_key(xref, "FirstChar")[1]
    start = int(first) if first.isdecimal() else 0
    wide = [widths[code - start] for code, number in numbers.items() if number in _WIDE_SIGNS and 0 <= code - start < len(widths)]
    return bool(wide) and min(wide) >= _LEAST_WIDE
