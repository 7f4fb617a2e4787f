"""Headings told by their place and their face."""

import pytest

from schemas.content import BlockType, TextStyle
from streams.read.blocks.building import Surroundings, build_blocks
from streams.read.blocks.heading_lines import is_title
from streams.read.blocks.joining import KnownWords
from streams.read.blocks.lines import Fragment

PAGE = (0.0, 0.0, 600.0, 800.0)


def fragment(text: str, y: float, *, x: float = 50, x1: float = 450, font: str = "F00", size: float = 10, bold: bool = False) -> Fragment:
    style = TextStyle(size_pt=size, font=font, bold=bold)
    return Fragment(x, y - 8, x1, y + 2, text, y, style, False, 0, False, len(text.replace(" ", "")))


def prose(y: float, count: int) -> list[Fragment]:
    return [fragment(f"line {number} of a paragraph which goes on and on until it has", y + 12 * number) for number in range(count)]


def page_with(heading: Fragment, *, below: float = 18) -> list[BlockType]:
    y = heading.baseline
    fragments = [*prose(y - 24 - 12 * 5, 6), heading, *prose(y + below, 6)]
    return [block.type for block in build_blocks(fragments, [], PAGE, Surroundings(KnownWords([])), 1.0)]


PROSE_HEADING_PROSE = [BlockType.PARAGRAPH, BlockType.HEADING, BlockType.PARAGRAPH]


@pytest.mark.parametrize("text", ["Boots Self-Locking Nut", "A. Two-Pass Spatial Aggregation", "2.1. Characterisation of flow", "3. Data sets"])
def test_a_line_in_another_face_over_its_text_is_a_heading(text: str) -> None:
    assert page_with(fragment(text, 300, x1=50 + 5 * len(text), font="F0B")) == PROSE_HEADING_PROSE


@pytest.mark.parametrize(
    ("text", "x1"),
    [
        ("by Edmund Dulac", 130),  # begins small
        ("A sentence in italics, as notes are.", 230),
        ("www.example.org/locate", 180),
        ("F = m a in all of them", 180),
        ("A line in another face that fills the column to its very edge", 450),
    ],
)
def test_other_lines_in_another_face_are_none(text: str, x1: float) -> None:
    assert BlockType.HEADING not in page_with(fragment(text, 300, x1=x1, font="F0B"))


def test_the_same_face_or_a_far_text_makes_none() -> None:
    assert BlockType.HEADING not in page_with(fragment("Boots Self-Locking Nut", 300, x1=160))
    assert BlockType.HEADING not in page_with(fragment("Boots Self-Locking Nut", 300, x1=160, font="F0B"), below=60)


def test_a_numbered_heading_over_another_one_is_a_heading() -> None:
    headings = [fragment("2. Methods", 290, x1=110, font="F01"), fragment("2.1. Flow regime", 314, x1=130, font="F0B")]
    fragments = [*prose(200, 6), *headings, *prose(338, 6)]
    types = [block.type for block in build_blocks(fragments, [], PAGE, Surroundings(KnownWords([])), 1.0)]
    assert types == [BlockType.PARAGRAPH, BlockType.HEADING, BlockType.HEADING, BlockType.PARAGRAPH]


def test_the_second_line_of_a_numbered_heading_hangs_under_its_words() -> None:
    upper = fragment("2 Preliminaries of Transformers for Table", 300, x1=300, font="Bold", size=12, bold=True)
    lower = fragment("Encoding", 314, x=68, x1=120, font="Bold", size=12, bold=True)
    blocks = build_blocks([*prose(200, 6), upper, lower, *prose(336, 6)], [], PAGE, Surroundings(KnownWords([])), 1.0)
    assert [block.text for block in blocks if block.type is BlockType.HEADING] == ["2 Preliminaries of Transformers for Table Encoding"]


def test_a_heading_that_fills_its_line_ends_where_the_text_begins() -> None:
    texts = (("The Administration Needs to Develop and", 300), ("Implement Its Strategy", 313))
    heading = [fragment(text, y, font="Bold", size=11, bold=True) for text, y in texts]
    text = [fragment("In April we reported that the goals and", 328), *prose(340, 6)]
    blocks = build_blocks([*prose(210, 6), *heading, *text], [], PAGE, Surroundings(KnownWords([])), 1.0)
    assert [block.type for block in blocks] == PROSE_HEADING_PROSE
    assert blocks[2].text.startswith("In April")


def test_an_equation_in_large_type_is_no_heading() -> None:
    assert BlockType.HEADING not in page_with(fragment("Q = HW Q, V = HW V, K = HW K", 300, x1=300, font="Math", size=13))


@pytest.mark.parametrize(
    ("text", "title"), [("3. Data sets", True), ("Abstract", True), ("1998 2003", False), ("The end.", False), ("a b c d e f", False)]
)
def test_titles(text: str, title: bool) -> None:
    assert is_title(text) is title
