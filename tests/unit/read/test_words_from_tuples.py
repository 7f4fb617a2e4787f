"""Words of a whole page are normalised as each word alone would be, whatever is among them."""

from typing import Any

import pymupdf
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.read.characters.normalise import clean_text, collapse
from streams.read.placed_words import characters_of, words_from_tuples
from streams.read.trust.ink import render_bitmap

SIGNS = st.sampled_from(["a", "7", ".", "-", " ", "\t", "\x01", "\u00ad", "\ufb01", "é", "\ufffd", "\uf0b7", "“", "漢", "\u200b"])
TEXTS = st.lists(st.text(SIGNS, max_size=8), max_size=6)


def words(texts: list[str]) -> list[Any]:
    return [(10.0 * i, 0.0, 10.0 * i + 8, 9.0, text, 0, 0, i) for i, text in enumerate(texts)]


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_each_word_comes_out_as_it_would_alone(texts: list[str]) -> None:
    alone = [(*word[:4], plain, *word[5:]) for word in words(texts) if (plain := expected(word[4]))]
    assert words_from_tuples(words(texts), None) == alone


def expected(text: str) -> str:
    return text if text.isascii() and text.isprintable() and "....." not in text else collapse(clean_text(text))


def test_the_given_words_stay_as_they_are_and_a_matrix_turns_the_boxes() -> None:
    given_words = words(["one", "\ufb01ve", ""])
    kept = list(given_words)
    found = words_from_tuples(given_words, (0.0, 1.0, -1.0, 0.0, 100.0, 0.0))
    assert given_words == kept
    assert [(word[:4], word[4]) for word in found] == [((91.0, 0.0, 100.0, 8.0), "one"), ((91.0, 10.0, 100.0, 18.0), "five")]


@settings(max_examples=100, deadline=None)
@given(st.text(SIGNS, max_size=8), st.sampled_from(["Helvetica", "Wingdings", "ABCDEF+Symbol"]))
def test_characters_are_normalised_one_by_one(text: str, font: str) -> None:
    box = (0.0, 0.0, 5.0, 9.0)
    raw = {"blocks": [{"lines": [{"spans": [{"font": font, "chars": [{"c": letter, "bbox": box} for letter in text]}]}]}]}
    alone = [plain for letter in text if (plain := clean_text(letter, font)) and not plain.isspace()]
    assert characters_of(raw, None) == [(*box, plain) for plain in alone]


def test_a_part_of_a_page_looks_the_same_from_a_drawing_that_is_kept() -> None:
    page = pymupdf.open().new_page(width=200, height=100)
    page.insert_text((20, 50), "Seen twice", fontsize=14)
    part = (10.0, 30.0, 120.0, 60.0)
    alone, kept = render_bitmap(page, part), render_bitmap(page, part, page.get_displaylist())
    assert alone.scale == kept.scale
    assert (alone.grey == kept.grey).all()
    assert alone.grey.min() < 100
