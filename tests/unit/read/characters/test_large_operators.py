"""TeX's large operators, whose glyphs text layers call after the letters at their codes."""

import pytest

from streams.read.characters.normalise import clean_text


@pytest.mark.parametrize(
    ("font", "text", "shown"),
    [("CMEX10", "X", "∑"), ("ABCDEF+CMEX7", "Z", "∫"), ("CMEX10", "∑", "∑"), ("CMMI10", "X", "X"), ("CMEX-Text", "X", "X"), ("CMEX10", '"x#', "[x]")],
)
def test_the_letters_of_the_font_are_operators_and_brackets(font: str, text: str, shown: str) -> None:
    assert clean_text(text, font) == shown


@pytest.mark.parametrize(("text", "shown"), [("()", "{}"), ("[", "⋃"), ("X(", "∑{")])
def test_codes_of_the_font_are_read_by_its_table(text: str, shown: str) -> None:
    assert clean_text(text, "CMEX10", coded=True) == shown


@pytest.mark.parametrize(("text", "shown"), [("(", "("), ("[]", "[]"), ("\\", "\\"), ("X", "∑")])
def test_what_a_map_to_unicode_says_of_the_font_stays(text: str, shown: str) -> None:
    """TeX's own map calls a large parenthesis "(", and it became a brace."""
    assert clean_text(text, "CMEX10") == shown
