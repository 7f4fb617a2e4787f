"""Whether sentences are held together by the words that hold a language's sentences together: prose without any is no language.

Promise: pure; text in, a share out. Looks only at words that stand in sentences (a word in small letters, one space, another one), so that tables,
lists of names, code and indices are not judged. Says nothing of text with few of them, or of scripts without spaces. Must not know pages, fonts or
PDF.

Figures (messages of programs in 45 languages, `common_words.json` has the lists): of the words of sentences 0.15 (Lithuanian) to 0.5 (French) are
common ones; with their vowels interchanged 0.01 to 0.09.
"""

import functools
import json
import math
import re
from collections import Counter
from importlib.resources import files

FEWEST = 40
"""Words in sentences before they are judged: four lines."""
USUAL = {"latin": 0.1, "greek": 0.15, "cyrillic": 0.08, "hebrew": 0.14, "arabic": 0.18}
"""The least that sound prose has, nearly."""
SUSPECT_NATS = {"latin": 2.45, "greek": 2.4, "cyrillic": 2.5, "hebrew": 2.6, "arabic": 2.65}
"""Prose of languages that have a table has less, mostly; with its vowels interchanged, more."""
CERTAIN = 0.12
"""Nats above that from which the letters speak fully."""
LONGEST_TEXT = 3_000
"""Characters looked at: half a page of prose, and more say the same."""
_SMALL = "a-z\u00df-\u00f6\u00f8-\u00ff\u0101-\u024f\u0250-\u02af\u03ac-\u03ce\u0430-\u045f\u0461-\u0527\u05d0-\u05ea\u0620-\u06d3\u1e01-\u1eff"
_IN_SENTENCE = re.compile(f"(?<=[{_SMALL}] )[{_SMALL}]{{2,}}(?= [{_SMALL}])")


@functools.cache
def common_words() -> dict[str, tuple[str, ...]]:
    """By word, the languages in which it is common; loaded once a process, 2 ms."""
    lists = json.loads(files(__package__).joinpath("common_words.json").read_text(encoding="utf-8"))
    found: dict[str, tuple[str, ...]] = {}
    for language, words in lists.items():
        for word in words.split():
            found[word] = (*found.get(word, ()), language)
    return found


def is_suspect(script: str, nats: float) -> bool:
    """Whether a text is worth a look; `nats` is its mean cost of a pair of letters (`letter_pairs`)."""
    return nats > SUSPECT_NATS.get(script, math.inf)


def wordless_share(text: str, script: str, nats: float) -> float:
    """How surely 0..1 the sentences of a text lack the words that sentences have; of text that is suspect."""
    lacking = max(0.0, 1.0 - common_share(text) / USUAL[script])
    return lacking * min(1.0, (nats - SUSPECT_NATS[script]) / CERTAIN)


def common_share(text: str) -> float:
    """Share of the words in sentences that are common ones of one language, the one with most; 1 where there are too few to judge."""
    words = _IN_SENTENCE.findall(text[:LONGEST_TEXT])
    if len(words) < FEWEST:
        return 1.0
    known = common_words()
    counts = Counter(language for word in words for language in known.get(word, ()))
    return max(counts.values(), default=0) / len(words)
