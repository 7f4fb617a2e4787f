"""Words of a layer on the words of a picture: in place, beside it, of another page."""

import numpy as np

from streams.read.trust.alignment import Alignment, PlacedWord, measure_alignment


def printed(widths: list[list[int]], gap: int = 5) -> tuple[np.ndarray, list[PlacedWord]]:
    """Lines of words as solid ink, and their boxes."""
    ink = np.zeros((40 + 14 * len(widths), 500), np.bool_)
    words = []
    for row, line in enumerate(widths):
        x, y = 30, 20 + 14 * row
        for width in line:
            ink[y : y + 9, x : x + width] = True
            words.append(PlacedWord((x, y, x + width, y + 9), (0, row)))
            x += width + gap
    return ink, words


def lines(seed: int) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [[int(width) for width in rng.integers(12, 50, 9)] for _ in range(12)]


def test_words_in_place_cross_nothing() -> None:
    ink, words = printed(lines(1))
    assert measure_alignment(ink, 1.0, words) == Alignment(0.0, 0.0)


def test_words_of_another_page_cross_gaps() -> None:
    ink, _ = printed(lines(1))
    _, words = printed(lines(2))
    assert measure_alignment(ink, 1.0, words).crossed > 0.3


def test_words_beside_the_ink_are_vacant() -> None:
    ink, words = printed(lines(1))
    assert measure_alignment(np.zeros_like(ink), 1.0, words).vacant == 1.0


def test_a_few_words_say_nothing_and_boxes_off_the_page_are_no_words() -> None:
    ink, words = printed(lines(1))
    assert measure_alignment(np.zeros_like(ink), 1.0, words[:3]) == Alignment()
    away = [PlacedWord((9_000.0, 9_000.0, 9_050.0, 9_009.0), word.line) for word in words]
    assert measure_alignment(ink, 1.0, away) == Alignment()


def test_words_of_a_line_are_compared_in_their_places_whichever_way_they_are_read() -> None:
    ink, words = printed(lines(1))
    rng = np.random.default_rng(3)
    turned = [words[place] for place in rng.permutation(len(words))]
    assert measure_alignment(ink, 1.0, turned) == Alignment(0.0, 0.0)
