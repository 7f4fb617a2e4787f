"""Small type above and below the line: exponents and indexes as characters of their own, marks of notes apart from their words. Pure.

"2020³" is no number of five digits and "H₂O" no word with a digit; a name with the letters of its places behind it ("Lane a,c") is found by its
name. Ordinals ("1st", "XIXe") and what stands after a number or a short abbreviation keep their letters.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from streams.read.blocks.emphasis import is_formula_font
from streams.read.blocks.faces import SUPERSCRIPT_FLAG

_SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPTS = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_SMALL_NUMBER = re.compile(r"\s*[+\-−]?\d{1,3}(?:[,–-]\d{1,3})*[+\-−]?\s*", re.ASCII)
"""An exponent, a charge, an index, or marks of notes: "2", "-3", "2+", "3,4"."""
_BARE_NUMBER = re.compile(r"\s*\d{1,3}\s*", re.ASCII)
_WORD_BEFORE = re.compile(r"[^\W\d_]{2}[^\w\s]?\s+$")
_NUMBERS_AND_SIGNS = re.compile(r"\s*\d{1,2}(?:,\s?\d{1,2})*,?\s?(?:[*∗†‡§¶]+,?)+\s*", re.ASCII)
"""Marks of an author: "1,2,*"."""
_LETTERS = re.compile(r"\s*[a-z](?:,\s?(?:[a-z]|\d{1,2}|[*∗†‡§¶]+))*,?\s*", re.ASCII)
"""Marks of an author or of a value in letters: "a", "a,c,*"."""
_NAME = re.compile(r"[^\W\d_]{2}[a-zß-öø-ÿ]$|[A-ZÀ-ÖØ-Þ]{4}$")
_ROMAN = re.compile(r"(?<![^\W\d_])[IVXLCDM]+$")
"""The end of a name or another word of three letters and more; of capitals one of four that is no Roman number, behind which ordinals stand."""
_ABBREVIATED = frozenset("or")
"""Raised by themselves, the end of an abbreviation: "num o", "Mons r"."""
_MARK = re.compile(r"\s*(?:\d{1,2}|[a-z])", re.ASCII)
_WORD = re.compile(r"[^\W\d_]{3}")
LOWERED, SMALLER = 0.1, 0.85
"""Sizes of type by which small type stands below or above the text beside it at the least, and its size in sizes of that at most."""
LONGEST_MARK = 4
"""Characters of what stands raised before a line: "12", "a,b"."""


def as_raised(text: str, parts: Sequence[str], font: str, *, behind_raised: bool = False, stands_apart: bool = False) -> str:
    """Raised type as it is said behind the parts of its line: numbers as `as_exponent` gives them, letters that are marks after a space.

    Letters of formulas are no marks, by their font or because they stand behind others that are raised. `stands_apart`: no text follows at once.
    Then a number behind the space after a word is the mark of a note as well ("the laws ¹⁰ of"), and none of an isotope or a fraction.
    """
    before = _before(parts)
    if stands_apart and _BARE_NUMBER.fullmatch(text) and _WORD_BEFORE.search(before if before.strip() else "".join(parts[-2:])):
        return text.translate(_SUPERSCRIPTS)
    found = as_exponent(text, before)
    if found is not text or behind_raised or not text[:1].isalpha() or is_formula_font(font):
        return found
    is_mark = text not in _ABBREVIATED and _LETTERS.fullmatch(text) and _NAME.search(before) and not _ROMAN.search(before)
    return " " + text if is_mark else text


def as_exponent(text: str, before: str) -> str:
    """Raised digits right behind a text as superscript characters: "2020³" is no number of five digits, and "word³" no word with a digit. Behind a
    space or an opening bracket they stay what they are.
    """
    glued = before and not before[-1].isspace() and before[-1] not in "([{"
    return text.translate(_SUPERSCRIPTS) if glued and (_SMALL_NUMBER.fullmatch(text) or _NUMBERS_AND_SIGNS.fullmatch(text)) else text


def as_index(text: str, span: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """Lowered digits right behind a letter or a bracket as subscript characters: the 2 of H₂O. `before` is the span that they stand behind."""
    behind: str = before["text"]
    if not behind or not (behind[-1].isalpha() or behind[-1] in ")]") or span["size"] > SMALLER * before["size"]:
        return text
    lower = span["origin"][1] - before["origin"][1] >= LOWERED * before["size"]
    return text.translate(_SUBSCRIPTS) if lower and _SMALL_NUMBER.fullmatch(text) else text


def begins_raised(spans: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a line begins with a raised mark: by MuPDF's flag or, as it measures against the first span, by its size and place."""
    first = spans[0]
    if len(first["text"].strip()) > LONGEST_MARK:
        return False
    if first["flags"] & SUPERSCRIPT_FLAG:
        return True
    if len(spans) < 2 or first["size"] > SMALLER * spans[1]["size"]:
        return False
    up: float = spans[1]["origin"][1] - first["origin"][1]
    size: float = spans[1]["size"]
    return LOWERED * size <= up <= size


def stands_like(span: Mapping[str, Any], raised: Mapping[str, Any]) -> bool:
    """Whether a span is of the size of a raised one, and as high or higher."""
    return bool(span["size"] <= raised["size"] and span["origin"][1] <= raised["origin"][1])


def behind_mark(text: str, parts: Sequence[str]) -> str:
    """A text behind raised type, after a space where that is the mark of a note or of a place, and no number of an isotope: "4 Exceptions"."""
    if not _WORD.match(text) or not _MARK.fullmatch(parts[-1]):
        return text
    alone = len(parts) == 1 or parts[-1][0].isspace() or parts[-2][-1:].isspace()
    return " " + text if alone else text


def _before(parts: Sequence[str]) -> str:
    """What a raised number stands behind: the part before it, or the raised number before the space between them ("century.² ³")."""
    if len(parts) > 1 and parts[-1].isspace() and parts[-2][-1:] in _RAISED:
        return parts[-2]
    return parts[-1]
