"""What the words of a page's text tell of its letters: which evidence is looked for, and when it is worth its cost.

Promise: pure; measures, does not decide. Dear looks are taken only of text whose letters follow each other less as they should than those of most
pages. Must not know pages or PDF.
"""

from msgspec import Struct

from streams.read.language.common_words import is_suspect, wordless_share
from streams.read.language.interchange import interchanged_nats
from streams.read.language.letter_pairs import codes_of, likelihood_of, pair_costs
from streams.read.language.letter_triples import foreign_share
from streams.read.language.likelihood import without_repeats
from streams.read.language.strangeness import Strangeness, judge_words
from streams.read.trust.decoding import Decoding, PageText

FEW_RARE = 0.04
"""Share of letters in strange words up to which they mean nothing (the first knot of the symptom): most pages are looked at once."""


class Wording(Struct, frozen=True, kw_only=True):
    """As in `signals.PageSignals`."""

    rare_share: float = 0.0
    wordless_share: float = 0.0
    foreign_share: float = 0.0
    interchanged: float = 0.0


def wording_of(text: PageText, words: Strangeness, decoding: Decoding) -> Wording:
    """Looks at the text of a page once its shifts are undone; `words` is of it, `decoding` of the text before."""
    rare = _rare_share(words, text)
    if text.pairs is None:
        return Wording(rare_share=rare)
    script, nats = text.pairs.script, likelihood_of(text.pairs).nats if decoding.shifts else decoding.nats
    if not is_suspect(script, nats):
        return Wording(rare_share=rare)
    return Wording(
        rare_share=rare,
        wordless_share=wordless_share(text.whole, script, nats),
        foreign_share=foreign_share(text.pairs, text.codes),
        interchanged=interchanged_nats(text.pairs, text.codes),
    )


def _rare_share(words: Strangeness, text: PageText) -> float:
    """Share of letters in words that no language has. Where it counts, words that come again are counted once: a table repeats its names."""
    share = words.share(words.rare)
    if share < FEW_RARE:
        return share
    codes = codes_of(without_repeats(text.whole))
    once = judge_words(codes, pair_costs(codes))
    return min(share, once.share(once.rare))
