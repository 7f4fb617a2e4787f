"""Characters of a text layer made readable: pure functions of text, no page, no geometry.

What changes: presentation forms (Latin ligatures, Arabic and Hebrew forms, CJK compatibility ideographs and radicals) become their plain
letters; private-use codes of symbol fonts become the characters they show; all spaces become one plain space; control, bidirectional and
zero-width marks go, as do leader dots and what is left of U+FFFD. What stays, because it carries meaning: superscripts, fractions,
mathematical alphabets, full-width forms, joiners inside words, and the soft hyphen (until `lines.py` joins lines). So NFKC is applied to
the ranges above only, NFC to all.
"""

import re
import unicodedata

SOFT_HYPHEN = "\u00ad"

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]")
_SPACES = re.compile(r"\s+")
_FORMS = re.compile("[\u2e80-\u2fdf\uf900-\ufaff\ufb00-\ufdff\ufe30-\ufe4f\ufe70-\ufefe\U0002f800-\U0002fa1f]+")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
_REPLACED_LEADERS = re.compile(r"(?:\ufffd[\s.]*){3,}")
_LEADERS = re.compile(r"\.{5,}|(?:\.\s){5,}\.?|(?:\u2026\s?){2,}|(?:[\u00b7\u2024\u2025]\s?){4,}")
_COMBINING = re.compile("[\u0300-\u036f\u0653-\u0655\u3099\u309a\u1100-\u11ff]")
_LOOSE_ACCENT = re.compile("([\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd])([A-Za-z\u0131\u0237])")
_COMBINED = {
    "\u00a8": "\u0308", "\u00af": "\u0304", "\u00b4": "\u0301", "\u00b8": "\u0327", "\u02c6": "\u0302", "\u02c7": "\u030c", "\u02d8": "\u0306",
    "\u02d9": "\u0307", "\u02da": "\u030a", "\u02db": "\u0328", "\u02dc": "\u0303", "\u02dd": "\u030b",
}  # fmt: skip
_SURROGATE = re.compile("[\ud800-\udfff]")

_SYMBOL_LOW = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
SYMBOL: dict[int, str] = {
    **{0x20 + i: c for i, c in enumerate(_SYMBOL_LOW)},
    **{0xA0 + i: c for i, c in enumerate(_SYMBOL_HIGH) if c != "\0"},
}
"""Adobe's Symbol encoding, by code."""
WINGDINGS: dict[int, str] = {
    0x28: "☎", 0x2A: "✉", 0x4A: "☺", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "□", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫",
    0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "⌧", 0x9E: "·", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA4: "◉", 0xA7: "▪", 0xA8: "□", 0xAA: "✦",
    0xAB: "★", 0xB7: "•", 0xD8: "➢", 0xDC: "➲", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨", 0xFB: "✗",
    0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
"""The signs of Microsoft's Wingdings that documents use as bullets, boxes and arrows, by code."""
_ADOBE: dict[int, str] = {
    **{0xF730 + i: str(i) for i in range(10)},  # old-style digits
    **{0xF761 + i: chr(ord("a") + i) for i in range(26)},  # small capitals
    0xF6BE: "j", 0xF6D9: "©", 0xF6DA: "®", 0xF6DB: "™", 0xF8E8: "®", 0xF8E9: "©", 0xF8EA: "™", 0xF8E5: "‾", 0xF8E6: "⏐", 0xF8E7: "⎯",
    0xF8EB: "⎛", 0xF8EC: "⎜", 0xF8ED: "⎝", 0xF8EE: "⎡", 0xF8EF: "⎢", 0xF8F0: "⎣", 0xF8F1: "⎧", 0xF8F2: "⎨", 0xF8F3: "⎩", 0xF8F4: "⎪",
    0xF8F5: "⎮", 0xF8F6: "⎞", 0xF8F7: "⎟", 0xF8F8: "⎠", 0xF8F9: "⎤", 0xF8FA: "⎥", 0xF8FB: "⎦", 0xF8FC: "⎫", 0xF8FD: "⎬", 0xF8FE: "⎭",
}  # fmt: skip
"""Adobe's corporate use of the private area (glyph list of 2002)."""


def clean_text(text: str, font: str = "") -> str:
    """Text of one span, normalised; `font` (its name) says what private-use codes mean. Inner white space is one space; ends are kept."""
    if text.isascii() and text.isprintable():
        return without_leaders(text) if "....." in text or ". . . " in text else text
    text = _SPACES.sub(" ", _SURROGATE.sub("", text))
    text = _CONTROL.sub("", text)
    if _PRIVATE.search(text):
        text = _PRIVATE.sub(lambda match: _private(ord(match.group()), font.lower()), text)
    text = _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    text = _LOOSE_ACCENT.sub(_accented, text)
    if _COMBINING.search(text):
        text = unicodedata.normalize("NFC", text)
    text = text.replace("‘‘", "“").replace("’’", "”")  # typed as two, meant as one
    return without_leaders(_REPLACED_LEADERS.sub(" ", text)).replace("\ufffd", "")


def _accented(match: re.Match[str]) -> str:
    """TeX prints an accent and then its letter ("na\u00a8\u0131ve"): one letter where Unicode has it. An acute may be an apostrophe: vowels only."""
    accent, letter = match.groups()
    if accent == "\u00b4" and letter not in "aeiouyAEIOUY\u0131":
        return match.group()
    plain = {"\u0131": "i", "\u0237": "j"}.get(letter, letter)
    composed = unicodedata.normalize("NFC", plain + _COMBINED[accent])
    return composed if len(composed) == 1 else match.group()


def without_leaders(text: str) -> str:
    """Rows of dots that lead the eye from a title to a number say nothing; an ellipsis stays."""
    shorter = _LEADERS.sub(" ", text)
    return shorter if shorter == text else _SPACES.sub(" ", shorter)


def _private(code: int, font: str) -> str:
    """What a private-use code shows, or nothing where no table says. Symbol fonts keep their codes at U+F000 and above."""
    if code in _ADOBE:
        return _ADOBE[code]
    if not 0xF020 <= code <= 0xF0FF:
        return ""
    low = code - 0xF000
    if "wingdings" in font or "webdings" in font:
        return WINGDINGS.get(low, "")
    if "symbol" in font:
        return SYMBOL.get(low, "")
    if low < 0x7F:
        return chr(low)  # a TrueType font that is marked as symbolic keeps plain ASCII here
    return WINGDINGS.get(low) or SYMBOL.get(low, "")


def collapse(text: str) -> str:
    """One space for any run of white space, none at the ends, no soft hyphens."""
    return " ".join(text.replace(SOFT_HYPHEN, "").split())


def without_doubles(text: str, width_pt: float, size_pt: float) -> str:
    """Text printed twice on one place to look bold comes out as `HHIIGGHH`: every second letter goes.

    Believed only for at least eight characters, all in pairs, that stand in half the room they need (`width_pt` at `size_pt`).
    """
    if width_pt > 0.42 * size_pt * len(text):
        return text
    pairs = text.replace(" ", "")
    if len(pairs) < 8 or len(pairs) % 2 or pairs[0::2] != pairs[1::2] or len(set(pairs)) < 3 or width_pt > 0.42 * size_pt * len(pairs):
        return text
    words = (word[0::2] for word in text.split())
    return " ".join(words) if all(len(word) % 2 == 0 for word in text.split()) else pairs[0::2]
