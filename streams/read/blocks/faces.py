"""What MuPDF's flags and a font's name say of how text is set: bold, leaning, typewriter. Every answer is kept: a document has few fonts."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from schemas.content import TextStyle
from streams.read.blocks.emphasis import BOLD, ITALIC, is_formula_font
from streams.read.characters.symbol_fonts import pictures_of

_SUBSET_PREFIX = re.compile(r"^[A-Z]{6}\+")
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|cmbx|cmssbx|cmb10|-bd\b|\bBd\b", re.IGNORECASE)
_ITALIC_NAME = re.compile(r"italic|oblique|cmti|cmsl|slanted", re.IGNORECASE)
_MONOSPACE_NAME = re.compile(
    r"courier|mono|consol|typewriter|menlo|inconsolata|lucidacons|nimbusmon|letter ?gothic|andale|cascadia|source ?code|fira ?code|jetbrains|"
    r"(?:cm(?:sl|i)?|tx|px|lm|ec|sf|la)tt(?:\d|$)|lmtt",
    re.IGNORECASE,
)

SUPERSCRIPT_FLAG, ITALIC_FLAG, MONOSPACE_FLAG, BOLD_FLAG = 1, 2, 8, 16
CODED_FLAGS = 128 | 256
"""Flags of characters, no Unicode known: a code, or a glyph's number, stands in the place of each."""


def is_bold(span: Mapping[str, Any]) -> bool:
    """Whether a span is bold by MuPDF's flag, or by its font's name: the bold fonts of old TeX documents say so in their names only."""
    return bool(span["flags"] & BOLD_FLAG) or _has_bold_name(span["font"])


def is_coded(span: Mapping[str, Any]) -> bool:
    """Whether codes stand in the place of a span's characters, since MuPDF found no Unicode for them."""
    return bool(span.get("char_flags", 0) & CODED_FLAGS)


class Face(Struct, frozen=True, gc=False):
    """A font at a size, as spans name it. `pictures`: its letters are signs (`symbol_fonts`); `setting`: how it is set (`emphasis`); `style`: of a
    line that has it alone.
    """

    pictures: bool
    setting: int
    style: TextStyle


@lru_cache(maxsize=4096)
def face_of(font: str, flags: int, size_pt: float) -> Face:
    """All that is asked of the face of a span."""
    bold = bool(flags & BOLD_FLAG) or _has_bold_name(font)
    return Face(pictures_of(font) is not None, setting_of(font, flags), style_of(font, flags, round(size_pt, 1), bold))


@lru_cache(maxsize=4096)
def setting_of(font: str, flags: int) -> int:
    """How a span is set, by MuPDF's flags and its font's name; the letters of formulas lean without emphasis."""
    leans = flags & ITALIC_FLAG or _ITALIC_NAME.search(font) is not None
    bold = BOLD if flags & BOLD_FLAG or _has_bold_name(font) else 0
    return bold | ITALIC if leans and not is_formula_font(font) else bold


@lru_cache(maxsize=4096)
def _has_bold_name(font: str) -> bool:
    return _BOLD_NAME.search(font) is not None


@lru_cache(maxsize=4096)
def is_monospace_name(font: str) -> bool:
    """Whether a font is a typewriter's by its name."""
    return _MONOSPACE_NAME.search(_SUBSET_PREFIX.sub("", font)) is not None


@lru_cache(maxsize=4096)
def style_of(font: str, flags: int, size_pt: float, bold: bool) -> TextStyle:
    """A style by its font's name and MuPDF's flags; whether it is bold is for all spans of a line to say."""
    name = _SUBSET_PREFIX.sub("", font)[:100]
    return TextStyle(
        size_pt=size_pt,
        font=name,
        bold=bold,
        italic=bool(flags & ITALIC_FLAG) or _ITALIC_NAME.search(name) is not None,
        monospace=bool(flags & MONOSPACE_FLAG) or is_monospace_name(name),
    )
