"""From the image of a page to its lines: which way up the page lies, small print, long pages. With bars instead of text."""

import numpy as np
import pytest

from inference.engines.detection import MAX_TILES, detect_lines
from inference.engines.ppocr_page import read_lines
from tests.unit.inference.marked_bars import BarModels, page_of

BARS = [(50, 60 + 40 * n, 420 - 30 * (n % 3), 16) for n in range(10)]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_pages_are_read_however_they_lie_and_boxes_are_of_the_page_as_it_came(rotation):
    text = read_lines(page_of(BARS, rotation=rotation), BarModels())
    assert text.rotation == rotation
    assert {(line.text, line.rotation) for line in text.lines} == {("text", rotation)}
    expected = []
    for x, y, length, thickness in BARS:
        box = (x, y, x + length, y + thickness)
        for _ in range(rotation // 90):  # clockwise on a page whose height before the turn is `height`
            height = 800 if (_ % 2 == 0) else 600
            box = (height - box[3], box[0], height - box[1], box[2])
        expected.append(box)
    found = sorted(tuple(round(v) for v in line.bbox) for line in text.lines)
    assert np.abs(np.array(found) - np.array(sorted(expected))).max() <= 2


def test_an_upright_page_costs_one_look_and_one_reading_of_each_line():
    models = BarModels()
    read_lines(page_of(BARS), models)
    assert len(models.looked_at) == 1
    assert models.read == len(BARS)


def test_a_line_across_an_upright_page_is_read_as_well():
    page = page_of(BARS)
    page[300:700, 560:576] = 120  # read from below: its beginning is at the bottom
    page[567:700, 560:576] = 0
    across = [line for line in read_lines(page, BarModels()).lines if line.rotation]
    assert [(line.text, line.rotation) for line in across] == [("text", 270)]


def test_an_empty_page_has_no_lines():
    assert read_lines(page_of([]), BarModels()).lines == ()


def test_small_print_is_looked_at_closer():
    models = BarModels()
    small = [(50, 60 + 30 * n, 900, 6) for n in range(40)]
    text = read_lines(page_of(small, 1654, 2339), models)
    assert len(text.lines) == 40
    (coarse, fine) = models.looked_at
    assert max(coarse) < 1000 < max(fine)


def test_a_very_long_page_is_looked_at_in_pieces_and_every_line_is_found_once():
    bars = [(20, 40 + 97 * n, 300, 14) for n in range(120)]
    models = BarModels()
    lines = read_lines(page_of(bars, 400, 12_000), models).lines
    assert sorted(round(line.bbox[1]) for line in lines) == [y for _, y, _, _ in bars]
    assert len(models.looked_at) > 4


def test_a_line_longer_than_a_piece_of_a_wide_page_is_one_line():
    lines = read_lines(page_of([(30, 100, 3800, 14), (30, 200, 100, 14)], 4000, 300), BarModels()).lines
    assert sorted((round(line.bbox[0]), round(line.bbox[2])) for line in lines) == [(30, 130), (30, 3830)]


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 3), (1, 5000), (40_000, 2)])
def test_absurd_shapes_are_bounded_and_do_not_raise(width, height):
    looked = []
    detect_lines(np.full((height, width, 3), 255, np.uint8), lambda image, side: looked.append((image.shape, side)) or [])
    assert len(looked) <= 2 * (MAX_TILES + 2)
