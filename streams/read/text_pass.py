"""The text layer of a page: MuPDF's pass over it, its faults undone, and other readings of it where it cannot be decoded.

One pass for pages without faults. What is undone and how far the result is trusted is for others to say: `repairs.py` (faults of single
characters and lines), `likelihood.py` and `proof.py` (shifted codes), `confidence.py` (the judge, handed in here). Nothing is believed because
it differs: another reading of a page takes the place of MuPDF's only where the same judge trusts it clearly more.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pymupdf
from msgspec import Struct

from schemas.geometry import BBox, center
from streams.read.characters.normalise import PRIVATE
from streams.read.characters.repairs import faults_of, repair, texts_from_raw, whole_text
from streams.read.characters.right_to_left import RIGHT_TO_LEFT
from streams.read.fonts.font_programs import glyph_readings
from streams.read.fonts.lost_bullets import show_bullets
from streams.read.fonts.pi_fonts import has_pi_fonts, pi_readings
from streams.read.fonts.sign_names import MAY_BE_NAMED, read_signs, sign_readings
from streams.read.fonts.unnamed_glyphs import has_unnamed_glyphs, name_glyphs
from streams.read.hidden.unseen import without_spans
from streams.read.language.likelihood import Shift, unshift
from streams.read.placed_words import Character, Word, characters_of, raised_numbers, with_exponents, words_from_characters, words_from_tuples
from streams.read.second_parser import Seen, characters_seen
from streams.read.trust.confidence import DOUBT, Verdict
from streams.read.trust.decoding import UNDECODED
from streams.read.trust.signals import UNMAPPED
from streams.read.turning import Matrix

TEXT_FLAGS = (pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES) | pymupdf.TEXT_COLLECT_VECTORS
"""Vectors cost the text pass a tenth of what the drawing pass costs: a page whose vectors say enough is spared that (see `vectors.py`)."""
VECTOR = 3
"""The type of a block that is a vector and no text."""
ASKS_FOR_ANOTHER = frozenset({"control_characters", "private_use", "replacement_characters", "shifted_codes", "partly_shifted", "unlikely_language"})
"""Reasons for which another way to decode the characters may help; what is hidden or only drawn, none does."""
CLEARLY_MORE = 0.25
"""Trust that another reading must win; it must also be no less than the upper bound of doubt."""
PROVEN = 0.9
"""Trust in text whose shift is proven (`proof.py`) and that only letter statistics find odd: samples of type have such letters."""
MOSTLY = 0.6
"""Share of a span's characters that the second parser must see, and see as something else than MuPDF does; spaces are a sixth of prose."""
ENOUGH_CHARACTERS = 100
"""Characters of a page from which the judge tells a wrong reading of them: two lines."""
SAME_SPOT = 0.35
"""Ems between the middles of a character as two parsers see it; the next character is 0.3 to 0.5 away, and further up and down."""

Judge = Callable[[Mapping[str, Any]], Verdict]


class TextPass(Struct):
    """MuPDF's dictionary of blocks, lines and spans, and the pass itself to ask for words; `textpage` is None where it cannot be read.

    `vectors`: what is drawn, None where that is not known. `raw`: of a page whose characters were repaired, by its raw dictionary. `shifts`: by
    font, the shifts that were undone in `content`. The pass itself knows nothing of either. `symbols`: there are private codes, of which the font
    says what they show.
    """

    content: dict[str, Any]
    textpage: Any
    raw: dict[str, Any] | None = None
    vectors: Sequence[Mapping[str, Any]] | None = None
    shifts: Mapping[str, Shift] = {}
    symbols: bool = False

    def words(self, matrix: Matrix | None) -> list[Word]:
        """Words with their boxes on the page as displayed."""
        if self.textpage is None:
            return []
        if self.raw is not None or self.shifts or self.symbols:
            spelt = words_from_characters(self._characters(), matrix)
            raised = raised_numbers(self.content) if matrix is None else {}  # whose places are those of the page as it was written
            return with_exponents(spelt, raised) if raised else spelt
        words: list[Word] = self.textpage.extractWORDS()
        numbers = raised_numbers(self.content)
        return words_from_tuples(with_exponents(words, numbers) if numbers else words, matrix)

    def without(self, places: Mapping[BBox, str]) -> None:
        """Leaves out the spans with these boxes, from all that is asked later."""
        self.raw = without_spans(self._characters(), places)
        self.content = without_spans(self.content, places)

    def take(self, raw: dict[str, Any]) -> None:
        """Puts another raw dictionary in the place of the page's own, for all that is asked later."""
        self.raw = raw
        self.content = texts_from_raw(raw)

    def raw_characters(self) -> dict[str, Any]:
        """The raw dictionary of the page's text, which the caller may change and give back by `take`."""
        return self._characters()

    def characters(self, matrix: Matrix | None) -> list[Character]:
        """Characters with their boxes on the page as displayed."""
        return [] if self.textpage is None else characters_of(self._characters(), matrix)

    def _characters(self) -> dict[str, Any]:
        return self.raw if self.raw is not None else _raw(self.textpage, self.shifts)


