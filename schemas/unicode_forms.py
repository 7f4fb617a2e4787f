"""Texts in the forms of Unicode, in linear time whatever they hold. Pure functions of strings.

Python puts the accents behind a letter in order by insertion: 40,000 of them take 1.6 s, and a page or a cell may hold as many.
"""

import re
import unicodedata
from typing import Literal

LONGEST_PIECE = 1_000
"""Characters given a form at once; no word has as many."""
_PIECE = re.compile(rf"(?s:.{{1,{LONGEST_PIECE}}})(?:(?<=\s)|\Z)|(?s:.{{1,{LONGEST_PIECE}}})")


def in_form(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """A text in a form (UAX 15). Of a longer piece without white space, a letter and its accents may be parted where it is cut."""
    if len(text) <= LONGEST_PIECE:
        return unicodedata.normalize(form, text)
    return "".join([unicodedata.normalize(form, piece) for piece in _PIECE.findall(text)])
