"""Pages whose characters MuPDF cannot decode, read some other way."""

from typing import Any

import pymupdf
import pytest

from streams.read import text_pass
from streams.read.fonts.font_programs import glyph_readings
from streams.read.page import survey_page
from streams.read.second_parser import characters_seen
from streams.read.trust.confidence import judge
from streams.read.trust.signals import collect_signals
from tests.unit.read.made_pages import Sheet, lines_of, text_page
from tests.unit.read.prose import PROSE


def chars_of(page: pymupdf.Page) -> list[dict[str, Any]]:
    blocks = page.get_text("rawdict")["blocks"]
    return [char for block in blocks for line in block["lines"] for span in line["spans"] for char in span["chars"]]


def text_of(page: pymupdf.Page) -> str:
    return " ".join(fragment.text.strip() for fragment in survey_page(page).fragments)


@pytest.mark.parametrize("language", ["german", "polish", "russian", "greek"])
def test_glyph_numbers_without_a_map_are_read_by_the_fonts_own_table(language: str) -> None:
    """Letters beyond ASCII are in no constant distance from their glyphs; the embedded font knows them all."""
    page = text_page(PROSE[language], None)
    found = survey_page(page)
    assert found.verdict.confidence < 0.5
    assert found.confidence > 0.75
    assert found.reasons[-1] == "recovered:font_program"
    assert lines_of(PROSE[language], repeat=2)[0].replace(" ", "") in text_of(page).replace(" ", "")


def test_a_font_that_lacks_letters_is_not_believed() -> None:
    """Hebrew is shown by stand-ins here, which the font calls other characters."""
    found = survey_page(text_page(PROSE["hebrew"], None))
    assert found.confidence < 0.5
    assert not any(reason.startswith("recovered") for reason in found.reasons)


def descendant_of(page: pymupdf.Page) -> tuple[int, int]:
    """The numbers of a page's one font and of its descendant."""
    (xref,) = [font[0] for font in page.get_fonts()]
    return xref, int(page.parent.xref_get_key(xref, "DescendantFonts")[1].strip("[] ").split()[0])


def test_codes_that_a_map_turns_into_glyphs_are_no_glyph_numbers() -> None:
    """The map lies in the descendant, which is an object of its own."""
    page = text_page(PROSE["german"], None)
    assert glyph_readings(page)
    document = page.parent
    stream = document.get_new_xref()
    document.update_object(stream, "<<>>")
    document.update_stream(stream, bytes(range(256)) * 2)
    document.xref_set_key(descendant_of(page)[1], "CIDToGIDMap", f"{stream} 0 R")
    assert not glyph_readings(page)


@pytest.mark.parametrize("written", ["inside the font", "an array of its own", "identity", "identity as an object"])
def test_however_the_descendant_is_written_glyph_numbers_are_read(written: str) -> None:
    page = text_page(PROSE["german"], None)
    document, (xref, descendant) = page.parent, descendant_of(page)
    other = document.get_new_xref()
    if written == "inside the font":
        document.xref_set_key(xref, "DescendantFonts", f"[{document.xref_object(descendant, compressed=True)}]")
    elif written == "an array of its own":
        document.update_object(other, f"[{descendant} 0 R]")
        document.xref_set_key(xref, "DescendantFonts", f"{other} 0 R")
    else:
        document.update_object(other, "/Identity")
        document.xref_set_key(descendant, "CIDToGIDMap", "/Identity" if written == "identity" else f"{other} 0 R")
    assert glyph_readings(page)


def test_a_descendant_that_is_not_there_says_nothing() -> None:
    page = text_page(PROSE["german"], None)
    page.parent.xref_set_key(descendant_of(page)[0], "DescendantFonts", "[99999 0 R]")
    assert not glyph_readings(page)


def test_words_for_tables_and_links_are_of_the_same_reading() -> None:
    page = text_page(PROSE["german"], None)
    text = text_pass.read_text(page)
    survey = survey_page(page)
    text_pass.recover(page, text, survey.verdict, lambda content: judge(collect_signals(page, content, [], [])))
    assert "unterhält" in [word[4] for word in text.words(None)]
    assert "ä" in [character[4] for character in text.characters(None)]


