"""Words of a recognized line by the characters that a model placed and the white between them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inference.engines.word_places import LineReading, words_of_line

HEIGHT, LETTER, SPACE = 20, 12, 8


def drawn(words: list[str], gaps: list[int], shift: float = 0.0) -> tuple[LineReading, np.ndarray, list[tuple[int, int]]]:
    """A line of letters that are boxes, and where its words stand in pixels; the model places characters `shift` letters too late."""
    x, places, boxes, spans = 5, [], [], []
    for word, gap in zip(words, gaps, strict=True):
        start = x
        for _ in word:
            boxes.append((x, x + LETTER - 2))
            places.append(x + LETTER / 2 + shift * LETTER)
            x += LETTER
        spans.append((start, x - 2))
        x += gap
    ink = np.zeros((HEIGHT, x), bool)
    for a, b in boxes:
        ink[2:18, a:b] = True
    return LineReading(" ".join(words), 0.9, tuple(place / x for place in places)), ink, spans


@given(st.lists(st.text("abcxyz019", min_size=1, max_size=8), min_size=1, max_size=8), st.floats(-0.3, 0.3), st.integers(6, 90))
def test_words_end_where_their_ink_ends(words, shift, gap):
    reading, ink, spans = drawn(words, [gap] * len(words), shift)
    found = words_of_line(reading, ink)
    width = ink.shape[1]
    assert [word.text for word in found] == words
    assert [(round(word.start * width), round(word.end * width)) for word in found] == spans


def test_wide_white_parts_what_the_model_wrote_as_one_word():
    reading, ink, spans = drawn(["12.5", "13.1"], [60, 0])
    found = words_of_line(LineReading("12.513.1", 0.9, reading.places), ink)
    assert [word.text for word in found] == ["12.5", "13.1"]
    assert round(found[1].start * ink.shape[1]) == spans[1][0]


def test_letters_that_touch_over_a_space_are_parted_between_their_places():
    reading, ink, _ = drawn(["ab", "cd"], [0, 0])
    ink[10, :] = True  # a line through everything
    left, right = words_of_line(reading, ink)
    assert left.end == right.start
    assert abs(left.end * ink.shape[1] - (5 + 2 * LETTER)) <= LETTER / 2


def test_without_places_or_ink_there_are_no_words():
    reading, ink, _ = drawn(["ab"], [0])
    assert words_of_line(LineReading("ab", 0.9), ink) == ()
    assert words_of_line(LineReading("abc", 0.9, reading.places), ink) == ()
    assert words_of_line(reading, np.zeros_like(ink)) == ()
    assert words_of_line(LineReading("", 0.0), ink) == ()


def test_a_letter_that_the_model_places_into_the_white_behind_it_stays_with_its_word():
    reading, ink, spans = drawn(["abci", "def"], [40, 0])
    places = list(reading.places)
    places[3] += 20 / ink.shape[1]
    found = words_of_line(LineReading("abci def", 0.9, tuple(places)), ink)
    assert [(word.text, round(word.end * ink.shape[1])) for word in found] == [("abci", spans[0][1]), ("def", spans[1][1])]
