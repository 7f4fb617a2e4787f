"""Rules drawn on a page image, and lines cut where one runs through them."""

import numpy as np
import pytest

from inference.images import quad_of
from inference.rules import cut_at_rules, marks_of, rules_of, size_of_print

SIZE = 28.0
"""Pixels of 10 pt print at 200 dpi."""


def page(width: int = 900, height: int = 700, paper: int = 255) -> np.ndarray:
    return np.full((height, width), paper, np.uint8)


def found(gray: np.ndarray, text=(), size: float = SIZE) -> list[tuple[int, ...]]:
    return sorted(tuple(round(v) for v in box) for box in rules_of(marks_of(gray, size), size, text))


def ruled(gray: np.ndarray, ink: int = 0) -> np.ndarray:
    for y in (100, 160, 220, 280):
        gray[y : y + 2, 50:850] = ink
    for x in (50, 300, 600, 848):
        gray[100:282, x : x + 2] = ink
    return gray


def test_a_grid_is_found_line_by_line():
    rules = found(ruled(page()))
    flat, upright = [r for r in rules if r[2] - r[0] > r[3] - r[1]], [r for r in rules if r[2] - r[0] < r[3] - r[1]]
    assert [(r[1], r[0], r[2]) for r in sorted(flat, key=lambda r: r[1])] == [(y, 50, 850) for y in (100, 160, 220, 280)]
    assert [(r[0], r[1], r[3]) for r in upright] == [(x, 100, 282) for x in (50, 300, 600, 848)]


def test_faint_rules_on_gray_paper_with_noise_are_found():
    rng = np.random.default_rng(5)
    gray = np.clip(ruled(page(paper=215), ink=150).astype(float) + rng.normal(0, 6, (700, 900)), 0, 255).astype(np.uint8)
    assert len(found(gray)) == 8


def test_a_dotted_rule_is_one_rule():
    gray = page()
    for x in range(100, 700, 5):
        gray[300:302, x : x + 2] = 0
    ((x0, y0, x1, y1),) = found(gray)
    assert (y0, y1) == (300, 302)
    assert x0 <= 104
    assert x1 >= 690


def test_bars_frames_of_pictures_and_strokes_of_letters_are_no_rules():
    gray = page()
    gray[100:140, 50:800] = 0  # a bar
    gray[300:303, 200:260] = 0  # the bar of a large T, inside of its line
    gray[300:360, 228:232] = 0  # and its stem
    assert found(gray, [quad_of((180, 290, 500, 370))]) == []


def test_an_image_without_room_has_no_rules():
    assert rules_of(marks_of(page(4, 4), SIZE), SIZE, []) == []
    assert rules_of(marks_of(page(40, 12), 0.0), 0.0, []) == []


def test_the_size_of_print_is_the_middle_one():
    assert size_of_print([]) == 0.0
    assert size_of_print([quad_of((0, 0, 100, h)) for h in (16, 16, 80)]) == 10.0


def test_a_line_over_a_rule_is_cut_there():
    rules = [(300.0, 90.0, 302.0, 200.0), (50.0, 90.0, 52.0, 200.0), (498.0, 90.0, 500.0, 200.0), (0.0, 95.0, 600.0, 97.0)]
    parts = cut_at_rules([quad_of((48, 110, 502, 140)), quad_of((320, 300, 480, 330))], rules)
    boxes = [(round(q[:, 0].min()), round(q[:, 0].max())) for q in parts]
    assert boxes == [(53, 299), (303, 497), (320, 480)]


@pytest.mark.parametrize("rule", [(300.0, 90.0, 302.0, 120.0), (300.0, 300.0, 302.0, 400.0)])
def test_a_rule_that_only_touches_a_line_does_not_cut_it(rule):
    line = quad_of((48, 110, 502, 140))
    (part,) = cut_at_rules([line], [rule])
    assert (part == line).all()


def test_stems_of_letters_below_each_other_cut_no_word():
    """A p over a d: one stroke from the upper line's middle to the lower one's baseline, in a text of narrow leading."""
    upper, lower = quad_of((50, 100, 450, 145)), quad_of((50, 132, 450, 177))
    stem = (200.0, 116.0, 203.0, 164.0)
    assert len(cut_at_rules([upper, lower], [stem])) == 2
    assert len(cut_at_rules([upper, lower], [(200.0, 95.0, 203.0, 180.0)])) == 4
