"""Words to text lines and chunks: the text side of a table.

Words that print the same text twice on one spot are one word. A line is what shares a baseline across the whole width looked at, so the
cells of one row are one line. A chunk is a piece of a line without a gap wide enough to separate columns.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from schemas.geometry import BBox
from streams.read.characters.normalise import hyphens_of_numbers
from streams.read.tables.reading import CJK, line_text
from streams.read.tables.rulings import LIMIT_PT, Segment

Word = tuple[float, float, float, float, str, int]
"""Box, text, and the index of the word among the page's words."""

SAME_LINE = 0.5
"""Share of the lower word's height that two words of a line have in common. Superscripts have more, lines set solid have 0.2."""
OVERPRINTS = 4
"""Words further back in a line than this are no copies of a word."""
CHUNK_GAP = 0.5
"""A gap of this share of the word height separates chunks: 0.6 em, where a space is 0.25 em, in justified text up to 0.5 em."""
EDGE_GAP = 0.33
"""At a known column edge a gap of this share separates: wider than a space."""
TURNED, TURNED_LETTERS = 1.8, 3
"""A word of this many letters that is this many times as high as wide runs up or down the page."""
TYPED_RULES, TYPED_RULE_LETTERS = "-=_–—", 8
"""A word of this many of one of these signs is a rule that was typed; blanks of forms are as long, and no text of a table either."""
FULL_WIDTH = "\u2e80"
"""Signs from here on are Chinese, Japanese and Korean: of one width in any face."""
TYPEWRITER_SPACES = 1.3
"""In a typewriter face a gap of this many letters separates; a space is one."""
VALUE_GAP = 0.3
"""The same between two numbers: a column of numbers may be set tight, and numbers seldom follow each other within a cell."""

CURRENCIES = frozenset(
    ["$", "€", "£", "¥", "₹", "₽", "US$", "C$", "A$", "HK$", "R$", "CHF", "EUR", "USD", "GBP", "JPY", "CNY", "INR", "SEK", "NOK", "DKK"]
)
"""Signs and codes that stand apart before their number, at the other edge of its cell."""
BULLET_SIGNS = "•◦▪▫■□●○‣⁃∙·➢✓✔►"
"""Signs before the items of a list that stand for nothing else in a table, as dashes and stars do."""

_VALUE = re.compile(r"[(\[<>≤≥±~≈+\-−–$€£¥₹#]*\d[\d.,:/'’%$€£\-–−]*[%)\]*†‡§°]*[A-Za-z]?[%)\]]*")
_VOID = re.compile(r"[-–—−―.…*†‡§#‼:/]+|n/?a\.?|N/?A\.?|NA|x|X|✓|✔|Ref|nil", re.UNICODE)
_THOUSANDS, _LAST_GROUP = re.compile(r"[-+−(]?\d{1,3}"), re.compile(r"\d{3}[.,]\d+[)%]?")


class Line(Struct, gc=False):
    """Words on one baseline from left to right, between two y. `chunks` is kept by `chunks_of`: a finished line does not change."""

    words: list[Word]
    y0: float
    y1: float
    chunks: "tuple[Chunk, ...] | None" = None

    @property
    def height(self) -> float:
        """Height in points."""
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        """The y of its middle."""
        return (self.y0 + self.y1) / 2


class Chunk(Struct, frozen=True, gc=False):
    """A piece of a line that is one cell's at least in part. `letter`: the width of a letter, in a typewriter face."""

    x0: float
    x1: float
    words: tuple[Word, ...]
    letter: float = 0.0


def words_of(page_words: Sequence[Sequence[Any]]) -> list[Word]:
    """The words that can stand in cells, with text and a box on the page, by the height of their middle. PyMuPDF's tuples come in."""
    words = [
        (y0 + y1, x0, x1, text, index, y0, y1)
        for index, (x0, y0, x1, y1, text, *_) in enumerate(page_words)
        if -LIMIT_PT < x0 < x1 < LIMIT_PT
        and -LIMIT_PT < y0 < y1 < LIMIT_PT
        and text
        and not text.isspace()
        and not (len(text) >= TYPED_RULE_LETTERS and _is_typed_rule(text))
    ]
    words.sort()  # the index is the last that is compared: no two have the same
    return [(x0, y0, x1, y1, text, index) for _, x0, x1, text, index, y0, y1 in words]


