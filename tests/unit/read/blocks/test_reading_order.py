"""Reading order: columns before rows, full-width boxes between bands, and nothing lost for any boxes."""

import math
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.geometry import BBox
from schemas.reading_order import find_regions, order_boxes
from tests.unit.read.layouts import LAYOUTS, Layout, broken_steps, laid_out, right_to_left

numbers = st.floats(-2000, 2000, width=32) | st.sampled_from([math.inf, -math.inf, math.nan, 0.0])
any_boxes = st.lists(st.tuples(numbers, numbers, numbers, numbers), max_size=40)
sane_boxes = st.lists(
    st.builds(
        lambda x, y, w, h: (float(x), float(y), float(x + w), float(y + h)),
        st.integers(0, 500),
        st.integers(0, 700),
        st.integers(1, 300),
        st.integers(4, 30),
    ),
    max_size=40,
)


def column(x0: float, x1: float, top: float, count: int, step: float = 14.0) -> list[BBox]:
    """Lines of one column; every fifth one is the short end of a paragraph."""
    return [(x0, top + i * step, x1 - (60 if i % 5 == 4 else i % 3), top + i * step + 10) for i in range(count)]


def table(columns: int, rows: int, *, left: float = 50, pitch: float = 80, top: float = 100) -> list[BBox]:
    """Cells row by row."""
    return [(left + c * pitch, top + r * 16, left + c * pitch + 28, top + r * 16 + 10) for r in range(rows) for c in range(columns)]


@given(any_boxes)
def test_every_box_comes_out_once_whatever_it_is(boxes: list[BBox]) -> None:
    assert sorted(order_boxes(boxes)) == list(range(len(boxes)))
    assert sorted(order_boxes(boxes, right_to_left=True)) == list(range(len(boxes)))


@settings(max_examples=60)
@given(sane_boxes, st.randoms())
def test_the_order_does_not_depend_on_the_order_of_the_input(boxes: list[BBox], random: object) -> None:
    shuffled = boxes.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert [boxes[i] for i in order_boxes(boxes)] == [shuffled[i] for i in order_boxes(shuffled)]


def test_boxes_of_one_line_that_lie_on_each_other_come_in_one_order() -> None:
    boxes = [(0.0, 0.0, 2.0, 9.0), (0.0, 0.0, 2.0, 9.0), (0.0, 0.0, 1.0, 7.0)]
    assert len({tuple(mixed[i] for i in order_boxes(mixed)) for mixed in permutations(boxes)}) == 1


@given(st.integers(2, 4), st.integers(6, 30), st.integers(8, 40))
def test_columns_are_read_one_after_the_other(columns: int, lines: int, gutter: int) -> None:
    width = 160
    parts = [column(50 + c * (width + gutter), 50 + c * (width + gutter) + width, 80 + c * 3, lines) for c in range(columns)]
    boxes = [box for part in parts for box in part]
    assert order_boxes(boxes) == list(range(len(boxes)))


def test_columns_on_a_common_grid_of_lines_are_still_columns() -> None:
    left, right = column(50, 290, 100, 30), column(310, 550, 100, 30)
    mixed = [box for pair in zip(left, right, strict=True) for box in pair]
    assert [mixed[i] for i in order_boxes(mixed)] == left + right


def test_a_title_and_a_full_width_figure_split_the_flow() -> None:
    title, figure = (100.0, 40.0, 500.0, 60.0), (60.0, 300.0, 540.0, 420.0)
    above_left, above_right = column(50, 290, 80, 15), column(310, 550, 80, 15)
    below_left, below_right = column(50, 290, 440, 20), column(310, 550, 440, 20)
    expected = [title, *above_left, *above_right, figure, *below_left, *below_right]
    boxes = sorted(expected, key=lambda box: (box[1], box[0]))
    assert [boxes[i] for i in order_boxes(boxes)] == expected


def test_a_low_band_of_two_lines_goes_on_in_columns() -> None:
    left, right, figure = column(50, 290, 80, 20), column(310, 550, 80, 20), (60.0, 370.0, 540.0, 500.0)
    tail_left, tail_right = column(50, 290, 510, 2), column(310, 550, 510, 2)
    boxes = [*left, *right, figure, *tail_left, *tail_right]
    assert order_boxes(boxes) == list(range(len(boxes)))


