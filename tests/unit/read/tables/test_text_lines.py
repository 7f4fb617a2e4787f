"""Words to lines and chunks: the short cuts say what the plain definitions say."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from streams.read.tables.line_parts import parts_of, pieces_of
from streams.read.tables.lines import (
    CHUNK_GAP,
    TYPEWRITER_SPACES,
    VALUE_GAP,
    Line,
    Word,
    chunks_of,
    is_value,
    joined_text,
    separates,
    text_lines,
    without_overprint,
    words_in,
    words_of,
)

TEXTS = st.sampled_from(["12", "3.5", "of", "the", "Total", "–", "n/a", "表", "ﬁn", "a", "1999", "word", "12", "____________"])
STEPS = st.integers(0, 120)


@st.composite
def page_words(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    """PyMuPDF's words on few lines and columns, so that many touch, follow closely or lie on each other."""
    count = draw(st.integers(1, 14))
    words = []
    for number in range(count):
        x0, y0 = draw(STEPS) / 2, draw(st.integers(0, 12)) * 4.0
        wide, high, text = draw(st.integers(1, 40)) / 2, draw(st.sampled_from([8.0, 10.0, 10.0, 30.0])), draw(TEXTS)
        words.append((x0, y0, x0 + wide, y0 + high, text, 0, 0, number))
    return words


def placed(words: list[tuple[Any, ...]]) -> list[Word]:
    return [(*word[:5], number) for number, word in enumerate(words)]


@given(page_words())
def test_words_come_by_the_height_of_their_middle(words: list[tuple[Any, ...]]) -> None:
    found = words_of(words)
    kept = [w for w in placed(words) if w[4] != "____________"]
    assert found == sorted(kept, key=lambda w: (w[1] + w[3], w[0], w[2], w[4]))


@given(page_words(), st.randoms(use_true_random=False))
def test_lines_of_words_in_any_order(words: list[tuple[Any, ...]], chance: Any) -> None:
    shuffled = placed(words)
    chance.shuffle(shuffled)
    ordered = sorted(shuffled, key=lambda w: w[1] + w[3])
    assert text_lines(shuffled) == text_lines(ordered)


def plainly_separates(before: Word, after: Word, gap: float, letter: float) -> bool:
    height = min(before[3] - before[1], after[3] - after[1])
    if is_value(before[4]) and is_value(after[4]):
        return gap >= VALUE_GAP * height
    return gap >= max(CHUNK_GAP * height, TYPEWRITER_SPACES * letter)


@given(page_words())
def test_a_line_is_cut_at_every_gap_that_separates(words: list[tuple[Any, ...]]) -> None:
    for line in text_lines(placed(words)):
        letter = chunks_of(line)[0].letter
        expected, end = [[line.words[0]]], line.words[0][2]
        for before, word in pairwise(line.words):
            if plainly_separates(before, word, word[0] - end, letter):
                expected.append([word])
                end = word[2]
            else:
                expected[-1].append(word)
                end = max(end, word[2])
        assert [list(chunk.words) for chunk in chunks_of(line)] == expected


@given(page_words(), st.lists(st.integers(0, 90), min_size=2, max_size=6, unique=True))
def test_pieces_of_a_chunk_end_at_edges_alone(words: list[tuple[Any, ...]], edges: list[int]) -> None:
    xs = [float(edge) for edge in sorted(edges)]
    for line in text_lines(placed(words)):
        for chunk in chunks_of(line):
            expected = [[chunk.words[0]]]
            for before, after in pairwise(chunk.words):
                crossed = any(before[2] - 0.5 <= x <= after[0] + 0.5 for x in xs)
                if crossed and separates(before, after, chunk.letter):
                    expected.append([after])
                else:
                    expected[-1].append(after)
            assert [list(piece) for piece in pieces_of(chunk, xs)] == expected


def test_a_typewriter_line_needs_more_than_a_space_to_part() -> None:
    """Words of one letter width: a space is one letter, and a gap of more than that is a column's."""
    line = Line([(0.0, 0.0, 24.0, 10.0, "four", 0), (30.0, 0.0, 54.0, 10.0, "five", 1), (60.0, 0.0, 84.0, 10.0, "more", 2)], 0.0, 10.0)
    assert [len(chunk.words) for chunk in chunks_of(line)] == [3]
    apart = Line([(0.0, 0.0, 24.0, 10.0, "four", 0), (30.0, 0.0, 54.0, 10.0, "five", 1), (62.0, 0.0, 86.0, 10.0, "more", 2)], 0.0, 10.0)
    assert [len(chunk.words) for chunk in chunks_of(apart)] == [2, 1]


def test_signs_of_one_width_make_no_typewriter_face() -> None:
    line = Line(
        [
            (5.0, 0.0, 10.0, 13.0, "9", 0),
            (22.0, 0.0, 50.5, 13.0, "방앗간", 1),
            (113.0, 0.0, 141.5, 13.0, "세어지", 2),
            (190.0, 0.0, 218.5, 13.0, "장부에", 3),
        ],
        0.0,
        13.0,
    )
    assert [len(chunk.words) for chunk in chunks_of(line)] == [1, 1, 1, 1]


def test_parts_of_a_line_know_numbers_from_words() -> None:
    line = Line([(0.0, 0.0, 20.0, 10.0, "Total", 0), (22.0, 0.0, 30.0, 10.0, "sum", 1), (60.0, 0.0, 80.0, 10.0, "12", 2)], 0.0, 10.0)
    parts = parts_of(line, [0.0, 50.0, 100.0])
    assert {column: (part.text, part.value) for column, part in parts.items()} == {0: ("Total sum", False), 1: ("12", True)}


def test_what_is_printed_twice_is_kept_once() -> None:
    twice: list[Word] = [(0.0, 0.0, 20.0, 10.0, "Total", 0), (0.4, 0.2, 20.4, 10.2, "Total", 1), (40.0, 0.0, 60.0, 10.0, "Total", 2)]
    assert [word[5] for word in without_overprint(list(twice))] == [0, 2]
    assert joined_text(twice) == "Total Total"


def test_no_space_stands_between_ideographs_that_touch() -> None:
    assert joined_text([(0.0, 0.0, 10.0, 10.0, "表", 0), (10.0, 0.0, 20.0, 10.0, "格", 1), (30.0, 0.0, 40.0, 10.0, "一", 2)]) == "表格 一"


@given(page_words())
def test_words_in_a_box_are_those_whose_middle_is_in_it(words: list[tuple[Any, ...]]) -> None:
    ordered, box = words_of(words), (10.0, 8.0, 40.0, 30.0)
    expected = [w for w in ordered if box[0] <= (w[0] + w[2]) / 2 <= box[2] and box[1] <= (w[1] + w[3]) / 2 <= box[3]]
    assert words_in(ordered, box) == expected
