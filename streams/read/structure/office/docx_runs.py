"""How a run of a text document is set (ECMA-376 part 1, 17.3.2): its font, its height on the line, its emphasis, and whether it is hidden.

Bold, italic and struck out are toggles (17.7.3): a character style that is bold sets text upright again in a paragraph whose style is bold. What the
run itself says wins over both.
"""

import unicodedata

from msgspec import Struct

from streams.read.blocks.emphasis import CODE
from streams.read.structure.office.docx_styles import Styles, setting_of, shift_of
from streams.read.structure.office.package import Element, flag, qname

_VANISH, _RUN_STYLE, _VAL = qname("w:vanish"), qname("w:rStyle"), qname("w:val")
_FONTS, _ASCII = qname("w:rFonts"), qname("w:ascii")
_PARAGRAPH_STYLE = f"{qname('w:pPr')}/{qname('w:pStyle')}"


class RunFormat(Struct, frozen=True):
    """How the text of a run is set. `shift`: 1 raised, -1 lowered, 0 on the line; `setting`: its emphasis (`emphasis.py`)."""

    font: str = ""
    shift: int = 0
    setting: int = 0
    hidden: bool = False


def format_of(properties: Element, styles: Styles, around: int) -> RunFormat:
    """What run properties (`w:rPr`) say in a paragraph whose style sets its text as `around`."""
    named = properties.find(_RUN_STYLE)
    style = named.get(_VAL, "") if named is not None else ""
    fonts, hidden, shift = properties.find(_FONTS), properties.find(_VANISH), shift_of(properties)
    return RunFormat(
        font=fonts.get(_ASCII, "") if fonts is not None else "",
        shift=shift if shift is not None else styles.shift(style) if style else 0,
        setting=setting_of(properties, _styled(around, styles.setting(style)) if style else around) & ~styles.usual_setting,
        hidden=flag(hidden) if hidden is not None else bool(style) and styles.is_hidden(style),
    )


def _styled(around: int, style: int) -> int:
    """How a character style sets text within what is around it: a typewriter's font is none of the toggles."""
    return ((around ^ style) & ~CODE) | ((around | style) & CODE)


def setting_around(paragraph: Element, styles: Styles) -> int:
    """How the style of a paragraph (`w:p`) sets its text."""
    style = paragraph.find(_PARAGRAPH_STYLE)
    return styles.paragraph_setting(style.get(_VAL) if style is not None else None)


def leading_marks(text: str) -> int:
    """How many combining marks a text begins with, which belong to the character before it."""
    count = 0
    while count < len(text) and unicodedata.combining(text[count]):
        count += 1
    return count
