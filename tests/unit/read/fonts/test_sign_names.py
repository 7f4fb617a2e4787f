"""Signs of mathematics whose fonts name them by number, or after the letter in whose place they stand."""

import pymupdf
import pytest

from streams.read.fonts.sign_names import LIARS, MAY_BE_NAMED, sign_readings
from streams.read.text_pass import read_text


def page_of(encoding: str, text: bytes, *, name: str = "AdvMacMthSyN", widths: str = "[800 800 800 800]", to_unicode: str = "") -> pymupdf.Page:
    """A page whose one line is set in a Type 1 font with these differences: MuPDF knows none of the names `C0`, `C15`."""
    document = pymupdf.open()
    page = document.new_page()
    font, stream = document.get_new_xref(), document.get_new_xref()
    base = f"<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+{name}/FirstChar 1/LastChar 4/Widths {widths}"
    unicode = ""
    if to_unicode:
        table = document.get_new_xref()
        document.update_object(table, "<<>>")
        cmap = f"/CMapName /X def\n1 begincodespacerange\n<00> <ff>\nendcodespacerange\n{to_unicode}\nendcmap"
        document.update_stream(table, cmap.encode())
        unicode = f"/ToUnicode {table} 0 R"
    document.update_object(font, f"{base}/Encoding<</Type/Encoding/Differences[{encoding}]>>{unicode}>>")
    document.update_object(stream, "<<>>")
    document.update_stream(stream, b"BT /F1 12 Tf 72 700 Td <" + text.hex().encode() + b"> Tj ET BT /F2 12 Tf 84 700 Td (0.9393) Tj ET")
    plain = document.get_new_xref()
    document.update_object(plain, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    document.xref_set_key(page.xref, "Resources", f"<</Font<</F1 {font} 0 R/F2 {plain} 0 R>>>>")
    document.xref_set_key(page.xref, "Contents", f"{stream} 0 R")
    return pymupdf.open("pdf", document.tobytes())[0]


def said(page: pymupdf.Page) -> str:
    content = read_text(page).content
    return "".join(span["text"] for block in content["blocks"] for line in block["lines"] for span in line["spans"])


def test_a_minus_of_a_numbered_name_is_not_lost() -> None:
    page = page_of("1/C15 3/C0", b"\x03")
    assert "\x03" in page.get_text()
    assert sign_readings(page) == {"AdvMacMthSyN": {"\x01": "•", "\x03": "−"}}
    assert said(page).replace(" ", "") == "−0.9393"
    assert "−" in str(read_text(page).words(None))  # so that tables have it, too


def test_letters_that_name_signs_are_signs_in_such_a_font() -> None:
    """The map to Unicode repeats the name of the glyph, so that a text says "fðPÞ" where the page shows f(P)."""
    maps = "3 beginbfchar\n<01> <00F0>\n<02> <00DE>\n<03> <00BC>\nendbfchar"
    page = page_of("1/eth/Thorn/onequarter", b"\x01\x02\x03", to_unicode=maps, name="AdvMathSymb")
    assert set(LIARS) & set(page.get_text())
    assert said(page).startswith("()=")


@pytest.mark.parametrize(
    ("encoding", "name", "widths"),
    [
        ("1/C0/C1/P", "AdvP4C4E46", "[447 447 1052 0]"),  # the font of large brackets, where C0 is one
        ("1/eth/Thorn", "IcelandicText", "[500 500 500 500]"),
        ("1/A/B", "AdvMathSymb", "[500 500 500 500]"),
    ],
)
def test_other_fonts_keep_what_they_say(encoding: str, name: str, widths: str) -> None:
    assert sign_readings(page_of(encoding, b"\x01\x02", name=name, widths=widths)) == {}


def test_a_font_of_signs_is_known_by_their_widths() -> None:
    page = page_of("1/C0/C6/C14", b"\x01", name="AdvP4C4E74", widths="[778 778 500 0]")
    assert sign_readings(page)["AdvP4C4E74"] == {"\x01": "−", "\x02": "±", "\x03": "◦"}


def test_pages_without_such_characters_ask_no_font() -> None:
    assert MAY_BE_NAMED.search("A page as most are: 1 + 2 = 3 − 4, “quoted”\t\n\r") is None
    assert MAY_BE_NAMED.search("\x03") is not None
