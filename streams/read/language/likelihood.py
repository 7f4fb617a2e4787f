"""Whether a run of text is language, and whether a constant shift of all its codes makes it so.

Promise: pure; text in, numbers and text out. Text that cannot be judged (few letters, few different ones, scripts without a table, numbers) is
never called unlikely. Must not know pages, fonts or PDF.

Figures, in nats a letter pair under the best of the tables (`letter_pairs.py`): prose 2.2-2.8; sound tables of a page up to 2.9, of two lines
up to 3.7; languages that have no table 2.4-3.2 in Latin, 2.8-3.7 in Cyrillic and Arabic script; letters interchanged 3.4-4.3 in
Latin, 4.6-5.3 in Cyrillic, 3.9-4.7 in the others. The fewer pairs, the wider all of these spread, as one over the root of their number.
"""

import functools
import re

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from streams.read.language.letter_pairs import Codes, Likelihood, codes_of, common_share, likelihood

LANGUAGE_NATS = {"latin": 2.95, "greek": 2.95, "cyrillic": 3.3, "hebrew": 3.1, "arabic": 3.1}
"""Text of very many pairs up to here is language for certain. More is allowed to fewer pairs, by `LANGUAGE_SPREAD` / root of their number."""
LANGUAGE_SPREAD = 3.0
GARBLE_NATS = {"latin": 3.1, "greek": 3.35, "cyrillic": 4.0, "hebrew": 3.45, "arabic": 3.5}
"""From here on text of very many pairs is suspect, and garble `CERTAIN` above; both later for fewer pairs, by `GARBLE_SPREAD` / root."""
GARBLE_SPREAD = 5.0
CERTAIN = 0.5
CAPITALS = 0.6
"""Nats more that capitals get: codes, tickers and abbreviations are set in them, hardly ever the body of a page."""
ENOUGH_PAIRS = 60
"""Letter pairs before a text is judged: about two lines."""
FEW_LETTERS = 9
"""Different letters below which a text is a sequence or marks, not language."""
VIETNAMESE = 0.04
"""Share of letters from U+1EA0 to U+1EF9 that marks Vietnamese, for which there is no table."""
ENOUGH_COMMON = 50
COMMON_SHARE = (0.22, 0.08)
"""Share of common Han and Hangul characters below which a text is suspect, and garble: sound pages have 0.5-0.7, random characters 0.03."""
LETTERS_BY_FREQUENCY = "etaoinsrhldcumfpgwybvkxjqz"
SHIFTS = 255
"""Glyph numbers of a subset font differ from ASCII by less; tried in both directions."""
CODE_PAGES = (0x350, 0x2D0, 0x4F0, 0x560)
"""From bytes of windows-1251, ISO 8859-7, -8 and -6, read as Latin-1, to Cyrillic, Greek, Hebrew and Arabic letters."""
LEAST_PAIRS = 40
LEAST_GAIN = 0.9
"""Nats a pair that a shift must win: a wrong one wins about nothing, the right one 1.5 to 3."""
LEAST_REACHED = 0.8
"""Share of the codes that a shift must reach: the rest are accented letters and signs that lie elsewhere in the font."""
FEW_PAIRS = 12
"""Letter pairs with which a single span may vote on a shift: two or three words."""
SAMPLE_NATS = 4.1
"""The limit for samples of type (alphabets, sentences of rare letters), if shifting leaves plain words in plain type and nothing else."""
SAMPLE_REACHED = 0.99
FEW_CODES = 14
"""Different codes that language has at the least; columns of numbers have fewer."""
BROKEN = 0.03
"""Share of control characters that no sound text has."""
UPPER = 0xC0
MOSTLY_UPPER = 0.4
"""Share of letters from U+00C0 to U+00FF that no Latin-1 language reaches; accents are one letter in six at most."""
SEPARATOR = "\uffff"
"""Joins spans before they are judged: no font has it, and no shift reaches it."""


