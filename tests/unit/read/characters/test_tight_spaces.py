"""Spaces narrower than MuPDF's, in lines whose font has none."""

from itertools import pairwise

import pytest

from streams.read.characters.tight_spaces import may_be_tight
from streams.read.page import survey_page
from tests.unit.read.made_pages import LEADING, LEFT, SIZE, TOP, Sheet, glyph_of, lines_of
from tests.unit.read.prose import PROSE

NARROW = 0.14
"""Ems; from 0.15 on MuPDF sees a space itself."""


def tight_page(lines: list[str], gap: float = NARROW, kern: float = 0.0) -> Sheet:
    """Words parted by moves of the pen alone; `kern` is such a move between all letters. Ems."""
    sheet = Sheet()
    sheet.write(["".join(sorted(set("".join(lines)) - {" "}))], top=TOP + 40 * LEADING)  # brings in the font and its letters
    height = sheet.page.rect.height
    for number, line in enumerate(lines):
        shown = [f"{-1000 * gap:.0f}" if piece == " " else _codes(piece, kern) for piece in _pieces(line)]
        sheet.draw(f"BT /F1 {SIZE} Tf 0 g 1 0 0 1 {LEFT} {height - TOP - number * LEADING} Tm [{' '.join(shown)}] TJ ET")
    return sheet


def _pieces(line: str) -> list[str]:
    return [piece for word, following in pairwise([*line.split(), ""]) for piece in ((word, " ") if following else (word,))]


def _codes(word: str, kern: float) -> str:
    return f" {-1000 * kern:.0f} ".join(f"<{glyph_of(letter):04x}>" for letter in word)


def texts(sheet: Sheet, count: int) -> list[str]:
    return [fragment.text for fragment in survey_page(sheet.done()).fragments][1 : count + 1]  # behind the line that brought in the font


@pytest.mark.parametrize("language", ["english", "german", "russian", "greek"])
@pytest.mark.parametrize("gap", [0.11, NARROW])
def test_words_parted_by_narrow_gaps_are_words(language: str, gap: float) -> None:
    lines = lines_of(PROSE[language], repeat=1, width=60)
    assert texts(tight_page(lines, gap), len(lines)) == lines


def test_letters_that_stand_apart_everywhere_stay_words() -> None:
    """Tracked type has one gap between all letters: nothing tells words in it."""
    lines = ["Donaudampfschifffahrtsgesellschaft", "Rechtsschutzversicherungsgesellschaften"]
    assert texts(tight_page(lines, kern=0.09), 2) == lines


def test_gaps_of_all_widths_tell_nothing() -> None:
    line = "thevalueofthehalflifeofthecatchment"
    sheet = Sheet()
    sheet.write(["".join(sorted(set(line)))], top=TOP + 40 * LEADING)
    shown = " ".join(f"{_codes(letter, 0)} {-10 * (index % 12)}" for index, letter in enumerate(line))
    sheet.draw(f"BT /F1 {SIZE} Tf 0 g 1 0 0 1 {LEFT} {sheet.page.rect.height - TOP} Tm [{shown}] TJ ET")
    assert texts(sheet, 1) == [line]


@pytest.mark.parametrize(
    "word",
    [
        "https://example.org/a/long/address/of/some/page",
        "2,3,4,5,6-pentachloro-1,2,3,4-tetrahydro",
        "." * 60,
        "MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSF",
        "x" * 40,
    ],
)
def test_what_is_long_and_no_words_costs_no_second_look(word: str) -> None:
    assert not may_be_tight(f"a page with {word} in it")
