"""Emphasis: which parts of a block's text are bold, italic or struck out, code or formulas. Pure functions of strings and counts.

A text is joined of many pieces, and on the way spaces and hyphens at line ends come and go; no other character does. So pieces say how many solid
characters (neither space nor hyphen) they have and how these are set, and the joined text is cut by counting. Where the counts do not meet, as after
leader dots or doubled print were taken out, a text has no emphasis rather than a wrong one.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from schemas.content import Span

BOLD, ITALIC, STRUCK, CODE, MATH = 1, 2, 4, 8, 16
LITERAL = CODE | MATH
"""What is no emphasis but another language, of which every sign counts."""
Run = tuple[int, int]
"""Solid characters of a piece of text, and how it is set: these numbers added up."""

_HYPHENS = "\u2010\u2011\u00ad\u2028"
_FORMULA = re.compile(r"cmmi|cmsy|cmex|cmbsy|msam|msbm|math|mtmi|mtsy|mtex|txmi|txsy|pxmi|pxsy|rtxmi|lmmi|symbol|euler|eu[fr][mb]\d", re.IGNORECASE)
"""Fonts of formulas: their letters lean because they are variables, which is no emphasis."""
_WORD = re.compile(r"[^\W_]{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_LETTERS = re.compile(r"[^\W\d_]{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
"""What an emphasised part holds at least: a lone letter is a variable, or the number of a list."""


def solid(text: str) -> int:
    """How many characters of a text are neither a space nor a hyphen; line breaks of both kinds count as spaces."""
    count = len(text) - text.count(" ") - text.count("-")
    if text.isascii():
        return count - text.count("\n")
    return count - text.count("\n") - sum(text.count(sign) for sign in _HYPHENS)


@lru_cache(maxsize=4096)
def is_formula_font(font: str) -> bool:
    """Whether a font is one of formulas, by its name."""
    return _FORMULA.search(font) is not None


def merged(runs: Iterable[Run], mute: int = 0) -> list[Run]:
    """Runs with the same setting as one, those of nothing but spaces left out, without the settings that are mute."""
    found: list[Run] = []
    for count, setting in runs:
        if not count:
            continue
        shown = setting & ~mute
        if found and found[-1][1] == shown:
            found[-1] = (found[-1][0] + count, shown)
        else:
            found.append((count, shown))
    return found


def spans_of(text: str, runs: Iterable[Run], mute: int = 0) -> tuple[Span, ...]:
    """The emphasised parts of a text that was joined of these runs; none where it was not. `mute`: settings that say nothing here."""
    joined = merged(runs, mute)
    if not any(setting for _, setting in joined) or sum(count for count, _ in joined) != solid(text):
        return ()
    spans: list[Span] = []
    at = 0
    for count, setting in joined:
        start = _skipped(text, at)
        at = _counted(text, start, count)
        begin, end = _with_hyphens(text, start, at) if setting & LITERAL else (start, at)
        if setting and (span := _span(text, begin, end, setting)) is not None:
            spans.append(span)
    return tuple(spans)


def shifted(spans: tuple[Span, ...], by: int) -> tuple[Span, ...]:
    """The spans of a text that so many characters were put before."""
    return tuple(replace(span, offset=span.offset + by) for span in spans) if by and spans else spans


def _span(text: str, start: int, end: int, setting: int) -> Span | None:
    """The part as a span; none for what is no word, as single letters of formulas are none. Nothing is struck out or code by chance."""
    if not setting & (STRUCK | LITERAL) and not (_LETTERS if setting == ITALIC else _WORD).search(text, start, end):
        return None
    bold, italic, struck, code, math = (setting & one != 0 for one in (BOLD, ITALIC, STRUCK, CODE, MATH))
    return Span(offset=start, length=end - start, bold=bold, italic=italic, struck=struck, code=code, math=math)


def _with_hyphens(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a part begins and ends that may do so with hyphens, which count as nothing: `-v`. One beside another word belongs to that word."""
    begin, behind = start, end
    while begin and text[begin - 1] == "-":
        begin -= 1
    while behind < len(text) and text[behind] == "-":
        behind += 1
    begin = begin if begin == 0 or not text[begin - 1].isalnum() else start
    return begin, behind if behind == len(text) or not text[behind].isalnum() else end


def _skipped(text: str, at: int) -> int:
    """The place of the next solid character."""
    while at < len(text) and (text[at] in " -\n" or text[at] in _HYPHENS):
        at += 1
    return at


def _counted(text: str, start: int, count: int) -> int:
    """The place behind so many solid characters from `start` on, the last of them before it. The text has as many."""
    end, missing = start, count
    while missing > 0:
        part = text[end : end + missing]
        end += missing
        missing -= solid(part)
    return end
