"""Headings of plain text: underlined, numbered, named as chapters, or alone in capitals. Pure functions of lines."""

import re
from collections.abc import Sequence

from msgspec import Struct

from streams.read.characters.normalise import clean_text, collapse

LONGEST = 100
"""Characters of a heading."""
UNDERLINES = {"=": 1, "#": 1, "*": 1, "-": 2, "~": 3, "^": 4, '"': 5, "+": 5}
"""Level of each sign that underlines; Setext and reStructuredText as most people write it."""
_UNDERLINE = re.compile(r"\s*([=#*~^\"+-])\1{2,}\s*")
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s+(\S.*)")
_CHAPTER = re.compile(
    r"(?:part|book|chapter|section|appendix|annex|article|teil|kapitel|abschnitt|anhang|partie|chapitre|annexe|parte|capítulo|capitolo|часть|глава|раздел)"
    r"\s+(?:\d{1,4}|[ivxlcdm]{1,8}|[a-z])(?:[.:—–-].{0,80}|\s*$|\s+\S.{0,80})|第[一二三四五六七八九十百千零〇\d]{1,8}[章节節編编部回卷].{0,40}|제\s?\d{1,4}\s?[장절편].{0,40}",
    re.IGNORECASE,
)
_TOP = re.compile(r"part|book|teil|partie|parte|часть|第[^章节節回]{1,8}[編编部卷]", re.IGNORECASE)
_SENTENCE_END = ".!?;,:。！？；，："


class FoundHeading(Struct, frozen=True):
    """A heading: its text, level from 1, and how many lines it takes, rules among them."""

    text: str
    level: int
    lines: int


def heading_at(run: Sequence[str]) -> FoundHeading | None:
    """The heading that a run of lines begins with. A line without a rule is one only where it stands alone."""
    if ruled := _underlined(run):
        return ruled
    line = run[0].strip()
    if len(run) > 1 or len(line) > LONGEST or not any(character.isalpha() for character in line):
        return None
    level = _level_of(line)
    return None if level is None else FoundHeading(collapse(clean_text(line)), level, 1)


def _underlined(run: Sequence[str]) -> FoundHeading | None:
    """A line with a rule of its length below it, or one above and one below."""
    over = 1 if len(run) > 2 and _UNDERLINE.fullmatch(run[0]) and _UNDERLINE.fullmatch(run[2]) and run[0].strip()[0] == run[2].strip()[0] else 0
    if len(run) < over + 2:
        return None
    line, found = run[over].strip(), _UNDERLINE.fullmatch(run[over + 1])
    if found is None or not line or len(line) > LONGEST or not any(character.isalnum() for character in line) or "|" in line or "  " in line:
        return None
    if not 0.6 * len(line) <= len(run[over + 1].strip()) <= max(2.2 * len(line), len(line) + 6):
        return None
    level = UNDERLINES[found[1]]
    return FoundHeading(collapse(clean_text(line)), max(1, level - over), over + 2)


def _level_of(line: str) -> int | None:
    """The level of a line that stands alone, if it is a heading: chapters, numbers, capitals."""
    if _CHAPTER.fullmatch(line):
        return 1 if _TOP.match(line) else 2
    if line[-1] in _SENTENCE_END:
        return None
    if numbered := _NUMBERED.fullmatch(line):
        if numbered[2][0].islower() or not numbered[2][0].isalpha() or len(line) > 80:
            return None
        return min(6, 2 + numbered[1].count("."))
    letters = [character for character in line if character.isalpha()]
    if len(letters) >= 4 and all(letter.isupper() for letter in letters) and any(len(word) > 2 for word in line.split()):
        return 2
    return None
