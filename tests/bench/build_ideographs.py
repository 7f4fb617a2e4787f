"""Makes streams/read/language/ideographs.json: how often each character of Chinese, Japanese and Korean comes.

Origin: the word frequencies of the `wordfreq` 3.1.1 package (R. Speer; data CC BY-SA 4.0), summed by character; the traditional forms are those that
the `opencc-python-reimplemented` package (Apache-2.0) gives first for the simplified ones. Only frequencies of characters are used; no text is
copied. Run once, by hand: `python tests/bench/build_ideographs.py`.

Format: for each language `characters`, the commonest first, and `costs`, a text as long: chr(35 + q), q = round(-10 ln P(character)), at most 90.
"""

import json
import math
from collections import Counter
from pathlib import Path

TARGET = Path(__file__).parents[2] / "streams" / "read" / "language" / "ideographs.json"
LANGUAGES = {"chinese": "zh", "japanese": "ja", "korean": "ko"}
MOST = 2_800
"""Characters a language: they make up 99.7 % of its text."""
ACCOUNTS = (
    "款资额债负税股份有限公司季度报告全文净利润增减购损存收付期末初余价值费银行单位项投固定流动币比例应预支出成本营业票息租货"
    "董监事会审计披露合并权益长短持总元年月日其他"
)
"""Characters of Chinese accounts, hand-entered; there each comes about eight times as often as elsewhere."""
BOOST = 8.0
RANGES = ((0x3041, 0x30FF), (0x3400, 0x9FFF), (0xAC00, 0xD7A3))


def counted(language: str) -> Counter[str]:
    """Frequency by character."""
    import wordfreq  # noqa: PLC0415 - this script alone needs it

    counts: Counter[str] = Counter()
    for word, frequency in wordfreq.get_frequency_dict(language, wordlist="best").items():
        for letter in word:
            if any(first <= ord(letter) <= last for first, last in RANGES):
                counts[letter] += frequency
    return counts


def traditional(counts: Counter[str]) -> Counter[str]:
    """The same in traditional characters."""
    from opencc import OpenCC  # noqa: PLC0415 - this script alone needs it

    converter, found = OpenCC("s2t"), Counter[str]()
    for letter, count in counts.items():
        found[converter.convert(letter)[:1]] += count
    return found


def table_of(counts: Counter[str]) -> dict[str, str]:
    """The quantised table of one language."""
    total = sum(counts.values())
    best = counts.most_common(MOST)
    costs = "".join(chr(35 + min(90, round(-10 * math.log(count / total)))) for _, count in best)
    return {"characters": "".join(letter for letter, _ in best), "costs": costs}


def main() -> None:
    """Writes the table."""
    counts = {name: counted(code) for name, code in LANGUAGES.items()}
    counts["traditional"] = traditional(counts["chinese"])
    for name in ("chinese", "traditional"):
        known = set(ACCOUNTS) if name == "chinese" else set(traditional(Counter(ACCOUNTS)))
        counts[f"{name} accounts"] = Counter({letter: count * (BOOST if letter in known else 1.0) for letter, count in counts[name].items()})
    TARGET.write_text(json.dumps({name: table_of(found) for name, found in counts.items()}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
