"""Marks of footnotes: the one that a note begins with, and the place in a text that refers to it. Pure functions of strings.

A number is a mark only where nothing else can be meant: raised, in brackets as the note's own, or glued to the end of a word or a sentence.
`CO2`, `3.1` and `[2020]` refer to nothing.
"""

import re
from functools import lru_cache
from typing import NamedTuple

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹∗", "0123456789*")
_RAISED_DIGITS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
LARGEST = 999
"""A larger number begins a note by chance: a year, a price."""
_OWN = re.compile(
    r"\s*(?:(?P<open>[\[(])(?P<boxed>\d{1,3}|[ivxlc]{1,6}|[*†‡§])(?P<close>[\])])|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})|(?P<number>\d{1,3})(?P<sign>[.)]?)"
    r"|(?P<sign_mark>[*∗†‡§¶#※]{1,3}))(?P<gap>\s*)(?=\S)"
)
_GOES_ON = re.compile(r"\d|%|[.,:/-]\d")
"""What makes of a number at the beginning a value: "3.5 million", "1999", "10 %"."""
_WORD = r"(?<=[^\W\d_][^\W\d_][^\W\d_])"
_SENTENCE = r"(?<=[^\d\s][.,;:!?])"
_CLOSED = r"(?<=[)\]}”’»\"'」』】）。、，；！？])"


_IN_CELL = re.compile(
    r"(?<![⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻])(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})(?![⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ])|(?<=[^\s*∗†‡§¶#※])(?P<sign>[*∗†‡§¶#※]{1,3})(?![*∗†‡§¶#※\w])"
    r"|(?<=\S) ?(?P<box>[\[(](?P<boxed>\d{1,3}|[ivxlc]{1,6}|[*†‡§])[\])])|(?<=[^\W\d_]) ?(?P<closed>(?P<number>\d{1,2})\))"
)
"""Marks as tables print them: beside values, where a plain number would be a part of them."""
_POWER = re.compile(r"(?:^|[^\w])(?:[A-Za-zµμΑ-ω]|[kcdmnµμh]m|ft|in|yd|mi|sq|10)$")
"""What a raised number is a power of: a unit, a variable, ten."""
_NAMED_BY_LETTER = re.compile(r"[^\W\d_]{4} [A-Z]$")
"""Something that a letter tells from others, as in "vitamin C²": its mark, unless something else has that."""
MAX_CELL_MARKS = 8
"""Of one cell; a cell with more is no value."""


class CellMark(NamedTuple):
    """A mark as a table's cell has it: where, which number or sign, and what closes it (as `NoteMark.bracket`)."""

    offset: int
    length: int
    key: str
    bracket: str

    def fits(self, mark: "NoteMark") -> bool:
        """Whether it can refer to a note with this mark: one in brackets only to one in the same."""
        return self.key == mark.key and (not self.bracket or self.bracket == mark.bracket)


class NoteMark(NamedTuple):
    """A note's own mark. `key` is the number or sign, `bracket` what closes it in the note, `length` the characters up to the note's words."""

    key: str
    bracket: str
    length: int


def own_mark(text: str) -> NoteMark | None:
    """The mark that a note begins with; None for a note without one, or where a number that begins it is part of its words ("3.5 million")."""
    match = _OWN.match(text[:40])
    if match is None:
        return None
    if match["boxed"]:
        return NoteMark(match["boxed"], match["open"] + match["close"], match.end())
    if match["raised"]:
        return NoteMark(match["raised"].translate(PLAIN), "", match.end())
    if match["sign_mark"]:
        return NoteMark(match["sign_mark"].translate(PLAIN), "", match.end())
    if _GOES_ON.match(text, match.end("number")):
        return None
    return NoteMark(match["number"], match["sign"] if match["sign"] == ")" else "", match.end())


def find_mark(text: str, mark: NoteMark, start: int = 0) -> tuple[int, int] | None:
    """Where a text refers to a mark, from `start` on: offset and length of what is printed there."""
    reference = _reference(mark.key, mark.bracket)
    match, likely = reference.search(text, start), None
    while match is not None and match[0][0] in _RAISED_DIGITS and _is_power(text, match.start()):
        if likely is None and _NAMED_BY_LETTER.search(text, max(0, match.start() - 40), match.start()):
            likely = match
        match = reference.search(text, match.end())
    match = match or likely
    return (match.start(), match.end() - match.start()) if match else None


def cell_marks(text: str) -> list[CellMark]:
    """The marks of notes in a cell, as far as its text alone can tell."""
    found: list[CellMark] = []
    opened = text.find("(")
    for match in _IN_CELL.finditer(text):
        if match["raised"]:
            if not _is_power(text, match.start()):
                found.append(CellMark(match.start(), match.end() - match.start(), match["raised"].translate(PLAIN), ""))
        elif match["sign"]:
            found.append(CellMark(match.start(), match.end() - match.start(), match["sign"].translate(PLAIN), ""))
        elif match["box"]:
            found.append(CellMark(match.start("box"), len(match["box"]), match["boxed"], match["box"][0] + match["box"][-1]))
        elif not 0 <= opened < match.start():
            found.append(CellMark(match.start("closed"), len(match["closed"]), match["number"], ")"))
        if len(found) > MAX_CELL_MARKS:
            return []
    return found


def _is_power(text: str, start: int) -> bool:
    """Whether the raised number that begins here is one of a value, as in "km²"."""
    return _POWER.search(text, max(0, start - 4), start) is not None


@lru_cache(maxsize=2048)
def _reference(key: str, bracket: str) -> re.Pattern[str]:
    if not key[0].isalnum():
        sign = re.escape(key[0]).replace(r"\*", "[*∗]")
        return re.compile(rf"(?<=[^\s*∗†‡§¶#※]){sign}{{{len(key)}}}(?![*∗†‡§¶#※])")
    boxed = "".join((re.escape(bracket[0]), key, re.escape(bracket[1]))) if len(bracket) == 2 else ""
    forms = [boxed] if boxed else []
    if key.isdigit():
        raised = key.translate(RAISED)
        forms.append(rf"(?<![⁰¹²³⁴⁵⁶⁷⁸⁹]){raised}(?![⁰¹²³⁴⁵⁶⁷⁸⁹])")
        if bracket == ")":
            forms.append(rf"(?:(?<=[^\W\d_])|{_CLOSED}){key}\)")
        elif not boxed:
            forms.append(rf"(?:{_WORD}|{_SENTENCE}|{_CLOSED}){key}(?![\w%]|[.,:/-]\d)")
    return re.compile("|".join(forms) or r"(?!)")