def typed_rules(page_words: Sequence[Sequence[Any]]) -> list[Segment]:
    """The horizontal rules that a typist makes of dashes, as segments in the middle of their words."""
    return [((w[1] + w[3]) / 2, w[0], w[2]) for w in page_words if len(w[4]) >= TYPED_RULE_LETTERS and _is_typed_rule(w[4]) and w[0] < w[2]]


def _is_typed_rule(text: str) -> bool:
    return text[0] in TYPED_RULES and text.count(text[0]) == len(text)


def words_in(words: Sequence[Word], box: BBox) -> list[Word]:
    """The words whose middle is in a box. `words` are sorted as `words_of` gives them, and so is the result."""
    x0, x1 = box[0] * 2, box[2] * 2
    first, last = bisect_left(words, box[1] * 2, key=_doubled_middle), bisect_right(words, box[3] * 2, key=_doubled_middle)
    return [w for w in words[first:last] if x0 <= w[0] + w[2] <= x1]


def is_vertical(word: Word) -> bool:
    """Whether a word runs up or down the page: several characters in a box much taller than wide."""
    return len(word[4]) >= TURNED_LETTERS and word[3] - word[1] > TURNED * (word[2] - word[0])


def text_lines(words: Iterable[Word]) -> list[Line]:
    """Lines from top to bottom. Turned words are left out; words printed twice on one spot are kept once."""
    lines: list[Line] = []
    own: list[Word] = []
    top = bottom = 0.0
    for word in _downwards(words):
        x0, y0, x1, y1, text, _ = word
        height = y1 - y0
        if height > TURNED * (x1 - x0) and len(text) >= TURNED_LETTERS:
            continue
        if own:
            common = (bottom if bottom < y1 else y1) - (top if top > y0 else y0)
            if common >= SAME_LINE * (height if height < bottom - top else bottom - top):
                own.append(word)
                if height > bottom - top:
                    top, bottom = y0, y1
                continue
            lines.append(Line(without_overprint(own) if len(own) > 1 else own, top, bottom))
        own, top, bottom = [word], y0, y1
    if own:
        lines.append(Line(without_overprint(own) if len(own) > 1 else own, top, bottom))
    return lines


def _downwards(words: Iterable[Word]) -> list[Word]:
    """The words by the height of their middle. Mostly they are in that order already, which is told faster than they are sorted."""
    ordered = list(words)
    middles = [word[1] + word[3] for word in ordered]
    if middles != sorted(middles):
        ordered.sort(key=_doubled_middle)
    return ordered


def _doubled_middle(word: Word) -> float:
    return word[1] + word[3]


def without_overprint(words: list[Word]) -> list[Word]:
    """Words from left to right without those that print the same text again on nearly the same spot."""
    words.sort()
    if len({word[4] for word in words}) == len(words):
        return words
    kept: list[Word] = []
    for word in words:
        for other in kept[-OVERPRINTS:]:
            if other[4] == word[4]:
                slack = max(1.0, 0.2 * (word[3] - word[1]))
                if abs(other[0] - word[0]) <= slack and abs(other[1] - word[1]) <= slack:
                    break
        else:
            kept.append(word)
    return kept


def between(above: Line, below: Line) -> float:
    """The y between two lines, so that the middles of the words of each stay on their side."""
    return (above.y1 + below.y0) / 2 if above.y1 <= below.y0 else (above.middle + below.middle) / 2


def chunks_of(line: Line) -> tuple[Chunk, ...]:
    """A line cut at every gap that may separate columns."""
    if line.chunks is None:
        words = line.words
        if len(words) == 1:
            line.chunks = (Chunk(words[0][0], words[0][2], tuple(words)),)
            return line.chunks
        letter = _typewriter_letter(words) if len(words) >= 3 else 0.0
        chunks = []
        start, end = 0, words[0][2]
        for i in range(1, len(words)):
            word = words[i]
            gap = word[0] - end
            before = words[i - 1]
            height, other = before[3] - before[1], word[3] - word[1]
            # Most spaces are less than separates anything.
            if gap >= VALUE_GAP * (other if other < height else height) and gap >= _separating(before, word, CHUNK_GAP, letter, gap):
                chunks.append(Chunk(words[start][0], end, tuple(words[start:i]), letter))
                start, end = i, word[2]
            elif word[2] > end:
                end = word[2]
        chunks.append(Chunk(words[start][0], end, tuple(words[start:]), letter))
        line.chunks = tuple(chunks)
    return line.chunks