def test_rows_of_a_table_without_rules_are_read_across() -> None:
    boxes = table(6, 30)
    assert order_boxes(boxes) == list(range(len(boxes)))


def test_labels_of_a_form_stay_with_their_values() -> None:
    boxes = [box for i in range(12) for box in ((50.0, 100 + i * 20, 120.0, 110 + i * 20), (200.0, 100 + i * 20, 320.0 - i, 110 + i * 20))]
    assert order_boxes(boxes) == list(range(len(boxes)))


def test_ragged_lines_make_no_gutter() -> None:
    boxes = [(50.0, 80.0 + i * 14, 550.0 - (i * 37) % 180, 90.0 + i * 14) for i in range(40)]
    assert order_boxes(boxes) == list(range(len(boxes)))


def test_columns_may_overlap_a_little() -> None:
    left, right = column(50, 301, 100, 30), column(309, 550, 100, 30)
    left[7] = (50.0, left[7][1], 311.0, left[7][3])  # a formula that sticks out
    mixed = sorted(left + right, key=lambda box: (box[1], box[0]))
    assert [mixed[i] for i in order_boxes(mixed)] == left + right


def test_running_head_and_page_number_stay_out_of_the_columns() -> None:
    head, number = (430.0, 20.0, 550.0, 30.0), (50.0, 760.0, 60.0, 770.0)
    left, right = column(50, 290, 60, 45), column(310, 550, 60, 45)
    boxes = [head, *left, *right, number]
    assert order_boxes(boxes) == list(range(len(boxes)))


def test_right_to_left_pages_begin_in_the_right_column() -> None:
    left, right = column(50, 290, 100, 30), column(310, 550, 100, 30)
    boxes = left + right
    assert [boxes[i] for i in order_boxes(boxes, right_to_left=True)] == right + left
    row = [(100.0, 10.0, 150.0, 20.0), (300.0, 10.0, 350.0, 20.0)]
    assert order_boxes(row, right_to_left=True) == [1, 0]


def test_a_region_knows_its_column() -> None:
    regions = find_regions(column(50, 290, 100, 30) + column(310, 550, 100, 30))
    assert [region.column for region in regions] == [(50, 290), (310, 550)]
    assert all(len(row) == 1 for region in regions for row in region.rows)


def test_a_page_of_very_many_boxes_is_still_read() -> None:
    boxes = [(float(x), float(y), x + 2.0, y + 3.0) for y in range(0, 800, 5) for x in range(0, 600, 12)]
    assert sorted(order_boxes(boxes)) == list(range(len(boxes)))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_layouts_of_every_kind_are_read_in_order(layout: Layout) -> None:
    """Of random pages of a kind nine in ten come out exactly, and hardly a step is broken in the rest."""
    broken = [broken_steps(order_boxes(laid_out(layout, seed), right_to_left=layout is right_to_left)) for seed in range(5_000, 5_016)]
    assert sum(share == 0 for share in broken) >= 13, broken
    assert sum(broken) / len(broken) < 0.06, broken


def test_labels_and_values_of_any_length_are_read_in_rows() -> None:
    """Long and short values under each other must not pass for lines of prose; their common spaces tell."""
    lengths, y, boxes = (300, 280, 90, 310, 305, 60, 290, 300, 295, 80), 100.0, list[BBox]()
    for number, length in enumerate(lengths):
        boxes += [(50, y, 150, y + 11), (200, y + 0.4, 200 + length, y + 11.4)]
        y += 14 if number % 3 else 22
    assert order_boxes(boxes) == list(range(len(boxes)))


def test_a_title_in_two_pieces_over_the_gutter_stands_above_both_columns() -> None:
    title = [(60.0, 50.0, 298.0, 70.0), (302.0, 50.0, 500.0, 70.0)]
    left, right = column(50, 290, 100, 20), column(310, 550, 100, 20)
    boxes = [*title, *left, *right]
    assert order_boxes(boxes) == list(range(len(boxes)))


WIDTHS = (22.0, 61.0, 35.0, 48.0, 27.0, 70.0, 41.0)


def cell_rows(columns: int, rows: int, top: float, left: float = 50, right: float = 545) -> list[BBox]:
    """Cells row by row over the width of a page, of different lengths."""
    pitch = (right - left) / columns
    found = []
    for row in range(rows):
        for place in range(columns):
            x, y = left + pitch * place, top + 14 * row
            found.append((x, y, x + min(WIDTHS[(3 * row + 5 * place) % len(WIDTHS)], 0.8 * pitch), y + 10))
    return found