_NO_LETTERS = re.compile(r"[\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_CODE = re.compile(r"\b[A-Z]{1,5}[-–/]?\d[\w.\-–/]*")
"""Part numbers: their letters follow no language, and a page of them is sound."""


class Shift(Struct, frozen=True, kw_only=True):
    """A constant to add to the codes from `first` to `last`. `keeps_space`: U+0020 stands for a gap that the parser saw, not for a code."""

    offset: int
    first: int
    last: int
    keeps_space: bool = False

    def reaches(self, letter: str) -> bool:
        """Whether a character is right once the shift is undone: it was shifted, it is a gap, or plain beside letters of a code page."""
        return ord(letter) <= self.last or letter == SEPARATOR


def is_language(found: Likelihood) -> bool:
    """Whether a text is language for certain."""
    return found.pairs >= LEAST_PAIRS and found.nats <= LANGUAGE_NATS[found.script] + LANGUAGE_SPREAD / found.pairs**0.5


def unlikelihood(text: str, codes: Codes, found: Likelihood) -> float:
    """How surely 0..1 a text is garble made of valid letters; 0 for what cannot be judged. `codes` and `found` are of the text."""
    return max(_unlikely_letters(text, found), _rare_characters(codes))


def without_repeats(text: str) -> str:
    """The words of a text, each once, joined by `SEPARATOR`, whatever digits and signs stand at it; of scripts without spaces, its runs.

    What a table or a page of contents says thirty times, it says once.
    """
    return SEPARATOR.join({_NO_LETTERS.sub("", word): word for word in text.replace(SEPARATOR, " ").split()}.values())


def unlikelihood_once(text: str) -> float:
    """`unlikelihood` of a text's words, each taken once; 1 where so few are left that they cannot be judged."""
    codes = codes_of(without_repeats(text))
    found = likelihood(codes)
    return unlikelihood(text, codes, found) if found.pairs >= ENOUGH_PAIRS or common_share(codes)[0] >= ENOUGH_COMMON else 1.0


def _unlikely_letters(text: str, found: Likelihood) -> float:
    if found.pairs < ENOUGH_PAIRS:
        return 0.0
    start: float = GARBLE_NATS[found.script] + GARBLE_SPREAD / found.pairs**0.5
    if found.nats > start and _CODE.search(text):
        text = _CODE.sub(" ", text)
        found = likelihood(codes_of(text))
        if found.pairs < ENOUGH_PAIRS:
            return 0.0
        start = GARBLE_NATS[found.script] + GARBLE_SPREAD / found.pairs**0.5
    if found.nats <= start or len({letter for letter in text.lower() if letter.isalpha()}) < FEW_LETTERS:
        return 0.0
    if sum("Ạ" <= letter <= "ỹ" for letter in text) > VIETNAMESE * len(text):
        return 0.0
    if 2 * sum(len(word) for word in _WORD.findall(text) if word.isupper()) > found.letters:
        start += CAPITALS
    return min(1.0, max(0.0, (found.nats - start) / CERTAIN))


def _rare_characters(codes: Codes) -> float:
    judged, common = common_share(codes)
    if judged < ENOUGH_COMMON or common >= COMMON_SHARE[0]:
        return 0.0
    return min(1.0, (COMMON_SHARE[0] - common) / (COMMON_SHARE[0] - COMMON_SHARE[1]))


def mostly_upper(codes: Codes) -> bool:
    """Whether the letters are mostly from the upper half of Latin-1: another code page read as that one."""
    upper = np.count_nonzero((codes >= UPPER) & (codes <= 0xFF))
    return bool(upper >= LEAST_PAIRS and upper > MOSTLY_UPPER * np.count_nonzero((codes > 0x40) & (codes != ord(SEPARATOR))))


@functools.cache
def _ascii_costs() -> NDArray[np.float64]:
    """-ln P of the codes 0..127 in plain text, roughly: enough to propose shifts, which pairs then decide."""
    costs = np.full(128, 14.0)
    costs[33:127] = 7.0
    costs[32] = 1.9
    for rank, letter in enumerate(LETTERS_BY_FREQUENCY):
        costs[ord(letter)] = 2.2 + 0.16 * rank
        costs[ord(letter.upper())] = 5.0 + 0.16 * rank
    costs[48:58] = 5.0
    return costs


def best_shift(text: str, suspect: bool = False) -> Shift | None:
    """The constant shift of codes that makes language of a text which is none; None when no shift does.

    A text with control characters, or `suspect` for another reason, is broken for certain. Others must have letters that are no language.
    """
    codes = codes_of(text)
    before = likelihood(codes)
    broken = suspect or _control_share(codes) > BROKEN or mostly_upper(codes)
    if not broken and before.pairs < LEAST_PAIRS:
        return None  # numbers and signs: no evidence that anything is wrong
    best: tuple[float, Shift] | None = None
    for shift in _proposals(codes):
        shifted = _shifted(codes, shift)
        after = likelihood(shifted)
        reached = _reached(codes, shift)
        if after.pairs < LEAST_PAIRS or reached < LEAST_REACHED or len(np.unique(shifted)) < FEW_CODES:
            continue
        language = is_language(after) and (broken or after.nats <= before.nats - LEAST_GAIN)
        sample = broken and reached >= SAMPLE_REACHED and after.nats <= min(SAMPLE_NATS, before.nats - LEAST_GAIN / 2) and _is_plain(shifted)
        if (language or sample) and (best is None or after.nats < best[0]):
            best = after.nats, shift
    return best[1] if best else None


def shifted_share(text: str, shift: Shift) -> float:
    """Share of a text that reads better with the shift undone, judged span by span.

    Below 1 where sound text and shifted text have one font name, as two subsets of a font may. Spans do not vote that have few letters, or are
    language neither way: one alphabet is as unlikely as another, shifted or not.
    """
    better = votes = 0
    for part in text.split(SEPARATOR):
        codes = codes_of(part)
        before, after = likelihood(codes), likelihood(_shifted(codes, shift))
        if max(before.pairs, after.pairs) >= FEW_PAIRS and min(before.nats, after.nats) <= SAMPLE_NATS:
            votes += len(part)
            better += len(part) if not before.pairs or (after.pairs >= before.pairs / 2 and after.nats < before.nats) else 0
    return better / votes if votes else 1.0


def _control_share(codes: Codes) -> float:
    """Share of control codes, separators aside."""
    control = (codes < 0x20) | ((codes >= 0x7F) & (codes < 0xA0))
    return float(control.sum() / max(1, (codes != ord(SEPARATOR)).sum()))


def _reached(codes: Codes, shift: Shift) -> float:
    """Share of the codes that are right after a shift (see `Shift.reaches`), spaces and separators aside."""
    judged = codes[(codes != 0x20) & (codes != ord(SEPARATOR))]
    return float((judged <= shift.last).mean()) if len(judged) else 0.0


def _is_plain(codes: Codes) -> bool:
    """Words in plain type: a space for every 3 to 12 codes, and more lower case than capitals."""
    total = int((codes != ord(SEPARATOR)).sum())
    spaces, lower = int((codes == 0x20).sum()), int(((codes >= 0x61) & (codes <= 0x7A)).sum())
    return total / 12 <= spaces <= total / 3 and lower > int(((codes >= 0x41) & (codes <= 0x5A)).sum())


def _proposals(codes: Codes) -> list[Shift]:
    """The three shifts to ASCII that single characters like best, and the code pages when most letters are from the upper half of Latin-1."""
    low = codes[(codes < 512) & (codes != 0x20)]
    if len(low) < LEAST_PAIRS:
        return []
    costs = np.full(512 + 2 * SHIFTS, 14.0)
    costs[SHIFTS : SHIFTS + 128] = _ascii_costs()
    totals = np.correlate(costs, np.bincount(low, minlength=512).astype(np.float64), "valid")
    totals[SHIFTS] = np.inf
    shifts = [_ascii_shift(codes.astype(np.int32), int(place) - SHIFTS) for place in np.argsort(totals)[:3]]
    if mostly_upper(codes):
        shifts += [Shift(offset=offset, first=UPPER, last=0xFF, keeps_space=True) for offset in CODE_PAGES]
    return shifts


def _ascii_shift(codes: NDArray[np.int32], offset: int) -> Shift:
    """A shift into printable ASCII. A plain space is a gap seen by the parser where another code is the space, or where it would become a sign."""
    real, plain = int((codes == 0x20 - offset).sum()), int((codes == 0x20).sum())
    return Shift(offset=offset, first=max(0, -offset), last=min(511, 0x7E - offset), keeps_space=real > plain or not _is_letter(0x20 + offset))


def _is_letter(code: int) -> bool:
    return 0 <= code < 128 and chr(code).isalpha()


def _shifted(codes: Codes, shift: Shift) -> Codes:
    moved = (codes >= shift.first) & (codes <= shift.last)
    if shift.keeps_space:
        moved &= codes != 0x20
    return np.where(moved, codes.astype(np.int32) + shift.offset, codes).astype(np.uint16)


def unshift(text: str, shift: Shift) -> str:
    """The text with a shift undone. Codes outside the shift's range stay as they are."""
    codes = _shifted(codes_of(text), shift)
    return codes.astype("<u2").tobytes().decode("utf-16-le", "replace")
