"""Shifts of codes that are believed, and those that are not."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.read.language.likelihood import SEPARATOR, best_shift
from streams.read.language.proof import is_proven
from streams.read.page import survey_page
from tests.unit.read.made_pages import text_page
from tests.unit.read.prose import PROSE


def proven(text: str) -> bool:
    """Whether some shift of the text's codes would be undone."""
    shifts = (best_shift(text, suspect=suspect) for suspect in (False, True))
    return any(shift is not None and is_proven(text, shift) for shift in shifts)


@pytest.mark.parametrize("offset", [-29, -31, -3, 7, 40])
@pytest.mark.parametrize("language", ["english", "german", "french"])
def test_shifted_ascii_is_proven(language: str, offset: int) -> None:
    text = PROSE[language].encode("ascii", "ignore").decode()
    assert proven("".join(chr(ord(letter) + offset) for letter in text))


@pytest.mark.parametrize(("language", "page"), [("russian", "cp1251"), ("greek", "iso8859-7"), ("hebrew", "iso8859-8"), ("arabic", "iso8859-6")])
def test_the_code_page_that_was_meant_is_proven(language: str, page: str) -> None:
    assert proven(PROSE[language].encode(page, "ignore").decode("latin-1"))


ENCODINGS = {
    "chinese": ("gb18030", "big5"), "japanese": ("shift_jis", "euc_jp", "iso2022_jp"), "korean": ("euc_kr",),
    "russian": ("koi8_r", "cp866", "iso8859-5"),
    "greek": ("cp737", "mac_greek"), "hebrew": ("cp862",), "arabic": ("cp1256",), "persian": ("cp1256",), "polish": ("cp852", "iso8859-2"),
    "turkish": ("cp857",), "vietnamese": ("cp1258",), "hindi": (), "german": ("cp437", "mac_roman"), "english": ("cp037",),
}  # fmt: skip


@pytest.mark.parametrize("language", ENCODINGS)
@pytest.mark.parametrize("read_as", ["latin-1", "cp1252", "mac_roman", "cp437"])
def test_bytes_of_other_encodings_are_not_talked_into_text(language: str, read_as: str) -> None:
    for encoding in (*ENCODINGS[language], "utf-8", "utf-16-le", "utf-16-be", "utf-7"):
        assert not proven(PROSE[language].encode(encoding, "ignore").decode(read_as, "ignore")), encoding


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=200, max_size=600), st.sampled_from(["latin-1", "cp1252", "mac_roman"]))
def test_random_bytes_are_never_text(data: bytes, read_as: str) -> None:
    assert not proven(data.decode(read_as, "ignore"))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([(0xA1, 0xFF), (0x20, 0x7F), (1, 96), (0x80, 0x100)]), st.integers(60, 600))
def test_random_codes_with_the_spaces_of_words_are_never_text(seed: int, codes: tuple[int, int], length: int) -> None:
    rng = random.Random(seed)
    assert not proven("".join(" " if rng.random() < 0.17 else chr(rng.randrange(*codes)) for _ in range(length)))


def test_what_a_shift_leaves_over_speaks_against_it() -> None:
    """One letter in twenty that stays strange is one word in four that is wrong."""
    text = "".join(chr(ord(letter) - 29) for letter in PROSE["english"])
    assert proven(text)
    assert not proven(text.replace(chr(ord("a") - 29), "\u0159"))


def test_a_page_of_foreign_bytes_is_sent_to_recognition() -> None:
    garbled = PROSE["chinese"].encode("gb18030").decode("latin-1")
    found = survey_page(text_page(" ".join(garbled[i : i + 9] for i in range(0, len(garbled), 9))))
    assert found.confidence < 0.3
    assert "recovered:shift" not in found.reasons


def test_spans_are_judged_together() -> None:
    spans = ["".join(chr(ord(letter) - 29) for letter in part) for part in PROSE["english"].split(". ")]
    assert proven(SEPARATOR.join(spans))


def test_letters_that_became_white_space_are_not_brought_back() -> None:
    text = PROSE["english"]
    shifted = "".join(" " if letter in "hst" else chr(ord(letter) - 29) for letter in text)
    assert proven("".join(chr(ord(letter) - 29) for letter in text))
    assert not proven(shifted)
