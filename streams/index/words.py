"""What a word is for the search index, and when two words count as the same. Pure text in, text out.

One rule for what is indexed, asked for and highlighted: compatibility forms, case, and the accents and points of Latin, Greek, Cyrillic, Hebrew and
Arabic do not matter ("uberlieferung" finds "Überlieferung"). Scripts that put no spaces between words are taken character by character, so that
a run of them is a phrase.
"""

import re
from collections.abc import Mapping

from schemas.unicode_forms import in_form

MARKS = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
"""Accents and points that fold away. The vowel signs of Indic scripts are not among them: they tell words apart."""
WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}])*")
"""A word in text as it stands, accents as marks of their own included; `_` parts words, as in file names."""
UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])"  # Thai, Lao, Burmese, Khmer, kana, Han
)
MAX_WORD_CHARS = 64
"""Longer runs of letters are no words that somebody types; their beginning is indexed."""

_ASCII_WORDS = bytes(code if chr(code).isalnum() and code < 128 else 32 for code in range(256))
"""Letters and digits as they are, all else as spaces."""
_MARK = re.compile(f"[{MARKS}]")
_STROKES = str.maketrans({"ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ı": "i"})
"""Letters that Unicode does not take apart."""


def fold(text: str) -> str:
    """A text in which words that count as the same are the same."""
    if text.isascii():
        return text.lower()
    apart = _MARK.sub("", in_form("NFKD", text)).translate(_STROKES)
    return in_form("NFC", apart.casefold())


def words_in(text: str) -> list[str]:
    """The words of a text in their order, folded; characters of scripts without spaces one by one."""
    words = _cut(fold(text))
    if len(max(words, key=len, default="")) > MAX_WORD_CHARS:
        words = [word[:MAX_WORD_CHARS] for word in words]
    return words


def _cut(folded: str) -> list[str]:
    """The words of a folded text."""
    if folded.isascii():  # what `WORD` finds, in a quarter of its time: every chunk comes by here
        return folded.encode().translate(_ASCII_WORDS).decode().split()
    return WORD.findall(UNSPACED.sub(r" \1 ", folded))


MAX_TERM_CHARS = 256
"""Of a metadata term: indexes refuse terms of some 32 KB, and nobody types a longer value."""
MAX_TERMS = 500
"""Of one document: metadata is given by whoever publishes."""


def metadata_terms(metadata: Mapping[str, str]) -> list[str]:
    """What `metadata.NAME:value` compares with: `name=word` for each word of a value, and `name=` all of its words."""
    terms: dict[str, None] = {}
    for name, value in metadata.items():
        words = words_in(value)
        for one in (" ".join(words), *words):
            terms[f"{fold(name)}={one}"[:MAX_TERM_CHARS]] = None
    return list(terms)[:MAX_TERMS]
