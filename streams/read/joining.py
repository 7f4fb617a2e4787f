"""Lines of one paragraph become one text: hyphens at line ends, and whether a space stands between two lines. Pure functions of text.

A hyphen goes only if it is glued to a letter and the joined word is likely; the words of the pages at hand decide first ("fine-tuned" keeps its
hyphen where it is printed elsewhere). The soft hyphen U+00AD always goes. Chinese, Japanese and South-East Asian lines are joined
without a space; Korean ones too where spaces are written at line ends.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from streams.read.normalise import SOFT_HYPHEN, collapse

HYPHENS = "-\u2010\u2011"
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011'’][^\W\d_]+)*")
_LAST_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"
)
_HANGUL = re.compile("[\uac00-\ud7a3\u1100-\u11ff\u3130-\u318f]")

_COMPOUND_HEADS = frozenset({
    "self", "ex", "well", "all", "anti", "non", "semi", "quasi", "pseudo", "half", "cross", "vice", "post", "pre", "long", "short", "high",
    "low", "so", "mid", "multi"
})  # fmt: skip
"""First parts of compounds that keep their hyphen when the second part is a known word."""
_CLOSED_HEADS = frozenset({
    "some", "any", "every", "no", "with", "under", "over", "out", "up", "down", "in", "there", "where", "here", "when", "how", "what",
    "who", "be", "for", "fore", "after", "other", "them", "him", "her", "it", "my", "your", "our", "like", "wise", "less", "ward", "hood",
    "ship", "man", "men", "time", "work", "day", "way", "side", "line", "land", "book", "house", "head", "hand", "back", "water", "fire",
    "sun", "air"
})  # fmt: skip
"""Words that begin closed compounds ("some-times"): both parts are words, and yet the hyphen is only a break."""


class KnownWords:
    """The words that the pages at hand print whole, lower case; built when first asked. Parts of words cut at line ends are not among them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines

    @cached_property
    def _words(self) -> frozenset[str]:
        found: set[str] = set()
        cut = False
        for line in self._lines:
            words = _WORD.findall(line.lower())
            if cut:
                words = words[1:]
            cut = line.rstrip()[-1:] in (*HYPHENS, SOFT_HYPHEN)
            found.update(words[:-1] if cut else words)
        return frozenset(word.replace("\u2010", "-").replace("\u2011", "-") for word in found)

    def __contains__(self, word: str) -> bool:
        return word in self._words

    @cached_property
    def spaces_at_line_ends(self) -> bool:
        """Whether lines that end in Hangul carry their space, so that its absence means a broken word."""
        ends = [line for line in self._lines if _HANGUL.search(line.rstrip()[-1:])]
        return sum(line.endswith(" ") for line in ends) > 0.08 * len(ends)


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
        if first.islower() and head[-2].isalpha():
            return (head[:-1], "") if hyphen_goes(head[:-1], tail, words) else (head, "")
        if first.isupper() and head[-2].isalpha() and printed_closed(head[:-1], tail, words):
            return head[:-1], ""
        return head, "" if first.isalnum() else " "
    if last in "/—" and len(head) > 1 and not head[-2].isspace() and not above.endswith(" "):
        return head, ""
    if _UNSPACED.match(last) and _UNSPACED.match(first):
        return head, ""
    if _HANGUL.match(last) and _HANGUL.match(first):
        return head, _between_hangul(above, tail, words)
    return head, " "


def _between_hangul(above: str, tail: str, words: KnownWords) -> str:
    if above.endswith(" "):
        return " "
    if words.spaces_at_line_ends:
        return ""
    head_word, tail_word = _LAST_WORD.search(above), _FIRST_WORD.match(tail)
    return "" if head_word and tail_word and head_word.group() + tail_word.group() in words else " "


def hyphen_goes(head: str, tail: str, words: KnownWords) -> bool:
    """Whether the hyphen between `head…` and `…tail` is only a line break: the joined word is likelier than the compound."""
    first, second = _LAST_WORD.search(head), _FIRST_WORD.match(tail)
    if not first or not second:
        return False
    begin, end = first.group().lower(), second.group().lower()
    if begin + end in words:
        return True
    if f"{begin}-{end}" in words or "-" in begin:
        return False
    whole = end in words and len(end) > 2
    if begin in _COMPOUND_HEADS and whole:
        return False
    return not (whole and len(begin) > 2 and begin in words and begin not in _CLOSED_HEADS)


def printed_closed(head: str, tail: str, words: KnownWords) -> bool:
    """Whether the joined word is printed elsewhere, and not the compound ("Trace-Monkey" cut in "TraceMonkey")."""
    first, second = _LAST_WORD.search(head), _FIRST_WORD.match(tail)
    if not first or not second:
        return False
    begin, end = first.group().lower(), second.group().lower()
    return begin + end in words and f"{begin}-{end}" not in words
