"""Words that are no writing: each kind alone, and real prose of many languages, which has none."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.language.letter_pairs import codes_of, pair_costs
from streams.read.language.strangeness import judge_words
from tests.unit.read.made_pages import shuffled
from tests.unit.read.prose import PROSE


def shares(text: str) -> tuple[float, float, float]:
    found = judge_words(codes_of(text), pair_costs(codes_of(text)))
    return found.share(found.rare), found.share(found.mixed), found.share(found.odd)


@pytest.mark.parametrize("language", PROSE)
def test_prose_has_no_strange_words(language: str) -> None:
    assert max(shares(PROSE[language])) < 0.02


@pytest.mark.parametrize("language", ["english", "french", "russian", "greek", "hebrew", "arabic"])
def test_interchanged_letters_are_rare_words(language: str) -> None:
    layer = shuffled(PROSE[language], seed=2)
    assert shares("".join(layer(letter) or "" for letter in PROSE[language]))[0] > 0.25


@pytest.mark.parametrize("language", ["chinese", "japanese", "korean"])
def test_interchanged_characters_are_rare_stretches(language: str) -> None:
    rng = random.Random(4)
    text = "".join(letter if letter in " ，。、" else chr(0x4E00 + rng.randrange(0x5000)) for letter in PROSE[language] * 2)
    assert shares(text)[0] > 0.3


def test_glyph_numbers_among_letters_mix_scripts() -> None:
    text = "".join("Ʒ" if letter in "ae" else letter for letter in PROSE["english"])
    assert shares(text)[2] > 0.1
    text = "".join("ж" if letter in "ae" else letter for letter in PROSE["english"])
    assert shares(text)[1] > 0.3


def test_signs_inside_words_count_and_between_words_do_not() -> None:
    inside = PROSE["english"].replace("e", "»")
    assert shares(inside)[1] > 0.2
    assert max(shares(PROSE["french"].replace(", ", " » « "))) < 0.02


def test_bytes_of_another_code_page_are_odd() -> None:
    assert shares(PROSE["russian"].encode("koi8-r", "replace").decode("latin-1"))[2] > 0.5


def test_numbers_of_glyphs_are_odd_whatever_letters_they_stand_for() -> None:
    """Greek, each letter as one of Latin Extended-A: accented letters alone, as no language writes."""
    text = "".join(chr(0x100 + ord(letter) % 0x7F) if letter.isalpha() else letter for letter in PROSE["greek"])
    assert shares(text)[2] > 0.5
    for letter in "šžćčđ":
        assert letter in "Šljiva, žućkasta i čvrsta, đačka šećerlema, šešir, žižak, ćup, čičak: šta će češće, ždral ili čvorak?"
    assert shares("Šljiva, žućkasta i čvrsta, đačka šećerlema, šešir, žižak, ćup, čičak: šta će češće, ždral ili čvorak?" * 4)[2] < 0.02


def test_letters_of_scripts_that_are_not_judged_mix_with_others_all_the_same() -> None:
    """A map that lacks a letter leaves its number, which may be an Armenian letter."""
    assert shares(PROSE["hebrew"].replace("ל", "Գ").replace("נ", "Է"))[1] > 0.1


@pytest.mark.parametrize("language", ["chinese", "japanese", "korean"])
def test_broken_lines_among_sound_ones_are_found(language: str) -> None:
    text = PROSE[language] * 4
    letters = sorted({letter for letter in text if letter.isalpha()})
    mixed = letters.copy()
    random.Random(3).shuffle(mixed)
    layer = dict(zip(map(ord, letters), mixed, strict=True))
    lines = [text[start : start + 24] for start in range(0, len(text), 24)]
    assert shares("\uffff".join(lines))[0] < 0.02
    assert shares("\uffff".join(line.translate(layer) if number % 2 else line for number, line in enumerate(lines)))[0] > 0.15


def test_leaders_of_any_code_are_no_letters() -> None:
    text = "Anfang " + "ą" * 60 + " 8 " + PROSE["english"]
    assert max(shares(text)) < 0.02
    found = judge_words(codes_of("ą" * 60), pair_costs(codes_of("ą" * 60)))
    assert not found.letters.any()


def test_accents_on_nothing_are_numbers_of_glyphs() -> None:
    assert max(shares(PROSE["english"].replace("e", "\u0352"))) > 0.1
    assert max(shares(PROSE["english"].replace(" ", " \u0308"))) > 0.1
    assert max(shares(PROSE["french"].replace("e", "e\u0301"))) < 0.02


def test_question_marks_for_letters_are_odd_and_questions_are_not() -> None:
    assert max(shares(PROSE["polish"].replace("w", "?").replace("z", "?"))) > 0.05
    assert max(shares(PROSE["english"].replace(". ", "? "))) < 0.02
    assert max(shares(PROSE["english"].replace(". ", "??? "))) < 0.02


def test_kana_taken_for_their_neighbours_are_strange_as_a_whole() -> None:
    text = PROSE["japanese"] * 8
    moved = "".join(chr(ord(letter) + 3) if letter.isalpha() else letter for letter in text)
    assert shares(text)[0] < 0.02
    assert shares(moved)[0] > 0.5


def test_accents_names_and_code_are_no_strange_words() -> None:
    assert max(shares("été déjà où naïve façade Noël coûté âgé élève à même forêt " * 8)) < 0.02
    assert max(shares("return page_count + first_page; if not found: raise ValueError(name) for line in lines: " * 6)) < 0.02


@given(st.text(max_size=400))
def test_any_text_gives_masks_of_its_length(text: str) -> None:
    codes = codes_of(text)
    found = judge_words(codes, pair_costs(codes))
    assert {mask.shape for mask in (found.letters, found.rare, found.mixed, found.odd)} == {(len(codes),)}
    assert not np.any(found.rare & ~found.letters)
    assert 0 <= found.share(found.strange) <= 1
