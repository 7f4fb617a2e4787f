"""Short texts side by side are read down, rows of cells across."""

import time
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from schemas.content import TextStyle
from streams.read.blocks.joined_rows import lines_of
from streams.read.blocks.lines import Fragment, Line
from streams.read.blocks.side_by_side import read_down

EDGES = (50.0, 250.0, 450.0)


def cell(text: str, x: float, y: float, size: float = 9) -> Fragment:
    box = (x, y - 0.8 * size, x + 0.5 * size * len(text), y + 0.2 * size)
    return Fragment(*box, text, y, TextStyle(size_pt=size, font="T"), False, 0, False, len(text.replace(" ", "")))


def rows(*texts: tuple[str, ...], step: float = 11, size: float = 9) -> list[Line]:
    return lines_of(
        [[cell(text, x, 100 + step * number, size) for text, x in zip(row, EDGES, strict=False) if text] for number, row in enumerate(texts)]
    )


def texts_of(lines: list[Line]) -> list[list[str]]:
    return [[line.text for line in run] for run, _ in read_down(lines)]


CARDS = (("Carbon intensity from", "Offshore engineer", "Production in Israel"), ("our eastern fields", "in the region was", "is powered by these"))


def test_sentences_that_go_on_below_are_read_down() -> None:
    assert texts_of(rows(*CARDS)) == [[*column] for column in zip(*CARDS, strict=True)]


def test_a_large_number_above_its_text_stays_with_it() -> None:
    numbers = lines_of([[cell(text, x, 84, 20) for text, x in zip(("25", "1st", "70"), EDGES, strict=True)]])
    found = texts_of([*numbers, *rows(*CARDS)])
    assert [column[0] for column in found] == ["25", "1st", "70"]


def test_a_row_that_says_the_same_in_all_columns_belongs_to_parallel_texts() -> None:
    signed = [("Karsten Muster", "Marina Probe"), ("Institute of Things", "Institute of Things"), ("Head of Unit", "Deputy")]
    assert texts_of(rows(*signed)) == [["Karsten Muster", "Institute of Things", "Head of Unit"], ["Marina Probe", "Institute of Things", "Deputy"]]


def test_cells_stay_in_their_rows() -> None:
    table = [("Name", "Office"), ("William Smith", "Director"), ("Mary Jones", "Secretary")]
    assert texts_of(rows(*table)) == [["Name Office", "William Smith Director", "Mary Jones Secretary"]]
    apart = rows(*CARDS, step=30)  # rows of a form
    assert len(texts_of(apart)) == 1


@given(st.lists(st.lists(st.sampled_from(["", "Some words", "go on here", "12.5", "Same"]), min_size=3, max_size=3).filter(any), max_size=8))
def test_every_cell_comes_out_once(table: list[list[str]]) -> None:
    lines = rows(*(tuple(row) for row in table))
    said = Counter(word for run in texts_of(lines) for text in run for word in text.split())
    assert said == Counter(word for row in table for text in row for word in text.split())


def test_thousands_of_rows_of_cells_are_told_in_bounded_time() -> None:
    lines = rows(*[("Apples", "Pears")] * 3_000)
    began = time.process_time()
    assert [is_column for _, is_column in read_down(lines)] == [False]
    assert time.process_time() - began < 5.0  # 100 s and more where each line is cut into cells from all above it
