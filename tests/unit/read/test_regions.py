"""Bad places on sound pages, and pages that are empty only by mistake."""

import pymupdf
import pytest

from streams.read.trust.confidence import judge
from streams.read.trust.signals import collect_signals
from streams.read.trust.suspects import MOST_SUSPECTS, merged
from tests.unit.read.made_pages import TEXT_FLAGS, Sheet, lines_of, photograph, picture_of, shuffled, signals_of, text_page, verdict_of
from tests.unit.read.prose import PROSE

ENGLISH = PROSE["english"]


def with_figures(page: pymupdf.Page) -> tuple:  # type: ignore[type-arg]
    found = collect_signals(page, page.get_text("dict", flags=TEXT_FLAGS), page.get_cdrawings(), page.get_image_info(), figures=True)
    return judge(found).regions


@pytest.mark.parametrize(
    ("layer", "reason"), [(None, "control_characters"), (shuffled(ENGLISH, seed=2), "unlikely_language")], ids=["no map", "letters"]
)
@pytest.mark.parametrize("rotation", [0, 90])
def test_lines_of_a_bad_font_are_named_with_their_box(layer, reason: str, rotation: int) -> None:  # type: ignore[no-untyped-def]
    sound = lines_of(ENGLISH, repeat=6)[:40]
    page = Sheet().write(sound, top=60).write(lines_of(ENGLISH)[:4], layer, name="F2", top=700).done(rotation)
    (region,) = verdict_of(page).regions
    assert region.reasons == (reason,)
    assert region.confidence < 0.5
    expected = pymupdf.Rect(72, 688, 560, 750) * page.rotation_matrix
    assert (pymupdf.Rect(region.bbox) & expected).get_area() > 0.7 * pymupdf.Rect(region.bbox).get_area()


@pytest.mark.parametrize("language", ["english", "russian", "chinese", "arabic"])
def test_sound_pages_have_no_regions(language: str) -> None:
    assert verdict_of(text_page(PROSE[language])).regions == ()


def test_leader_dots_of_any_code_are_no_region() -> None:
    lines = [f"Chapter {number} of the report{'.' * 30}{number}" for number in range(1, 35)]
    assert verdict_of(Sheet().write(lines, lambda letter: "\x08" if letter == "." else letter).done()).regions == ()


def test_picture_of_text_beside_sound_text_is_a_region_and_a_photograph_is_none() -> None:
    box = (72, 430, 523, 780)
    above = lines_of(ENGLISH, repeat=3)[:20]
    (region,) = with_figures(Sheet().write(above).image(picture_of(text_page(ENGLISH)), box).done())
    assert region.reasons == ("ink_without_text",)
    assert region.bbox == pytest.approx(box, abs=0.1)
    assert region.confidence < 0.5
    assert with_figures(Sheet().write(above).image(photograph(), box).done()) == ()


def test_a_picture_behind_the_text_of_the_page_is_no_region() -> None:
    below = lines_of(ENGLISH, repeat=3)[:24]
    for left in (60, 200):  # behind all of the lines, and behind their ends
        page = Sheet().image(photograph(), (left, 430, 580, 780)).write(lines_of(ENGLISH)[:8]).write(below, name="F2", top=440).done()
        assert with_figures(page) == ()


def test_places_are_bounded_and_the_largest_kept() -> None:
    places = [((0.0, 100.0 * number, 50.0, 100.0 * number + 10), "control_characters", 30 + number) for number in range(200)]
    found = merged(places)
    assert len(found) == MOST_SUSPECTS
    assert found[0].characters == 229


def test_text_of_control_characters_is_not_empty() -> None:
    page = text_page(ENGLISH, lambda letter: " " if letter == " " else chr(1 + ord(letter) % 8))
    verdict = verdict_of(page)
    assert not verdict.blank
    assert verdict.confidence < 0.3


def test_white_space_codes_for_all_letters_are_not_empty() -> None:
    verdict = verdict_of(text_page(ENGLISH, lambda letter: "\t\n\r "[ord(letter) % 4]))
    assert not verdict.blank
    assert verdict.confidence < 0.3


def test_page_whose_crop_box_lies_beside_its_text_is_not_blank() -> None:
    document = pymupdf.open()
    page = document.new_page()
    for number, line in enumerate(lines_of(ENGLISH)):
        page.insert_text((72, 90 + 15 * number), line)
    document.xref_set_key(page.xref, "CropBox", "[0 0 595 60]")
    verdict = verdict_of(pymupdf.open("pdf", document.tobytes())[0])
    assert not verdict.blank
    assert verdict.reasons[0] == "no_text"


def test_page_whose_content_breaks_off_is_not_blank() -> None:
    document = pymupdf.open()
    page = document.new_page()
    content = document.get_new_xref()
    document.update_object(content, "<<>>")
    document.update_stream(content, b"q 1 0 0 1 0 0 cm BT /F1 11 Tf 72 700 Td (The harbour", compress=False)
    document.xref_set_key(page.xref, "Contents", f"{content} 0 R")
    signals = signals_of(pymupdf.open("pdf", document.tobytes())[0])
    assert not judge(signals).blank
