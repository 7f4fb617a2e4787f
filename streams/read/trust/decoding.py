"""What the character codes of each font on a page are worth: pure functions of spans.

Looks font by font, because one font may be undecodable beside sound ones. Tells apart codes without meaning (control characters, U+FFFD,
unknown private use, codes that MuPDF could not map), codes that a constant shift makes readable, and letters that are valid but no language.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct

from schemas.geometry import BBox
from schemas.unicode_forms import in_form
from streams.read.characters.normalise import PRIVATE
from streams.read.language.letter_pairs import Codes, PairCosts, codes_of, likelihood, likelihood_of, pair_costs
from streams.read.language.likelihood import (
    ENOUGH_PAIRS,
    SEPARATOR,
    Shift,
    best_shift,
    is_language,
    mostly_upper,
    shifted_share,
    unlikelihood,
    unlikelihood_once,
)
from streams.read.language.proof import is_proven

SOUND_NATS = 2.75
"""Text of a whole page up to here has no garbled font worth a look: a sixth of garble makes it 2.8."""
ALL_SHIFTED = 0.9
"""Share of a font's text that must be shifted before the shift is undone in all of it: undoing it in sound text destroys that."""
ENOUGH_LETTERS = 200
"""Letters of a page before it is judged whether they stand alone."""

FEWEST_BAD = 3
"""Undecoded characters of a page, or spans of them, from which they say something about the others: one may be a slip of the pen."""
UNDECODED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_MAPPED_PRIVATE = re.compile("[\uf020-\uf07e\uf6be\uf6d9-\uf6db\uf730-\uf739\uf761-\uf77a\uf8e5-\uf8fe]")
"""Codes whose meaning is known whatever the font: symbolic TrueType fonts keep ASCII at U+F000, and Adobe's corporate use."""
_SYMBOLS = re.compile(r"symbol|dingbat|wingding|webding|mt ?extra|bullet", re.IGNORECASE)
LEADERS = 4
"""Spans of one code each, after each other, from which they are dots that lead the eye: right-to-left lines come so."""
_LEADERS = re.compile(r"([^\w\s\ufffd])(?: ?\1){3,}")
"""One code four times in a row or more: dots that lead the eye, whatever their code."""

_REPLACED_RUN = re.compile("(?:\ufffd ?){3,}")

_HOLE = re.compile(
    "[\\d\x00-\x08\x0e-\x1f!#$%+,;<=>?@\\]\\\\^_`|}~](?=[\u0370-\u052f\u0590-\u06ff])|[\u0300-\u036f]"
    "|(?<=[A-Za-z\u00c0-\u024f])[\\d#$%+<=>@\\\\^|~](?=[A-Za-z\u00c0-\u024f])"
)
"""A digit or sign right before a letter of an alphabet other than Latin, or between two of the Latin one, or an accent that goes onto no letter: the
number of a glyph, where a map has no letter for it. Sound words have a comma or digit there once in a page."""
HOLE_SHARE = 0.05
"""Share of the words with such from which what MuPDF calls unmapped is so, however well the letters between read."""


class Span(Struct, frozen=True, gc=False):
    """What matters here of a span. `characters` leaves out white space; `apart`: it starts a line or follows a space; `box` is as MuPDF gives it."""

    text: str
    apart: bool
    font: str
    characters: int
    hidden: bool
    pale: bool
    unmapped: bool
    box: BBox


class PageText(Struct, frozen=True):
    """The text of spans (`text_of`), as codes, and its letters looked up: done once for all who judge it."""

    whole: str
    codes: Codes
    pairs: PairCosts | None


class FontShift(Struct, frozen=True):
    """In all spans of `font` (as the page names it), text is shifted; `language.unshift` undoes it."""

    font: str
    shift: Shift


class Run(Struct, frozen=True):
    """`characters` times U+FFFD in span number `span`, from one place to another along it, as shares of its length."""

    span: int
    start: float
    end: float
    characters: int


class Decoding(Struct, frozen=True, kw_only=True):
    """Counts of characters by what is wrong with them, leader dots aside.

    Each is counted once, but those of fonts in `shifts` as `shifted`, and again as `unmapped` where the shift does not make them right. `fragmented`
    is the share of letters that stand alone or in twos. `runs`: where U+FFFD stands three times or more in a row, which may be leader dots. `nats`:
    mean cost of a pair of letters of the whole page; `amiss`: there are codes without a meaning.
    """

    control: int = 0
    replacement: int = 0
    private: int = 0
    unmapped: int = 0
    shifted: int = 0
    unlikely: float = 0.0
    fragmented: float = 0.0
    shifts: tuple[FontShift, ...] = ()
    runs: tuple[Run, ...] = ()
    nats: float = 0.0
    amiss: bool = False


def page_text(spans: Sequence[Span]) -> PageText:
    """The text of a page, ready to be judged."""
    whole = text_of(spans)
    codes = codes_of(whole)
    return PageText(whole, codes, pair_costs(codes))


def text_of(spans: Sequence[Span]) -> str:
    """All text. Spans that touch are one: a word may run over spans where the font changes inside it."""
    return "".join([SEPARATOR + span.text if span.apart else span.text for span in spans])


