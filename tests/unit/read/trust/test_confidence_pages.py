"""Whole pages, sound and broken, in several scripts: what the verdict must be, and why."""

import io

import numpy as np
import pymupdf
import pytest
from PIL import Image

from streams.read.language.likelihood import unshift
from streams.read.trust.confidence import judge
from streams.read.trust.signals import collect_signals
from tests.unit.read.made_pages import (
    TOP,
    Sheet,
    as_jpeg,
    glyph_of,
    lines_of,
    misread,
    photograph,
    picture_of,
    shuffled,
    signals_of,
    text_page,
    verdict_of,
)
from tests.unit.read.prose import PROSE

ENGLISH = PROSE["english"]
SCRIPTS = ("english", "russian", "arabic", "chinese")
TRUSTED, DISTRUSTED = 0.8, 0.3


def same(letter: str) -> str:
    return letter


@pytest.mark.parametrize("language", PROSE)
def test_sound_page_is_trusted_without_a_bitmap(language: str) -> None:
    page = text_page(PROSE[language])
    assert verdict_of(page).confidence > TRUSTED
    assert not signals_of(page).looked


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_rotated_sound_page_is_trusted(rotation: int) -> None:
    assert verdict_of(text_page(PROSE["german"], rotation=rotation)).confidence > TRUSTED


@pytest.mark.parametrize("language", SCRIPTS)
def test_font_without_a_map_is_distrusted_or_recovered(language: str) -> None:
    verdict = verdict_of(text_page(PROSE[language], None))
    assert verdict.confidence < DISTRUSTED
    assert {"control_characters", "shifted_codes"} & set(verdict.reasons)


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(
    ("reason", "layer"),
    [("private_use", lambda letter: chr(0xE100 + ord(letter) % 0x500)), ("control_characters", lambda letter: chr(1 + ord(letter) % 8))],
)
def test_meaningless_codes_are_distrusted(language: str, reason: str, layer) -> None:  # type: ignore[no-untyped-def]
    verdict = verdict_of(text_page(PROSE[language], lambda letter: letter if letter == " " else layer(letter)))
    assert verdict.confidence < DISTRUSTED
    assert {reason, "shifted_codes"} & set(verdict.reasons), "MuPDF puts glyph numbers for control characters, which may be ASCII shifted"


@pytest.mark.parametrize("language", ["english", "french", "russian", "greek", "hebrew"])
def test_map_to_wrong_but_valid_letters_is_distrusted(language: str) -> None:
    verdict = verdict_of(text_page(PROSE[language], shuffled(PROSE[language], seed=2)))
    assert verdict.confidence < DISTRUSTED
    assert verdict.reasons == ("unlikely_language",)


@pytest.mark.parametrize("language", ["chinese", "japanese", "korean"])
def test_map_to_wrong_ideographs_is_distrusted(language: str) -> None:
    verdict = verdict_of(text_page(PROSE[language], lambda letter: letter if letter in " ，。" else chr(0x4E00 + ord(letter) * 7919 % 0x5000)))
    assert verdict.confidence < DISTRUSTED
    assert verdict.reasons == ("unlikely_language",)


def test_shift_in_one_of_two_fonts_is_undone_in_that_one() -> None:
    lines = lines_of(ENGLISH, repeat=2)
    sheet = Sheet().write(lines[1::2], lambda letter: chr(ord(letter) + 5), top=TOP + 15, leading=30)
    for number, line in enumerate(lines[::2]):
        sheet.draw(f"BT /Helv 11 Tf 1 0 0 1 72 {842 - TOP - 30 * number} Tm ({line}) Tj ET")
    sheet.page.insert_font(fontname="Helv")
    verdict = verdict_of(sheet.done())
    assert verdict.confidence < DISTRUSTED
    assert verdict.reasons == ("shifted_codes",)
    assert verdict.recovered_confidence > TRUSTED
    (found,) = verdict.shifts
    assert found.font.startswith("Droid")
    assert found.shift.offset == -5


@pytest.mark.parametrize("shift", [lambda letter: chr(ord(letter) + 5), None], ids=["mapped", "no map"])
def test_shift_in_one_of_two_subsets_of_a_name_is_not_undone(shift) -> None:  # type: ignore[no-untyped-def]
    """Undoing it by the font's name would destroy the sound half."""
    lines = lines_of(ENGLISH, repeat=2)
    page = Sheet().write(lines[::2], leading=30).write(lines[1::2], shift, name="F2", top=TOP + 15, leading=30).done()
    verdict = verdict_of(page)
    assert len({span["font"] for block in page.get_text("dict")["blocks"] for line in block["lines"] for span in line["spans"]}) == 1
    assert verdict.confidence < DISTRUSTED
    assert verdict.shifts == ()


