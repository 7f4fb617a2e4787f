"""The scores of the routing bench against values known from elsewhere, and the rules it compares with."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.routing.measure import same_share
from tests.bench.routing.scans import misread
from tests.bench.routing.scores import area_under_roc, bootstrap, calibration_error, wilson

labelled = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=2, max_size=60)


def test_area_under_roc_of_known_orders() -> None:
    assert area_under_roc([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]) == 1.0
    assert area_under_roc([0.9, 0.8, 0.2, 0.1], [0, 0, 1, 1]) == 0.0
    assert area_under_roc([0.5, 0.5, 0.5, 0.5], [0, 1, 0, 1]) == 0.5
    assert area_under_roc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]) == 0.75
    assert math.isnan(area_under_roc([0.3, 0.4], [1, 1]))


@given(labelled)
def test_area_under_roc_counts_pairs(pages: list[tuple[float, int]]) -> None:
    good = [confidence for confidence, label in pages if label]
    bad = [confidence for confidence, label in pages if not label]
    found = area_under_roc([confidence for confidence, _ in pages], [label for _, label in pages])
    if good and bad:
        pairs = sum((g > b) + 0.5 * (g == b) for g in good for b in bad)
        assert found == pytest.approx(pairs / (len(good) * len(bad)))
    else:
        assert math.isnan(found)


def test_wilson_interval_of_known_shares() -> None:
    assert wilson(0, 129) == pytest.approx((0.0, 0.0289), abs=1e-4)
    assert wilson(34, 34) == pytest.approx((0.8985, 1.0), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_calibration_error_of_known_confidences() -> None:
    assert calibration_error([1.0, 1.0, 0.0, 0.0], [1, 1, 0, 0]) == 0.0
    assert calibration_error([0.75] * 4, [1, 1, 1, 0]) == pytest.approx(0.0)
    assert calibration_error([0.9] * 4, [1, 1, 0, 0]) == pytest.approx(0.4)


def test_bootstrap_draws_whole_groups() -> None:
    low, high = bootstrap([[1.0] * 50, [0.0] * 50], lambda items: sum(items) / len(items))
    assert (low, high) == (0.0, 1.0), "fifty pages of one document are one draw"


def test_misreading_has_the_rate_that_it_says() -> None:
    rng = random.Random(3)
    text = "harbour office opens " * 300
    assert misread(text, 0.0, "abc", rng) == text
    wrong = sum(a != b for a, b in zip(text, misread(text, 1.0, "xyz", rng), strict=False))
    assert wrong > 0.5 * len(text)


def test_a_text_is_the_same_in_any_order_and_less_so_by_what_it_lacks() -> None:
    shown = "harbour office opens daily at nine in summer"
    assert same_share("in summer at nine\nopens daily harbour  office", shown) == 1.0
    assert 0.6 < same_share("harbour office opens daily xx xxxx xx summer", shown) < 0.9
    assert same_share("", shown) == 0.0
