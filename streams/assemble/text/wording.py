"""What a piece of text looks like, without knowing its language: numeric or not, ends a sentence or runs on, which script.

Pure functions of strings, each linear in its input. Nothing here knows of blocks or pages.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from schemas.text import is_unspaced
from schemas.unicode_forms import in_form

_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Controls, soft hyphens, lone surrogates and noncharacters: none of them is text, and JSON or HTML refuse some of them."""
_DIGITS = re.compile(r"\d+")
_NUMERIC = re.compile(r"[\d.,'\s()%‰+\-–−‐±$€£¥₹*:/~<>=≤≥]+")
_LETTER_OR_DIGIT = re.compile(r"\w")
_NOTHING = re.compile(r"[\s.\-–—−‐_*…·/]*|n/?a|nil|none", re.IGNORECASE)
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")
MOSTLY = 2 / 3
"""Share of letters by which a table is laid out: one in two languages, one beside the other, has about half its letters in each, and is laid out by
either."""
LINE = 200
"""Characters that a line of a page has at most."""
_TERMINAL = frozenset(".!?…:;。！？：；．｡؟؛।॥።")
_CLOSING = "\"'”’»›)]}）】」』〉》*†‡"
_NOTE_MARK = re.compile(r"(?<=[.!?。！？])[\d\s,]{1,6}$")


def clean_text(text: str) -> str:
    """The text without characters that are no text."""
    return text if text.isprintable() else _UNWANTED.sub("", text)


def fold(text: str) -> str:
    """A key by which two printings of the same text are equal: compatibility form, lower case, single spaces."""
    return _fold_line(text) if len(text) <= LINE else " ".join(in_form("NFKC", text).casefold().split())


@lru_cache(maxsize=4096)
def _fold_line(text: str) -> str:
    """Heads, captions and header cells are folded again and again; long texts once, and a cache of them would have no bound."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def without_digits(folded: str) -> str:
    """The text with every run of digits as `#`."""
    return _DIGITS.sub("#", folded)


def numbers(text: str) -> tuple[str, ...]:
    """The runs of digits of a text, in order."""
    return tuple(_DIGITS.findall(text))


def is_nothing(text: str) -> bool:
    """Whether a cell says nothing: empty, dashes, dots, `n/a`."""
    return not text or _NOTHING.fullmatch(text) is not None


def is_numeric(text: str) -> bool:
    """Whether a cell is a number, an amount, a date or a code: digits and the signs around them, or mostly digits."""
    if _DIGITS.search(text) is None:
        return False
    if _NUMERIC.fullmatch(text):
        return True
    signs = _LETTER_OR_DIGIT.findall(text[:80])
    return bool(signs) and sum(c.isdigit() for c in signs) * 2 > len(signs)


def is_right_to_left(text: str) -> bool:
    """Whether a text holds Hebrew, Arabic or a like script."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def is_mostly_right_to_left(texts: Iterable[str]) -> bool:
    """Whether most letters of all the texts together are Hebrew, Arabic or of a like script, by `MOSTLY`."""
    letters = found = 0
    for text in texts:
        letters += len(_LETTER.findall(text))
        found += 0 if text.isascii() else len(_RIGHT_TO_LEFT.findall(text))
    return found > MOSTLY * max(1, letters)


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a sign that closes a sentence or a clause, looking through quotes, brackets and note marks."""
    end = text[-12:].rstrip()
    if end[-1:].isdigit():
        end = _NOTE_MARK.sub("", end)
    return end.rstrip(_CLOSING)[-1:] in _TERMINAL if end.rstrip(_CLOSING) else False


def starts_lower(text: str) -> bool:
    """Whether the first letter of a text is a small one and nothing but quotes and brackets stands before it."""
    for character in text[:8]:
        if character.isalpha():
            return character.islower()
        if character not in "\"'“‘„«‹([ ":
            return False
    return False


def starts_within(text: str) -> bool:
    """Whether a text begins with a sign that never begins a sentence: a comma, a closing bracket, a dash glued to nothing."""
    return text[:1] in set(",;.)]}»”%、，。）」』】")


def closes_bracket(end: str, text: str) -> bool:
    """Whether `text` begins inside a bracket that `end` leaves open (`[11,` and `37], …`)."""
    for opening, closing in ("()", "[]", "（）", "【】"):
        closes = text.find(closing, 0, 80)
        if closes >= 0 and opening not in text[:closes] and end.rfind(opening) > end.rfind(closing):
            return True
    return False


def is_caseless(text: str) -> bool:
    """Whether the first letter of a text has no case (Chinese, Japanese, Korean, Arabic, Hebrew, Thai, …)."""
    letter = next((c for c in text[:12] if c.isalpha()), "")
    return bool(letter) and letter.lower() == letter.upper()


def glue(left: str, right: str) -> str:
    """What stands between two parts of one text: nothing inside scripts without spaces, else a space."""
    if not left or not right or left[-1].isspace() or right[0].isspace():
        return ""
    return "" if (is_unspaced(left[-1]) and is_unspaced(right[0])) or _is_cjk_sign(left[-1]) or _is_cjk_sign(right[0]) else " "


def _is_cjk_sign(character: str) -> bool:
    return "\u3000" <= character <= "\u303f" or "\uff00" <= character <= "\uff60"
