"""Text for made pages: sentences of real words, weighted as they are in use, so that letters and their pairs come as in that language.

Words and their frequencies are those of the `wordfreq` package (extra `train`); no text of anybody is copied. Every document has a vocabulary of its
own, drawn with its own random numbers: a head of common words, and rarer ones that stand for its subject.
"""

import random
from collections.abc import Container
from functools import cache

from msgspec import Struct

LANGUAGES = {
    "latin": ("en", "de", "fr", "es", "pl", "cs", "tr", "fi", "it", "hu"),
    "cyrillic": ("ru", "uk", "bg", "mk"),
    "greek": ("el",),
    "arabic": ("ar", "fa", "ur"),
    "hebrew": ("he",),
    "chinese": ("zh",),
    "japanese": ("ja",),
    "korean": ("ko",),
}
"""Languages by script. The reader's tables of letter pairs know all but Turkish's neighbours of none; Urdu and Persian stand beside Arabic."""
RIGHT_TO_LEFT = frozenset({"arabic", "hebrew"})
SPACELESS = frozenset({"chinese", "japanese"})
SYLLABIC = SPACELESS | {"korean"}
"""Scripts of thousands of characters."""
VOCABULARY = {"chinese": 5_000, "japanese": 5_000, "korean": 5_000}
MOST_WORDS = 20_000
"""Words of a language to choose from; fewer where every letter more makes every font file larger."""
COMMON_WORDS, SUBJECT_WORDS = 1_500, 160
"""Words of a document: the head of the language, and its subject."""
MARKS = {
    "chinese": ("，", "。"), "japanese": ("、", "。"), "arabic": ("،", "."),
}  # fmt: skip
LETTERS = {
    "latin": (0x41, 0x24F), "cyrillic": (0x400, 0x52F), "greek": (0x370, 0x3FF), "arabic": (0x620, 0x6D3), "hebrew": (0x5D0, 0x5EA),
    "chinese": (0x4E00, 0x9FFF), "japanese": (0x3041, 0x9FFF), "korean": (0xAC00, 0xD7A3),
}  # fmt: skip


class Vocabulary(Struct, frozen=True):
    """Words of one document, with cumulative weights; `script` and `language` as in `LANGUAGES`."""

    script: str
    language: str
    words: tuple[str, ...]
    cumulated: tuple[float, ...]

    @property
    def right_to_left(self) -> bool:
        """Whether it is written from right to left."""
        return self.script in RIGHT_TO_LEFT

    @property
    def gap(self) -> str:
        """What stands between words."""
        return "" if self.script in SPACELESS else " "


@cache
def known_words(script: str, language: str) -> tuple[tuple[str, float], ...]:
    """Words of a language in its own script, with their frequencies. Raises SystemExit where `wordfreq` is not installed."""
    try:
        import wordfreq  # noqa: PLC0415 - only where text is made
    except ImportError as error:
        raise SystemExit("the labelled set needs the package wordfreq: pip install -e '.[train]'") from error
    first, last = LETTERS[script]
    frequencies = wordfreq.get_frequency_dict(language, wordlist="best")
    found = [
        (word[:-1] + "ς" if word.endswith("σ") else word, frequencies[word])
        for word in wordfreq.top_n_list(language, VOCABULARY.get(script, MOST_WORDS))
        if all(first <= ord(c) <= last for c in word)
    ]
    return tuple(found)


def vocabulary(script: str, language: str, rng: random.Random, letters: Container[str]) -> Vocabulary:
    """The words of one document, of those that its `letters` (what its font can show) allow."""
    known = [(word, frequency) for word, frequency in known_words(script, language) if all(letter in letters for letter in word)]
    head = known[:COMMON_WORDS]
    subject = [(word, head[80][1]) for word, _ in rng.sample(known[COMMON_WORDS:], SUBJECT_WORDS)]
    total, words, cumulated = 0.0, list[str](), list[float]()
    for word, frequency in (*head, *subject):
        total += frequency
        words.append(word)
        cumulated.append(total)
    return Vocabulary(script, language, tuple(words), tuple(cumulated))


def words_of(known: Vocabulary, count: int, rng: random.Random) -> list[str]:
    """So many words; Korean ones are put together of up to three, as particles and endings are."""
    drawn = rng.choices(known.words, cum_weights=known.cumulated, k=count)
    if known.script != "korean":
        return drawn
    joined: list[str] = []
    while drawn:
        take = rng.choice((1, 2, 2, 3))
        joined.append("".join(drawn[:take]))
        drawn = drawn[take:]
    return joined


def sentence(known: Vocabulary, rng: random.Random, words: int | None = None) -> str:
    """A sentence with a capital, a comma here and there, a number now and then, and its stop."""
    comma, stop = MARKS.get(known.script, (",", "."))
    drawn = words_of(known, words or rng.randint(6, 22), rng)
    if rng.random() < 0.2:
        drawn.insert(rng.randrange(len(drawn) + 1), str(rng.choice((rng.randint(2, 99), rng.randint(1900, 2030)))))
    parts = [word + (comma if 0 < place < len(drawn) - 1 and rng.random() < 0.09 else "") for place, word in enumerate(drawn)]
    text = known.gap.join(parts)
    return text[:1].upper() + text[1:] + stop


def paragraph(known: Vocabulary, rng: random.Random, letters: int) -> str:
    """Sentences of about so many letters."""
    sentences = []
    while sum(map(len, sentences)) < letters:
        sentences.append(sentence(known, rng))
    return (known.gap or "").join(sentences)


def title(known: Vocabulary, rng: random.Random, words: int = 4) -> str:
    """A few words without a stop."""
    text = known.gap.join(words_of(known, words, rng))
    return text[:1].upper() + text[1:]
