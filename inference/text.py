"""Recognized characters made readable, and lines made one text. Pure functions of text.

Models trained on Chinese write full-width forms into Latin lines and leave out the space after a comma; both are undone only where no
Chinese, Japanese or Korean character stands beside them. Which hyphen at a line's end goes is decided by `schemas.text`. U+00AD always goes.
"""

import re
import unicodedata
from collections.abc import Sequence

from schemas.text import HYPHENS, SOFT_HYPHEN, Words, cut_word, hyphen_goes, is_unspaced, words_of
from schemas.unicode_forms import in_form

__all__ = ["begins_item", "between", "clean_line", "join_lines", "words_of"]

BULLET = re.compile(r"[•◦▪▫■□●○◆◇►▶➢➤✓✔★‣⁃∙]\s*(?=\S)|[–—\-*·]\s+(?=\S)")
NUMBER = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivxIVX]{1,5}\)|[ivx]{1,4}[.)]|\[\d{1,3}\]|[①-⑳])\s*(?=[^\W\d_]|[\"“(])|\d{1,3}[、](?=\S)")
"""Marks that begin a list item. Models often drop the space after one, so a letter must follow: 3.5 is a number."""

_EAST_ASIAN = "\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_EAST_ASIAN = re.compile(f"[{_EAST_ASIAN}\uac00-\ud7a3]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x3002: 0x2E, 0x3001: 0x2C}
_FORMS = re.compile("[\u2e80-\u2fdf\uf900-\ufaff\ufb00-\ufb06]+")
_UNWANTED = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u2060\ufeff\ufff9-\ufffd\ud800-\udfff\ue000-\uf8ff]")
_DIRECTIONS = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+")
_NO_SPACE = re.compile(r"(?<=[^\W\d_]{2})([,;])(?=[^\W\d_]{2})")
_GROUPED = re.compile(r"(?<=\d)[`´‘’′](?=\d{3}(?!\d))")
"""The mark between thousands ("3'360.00"), for which models write whatever looks alike."""
_SPACES = re.compile(r"\s+")


def clean_line(text: str) -> str:
    """One recognized line: plain letters for presentation forms, one space for any white space, no control or private characters."""
    text = _UNWANTED.sub(" ", _DIRECTIONS.sub("", text))
    if not text.isascii():
        text = in_form("NFC", _FORMS.sub(lambda m: unicodedata.normalize("NFKC", m.group()), text))
    if not _HAS_EAST_ASIAN.search(text):
        text = _NO_SPACE.sub(r"\1 ", text.translate(_FULL_WIDTH))
    return _SPACES.sub(" ", _GROUPED.sub("'", text)).strip()


def join_lines(lines: Sequence[str], words: Words) -> str:
    """One text of the lines of a paragraph. `words` are those of the page."""
    text = ""
    for line in lines:
        if not line:
            continue
        text = text + between(text, line) + line if not text or not text.endswith((*HYPHENS, SOFT_HYPHEN)) else _joined_at_hyphen(text, line, words)
    return text.replace(SOFT_HYPHEN, "")


def between(left: str, right: str) -> str:
    """What stands between two neighbouring pieces of text: a space, or nothing in scripts written without."""
    if not left or not right or (is_unspaced(left[-1]) and is_unspaced(right[0])):
        return ""
    return " "


def begins_item(text: str) -> bool:
    """Whether a text begins with a list mark and says something after it."""
    return BULLET.match(text) is not None or NUMBER.match(text) is not None


def _joined_at_hyphen(text: str, line: str, words: Words) -> str:
    if text.endswith(SOFT_HYPHEN):
        return text[:-1] + line
    parts = cut_word(text, line)
    if parts is not None and hyphen_goes(*parts, words):
        return text[:-1] + line
    is_glued = text[-2:-1].isalnum() and line[0].isalnum()
    return text + line if is_glued else f"{text} {line}"
