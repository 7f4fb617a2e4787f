"""Raised and lowered numbers are superscripts and subscripts, so that no word and no value is longer than it is printed."""

import pymupdf
import pytest

from streams.read.blocks.raised import as_raised
from streams.read.placed_words import with_exponents
from tests.unit.read.pages import made, read

Piece = tuple[str, float, float]
"""Text, how far it stands below the line, its size."""


def line_of(*pieces: Piece) -> str:
    def draw(page: pymupdf.Page) -> None:
        x = 60.0
        for text, below, size in pieces:
            page.insert_text((x, 100 + below), text, fontsize=size)
            x += pymupdf.get_text_length(text, fontsize=size)

    return read(made(draw)).blocks[0].text


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        ([("a word", 0, 11), ("3", -4, 7), (" with a mark of a note", 0, 11)], "a word³ with a mark of a note"),
        ([("The sentence ends.", 0, 11), ("12", -4, 7), (" The next one", 0, 11)], "The sentence ends.¹² The next one"),
        ([("the laws ", 0, 11), ("12", -4, 7), (" of the harbour", 0, 11)], "the laws ¹² of the harbour"),
        ([("two marks", 0, 11), ("3,4", -4, 7), (" of notes", 0, 11)], "two marks³,⁴ of notes"),
        ([("an area of 12 m", 0, 11), ("2", -4, 7), (" for each boat", 0, 11)], "an area of 12 m² for each boat"),
        ([("10", 0, 11), ("-3", -4, 7), (" of a mole of it", 0, 11)], "10⁻³ of a mole of it"),
        ([("Water is H", 0, 11), ("2", 2.5, 7), ("O and nothing else", 0, 11)], "Water is H₂O and nothing else"),
        ([("Ca(OH)", 0, 11), ("2", 2.5, 7), (" is lime, as it were", 0, 11)], "Ca(OH)₂ is lime, as it were"),
    ],
)
def test_small_numbers_behind_a_text(pieces: list[Piece], wanted: str) -> None:
    assert line_of(*pieces) == wanted


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        ([("on the 1", 0, 11), ("st", -4, 7), (" day of the year", 0, 11)], "on the 1st day of the year"),
        ([("in the year ", 0, 11), ("1907", 0, 9), (" and in others", 0, 11)], "in the year 1907 and in others"),
        ([("Form X", 0, 11), ("12", 0, 9), (" is a name", 0, 11)], "Form X12 is a name"),
        ([("as is said there (", 0, 11), ("4", -4, 7), (") and elsewhere", 0, 11)], "as is said there (4) and elsewhere"),
    ],
)
def test_other_numbers_stay_as_they_are(pieces: list[Piece], wanted: str) -> None:
    assert line_of(*pieces) == wanted


def test_the_mark_of_a_note_makes_no_value_of_a_table_longer() -> None:
    rows = [["Place", "Boats", "Crew"], ["North", "1136", "40"], ["South", "2411", "51"], ["West", "905", "77"]]

    def draw(page: pymupdf.Page) -> None:
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                page.insert_text((60 + 120 * column, 100 + 16 * number), text, fontsize=10)
                if text == "1136":
                    page.insert_text((180 + pymupdf.get_text_length(text, fontsize=10), 96.5 + 16 * number), "3", fontsize=6)
        for number in range(5):
            page.draw_line((55, 88 + 16 * number), (400, 88 + 16 * number))

    (table,) = [block.table for block in read(made(draw)).blocks if block.table]
    (cell,) = [cell.text for cell in table.cells if cell.text.startswith("1136")]
    assert cell in ("1136³", "1136 3")  # MuPDF decides whether it is one word


def test_the_raised_end_of_a_word_becomes_a_superscript_and_others_stay() -> None:
    words = [(60.0, 90.0, 88.0, 102.0, "11363", 0, 0, 0), (90.0, 90.0, 110.0, 102.0, "113", 0, 0, 1), (60.0, 110.0, 88.0, 120.0, "11363", 0, 1, 0)]
    found = with_exponents(words, {(0, 0): [(86.0, "3")]})
    assert [word[4] for word in found] == ["1136³", "113", "11363"]


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        ([("Patrick N.J. Lane", 0, 11), ("a,c", -4, 7), (", Alice E. Best", 0, 11)], "Patrick N.J. Lane a,c, Alice E. Best"),
        ([("Patrick LANE", 0, 11), ("b", -4, 7), (" and others", 0, 11)], "Patrick LANE b and others"),
        ([("Peter C. Kulakosky", 0, 11), ("8,*", -4, 7), (" and others", 0, 11)], "Peter C. Kulakosky⁸,* and others"),
        ([("4", -4, 7), ("Exceptions include boats of both kinds", 0, 11)], "4 Exceptions include boats of both kinds"),
        ([("a", -4, 7), ("School of Forests, ", 0, 11), ("b", -4, 7), ("Division of Water", 0, 11)], "a School of Forests, b Division of Water"),
        ([("the words end ", 0, 11), ("2", -4, 7), ("Institute of Boats", 0, 11)], "the words end 2 Institute of Boats"),
    ],
)
def test_marks_of_authors_and_notes_stand_apart_from_words(pieces: list[Piece], wanted: str) -> None:
    """So that a search for the name, or for the first word of the note, finds it."""
    assert line_of(*pieces) == wanted


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        ([("au XIX", 0, 11), ("e", -4, 7), (" siècle et plus tard", 0, 11)], "au XIXe siècle et plus tard"),
        ([("chez M", 0, 11), ("me", -4, 7), (" Dupont et les autres", 0, 11)], "chez Mme Dupont et les autres"),
        ([("le n", 0, 11), ("o", -4, 7), (" douze et les autres", 0, 11)], "le no douze et les autres"),
        ([("the value of z", 0, 11), ("gux", -4, 7), ("i", -4, 6), (" and others", 0, 11)], "the value of zguxi and others"),
        ([("dated by ", 0, 11), ("14", -4, 7), ("C and other means", 0, 11)], "dated by 14C and other means"),
    ],
)
def test_raised_ends_of_words_and_numbers_of_isotopes_stay_with_them(pieces: list[Piece], wanted: str) -> None:
    assert line_of(*pieces) == wanted


@pytest.mark.parametrize(
    ("before", "raised", "said"),
    [
        ("Lane", "a", "Lane a"),
        ("KULAKOSKY", "a,c", "KULAKOSKY a,c"),
        ("au XVIII", "e", "au XVIIIe"),
        ("XXIII", "e", "XXIIIe"),
        ("num", "o", "numo"),
        ("Mons", "r", "Monsr"),
    ],
)
def test_letters_of_places_stand_apart_and_ordinals_stay(before: str, raised: str, said: str) -> None:
    assert before + as_raised(raised, [before], "Times-Roman") == said
