"""Cell F1 and TEDS: known answers, what must not change a score, and damage that must lower it."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.bench.scoring.cells import CellScore, match_tables, neighbour_pairs, score_cells
from tests.bench.scoring.grids import Grid, fold, grid_of, grid_of_cells
from tests.bench.scoring.teds import MAX_NODES, TedsScore, score_teds, teds

SMALL = grid_of([["City", "2024", "2025"], ["Oslo", "1", "2"], ["Bergen", "3", "4"]])
words = st.text("abcXY12 ", min_size=0, max_size=4)
grids = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(words, min_size=width, max_size=width), min_size=1, max_size=4)).map(grid_of)
documents = st.lists(grids, max_size=4)


def without_row(grid: Grid, row: int) -> Grid:
    return Grid(grid.rows[:row] + grid.rows[row + 1 :], grid.spans)


def test_text_is_folded_but_case_and_signs_stay() -> None:
    assert fold(" 1 &amp;\n2 ") == "1&2"
    assert fold("\ufb01n\u00a0al") == "final"
    assert fold("\u2212Aa") != fold("-aa")
    assert fold(None) == ""


def test_short_rows_are_filled_up() -> None:
    assert grid_of([["a"], ["b", "c"]]).rows == (("a", ""), ("b", "c"))


def test_cells_that_span_leave_the_places_they_cover_empty() -> None:
    grid = grid_of_cells([(0, 0, 1, 2, "both"), (1, 0, 1, 1, "l"), (1, 1, 1, 1, "r")])
    assert grid.rows == (("both", ""), ("l", "r"))
    assert grid.spans == {(0, 0): (1, 2)}


def test_neighbours_skip_blank_cells() -> None:
    pairs = neighbour_pairs(grid_of([["a", "", "b"], ["", "", "c"]]))
    assert dict(pairs) == {("across", "a", "b"): 1, ("down", "b", "c"): 1}


def test_known_cell_scores() -> None:
    assert neighbour_pairs(SMALL).total() == 12
    moved = grid_of([["City", "2024", "2025"], ["Oslo", "1", "2"], ["Bergen", "4", "3"]])
    # lost: Bergen-3, 3-4, 1-3, 2-4; instead: Bergen-4, 4-3, 1-4, 2-3
    assert score_cells([SMALL], [moved]) == CellScore(8, 4, 4)
    assert score_cells([SMALL], [moved]).f1 == pytest.approx(2 / 3)


def test_tables_without_a_partner_are_errors_on_both_sides() -> None:
    other = grid_of([["x", "y"]])
    assert score_cells([SMALL], []) == CellScore(0, 0, 12)
    assert score_cells([], [SMALL]) == CellScore(0, 12, 0)
    assert score_cells([SMALL], [SMALL, other]) == CellScore(12, 1, 0)
    assert score_cells([SMALL, other], [SMALL]) == CellScore(12, 0, 1)


def test_a_table_cut_in_two_has_one_partner() -> None:
    halves = [Grid(SMALL.rows[:2], {}), Grid(SMALL.rows[2:], {})]
    assert match_tables([SMALL], halves) == [(0, 0)]
    assert score_cells([SMALL], halves) == CellScore(7, 2, 5)


def test_one_found_table_cannot_answer_two_true_ones() -> None:
    assert score_cells([SMALL, SMALL], [SMALL]) == CellScore(12, 0, 12)


def test_nothing_to_find_and_nothing_found_is_right() -> None:
    assert score_cells([], []).f1 == score_cells([], []).precision == score_cells([], []).recall == 1
    assert score_cells([], [SMALL]).f1 == 0
    assert CellScore(0, 0, 3).precision == 0


@given(documents)
def test_truth_scores_one(tables: list[Grid]) -> None:
    score = score_cells(tables, tables)
    assert (score.wrong, score.missed) == (0, 0)
    for table in tables:
        assert teds(table, table) == 1


@given(documents, documents, st.randoms(use_true_random=False))
def test_the_order_of_tables_changes_nothing(true: list[Grid], found: list[Grid], dice: random.Random) -> None:
    score = score_cells(true, found)
    dice.shuffle(true)
    dice.shuffle(found)
    assert score_cells(true, found) == score


@given(documents, documents)
def test_truth_and_finding_are_alike_to_the_measure(true: list[Grid], found: list[Grid]) -> None:
    one, other = score_cells(true, found), score_cells(found, true)
    assert (one.right, one.wrong, one.missed) == (other.right, other.missed, other.wrong)
    assert one.f1 == other.f1
    assert 0 <= one.f1 <= 1


@given(documents, documents)
def test_every_pair_is_counted_once(true: list[Grid], found: list[Grid]) -> None:
    score = score_cells(true, found)
    assert score.right + score.missed == sum(neighbour_pairs(table).total() for table in true)
    assert score.right + score.wrong == sum(neighbour_pairs(table).total() for table in found)


@given(grids, grids)
@example(grid_of([[""], ["2"], ["11"], ["1"]]), grid_of([["1", "1", "1"], ["", "", ""]]))
def test_teds_is_symmetric_and_bounded(one: Grid, other: Grid) -> None:
    likeness, back = teds(one, other), teds(other, one)
    assert likeness is not None
    assert likeness == pytest.approx(back)
    assert 0 <= likeness <= 1


def test_known_likeness() -> None:
    two = grid_of([["ab", "cd"], ["ef", "gh"]])  # 7 nodes
    assert teds(two, grid_of([["ab", "cd"], ["ef", "gX"]])) == pytest.approx(1 - 0.5 / 7)
    assert teds(two, grid_of([["ab", "cd"]])) == pytest.approx(1 - 3 / 7)
    assert teds(two, grid_of([["ab", "cd"], ["", ""]])) == pytest.approx(1 - 2 / 7)
    spanned = grid_of_cells([(0, 0, 1, 2, "ab"), (1, 0, 1, 1, "ef"), (1, 1, 1, 1, "gh")])
    assert teds(two, spanned) == pytest.approx(1 - 2 / 7)  # one cell less, and one of another shape


def test_blank_rows_and_columns_are_left_out() -> None:
    spaced = grid_of_cells([(1, 1, 1, 3, "ab"), (3, 1, 1, 1, "ef"), (3, 3, 2, 1, "gh"), (5, 3, 1, 1, "ij")])
    close = grid_of_cells([(0, 0, 1, 2, "ab"), (1, 0, 1, 1, "ef"), (1, 1, 1, 1, "gh"), (2, 1, 1, 1, "ij")])
    assert spaced.compact() == close == close.compact()
    assert score_teds([spaced], [close]) == TedsScore(1, 1, 0)
    assert grid_of([["", ""]]).compact() == grid_of([])


def test_likeness_over_tables_counts_those_without_a_partner() -> None:
    other = grid_of([["x", "y"]])
    assert score_teds([SMALL], [SMALL]) == TedsScore(1, 1, 0)
    assert score_teds([SMALL, other], [SMALL]).mean == pytest.approx(1 / 2)
    assert score_teds([SMALL], [SMALL, other]).mean == pytest.approx(1 / 2)
    assert score_teds([], []).mean == 1


def test_a_table_too_large_to_compare_is_counted_and_not_scored() -> None:
    large = grid_of([[str(row), "a"] for row in range(MAX_NODES)])
    changed = without_row(large, 5)
    assert teds(large, large) == 1
    assert teds(large, changed) is None
    assert score_teds([large], [changed]) == TedsScore(0, 0, 1)


@pytest.mark.parametrize(
    "damaged",
    [
        without_row(SMALL, 1),
        grid_of([row[:2] for row in SMALL.rows]),
        grid_of([*SMALL.rows[:2], ["Bergen", "3", "5"]]),
        grid_of([SMALL.rows[0], ["Oslo", "12", ""], SMALL.rows[2]]),
        grid_of([*SMALL.rows, ["A", "note", "below"]]),
        grid_of([SMALL.rows[0], SMALL.rows[2], SMALL.rows[1]]),
    ],
    ids=["row lost", "column lost", "digit changed", "cells run together", "row too many", "rows swapped"],
)
def test_damage_lowers_both_scores(damaged: Grid) -> None:
    likeness = teds(SMALL, damaged)
    assert likeness is not None
    assert likeness < 1
    assert score_cells([SMALL], [damaged]).f1 < 1