def judge_codes(spans: Sequence[Span], text: PageText) -> Decoding:
    """Looks at the whole page first, and at single fonts only where something is amiss. `text` is of the spans."""
    whole, codes = text.whole, text.codes
    page = likelihood_of(text.pairs)
    fragmented = page.short / page.letters if page.letters >= ENOUGH_LETTERS else 0.0
    amiss = UNDECODED.search(whole) is not None or any(span.unmapped for span in spans)
    if not amiss and page.nats <= SOUND_NATS and page.others < ENOUGH_PAIRS and not mostly_upper(codes) and not unlikelihood(whole, codes, page):
        return Decoding(fragmented=fragmented, nats=page.nats)
    fonts: dict[tuple[str, bool], list[int]] = {}
    for number, span in enumerate(spans):
        fonts.setdefault((span.font, span.unmapped), []).append(number)
    unlikely, shifts = 0.0, list[FontShift]()
    counts, runs = Counter[str](), list[Run]()
    for (font, unmapped), numbers in fonts.items():
        said = SEPARATOR.join([spans[number].text for number in numbers])
        size = sum(spans[number].characters for number in numbers)
        shift, garbled, readable = _judge_font(font, said, unmapped)
        unlikely += garbled * size
        if shift and (font, not unmapped) not in fonts:
            shifts.append(FontShift(font, shift))
            counts.update(shifted=size, unmapped=sum(not shift.reaches(letter) for letter in said))
        elif amiss:
            readable = readable and not (unmapped and _has_holes(said))
            readable = readable or (unmapped and (font, False) in fonts and _are_strays([spans[number].text for number in numbers]))
            for number in _without_leaders(spans, numbers):
                counts.update(_undecoded(spans[number], readable))
                runs += _runs(number, spans[number].text)
    return Decoding(
        **counts, unlikely=unlikely, fragmented=fragmented, shifts=tuple(shifts), runs=tuple(runs), nats=page.nats, amiss=amiss
    )  # fmt: skip


def _without_leaders(spans: Sequence[Span], numbers: Sequence[int]) -> list[int]:
    """The numbers of spans less those of leader dots that stand apart: one code alone, the same in several spans after each other."""
    kept: list[int] = []
    for code, run in groupby(numbers, key=lambda number: spans[number].text.strip()):
        members = list(run)
        if len(code) != 1 or len(members) < LEADERS:
            kept += members
    return kept


def _are_strays(texts: Sequence[str]) -> bool:
    """Whether spans that MuPDF calls unmapped are so for their first characters alone, codes that no map has: one or two on a page are a slip."""
    return len(texts) < FEWEST_BAD and all(UNDECODED.match(text) and len(UNDECODED.findall(text)) == 1 for text in texts)


def _has_holes(text: str) -> bool:
    """Whether words of a font that MuPDF had to guess at lack letters, for which numbers of glyphs stand."""
    holes = len(_HOLE.findall(in_form("NFC", text)))
    return holes >= FEWEST_BAD and holes >= HOLE_SHARE * len(text.replace(SEPARATOR, " ").split())


def _undecoded(span: Span, readable: bool) -> dict[str, int]:
    """How many characters of a span have no meaning, by kind. `readable`: its font reads as language although MuPDF had to guess."""
    text = _LEADERS.sub("", span.text)
    if span.unmapped and not readable:
        if len(text) < len(span.text) and text.strip().isdecimal():
            return {}  # the dots have no code that is known; the number of a page behind them has
        return {"unmapped": len(text) - text.count(" ")}
    if not UNDECODED.search(text):
        return {}
    private = 0 if _SYMBOLS.search(span.font) else len(PRIVATE.findall(text)) - len(_MAPPED_PRIVATE.findall(text))
    return {"control": len(_CONTROL.findall(text)), "private": private, "replacement": text.count("\ufffd")}


def _runs(number: int, text: str) -> list[Run]:
    """The runs of U+FFFD in one span. Dots are narrower than letters, so only the second half of a run's share of the length is sure to be it."""
    found: list[Run] = []
    if "\ufffd" not in text:
        return found
    for match in _REPLACED_RUN.finditer(text):
        start, end = match.start(), match.end()
        sure = start if start == 0 else (start + end) / 2
        found.append(Run(number, sure / len(text), end / len(text), match.group().count("\ufffd")))
    return found


def _judge_font(font: str, text: str, unmapped: bool) -> tuple[Shift | None, float, bool]:
    """(the shift to undo, how surely 0..1 the text is garble, whether it reads as language) for all text of one font."""
    if not _SYMBOLS.search(font):
        text = _MAPPED_PRIVATE.sub(lambda match: chr(ord(match.group()) & 0xFF), text)
    codes = codes_of(text)
    found = likelihood(codes)
    foreign = mostly_upper(codes)
    sound = is_language(found) and not foreign
    if sound and not _CONTROL.search(text):
        return None, unlikelihood(text, codes, found), True
    shift = best_shift(text, suspect=unmapped)
    if shift and not is_proven(text, shift):
        return None, 1.0 if foreign else unlikelihood(text, codes, found), False
    if shift and (share := shifted_share(text, shift)) < ALL_SHIFTED:
        return None, share, False
    if shift or foreign:  # a code page that no constant undoes is garble for certain
        return shift, 0.0 if shift else 1.0, False
    garbled = unlikelihood(text, codes, found)
    return None, min(garbled, unlikelihood_once(text)) if garbled else 0.0, sound
