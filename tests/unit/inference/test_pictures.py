"""Shapes that a model takes for letters go, text stays; a page of nothing else is a picture."""

import numpy as np

from inference.engines.rapidocr import read_page
from inference.engines.word_places import LineReading
from inference.guards import Problem, check
from inference.images import PagePixels
from inference.pictures import is_picture_page, picture_page, without_shapes
from inference.types import PageRead, TextLine
from schemas.content import BlockType
from tests.unit.inference.making import page_image, png_of
from tests.unit.inference.marked_bars import BarModels


def line(text: str, confidence: float, size: float = 20.0, width: float | None = None) -> TextLine:
    return TextLine((10, 10, 10 + (width or 0.5 * size * len(text)), 10 + size), text, confidence)


def test_lone_signs_of_a_picture_are_no_text():
    for shapes in (
        [line("8", 0.74, 999, 1500)],
        [line("S", 0.87, 499, 499)],
        [line("09", 0.6), line("OG", 0.5), line("00", 0.4), line("日0", 0.36)],
        [line("(foxPas", 0.67)],
    ):
        assert without_shapes(shapes) == []


def test_text_is_text_however_little_there_is():
    for text in ([line("7", 0.99)], [line("YAMAHA", 0.96), line("AHA", 0.8)], [line("第七章", 0.9)]):
        assert without_shapes(text) == text


def test_large_doubtful_signs_beside_text_go_and_small_ones_stay():
    text, drop_cap, shape, small = line("The committee met", 0.98), line("T", 0.97, 80), line("0", 0.8, 90, 90), line("a)", 0.7)
    assert without_shapes([drop_cap, text, shape, small]) == [drop_cap, text, small]


def test_much_text_that_reads_badly_is_left_to_others():
    unread = [line("xa rjo lkq wzz", 0.5) for _ in range(6)]
    assert without_shapes(unread) == unread


class _Shapes(BarModels):
    """Takes every bar for a single sign."""

    def recognize(self, lines):
        return [LineReading("8", 0.7) for _ in lines]


def test_a_page_of_shapes_is_a_picture_with_the_box_of_its_ink():
    bgr = np.full((400, 600, 3), 255, np.uint8)
    bgr[100:300, 150:450] = 40
    png = png_of(bgr)
    answer = read_page(_Shapes(), PagePixels(page_image(1, png, 600, 400), png, 10**6), "test")
    assert isinstance(answer, PageRead)
    (block,) = answer.content.blocks
    assert block.type is BlockType.FIGURE
    assert np.abs(np.array(block.bbox) - (150, 100, 450, 300)).max() <= 2
    assert check(answer.content, answer.confidence, 0.25) == ()
    assert 0.5 < answer.confidence < 1


def test_an_empty_answer_on_an_inked_page_stays_a_problem():
    content = picture_page(page_image(), (0, 0, 10, 10))
    assert is_picture_page(content)
    empty = type(content)(page=1, width_pt=10, height_pt=10, rotation=0, source=content.source, blocks=())
    assert check(empty, 1.0, 0.1) == (Problem.EMPTY_ON_INK,)
