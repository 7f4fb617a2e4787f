"""Text that a page does not show is left out of it; text that only looks so stays."""

import io
from collections.abc import Callable
from functools import partial

import pymupdf
import pytest
from PIL import Image

from streams.read.page import survey_page
from tests.unit.read.pages import made, prose, wrap, write

SECRET = "Words for machines alone"


def body(page: pymupdf.Page) -> None:
    write(page, 60, 80, wrap(prose(1200), 470))


def secret(page: pymupdf.Page, **how: object) -> None:
    page.insert_text((60, 500), SECRET, fontsize=11, **how)


def texts_and_reasons(draw: Callable[[pymupdf.Page], None], rotation: int) -> tuple[list[str], tuple[str, ...]]:
    document = made(lambda page: (body(page), draw(page)))
    document[0].set_rotation(rotation)
    found = survey_page(document[0])
    return [fragment.text for fragment in found.fragments], found.reasons


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize(
    ("how", "reason"),
    [({"render_mode": 3}, "invisible_text"), ({"fill_opacity": 0}, "invisible_text"), ({"color": (1, 1, 1)}, "hidden_text")],
)
def test_text_that_shows_nothing_is_left_out_with_a_reason(how: dict[str, object], reason: str, rotation: int) -> None:
    found, reasons = texts_and_reasons(partial(secret, **how), rotation)
    assert SECRET not in found
    assert len(found) > 5
    assert reasons == (reason,)


def noise() -> bytes:
    stored = io.BytesIO()
    Image.effect_noise((350, 60), 60).save(stored, "PNG")
    return stored.getvalue()


def on_dark(page: pymupdf.Page) -> None:
    page.draw_rect((50, 470, 400, 520), fill=(0, 0, 0.4))
    secret(page, color=(1, 1, 1))


def over_a_picture(page: pymupdf.Page) -> None:
    page.insert_image((50, 470, 400, 530), stream=noise(), keep_proportion=False)
    secret(page, render_mode=3)


def over_outlines(page: pymupdf.Page) -> None:
    for step in range(20):
        page.draw_bezier((60 + 6 * step, 500), (62 + 6 * step, 490), (64 + 6 * step, 490), (66 + 6 * step, 500))
    secret(page, render_mode=3)


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("draw", [on_dark, over_a_picture, over_outlines])
def test_text_that_is_shown_by_what_lies_under_it_stays(draw: Callable[[pymupdf.Page], None], rotation: int) -> None:
    found, reasons = texts_and_reasons(draw, rotation)
    assert SECRET in found
    assert not {"invisible_text", "hidden_text"} & set(reasons)


def test_where_most_text_is_unseen_the_judge_of_the_page_decides() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((60, 50), "Seen", fontsize=11)
        for row, line in enumerate(wrap(prose(1200), 470)):
            page.insert_text((60, 80 + 14 * row), line, fontsize=10, render_mode=3)

    found = survey_page(made(draw)[0])
    assert len(found.fragments) > 5
    assert "invisible_text" not in found.reasons


def test_cells_of_a_table_hold_no_unseen_text() -> None:
    def draw(page: pymupdf.Page) -> None:
        for y in (400, 430, 460):
            page.draw_line((60, y), (400, y))
        for x in (60, 230, 400):
            page.draw_line((x, 400), (x, 460))
        for x in (70, 240):
            for y in (415, 445):
                page.insert_text((x, y), f"cell {x} {y}", fontsize=9)
        page.insert_text((140, 415), "unseen", fontsize=9, render_mode=3)

    found = survey_page(made(lambda page: (body(page), draw(page)))[0])
    (table,) = [block.table for block in found.objects if block.table is not None]
    assert sorted(cell.text for cell in table.cells) == ["cell 240 415", "cell 240 445", "cell 70 415", "cell 70 445"]