def empty_pass() -> TextPass:
    """What stands in for a text layer that cannot be read."""
    return TextPass({"blocks": []}, None)


def read_text(page: pymupdf.Page) -> TextPass:
    """The text of a page, with what can be undone in its characters undone. Raises what MuPDF raises."""
    textpage = page.get_textpage(flags=TEXT_FLAGS)
    content = textpage.extractDICT()
    vectors = [block for block in content["blocks"] if block["type"] == VECTOR]
    if vectors:
        content["blocks"] = [block for block in content["blocks"] if block["type"] != VECTOR]
    text = whole_text(content)
    faults = faults_of(content, text)
    unnamed = has_unnamed_glyphs(text)
    pi = has_pi_fonts(content)
    odd = unnamed or pi or MAY_BE_NAMED.search(text) is not None
    if not faults and not odd:
        return _sound(content, textpage, vectors, text)
    raw = _raw(page.get_textpage(flags=TEXT_FLAGS | pymupdf.TEXT_INHIBIT_SPACES) if faults.right_to_left else textpage)
    found = odd and _signs_found(page, raw, unnamed=unnamed, pi=pi)
    if not found and not faults:
        return _sound(content, textpage, vectors, text)
    repair(raw, faults)
    return TextPass(texts_from_raw(raw), textpage, raw, vectors)


def _signs_found(page: pymupdf.Page, raw: dict[str, Any], *, unnamed: bool, pi: bool) -> bool:
    """Puts signs in the place of codes without a meaning and of letters that are none: by the names of glyphs, where fonts have such; by the shapes
    that fonts of signs have (`pi`) and other codes (`unnamed`); then by where they stand. Whether there were any.
    """
    by_name = read_signs(raw, sign_readings(page))
    by_program = pi and read_signs(raw, pi_readings(page))
    by_shape = unnamed and name_glyphs(page, raw)
    by_place = show_bullets(raw)
    return by_name or by_program or by_shape or by_place


def _sound(content: dict[str, Any], textpage: Any, vectors: Sequence[Mapping[str, Any]], text: str) -> TextPass:
    """The pass of a page in whose characters nothing is to be undone."""
    return TextPass(content, textpage, None, vectors, symbols=not text.isascii() and PRIVATE.search(text) is not None)


def recover(page: pymupdf.Page, text: TextPass, verdict: Verdict, judge: Judge) -> tuple[float, tuple[str, ...]]:
    """Makes undecodable text readable where that can be proven, in place: (confidence, reasons) afterwards.

    Shifted codes first, which cost nothing more; then the tables of the page's own fonts; then the second parser.
    """
    confidence, reasons = verdict.confidence, verdict.reasons
    if verdict.shifts:
        shifted = _without_shifts(text, verdict)
        found = judge(shifted.content)
        trusted = max(found.confidence, PROVEN) if set(found.reasons) <= {"unlikely_language"} else found.confidence
        if trusted > confidence:
            text.content, text.raw, text.shifts = shifted.content, shifted.raw, shifted.shifts
            confidence, reasons = trusted, (*reasons, "recovered:shift")
    if confidence >= DOUBT[1] or text.textpage is None or ASKS_FOR_ANOTHER.isdisjoint(verdict.reasons):
        return confidence, reasons
    for name, reading in _other_readings(page):
        raw = _raw(text.textpage)
        turned = any(RIGHT_TO_LEFT.match(char["c"]) for span in _undecoded_spans(raw) for char in span["chars"])
        if not reading(raw):
            continue
        repair(raw, faults_of(texts_from_raw(raw)), everywhere=turned)
        content = texts_from_raw(raw)
        found = judge(content)
        if found.confidence >= max(DOUBT[1], confidence + CLEARLY_MORE):
            text.content, text.raw, text.shifts = content, raw, {}
            return found.confidence, (*verdict.reasons, f"recovered:{name}")
    return confidence, reasons


