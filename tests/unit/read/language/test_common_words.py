"""Prose is held together by common words; with its vowels interchanged it is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.language.common_words import USUAL, common_share, is_suspect, wordless_share
from streams.read.language.letter_pairs import codes_of, likelihood
from tests.unit.read.prose import PROSE

SPACED = ["english", "german", "french", "polish", "turkish", "finnish", "russian", "greek", "arabic", "persian"]
TURNED = str.maketrans("aeiouAEIOUαεηιουωаеиоуы", "eiouaEIOUAεηιουωαеиоуыа")


def wordless(text: str) -> float:
    found = likelihood(codes_of(text))
    return wordless_share(text, found.script, found.nats) if is_suspect(found.script, found.nats) else 0.0


@pytest.mark.parametrize("language", SPACED)
def test_prose_is_not_wordless(language: str) -> None:
    assert wordless(PROSE[language] * 3) < 0.1


@pytest.mark.parametrize("language", ["english", "german", "greek", "russian"])
def test_prose_with_vowels_interchanged_is(language: str) -> None:
    assert wordless((PROSE[language] * 3).translate(TURNED)) > 0.3


def test_lists_names_and_code_are_no_sentences() -> None:
    names = "Garrowby, Whitcombe, Aldermaston, Penhaligon, Trevelyan, " * 30
    table = "rate 4.2 cost 19 rate 7.1 cost 21 " * 40
    code = "return page_count(first_page); if (not found) { raise(ValueError(name)); } " * 20
    assert [common_share(text) for text in (names, table, code)] == [1.0, 1.0, 1.0]


def test_few_words_are_not_judged() -> None:
    assert common_share("xqv zkw jjr plm wqx") == 1.0


@given(st.text(max_size=400), st.sampled_from(sorted(USUAL)), st.floats(0, 10))
def test_a_share_whatever_the_text(text: str, script: str, nats: float) -> None:
    assert 0.0 <= common_share(text) <= 1.0
    if is_suspect(script, nats):
        assert 0.0 <= wordless_share(text, script, nats) <= 1.0
