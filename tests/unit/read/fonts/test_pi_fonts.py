"""Fonts that call signs by letters: told by the shapes of their own glyphs, and by nothing less."""

import struct
from collections.abc import Mapping, Sequence

import pymupdf
import pytest

from streams.read.fonts.glyph_shapes import ink_of, shape_of, shapes_of, sign_unlike
from streams.read.fonts.pi_fonts import MAX_GLYPHS, has_pi_fonts, pi_readings
from streams.read.page import survey_page
from streams.read.text_pass import read_text

Polygon = Sequence[tuple[int, int]]


def bar(y: int, height: int = 50) -> Polygon:
    return [(50, y), (50, y + height), (700, y + height), (700, y)]


EQUALS = [bar(180), bar(380)]
PLUS = [bar(280), [(350, -20), (350, 630), (400, 630), (400, -20)]]
LESS = [[(700, 0), (50, 290), (50, 320), (700, 610), (700, 550), (160, 305), (700, 60)]]


def font_of(glyphs: Mapping[str, Sequence[Polygon]], notdef_width: int = 800) -> bytes:
    """A fixed-pitch TrueType font of 1000 units to an em with these outlines, clockwise, and an empty `.notdef`."""
    outlines = [b"", *(outline(polygons) for polygons in glyphs.values())]
    loca = [0]
    for data in outlines:
        loca.append(loca[-1] + len(data))
    codes = sorted((ord(letter), number) for number, letter in enumerate(glyphs, 1))
    ends = [*(code for code, _ in codes), 0xFFFF]
    deltas = [*((number - code) % 65536 for code, number in codes), 1]
    many = len(ends)
    body = struct.pack(f">HHHH{many}HH{many}H{many}H{many}H", 2 * many, 0, 0, 0, *ends, 0, *ends, *deltas, *[0] * many)
    table = struct.pack(">HHH", 4, len(body) + 6, 0) + body
    tables = {
        b"cmap": struct.pack(">HHHHL", 0, 1, 3, 1, 12) + table,
        b"glyf": b"".join(outlines),
        b"head": struct.pack(">LLLLHHQQhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0, 1000, 0, 0, 0, -200, 1000, 900, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">LhhhHhhhhhhhhhhhH", 0x10000, 900, -200, 0, 800, 0, 0, 800, 1, 0, 0, 0, 0, 0, 0, 0, len(outlines)),
        b"hmtx": struct.pack(">Hh", notdef_width, 50) + struct.pack(">Hh", 800, 50) * (len(outlines) - 1),
        b"loca": struct.pack(f">{len(loca)}L", *loca),
        b"maxp": struct.pack(">LHHHHHHHHHHHHHH", 0x10000, len(outlines), 40, 8, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"post": struct.pack(">LLhhLLLLL", 0x30000, 0, -100, 50, 1, 0, 0, 0, 0),
    }
    place = 12 + 16 * len(tables)
    entries, contents = b"", b""
    for tag, data in tables.items():
        padded = data + b"\0" * (-len(data) % 4)
        entries += tag + struct.pack(">LLL", 0, place + len(contents), len(data))
        contents += padded
    return struct.pack(">LHHHH", 0x10000, len(tables), 64, 2, 48) + entries + contents


def outline(polygons: Sequence[Polygon]) -> bytes:
    points = [point for polygon in polygons for point in polygon]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    ends = [sum(len(p) for p in polygons[: n + 1]) - 1 for n in range(len(polygons))]
    steps = [[b - a for a, b in zip([0, *values], values, strict=False)] for values in (xs, ys)]
    data = struct.pack(">hhhhh", len(polygons), min(xs), min(ys), max(xs), max(ys)) + struct.pack(f">{len(ends)}HH", *ends, 0)
    data += b"\1" * len(points) + b"".join(struct.pack(">h", step) for values in steps for step in values)
    return data + b"\0" * (-len(data) % 4)


def page_with(font: bytes, sign: str, *, name: str = "ABCDEF+AdvPS3FDD77") -> pymupdf.Page:
    """A page that says `E` sign `0.7`, the sign in a font of this name."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 100), "we have arbitrarily considered E", fontsize=10)
    page.insert_font("F9", fontbuffer=font)
    page.insert_text((224, 100), sign, fontname="F9", fontsize=10)
    page.insert_text((233, 100), "0.7 to indicate adequate model fits", fontsize=10)
    document = pymupdf.open(stream=document.tobytes())
    for xref in range(1, document.xref_length()):
        for key in ("BaseFont", "FontName"):
            if document.xref_get_key(xref, key)[1] not in ("null", "/Helvetica"):
                document.xref_set_key(xref, key, f"/{name}")
    return pymupdf.open(stream=document.tobytes())[0]


def said(page: pymupdf.Page) -> str:
    return "".join(fragment.text for fragment in survey_page(page).fragments)


@pytest.mark.parametrize(("letter", "polygons", "sign"), [("Z", EQUALS, "="), ("C", PLUS, "+"), ("!", LESS, "<")])
def test_a_sign_that_is_called_a_letter_is_the_sign(letter: str, polygons: Sequence[Polygon], sign: str) -> None:
    page = page_with(font_of({letter: polygons}), letter)
    assert f"E{letter}0.7" in page.get_text().replace("\n", "").replace(" ", "")
    assert pi_readings(page) == {"AdvPS3FDD77": {letter: sign}}
    assert f"E{sign}0.7" in said(page).replace(" ", "")
    assert sign in str(read_text(page).words(None))  # so that tables have it, too


def test_numbers_raised_behind_a_value_stay_apart_where_a_page_is_read_by_characters() -> None:
    page = page_with(font_of({"Z": EQUALS}), "Z")
    page.insert_text((72, 200), "1136", fontsize=10)
    page.insert_text((72 + pymupdf.get_text_length("1136", fontsize=10), 196.5), "3", fontsize=6)
    words = [word[4] for word in read_text(page).words(None)]
    assert "1136³" in words


def test_a_font_of_another_name_keeps_its_letters() -> None:
    page = page_with(font_of({"Z": EQUALS}), "Z", name="ABCDEF+Minion-Regular")
    assert not has_pi_fonts(page.get_text("dict"))
    assert "EZ0.7" in said(page).replace(" ", "")


def test_fonts_of_the_rupee_have_it_in_the_place_of_the_grave_accent() -> None:
    page = page_with(font_of({"`": PLUS}), "`", name="ABCDEF+RupeeForadian")
    assert "E₹0.7" in said(page).replace(" ", "")


def test_a_glyph_that_is_what_it_is_called_stays() -> None:
    page = page_with(font_of({"=": EQUALS, "+": PLUS}), "=")
    assert pi_readings(page) == {}


def test_a_font_of_many_glyphs_is_one_for_text() -> None:
    letters = [chr(0x41 + number) for number in range(MAX_GLYPHS)]
    assert pi_readings(page_with(font_of(dict.fromkeys(letters, EQUALS)), "A")) == {}


def test_a_damaged_font_changes_nothing() -> None:
    page = page_with(font_of({"Z": EQUALS}), "Z")
    xref = next(entry[0] for entry in page.get_fonts(full=True) if "Adv" in entry[3])
    descendant = int(page.parent.xref_get_key(xref, "DescendantFonts")[1].strip("[]").split()[0])
    descriptor = int(page.parent.xref_get_key(descendant, "FontDescriptor")[1].split()[0])
    program = int(page.parent.xref_get_key(descriptor, "FontFile2")[1].split()[0])
    page.parent.update_stream(program, b"\0\1\0\0 no font at all")
    assert pi_readings(page) == {}


@pytest.mark.parametrize("font", ["tiit", "tiro", "helv", "cour", "hebi"])
def test_no_letter_of_a_text_font_is_a_sign(font: str) -> None:
    """Leaning and typewriter letters, too, though the known shapes have none of the latter."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    with pymupdf.open() as document:
        page = document.new_page(width=80 * len(letters), height=80)
        writer = pymupdf.TextWriter(page.rect)
        for number, letter in enumerate(letters):
            writer.append((80 * number + 15, 55), letter, font=pymupdf.Font(font), fontsize=37)
        writer.write_text(page)
        ink = ink_of(page.get_pixmap(colorspace=pymupdf.csGRAY))
    shapes = [shape_of(ink[:, 80 * number : 80 * number + 80], 55, 37) for number in range(len(letters))]
    assert [letter for letter, shape in zip(letters, shapes, strict=True) if shape is None or sign_unlike(shape, letter)] == []


def test_glyphs_of_a_font_with_a_narrower_notdef_are_drawn_where_they_belong() -> None:
    """MuPDF writes such a font's glyphs as one run by the width of `.notdef`, so that each stands in the place of one before it."""
    letters = "!(C+-Z"
    font = pymupdf.Font(fontbuffer=font_of(dict(zip(letters, (LESS, [bar(280)], PLUS, EQUALS, [bar(100)], PLUS), strict=True)), notdef_width=200))
    alone = [shapes_of([(font, letter)])[0] for letter in letters]
    together = shapes_of([(font, letter) for letter in letters])
    assert [shape and shape.box for shape in together] == [shape and shape.box for shape in alone]
