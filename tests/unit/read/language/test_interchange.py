"""Letters that stand for others, all else right: sound text of any language wins nothing by exchanging letters, such text does."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.language.common_words import is_suspect
from streams.read.language.interchange import _gains, interchanged_nats
from streams.read.language.letter_pairs import codes_of, likelihood_of, pair_costs
from tests.unit.read.made_pages import Sheet, verdict_of
from tests.unit.read.prose import PROSE

VOWELS = {"latin": "aeiou", "cyrillic": "аеиоуы", "greek": "αεηιουω", "hebrew": "אהוי", "arabic": "اويه"}
TURNED = str.maketrans("".join(VOWELS.values()), "".join(vowels[1:] + vowels[0] for vowels in VOWELS.values()))
FEW_WORDS = 45
"""A table's labels: too few for any judgement by words."""


def won(text: str) -> float:
    """Nats a pair, of a text that is worth the climb."""
    codes = codes_of(text)
    pairs = pair_costs(codes)
    if pairs is None or not is_suspect(pairs.script, likelihood_of(pairs).nats):
        return 0.0
    return interchanged_nats(pairs, codes)


def labels(language: str) -> str:
    """Words of prose as a table has them, each in a line of its own, with numbers."""
    words = PROSE[language].replace(",", "").replace(".", "").split()[:FEW_WORDS]
    return "\uffff".join(f"{word}\uffff{17 * place % 97}" for place, word in enumerate(words))


@pytest.mark.parametrize("language", PROSE)
def test_prose_wins_nothing(language: str) -> None:
    assert won(PROSE[language]) == 0.0


@pytest.mark.parametrize("language", ["english", "german", "russian", "greek", "hebrew", "arabic", "persian"])
def test_prose_with_its_vowels_exchanged_does(language: str) -> None:
    assert won(PROSE[language].translate(TURNED)) > 0.05


@pytest.mark.parametrize("language", ["german", "russian", "greek"])
def test_so_do_the_labels_of_a_table(language: str) -> None:
    assert won(labels(language)) == 0.0
    assert won(labels(language).translate(TURNED)) > 0.05


def test_a_page_of_them_is_not_trusted_and_says_why() -> None:
    words = PROSE["german"].translate(TURNED).replace(",", "").split()
    rows = [f"{' '.join(words[place : place + 2])}   {place * 37 % 900}" for place in range(0, len(words) - 1, 2)]
    verdict = verdict_of(Sheet().write(rows).done())
    assert verdict.confidence < 0.5
    assert "unlikely_language" in verdict.reasons


def test_languages_without_a_table_are_no_exchange() -> None:
    basque = (
        "Euskal Herriko mendietan artzainek udaberrian igotzen dituzte ardiak larre berdeetara eta udazkenean jaisten dira berriro etxera hotza "
        "datorrenean gazta egiteko esnea egunero jasotzen dute goizean goiz eta arratsaldean bizilagunek elkarri laguntzen diote lan handietan "
    )
    kazakh = (
        "Ауылдың шетіндегі ескі диірмен жазда ғана жұмыс істейді себебі қыста өзеннің суы қатып қалады балалар сол жерде ойнағанды жақсы көреді "
        "үлкендер болса кешке қарай жиналып әңгіме айтады келген қонаққа міндетті түрде шай мен нан ұсынылады бұл ауылдың ежелгі дәстүрі "
    )
    assert won(basque) == won(kazakh) == 0.0


def test_names_of_parts_and_code_are_no_exchange() -> None:
    rng = random.Random(6)
    parts = " ".join("".join(rng.choices("BCDFGHJKLMNPQRSTVWXZ", k=3)) + f"-{rng.randrange(99999)}/B" for _ in range(120))
    code = "def page_count(first, last): return first_page + len(last) if not is_empty else raise_error(name) " * 12
    assert won(parts) == won(code) == 0.0


def test_gains_are_what_an_exchange_wins() -> None:
    rng = np.random.default_rng(1)
    pairs, costs = rng.integers(0, 9, (6, 6)).astype(np.float32), rng.random((2, 6, 6)).astype(np.float32)
    gains = _gains(pairs, costs)
    for first in range(1, 6):
        for second in range(first + 1, 6):
            order = np.arange(6)
            order[first], order[second] = second, first
            wanted = (pairs * costs[1]).sum() - (pairs * costs[1][np.ix_(order, order)]).sum()
            assert abs(gains[1, first, second] - wanted) < 1e-3


@given(st.text(max_size=300))
def test_any_text_has_a_number(text: str) -> None:
    assert won(text) >= 0.0
