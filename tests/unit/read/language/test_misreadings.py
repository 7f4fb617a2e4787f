"""Slips of recognition: single wrong letters in words, and what comes again and is none."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.language.letter_pairs import codes_of, pair_costs
from streams.read.language.letter_triples import Triples, foreign_share, judge_triples
from streams.read.language.misreadings import misread_share
from tests.unit.read.prose import PROSE

SPACED = ["english", "german", "french", "polish", "turkish", "finnish", "russian", "greek", "hebrew", "arabic", "persian"]
LETTERS = "".join(PROSE[language] for language in SPACED)


def share(text: str) -> float:
    codes = codes_of(text)
    return misread_share(codes, pair_costs(codes))


def triples(text: str) -> Triples:
    codes = codes_of(text)
    text_pairs = pair_costs(codes)
    assert text_pairs is not None
    return judge_triples(text_pairs, codes)


def misread(text: str, rate: float, seed: int) -> str:
    """So many letters taken for others of the same text."""
    rng, letters = random.Random(seed), [letter for letter in text if letter.isalpha()]
    return "".join(rng.choice(letters) if letter.isalpha() and rng.random() < rate else letter for letter in text)


@pytest.mark.parametrize("language", SPACED)
def test_prose_has_hardly_any_slips(language: str) -> None:
    assert share(PROSE[language]) < 0.03


@pytest.mark.parametrize("language", ["english", "german", "polish", "finnish", "russian", "greek", "arabic"])
def test_wrong_letters_are_slips(language: str) -> None:
    worse = [share(misread(PROSE[language] * 2, 0.1, seed)) for seed in range(5)]
    assert sum(worse) / len(worse) > 0.06


def test_what_comes_again_is_a_name() -> None:
    text = PROSE["english"] + " Mxqzvor"
    assert triples(text).slips > triples(PROSE["english"]).slips
    again = triples(text + " Mxqzvor" * 3)
    assert again.slips == triples(PROSE["english"]).slips
    assert again.foreign >= 4


def test_words_cut_at_the_ends_of_lines_are_no_slips() -> None:
    cut = PROSE["english"].replace("the ", "the exam-\uffffple ")
    assert triples(cut).slips == triples(PROSE["english"]).slips


def test_interchanged_vowels_are_foreign_where_all_languages_are_known() -> None:
    swapped = PROSE["russian"].translate(str.maketrans("аеиоуы", "еиоуыа"))
    assert foreign_of(PROSE["russian"]) < 0.05
    assert foreign_of(swapped) > 0.2
    assert foreign_of(PROSE["english"].translate(str.maketrans("aeiou", "eioua"))) == 0.0, "Latin has too many languages"


def test_a_language_with_letters_of_its_own_is_not_foreign() -> None:
    kazakh = "Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді. Адамдарға ақыл-парасат, ар-ождан берілген " * 3
    assert foreign_of(kazakh) == 0.0


def foreign_of(text: str) -> float:
    codes = codes_of(text)
    pairs = pair_costs(codes)
    return 0.0 if pairs is None else foreign_share(pairs, codes)


def test_strange_characters_and_signs_between_characters_are_slips() -> None:
    text = PROSE["chinese"] * 3
    rng = random.Random(1)
    wrong = "".join(chr(0x4E00 + rng.randrange(0x3000)) if letter not in "，。" and rng.random() < 0.1 else letter for letter in text)
    assert share(text) < 0.03
    assert share(wrong) > share(text) + 0.05
    assert share(text.replace("的", "|")) > share(text) + 0.05


@given(st.text(max_size=300))
def test_any_text_has_a_share(text: str) -> None:
    assert share(text) >= 0.0


@given(st.text(alphabet=sorted(set(LETTERS)), max_size=300))
def test_slips_are_some_of_the_foreign_words_and_those_of_all(text: str) -> None:
    codes = codes_of(text)
    pairs = pair_costs(codes)
    if pairs is not None:
        found = judge_triples(pairs, codes)
        assert 0 <= found.slips <= found.foreign <= found.words
        assert np.count_nonzero(pairs.letters) >= found.words
