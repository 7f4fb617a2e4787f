"""Forms of Unicode for texts of any length."""

from time import process_time
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.unicode_forms import LONGEST_PIECE, in_form

SIGNS = st.sampled_from(["e", "\u0301", "\u0316", "\u1112", "\u1161", "ﬁ", " ", "\n", "\u00a0"])


@given(st.lists(SIGNS).map("".join), st.sampled_from(["NFC", "NFKC", "NFKD"]), st.integers(0, 3))
def test_words_come_out_as_they_do_in_short_texts(text, form, longer):
    words = (text + " ") * (1 + longer * LONGEST_PIECE // (len(text) + 1))
    assert in_form(form, words) == normalize(form, words)


@pytest.mark.parametrize("sign", ["\u0301\u0316", "e", "e\u0301", " \u0301\u0316"])
def test_nothing_is_lost_of_a_text_without_words(sign):
    text = sign * 2 * LONGEST_PIECE
    assert normalize("NFD", in_form("NFC", text)).count("\u0301") == text.count("\u0301")
    assert len(normalize("NFD", in_form("NFC", text))) == len(text)


def test_thousands_of_accents_in_a_row_take_little_time():
    began = process_time()
    in_form("NFC", "e" + "\u0301\u0316" * 20_000)
    assert process_time() - began < 0.5, "normally 0.02 s; 1.6 s in one piece"