def _other_readings(page: pymupdf.Page) -> Iterator[tuple[str, Callable[[dict[str, Any]], bool]]]:
    """Ways to read a page's characters, as functions that change a raw dictionary and say whether they could; each is prepared when it is asked."""
    if readings := glyph_readings(page):
        yield "font_program", partial(_by_font_programs, readings)
    if seen := sorted(characters_seen(page), key=lambda found: found[1]):
        yield "second_parser", partial(_by_second_parser, seen)


def _without_shifts(text: TextPass, verdict: Verdict) -> TextPass:
    """The text with its shifts undone. Letters of a code page are so far in the order of the page, and put in theirs."""
    shifts = {found.font: found.shift for found in verdict.shifts}
    raw = _raw(text.textpage, shifts)
    repair(raw, faults_of(texts_from_raw(raw)))
    return TextPass(texts_from_raw(raw), text.textpage, raw, text.vectors, shifts)


def _raw(textpage: Any, shifts: Mapping[str, Shift] | None = None) -> dict[str, Any]:
    """The text pass by characters, of the same blocks as its dictionary; shifts are undone in it."""
    raw: dict[str, Any] = textpage.extractRAWDICT()
    raw["blocks"] = [block for block in raw["blocks"] if block["type"] == 0]
    if shifts:
        for span in _spans(raw):
            if shift := shifts.get(span["font"]):
                span["char_flags"] &= ~UNMAPPED
                for char in span["chars"]:
                    char["c"] = unshift(char["c"], shift)
    return raw


def _spans(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    return (span for block in content["blocks"] for line in block.get("lines", ()) for span in line["spans"])


def _undecoded_spans(raw: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Raw spans with characters that MuPDF could not decode."""
    return (span for span in _spans(raw) if span["char_flags"] & UNMAPPED or any(UNDECODED.match(char["c"]) for char in span["chars"]))


def _by_font_programs(readings: Mapping[str, Mapping[int, str]], raw: Mapping[str, Any]) -> bool:
    """Gives glyph numbers their characters. In such spans MuPDF puts the number in the place of the character."""
    changed = False
    for span in _spans(raw):
        table = readings.get(span["font"].split("+", 1)[-1])
        if table is None or not span["char_flags"] & UNMAPPED:
            continue
        letters = [table.get(ord(char["c"])) for char in span["chars"]]
        if not all(letters):
            continue  # what is left would look like letters
        for char, letter in zip(span["chars"], letters, strict=True):
            char["c"] = letter
        span["char_flags"] &= ~UNMAPPED
        changed = True
    return changed


def _by_second_parser(seen: Sequence[Seen], raw: Mapping[str, Any]) -> bool:
    """Gives characters that MuPDF could not decode those that pdfium sees in their places; `seen` from top to bottom.

    Not where pdfium, too, only has the codes, and not for so few characters that the judge could not tell.
    """
    heights = [y for _, y, _ in seen]
    count = 0
    for span in _undecoded_spans(raw):
        reach = SAME_SPOT * span["size"]
        letters = [_letter_at(seen, heights, char["bbox"], reach) for char in span["chars"]]
        found = [char["c"] != letter for char, letter in zip(span["chars"], letters, strict=True) if letter is not None]
        if len(found) < MOSTLY * len(letters) or sum(found) < MOSTLY * len(found):
            continue
        for char, letter in zip(span["chars"], letters, strict=True):
            char["c"] = letter or " "  # pdfium gives spaces no place
        span["char_flags"] &= ~UNMAPPED
        count += len(found)
    return count >= ENOUGH_CHARACTERS


def _letter_at(seen: Sequence[Seen], heights: Sequence[float], box: BBox, reach: float) -> str | None:
    """The character whose middle is nearest along the line to that of a box, within reach. `seen` is sorted by `heights`."""
    x, y = center(box)
    near = seen[bisect_left(heights, y - 2 * reach) : bisect_left(heights, y + 2 * reach)]
    found = min(near, key=lambda other: abs(other[0] - x), default=None)
    return found[2] if found is not None and abs(found[0] - x) <= reach else None
