"""The pixels of a page: what is ink, and what is a rule and no stroke."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from streams.read.trust.ink import Bitmap, _opened, ink_mask, measure, strokes_of


@given(hnp.arrays(np.bool_, hnp.array_shapes(min_dims=2, max_dims=2, max_side=40)), st.integers(1, 45))
def test_opening_keeps_runs_of_a_length_downwards(mask: np.ndarray, length: int) -> None:
    expected = np.zeros_like(mask)
    for y in range(len(mask) - length + 1):
        expected[y : y + length] |= mask[y : y + length].all(axis=0)
    assert (_opened(mask, length) == expected).all()
    assert (_opened(mask.T, length) == _opened(np.ascontiguousarray(mask.T), length)).all()


@given(st.integers(0, 255), st.integers(0, 255))
def test_ink_is_what_differs_from_the_paper_either_way(paper: int, other: int) -> None:
    grey = np.full((9, 9), paper, np.uint8)
    grey[4, 4] = other
    assert ink_mask(Bitmap(grey, 1.0))[4, 4] == (abs(paper - other) > 44)
    assert ink_mask(Bitmap(grey, 1.0)).sum() <= 1


def lines_of_print(count: int) -> tuple[np.ndarray, list[tuple[float, float, float, float]]]:
    """Lines of strokes like letters, and the box of each."""
    grey, boxes = np.full((40 + 16 * count, 500), 255, np.uint8), []
    for row in range(count):
        y = 20 + 16 * row
        for x in range(40, 440, 5):
            grey[y : y + 8, x : x + 2] = 0
            grey[y + 3 * (x // 5 % 3) : y + 3 * (x // 5 % 3) + 1, x : x + 4] = 0
        boxes.append((40.0, float(y), 440.0, y + 8.0))
    return grey, boxes


def test_the_share_of_ink_outside_boxes_is_that_of_the_lines_left_out() -> None:
    grey, boxes = lines_of_print(20)
    seen = measure(Bitmap(grey, 1.0), boxes[:12], [80] * 12, whole=True)
    assert abs(seen.stray_line_characters / seen.whole_line_characters - 0.4) < 0.05
    assert measure(Bitmap(grey, 1.0), boxes[:12], [80] * 12).whole_line_characters == 0.0


def numbers_in_cells(rows: int, columns: int) -> tuple[np.ndarray, list[tuple[float, float, float, float]]]:
    """A table of two-digit numbers, far apart: strokes of two letters in each cell, and the box of each."""
    grey, boxes = np.full((40 + 20 * rows, 40 + 80 * columns), 255, np.uint8), []
    for row in range(rows):
        for column in range(columns):
            x, y = 30 + 80 * column, 20 + 20 * row
            for left in (x, x + 6):
                grey[y : y + 9, left : left + 2] = grey[y : y + 2, left : left + 5] = 0
            boxes.append((float(x), float(y), x + 11.0, y + 9.0))
    return grey, boxes


def test_numbers_of_a_table_outside_boxes_count_as_prose_does() -> None:
    grey, boxes = numbers_in_cells(20, 6)
    for kept in (40, 80, 120):
        seen = measure(Bitmap(grey, 1.0), boxes[:kept], [2] * kept, whole=True)
        assert abs(seen.outside_share - (1 - kept / 120)) < 0.02
    assert measure(Bitmap(grey, 1.0), boxes[:40], [2] * 40).outside_share == 0.0


def test_a_picture_is_no_text_outside_boxes() -> None:
    grey, boxes = lines_of_print(10)
    noisy = np.random.default_rng(2).integers(0, 255, (400, grey.shape[1]), np.uint8)
    seen = measure(Bitmap(np.vstack((grey, noisy)), 1.0), boxes, [80] * 10, whole=True)
    assert seen.outside_share < 0.05


def test_rules_are_no_strokes() -> None:
    grey, _ = lines_of_print(4)
    ruled = grey.copy()
    ruled[33::16, 20:480] = 0
    assert (strokes_of(Bitmap(ruled, 1.0)) == strokes_of(Bitmap(grey, 1.0))).all()
