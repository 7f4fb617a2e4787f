"""Which legacy encoding bytes are in, where nothing names one: every candidate decodes them, and what reads most like language wins.

Pure: bytes in, an encoding and its score out. Judged are the characters outside ASCII, by what `letter_pairs` knows of five scripts, by the share
of very common Han and Hangul characters, and for Latin letters by the letters with accents that a language has. Costs a few milliseconds, as only
a sample is decoded. Method: composite of Li and Momoi, "A composite approach to language/encoding detection" (2001): a coding scheme that must
hold, then the distribution of characters.
"""

import codecs
import math
import re
from collections.abc import Mapping

from msgspec import Struct

from streams.read.language.letter_pairs import codes_of, common_share, likelihood

SAMPLE_BYTES = 64 * 1024
"""Looked at: twenty pages. Where the first part is plain ASCII, the sample is the part around the first byte that is not."""
FEW_CHARACTERS = 12
"""Characters outside ASCII; fewer say little, and what Western Europe writes is assumed."""
FEW_SCORE = 0.5
"""What a guess by so few is worth at most."""
MOST_DAMAGE = 0.02
"""Share of characters outside ASCII that may be no text in the right encoding: bytes lost on the way."""
WEAK = 0.35
"""Score below which nothing reads like language."""

CANDIDATES = (
    "gb18030", "cp932", "euc_jp", "big5hkscs", "cp949", "cp1252", "cp1250", "cp1251", "koi8_u", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "cp874", "iso8859_2", "iso8859_6", "cp866", "iso8859_5", "mac_cyrillic", "cp855", "cp850", "mac_roman",
)  # fmt: skip
"""Python's codecs, in the order that breaks ties: the Windows code pages hold the ISO ones of the same region but for `iso8859_2` and `_5`."""

