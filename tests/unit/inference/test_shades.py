"""The shaded backgrounds behind the rows of a table, on clean and worn images."""

import time

import numpy as np
import pytest

from inference.shades import GRAIN, MAX_SHADES, shades_of

SIZE = 25.0
STRIPES = [(150, 300 + 120 * n, 1250, 360 + 120 * n) for n in range(4)]


def page(boxes, gray: int = 230, noise: float = 0.0, letters: int = 40) -> np.ndarray:
    """A sheet with shaded boxes and rows of letters on all of it."""
    image = np.full((1400, 1400), 252.0)
    for x0, y0, x1, y1 in boxes:
        image[y0:y1, x0:x1] = gray
    for y in range(100, 1300, 60):
        for x in range(180, 1200, letters):
            image[y + 20 : y + 38, x : x + 3] = image[y + 20 : y + 38, x + 9 : x + 12] = image[y + 28 : y + 31, x : x + 12] = 20
    return np.clip(image + np.random.default_rng(1).normal(0, noise, image.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("noise", [0.0, 8.0])
def test_stripes_are_found_behind_print(noise):
    found = shades_of(page(STRIPES, noise=noise), SIZE)
    assert len(found) == len(STRIPES)
    assert np.abs(np.array([shade.box for shade in found]) - np.array(STRIPES)).max() <= 2 * SIZE / GRAIN
    assert all(abs(shade.gray - 230) <= 4 for shade in found)


def test_boxes_that_touch_are_parted_by_their_level_and_by_their_sides():
    image = page([])
    image[300:360, 150:1250] = 120
    image[360:480, 150:1250] = 225
    image[480:600, 150:700] = 225
    boxes = [tuple(round(v) for v in shade.box) for shade in shades_of(image, SIZE)]
    assert np.abs(np.array(boxes) - np.array([(150, 300, 1250, 360), (150, 360, 1250, 480), (150, 480, 700, 600)])).max() <= 2 * SIZE / GRAIN


def test_print_rules_specks_pictures_and_the_paper_are_no_shades():
    assert shades_of(page([], noise=8.0), SIZE) == []
    image = page([(150, 300, 1250, 304), (600, 700, 660, 760)])
    assert shades_of(image, SIZE) == []
    disc = page([])
    y, x = np.mgrid[:1400, :1400]
    disc[(x - 700) ** 2 + (y - 700) ** 2 < 300**2] = 90
    assert [shade for shade in shades_of(disc, SIZE) if shade.box[3] - shade.box[1] > 150] == []
    assert shades_of(np.full((1400, 1400), 200, np.uint8), SIZE) == []


def test_absurd_images_are_bounded_and_do_not_raise():
    rng = np.random.default_rng(2)
    checks = np.kron(rng.integers(0, 2, (60, 60)), np.ones((30, 160))).astype(np.uint8) * 80 + 120
    assert len(shades_of(checks, SIZE)) <= MAX_SHADES
    for shape in ((1, 1), (1, 900), (900, 1)):
        assert shades_of(np.zeros(shape, np.uint8), 0.0) == []


def test_a_hatch_of_strokes_over_the_whole_page_costs_no_more_than_a_few_looks_at_it():
    y, x = np.mgrid[0:2400, 0:2400]
    began = time.process_time()
    shades_of(np.where((x + y) % 20 < 10, 200, 255).astype(np.uint8), 8.0)
    assert time.process_time() - began < 5.0
