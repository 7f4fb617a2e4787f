"""Which words of a text look like no writing at all: letters of several scripts in one word, letters that hardly any text uses, pairs of letters or
characters that no language of the script puts together.

Promise: pure; codes in, places out. Says nothing about scripts that it has no tables for, numbers and short words. Must not know pages, fonts or PDF.

Method: a word is strange if the mean cost of its letter pairs is high under every language of its script (sound pages have 0-4 % of such words,
interchanged letters 60-90 %); of scripts without spaces, stretches of characters are taken for words, by how often each character comes in its
language.
"""

import functools
import json
import math
import unicodedata
from importlib.resources import files

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from streams.read.language.character_pairs import makes_none, makes_words, unknown_lines
from streams.read.language.letter_pairs import BMP, Codes, PairCosts, in_runs

Mask = NDArray[np.bool_]

CHANCE = 5.0
"""Two standard deviations of a count of letters that come six by six: twenty-five letters are nothing, a hundred are fifty."""
LONG_WORD = 4
"""Letters from which a word is judged: shorter ones are abbreviations as often as not."""
RARE_NATS = {"latin": 3.35, "cyrillic": 3.6, "greek": 3.6, "arabic": 3.9, "hebrew": 3.65}
"""Mean cost of a pair from which a word is strange: one sound word in fifty has more, but two in three of interchanged letters."""
STRETCH = 48
"""Characters of a stretch of Han, kana or Hangul: its mean cost varies by a quarter of a nat by chance."""
RARE_CHARACTERS_NATS = {"chinese": 7.45, "japanese": 7.1, "korean": 6.9}
"""Mean cost of a character from which a stretch is strange. Prose has 6.3, 5.5 and 5.6; interchanged characters 7.6 and more."""
WHOLE, WHOLE_NATS = 300, {"chinese": 7.1, "japanese": 6.4, "korean": 6.5}
"""Characters from which a text is judged as a whole, and the mean cost from which it is strange: of prose, accounts and notes it is within 0.4 of the
mean, and kana taken for their neighbours, which come as often as they, make it 6.5."""
LINE, LINE_NATS = 4, {"chinese": 6.9, "japanese": 6.0, "korean": 6.2}
"""Characters from which a line is looked at by itself, and the mean cost from which it may be strange: lines of a broken font among sound ones."""
USUAL_BELOW = 0.5
"""How far below `LINE_NATS` the mean cost of most sound pages stays: half of them need no look at which characters stand side by side."""
UNKNOWN_NATS = 10.5
"""Cost of a character that is in no table."""
UNCOMMON_NATS = 8.5
"""Cost of a character from which it is uncommon: 4 % of those of prose are."""
MOSTLY, LAST_ACCENTED = 0.75, 0x17F
NEUTRAL, LATIN, GREEK, CYRILLIC, HEBREW, ARABIC, IDEOGRAPHS, OTHER, ODD, SIGN = range(10)
_BLOCKS = (
    (LATIN, 0x41, 0x24F), (GREEK, 0x370, 0x3FF), (CYRILLIC, 0x400, 0x52F), (OTHER, 0x531, 0x587), (HEBREW, 0x5D0, 0x5F2), (ARABIC, 0x620, 0x6FF),
    (OTHER, 0x700, 0x1CFF), (LATIN, 0x1E00, 0x1EFF), (GREEK, 0x1F00, 0x1FFF), (OTHER, 0x2C00, 0x2DDF), (IDEOGRAPHS, 0x3005, 0x30FF),
    (OTHER, 0x3105, 0x318E), (IDEOGRAPHS, 0x31F0, 0x31FF), (IDEOGRAPHS, 0x3400, 0x9FFF), (OTHER, 0xA000, 0xABFF), (IDEOGRAPHS, 0xAC00, 0xD7A3),
    (IDEOGRAPHS, 0xF900, 0xFAFF), (LATIN, 0xFB00, 0xFB06), (OTHER, 0xFB13, 0xFB17), (HEBREW, 0xFB1D, 0xFB4F), (ARABIC, 0xFB50, 0xFDFF),
    (ARABIC, 0xFE70, 0xFEFC), (LATIN, 0xFF21, 0xFF5A), (IDEOGRAPHS, 0xFF66, 0xFF9F),
)  # fmt: skip
_ODD_BLOCKS = (
    (0x180, 0x24F), (0x250, 0x2BA), (0x2BD, 0x2C5), (0x2C8, 0x2D7), (0x2DE, 0x2FF), (0x346, 0x362), (0x370, 0x377), (0x3CF, 0x3FF), (0x460, 0x489),
    (0x483, 0x487), (0x4FA, 0x52F), (0x1D00, 0x1DBF),
)  # fmt: skip
"""Letters that appear in text of few small languages, in phonetics and in old manuscripts, and wherever glyph numbers are taken for letters."""
_SIGNS = ((0xA1, 0xBF), (0x2020, 0x2024), (0x2190, 0x2BFF))
_INSIDE = "·\u00b4\u00b7’§"
"""Signs that stand inside words: the Catalan middle dot, accents set apart."""
_BYTES = "¤¦"
"""Signs that nobody sets, and bytes of Japanese and Chinese code pages."""
QUESTION, SPACE, FEWEST_QUESTIONS = 0x3F, 0x20, 4
_NONE = np.zeros(1, np.bool_)
EDGE = 0xFFFF
"""Stands between lines (`language.SEPARATOR`)."""
ACCENTS = (0x300, 0x36F)
"""Marks that go onto the letter before them."""
_USED = "ƏəƒƠơƯưȘșȚțǍǎǏǐǑǒǓǔƆɔƐɛŊŋ"
"""Of those, the ones that whole languages write with."""


