"""The pixels of a page: what is ink, and what is a rule and no stroke."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from streams.read.ink import Bitmap, _opened, ink_mask


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
