"""Text below something that was drawn over it later is not in the body; text that shows through, or above, is."""

from collections.abc import Callable

import pymupdf
import pytest

from streams.read.page import survey_page
from tests.unit.read.pages import made, prose, wrap, write

SENTENCE = "The witness was John Nobody of Harbour Street."
PLACE = (45.0, 486.0, 330.0, 506.0)


def body_and(draw: Callable[[pymupdf.Page], None]) -> Callable[[pymupdf.Page], None]:
    def drawn(page: pymupdf.Page) -> None:
        write(page, 60, 80, wrap(prose(900), 470))
        draw(page)

    return drawn


def found(draw: Callable[[pymupdf.Page], None], rotation: int = 0) -> tuple[str, tuple[str, ...]]:
    document = made(body_and(draw))
    document[0].set_rotation(rotation)
    survey = survey_page(document[0])
    return "\n".join(fragment.text for fragment in survey.fragments), survey.reasons


def sentence(page: pymupdf.Page, y: float = 500) -> None:
    page.insert_text((50, y), SENTENCE, fontsize=11)


def even(width: int = 200, height: int = 40, shade: int = 120) -> pymupdf.Pixmap:
    picture = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, width, height))
    picture.clear_with(shade)
    return picture


def boxed(fill: tuple[float, float, float]) -> Callable[[pymupdf.Page], None]:
    def draw(page: pymupdf.Page) -> None:
        sentence(page)
        page.draw_rect(PLACE, fill=fill, color=None)

    return draw


def pictured(page: pymupdf.Page) -> None:
    sentence(page)
    page.insert_image(PLACE, pixmap=even(), keep_proportion=False)


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("draw", [boxed((0, 0, 0)), boxed((1, 1, 1)), boxed((0.7, 0.8, 0.2)), pictured])
def test_text_below_a_box_or_a_picture_of_one_colour_is_left_out_with_a_reason(draw: Callable[[pymupdf.Page], None], rotation: int) -> None:
    text, reasons = found(draw, rotation)
    assert "witness" not in text
    assert "Harbour Street" not in text
    assert len(text) > 700
    assert reasons == ("covered_text",)


def test_a_name_that_is_blacked_out_goes_and_the_words_around_it_stay_apart() -> None:
    before = 50 + pymupdf.get_text_length("The witness was ", fontsize=11)
    after = before + pymupdf.get_text_length("John Nobody", fontsize=11)

    def draw(page: pymupdf.Page) -> None:
        sentence(page)
        page.draw_rect((before - 0.5, 488, after + 0.5, 504), fill=(0, 0, 0), color=None)

    text, reasons = found(draw)
    assert "John" not in text
    assert "Nobody" not in text
    assert "The witness was of Harbour Street." in " ".join(text.split())
    assert reasons == ("covered_text",)


def test_what_is_typed_over_a_whited_line_stands_in_its_place() -> None:
    def draw(page: pymupdf.Page) -> None:
        boxed((1, 1, 1))(page)
        page.insert_text((50, 500), "The witness cannot be named here.", fontsize=11)

    text, _ = found(draw)
    assert "cannot be named" in text
    assert "Nobody" not in text


def test_square_annotations_cover_as_well() -> None:
    def draw(page: pymupdf.Page) -> None:
        sentence(page)
        note = page.add_rect_annot(PLACE)
        note.set_colors(stroke=(0, 0, 0), fill=(0, 0, 0))
        note.update()

    assert "Nobody" not in found(draw)[0]


def below(page: pymupdf.Page) -> None:
    page.draw_rect(PLACE, fill=(0.9, 0.9, 0.6), color=None)
    sentence(page)


def half_transparent(page: pymupdf.Page) -> None:
    sentence(page)
    page.draw_rect(PLACE, fill=(1, 1, 0), color=None, fill_opacity=0.4)


def multiplied(page: pymupdf.Page) -> None:
    sentence(page)
    marker = page.add_highlight_annot(pymupdf.Rect(PLACE))  # drawn with the blend mode Multiply, and opaque
    marker.update()


def framed(page: pymupdf.Page) -> None:
    sentence(page)
    page.draw_rect(PLACE, color=(0, 0, 0), width=6)


def struck(page: pymupdf.Page) -> None:
    sentence(page)
    page.draw_rect((45, 495, 330, 497), fill=(0, 0, 0), color=None)


def shaded_row_below(page: pymupdf.Page) -> None:
    sentence(page)
    page.draw_rect((45, 501, 330, 515), fill=(0.8, 0.8, 0.8), color=None)


def picture_before(page: pymupdf.Page) -> None:
    page.insert_image(PLACE, pixmap=even(), keep_proportion=False)
    sentence(page)


@pytest.mark.parametrize("draw", [below, half_transparent, multiplied, framed, struck, shaded_row_below, picture_before])
def test_text_that_shows_stays(draw: Callable[[pymupdf.Page], None]) -> None:
    text, reasons = found(draw)
    assert SENTENCE in text
    assert "covered_text" not in reasons


def test_a_page_of_thousands_of_boxes_is_looked_at_in_time() -> None:
    def draw(page: pymupdf.Page) -> None:
        sentence(page)
        shape = page.new_shape()
        for number in range(6_000):
            x, y = 20 + 5.5 * (number % 100), 520 + 5.2 * (number // 100)
            shape.draw_rect((x, y, x + 5.2, y + 5.1))
        shape.finish(fill=(0.2, 0.6, 0.2), color=None)
        shape.commit()

    assert SENTENCE in found(draw)[0]
