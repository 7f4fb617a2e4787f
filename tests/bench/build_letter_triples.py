"""Makes streams/read/language/letter_triples.json: which three letters ever stand together in words, for each script and language that the reader
can judge.

Origin: the word lists of the `wordfreq` 3.1.1 package (R. Speer; data CC BY-SA 4.0). Only which triples of letters its words have is used; no list
and no frequency is copied. Run once, by hand: `python tests/bench/build_letter_triples.py`.

Format: for each script its `languages`; for each a text, base64 of one bit for each of n * n * n triples (first letter slowest), eight in a byte, the
first one highest, set where a word has it; packed by zlib. Letters are folded and numbered as in letter_pairs.json, the edge of a word is 0.
"""

import base64
import json
import zlib
from pathlib import Path

import numpy as np

from streams.read.language.letter_pairs import codes_of, pair_costs
from streams.read.language.letter_triples import triples_of

TARGET = Path(__file__).parents[2] / "streams" / "read" / "language" / "letter_triples.json"
LANGUAGES = {
    "latin": "ca cs da de en es fi fil fr hu id is it lt lv ms nb nl pl pt ro sh sk sl sv tr vi",
    "greek": "el",
    "cyrillic": "ru uk bg mk sh",
    "hebrew": "he",
    "arabic": "ar fa ur",
}
SERBIAN = (("lj", "љ"), ("nj", "њ"), ("dž", "џ"), *zip("abcčćdđefghijklmnoprsštuvzž", "абцчћдђефгхијклмнопрсштувзж", strict=True))
"""Serbian Cyrillic stands letter for letter for the Latin that most of its words are listed in."""
WORDS = 30_000
"""Words of a language: a triple that the 30,000 commonest lack is in one sound word of thirty; of 100,000 words, slips and foreign names fill the
table so far that half as many wrong letters show."""


def in_serbian(words: str) -> str:
    """Words in Latin letters as they are written in Cyrillic ones."""
    for latin, cyrillic in SERBIAN:
        words = words.replace(latin, cyrillic)
    return words


def table_of(script: str, language: str) -> str:
    """The packed table of one language."""
    import wordfreq  # noqa: PLC0415 - this script alone needs it

    words = " ".join(wordfreq.top_n_list(language, WORDS, wordlist="best"))
    text = pair_costs(codes_of(in_serbian(words) if (script, language) == ("cyrillic", "sh") else words))
    if text is None or text.script != script:
        raise SystemExit(f"wordfreq has no words of {language} in {script} letters")
    size = text.size
    seen = np.zeros(size**3, np.bool_)
    seen[triples_of(text)[text.letters[1:-1] > 0]] = True
    return base64.b64encode(zlib.compress(np.packbits(seen).tobytes(), 9)).decode("ascii")


def main() -> None:
    """Writes the table."""
    made = {script: {language: table_of(script, language) for language in languages.split()} for script, languages in LANGUAGES.items()}
    TARGET.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
