"""Whether some letters of a text stand for others: the same letters, wrongly mapped, so that every word still looks like a word.

Promise: pure; letters in, a number out. Asks whether exchanging letters would make the text clearly more likely under the letter pairs of a
language (`letter_pairs.py`), and believes it only of text that must be of a language with tables. Says nothing of short text. Must not know pages,
fonts or PDF.

Method: hill climbing on exchanges of two letters, as substitution ciphers are solved (Jakobsen 1995), of all letters at once by matrix products.
Sound text of a language with a table wins nothing by it, whatever it is about: its letters are best as they are. With its vowels interchanged it wins
0.15 to 0.6 nats a pair. Text of a language without a table wins up to 0.5 too, but by many small exchanges, and no words come of it; what it has of
its own (letters, words that do not become words of another language) keeps it from being called garble.
"""

import functools
import math
from collections import Counter, defaultdict

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from streams.read.language.common_words import common_words
from streams.read.language.letter_pairs import Codes, PairCosts, codes_of, language_costs, letters_of
from streams.read.language.letter_triples import KNOWN_LETTERS, has_own_letters

LONG_WORD = 4
"""Letters from which a word counts: shorter ones are codes and units as often as not."""
FEWEST_PAIRS = 60
"""Pairs of letters: a dozen words."""
FIRST, LANGUAGES = 2, 5
"""The likeliest languages are tried: the right one is among them even of interchanged letters. Where the first ones win nothing, none does."""
MOST_EXCHANGES = 8
LEAST_GAIN, LEAST_SHARE = 3.0, 0.025
"""Nats that an exchange must win: of all, and of each pair of the text. Smaller ones are the text's own ways, names and terms."""
CHANCE = 1.5
"""Nats a pair, times the root of the pairs, that chance wins: twelve words can be anything."""
EACH = 0.02
"""Nats a pair that each moved letter must win in the mean: of languages without a table, all letters together win as much as a few wrong ones."""
FEW_MOVED = 7
"""Moved letters up to which an exchange is believed without words, where no language without a table can be meant."""
RISE = 0.5
"""Standard deviations by which the words that hold sentences together must become more, where a language without a table may be meant."""

Matrix = NDArray[np.float32]


class _Climb(Struct, frozen=True):
    """`gain`: nats a pair; `roles` (n,): the letter that each letter stands for; `moved`: how many stand for another."""

    gain: float
    roles: NDArray[np.intp]
    moved: int


def interchanged_nats(text: PairCosts, codes: Codes) -> float:
    """Nats a pair beyond chance that a text, which is of `codes`, wins by exchanging letters; 0 where it is likely right as it is.

    Takes a quarter of a millisecond, and is asked of suspect text alone (`common_words.is_suspect`): interchanged letters make it so in
    all but one of fifty cases.
    """
    pairs = text.histogram(LONG_WORD)
    count = float(pairs.sum())
    if count < FEWEST_PAIRS:
        return 0.0
    found = _climb(pairs, language_costs(text.script))
    beyond = found.gain - CHANCE / count**0.5
    if beyond <= 0 or beyond < EACH * found.moved:
        return 0.0
    rise = _rise(text, found.roles)
    # of these scripts, all languages that have no table have letters of their own; what else may win are lists of foreign names, by many exchanges
    known = text.script in KNOWN_LETTERS and found.moved <= FEW_MOVED and not has_own_letters(text, codes)
    return beyond if known or rise >= RISE else 0.0


def _climb(pairs: Matrix, costs: Matrix) -> _Climb:
    """The best exchange again and again, under each of the likeliest languages; `pairs` (n, n) counts, `costs` (languages, n, n)."""
    count, size = float(pairs.sum()), len(pairs)
    base = costs.reshape(len(costs), -1) @ pairs.reshape(-1)
    chosen = np.argsort(base, kind="stable")[:LANGUAGES]
    least = max(LEAST_GAIN, LEAST_SHARE * count)
    if _gains(pairs, costs[chosen[:FIRST]]).max() <= least:
        return _Climb(0.0, np.arange(size), 0)
    turned, totals = costs[chosen], base[chosen]
    roles = np.tile(np.arange(size), (len(chosen), 1))
    for _ in range(MOST_EXCHANGES):
        gains = _gains(pairs, turned).reshape(len(chosen), -1)
        best = gains.argmax(axis=1)
        climbing = np.flatnonzero(gains[np.arange(len(chosen)), best] > least)
        for row in climbing.tolist():
            first, second = divmod(int(best[row]), size)
            order = np.arange(size)
            order[first], order[second] = second, first
            turned[row] = turned[row][np.ix_(order, order)]
            roles[row] = roles[row][order]
            totals[row] -= gains[row, best[row]]
        if not len(climbing):
            break
    winner = int(totals.argmin())
    gain = (float(base.min()) - float(totals[winner])) / count
    return _Climb(gain, roles[winner], int(np.count_nonzero(roles[winner] != np.arange(size))))


def _gains(pairs: Matrix, costs: Matrix) -> Matrix:
    """(languages, n, n): nats won by exchanging letters i and j. The edge of words is no letter, and stays."""
    other = costs.transpose(0, 2, 1)
    moved = pairs @ other + pairs.T @ costs  # what letter i costs in the role of j, all others as they are
    own = np.einsum("lii->li", moved)
    # pairs of the two letters themselves are counted with only one of them moved
    twins, ends = np.einsum("ii->i", pairs), np.einsum("lii->li", costs)
    within = (twins[:, None] + twins[None, :] - pairs - pairs.T) * (ends[:, :, None] + ends[:, None, :] - costs - other)
    gains: Matrix = own[:, :, None] + own[:, None, :] - moved - moved.transpose(0, 2, 1) - within
    gains[:, 0, :] = gains[:, :, 0] = 0.0
    return gains


@functools.cache
def _words(script: str) -> dict[bytes, tuple[str, ...]]:
    """By common word of a script, as the numbers of its letters, its languages; a millisecond, once a process."""
    found: dict[bytes, tuple[str, ...]] = defaultdict(tuple)
    for word, languages in common_words().items():
        letters = letters_of(codes_of(word), script)
        if letters.all():
            found[letters.tobytes()] += languages
    return dict(found)


def _rise(text: PairCosts, roles: NDArray[np.intp]) -> float:
    """By how many standard deviations the common words become more once each letter is what it stands for."""
    letters = text.letters.astype(np.uint8)
    before, after = _common(letters, text.script), _common(roles.astype(np.uint8)[letters], text.script)
    return (after - before) / math.sqrt(max(1, after + before))


def _common(letters: NDArray[np.uint8], script: str) -> int:
    """Words of a text that are common ones of one language, the one with most."""
    known = _words(script)
    counts = Counter(language for word in letters.tobytes().split(b"\0") for language in known.get(word, ()))
    return max(counts.values(), default=0)