class Strangeness(Struct, frozen=True):
    """By code of the text: whether it is a judged letter, and whether it is of a word of a strange kind. Shapes (n,)."""

    letters: Mask
    rare: Mask
    mixed: Mask
    odd: Mask

    @property
    def strange(self) -> Mask:
        """Letters of words that are strange in any way."""
        found: Mask = self.rare | self.mixed | self.odd
        return found

    def share(self, mask: Mask) -> float:
        """Share of the letters, less what chance gives: a strange word or two on a page mean nothing."""
        count, total = float(np.count_nonzero(mask)), int(np.count_nonzero(self.letters))
        return max(0.0, count - CHANCE * math.sqrt(count)) / max(1, total)


@functools.cache
def _classes() -> NDArray[np.uint8]:
    """The class of each code point up to U+FFFF; built once a process, 15 ms."""
    table = np.zeros(BMP, np.uint8)
    for number, first, last in _BLOCKS:
        for code in range(first, last + 1):
            if unicodedata.category(chr(code))[0] == "L":
                table[code] = number
    for first, last in _ODD_BLOCKS:
        for code in range(first, last + 1):
            if chr(code) not in _USED and (code <= ACCENTS[1] or unicodedata.category(chr(code)) != "Mn"):
                table[code] = ODD
    for code in range(0x530, 0xD800):
        if unicodedata.category(chr(code)) == "Cn":
            table[code] = ODD
    for first, last in _SIGNS:
        for code in range(first, last + 1):
            if unicodedata.category(chr(code)) in ("So", "Sm", "Sc", "No", "Pi", "Pf", "Po") and chr(code) not in _INSIDE:
                table[code] = SIGN
    table[list(map(ord, _BYTES))] = ODD
    return table


@functools.cache
def _characters() -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """(languages, cost of each code point in each of them); 5 ms."""
    tables = json.loads(files(__package__).joinpath("ideographs.json").read_text(encoding="utf-8"))
    costs = np.full((len(tables), BMP), UNKNOWN_NATS, np.float32)
    for row, table in enumerate(tables.values()):
        known = np.frombuffer(table["costs"].encode("latin-1"), np.uint8).astype(np.float32)
        costs[row, [ord(letter) for letter in table["characters"]]] = (known - 35) / 10
    return tuple(tables), costs