@pytest.mark.parametrize("second", [None, shuffled(ENGLISH, seed=2)], ids=["no map", "wrong letters"])
def test_alternating_sound_and_broken_fonts_are_distrusted(second) -> None:  # type: ignore[no-untyped-def]
    lines = lines_of(ENGLISH, repeat=2)
    page = Sheet().write(lines[::2], leading=30).write(lines[1::2], second, name="F2", top=TOP + 15, leading=30).done()
    assert verdict_of(page).confidence < DISTRUSTED


@pytest.mark.parametrize("code", ["\x08", "\ufffd", "\ue5e5"])
def test_leader_dots_of_any_code_do_not_count(code: str) -> None:
    lines = [f"Chapter {number} of the report{'.' * 30}{number}" for number in range(1, 35)]
    verdict = verdict_of(Sheet().write(lines, lambda letter: code if letter == "." else letter).done())
    assert verdict.confidence > TRUSTED


def test_replaced_letters_do_count() -> None:
    """MuPDF gives U+FFFD for glyphs that a map names so; here every second letter of a word, never a run of dots."""
    lines = lines_of(ENGLISH, repeat=2)
    verdict = verdict_of(Sheet().write(lines, lambda letter: "\ufffd" if letter in "aeiou" else letter).done())
    assert verdict.confidence < DISTRUSTED


def test_font_that_calls_all_letters_spaces_is_distrusted() -> None:
    lines = lines_of(ENGLISH, repeat=3)
    verdict = verdict_of(Sheet().write(lines[:3]).write(lines[3:], lambda _: " ", name="F2", top=TOP + 60).done())
    assert verdict.confidence < DISTRUSTED
    assert verdict.reasons == ("ink_without_text",)


@pytest.mark.parametrize(("language", "page"), [("russian", "koi8-r"), ("russian", "mac-cyrillic"), ("chinese", "gbk"), ("greek", "iso8859-7")])
def test_bytes_of_another_code_page_are_distrusted(language: str, page: str) -> None:
    lines = [line.encode(page, "replace").decode("latin-1") for line in lines_of(PROSE[language], repeat=2)]
    assert verdict_of(Sheet().write(lines).done()).confidence < DISTRUSTED


def test_bullets_from_symbol_codes_do_not_count() -> None:
    lines = [("• " if number % 3 == 0 else "") + line for number, line in enumerate(lines_of(ENGLISH, repeat=3))]
    assert verdict_of(Sheet().write(lines, lambda letter: "\uf0b7" if letter == "•" else letter).done()).confidence > TRUSTED


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_scan_without_text_needs_a_model(rotation: int) -> None:
    verdict = verdict_of(Sheet().image(picture_of(text_page(ENGLISH))).done(rotation))
    assert verdict.reasons == ("no_text",)
    assert verdict.confidence < DISTRUSTED


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("under", [False, True], ids=["invisible", "under the scan"])
def test_hidden_text_is_judged_by_its_quality(language: str, under: bool) -> None:
    scan, lines = picture_of(text_page(PROSE[language])), lines_of(PROSE[language], repeat=2)
    wrong = [misread(line, 0.2) for line in lines]

    def page(text: list[str]) -> pymupdf.Page:
        return Sheet().write(text).image(scan).done() if under else Sheet().image(scan).write(text, mode=3).done()

    good, bad = verdict_of(page(lines)), verdict_of(page(wrong))
    assert good.confidence > TRUSTED
    assert good.reasons == ("invisible_text_over_image",)
    assert bad.confidence < DISTRUSTED
    assert "unsound_words" in bad.reasons


def test_a_leader_dot_taken_for_a_letter_moves_no_text() -> None:
    """Contents of a book, scanned: the dots are too thin to be seen, as if there were none, and stay dots whatever one of them is read as."""
    titles = PROSE["english"].replace(",", "").replace(".", "").split()[:40]
    read = [f"{title} {'.' * 40}s{'.' * 49}" for title in titles]
    found = verdict_of(Sheet().image(picture_of(Sheet().write(titles).done())).write(read, mode=3).done())
    assert "misplaced_text" not in found.reasons
    assert found.confidence > 0.5