def separates(before: Word, after: Word, letter: float) -> bool:
    """Whether the gap between two words of a chunk, at a known column edge, parts cells: wider than a space, or before a number."""
    gap = after[0] - before[2]
    return is_value(after[4]) or gap >= _separating(before, after, EDGE_GAP, letter, gap)


def _typewriter_letter(words: Sequence[Word]) -> float:
    """The width of a letter where all words of a line have letters of one width, else 0. A space is then as wide as a letter."""
    narrowest = widest = 0.0
    count = 0
    for x0, _, x1, _, text, _ in words:
        letters = len(text)
        if letters >= 3 and text[0] < FULL_WIDTH:
            width = (x1 - x0) / letters
            narrowest = width if not count or width < narrowest else narrowest
            widest = width if width > widest else widest
            count += 1
            if widest > 1.05 * narrowest:
                return 0.0
    return widest if count >= 3 else 0.0


def _separating(before: Word, after: Word, share: float, letter: float, gap: float) -> float:
    """From which width on the gap between two words separates. Whether they are numbers is asked only of a `gap` that this decides about."""
    height, other = before[3] - before[1], after[3] - after[1]
    height = other if other < height else height
    least, usual = VALUE_GAP * height, max(share * height, TYPEWRITER_SPACES * letter)
    if not least <= gap < usual or not is_value(after[4]) or not is_value(before[4]):
        return usual
    return usual if letter and are_of_one_number(before[4], after[4]) else least


def are_of_one_number(before: str, after: str) -> bool:
    """Whether two words read as a number with a space between its thousands. A typist's space is as wide as the gap between two columns: only
    decimals behind three digits say that a number goes on.
    """
    return bool(_THOUSANDS.fullmatch(before) and _LAST_GROUP.fullmatch(after))


@lru_cache(maxsize=8192)
def is_value(text: str) -> bool:
    """Whether a text reads as a number, a date, a percentage, or a mark for an absent one."""
    return bool(_VALUE.fullmatch(text) or _VOID.fullmatch(text))


@lru_cache(maxsize=8192)
def is_number(text: str) -> bool:
    """Whether a text reads as a number, date or percentage; spaces between groups of digits do not matter."""
    return bool(_VALUE.fullmatch(text.replace(" ", "")))


def is_year(text: str) -> bool:
    """Whether a text is a calendar year, one that is estimated, or a span of two, as they stand in column headers."""
    return bool(re.fullmatch(r"(1[89]|20)\d\d([-–/](\d\d|(1[89]|20)\d\d)|[AEFPaefp])?\**", text))


def joined_text(words: Sequence[Word]) -> str:
    """The text of a cell: its lines from top to bottom joined by a space, where both sides are CJK without one.

    Turned words are read from left to right, each column of them upwards: so turned headers are set.
    """
    if len(words) == 1:
        return _clean(words[0][4])
    if _are_one_line(words):
        return _clean(line_text(without_overprint(list(words))))
    turned = [w for w in words if is_vertical(w)]
    if len(turned) * 2 > len(words):
        ordered = sorted(words, key=lambda w: (round(w[0] / max(1.0, w[2] - w[0])), -w[3]))
        return _clean(" ".join(w[4] for w in ordered))
    lines = text_lines(w for w in words if not is_vertical(w))
    parts = [*(line_text(line.words) for line in lines), *(w[4] for w in turned)]
    text = parts[0] if parts else ""
    for part in parts[1:]:
        text += part if CJK.match(part) and text and CJK.match(text[-1]) else f" {part}"
    return _clean(text)


def _are_one_line(words: Sequence[Word]) -> bool:
    """Whether all words share the middle height of the first: the usual case, told quickly."""
    middle = (words[0][1] + words[0][3]) / 2
    for x0, y0, x1, y1, text, _ in words:  # noqa: SIM110 - of every cell: a generator would take twice as long
        if not y0 < middle < y1 or (y1 - y0 > TURNED * (x1 - x0) and len(text) >= TURNED_LETTERS):
            return False
    return True


def _clean(text: str) -> str:
    """Without soft hyphens and control characters; compatibility forms of Latin ligatures are spelled out."""
    if text.isascii():
        return text
    text = hyphens_of_numbers(text)
    text = "".join(unicodedata.normalize("NFKC", c) if "\ufb00" <= c <= "\ufb06" else c for c in text if c != "\u00ad")
    return text.replace("\u00a0", " ")
