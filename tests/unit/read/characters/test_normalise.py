"""Characters made readable without a change of meaning."""

import re
import unicodedata
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.characters import normalise
from streams.read.characters.normalise import clean_text, collapse, encircled, without_doubles


@pytest.mark.parametrize(
    ("raw", "font", "wanted"),
    [
        ("abcdef\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06ghi", "", "abcdeffffiflffifflststghi"),
        ("\ufefb", "", "لا"),  # the lam-alef ligature as one presentation form
        ("\u2f00\uf9b4", "", "一領"),  # a radical and a compatibility ideograph
        ("\uf02b \uf03d \uf0ae \uf061", "SymbolMT", "+ = → α"),
        ("\uf0a7 item \uf0fc", "Wingdings-Regular", "▪ item ✓"),
        ("\uf0b7 item", "", "• item"),
        ("\uf041\uf042", "ABCDEF+Custom", "AB"),
        ("\ue123x", "", "x"),
        ("\uf731\uf762", "", "1b"),
        ("10\u00b2 \u00bd \u2075", "", "10² ½ ⁵"),
        ("Ａ（全角）", "", "Ａ（全角）"),
        ("a\u00a0b\u2009c\u3000d\te", "", "a b c d e"),
        ("a\x00\x07\u200b\u202eb\ufeff", "", "ab"),
        ("Total\ufffd\ufffd\ufffd\ufffd\ufffd 12", "", "Total 12"),
        ("e\ufffdorts", "", "eorts"),
        ("Chapter 1 ........... 7", "", "Chapter 1 7"),
        ("Chapter 1 . . . . . . . 7", "", "Chapter 1 7"),
        ("and so on... and . . . on", "", "and so on... and . . . on"),
        ("na\u00a8\u0131ve O\u02d8guz", "", "naïve Oğuz"),
        ("it\u00b4s l\u00b4eau", "", "it´s l´eau"),  # an apostrophe unless its place says more
        ("\uf052 \uf0a3", "Wingdings2", "☑ □"),
        ("\uf07d", "Wingdings 3", "🞂"),
        ("\uf0a8 \uf034", "ZapfDingbats", "♣ ✔"),
        ("n \u00fc", "ABCDEF+Wingdings-Regular", "■ ✓"),
        ("اسـتـفاده ١٤٤٥ هـ", "", "استفاده ١٤٤٥ هـ"),
        ("e\u0301", "", "é"),
        ("می\u200cخواهم", "", "می\u200cخواهم"),
    ],
)
def test_characters_become_what_they_show(raw: str, font: str, wanted: str) -> None:
    assert clean_text(raw, font) == wanted


@given(st.text(max_size=80), st.sampled_from(["", "Symbol", "Wingdings", "ABCDEF+Times"]))
def test_nothing_undecodable_leaks_and_cleaning_twice_changes_nothing_more(text: str, font: str) -> None:
    once = clean_text(text, font)
    assert not re.search("[\ue000-\uf8ff\ufffd\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\U000f0000-\U0010ffff]", once)
    assert collapse(clean_text(once)) == collapse(once) or unicodedata.normalize("NFC", once) != once


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=60))
def test_plain_text_stays_as_it_is(text: str) -> None:
    if not re.search(r"\.{5}|(\. ){5}", text):
        assert clean_text(text) == text


def test_text_printed_twice_on_one_place_is_said_once() -> None:
    assert without_doubles("HHIIGGHHLLIIGGHHTTSS", 60.0, 10.0) == "HIGHLIGHTS"
    assert without_doubles("HHIIGGHH LLOOWW", 50.0, 10.0) == "HIGH LOW"
    assert without_doubles("HHIIGGHHLLIIGGHHTTSS", 130.0, 10.0) == "HHIIGGHHLLIIGGHHTTSS", "it has the room that it needs"
    assert without_doubles("11223344", 200.0, 10.0) == "11223344"
    assert without_doubles("--------", 10.0, 10.0) == "--------"


def test_a_soft_hyphen_beside_a_digit_is_a_hyphen() -> None:
    assert clean_text("CR\u00ad6437 and 2020\u00adA") == "CR-6437 and 2020-A"
    assert clean_text("infor\u00admation") == "infor\u00admation"  # it goes when lines are joined


def test_letters_in_circles_are_the_signs_that_they_mean() -> None:
    assert encircled("Copyright c\u20dd 2009, Name R \u20dd, 5\u20dd and c d") == "Copyright © 2009, Name ®, 5\u20dd and c d"


def test_what_is_told_at_once_to_stay_would_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sign but most ideographs, which are all alike: in a row, beside letters and digits."""
    codes = chain(range(0x80, 0x3500), range(0xA000, 0xAD00), range(0xD700, 0x10000), range(0x1D000, 0x1F000), range(0x2F700, 0x2FB00))
    texts = [f"a{sign * 6}b {sign}1{sign}2 e{sign}" for sign in map(chr, codes)]
    told = [text for text in texts if clean_text(text) is text]
    assert len(told) > 0.5 * len(texts)
    monkeypatch.setattr(normalise, "_MAY_CHANGE", re.compile(""))  # so that every text goes all the way
    assert [text for text in told if clean_text(text) != text] == []
