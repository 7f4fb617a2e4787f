"""Ligatures of which a map to Unicode has only the last letter."""

import time

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.fonts.cut_ligatures import (
    MAX_CODES,
    _face,
    _reference,
    _widths,
    completed,
    cut_by_name,
    cut_by_width,
    letters_of,
    ligature_maps,
    stale_by_name,
)

TEXT = "The of\ufb01ce is on the second \ufb02oor of the building."
MAP = """1 begincodespacerange
<0000><ffff>
endcodespacerange
3 beginbfrange
<0042><0051><0061>
<006d><006d><0069>
<0100><0101><d835dc00>
endbfrange
1 beginbfchar
<0200> <00660066>
endbfchar
endcmap"""
GARAMOND = {"f": 290, "i": 257, "l": 247, "h": 507, "T": 623, "t": 323, "c": 400, "s": 307}
FI, FL, FFI, TH = 522, 511, 782, 1063


def document_of(producer: str) -> pymupdf.Document:
    """A page whose font has ligatures that its map to Unicode cuts, as Ghostscript 9.06 writes it."""
    made = pymupdf.open()
    page = made.new_page()
    writer = pymupdf.TextWriter(page.rect)
    writer.append((72, 72), TEXT, font=pymupdf.Font("helv"))
    writer.write_text(page)
    made.set_metadata({"producer": producer})
    document = pymupdf.open(stream=made.tobytes())
    font = document.get_page_fonts(0)[0][0]
    place = int(document.xref_get_key(font, "ToUnicode")[1].split()[0])
    text = document.xref_stream(place).decode()
    last = {code: {"\ufb01": "i", "\ufb02": "l"}[letter] for code, letter in letters_of(text).items() if letter in "\ufb01\ufb02"}
    document.update_stream(place, completed(text, last, digits=4).encode())
    return pymupdf.open(stream=document.tobytes())


@pytest.mark.parametrize(
    ("producer", "said"),
    [
        ("GPL Ghostscript 9.06", "The office is on the second floor of the building."),
        ("another", "The ofice is on the second loor of the building."),
    ],
)
def test_words_of_a_page_are_whole_again(producer: str, said: str) -> None:
    document = document_of(producer)
    maps = ligature_maps(document)
    maps.complete(0)
    maps.complete(0)
    assert document[0].get_text().strip() == said


def test_a_map_is_read_and_completed() -> None:
    letters = letters_of(MAP)
    assert (letters[0x42], letters[0x51]) == ("a", "p")
    assert letters[0x6D] == "i"
    assert letters[0x101] == "\U0001d401"
    assert letters[0x200] == "ff"
    assert letters_of(completed(MAP, {0x6D: "fi", 0x42: "Th"}, digits=4)) == letters | {0x6D: "fi", 0x42: "Th"}


def test_the_names_of_glyphs_say_what_was_cut() -> None:
    letters = {26: "≤", 27: "f", 29: "i", 30: "i", 31: "h", 32: "i"}
    names = {26: "lessequal", 27: "f_f", 29: "i", 30: "f_i.alt", 31: "T_h", 32: "ffi"}
    assert cut_by_name(letters, names) == {27: "ff", 30: "fi", 31: "Th", 32: "ffi"}
    assert cut_by_name(letters | {30: "fi"}, {30: "fi"}) == {}, "a whole one is left"


@pytest.mark.parametrize(
    ("extra", "cut"),
    [
        ({900: ("i", FI)}, {900: "fi"}),
        ({900: ("i", FFI)}, {900: "ffi"}),
        ({900: ("l", FL), 901: ("h", TH)}, {900: "fl", 901: "Th"}),
        ({900: ("i", 280)}, {}),  # an alternate form
        ({900: ("i", 400)}, {}),  # of no ligature's width
        ({900: ("e", 522)}, {}),  # no ligature ends with this letter
    ],
)
def test_widths_say_what_was_cut_where_one_letter_has_two_codes(extra: dict[int, tuple[str, int]], cut: dict[int, str]) -> None:
    letters = {ord(letter): letter for letter in GARAMOND} | {code: letter for code, (letter, _) in extra.items()}
    widths = {ord(letter): float(width) for letter, width in GARAMOND.items()} | {code: float(width) for code, (_, width) in extra.items()}
    assert cut_by_width(letters, widths, {}) == cut


