"""Which pictures of a page are figures: whole ones, and neither rows of ornaments nor bars behind headings."""

from typing import Any

from schemas.content import TextStyle
from schemas.geometry import BBox
from streams.read.blocks.lines import Fragment
from streams.read.figures.elements import find_figures
from streams.read.figures.page_objects import objects_of_page

PAGE = (0.0, 0.0, 600.0, 800.0)


def images(*boxes: BBox) -> list[dict[str, Any]]:
    """Pictures as MuPDF lists them."""
    return [{"bbox": box} for box in boxes]


def text(words: str, x: float, y: float, size: float = 12.0) -> Fragment:
    """A line of text."""
    style = TextStyle(size_pt=size, font="Sans", bold=True)
    return Fragment(x, y, x + 0.5 * size * len(words), y + size, words, y + 0.8 * size, style, False, 0, False, len(words.replace(" ", "")))


def found(pictures: list[dict[str, Any]], *texts: Fragment) -> list[BBox]:
    """The figures of a page."""
    return [block.bbox for block in objects_of_page([], pictures, [], texts, [], [], PAGE, None).blocks]


def test_strips_and_tiles_are_one_picture() -> None:
    strips = [(100.0, 100.0 + 50 * n, 400.0, 150.0 + 50 * n) for n in range(4)]
    assert [block.bbox for block in find_figures(images(*strips), PAGE, None)] == [(100.0, 100.0, 400.0, 300.0)]
    tiles = [(100.0 + 100 * m, 100.0 + 50 * n, 200.0 + 100 * m, 150.0 + 50 * n) for m in range(3) for n in range(4)]
    assert [block.bbox for block in find_figures(images(*tiles), PAGE, None)] == [(100.0, 100.0, 400.0, 300.0)]


def test_two_rows_of_ornaments_far_apart_are_no_picture() -> None:
    """The rows begin a point apart, so that the lower one comes first when boxes are sorted by their edges."""
    rows = [(x0 + 6.0 * n, y, x0 + 6.1 + 6.0 * n, y + 3.2) for x0, y in ((43.3, 61.0), (42.4, 350.0)) for n in range(60)]
    assert find_figures(images(*rows), PAGE, None) == []


def test_a_bar_behind_a_heading_is_none_and_a_banner_without_text_is_one() -> None:
    bar = (60.0, 400.0, 300.0, 430.0)
    assert found(images(bar), text("1 Introduction", 80, 408)) == []
    assert found(images(bar), text("1 Introduction", 80, 500)) == [bar]
    tall = (60.0, 400.0, 300.0, 455.0)
    assert found(images(tall), text("1 Introduction", 80, 408)) == [tall]


def test_frames_of_form_fields_are_no_figure() -> None:
    fields = [(200.0, 100.0 + 16 * n, 400.0, 114.0 + 16 * n) for n in range(12)]
    drawn = [{"rect": box, "items": [("c", (0, 0), (1, 2), (2, 3), (3, 3))] * 4, "fill": (1, 1, 0), "color": None} for box in fields]
    assert len(objects_of_page(drawn, [], [], [], [], [], PAGE, None).blocks) == 1
    assert objects_of_page(drawn, [], [], [], [], fields, PAGE, None).blocks == []
