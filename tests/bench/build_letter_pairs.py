"""Makes streams/read/language/letter_pairs.json: how likely a letter follows another, for each script and language that the reader can judge.

Origin: the n-gram counts of the `langdetect` 1.0.9 source archive (Apache-2.0; counted by its authors over Wikipedia). Only counts of letter
pairs are used; no text is copied. Run once, by hand: `python tests/bench/build_letter_pairs.py <folder of the unpacked profiles>`.

Format: for each script its `alphabet` (index 0 stands for the edge of a word), and for each language a text of `n * n` characters, row =
first letter, column = second letter: chr(35 + q), q = round(-10 ln P(second | first)), at most 90. Letters that stand for one letter in
print are folded first, as `streams.read.language.letter_pairs` folds them.
"""

import json
import math
import sys
import unicodedata
from pathlib import Path

TARGET = Path(__file__).parents[2] / "streams" / "read" / "language" / "letter_pairs.json"
SCRIPTS = {
    "latin": ("abcdefghijklmnopqrstuvwxyz", "af ca cs cy da de en es et fi fr hr hu id it lt lv nl no pl pt ro sk sl so sq sv sw tl tr"),
    "greek": ("αβγδεζηθικλμνξοπρστυφχψω", "el"),
    "cyrillic": ("абвгдежзийклмнопрстуфхцчшщъыьэюяєіїґјљњћќѓџђѕ", "ru uk bg mk"),
    "hebrew": ("אבגדהוזחטיכךלמםנןסעפףצץקרשת", "he"),
    "arabic": ("ءابتةثجحخدذرزسشصضطظعغفقكلمنهويپچژگکےٹڈڑںہھ", "ar fa ur"),
}
FOLD = {"ß": "s", "ς": "σ", "æ": "a", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "t", "ı": "i", "œ": "o", "ی": "ي", "ى": "ي"}
SMOOTHING = 0.5
FLOOR = 90


def fold(letter: str) -> str:
    """Lower case without accents, as one letter."""
    lower = letter.lower()
    if lower in FOLD:
        return FOLD[lower]
    return lower if lower in "йї" else unicodedata.normalize("NFD", lower)[0]


def pairs_of(counts: dict[str, int], alphabet: str) -> str:
    """The quantised table of one language."""
    size = len(alphabet) + 1
    index = {letter: place + 1 for place, letter in enumerate(alphabet)} | {" ": 0}
    table = [[SMOOTHING] * size for _ in range(size)]
    total = sum(count for gram, count in counts.items() if len(gram) == 2)
    for gram, count in counts.items():
        if len(gram) == 2 and all(fold(letter) in index for letter in gram):
            table[index[fold(gram[0])]][index[fold(gram[1])]] += count * 1e6 / total
    return "".join(chr(35 + min(FLOOR, round(-10 * math.log(value / sum(row))))) for row in table for value in row)


def main(profiles: Path) -> None:
    """Writes the table."""
    made = {}
    for script, (alphabet, languages) in SCRIPTS.items():
        read = {language: json.loads((profiles / language).read_text(encoding="utf-8"))["freq"] for language in languages.split()}
        made[script] = {"alphabet": alphabet, "languages": {language: pairs_of(freq, alphabet) for language, freq in read.items()}}
    TARGET.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
