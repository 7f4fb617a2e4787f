"""Text printed twice on one spot is read once, whole, whatever its copies are cut into."""

from typing import Any

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.read.hidden.overprint import drop_copies, may_be_overprinted, without_copies
from streams.read.page import page_content, surroundings_of, survey_page

LINES = ["Harvest report for the county", "Seeded at a rate of 140,000", "Average of three replications"]


def texts(page: pymupdf.Page) -> str:
    survey = survey_page(page)
    return "\n".join(block.text for block in page_content(survey, surroundings_of([survey])).blocks)


def page_of(*prints: tuple[float, float, str]) -> pymupdf.Page:
    page = pymupdf.open().new_page(width=595, height=842)
    for x, y, text in prints:
        page.insert_text((x, y), text, fontsize=11)
    return page


@pytest.mark.parametrize("shift", [0.0, 0.3, 0.8])
def test_copies_that_are_shifted_to_look_bold_are_one_text(shift: float) -> None:
    page = page_of(*((72 + dx, 100 + 20 * i + dx, line) for dx in (0.0, shift) for i, line in enumerate(LINES)))
    found = texts(page)
    assert [found.count(line) for line in LINES] == [1, 1, 1]
    assert found.count("report") == 1


def test_a_copy_in_pieces_leaves_the_text_whole() -> None:
    """The pieces come first and lack a point; what is whole stays in their place."""
    width = pymupdf.get_text_length("1", fontsize=11)
    dot = pymupdf.get_text_length("1.", fontsize=11)
    rows = [(100 + 20.0 * row, f"{row}.{9 - row}") for row in range(6)]
    pieces = [(72 + offset, y, text[place]) for y, text in rows for offset, place in ((0.0, 0), (dot, 2))]
    page = page_of(*pieces, *((72, y, text) for y, text in rows))
    assert width < dot
    assert texts(page).split() == [text for _, text in rows]


def test_a_copy_that_a_drawing_covers_is_not_the_one_that_stays() -> None:
    page = page_of((72, 100, LINES[0]))
    page.draw_rect((60, 85, 300, 106), color=None, fill=(0.8, 0.9, 1.0))
    page.insert_text((72, 100), LINES[0], fontsize=11)
    assert texts(page).count(LINES[0]) == 1


def test_letters_that_follow_each_other_are_no_copies() -> None:
    text = "illicit bookkeeping ... ..... llama 1111 0000 fill iiii ||||"
    raw = page_of((72, 100, text)).get_text("rawdict")
    assert not drop_copies(raw)
    content = page_of(*((72, 100 + 20 * i, line) for i, line in enumerate(LINES))).get_text("dict")
    assert not may_be_overprinted(content)
    assert without_copies(content, lambda: pytest.fail("no line lies on another")) is None


def test_cells_side_by_side_are_no_copies() -> None:
    content = page_of(*((72 + 120 * column, 100 + 16 * row, "0.50") for row in range(5) for column in range(4))).get_text("dict")
    assert not may_be_overprinted(content)


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["alpha", "beta 12", "3.5 %", "x"]), min_size=2, max_size=6), st.integers(0, 2))
def test_every_text_is_left_once(words: list[str], copies: int) -> None:
    """A page's characters after copies are taken out are those of the page without them, in number and kind."""
    prints = [(72.0, 100.0 + 20 * i, f"{word} and something more") for i, word in enumerate(words)]
    raw: dict[str, Any] = page_of(*(prints * (copies + 1))).get_text("rawdict")
    assert drop_copies(raw) == (copies > 0)
    kept = sorted(char["c"] for block in raw["blocks"] for line in block["lines"] for span in line["spans"] for char in span["chars"])
    assert kept == sorted("".join(text for _, _, text in prints))
