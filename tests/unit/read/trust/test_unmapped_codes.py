"""What the codes of a font are worth whose map lacks letters: pure, on spans."""

import pytest

from streams.read.trust.decoding import Decoding, Span, judge_codes, page_text
from tests.unit.read.made_pages import lines_of
from tests.unit.read.prose import PROSE

NUMBERS_OF_GLYPHS = {
    "hebrew": str.maketrans("בח", "0;"),
    "greek": str.maketrans("ατι", "\u030b\u0313\u0315"),
    "russian": str.maketrans("аои", "1+="),
    "polish": str.maketrans("łyk", "$%+"),
}
"""Letters that a map lacks, and the numbers of their glyphs as codes."""


def judged(lines: list[str]) -> Decoding:
    """Lines in turn of a font's codes with a meaning, and of those that MuPDF guessed at."""
    spans = [Span(line, True, "Face", len(line.replace(" ", "")), False, False, number % 2 > 0, (0, 0, 9, 9)) for number, line in enumerate(lines)]
    return judge_codes(spans, page_text(spans))


@pytest.mark.parametrize("language", NUMBERS_OF_GLYPHS)
def test_letters_that_a_map_lacks_are_missed_among_those_it_has(language: str) -> None:
    lines = lines_of(PROSE[language])
    holed = [line.translate(NUMBERS_OF_GLYPHS[language]) if number % 2 else line for number, line in enumerate(lines)]
    assert judged(holed).unmapped > sum(map(len, lines)) / 3


@pytest.mark.parametrize("language", NUMBERS_OF_GLYPHS)
def test_guesses_that_are_words_are_right(language: str) -> None:
    assert judged(lines_of(PROSE[language])).unmapped == 0