@pytest.mark.parametrize("offset", [0.0, 5.0])
@pytest.mark.parametrize("columns", [3, 4, 5, 6])
@pytest.mark.parametrize("parts", ["tp", "pt", "ptp", "tpt"])
def test_rows_of_cells_above_below_and_between_columns_of_prose_are_read_row_by_row(parts: str, columns: int, offset: float) -> None:
    wanted: list[BBox] = []
    top = 60.0
    for part in parts:
        if part == "t":
            wanted += cell_rows(columns, 6, top)
        else:
            wanted += column(50, 285, top, 13)
            wanted += column(310, 545, top + offset, 13)
        top = max(box[3] for box in wanted) + 14
    assert [wanted[i] for i in order_boxes(wanted)] == wanted


def test_four_columns_of_a_newspaper_on_one_grid_are_no_rows_of_cells() -> None:
    parts = [column(40 + 130 * place, 160 + 130 * place, 80, 40, step=12) for place in range(4)]
    wanted = [box for part in parts for box in part]
    assert [wanted[i] for i in order_boxes(wanted)] == wanted


def test_rows_of_cells_in_one_column_leave_the_other_alone() -> None:
    prose, cells, below = column(50, 285, 60, 30), cell_rows(4, 6, 60, left=310, right=545), column(310, 545, 160, 12)
    wanted = [*prose, *cells, *below]
    assert [wanted[i] for i in order_boxes(wanted)] == wanted


def test_columns_between_tall_objects_over_both_are_found() -> None:
    """A table, a figure and lines over both columns may hold more of the gutter's height than is free: it is a gutter where it is free."""
    lines = [(50.0, 40.0 + 14 * i, 340.0, 50.0 + 14 * i) for i in range(14)]
    table_box = (50.0, 280.0, 550.0, 500.0)
    left, right = column(50, 290, 520, 17), column(310, 550, 520, 17)
    expected = [*lines, table_box, *left, *right]
    boxes = sorted(expected, key=lambda box: (box[1], box[0]))
    assert [boxes[i] for i in order_boxes(boxes)] == expected


def test_rows_under_a_tall_object_stay_rows() -> None:
    """Labels and values beside each other below a table are no columns of prose."""
    table_box = (50.0, 40.0, 550.0, 500.0)
    rows = [
        box for i in range(8) for box in ((50.0, 520.0 + 16 * i, 110.0 + 7 * (i % 4), 530.0 + 16 * i), (330.0, 520.0 + 16 * i, 380.0, 530.0 + 16 * i))
    ]
    boxes = [table_box, *rows]
    assert [boxes[i] for i in order_boxes(boxes)] == boxes


def test_the_last_short_line_over_columns_ends_its_paragraph() -> None:
    abstract = [(50.0, 40.0 + 14 * i, 548.0 - i, 50.0 + 14 * i) for i in range(4)]
    end = (50.0, 96.0, 160.0, 106.0)
    left, right = column(50, 290, 122, 20), column(310, 550, 122, 20)
    expected = [*abstract, end, *left, *right]
    regions = find_regions(expected)
    assert [expected[i] for region in regions for row in region.rows for i in row] == expected
    assert list(regions[0].rows) == [(i,) for i in range(5)]


def test_a_short_line_with_text_across_from_it_begins_its_column() -> None:
    wide = [(50.0, 40.0 + 14 * i, 548.0 - i, 50.0 + 14 * i) for i in range(4)]
    left, right = [(50.0, 96.0, 160.0, 106.0), *column(50, 290, 110, 20)], column(310, 550, 96, 21)
    boxes = [*wide, *left, *right]
    regions = find_regions(boxes)
    assert [len(region.rows) for region in regions] == [4, 21, 21]


def test_notes_in_the_margin_of_columns_on_a_grid_are_read_for_themselves() -> None:
    """Nine lines of small type beside a column, on the very lines of it: they are no cells of its rows, and hide no gutter."""
    left, right = column(165, 355, 300, 34, step=13), column(370, 560, 300, 34, step=13)
    notes = [(60.0, 600.0 + 13 * i, 145.0 - 6 * (i % 3), 607.0 + 13 * i) for i in range(9)]
    expected = [*notes, *left, *right]
    assert [expected[i] for i in order_boxes(expected)] == expected
