"""Drawings to rulings: what counts as one, what is merged, what is refused, and that work is bounded."""

import time

import pytest
from drawn_tables import box, line

from streams.read.tables import has_table_candidate, rulings_of
from streams.read.tables.regions import regions_of
from streams.read.tables.rulings import MAX_ITEMS


def test_lines_thin_boxes_and_bars_are_rulings():
    found = rulings_of(
        [line(10, 50, 200, 50.3), box(10, 70, 200, 70.6, fill=(0.0,)), box(10, 90, 200, 94.5, fill=(0.0,)), box(30, 20, 30.5, 99, fill=(0.0,))]
    )
    assert [(round(at, 2), start, end) for at, start, end in found.horizontal] == [(50.15, 10, 200), (70.3, 10, 200), (92.25, 10, 200)]
    assert found.vertical == ((30.25, 20, 99),)
    assert found.fills == ()


def test_a_stroked_box_is_four_rulings_and_a_filled_one_a_background():
    assert len(rulings_of([box(10, 10, 100, 60, stroke=(0.0,))]).horizontal) == 2
    found = rulings_of([box(10, 10, 100, 60, fill=(0.5, 0.5, 0.5))])
    assert found.horizontal == found.vertical == ()
    assert [f.box for f in found.fills] == [(10, 10, 100, 60)]


def test_pieces_that_touch_are_one_ruling_and_dashes_too():
    pieces = [line(x, 100, x + 4, 100.2) for x in range(10, 210, 6)]
    assert [(start, end) for _, start, end in rulings_of(pieces).horizontal] == [(10, 212)]
    apart = [line(10, 100, 50, 100), line(60, 100, 90, 100)]
    assert len(rulings_of(apart).horizontal) == 2


def test_a_filled_path_around_a_box_counts_as_the_box():
    path = [("l", (10.0, 10.0), (10.0, 90.0)), ("l", (10.0, 90.0), (10.5, 90.0)), ("l", (10.5, 90.0), (10.5, 10.0))]
    assert rulings_of([{"type": "f", "items": path, "fill": (0.0,), "fill_opacity": 1.0}]).vertical == ((10.25, 10, 90),)


def test_a_very_thick_line_is_a_background():
    found = rulings_of([line(10, 100, 200, 100, colour=(0.8,), width=20)])
    assert found.horizontal == ()
    assert [f.box for f in found.fills] == [(10, 90, 200, 110)]


def test_white_lines_count_only_on_colour():
    white = line(10, 100, 200, 100, colour=(1.0,))
    assert rulings_of([white]).horizontal == ()
    assert len(rulings_of([box(0, 90, 300, 120, fill=(0.2, 0.2, 0.9)), white]).horizontal) == 1


def test_invisible_drawings_do_not_count():
    unseen = {**line(10, 100, 200, 100), "stroke_opacity": 0.0}
    assert rulings_of([unseen, {"type": "s", "items": None}, {"type": "f", "items": [("re", (0, 0, 9, 9), 1)], "fill": None}]).horizontal == ()


def test_quads_along_the_axes_are_boxes():
    quad = ((10.0, 10.0), (90.0, 10.0), (10.0, 10.5), (90.0, 10.5))
    slanted = ((10.0, 20.0), (90.0, 40.0), (10.0, 21.0), (90.0, 41.0))
    found = rulings_of([{"type": "f", "items": [("qu", q)], "fill": (0.0,), "fill_opacity": 1} for q in (quad, slanted)])
    assert found.horizontal == ((10.25, 10, 90),)


@pytest.mark.parametrize(
    ("matrix", "horizontal"),
    [
        (None, True),
        ((0.0, 1.0, -1.0, 0.0, 842.0, 0.0), False),
        ((-1.0, 0.0, 0.0, -1.0, 595.0, 842.0), True),
        ((0.0, -1.0, 1.0, 0.0, 0.0, 595.0), False),
    ],
)
def test_turned_pages(matrix, horizontal):
    found = rulings_of([line(10, 100, 200, 100), box(10, 200, 100, 300, fill=(0.5,))], matrix)
    assert bool(found.horizontal) is horizontal
    assert bool(found.vertical) is not horizontal
    (fill,) = found.fills
    assert fill.box[0] < fill.box[2]
    assert fill.box[1] < fill.box[3]


def test_plots_and_glyph_outlines_are_not_read():
    zigzag = {"type": "s", "items": [("l", (x, x % 7), (x + 1, (x + 1) % 7)) for x in range(5000)], "color": (0.0,), "width": 1}
    glyph = {"type": "f", "items": [("c", (0, 0), (1, 1), (2, 2), (3, 3)), ("l", (0, 5), (90, 5))] * 20, "fill": (0.0,)}
    assert rulings_of([zigzag, glyph]).horizontal == ()


def test_a_map_of_100000_paths_is_given_up_soon():
    path = {"type": "s", "items": [("l", (0.0, 0.0), (3.0, 4.0)), ("l", (3.0, 4.0), (9.0, 5.0))], "color": (0.0,), "width": 0.2}
    began = time.process_time()
    found = rulings_of(path for _ in range(100_000))
    assert not found.complete
    assert time.process_time() - began < 2.0
    assert MAX_ITEMS < 100_000


def test_hatching_makes_no_region():
    hatch = rulings_of([line(0, y / 4, 500, y / 4) for y in range(0, 3000, 6)] + [line(x / 4, 0, x / 4, 700) for x in range(0, 2000, 6)])
    assert regions_of(hatch) == []


def test_candidates():
    assert not has_table_candidate(rulings_of([]))
    assert not has_table_candidate(rulings_of([line(70, 50, 525, 50), line(70, 790, 525, 790), line(70, 700, 214, 700)])), (
        "head, foot and footnote rule"
    )
    assert not has_table_candidate(rulings_of([line(70 + i, 100 + 40 * i, 130 + 17 * i, 100 + 40 * i) for i in range(8)])), "underlined words"
    assert has_table_candidate(rulings_of([line(70, 100, 525, 100), line(70, 120, 525, 120), line(70, 300, 525, 300)])), "three rules"
    assert has_table_candidate(rulings_of([line(70, 100, 525, 100), line(70, 300, 525, 300), line(200, 100, 200, 300)])), "a crossing one"
    assert has_table_candidate(rulings_of([box(70, 100 + 20 * i, 525, 110 + 20 * i, fill=(0.9,)) for i in range(5)])), "zebra"
