"""Recognized characters made readable, and lines made one text. Pure functions of text.

Models trained on Chinese write full-width forms into Latin lines and leave out the space after a comma; both are undone only where no
Chinese, Japanese or Korean character stands beside them. A hyphen at a line's end goes only if it is glued to a letter and the joined word is
likely: the words of the page itself decide. U+00AD always goes.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

SOFT_HYPHEN = "\u00ad"
HYPHENS = ("-", "\u2010", "\u2011")

BULLET = re.compile(r"[•◦▪▫■□●○◆◇►▶➢➤✓✔★‣⁃∙]\s*(?=\S)|[–—\-*·]\s+(?=\S)")
NUMBER = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivxIVX]{1,5}\)|[ivx]{1,4}[.)]|\[\d{1,3}\]|[①-⑳])\s*(?=[^\W\d_]|[\"“(])|\d{1,3}[、](?=\S)")
"""Marks that begin a list item. Models often drop the space after one, so a letter must follow: 3.5 is a number."""

_EAST_ASIAN = "\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_EAST_ASIAN = re.compile(f"[{_EAST_ASIAN}\uac00-\ud7a3]")
_UNSPACED = re.compile(f"[{_EAST_ASIAN}\uff00-\uff60]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x3002: 0x2E, 0x3001: 0x2C}
_FORMS = re.compile("[\u2e80-\u2fdf\uf900-\ufaff\ufb00-\ufb06]+")
_UNWANTED = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u2060\ufeff\ufff9-\ufffd\ud800-\udfff\ue000-\uf8ff]")
_NO_SPACE = re.compile(r"(?<=[^\W\d_]{2})([,;])(?=[^\W\d_]{2})")
_SPACES = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011'’][^\W\d_]+)*")
_LAST_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def clean_line(text: str) -> str:
    """One recognized line: plain letters for presentation forms, one space for any white space, no control or private characters."""
    text = _UNWANTED.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", _FORMS.sub(lambda m: unicodedata.normalize("NFKC", m.group()), text))
    if not _HAS_EAST_ASIAN.search(text):
        text = _NO_SPACE.sub(r"\1 ", text.translate(_FULL_WIDTH))
    return _SPACES.sub(" ", text).strip()


def words_of(lines: Iterable[str]) -> frozenset[str]:
    """The words that lines print whole, lower case; parts of words cut at line ends are not among them."""
    found: set[str] = set()
    cut = False
    for line in lines:
        words = [word.replace("\u2010", "-").replace("\u2011", "-") for word in _WORD.findall(line.lower())]
        if cut:
            words = words[1:]
        cut = line.rstrip().endswith((*HYPHENS, SOFT_HYPHEN))
        found.update(words[:-1] if cut else words)
    return frozenset(found)


def join_lines(lines: Sequence[str], words: frozenset[str]) -> str:
    """One text of the lines of a paragraph. `words` are those of the page."""
    text = ""
    for line in lines:
        if not line:
            continue
        text = text + between(text, line) + line if not text or not text.endswith((*HYPHENS, SOFT_HYPHEN)) else _joined_at_hyphen(text, line, words)
    return text.replace(SOFT_HYPHEN, "")


def between(left: str, right: str) -> str:
    """What stands between two neighbouring pieces of text: a space, or nothing in scripts written without."""
    if not left or not right or (_UNSPACED.match(left[-1]) and _UNSPACED.match(right[0])):
        return ""
    return " "


def begins_item(text: str) -> bool:
    """Whether a text begins with a list mark and says something after it."""
    return BULLET.match(text) is not None or NUMBER.match(text) is not None


def _joined_at_hyphen(text: str, line: str, words: frozenset[str]) -> str:
    if text.endswith(SOFT_HYPHEN):
        return text[:-1] + line
    head = text[:-1]
    if not head or not head[-1].isalnum():
        return f"{text} {line}"
    first, second = _LAST_WORD.search(head), _FIRST_WORD.match(line)
    if first is None or second is None or not line[0].islower():
        return text + line if line[0].isalnum() else f"{text} {line}"
    begin, end = first.group().lower(), second.group().lower()
    if begin + end in words:
        return head + line
    compound = f"{begin}-{end}" in words or "-" in begin or (begin in words and end in words and min(len(begin), len(end)) > 2)
    return text + line if compound else head + line
