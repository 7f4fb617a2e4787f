"""Ligatures that a font codes as some other sign ("e↵orts"), told by what the page itself shows: pure functions on MuPDF's raw dictionary.

A sign between small letters of a word is no sign. Which of ff, fi, fl, ffi, ffl it is, three kinds of evidence say, in nats: its width beside
that of f, i and l in the same font; which of the five that font has under their own codes; and how likely the letters make the words. It is
replaced only where the best is clearly better than the next; numbers, formulas and signs between capitals are never touched.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from streams.read.characters.normalise import PRIVATE
from streams.read.characters.symbol_fonts import private_sign
from streams.read.language.letter_pairs import codes_of, likelihood

PRIORS = {"ff": 0.0, "fi": 0.0, "fl": 1.0, "ffi": 1.0, "ffl": 2.5}
"""Nats by how often English, German and French have them: fi and ff in one word of fifty, ffl in one of thousands."""
OWN_CODE = 20.0
"""Nats against a ligature that the same font has under its own code or as plain letters: it hardly ever has two."""
LIGATURE_WIDTH, WIDTH_SPREAD = 0.955, 0.035
"""Of the widths of its letters together, and how far that varies, in ems: Computer Modern, Times and Garamond have 0.93 to 1.0."""
TEX_CODES = {chr(start + place): letters for start in (0x0B, 0x1B) for place, letters in enumerate(("ff", "fi", "fl", "ffi", "ffl"))}
"""Where the encodings OT1 and T1 of TeX have them; MuPDF gives a font's codes where it knows no characters."""
TEX_CODE = 5.0
"""Nats in favour of the ligature that TeX has at a code."""
ACCENTED = "aeiouncsåæø"
"""Base letters of what an unknown character in a word may be instead: a letter with an accent."""
FEW, MOST = 4, 0.03
"""More signs than the one and than such a share of the letters are another letter, or spaces; ligatures of one kind are 0.01 of them."""
CLEARLY = 2.0
"""Nats between the best and the next: wrong in one of eight such cases by chance, where leaving the sign is wrong in all."""
MAX_WORDS = 60
"""Words with one sign that are weighed; more say the same."""

SIGNS = "[\u2190-\u23ff\u2500-\u27bf\u2900-\u2bff\ufffd\ue000-\uf8ff\x01-\x08\x0b\x0c\x0e-\x1f]"
SIGN_IN_WORD = re.compile(f"[a-z\u00df-\u00f6\u00f8-\u00ff]({SIGNS})[a-z]")
"""A sign that no word has, after a small letter and before another."""
_WORD = re.compile(r"[^\W\d_]+(?:[^\w\s][^\W\d_]+)*[^\w\s]?|[^\w\s][^\W\d_]+")
_MEASURED = frozenset("fil" + ACCENTED)
_COMPOSED = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl"}


class _Font(Struct):
    """What a page shows of one font: its text, and the widths of f, i, l and of the signs, in ems."""

    text: str
    widths: dict[str, float]


def restore_ligatures(raw: Mapping[str, Any]) -> None:
    """Gives signs inside words their letters, in place, in all words of their font."""
    for name, font in _fonts_of(raw).items():
        for sign in {match.group(1) for match in SIGN_IN_WORD.finditer(font.text)}:
            letters = None if _is_known(sign, name) else _ligature(sign, font)
            if letters is not None:
                _replace(raw, name, sign, letters)


def _spans(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [span for block in raw["blocks"] for line in block.get("lines", ()) for span in line["spans"]]


def _fonts_of(raw: Mapping[str, Any]) -> dict[str, _Font]:
    """The fonts of a page by name, each with its text and the widths that matter."""
    fonts: dict[str, _Font] = {}
    for span in _spans(raw):
        font = fonts.setdefault(span["font"], _Font("", {}))
        font.text += "".join(char["c"] for char in span["chars"]) + " "
        size = max(span["size"], 0.1)
        for char in span["chars"]:
            if char["c"] in _MEASURED or not char["c"].isalnum():
                x0, y0, x1, y1 = char["bbox"]
                font.widths.setdefault(char["c"], (x1 - x0 if _is_level(span) else y1 - y0) / size)
    return fonts


def _is_level(span: Mapping[str, Any]) -> bool:
    """Whether a span runs along the page's width, by its box; single characters count as level."""
    x0, y0, x1, y1 = span["bbox"]
    return bool(x1 - x0 >= y1 - y0) or len(span["chars"]) < 2


def _ligature(sign: str, font: _Font) -> str | None:
    """Which ligature a sign stands for in a font, or None where that is not clear."""
    count = font.text.count(sign)
    if count > FEW and count > MOST * (len(font.text) - font.text.count(" ")):
        return None
    words = [word for word in _WORD.findall(font.text) if sign in word][:MAX_WORDS]
    others = ACCENTED if sign == "\ufffd" or PRIVATE.match(sign) else ""
    costs = sorted((_cost(letters, sign, words, font), letters) for letters in (*PRIORS, *others))
    best = costs[0][1]
    return best if best in PRIORS and costs[1][0] - costs[0][0] >= CLEARLY else None


def _is_known(sign: str, font: str) -> bool:
    """Whether a private-use code means something by the tables of symbol fonts."""
    return PRIVATE.match(sign) is not None and private_sign(ord(sign), font) != ""


def _cost(letters: str, sign: str, words: Sequence[str], font: _Font) -> float:
    """Nats that speak against a ligature."""
    cost = PRIORS.get(letters, 0.0)
    if TEX_CODES.get(sign) == letters:
        cost -= TEX_CODE
    code = next((code for code, name in _COMPOSED.items() if name == letters), None)
    if code is not None and (code in font.text or re.search(f"(?<!f){letters}(?![fil])", font.text)):
        cost += OWN_CODE
    parts = [font.widths.get(letter) for letter in letters]
    if all(parts) and sign in font.widths:
        expected = sum(part for part in parts if part) * (LIGATURE_WIDTH if len(letters) > 1 else 1.0)
        cost += ((font.widths[sign] - expected) / WIDTH_SPREAD) ** 2 / 2
    found = likelihood(codes_of(" ".join(word.replace(sign, letters) for word in words)))
    return cost + found.nats * found.pairs


def _replace(raw: Mapping[str, Any], name: str, sign: str, letters: str) -> None:
    """Writes a ligature's letters where its sign stands inside a word or at its edge, not where it stands alone."""
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            chars = [(span["font"], char) for span in line["spans"] for char in span["chars"]]
            for index, (font, char) in enumerate(chars):
                if font == name and char["c"] == sign:
                    beside = [chars[place][1]["c"] for place in (index - 1, index + 1) if 0 <= place < len(chars)]
                    if any(other.isalpha() for other in beside):
                        char["c"] = letters