def rare_characters(codes: Codes) -> tuple[str, NDArray[np.bool_], int]:
    """(language, which of the codes are uncommon characters of it that come once, how many characters it judges) for Han, kana and Hangul."""
    places = np.flatnonzero(_classes().take(codes) == IDEOGRAPHS)
    once = np.zeros(len(codes), np.bool_)
    if not len(places):
        return "", once, 0
    languages, costs = _characters()
    found = costs[:, codes[places]]
    language = int(found.mean(axis=1).argmin())
    rare = found[language] >= UNCOMMON_NATS
    once[places] = rare & (np.bincount(codes[places], minlength=BMP)[codes[places]] == 1)
    return languages[language].split()[0], once, len(places)


def judge_words(codes: Codes, text: PairCosts | None) -> Strangeness:
    """Looks at every word of a text; `text` is of `codes`. Dots that lead the eye are none, whatever letter stands for them."""
    classes = _classes().take(codes)
    classes[in_runs(codes)] = NEUTRAL
    _mark_stranded(codes, classes)
    _mark_unknown(codes, classes)
    kinds = np.bincount(classes, minlength=SIGN + 1)
    rare = np.zeros(len(codes), np.bool_)
    if kinds[NEUTRAL] + kinds[SIGN] == len(codes):
        return Strangeness(rare, rare, rare, rare)
    letters = (classes != NEUTRAL) & (classes != SIGN) if kinds[SIGN] else classes != NEUTRAL
    if kinds[LATIN:IDEOGRAPHS].any() and text is not None:
        _mark_rare_words(text, rare)
    if kinds[IDEOGRAPHS]:
        _mark_rare_stretches(codes, np.flatnonzero(classes == IDEOGRAPHS), rare)
    odd = _upper_words(codes, letters)
    if kinds[ODD]:
        odd |= classes == ODD
    # Most pages have letters of one script: none beside one of another.
    if not kinds[SIGN] and np.count_nonzero(kinds[LATIN:SIGN]) == 1 and not odd.any():
        return Strangeness(letters, rare, odd, odd)
    first, second = classes[:-1], classes[1:]
    beside = (first != second) & letters[:-1] & letters[1:] & (first != IDEOGRAPHS) & (second != IDEOGRAPHS)
    spelled = (classes >= LATIN) & (classes <= ARABIC)
    within = spelled[:-2] & (classes[1:-1] == SIGN) & spelled[2:]
    if not beside.any() and not within.any() and not odd.any():
        return Strangeness(letters, rare, odd, odd)
    mixed = np.zeros(len(codes), np.bool_)
    mixed[:-1] |= beside
    mixed[1:] |= beside
    mixed[:-2] |= within
    mixed[2:] |= within
    return Strangeness(letters, rare, _widened(mixed, letters), odd)


def _mark_stranded(codes: Codes, classes: NDArray[np.uint8]) -> None:
    """Accents that stand on no letter are odd: numbers of glyphs, taken for codes."""
    accents = (codes >= ACCENTS[0]) & (codes <= ACCENTS[1])
    if accents.any():
        bare = np.concatenate((np.ones(1, np.bool_), ((classes[:-1] == NEUTRAL) | (classes[:-1] == SIGN)) & ~accents[:-1]))
        classes[accents & bare] = ODD


def _mark_unknown(codes: Codes, classes: NDArray[np.uint8]) -> None:
    """Makes question marks odd that stand between letters, or side by side as words do: what an exporter puts for letters that it has no code for."""
    marks = codes == QUESTION
    if np.count_nonzero(marks) < FEWEST_QUESTIONS:
        return
    known = (classes >= LATIN) & (classes <= OTHER)
    before, behind = (np.concatenate(pair) for pair in ((_NONE, known[:-1]), (known[1:], _NONE)))
    twin = np.concatenate((_NONE, marks[:-1])) | np.concatenate((marks[1:], _NONE))
    open_before = np.concatenate((_NONE, codes[:-1] == SPACE))
    classes[marks & ((before & behind) | (twin & ~before & (open_before | np.concatenate((_NONE, marks[:-1])))))] = ODD