_TYPOGRAPHY = frozenset("“”„‘’‚‹›«»–—…•·€£§°©®™¿¡№´¨\u00a0ºª½¼¾²³±×†‡‰")
_WIDE = re.compile("[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]")
_HAN = re.compile("[\u4e00-\u9fff]")
_KANA = re.compile("[\u3041-\u30fe]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_THAI = re.compile("[\u0e01-\u0e3a\u0e40-\u0e5b]")
_THAI_OUT_OF_PLACE = re.compile("(?<![\u0e01-\u0e39\u0e47-\u0e4e])[\u0e31\u0e34-\u0e39\u0e47-\u0e4e]|[\u0e3a\u0e4d-\u0e5b\u0e3f]")
"""Marks above and below a letter without one, and the signs and digits of the block that hardly any text has."""
_MIXED_CASE = re.compile(r"(?<=[^\W\d_])(?=[^\W\d_])")

_ACCENTED: Mapping[str, frozenset[str]] = {
    language: frozenset(letters + letters.upper())
    for language, letters in {
        "de": "äöüß", "fr": "àâæçéèêëîïôœùûüÿ", "es": "áéíñóúü", "pt": "áâãàçéêíóôõú", "it": "àèéìíîòóùú", "nordic": "åäöæøéü", "is": "áðéíóúýþæö",
        "nl": "ëïéèöüóá", "pl": "ąćęłńóśźż", "cs": "áčďéěíňóřšťúůýž", "sk": "áäčďéíĺľňóôŕšťúýž", "hu": "áéíóöőúüű", "ro": "ăâîşţșț", "hr": "čćđšž",
        "tr": "çğıiöşüâîû", "lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūž", "et": "äõöüšž", "ca": "àçèéíïòóúü",
    }.items()
}  # fmt: skip
_LETTER_RANGES = {"greek": re.compile("[\u0370-\u03ff]"), "cyrillic": re.compile("[\u0400-\u04ff]"), "hebrew": re.compile("[\u05b0-\u05f4]"),
                  "arabic": re.compile("[\u060c-\u06d5]")}  # fmt: skip


class Guess(Struct, frozen=True):
    """An encoding (Python's name) and how surely 0..1 the bytes read like language in it."""

    encoding: str
    score: float


def guess_encoding(data: bytes) -> Guess:
    """The likeliest legacy encoding of bytes that are no UTF-8. Never fails: Western European with a low score where nothing reads well."""
    sample = sample_of(data)
    best = Guess("cp1252", 0.0)
    for encoding in CANDIDATES:
        score = reading_score(sample, encoding)
        if score > best.score + 1e-9:
            best = Guess(encoding, score)
    if sum(byte > 0x7F for byte in sample) >= FEW_CHARACTERS:
        return best
    western = best.score < 0.9 and reading_score(sample, "cp1252") > 0
    return Guess("cp1252" if western else best.encoding, min(FEW_SCORE, best.score))


def sample_of(data: bytes) -> bytes:
    """A part of the bytes that shows what they are in, at most `SAMPLE_BYTES`, from the start of a line."""
    if len(data) <= SAMPLE_BYTES:
        return data
    found = re.search(rb"[\x80-\xff]", data)
    start = max(0, found.start() - SAMPLE_BYTES // 2) if found is not None and found.start() > SAMPLE_BYTES // 2 else 0
    if start:
        start = data.find(b"\n", start, found.start() if found else None) + 1 or start
    return data[start : start + SAMPLE_BYTES]


def reading_score(sample: bytes, encoding: str) -> float:
    """How much the bytes read like language in an encoding, 0..1; 0 where they are no text in it at all."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample, final=False)
    foreign = [character for character in text if character > "\x7f"]
    if not foreign:
        return 1.0
    damaged = text.count("\ufffd") / len(foreign)
    return 0.0 if damaged > MOST_DAMAGE else _score(text, foreign, encoding) * (1 - 10 * damaged)


def _score(text: str, foreign: list[str], encoding: str) -> float:
    wide = "".join(foreign)
    han, kana, hangul, thai = (len(pattern.findall(wide)) for pattern in (_HAN, _KANA, _HANGUL, _THAI))
    total = len(foreign)
    if han + kana + hangul > 0.4 * total:
        return _east_asian(wide, encoding, han, kana, hangul)
    if thai > 0.5 * total:
        return max(0.0, thai / total - 4 * len(_THAI_OUT_OF_PLACE.findall(text)) / total) if total >= FEW_CHARACTERS else 0.0
    return _alphabetic(text, foreign)


def _east_asian(wide: str, encoding: str, han: int, kana: int, hangul: int) -> float:
    """Signs beside Han, kana and Hangul are punctuation or a misreading; kana are Japanese, Hangul Korean, in encodings of their own."""
    at_home = {"cp932": han + kana, "euc_jp": han + kana, "cp949": hangul}.get(encoding, han)
    fit = (at_home + len(_WIDE.findall(wide))) / len(wide)
    judged, common = common_share(codes_of("".join(_HANGUL.findall(wide) if hangul > han else _HAN.findall(wide))))
    if encoding in ("cp932", "euc_jp") and judged < kana / 8:
        return fit  # next to no Han: kana alone, which no other reading gives in such number
    return fit * min(1.0, common / 0.4)


def _alphabetic(text: str, foreign: list[str]) -> float:
    """Letters of one alphabet with the signs of its printers, in an order that its languages have."""
    found = likelihood(codes_of(_words_with(text)))
    pattern = _LETTER_RANGES.get(found.script)
    if pattern is not None:
        letters = len(pattern.findall("".join(foreign)))
        fit = (letters + sum(sign in _TYPOGRAPHY for sign in foreign)) / len(foreign)
    else:
        fit = max(sum(sign in known or sign in _TYPOGRAPHY for sign in foreign) for known in _ACCENTED.values()) / len(foreign)
        if not any(sign.isalpha() for sign in foreign):
            fit *= 0.7  # dashes and quotes alone: any reading has some
    mixed = _case_changes(text) if fit > 0.3 else 0.0
    return fit * fit * (1 - min(0.8, 2 * mixed)) * _nats_score(found.nats, found.pairs)


def _nats_score(nats: float, pairs: int) -> float:
    """1 for the letter pairs of prose, 0 for letters at random; between where there are few."""
    if not pairs:
        return 0.5
    return 1 / (1 + math.exp((nats - 3.6 - 1.5 / pairs**0.5) / 0.35))


def _words_with(text: str) -> str:
    """The words that hold a letter outside ASCII: these alone tell readings apart, and no markup is among them."""
    return " ".join(re.findall(r"\w*[^\x00-\x7f]\w*", text)[:3_000])


def _case_changes(text: str) -> float:
    """Share of places inside words where a small letter stands before a capital, among letters outside ASCII: KOI-8 read as Windows has it so."""
    pairs = [(text[place.start() - 1], text[place.start()]) for place in _MIXED_CASE.finditer(text[:20_000])]
    foreign = [(left, right) for left, right in pairs if left > "\x7f" or right > "\x7f"]
    return sum(left.islower() and right.isupper() for left, right in foreign) / len(foreign) if foreign else 0.0
