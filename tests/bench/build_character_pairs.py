"""Makes streams/read/language/character_pairs.json: which two characters of Chinese, Japanese and Korean stand side by side within words.

Origin: the words of the `wordfreq` 3.1.1 package (R. Speer; data CC BY-SA 4.0); the traditional forms are those that the
`opencc-python-reimplemented` package (Apache-2.0) gives first for the simplified ones. Only the commonest pairs are kept; no text is copied. Run
once, by hand: `python tests/bench/build_character_pairs.py`.

Format: for each language one text, pair after pair, in the order of their codes.
"""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

TARGET = Path(__file__).parents[2] / "streams" / "read" / "language" / "character_pairs.json"
LANGUAGES = {"chinese": "zh", "japanese": "ja", "korean": "ko"}
MOST = {"chinese": 16_000, "japanese": 16_000, "korean": 8_000}
"""Pairs of a language: a third to a half of the pairs of its texts, of any subject, and one in forty of those of interchanged characters."""
RANGES = ((0x3041, 0x30FF), (0x3400, 0x9FFF), (0xAC00, 0xD7A3))


def counted(language: str) -> Counter[str]:
    """Frequency by pair."""
    import wordfreq  # noqa: PLC0415 - this script alone needs it

    counts: Counter[str] = Counter()
    for word, frequency in wordfreq.get_frequency_dict(language, wordlist="best").items():
        for pair in pairwise(word):
            if all(any(first <= ord(letter) <= last for first, last in RANGES) for letter in pair):
                counts["".join(pair)] += frequency
    return counts


def main() -> None:
    """Writes the table."""
    from opencc import OpenCC  # noqa: PLC0415 - this script alone needs it

    best = {name: {pair for pair, _ in counted(code).most_common(MOST[name])} for name, code in LANGUAGES.items()}
    best["traditional"] = {pair for pair in map(OpenCC("s2t").convert, best["chinese"]) if len(pair) == 2}
    TARGET.write_text(
        json.dumps({name: "".join(sorted(pairs)) for name, pairs in best.items()}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