def test_a_part_of_a_font_that_has_the_ligature_alone_is_measured_by_its_sibling() -> None:
    plain = {letter: float(width) for letter, width in GARAMOND.items()}
    assert cut_by_width({2: "i"}, {2: float(FI)}, plain) == {2: "fi"}
    assert cut_by_width({2: "i"}, {2: 257.0}, plain) == {}
    assert cut_by_width({1: "i", 2: "i"}, {1: 257.0, 2: 522.0}, {}) == {}, "nobody knows how wide an f is"


@pytest.mark.parametrize("scale", [1.0, 0.95, 0.5])
def test_variants_of_all_letters_are_no_ligatures(scale: float) -> None:
    """Capitals that a map calls small letters, and letters of half the width."""
    letters = "abefhilorst"
    widths = {code: 250.0 + 30 * (code % 11) for code in range(len(letters))} | {100 + code: 500.0 * scale for code in range(len(letters))}
    twice = dict(enumerate(letters)) | {100 + code: letter for code, letter in enumerate(letters)}
    assert cut_by_width(twice, widths, {}) == {}


def test_resources_that_a_page_inherits_are_looked_into() -> None:
    document = document_of("GPL Ghostscript 9.06")
    page = document.page_xref(0)
    parent = int(document.xref_get_key(page, "Parent")[1].split()[0])
    document.xref_set_key(parent, "Resources", document.xref_get_key(page, "Resources")[1])
    document.xref_set_key(page, "Resources", "null")
    document = pymupdf.open(stream=document.tobytes())
    ligature_maps(document).complete(0)
    assert "office" in document[0].get_text()


def test_maps_that_never_end_and_ranges_without_measure_cost_little() -> None:
    started = time.process_time()
    assert letters_of("beginbfchar " * 40_000) == {}
    assert len(letters_of("beginbfrange" + "<0000><ffffffff><0041>" * 2_000 + "endbfrange")) <= MAX_CODES
    assert time.process_time() - started < 2


def test_widths_are_bounded_and_untagged_fonts_are_no_siblings_by_having_no_tag() -> None:
    document = document_of("GPL Ghostscript 9.06")
    font = document.get_page_fonts(0)[0][0]
    descendant = _reference(document, font, "DescendantFonts")
    document.xref_set_key(descendant, "W", "[-3000000 9 500 " + "0 65536 500 " * 500 + "7 [250 260]]")
    widths = _widths(document, font)
    assert len(widths) <= MAX_CODES + 2
    assert min(widths) >= 0
    for name in ("Inconsolata", "ABCDEF+Inconsolata"):
        document.xref_set_key(font, "BaseFont", f"/{name}")
        assert _face(document, font) == "Inconsolata"


@given(st.text(alphabet="<>[]0123456789abcdef \nbegindbfcharange", max_size=300))
def test_any_map_is_read(body: str) -> None:
    assert all(letters_of(f"1 beginbfrange\n{body}\nendbfrange beginbfchar {body} endbfchar").values())


def test_a_map_of_old_numbers_gives_way_to_the_names_of_glyphs() -> None:
    """macOS numbers the glyphs of a part from 33 on and keeps the map of the whole font, where these are signs of ASCII."""
    made = pymupdf.open()
    page = made.new_page()
    font, place, content = (made.get_new_xref() for _ in range(3))
    made.update_object(font, f"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Differences[33/f_f_i/multiply]>>/ToUnicode {place} 0 R>>")
    made.update_object(place, "<<>>")
    made.update_stream(place, b"begincmap 1 begincodespacerange <00><ff> endcodespacerange 1 beginbfrange <20><7e><0020> endbfrange endcmap")
    made.update_object(content, "<<>>")
    made.update_stream(content, b'BT /F1 12 Tf 72 700 Td (di!culties 2 " 3) Tj ET')
    made.xref_set_key(page.xref, "Resources", f"<</Font<</F1 {font} 0 R>>>>")
    made.xref_set_key(page.xref, "Contents", f"{content} 0 R")
    made.set_metadata({"producer": "macOS Version 26.0.1 Quartz PDFContext"})
    document = pymupdf.open(stream=made.tobytes())
    ligature_maps(document).complete(0)
    assert document[0].get_text().strip() == "difficulties 2 × 3"


def test_names_that_the_map_does_not_gainsay_change_nothing() -> None:
    names = {33: "f_i", 34: "multiply", 35: "exclam", 36: "fi", 37: "f_l"}
    assert stale_by_name({33: "fi", 34: "×", 35: "!", 36: "A"}, names) == {}
    assert stale_by_name({33: "!", 34: '"'}, names) == {33: "fi", 34: "×"}
