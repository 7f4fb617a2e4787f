"""Parts of a page that a drawn rule sets apart."""

from hypothesis import given
from hypothesis import strategies as st

from inference.layout.parting import parted

SIZE = 10.0


def rows(x: float, count: int = 6, top: float = 100.0) -> list[tuple[float, float, float, float]]:
    return [(x, top + 14 * n, x + 100, top + 14 * n + 10) for n in range(count)]


def test_what_stands_left_of_a_rule_is_read_before_what_stands_right_of_it():
    boxes = [*rows(50, 2, 40.0), *rows(50), *rows(170), *rows(50, 2, 300.0)]
    assert parted(boxes, [(158.0, 95.0, 159.0, 190.0)], SIZE) == [[0, 1], list(range(2, 8)), list(range(8, 14)), [14, 15]]


def test_a_rule_that_text_crosses_or_that_is_short_parts_nothing():
    crossing = [*rows(50), *rows(170), (60.0, 120.0, 240.0, 130.0)]
    assert parted(crossing, [(158.0, 95.0, 159.0, 190.0)], SIZE) == [list(range(13))]
    assert parted([*rows(50), *rows(170)], [(158.0, 95.0, 159.0, 150.0)], SIZE) == [list(range(12))]
    assert parted([*rows(50, 2), *rows(170, 2)], [(158.0, 95.0, 159.0, 190.0)], SIZE) == [list(range(4))]


def test_a_rule_within_one_column_does_not_cut_the_one_beside_it():
    boxes = [*rows(50, 20, 40.0), *rows(200, 6), *rows(320, 6)]
    assert parted(boxes, [(308.0, 95.0, 309.0, 190.0)], SIZE) == [list(range(32))]


sides = st.floats(0, 1000, allow_nan=False)
boxes_of = st.lists(st.tuples(sides, sides, sides, sides), max_size=40)


@given(boxes_of, boxes_of)
def test_every_box_is_in_one_group(boxes, rules):
    groups = parted(boxes, rules, SIZE)
    assert sorted(index for group in groups for index in group) == list(range(len(boxes)))
