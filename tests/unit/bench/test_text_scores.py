"""Edit distance, olmOCR tests, headings, routing and joined tables: known answers, and damage that must show."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.scoring.distance import bare, normalised_edit_distance
from tests.bench.scoring.grids import grid_of
from tests.bench.scoring.headings import HeadingScore, score_headings
from tests.bench.scoring.joined import FacingTables, false_joins, score_join
from tests.bench.scoring.olmocr import score_olmocr
from tests.bench.scoring.outputs import Heading, Output, PageOutcome, TableFound, output_of_document, output_of_markdown
from tests.bench.scoring.routing import score_routing
from tests.bench.scoring.truth import JoinedTable, PageLabel

TEXT = "The mill has been running again since Tuesday. The new wheel turns quietly, and the flour is finer than any we had before."


def output(markdown: str = "", tables: tuple[TableFound, ...] = (), pages: dict[int, PageOutcome] | None = None) -> Output:
    return Output(tables=tables, markdown=markdown, headings=(), pages=pages or {}, page_count=None)


def test_distance_does_not_see_markup_space_and_case() -> None:
    assert bare("# The *Mill*\n\n- a <b>b</b>\n\n| x | y |\n|---|:--|\n| 1 | [2](u) |") == "themillabxy12"
    assert normalised_edit_distance("The mill", "## THE\nmill") == 0
    assert normalised_edit_distance("abcd", "abxd") == 0.25
    assert normalised_edit_distance("", "") == 0
    assert normalised_edit_distance("abc", "") == 1


def test_signs_of_the_text_itself_are_no_markup() -> None:
    assert bare("3 < 4 and 5 > 2") == "3<4and5>2"
    assert bare("a\\*b") == "a*b"
    assert bare("&lt;b&gt;") == "<b>"


@given(st.text(max_size=40), st.text(max_size=40))
def test_distance_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert normalised_edit_distance(one, one) == 0
    assert 0 <= normalised_edit_distance(one, other) == normalised_edit_distance(other, one) <= 1


def test_more_damage_is_further_away() -> None:
    little, much = TEXT.replace("wheel", "whel"), TEXT[60:] + TEXT[:60]
    assert 0 < normalised_edit_distance(TEXT, little) < normalised_edit_distance(TEXT, much)


def fact(**what: Any) -> dict[str, Any]:
    return {"pdf": "folder/a.pdf", "id": "f", "page": 1, **what}


@pytest.mark.parametrize(
    ("test", "holds"),
    [
        (fact(type="present", text="wheel turns quietly"), True),
        (fact(type="present", text="wheel turns loudly"), False),
        (fact(type="present", text="wheel turns quiedly", max_diffs=1), True),
        (fact(type="present", text="whxxl turns quiedly", max_diffs=1), False),
        (fact(type="absent", text="page 3 of 7"), True),
        (fact(type="absent", text="flour is finer"), False),
        (fact(type="order", before="The mill", after="flour is finer"), True),
        (fact(type="order", before="flour is finer", after="The mill"), False),
        (fact(type="order", before="flour is finer", after="not there at all"), False),
    ],
)
def test_facts_about_text(test: dict[str, Any], holds: bool) -> None:
    score = score_olmocr([test], {"a.pdf": output(TEXT.replace(". ", ".\n\n**") + "**")})
    assert score.share == float(holds)
    assert bool(score.failed) is not holds


def table(rows: list[list[str]]) -> dict[str, Output]:
    return {"a.pdf": output(tables=(TableFound(grid_of([["other"]]), ()), TableFound(grid_of(rows), ())))}


ROWS = [["", "Men", "Women"], ["Oslo", "1", "2"], ["Bergen", "3", "4"]]


@pytest.mark.parametrize(
    ("neighbours", "holds"),
    [({"up": "1", "left": "Bergen", "right": "4"}, True), ({"up": "2"}, False), ({"down": "anything"}, False), ({"left": "4"}, False), ({}, True)],
)
def test_facts_about_tables(neighbours: dict[str, str], holds: bool) -> None:
    assert score_olmocr([fact(type="table", cell="3", **neighbours)], table(ROWS)).share == float(holds)


def test_headings_of_cells_and_formulas_are_listed_apart() -> None:
    tests = [
        fact(type="table", cell="3", top_heading="Men"),
        fact(type="table", cell="3", top_heading="Women"),
        fact(type="math", math="e^{i \\pi}"),
    ]
    score = score_olmocr(tests, table(ROWS) | {"b.pdf": output()})
    assert score.share == 1
    assert (score.passed["table_headings"], score.total["table_headings"]) == (1, 2)
    assert score.total["math"] == 1
    assert "math" not in score.passed


def test_a_fact_without_output_fails_even_if_it_asks_for_absence() -> None:
    assert score_olmocr([fact(type="absent", text="x")], {}).share == 0


def test_a_kind_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(ValueError, match="baseline"):
        score_olmocr([fact(type="baseline")], {"a.pdf": output()})


def test_headings_against_an_outline() -> None:
    outline = [Heading(1, "1 Mills", 1), Heading(2, "1.1 Wheels", 1), Heading(2, "1.2 Stones", 4), Heading(1, "2 Flour", 5)]
    deeper = [Heading(h.level + 1, h.text, h.page) for h in outline]
    assert score_headings(outline, outline) == score_headings(outline, deeper) == HeadingScore(4, 4, 4)
    flat = [Heading(1, h.text, h.page) for h in outline]
    assert score_headings(outline, flat) == HeadingScore(4, 4, 2)
    far = [Heading(2, "1.2 Stones", 9), Heading(1, "1 Mills", None)]
    assert score_headings(outline, far) == HeadingScore(4, 1, 1)
    assert score_headings(outline, []) == HeadingScore(4, 0, 0)
    assert score_headings([], outline) == HeadingScore(0, 0, 0)


def test_one_heading_answers_one_entry() -> None:
    assert score_headings([Heading(1, "Notes", None)] * 3, [Heading(1, "Notes", None)]).found == 1


def test_routing_by_label() -> None:
    pages = {
        1: PageOutcome("recognized", ()),
        2: PageOutcome("extracted", ("recovered:shift",)),
        3: PageOutcome("failed", ("script_unsupported",)),
        4: PageOutcome("extracted", ()),
        5: PageOutcome("recognized", ()),
        6: PageOutcome("blank", ()),
        7: PageOutcome("recognized", ()),
        8: PageOutcome("failed", ("timed_out",)),
    }
    labels = [PageLabel("a.pdf", number, "low") for number in (1, 2, 3, 4, 8)]
    labels += [PageLabel("a.pdf", 5, "high"), PageLabel("a.pdf", 6, "blank"), PageLabel("a.pdf", 7, "either"), PageLabel("a.pdf", 9, "low")]
    score = score_routing([*labels, PageLabel("b.pdf", 1, "high")], {"a.pdf": output(pages=pages)})
    assert score.missed == ("a.pdf:4", "a.pdf:8")
    assert score.needless == ("a.pdf:5",)
    assert score.absent == ("a.pdf:9", "b.pdf:1")
    assert (score.recall, score.needless_share) == (pytest.approx(3 / 5), pytest.approx(1 / 2))


JOINED = JoinedTable("a.pdf", "a.csv", grid_of([["No", "Name"], ["1", "ab"], ["2", "cd"]]))


@pytest.mark.parametrize(
    ("rows", "exact", "same"),
    [
        ([["No", "Name"], ["1", "ab"], ["2", "cd"]], True, 3),
        ([["A title", ""], ["No", "Name"], ["", ""], ["1", "ab"], ["2", "cd"]], True, 3),
        ([["No", "Name"], ["1", "ab"], ["2", "cd"], ["3", "ef"]], False, 3),
        ([["No", "Name"], ["2", "cd"], ["1", "ab"]], False, 3),
        ([["No", "Name"], ["1", "ab"], ["No", "Name"], ["2", "cd"]], False, 3),
        ([["No", "Name"], ["1", "ab"]], False, 2),
    ],
    ids=["right", "title above", "row too many", "order", "header repeated", "row lost"],
)
def test_joined_tables(rows: list[list[str]], exact: bool, same: int) -> None:
    score = score_join(JOINED, output(tables=(TableFound(grid_of([["1", "ab"]]), (1,)), TableFound(grid_of(rows), (1, 2)))))
    assert (score.exact, score.same_rows, score.true_rows) == (exact, same, 3)
    assert score.teds is not None
    assert (score.teds == 1) is (rows == [["No", "Name"], ["1", "ab"], ["2", "cd"]])


def test_a_joined_table_that_is_not_there() -> None:
    for nothing in (None, output()):
        score = score_join(JOINED, nothing)
        assert (score.exact, score.same_rows, score.teds) == (False, 0, 0.0)


def test_facing_tables_stay_apart() -> None:
    case = FacingTables("a.pdf", (2, 3), 2)
    grid = grid_of([["x"]])
    apart = output(tables=(TableFound(grid, (1, 2)), TableFound(grid, (3,))))
    run_on = output(tables=(TableFound(grid, (1, 2, 3)), TableFound(grid, (4,))))
    too_few = output(tables=(TableFound(grid, (2,)),))
    assert false_joins([case], {"a.pdf": apart}) == []
    for wrong in ({"a.pdf": run_on}, {"a.pdf": too_few}, {}):
        assert len(false_joins([case], wrong)) == 1


def test_our_json_is_read_as_the_contract_says() -> None:
    block = {"type": "heading", "level": 2, "text": "Mills", "regions": [{"page": 3, "bbox": [0, 0, 1, 1]}]}
    cells = [{"row": 0, "column": 0, "row_span": 1, "column_span": 2, "text": "a"}]
    joined = {"type": "table", "text": "", "regions": [{"page": 4}, {"page": 3}], "table": {"rows": [["a", ""], ["b", "c"]], "cells": cells}}
    page = {"number": 3, "status": "blank", "reasons": ["no_ink"]}
    read = output_of_document({"blocks": [block, joined], "pages": [page], "page_count": 1}, None)
    assert read.headings == (Heading(2, "Mills", 3),)
    assert read.tables == (TableFound(grid_of([["a", ""], ["b", "c"]], {(0, 0): (1, 2)}), (3, 4)),)
    assert read.pages == {3: PageOutcome("blank", ("no_ink",))}
    assert read.markdown == "Mills\n\n"


def test_markdown_of_others_is_read() -> None:
    read = output_of_markdown("# A *b*\n\ntext\n\nC\n---\n\n| x | y |\n|---|---|\n| 1 | 2 |")
    assert read.headings == (Heading(1, "A b", None), Heading(2, "C", None))
    assert read.grids == [grid_of([["x", "y"], ["1", "2"]])]
    assert (read.pages, read.page_count) == ({}, None)
