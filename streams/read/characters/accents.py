"""Accents that a page prints apart from their letters ("Basi´c", "voil`a") put on them: "Bašić", "voilà".

TeX and old typesetters print an accent and its letter on one spot, in either order. The spot decides, for the same signs are apostrophes and
quotation marks elsewhere. Works on MuPDF's raw dictionary, in place; pure.
"""

import unicodedata
from collections.abc import Mapping
from typing import Any

COMBINED = {
    "`": "\u0300", "^": "\u0302", "~": "\u0303", "\u00a8": "\u0308", "\u00af": "\u0304", "\u00b4": "\u0301", "\u00b8": "\u0327", "\u02c6": "\u0302",
    "\u02c7": "\u030c", "\u02c9": "\u0304", "\u02ca": "\u0301", "\u02cb": "\u0300", "\u02d8": "\u0306", "\u02d9": "\u0307", "\u02da": "\u030a",
    "\u02db": "\u0328", "\u02dc": "\u0303", "\u02dd": "\u030b",
}  # fmt: skip
"""Spacing accents and the combining ones that they stand for."""
DOTLESS = {"\u0131": "i", "\u0237": "j"}
ON_ONE_SPOT = 0.5
"""Share of the narrower one's width that accent and letter have in common; neighbours in a word share a tenth at the most."""


def accented(letter: str, accent: str) -> str | None:
    """A letter with a spacing accent on it as one character, or None where Unicode has none."""
    composed = unicodedata.normalize("NFC", DOTLESS.get(letter, letter) + COMBINED[accent])
    return composed if len(composed) == 1 and letter.isalpha() else None


def join_accents(raw: Mapping[str, Any]) -> None:
    """Puts accents on the letters that they are printed over, within each line."""
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            chars = [char for span in line["spans"] for char in span["chars"]]
            gone = {id(char) for index, char in enumerate(chars) if char["c"] in COMBINED and _join(chars, index)}
            if gone:
                for span in line["spans"]:
                    span["chars"] = [char for char in span["chars"] if id(char) not in gone]
                line["spans"] = [span for span in line["spans"] if span["chars"]]


def _join(chars: list[dict[str, Any]], index: int) -> bool:
    """Puts one accent on the letter before or behind it that it shares its spot with; whether there was one."""
    accent = chars[index]
    for neighbour in (index + 1, index - 1):
        if 0 <= neighbour < len(chars) and _on_one_spot(accent["bbox"], chars[neighbour]["bbox"]):
            letter = accented(chars[neighbour]["c"], accent["c"])
            if letter is not None:
                chars[neighbour]["c"] = letter
                return True
    return False


def _on_one_spot(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    """Whether two boxes of one line lie on each other, along the line or across it (turned text)."""
    for low, high in ((0, 2), (1, 3)):
        narrower = min(a[high] - a[low], b[high] - b[low])
        if narrower <= 0 or min(a[high], b[high]) - max(a[low], b[low]) < ON_ONE_SPOT * narrower:
            return False
    return True
