"""TeX's large operators, whose glyphs text layers call after the letters at their codes."""

import pytest

from streams.read.characters.normalise import clean_text


@pytest.mark.parametrize(
    ("font", "text", "shown"),
    [("CMEX10", "X", "∑"), ("ABCDEF+CMEX7", "Z", "∫"), ("CMEX10", "∑", "∑"), ("CMMI10", "X", "X"), ("CMEX-Text", "X", "X"), ("CMEX10", '"x#', "[x]")],
)
def test_the_letters_of_the_font_are_operators_and_brackets(font: str, text: str, shown: str) -> None:
    assert clean_text(text, font) == shown
