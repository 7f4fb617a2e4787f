"""Characters of a text layer made readable: pure functions of text, no page, no geometry.

What changes: presentation forms (Latin ligatures, Arabic and Hebrew forms, CJK compatibility ideographs and radicals) become their plain
letters; private-use codes of symbol fonts become the characters they show; all spaces become one plain space; control, bidirectional and
zero-width marks go, as do leader dots and what is left of U+FFFD. What stays, because it carries meaning: superscripts, fractions,
mathematical alphabets, full-width forms, joiners inside words, and the soft hyphen (until `lines.py` joins lines). So NFKC is applied to
the ranges above only, NFC to all.
"""

import re
import unicodedata

from schemas.unicode_forms import in_form
from streams.read.characters.accents import accented
from streams.read.characters.symbol_fonts import pictures_of, private_sign

SOFT_HYPHEN = "\u00ad"

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]")
_SPACES = re.compile(r"\s+")
_FORMS = re.compile("[\u2e80-\u2fdf\uf900-\ufaff\ufb00-\ufdff\ufe30-\ufe4f\ufe70-\ufefe\U0002f800-\U0002fa1f]+")
PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
_KASHIDA = re.compile("(?<=[\u0620-\u065f\u066e-\u06d3])\u0640+(?=[\u0620-\u065f\u066e-\u06d3])")
"""Strokes that stretch Arabic words to the width of a line; at the end of a word (the "\u0647\u0640" of years) they are written on purpose."""
_REPLACED_LEADERS = re.compile(r"(?:\ufffd[\s.]*){3,}")
_LEADERS = re.compile(r"\.{5,}|(?:\.\s){5,}\.?|(?:\u2026\s?){2,}|(?:[\u00b7\u2024\u2025]\s?){4,}")
_COMBINING = re.compile("[\u0300-\u036f\u0653-\u0655\u3099\u309a\u1100-\u11ff]")
_LOOSE_ACCENT = re.compile("([\u00a8\u00af\u00b8\u02c6\u02c7\u02d8-\u02dd])([A-Za-z\u0131\u0237])")
"""Accents that nothing else is written with; an acute may be an apostrophe, which only its place tells (`accents.py`)."""
_NUMBER_HYPHEN = re.compile(r"(?<=\d)\u00ad(?=\w)|(?<=\w)\u00ad(?=\d)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAY_CHANGE = re.compile(
    "".join([
        "[\t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u0640\u00ad\ufffd\ud800-\udfff\u2024-\u2026\u00b7",
        _CONTROL.pattern[1:-1], _FORMS.pattern[1:-2], PRIVATE.pattern[1:-1], _COMBINING.pattern[1:-1], "\u00a8\u00af\u00b8\u02c6\u02c7\u02d8-\u02dd]",
    ])
)  # fmt: skip
"""Any sign that something below may change, or leaders and white space that do. Most texts in curly quotes or with accents have none of them."""
_SIGNS_IN_A_ROW = ("  ", ".....", ". . . ", "‘‘", "’’")
"""What changes although each of its signs stays."""
ENCLOSING_CIRCLE = "\u20dd"
"""Combines with the letter before it; TeX sets "©" so."""
_IN_CIRCLES = {"c": "©", "C": "©", "R": "®", "P": "℗"}
_ENCIRCLED = re.compile(f"([cCRP]) ?{ENCLOSING_CIRCLE}")


def is_plain(text: str) -> bool:
    """Whether a text of a font without pictures is normalised already, as most are."""
    return text.isascii() and text.isprintable() and "....." not in text and ". . . " not in text


def clean_text(text: str, font: str = "", *, coded: bool = False) -> str:
    """Text of one span, normalised; `font` (its name) says what private-use codes mean. Inner white space is one space; ends are kept.

    `coded`: codes stand in the place of its characters (see `pictures_of`).
    """
    pictures = pictures_of(font, coded=coded)
    if pictures is not None and not PRIVATE.search(text):
        text = "".join([pictures.get(ord(sign), sign) for sign in text])
    if text.isascii() and text.isprintable():
        return without_leaders(text) if "....." in text or ". . . " in text else text
    if _MAY_CHANGE.search(text) is None and not any(map(text.__contains__, _SIGNS_IN_A_ROW)):
        return text
    text = _SPACES.sub(" ", _SURROGATE.sub("", text))
    text = _CONTROL.sub("", text)
    if PRIVATE.search(text):
        text = PRIVATE.sub(lambda match: private_sign(ord(match.group()), font), text)
    if "\u0640" in text:
        text = _KASHIDA.sub("", text)
    if SOFT_HYPHEN in text:
        text = hyphens_of_numbers(text)
    text = _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    text = _LOOSE_ACCENT.sub(lambda match: accented(match.group(2), match.group(1)) or match.group(), text)
    if _COMBINING.search(text):
        text = in_form("NFC", text)
    text = text.replace("‘‘", "“").replace("’’", "”")  # typed as two, meant as one
    return without_leaders(_REPLACED_LEADERS.sub(" ", text)).replace("\ufffd", "")


def encircled(text: str) -> str:
    """Text with letters in a circle of their own as the sign that they are: TeX draws "©" so, of two fonts."""
    return _ENCIRCLED.sub(lambda match: _IN_CIRCLES[match[1]], text)


def hyphens_of_numbers(text: str) -> str:
    """Text with soft hyphens beside digits as the hyphens that they are: some fonts call their hyphen so, and no number is broken at one."""
    return _NUMBER_HYPHEN.sub("-", text)


def without_leaders(text: str) -> str:
    """Rows of dots that lead the eye from a title to a number say nothing; an ellipsis stays."""
    shorter = _LEADERS.sub(" ", text)
    return shorter if shorter == text else _SPACES.sub(" ", shorter)


def collapse(text: str) -> str:
    """One space for any run of white space, none at the ends, no soft hyphens."""
    return " ".join(text.replace(SOFT_HYPHEN, "").split())


def without_doubles(text: str, width_pt: float, size_pt: float) -> str:
    """Text printed twice on one place to look bold comes out as `HHIIGGHH`: every second letter goes.

    Believed only for at least eight characters, all in pairs, that stand in half the room they need (`width_pt` at `size_pt`).
    """
    if width_pt > 0.42 * size_pt * len(text) or len(text) < 8:
        return text
    first, second = text[0], text[1]
    if first not in (second, " ") and second != " ":
        return text  # told before anything is made of it, as it is of nearly all
    pairs = text.replace(" ", "")
    if len(pairs) < 8 or len(pairs) % 2 or pairs[0::2] != pairs[1::2] or len(set(pairs)) < 3 or width_pt > 0.42 * size_pt * len(pairs):
        return text
    words = (word[0::2] for word in text.split())
    return " ".join(words) if all(len(word) % 2 == 0 for word in text.split()) else pairs[0::2]
