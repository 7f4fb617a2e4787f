"""Lines of several faces: programs' names in a sentence, signs of formulas, words of recognized text that are each of another size."""

from itertools import pairwise
from typing import Any

import pytest
from test_lines import line, page, span

from schemas.content import BlockType
from streams.read.blocks.building import Surroundings, build_blocks
from streams.read.blocks.joined_rows import lines_of
from streams.read.blocks.joining import KnownWords
from streams.read.blocks.lines import fragments_of
from streams.read.blocks.spans_of_line import extent_of, main_span
from streams.read.placed_words import characters_of


def words(text: str, y: float, *, mono: str = "", x: float = 50.0, size: float = 10.0) -> dict[str, Any]:
    """A line whose words are spans, as where MuPDF makes up the spaces; those named are in typewriter type."""
    spans = []
    for word in text.split(" "):
        spans.append(span(word, x, y, size, "Courier" if word == mono else "Times", 8 if word == mono else 0))
        x = spans[-1]["bbox"][2]
        spans.append(span(" ", x, y, size))
        x = spans[-1]["bbox"][2]
    return line(*spans[:-1])


def test_a_long_name_in_another_face_does_not_stand_for_the_line() -> None:
    (found,) = fragments_of(page(words("we use the LayoutParserKit in all of it", 100, mono="LayoutParserKit")))
    assert (found.style.font, found.style.monospace) == ("Times", False)


def test_a_paragraph_with_such_lines_is_one() -> None:
    texts = ["The paper that introduces the tool names", "LayoutParserKit is an open library which", "runs on and says LayoutParserKit again as"] * 3
    content = page(*[words(text, 100 + 12 * number, mono="LayoutParserKit") for number, text in enumerate(texts)])
    blocks = build_blocks(fragments_of(content), [], (0, 0, 600, 800), Surroundings(KnownWords([])), 1.0)
    assert [block.type for block in blocks] == [BlockType.PARAGRAPH]


def test_of_words_of_many_sizes_the_middle_one_is_the_lines() -> None:
    spans = [span("one", 50, size=9.6), span("two", 80, size=9.9), span("—", 100, size=22), span("three", 120, size=10.4)]
    (found,) = fragments_of(page(line(*spans)))
    assert found.style.size_pt == 9.9


@pytest.mark.parametrize("sizes", [[(10.0, 0, 4)], [(8.0, 0, 3), (10.0, 1, 9)], [(12.0, 0, 1), (9.0, 1, 1)]])
def test_the_main_span_is_one_of_the_spans(sizes: list[tuple[float, int, int]]) -> None:
    assert main_span({"Times": sizes}) in [number for _, number, _ in sizes]


def test_a_sign_of_a_tall_font_does_not_reach_into_the_next_line() -> None:
    """The symbol font of TeX claims seven tenths of a line below each sign: two lines of a paragraph came out as one row."""
    sign = {**span("∈", 90, 100, 10, "CMSY10", 4), "bbox": (90.0, 98.0, 97.0, 115.3)}
    upper = line(span("each q", 50, 100), sign, span("S and that is its end", 100, 100))
    fragments = fragments_of(page(upper, line(span("frame of what comes next", 50, 112))))
    assert fragments[0].y1 < 112
    blocks = build_blocks(fragments, [], (0, 0, 600, 800), Surroundings(KnownWords([])), 1.0)
    assert " ".join(block.text for block in blocks) == "each q∈S and that is its end frame of what comes next"


def test_indexes_and_exponents_stay_inside_their_line() -> None:
    tall = {**span("∈", 90, 100, 10, "CMSY10", 4), "bbox": (90.0, 80.0, 97.0, 120.0)}
    low = {**span("i", 98, 105, 7), "origin": (98.0, 111.0)}
    spans = [span("a line of text", 50, 100), tall, low]
    top, bottom = extent_of(spans, spans[0])
    assert 97 < top <= 100
    assert 112 <= bottom < 114


def test_the_end_of_a_proof_makes_no_row_of_cells() -> None:
    fragments = fragments_of(page(line(span("and so it is closed.", 50)), line(span("■", 400))))
    (found,) = lines_of([fragments])
    assert (found.gaps, found.text) == (0, "and so it is closed. ■")
    (row,) = lines_of([fragments_of(page(line(span("a cell of a row", 50)), line(span("12", 400))))])
    assert row.gaps == 1


def test_baselines_are_the_texts_and_not_an_exponents() -> None:
    raised = {**span("nd", 180, 96, 7, flags=1), "origin": (180.0, 103.0)}
    contents = [words("first line of these", 100), line(span("the second", 50, 112), raised, span(" line of these", 190, 112))]
    first, second = fragments_of(page(*contents))
    assert second.baseline - first.baseline == pytest.approx(12)
    assert all(b.baseline > a.baseline for a, b in pairwise([first, second]))


@pytest.mark.parametrize(("flags", "shown"), [(16, "(a)"), (16 | 128, "{a}")])
def test_whether_a_span_holds_codes_is_told_by_its_flags(flags: int, shown: str) -> None:
    spans = [{**span("(", 50, font="CMEX10"), "char_flags": flags}, span("a", 60), {**span(")", 66, font="CMEX10"), "char_flags": flags}]
    (found,) = fragments_of(page(line(*spans)))
    assert found.text == shown
    chars = [{"c": sign, "bbox": (50.0 + 6 * at, 100.0, 55.0 + 6 * at, 110.0)} for at, sign in enumerate("()")]
    raw = page(line({**spans[0], "chars": chars}))
    assert "".join(sign for *_, sign in characters_of(raw, None)) == shown[0] + shown[-1]
