"""Lines of one paragraph become one text: hyphens at line ends, and whether a space stands between two lines. Pure functions of text.

Which hyphen goes is decided by `schemas.text`, by the words of the pages at hand ("fine-tuned" keeps its hyphen where it is printed elsewhere).
The soft hyphen U+00AD always goes. Chinese, Japanese and South-East Asian lines are joined
without a space, and so are numbers and Latin words beside them where the page sets them so; Korean ones too where spaces are written at line ends.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from schemas.text import HYPHENS, SOFT_HYPHEN, cut_word, dash_holds, hyphen_goes, is_suspended, is_unspaced, words_of
from streams.read.characters.normalise import collapse

_HANGUL = re.compile("[\uac00-\ud7a3\u1100-\u11ff\u3130-\u318f]")
_HAN, _LATIN = "[\u3000-\u30ff\u3400-\u9fff\uff00-\uff60]", "[!-~]"
_LATIN_BESIDE_HAN = re.compile(f"{_HAN}(?= ?{_LATIN})|{_LATIN}(?= ?{_HAN})")
_LATIN_APART_FROM_HAN = re.compile(f"{_HAN}(?= {_LATIN})|{_LATIN}(?= {_HAN})")


class KnownWords:
    """The words that the pages at hand print whole, lower case; built when first asked. Parts of words cut at line ends are not among them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines

    @cached_property
    def _words(self) -> frozenset[str]:
        return words_of(self._lines)

    def __contains__(self, word: str) -> bool:
        return word in self._words

    @cached_property
    def spaces_at_line_ends(self) -> bool:
        """Whether lines that end in Hangul carry their space, so that its absence means a broken word."""
        ends = [line for line in self._lines if _HANGUL.search(line.rstrip()[-1:])]
        return sum(line.endswith(" ") for line in ends) > 0.08 * len(ends)

    @cached_property
    def latin_stands_beside_han(self) -> bool:
        """Whether lines have Latin words and numbers next to Han or kana mostly without a space between them."""
        text = "\n".join(self._lines)
        return 2 * len(_LATIN_APART_FROM_HAN.findall(text)) < len(_LATIN_BESIDE_HAN.findall(text))


def join_lines(lines: Sequence[str], words: KnownWords) -> str:
    """One text of the lines of a paragraph. Lines keep the spaces at their ends: they say where words end."""
    parts: list[str] = []
    for line in lines:
        if not line.strip():
            continue
        if parts:
            parts[-1], between = _joint(parts[-1], line, words)
            parts.append(between)
        parts.append(line)
    return collapse("".join(parts))


def _joint(above: str, below: str, words: KnownWords) -> tuple[str, str]:
    """(the upper line, possibly without its hyphen; what stands between the lines)."""
    head, tail = above.rstrip(), below.lstrip()
    last, first = head[-1], tail[0]
    if last == SOFT_HYPHEN:
        return head[:-1], ""
    if last in HYPHENS and len(head) > 1 and head[-2].isalnum():
        parts = cut_word(head, tail)
        if parts is not None and is_suspended(*parts, tail[len(parts[1]) :], words):
            return head, " "
        if parts is not None and hyphen_goes(*parts, words):
            return head[:-1], ""
        return head, "" if first.isalnum() else " "
    if dash_holds(above, tail) or (is_unspaced(last) and is_unspaced(first)):
        return head, ""
    if _LATIN_BESIDE_HAN.match(last + first) and not above.endswith(" "):
        return head, "" if words.latin_stands_beside_han else " "
    if _HANGUL.match(last) and _HANGUL.match(first):
        return head, _between_hangul(above, tail, words)
    return head, " "


def _between_hangul(above: str, tail: str, words: KnownWords) -> str:
    if above.endswith(" "):
        return " "
    if words.spaces_at_line_ends:
        return ""
    parts = cut_word(f"{above}-", tail)
    return "" if parts is not None and "".join(parts) in words else " "
