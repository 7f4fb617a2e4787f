"""Parts of a page that a reader of one script could not read."""

import pytest

from inference.engines.rapidocr import read_page
from inference.engines.unread_parts import unread_parts
from inference.engines.word_places import LineReading
from inference.images import PagePixels
from inference.types import PageRead, PageText, TextLine
from tests.unit.inference.making import page_image, png_of
from tests.unit.inference.marked_bars import BarModels, page_of

WIDTH, HEIGHT = 650, 814


def line(y: float, confidence: float, length: float = 600.0) -> TextLine:
    return TextLine((10.0, y, 10.0 + length, y + 30.0), "text", confidence)


def test_a_run_of_long_bad_lines_is_a_part_also_where_some_were_dropped():
    text = PageText((line(50, 0.95), line(430, 0.4), line(465, 0.5), line(650, 0.95)))
    assert unread_parts(text, [line(505, 0.2), line(540, 0.1)], WIDTH, HEIGHT) == [(1, 421, 620, 580)]


def test_one_bad_line_short_ones_and_lines_far_apart_are_none():
    assert unread_parts(PageText((line(50, 0.4), line(300, 0.4), line(600, 0.4))), [], WIDTH, HEIGHT) == []
    assert unread_parts(PageText((line(50, 0.4, 60), line(85, 0.4, 60))), [], WIDTH, HEIGHT) == []
    assert unread_parts(PageText((line(50, 0.9), line(85, 0.9))), [], WIDTH, HEIGHT) == []


def test_parts_stay_on_the_image():
    ((left, top, right, bottom),) = unread_parts(PageText((line(-3, 0.4, 900), line(30, 0.4, 900))), [], WIDTH, 60)
    assert (left, top, right, bottom) == (1, 0, WIDTH, 60)


class _OneScript(BarModels):
    """Reads all lines but the last ones: one of those badly, the others as rubbish."""

    def __init__(self, unread: int) -> None:
        super().__init__()
        self._unread = unread

    def recognize(self, lines):
        texts = ["The committee met on Tuesday and approved the budget of the year"] * (len(lines) - 1 - self._unread)
        return [*(LineReading(text, 0.97) for text in texts), LineReading("Y", 0.6), *(LineReading("., ,", 0.2) for _ in range(self._unread))]


@pytest.mark.parametrize(("unread", "problems"), [(3, ("part_unread",)), (1, ())])
def test_a_page_with_lines_that_were_not_read_beside_bad_ones_lacks_a_part(unread: int, problems: tuple[str, ...]):
    bars = [(50, 60 + 40 * n, 420, 16) for n in range(14)]
    png = png_of(page_of(bars))
    answer = read_page(_OneScript(unread), PagePixels(page_image(1, png, 600, 800), png, 10**6), "test")
    assert isinstance(answer, PageRead)
    assert answer.problems == problems
