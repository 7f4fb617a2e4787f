"""How many words of recognised text hold a wrong character: for text that somebody else put under a scan, whose errors nothing else betrays.

Promise: pure; codes in, a share out. Counts slips only, words and characters that are strange and come once: what comes again is a name or a term.
Must not know pages, fonts or PDF.
"""

import numpy as np

from streams.read.language.letter_pairs import Codes, PairCosts
from streams.read.language.letter_triples import judge_triples
from streams.read.language.strangeness import rare_characters

FEWEST = 12
"""Words (or as many characters for them) that are added to those of a text before a share is taken: one slip in ten words says little."""
WORD = 5
"""Characters of Han, kana or Hangul that count as a word."""
USUAL = {"chinese": 0.043, "traditional": 0.043, "japanese": 0.053, "korean": 0.03}
"""Share of the characters that are uncommon and come once, in a sound text of a thousand; it falls with the root of the length, roughly."""
THOUSAND, FALL = 1000.0, 0.6
_STRAY = tuple(map(ord, "|l^~*«»§\\#@"))
"""Signs that nobody sets between two characters of Han, kana or Hangul, and that recognition takes strokes for."""


def misread_share(codes: Codes, text: PairCosts | None) -> float:
    """Estimated share of the words with a slip; `text` is of `codes`."""
    words = slips = 0.0
    if text is not None:
        found = judge_triples(text, codes)
        words, slips = float(found.words), float(found.slips)
    language, once, characters = rare_characters(codes)
    if characters:
        usual = USUAL[language] * (THOUSAND / characters) ** FALL
        inside = np.zeros(len(codes), np.bool_)
        inside[1:-1] = np.isin(codes[1:-1], _STRAY) & _judged(codes[:-2]) & _judged(codes[2:])
        once[1:-1] &= _judged(codes[:-2]) | _judged(codes[2:])  # alone, it is a dot of a leader that was taken for one
        slips += max(0.0, float(np.count_nonzero(once)) - usual * characters) + 2 * float(np.count_nonzero(inside))
        words += characters / WORD
    return slips / (words + FEWEST)


def _judged(codes: Codes) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Han, kana and Hangul."""
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = ((codes >= 0x3041) & (codes <= 0x9FFF)) | ((codes >= 0xAC00) & (codes <= 0xD7A3))
    return found
