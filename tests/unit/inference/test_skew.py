"""How far a page lies askew: by its lines, by its marks, and back again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.images import bounds_of, quad_of, straightened, straightened_quads
from inference.layout.lines import Frame
from inference.skew import LEAST_SKEW, levelled, skew_of, skew_of_marks

LINES = [quad_of((100, 100 + 40 * n, 900 - 60 * (n % 3), 120 + 40 * n)) for n in range(12)]


@given(st.floats(-15, 15))
def test_the_slope_of_lines_is_found_and_undone(degrees):
    askew = straightened_quads(LINES, -degrees, 1000, 1400)
    assert skew_of(askew) == pytest.approx(degrees, abs=0.02 if abs(degrees) > LEAST_SKEW + 0.02 else LEAST_SKEW + 0.04)
    back = straightened_quads(askew, degrees, 1000, 1400)
    assert max(np.abs(a - b).max() for a, b in zip(back, LINES, strict=True)) < 0.05


def test_few_lines_short_ones_and_posters_tell_nothing():
    assert skew_of([]) == 0.0
    assert skew_of(straightened_quads(LINES[:2], -3, 1000, 1400)) == 0.0
    assert skew_of(straightened_quads([quad_of((0, 40 * n, 60, 40 * n + 20)) for n in range(9)], -3, 1000, 1400)) == 0.0
    poster = [quad for n, quad in enumerate(LINES) for quad in straightened_quads([quad], -4.0 * (n % 5) + 7, 1000, 1400)]
    assert skew_of(poster) == 0.0


@pytest.mark.parametrize("degrees", [-5.0, -1.3, 0.6, 3.0])
def test_the_slope_of_marks_is_found(degrees):
    page = np.full((1400, 1000), 255, np.uint8)
    rng = np.random.default_rng(3)
    for quad in LINES:
        x0, y0, x1, y1 = (round(v) for v in bounds_of(quad))
        page[y0:y1, x0:x1] = np.where(rng.random((y1 - y0, x1 - x0)) < 0.4, 0, 255)
    askew = straightened(page, -degrees)
    assert skew_of_marks((askew < 128).astype(np.uint8)) == pytest.approx(degrees, abs=0.11)
    assert skew_of_marks((page < 128).astype(np.uint8)) == 0.0


def test_noise_and_empty_pages_lie_straight():
    assert skew_of_marks(np.zeros((500, 400), np.uint8)) == 0.0
    assert skew_of_marks((np.random.default_rng(1).random((500, 400)) < 0.1).astype(np.uint8)) == 0.0


@given(st.sampled_from([0, 90, 180, 270]), st.floats(-10, 10), st.floats(50, 500), st.floats(50, 700))
def test_boxes_come_back_to_where_they_lie_on_the_page(rotation, skew, x, y):
    frame = Frame(rotation, 1654.0, 2339.0, 0.36, 0.36, skew)
    on_image = (x, y, x + 100, y + 20)
    there = frame.turn_back(frame.to_upright(on_image))
    corners = straightened_quads([quad_of(on_image)], -skew, 1654, 2339)[0] * 0.36
    assert there == pytest.approx((corners[:, 0].min(), corners[:, 1].min(), corners[:, 0].max(), corners[:, 1].max()), abs=0.1)


def test_lines_that_slope_by_the_error_of_a_detector_are_set_level_and_others_stay():
    (slightly,) = straightened_quads([quad_of((100, 100, 220, 140))], -2.0, 1000, 1400)
    (level,) = levelled([slightly])
    x0, y0, x1, y1 = bounds_of(level)
    assert np.array_equal(level, quad_of((x0, y0, x1, y1)))
    assert (x1 - x0, y1 - y0) == pytest.approx((120, 40), abs=0.1)
    (steep,) = straightened_quads([quad_of((100, 100, 400, 140))], -4.0, 1000, 1400)
    assert levelled([steep])[0] is steep
