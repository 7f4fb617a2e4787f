"""Glyphs without a meaning in a readable page, told by what they look like."""

import numpy as np
import pymupdf
import pytest

from streams.read.fonts.glyph_shapes import ink_of, shape_of, sign_of
from streams.read.fonts.unnamed_glyphs import MOST, has_unnamed_glyphs, name_glyphs
from streams.read.page import survey_page
from tests.unit.read.made_pages import Sheet, lines_of
from tests.unit.read.prose import PROSE

ENGLISH = PROSE["english"]


def drawn(letter: str, font: str = "tiro", size: float = 10.0) -> str:
    """What a letter of one of MuPDF's fonts is taken for, drawn at another size than the known ones."""
    with pymupdf.open() as document:
        page = document.new_page(width=100, height=100)
        writer = pymupdf.TextWriter(page.rect)
        writer.append((30, 66), letter, font=pymupdf.Font(font), fontsize=size)
        writer.write_text(page)
        shape = shape_of(ink_of(page.get_pixmap(matrix=pymupdf.Matrix(5, 5), colorspace=pymupdf.csGRAY)), 330, 5 * size)
    return "" if shape is None else sign_of(shape)


@pytest.mark.parametrize("letter", "µ©±×÷≤≥≠•“”…€£αβλφ√∞½¼ﬁ")
def test_signs_are_told(letter: str) -> None:
    font = next(name for name in ("tiro", "symb") if pymupdf.Font(name).has_glyph(ord(letter)))
    assert drawn(letter, font, 7.3) == letter


@pytest.mark.parametrize("letter", "aegnopuvzAOZ038éö")
def test_letters_and_digits_are_never_taken_for_signs(letter: str) -> None:
    assert drawn(letter) == ""


@pytest.mark.parametrize("blank", [np.zeros((20, 20)), np.zeros((1, 1))])
def test_no_ink_is_no_shape(blank: np.ndarray) -> None:
    assert shape_of(blank, 10.0, 10.0) is None


def page_with(code: int, font: str, shown: int, before: str = "of ", behind: str = "0.9393 in the sample") -> pymupdf.Page:
    """A page of prose whose last line has one glyph of a font without names and without a map; it shows a letter of one of PDF's own fonts."""
    document = pymupdf.open(stream=Sheet().write(lines_of(ENGLISH, repeat=1)).done().parent.tobytes())
    page = document[0]

    def added(text: str, stream: bytes | None = None) -> str:
        xref = document.get_new_xref()
        document.update_object(xref, text)
        if stream is not None:
            document.update_stream(xref, stream)
        return f"{xref} 0 R"

    base = added(
        f"<</Type/Font/Subtype/Type1/BaseFont/{font}>>"
        if font == "Symbol"
        else f"<</Type/Font/Subtype/Type1/BaseFont/{font}/Encoding/WinAnsiEncoding>>"
    )
    glyph = added("<<>>", f"600 0 d0 BT /B 1000 Tf <{shown:02x}> Tj ET".encode() if shown else b"600 0 d0")
    signs = added(
        f"<</Type/Font/Subtype/Type3/FontBBox[0 -300 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar {code}/LastChar {code}/Widths[600]"
        f"/Encoding<</Differences[{code}/g1]>>/CharProcs<</g1 {glyph}>>/Resources<</Font<</B {base}>>>>>>"
    )
    plain = added("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    for name, reference in (("Signs", signs), ("Plain", plain)):
        document.xref_set_key(int(document.xref_get_key(page.xref, "Resources")[1].split()[0]), f"Font/{name}", reference)
    line = f"BT 1 0 0 1 60 60 Tm /Plain 11 Tf ({before}) Tj /Signs 11 Tf <{code:02x}> Tj /Plain 11 Tf ({behind}) Tj ET"
    contents = " ".join(f"{xref} 0 R" for xref in page.get_contents())
    document.xref_set_key(page.xref, "Contents", f"[{contents} {added('<<>>', line.encode())}]")
    return pymupdf.open(stream=document.tobytes())[0]


@pytest.mark.parametrize(("sign", "code", "font", "shown"), [("−", 3, "Symbol", 0x2D), ("µ", 1, "Helvetica", 0xB5), ("±", 0x93, "Helvetica", 0xB1)])
def test_a_number_keeps_the_sign_that_its_text_layer_calls_a_code(sign: str, code: int, font: str, shown: int) -> None:
    """A sign that is dropped makes another number of it, or another unit."""
    found = survey_page(page_with(code, font, shown))
    assert found.fragments[-1].text == f"of {sign}0.9393 in the sample"
    assert found.confidence > 0.9


def test_codes_that_draw_nothing_leave_no_trace() -> None:
    assert survey_page(page_with(7, "Helvetica", 0)).fragments[-1].text == "of 0.9393 in the sample"


def test_what_is_no_sign_stays_without_a_meaning() -> None:
    assert survey_page(page_with(5, "Helvetica", 0xE9)).fragments[-1].text == "of 0.9393 in the sample"


def test_a_page_of_codes_is_left_to_recognition() -> None:
    assert has_unnamed_glyphs("plain text " * 10 + "\x03")
    assert not has_unnamed_glyphs("plain text " * 10)
    assert not has_unnamed_glyphs("plain" + "\x03" * 3)
    assert not has_unnamed_glyphs("plain text " * 10_000 + "\x03" * (MOST + 1))


def test_a_page_that_is_turned_keeps_its_codes() -> None:
    page = page_with(3, "Symbol", 0x2D)
    page.set_rotation(90)
    assert not name_glyphs(page, page.get_text("rawdict"))


def test_a_glyph_that_claims_any_width_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    page = page_with(3, "Symbol", 0x2D)
    raw = page.get_text("rawdict")
    for char in (
        char for block in raw["blocks"] for line in block["lines"] for span in line["spans"] for char in span["chars"] if char["c"] == "\x03"
    ):
        char["bbox"] = (*char["bbox"][:2], 1e6, char["bbox"][3])
    monkeypatch.setattr(pymupdf.DisplayList, "get_pixmap", lambda *_, **__: pytest.fail("drawn"))
    assert not name_glyphs(page, raw)
