"""How headings are numbered: Part, Chapter, Appendix, 1, 1.1, 1.1.1, 第一章, 一、. Pure functions of one line.

A class of numbering is what all headings of one level of an author's scheme have in common; classes sort from the highest level down.
"""

import re
from typing import NamedTuple

_HAN_NUMBER = r"\s*[\d一二三四五六七八九十百]+\s*"
_LATIN_NUMBER = r"(?:[ivxlc]+|\d+|[a-z]|one|two|three|four|five|six)\b"
_PART = re.compile(rf"(?:part|teil|partie|parte|часть|book|buch|livre|title|titre|titel)\s+{_LATIN_NUMBER}|第{_HAN_NUMBER}[部编編篇]", re.IGNORECASE)
_CHAPTER = re.compile(rf"(?:chapter|kapitel|chapitre|capítulo|capitolo|глава|unit|module|lesson)\s+{_LATIN_NUMBER}|第{_HAN_NUMBER}章", re.IGNORECASE)
_APPENDIX = re.compile(
    rf"(?:appendix|annex|anhang|anlage|annexe|anexo|allegato|приложение)\s+{_LATIN_NUMBER}|附[录錄件]\s*[\d一二三四五六七八九十a-z]*",
    re.IGNORECASE,
)
_SECTION = re.compile(rf"(?:section|article|artikel|artículo|articolo|§|статья)\s*{_LATIN_NUMBER}|第{_HAN_NUMBER}[节節条條]", re.IGNORECASE)
_DECIMAL = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})(?:[.)]\s*|\s+|、|．)(?=[^\W\d_]|[\"“‘(«「])")
_LETTERED = re.compile(r"([A-Z](?:\.\d{1,3}){1,5}|[A-Z])[.)]?\s+(?=[^\W\d_])")
_ROMAN = re.compile(r"[IVXLC]{1,7}[.)]\s+\S")
_HAN = re.compile(r"[一二三四五六七八九十]{1,3}[、．.]")
_HAN_BRACKETED = re.compile(r"[（(][一二三四五六七八九十]{1,3}[)）]")

SCHEMES = ("part", "chapter", "section_word", "roman", "han", "han_bracketed", "decimal", "appendix", "letter")
"""From the highest level down, where one document uses several."""


class NumberClass(NamedTuple):
    """A scheme and how deep inside it; sorts by level."""

    order: int
    depth: int

    @property
    def kind(self) -> str:
        """The scheme's name."""
        return SCHEMES[self.order]


def number_class(text: str) -> NumberClass | None:
    """The class of numbering that a heading begins with; None for an unnumbered one."""
    head = text[:80].lstrip()
    for scheme, pattern in (("part", _PART), ("chapter", _CHAPTER), ("appendix", _APPENDIX), ("section_word", _SECTION), ("han", _HAN)):
        if pattern.match(head):
            return _class(scheme, 1)
    if _HAN_BRACKETED.match(head):
        return _class("han_bracketed", 1)
    if match := _DECIMAL.match(head):
        return _class("decimal", match[1].count(".") + 1)
    if _ROMAN.match(head):
        return _class("roman", 1)
    if match := _LETTERED.match(head):
        return _class("letter", match[1].count(".") + 1) if "." in match[0] or ")" in match[0] else None
    return None


def _class(scheme: str, depth: int) -> NumberClass:
    return NumberClass(SCHEMES.index(scheme), depth)
