"""What the text pass tells of a page's vectors gives the same rulings as the drawing pass, or nothing."""

import pymupdf
import pytest

from streams.read.tables.rulings import Rulings, rulings_of
from streams.read.text_pass import read_text
from streams.read.vectors import drawings_of


def both(page: pymupdf.Page) -> tuple[Rulings | None, Rulings]:
    drawings = drawings_of(read_text(page).vectors or ())
    return None if drawings is None else rulings_of(drawings), rulings_of(page.get_cdrawings())


def near(one: Rulings, other: Rulings) -> bool:
    def same(these: object, those: object) -> bool:
        assert isinstance(these, tuple)
        assert isinstance(those, tuple)
        pairs = zip(these, those, strict=True)
        return len(these) == len(those) and all(abs(a - b) < 1 for left, right in pairs for a, b in zip(left, right, strict=True))

    return (
        same(one.horizontal, other.horizontal)
        and same(one.vertical, other.vertical)
        and [tuple(round(v) for v in fill.box) for fill in one.fills] == [tuple(round(v) for v in fill.box) for fill in other.fills]
    )


@pytest.mark.parametrize("width", [0.2, 1.0, 2.5])
def test_thin_lines_and_filled_boxes_need_no_drawing_pass(width: float) -> None:
    page = pymupdf.open().new_page()
    for step in range(5):
        page.draw_line((72, 100 + 30 * step), (400, 100 + 30 * step), width=width)
        page.draw_line((72 + 82 * step, 100), (72 + 82 * step, 220), width=width)
    page.draw_rect((72, 100, 400, 130), color=None, fill=(0.8, 0.9, 1.0))
    told, drawn = both(page)
    assert told is not None
    assert len(drawn.horizontal) == len(drawn.vertical) == 5
    assert near(told, drawn)


def test_colours_are_told() -> None:
    page = pymupdf.open().new_page()
    page.draw_rect((72, 100, 400, 130), color=None, fill=(0.2, 0.4, 0.6))
    told, drawn = both(page)
    assert told is not None
    assert told.fills[0].colour == pytest.approx(drawn.fills[0].colour, abs=0.01)


def draw_frame(page: pymupdf.Page) -> None:
    page.draw_rect((72, 100, 400, 300), color=(0, 0, 0), width=1)


def draw_slant(page: pymupdf.Page) -> None:
    page.draw_line((72, 100), (400, 300), width=1)


def draw_circle(page: pymupdf.Page) -> None:
    page.draw_circle((200, 200), 50)


def draw_bar(page: pymupdf.Page) -> None:
    page.draw_line((72, 100), (400, 100), width=8)


@pytest.mark.parametrize("draw", [draw_frame, draw_slant, draw_circle, draw_bar])
def test_anything_else_is_left_to_the_drawing_pass(draw: object) -> None:
    page = pymupdf.open().new_page()
    assert callable(draw)
    draw(page)
    told, drawn = both(page)
    assert told is None or near(told, drawn)
    if draw is not draw_bar:
        assert told is None
