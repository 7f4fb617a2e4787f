"""Which words of a text have three letters together that no common word of the language has: the finest evidence of single wrong letters.

Promise: pure and dictionary-free; measures, does not decide. Looks at words of four letters and more in the text's main script, under the three
languages that know most of its triples (`letter_triples.json`; its origin is in `tests/bench/build_letter_triples.py`); says nothing of scripts
without tables. Must not know pages, fonts or PDF.

Method: a table of what is possible, not of how likely it is. Of messages of programs in 36 languages that have a table, one word in 30 has a triple
that it lacks; with one wrong letter in 14 one in 8 has. What comes again on the page (names, terms, words of languages without a table) is no slip:
a triple counts as a slip once on a page only.
"""

import base64
import functools
import json
import zlib
from importlib.resources import files

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from streams.read.language.letter_pairs import Codes, PairCosts

LONG_WORD = 4
"""Letters from which a word is judged: shorter ones are abbreviations as often as not."""
LANGUAGES = 3
"""A page may quote another language or two; the more are asked, the less any of them lacks."""
KNOWN_LETTERS = {"greek": (0x370, 0x3FF), "cyrillic": (0x400, 0x52F), "hebrew": (0x5D0, 0x5EA), "arabic": (0x620, 0x64A)}
"""Where letters of a script lie, those that no table has among them."""
OWN_LETTERS = 0.004
"""Share of letters without a number from which the language is one without a table: Belarusian, Kazakh, Tatar have a hundredth of them and more."""
FEWEST_WORDS = 20
_CUT = (0xFFFF, 0x2D, 0x2010, 0xAD)
"""Ends of spans (`language.SEPARATOR`) and hyphens: a word may be cut there, and its edge is none."""


class Triples(Struct, frozen=True):
    """Counts of words: `words` judged, `slips` with a triple that no language has and that comes once, `foreign` with any that no language has."""

    words: int = 0
    slips: int = 0
    foreign: int = 0


def triples_of(text: PairCosts) -> NDArray[np.intp]:
    """The number of the triple around each character of a text, (n,): its letter, and what stands before and behind it."""
    letters, size = text.letters, text.size
    found: NDArray[np.intp] = (letters[:-2] * size + letters[1:-1]) * size + letters[2:]
    return found


@functools.cache
def _tables() -> dict[str, NDArray[np.bool_]]:
    """By script, which triples its languages have, (languages, n * n * n); loaded once a process, about 10 ms."""
    data = json.loads(files(__package__).joinpath("letter_triples.json").read_text(encoding="utf-8"))
    return {script: np.array([_unpacked(table) for table in languages.values()]) for script, languages in data.items()}


def _unpacked(table: str) -> NDArray[np.bool_]:
    return np.unpackbits(np.frombuffer(zlib.decompress(base64.b64decode(table)), np.uint8)).view(np.bool_)


def judge_triples(text: PairCosts, codes: Codes) -> Triples:
    """Looks at every word; `text` is of `codes`."""
    table = _tables().get(text.script)
    if table is None:
        return Triples()
    edges = np.flatnonzero(text.letters == 0)
    lengths = np.diff(edges) - 1
    long = lengths >= LONG_WORD
    starts, ends = edges[:-1][long], edges[:-1][long] + lengths[long]
    if not len(starts):
        return Triples()
    numbers = triples_of(text)
    judged = text.letters[1:-1] > 0
    cut = np.isin(codes, _CUT)
    judged[1:] &= ~cut[:-1]
    judged[:-1] &= ~cut[1:]
    unknown = ~table[:, numbers] & judged
    best = np.argsort(np.count_nonzero(unknown, axis=1), kind="stable")[:LANGUAGES]
    lacking: NDArray[np.bool_] = np.all(unknown[best], axis=0)
    once = lacking & (np.bincount(numbers[lacking], minlength=table.shape[1])[numbers] == 1)
    return Triples(words=len(starts), slips=_count(once, starts, ends), foreign=_count(lacking, starts, ends))


def foreign_share(text: PairCosts, codes: Codes) -> float:
    """Share of the words that no language of the script has, for scripts whose languages are all known; 0 for others, and for few words.

    Latin has too many languages without a table. So have Cyrillic and Arabic, but those have letters of their own.
    """
    if text.script not in KNOWN_LETTERS or has_own_letters(text, codes):
        return 0.0
    found = judge_triples(text, codes)
    return found.foreign / found.words if found.words >= FEWEST_WORDS else 0.0


def has_own_letters(text: PairCosts, codes: Codes) -> bool:
    """Whether a text of one of the scripts in `KNOWN_LETTERS` is of a language without a table, which has letters that no table has."""
    judged = text.letters[1:-1] > 0
    first, last = KNOWN_LETTERS[text.script]
    own = (codes >= first) & (codes <= last) & ~judged
    return bool(np.count_nonzero(own) > OWN_LETTERS * np.count_nonzero(judged))


def _count(mask: NDArray[np.bool_], starts: NDArray[np.intp], ends: NDArray[np.intp]) -> int:
    """In how many words any character is set; words are stretches of characters."""
    sums: NDArray[np.int64] = np.concatenate((np.zeros(1, np.int64), np.cumsum(mask, dtype=np.int64)))
    return int(np.count_nonzero(sums[ends] > sums[starts]))
