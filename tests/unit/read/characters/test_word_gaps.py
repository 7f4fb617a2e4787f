"""Spaces that a font calls something else, and words that only missing spaces can make."""

from collections.abc import Callable

import pytest

from streams.read.characters.word_gaps import LONGEST_WORD, glued_letters, may_be_glued
from streams.read.page import survey_page
from tests.unit.read.made_pages import Sheet, lines_of, signals_of, text_page, verdict_of
from tests.unit.read.prose import PROSE

ENGLISH = PROSE["english"]


def calling_space(code: str) -> Callable[[str], str]:
    return lambda letter: code if letter == " " else letter


@pytest.mark.parametrize("language", ["english", "german", "russian", "greek"])
@pytest.mark.parametrize("code", ["\u200b", "\u00ad", "\u2060", "\ufeff", "\u200d", "?", "_"])
def test_a_code_between_all_words_is_the_space(language: str, code: str) -> None:
    found = survey_page(text_page(PROSE[language], calling_space(code)))
    assert [fragment.text.strip() for fragment in found.fragments] == [line.strip() for line in lines_of(PROSE[language], repeat=2)]
    assert found.confidence > 0.9


@pytest.mark.parametrize("code", ["#", "!"])
def test_a_letterhead_in_a_font_without_a_space_has_its_words(code: str) -> None:
    """The rest of the page has spaces; word processors write another code for the space of one font."""
    head = ["1101 Harbour Drive, Port Garrow, CA 95129", "Attendance Line: (408) 253 2850 ext. 6", "Email: lastname (first name) at port.example"]
    sheet = Sheet().write(head, calling_space(code))
    for number, line in enumerate(lines_of(ENGLISH, repeat=1)):
        sheet.page.insert_text((60, 200 + 14 * number), line)
    assert set(head) <= {fragment.text for fragment in survey_page(sheet.done()).fragments}


def test_names_with_these_signs_keep_them() -> None:
    lines = [
        "In C# and F# a#b is no name.",
        "Wow!Now!Here!There!And!Then!Up!Down!Left! are calls of birds",
        "PR#12, PR#13, PR#14, PR#15, PR#16, PR#17, PR#18 are closed.",
    ]
    assert [fragment.text for fragment in survey_page(Sheet().write(lines).done()).fragments] == lines


def test_cells_of_a_table_have_their_spaces() -> None:
    rules = [f"60 {y} m 540 {y} l S" for y in (760, 740, 720)] + [f"{x} 720 m {x} 760 l S" for x in (60, 300, 540)]
    sheet = Sheet().draw("\n".join(rules))
    for top in (95.0, 115.0):
        for left in (70.0, 310.0):
            sheet.write(["in the cell"], calling_space("\u200b"), top=top, left=left)
    found = survey_page(sheet.write(lines_of(ENGLISH, repeat=2), calling_space("\u200b"), top=200).done())
    (table,) = [block.table for block in found.objects if block.table is not None]
    assert [cell.text for cell in table.cells] == ["in the cell"] * 4


def test_a_font_with_spaces_keeps_its_other_codes() -> None:
    """Names with underscores, questions, and soft hyphens within words are what they are."""
    lines = ["max_number_of_items and first_name_of_user are what_is_meant by it?", "Who? Where? When? How?Why?"] * 8
    found = survey_page(Sheet().write(lines).done())
    assert [fragment.text for fragment in found.fragments] == lines
    names = ["max_number_of_items", "first_name_of_user", "what_is_meant"] * 8
    assert [fragment.text for fragment in survey_page(Sheet().write(names).done()).fragments] == names


def test_words_without_any_space_take_trust() -> None:
    sheet = Sheet().write([line.replace(" ", "").replace(".", "").replace(",", "") for line in lines_of(ENGLISH, repeat=2, width=90)])
    verdict = verdict_of(sheet.done())
    assert verdict.confidence < 0.5
    assert "glued_words" in verdict.reasons
    assert not signals_of(text_page(ENGLISH)).glued_share


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("a" * 30 + "bcdefghijk" * 4, 70),
        ("Theharbourcommissionmetontuesdaytoreviewthedredgingcontractandtherepairs", 72),
        ("MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAV", 0),
        ("acgt" * 20, 0),
        ("Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"[:59], 0),
        ("計" * 80, 0),
        ("https://example.org/a/path/that/is/longer/than/sixty/characters/altogether", 0),
    ],
)
def test_letters_of_words_too_long(text: str, letters: int) -> None:
    assert glued_letters(f"before {text} after") == letters
    assert letters == 0 or letters >= LONGEST_WORD


def test_a_page_with_plain_spaces_is_not_asked() -> None:
    assert not may_be_glued(ENGLISH)
    assert may_be_glued(ENGLISH.replace(" ", "\u200b"))
    assert not may_be_glued("cat a\u00adlogue " * 3)
