"""Letter statistics, garble, and shifts that are undone."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.language.letter_pairs import codes_of, common_share, likelihood
from streams.read.language.likelihood import SEPARATOR, Shift, best_shift, is_language, shifted_share, unlikelihood, unshift
from streams.read.language.words import unsound_share
from tests.unit.read.made_pages import misread, shuffled
from tests.unit.read.prose import PROSE

TABLED = ("english", "german", "french", "polish", "turkish", "finnish", "russian", "greek", "hebrew", "arabic", "persian")
UNTABLED = {
    "basque": "Liburutegia egunero zortzietan irekitzen da eta arratsaldean ilundu arte egoten da zabalik. Bazkide bakoitzak hiru liburu eraman "
    "ditzake etxera bi astez, eta behin luzatu dezake epea. Liburua galtzen duenak berria erosi behar du edo prezioa ordaindu.",
    "irish": "Osclaíonn an leabharlann gach maidin ar a hocht agus dúnann sí tráthnóna. Is féidir le gach ball trí leabhar a thabhairt abhaile ar "
    "feadh coicíse agus an tréimhse a shíneadh uair amháin. An té a chailleann leabhar, caithfidh sé ceann nua a cheannach.",
    "kazakh": "Кітапхана күн сайын таңғы сағат сегізде ашылып, кешке жабылады. Әрбір мүше үш кітапты екі аптаға үйіне алып кете алады және "
    "мерзімді бір рет ұзарта алады. Кітапты жоғалтқан адам жаңасын сатып алуы немесе оның құнын төлеуі керек.",
}  # fmt: skip


def doubt(text: str) -> float:
    codes = codes_of(text)
    return unlikelihood(text, codes, likelihood(codes))


@pytest.mark.parametrize("language", PROSE)
def test_prose_of_every_language_is_no_garble(language: str) -> None:
    assert doubt(PROSE[language]) == 0
    assert best_shift(PROSE[language]) is None


@pytest.mark.parametrize("language", TABLED)
def test_prose_with_a_table_is_language_and_most_shuffles_are_garble(language: str) -> None:
    text = PROSE[language]
    assert is_language(likelihood(codes_of(text)))
    shuffles = ["".join(map(shuffled(text, seed), text)) for seed in range(30)]
    assert sum(is_language(likelihood(codes_of(garble))) for garble in shuffles) <= 1
    assert sum(doubt(garble) > 0.3 for garble in shuffles) >= 20, "a few shuffles of six lines keep enough likely pairs"


@pytest.mark.parametrize("language", UNTABLED)
def test_languages_without_a_table_are_no_garble(language: str) -> None:
    assert doubt(UNTABLED[language]) == 0


@pytest.mark.parametrize(
    "text",
    [
        "AAPL MSFT GOOG AMZN NVDA TSLA META BRKB JPM JNJ XOM PG UNH HD CVX LLY MRK ABBV PFE KO PEP AVGO COST TMO MCD WMT CSCO ABT CRM DHR ACN LIN",
        "".join(random.Random(1).choices("ACGT", k=900)),
        " ".join(f"{number:,}" for number in range(10_000, 90_000, 777)),
        "x = f(y) + g(z); return a if b else c",
        "benzo[k]fluoranthene perfluorooctanesulfonic hexabromocyclododecane tetraethyllead dichlorodiphenyltrichloroethane polytetrafluoroethylene",
        "",
    ],
    ids=["tickers", "sequence", "numbers", "formula", "chemistry", "empty"],
)
def test_what_is_no_prose_but_right_is_no_garble(text: str) -> None:
    assert doubt(text) == 0
    assert best_shift(text) is None


def test_random_ideographs_are_told_from_prose() -> None:
    rng = random.Random(4)
    garble = "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(300))
    assert common_share(codes_of(PROSE["chinese"]))[1] > 0.4
    assert common_share(codes_of(PROSE["korean"]))[1] > 0.4
    assert doubt(garble) > 0.9


@pytest.mark.parametrize("language", ["english", "german", "french"])
@pytest.mark.parametrize("offset", [-29, -31, -3, 7, 40])
def test_shift_of_latin_codes_is_found_and_undone(language: str, offset: int) -> None:
    text = PROSE[language].encode("ascii", "replace").decode().replace("?", "e")
    shifted = "".join(chr(ord(letter) + offset) for letter in text)
    shift = best_shift(shifted)
    assert shift is not None
    assert shift.offset == -offset
    assert unshift(shifted, shift) == text


@pytest.mark.parametrize(("language", "page"), [("russian", "cp1251"), ("greek", "iso8859-7"), ("hebrew", "iso8859-8")])
def test_letters_of_another_code_page_are_found_and_undone(language: str, page: str) -> None:
    text = PROSE[language]
    shifted = text.encode(page).decode("latin-1")
    shift = best_shift(shifted)
    assert shift is not None
    assert unshift(shifted, shift) == text


def test_type_samples_are_undone_too() -> None:
    text = "Sphinx of black quartz, judge my vow. " * 3 + "Pack my box with five dozen liquor jugs. " * 3
    shifted = "".join(chr(ord(letter) - 29) for letter in text)
    shift = best_shift(shifted)
    assert shift is not None
    assert unshift(shifted, shift) == text


def test_alphabets_beside_a_shifted_text_do_not_speak_against_the_shift() -> None:
    """A specimen of type: an alphabet three letters on is an alphabet like any other."""
    lines = ["The quick brown fox jumps over the lazy dog 0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz"]
    shifted = SEPARATOR.join("".join(chr(ord(letter) - 29) for letter in line) for line in lines * 3)
    shift = best_shift(shifted, suspect=True)
    assert shift is not None
    assert shift.offset == 29
    assert shifted_share(shifted, shift) == 1.0
    half = SEPARATOR.join(lines + shifted.split(SEPARATOR))
    assert shifted_share(half, shift) < 0.8, "sound prose does"


@pytest.mark.parametrize("seed", range(12))
def test_garble_is_not_talked_into_language_by_a_shift(seed: int) -> None:
    text = PROSE["english"]
    garble = "".join(map(shuffled(text, seed), text))
    assert best_shift(garble) is None
    assert best_shift(garble, suspect=True) is None


@given(st.text(max_size=300))
def test_any_text_is_judged_and_shifted_without_fault(text: str) -> None:
    assert 0 <= doubt(text) <= 1
    assert 0 <= unsound_share(text) <= 1
    for suspect in (False, True):
        shift = best_shift(text, suspect=suspect)
        assert shift is None or isinstance(unshift(text, shift), str)


@given(st.text(max_size=200), st.integers(-255, 255))
def test_unshift_leaves_codes_outside_its_range_alone(text: str, offset: int) -> None:
    shift = Shift(offset=offset, first=max(0, -offset), last=max(0, min(511, 0x7E - offset)))
    out = unshift(text, shift)
    assert len(out) == len(text)
    assert all(a == b for a, b in zip(text, out, strict=True) if ord(a) > shift.last)
    assert unshift(SEPARATOR, shift) == SEPARATOR


@pytest.mark.parametrize("language", list(PROSE))
def test_words_of_prose_are_sound_and_misread_ones_are_not(language: str) -> None:
    assert unsound_share(PROSE[language]) < 0.04
    assert unsound_share(misread(PROSE[language], 0.15)) > 0.15


def test_words_of_tables_and_addresses_are_sound() -> None:
    text = "McKay & Sons, 12-14 Mill Lane; tel. 020-7946-0018; $1,234.50 (15%) on 3/14/2012, 4th floor, U.S. $9.5m e.g. A/C no. 7 — see p. 12"
    assert unsound_share(text) < 0.12


def test_dots_that_lead_the_eye_are_no_words_though_some_are_read_as_letters() -> None:
    assert unsound_share("Contents ...n...r... 12 Index ..r...... 14") == 0.0
    assert unsound_share("Cont3nts n..r Ind8x") > 0.5
