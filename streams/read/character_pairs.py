"""Whether Han, kana and Hangul characters stand side by side as in words: text of any subject has pairs that words have, interchanged ones have none.

Promise: pure; codes in, a share out. How often single characters come depends on the subject (a laboratory's report is full of rare ones); which of
them form words does not. Figures: of the pairs of Chinese texts, of reports, tables and accounts as well, 0.35 to 0.5 are among the 16,000 commonest
of words, of Japanese prose 0.5 and more and of its accounts 0.35 to 0.4, of Korean texts 0.5 to 0.8; of interchanged characters 0.00 to 0.05, of
syllables 0.15; of Japanese with interchanged kana alone 0.25 to 0.36.
"""

import functools
import json
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from streams.read.letter_pairs import Codes

FEWEST = 24
"""Pairs before they are judged."""
SOUND = {"chinese": 0.3, "traditional": 0.3, "japanese": 0.4, "korean": 0.45}
"""Share of known pairs from which a text makes words."""
STRETCH, CHANCE = 150, 0.1
"""Pairs up to which less is enough, as stretches of 48 vary by 0.07 by chance; and how much less."""
_BITS = 16


@functools.cache
def _tables() -> dict[str, NDArray[np.int64]]:
    """By language its pairs, as sorted numbers; 10 ms, once a process that meets doubtful text of these scripts."""
    tables = json.loads(files(__package__).joinpath("character_pairs.json").read_text(encoding="utf-8"))
    found = {}
    for language, pairs in tables.items():
        codes = np.frombuffer(pairs.encode("utf-16-le"), np.uint16).astype(np.int64)
        found[language] = np.sort(codes[::2] << _BITS | codes[1::2])
    return found


def makes_words(codes: Codes, places: NDArray[np.intp]) -> bool:
    """Whether the characters at `places` (ascending) of a text make words of one of the languages, side by side as they stand."""
    first = places[:-1][np.diff(places) == 1]
    if len(first) < FEWEST:
        return False
    pairs = codes[first].astype(np.int64) << _BITS | codes[first + 1].astype(np.int64)
    less = CHANCE if len(pairs) < STRETCH else 0.0
    return any(_known_share(pairs, table) >= SOUND[language] - less for language, table in _tables().items())


def _known_share(pairs: NDArray[np.int64], table: NDArray[np.int64]) -> float:
    return float((table[np.minimum(np.searchsorted(table, pairs), len(table) - 1)] == pairs).mean())
