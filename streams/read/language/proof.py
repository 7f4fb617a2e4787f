"""Whether undoing a shift of codes gives text for certain: pure functions of text.

A shift is proposed by letter statistics (`language.best_shift`), the best of some five hundred, so it may fit by chance, and bytes of a foreign
encoding are full of regularity. A wrong one would turn a page that asks for recognition into confident rubbish. So the proof looks at what
statistics do not: that nothing is left over, and that words are words.
"""

import re

from streams.read.language.letter_pairs import codes_of, likelihood
from streams.read.language.likelihood import SEPARATOR, Shift, is_language, unshift
from streams.read.language.words import unsound_share

LARGEST_OFFSET = 96
"""Between codes and ASCII: numbers of glyphs begin with the space at 1 to 4 (29 to 31 below ASCII); text from the upper half is a code page."""
LEAST_EVIDENCE = 45.0
"""Nats that a text must be likelier than letters by chance, all pairs together; e^45 against some hundred shifts tried on a billion fonts."""
CHANCE_NATS = {"latin": 3.8, "greek": 4.2, "cyrillic": 4.6, "hebrew": 4.2, "arabic": 4.2}
"""A pair of letters interchanged at random costs so much; see the figures in `likelihood.py`."""
LEFT_OVER = 0.01
"""Share of characters that stay what no text of the script has. More of them are letters: one word in ten would be wrong."""
UNSOUND, UNSOUND_SAMPLE = 0.12, 0.05
"""Share of words that are none: sound pages reach 0.1 (tables, addresses), wrong shifts begin at 0.2. Samples of type have hardly any."""
LOST = 0.1
"""Share of the gaps that are wider than one space: letters whose codes the parser took for white space, which no shift brings back."""
INNER_CAPITALS = 0.03
"""Share of words with a capital behind a small letter: names and units have some."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_STRANGE = re.compile("[^\x20-\x7e\u2010-\u203a\u20ac\u2122]")
_STRANGE_BESIDE_CODE_PAGE = re.compile("[\x7f-\x9f\xa1-\xa6\xa8\xac-\xaf\xb1-\xb6\xb8-\xba\xbc-\xff\u05eb-\u05ff\u063b-\u063f]")
"""Signs of Latin-1 that other code pages have letters for, and what lies between the letters of ISO 8859-6 and -8: another page was meant."""
_INNER_CAPITAL = re.compile(r"[^\W\d_A-Z][A-ZА-ЯΑ-Ω]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_GAP = re.compile(" +")


def is_proven(text: str, shift: Shift) -> bool:
    """Whether `text` with the shift undone is language beyond doubt: spans joined by `SEPARATOR`, all of one font."""
    plain = unshift(text, shift).replace(SEPARATOR, " ")
    to_ascii = shift.last + shift.offset < 0x80
    if to_ascii and abs(shift.offset) > LARGEST_OFFSET:
        return False
    characters = max(1, len(plain) - plain.count(" "))
    strange = _STRANGE if to_ascii else _STRANGE_BESIDE_CODE_PAGE
    if len(strange.findall(plain)) > LEFT_OVER * characters or len(_CONTROL.findall(plain)) > LEFT_OVER * characters:
        return False
    gaps = _GAP.findall(plain)
    if sum(len(gap) > 1 for gap in gaps) > LOST * len(gaps):
        return False
    words = _WORD.findall(plain)
    if sum(_INNER_CAPITAL.search(word) is not None for word in words) > INNER_CAPITALS * len(words):
        return False
    found = likelihood(codes_of(plain))
    evidence = found.pairs * (CHANCE_NATS.get(found.script, 0.0) - found.nats)
    certain = is_language(found) and evidence >= LEAST_EVIDENCE
    return unsound_share(plain) <= (UNSOUND if certain else UNSOUND_SAMPLE)