def test_hidden_text_that_covers_a_third_of_its_scan_is_distrusted() -> None:
    lines = lines_of(ENGLISH, repeat=2)
    verdict = verdict_of(Sheet().image(picture_of(text_page(ENGLISH))).write(lines[: len(lines) // 3], mode=3).done())
    assert verdict.confidence < DISTRUSTED
    assert "ink_without_text" in verdict.reasons


@pytest.mark.parametrize("box", [None, (60, 100, 535, 790)], ids=["page-wide", "inside margins"])
@pytest.mark.parametrize("rotation", [0, 90])
def test_scan_with_a_stamp_as_its_only_text_is_distrusted(box, rotation: int) -> None:  # type: ignore[no-untyped-def]
    page = Sheet().image(picture_of(text_page(ENGLISH)), box).write(["HARBOUR 000123456 CONFIDENTIAL"], top=40).done(rotation)
    verdict = verdict_of(page)
    assert verdict.confidence < DISTRUSTED
    assert verdict.reasons == ("ink_without_text",)


def test_scan_that_is_turned_on_its_page_is_distrusted() -> None:
    upright = Image.open(io.BytesIO(picture_of(text_page(ENGLISH))))
    buffer = io.BytesIO()
    upright.rotate(90, expand=True).save(buffer, "JPEG")
    page = Sheet((842, 595)).image(buffer.getvalue()).write(["HARBOUR 000123456"], top=20).done()
    assert verdict_of(page).confidence < DISTRUSTED


@pytest.mark.parametrize(("level", "spread"), [(215, 12), (190, 40)])
def test_text_over_a_background_picture_is_trusted(level: int, spread: int) -> None:
    page = Sheet().image(photograph(level=level, spread=spread)).write(lines_of(ENGLISH, repeat=2)).done()
    verdict = verdict_of(page)
    assert signals_of(page).image_cover > 0.95
    assert verdict.confidence > TRUSTED


def test_a_page_full_of_text_is_not_drawn_for_its_background() -> None:
    """It has no room for the twice as many characters in the picture that would make the layer worth nothing."""
    background = photograph(level=215, spread=12)
    full = Sheet().image(background).write(lines_of(ENGLISH, width=90, repeat=7), size=10, leading=12, top=40).done()
    assert signals_of(full).characters > 2_000
    assert not signals_of(full).looked
    assert verdict_of(full).confidence > TRUSTED
    assert signals_of(Sheet().image(background).write(lines_of(ENGLISH)).done()).looked


def test_photograph_with_a_caption_is_trusted() -> None:
    caption = "The harbour office seen from the northern quay in the year of the flood."
    assert verdict_of(Sheet().write([caption], top=800).image(photograph(), (40, 40, 555, 780)).done()).confidence > TRUSTED


def outlined(letters: int = 700) -> str:
    """Text as a typesetter leaves it that turns letters into paths."""
    path = []
    for number in range(letters):
        x, y = 72 + number % 60 * 7.5, 740 - number // 60 * 16
        path.append(
            f"{x} {y} m {x + 1} {y + 7} {x + 4} {y + 7} {x + 5} {y} c {x + 4} {y + 2} {x + 1} {y + 2} {x} {y} c f "
            f"{x + 2} {y + 3} m {x + 3} {y + 6} {x + 4} {y + 1} {x + 5} {y + 7} c {x + 4.6} {y + 7} l f"
        )
    return "0 g\n" + "\n".join(path)


def test_outlined_text_is_distrusted_with_and_without_a_head() -> None:
    assert verdict_of(Sheet().draw(outlined()).done()).reasons == ("no_text",)
    verdict = verdict_of(Sheet().draw(outlined()).write(["Report of the harbour office"], top=40).done())
    assert verdict.confidence < DISTRUSTED
    assert verdict.reasons == ("ink_without_text",)


def paper(**marks: int) -> np.ndarray:
    """A scan of an empty sheet, with `specks` and a `shadow` of so many pixels at its edge."""
    rng = np.random.default_rng(2)
    grey = np.clip(rng.normal(246, 3, (1100, 800)), 0, 255).astype(np.uint8)
    for _ in range(marks.get("specks", 0)):
        y, x = rng.integers(20, 1080), rng.integers(20, 780)
        grey[y : y + 2, x : x + 2] = 60
    grey[:, : marks.get("shadow", 0)] = 40
    return grey


def show_through() -> np.ndarray:
    """The other side of the sheet, faint and mirrored."""
    other = np.asarray(Image.open(io.BytesIO(picture_of(text_page(ENGLISH)))).transpose(Image.Transpose.FLIP_LEFT_RIGHT)).astype(float)
    return np.clip(235 + (other - other.max()) * 0.12, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    "sheet",
    [
        Sheet,
        lambda: Sheet().draw("0 g 1 w"),
        lambda: Sheet().draw("1 g 0 0 595 842 re f"),
        lambda: Sheet().image(as_jpeg(paper())),
        lambda: Sheet().image(as_jpeg(paper(specks=30))),
        lambda: Sheet().image(as_jpeg(paper(shadow=14))),
        lambda: Sheet().image(as_jpeg(show_through())),
        lambda: Sheet((3, 3)).draw("0 g 1 1 1 1 re f"),
        lambda: Sheet().write(lines_of(ENGLISH), grey=1.0),
        lambda: Sheet().write(lines_of(ENGLISH), mode=3),
    ],
    ids=["empty", "empty content", "white box", "white scan", "specks", "shadow", "show-through", "3 pt", "white on white", "invisible"],
)
def test_pages_that_show_nothing_are_blank(sheet) -> None:  # type: ignore[no-untyped-def]
    assert verdict_of(sheet().done()).blank


def test_a_page_number_on_a_scan_is_not_blank() -> None:
    assert not verdict_of(Sheet().image(picture_of(Sheet().write(["12"], top=800, left=290, size=10).done())).done()).blank


def test_white_text_on_a_dark_ground_is_trusted() -> None:
    page = Sheet().draw("0.1 g 0 0 595 842 re f").write(lines_of(ENGLISH), grey=1.0).done()
    assert signals_of(page).looked
    assert verdict_of(page).confidence > TRUSTED


def test_text_that_a_box_covers_is_distrusted() -> None:
    lines = lines_of(ENGLISH, repeat=2)
    page = Sheet().write(lines, grey=0.97).write(["17"], name="F2", top=800).done()
    verdict = verdict_of(page)
    assert verdict.confidence < DISTRUSTED
    assert verdict.reasons == ("text_without_ink",)


def test_text_printed_twice_and_tables_of_numbers_are_trusted() -> None:
    lines = lines_of(ENGLISH, repeat=2)
    assert verdict_of(Sheet().write(lines).write(lines, name="F2", left=72.2).done()).confidence > TRUSTED
    numbers = ["  ".join(f"{row * column * 1234 % 1_000_003:,}" for column in range(1, 8)) for row in range(1, 40)]
    assert verdict_of(Sheet().write(numbers, size=9).done()).confidence > TRUSTED


def test_picture_that_cannot_be_decoded_is_not_called_blank() -> None:
    sheet = Sheet()
    image, content = sheet.document.get_new_xref(), sheet.document.get_new_xref()
    sheet.document.update_object(image, "<</Type/XObject/Subtype/Image/Width 90/Height 90/BitsPerComponent 8/ColorSpace/DeviceRGB>>")
    sheet.document.update_stream(image, b"no picture at all", compress=False)
    sheet.document.xref_set_key(image, "Filter", "/DCTDecode")
    sheet.document.update_object(content, "<<>>")
    sheet.document.update_stream(content, b"q 500 0 0 700 40 40 cm /I Do Q")
    sheet.document.xref_set_key(sheet.page.xref, "Resources", f"<</XObject<</I {image} 0 R>>>>")
    sheet.document.xref_set_key(sheet.page.xref, "Contents", f"{content} 0 R")
    verdict = verdict_of(sheet.done())
    assert not verdict.blank
    assert verdict.reasons[0] == "no_text"


def test_huge_picture_is_not_decoded_to_be_judged() -> None:
    """Looking at a picture of a gigapixel would take a second or more, and a model must read it anyway."""
    picture = {"bbox": (0, 0, 595, 842), "width": 35_000, "height": 35_000, "size": 11_000}
    found = collect_signals(Sheet().draw("0 g 9 9 99 99 re f").done(), {"blocks": []}, [], [picture])
    assert not found.looked
    assert judge(found).reasons == ("no_text",)


def test_glyphs_of_different_letters_differ() -> None:
    assert len({glyph_of(letter) for letter in "abcАБВאבג漢字"}) == 11


def test_undone_text_reads_as_it_shows() -> None:
    page = text_page(ENGLISH, lambda letter: chr(ord(letter) + 5))
    (found,) = verdict_of(page).shifts
    text = "".join(span["text"] for block in page.get_text("dict")["blocks"] for line in block["lines"] for span in line["spans"])
    assert unshift(text, found.shift).startswith("The harbour office opens at seven")