@pytest.mark.parametrize("rotation", [0, 90])
def test_the_second_parser_names_what_stands_where(rotation: int) -> None:
    page = text_page(PROSE["english"], rotation=rotation)
    seen = {(round(x, 1), round(y, 1)): letter for x, y, letter in characters_seen(page)}
    letters = [char for char in chars_of(page) if not char["c"].isspace()]
    assert len(seen) == len(letters)
    for char in letters[::7]:
        x0, y0, x1, y1 = char["bbox"]
        inside = [letter for (x, y), letter in seen.items() if x0 <= x <= x1 and y0 <= y <= y1]
        assert char["c"] in inside


def undecodable(text: str) -> pymupdf.Page:
    """A page whose map names private codes; its font tells nothing, since a map is there."""
    return text_page(text, lambda letter: chr(0xE200 + ord(letter) % 8))


def pretend(page: pymupdf.Page, text: str) -> Any:
    """A second parser that sees `text` where the page has characters; the real one sees what MuPDF sees in any file that can be made here."""
    chars = chars_of(page)
    letters = "".join(lines_of(text, repeat=2))
    assert len(chars) == len(letters)
    return [((c["bbox"][0] + c["bbox"][2]) / 2, (c["bbox"][1] + c["bbox"][3]) / 2, letter) for c, letter in zip(chars, letters, strict=True)]


def test_the_second_parser_is_believed_where_the_judge_trusts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    page = undecodable(PROSE["english"])
    monkeypatch.setattr(text_pass, "characters_seen", lambda asked: pretend(asked, PROSE["english"]))
    found = survey_page(page)
    assert found.confidence > 0.75
    assert found.reasons[-1] == "recovered:second_parser"
    assert lines_of(PROSE["english"])[0] in text_of(page)


def test_the_second_parser_is_not_believed_where_it_sees_rubbish(monkeypatch: pytest.MonkeyPatch) -> None:
    page = undecodable(PROSE["english"])
    rubbish = PROSE["english"].translate({ord(a): ord(b) for a, b in zip("aeioutnshr", "xqzjkwvfgx", strict=True)})
    monkeypatch.setattr(text_pass, "characters_seen", lambda asked: pretend(asked, rubbish))
    found = survey_page(page)
    assert found.confidence < 0.5
    assert not any(reason.startswith("recovered") for reason in found.reasons)


def test_the_second_parser_is_not_believed_where_it_has_the_same_codes_or_sees_little(monkeypatch: pytest.MonkeyPatch) -> None:
    page = undecodable(PROSE["english"])
    codes = "".join(char["c"] for char in chars_of(page))
    seen = [((c["bbox"][0] + c["bbox"][2]) / 2, (c["bbox"][1] + c["bbox"][3]) / 2, code) for c, code in zip(chars_of(page), codes, strict=True)]
    right = pretend(page, PROSE["english"])
    for answer in (seen, right[:40], right[::3], []):
        monkeypatch.setattr(text_pass, "characters_seen", lambda asked, answer=answer: answer)
        assert survey_page(page).confidence < 0.5


def test_sound_pages_never_ask_the_second_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(page: pymupdf.Page) -> Any:
        raise AssertionError("asked")

    monkeypatch.setattr(text_pass, "characters_seen", fail)
    monkeypatch.setattr(text_pass, "glyph_readings", fail)
    for language in ("english", "hebrew", "chinese"):
        assert survey_page(text_page(PROSE[language])).confidence > 0.9
    assert survey_page(Sheet().done()).verdict.blank


def test_a_document_that_the_second_parser_cannot_open_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streams.read.second_parser._source", lambda document: b"no PDF at all")
    found = survey_page(undecodable(PROSE["english"]))
    assert found.confidence < 0.5
    assert found.reasons == ("private_use",)


def test_samples_of_type_whose_shift_is_proven_are_trusted() -> None:
    """Pangrams and alphabets are odd to letter statistics, shifted or not."""
    lines = ["The quick brown fox jumps over the lazy dog 0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz"]
    found = survey_page(Sheet().write(lines * 3, None).done())
    assert found.verdict.confidence < 0.5
    assert found.confidence > 0.75
    assert found.reasons[-1] == "recovered:shift"
    assert found.fragments[0].text.strip() == lines[0]
