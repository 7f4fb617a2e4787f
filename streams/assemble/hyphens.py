"""What becomes of a hyphen where a line, column, page or cell break stood behind it.

The document's own words decide: the joined word, the compound with its hyphen, or both halves alone. Where it knows none of them, a hyphen
between a letter and a small letter goes, any other stays. U+00AD always goes (`wording.clean_text` has removed it by then).
"""

import re
from collections.abc import Callable, Iterable

from streams.assemble.wording import glue

HYPHENS = "-‐"
_LAST_WORD = re.compile(r"([^\W\d_]+(?:[-‐'’][^\W\d_]+)*)[-‐]$")
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_WORD = re.compile(r"[^\W\d_]+(?:[-‐'’][^\W\d_]+)*")
LONGEST_WORD = 64


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """The words of a document, lower case; compounds as a whole."""
    words: set[str] = set()
    for text in texts:
        words.update(word.casefold().replace("‐", "-") for word in _WORD.findall(text))
    return frozenset(words)


def cut_word(left: str, right: str) -> tuple[str, str] | None:
    """The two parts of a word that a hyphen at the end of `left` may have cut; None where there is no such hyphen."""
    if not left or left[-1] not in HYPHENS or not right or not right[0].isalpha():
        return None
    last, first = _LAST_WORD.search(left[-LONGEST_WORD:]), _FIRST_WORD.match(right[:LONGEST_WORD])
    return (last[1], first[0]) if last and first else None


def keeps_hyphen(left_word: str, right_word: str, words: Callable[[], frozenset[str]]) -> bool:
    """Whether the hyphen between two parts belongs to the word. `words` is asked only where the parts alone do not decide."""
    if not right_word[0].islower():
        return True
    left, right = left_word.casefold().replace("‐", "-"), right_word.casefold()
    known = words()
    if left + right in known:
        return False
    if f"{left}-{right}" in known or "-" in left:
        return True
    return left in known and right in known and len(left) > 2 and len(right) > 2


def seam(left: str, right: str, words: Callable[[], frozenset[str]]) -> tuple[int, str]:
    """How two parts of one text meet: how many characters to cut from the end of `left`, and what to put between."""
    parts = cut_word(left, right)
    if parts is None:
        return 0, "" if left[-1:] in "–—/" and left[-2:-1] not in ("", " ") else glue(left, right)
    return (0, "") if keeps_hyphen(*parts, words) else (1, "")


def join_cells(upper: str, lower: str) -> str:
    """The text of a cell that a page break cut. A cell's hyphen stays: codes and names are more common there than cut words."""
    if not upper or not lower:
        return upper or lower
    cut = cut_word(upper, lower)
    if cut is not None and len(cut[0]) > 2 and cut[1].islower() and cut[0].islower():
        return upper[:-1] + lower
    return upper + ("" if upper[-1] in HYPHENS + "/" else glue(upper, lower)) + lower
