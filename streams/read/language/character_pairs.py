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

from streams.read.language.letter_pairs import Codes

FEWEST = 24
"""Pairs before they are judged."""
SOUND = {"chinese": 0.3, "traditional": 0.3, "japanese": 0.4, "korean": 0.45}
"""Share of known pairs from which a text makes words."""
GARBLED = {"chinese": 0.15, "traditional": 0.15, "japanese": 0.3, "korean": 0.22}
"""Share of known pairs below which a text makes none."""
LINE_PAIRS, LINE_SHARE = 10, 0.12
"""Pairs from which a line is looked at by itself, and the share of known ones below which it hardly makes words: one sound line in a hundred."""
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
    pairs = _pairs(codes, places)
    if len(pairs) < FEWEST:
        return False
    less = CHANCE if len(pairs) < STRETCH else 0.0
    return any(_known_share(pairs, table) >= SOUND[language] - less for language, table in _tables().items())


def makes_none(codes: Codes, places: NDArray[np.intp]) -> bool:
    """Whether the characters at `places` (ascending) of a text make words of none of the languages; False where they are too few to tell."""
    pairs = _pairs(codes, places)
    return len(pairs) >= FEWEST and all(_known_share(pairs, table) < GARBLED[language] for language, table in _tables().items())


def unknown_lines(codes: Codes, places: NDArray[np.intp], lines: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which lines hold hardly any pair that words have, under the language that knows most pairs of the text. `lines`: the line of each place, from 0
    on, ascending.
    """
    beside = np.flatnonzero(np.diff(places) == 1)
    pairs = _pairs(codes, places)
    known = max((_known(pairs, table) for table in _tables().values()), key=np.count_nonzero)
    count = int(lines[-1]) + 1
    total, hits = np.bincount(lines[beside], minlength=count), np.bincount(lines[beside], known, minlength=count)
    found: NDArray[np.bool_] = (total >= LINE_PAIRS) & (hits < LINE_SHARE * total)
    return found


def _pairs(codes: Codes, places: NDArray[np.intp]) -> NDArray[np.int64]:
    first = places[:-1][np.diff(places) == 1]
    found: NDArray[np.int64] = codes[first].astype(np.int64) << _BITS | codes[first + 1].astype(np.int64)
    return found


def _known_share(pairs: NDArray[np.int64], table: NDArray[np.int64]) -> float:
    return float(_known(pairs, table).mean())


def _known(pairs: NDArray[np.int64], table: NDArray[np.int64]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = table[np.minimum(np.searchsorted(table, pairs), len(table) - 1)] == pairs
    return found