def _mark_rare_words(found: PairCosts, rare: Mask) -> None:
    """Sets `rare` for the words of the page's main script that no language has."""
    starts, lengths, mean = found.words(LONG_WORD)
    limit = RARE_NATS[found.script]
    for place in np.flatnonzero(mean > limit).tolist():
        start, length = int(starts[place]), int(lengths[place])
        if found.best_mean(start, length) > limit:
            rare[start : start + length] = True


def _mark_rare_stretches(codes: Codes, places: NDArray[np.intp], rare: Mask) -> None:
    """Sets `rare` for stretches of uncommon characters that make no words. A rest shorter than a stretch goes with the one before."""
    languages, costs = _characters()
    found = costs[:, codes[places]]
    language = int(found.mean(axis=1).argmin())
    if len(places) >= WHOLE and found[language].mean() > WHOLE_NATS.get(languages[language], WHOLE_NATS["chinese"]):
        rare[places] = not makes_words(codes, places)
        return
    _mark_strange_lines(codes, places, found[language], LINE_NATS.get(languages[language], LINE_NATS["chinese"]), rare)
    count = max(1, len(places) // STRETCH)
    edges = np.minimum(np.arange(count + 1) * STRETCH, len(places))
    edges[-1] = len(places)
    sizes = np.diff(edges)
    mean = np.add.reduceat(found[language], edges[:-1]) / sizes
    limit = RARE_CHARACTERS_NATS.get(languages[language], RARE_CHARACTERS_NATS["chinese"]) + np.maximum(
        0.0, 2.0 * (sizes.astype(np.float32) ** -0.5 - STRETCH**-0.5)
    )
    for number in np.flatnonzero(mean > limit).tolist():
        stretch = places[edges[number] : edges[number + 1]]
        rare[stretch] = not makes_words(codes, stretch)


def _mark_strange_lines(codes: Codes, places: NDArray[np.intp], costs: NDArray[np.float32], limit: float, rare: Mask) -> None:
    """Sets `rare` for the lines of uncommon characters, or of characters side by side that no word has, if all these lines together make no words.

    `costs` are of the characters at `places`.
    """
    begins = np.diff(np.cumsum(codes == EDGE)[places], prepend=-1) > 0
    starts = np.flatnonzero(begins)
    sizes = np.diff(starts, append=len(places))
    doubtful = (np.add.reduceat(costs, starts) > limit * sizes) & (sizes >= LINE)
    if costs.mean() > limit - USUAL_BELOW:
        doubtful |= unknown_lines(codes, places, np.cumsum(begins) - 1)
    chosen = places[np.repeat(doubtful, sizes)]
    if makes_none(codes, chosen):
        rare[chosen] = True


def _upper_words(codes: Codes, letters: Mask) -> Mask:
    """Words of three letters and more that are nearly all accented Latin ones: bytes of another code page, numbers of glyphs. `été` is not."""
    upper = (codes >= 0xC0) & (codes <= LAST_ACCENTED)
    found = np.zeros(len(codes), np.bool_)
    if np.count_nonzero(upper) < LONG_WORD:
        return found
    edges = np.flatnonzero(np.diff(letters.astype(np.int8), prepend=0, append=0))
    starts, ends = edges[::2], edges[1::2]
    counts = np.add.reduceat(np.append(upper, False).astype(np.int32), starts)
    for place in np.flatnonzero((counts >= MOSTLY * (ends - starts)) & (ends - starts >= LONG_WORD - 1)).tolist():
        found[starts[place] : ends[place]] = True
    return found


def _widened(mask: Mask, letters: Mask) -> Mask:
    """Whole words (runs of letters) of which any letter is set."""
    edges = np.flatnonzero(np.diff(letters.astype(np.int8), prepend=0, append=0))
    starts, ends = edges[::2], edges[1::2]
    hit = np.add.reduceat(np.append(mask, False).astype(np.int32), starts) > 0 if len(starts) else np.zeros(0, np.bool_)
    steps = np.zeros(len(mask) + 1, np.int32)
    np.add.at(steps, starts[hit], 1)
    np.add.at(steps, ends[hit], -1)
    widened: Mask = np.cumsum(steps[:-1]) > 0
    return widened
