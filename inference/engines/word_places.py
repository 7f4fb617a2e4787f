"""Where the words of a recognized line stand: between the characters that the model placed, at the white between them. Pure.

A model places characters to a half of one; the ink of the line itself says where a word ends. White as wide as a type size parts what the
model wrote as one word: values of neighbouring columns.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inference.images import Mask
from inference.types import WordPlace

Columns = NDArray[np.intp]
"""Indexes of the columns of an image that hold ink."""
PARTING = 0.75
"""Width of white, in heights of the line's ink, that parts two words where the model wrote no space: more than letterspacing has."""
FULL_WIDTH, PARTING_FULL_WIDTH = "\u2e80", 1.2
"""From this character on scripts are full-width: behind a full stop there is most of a character's width of white."""
LEAST_WHITE = 2
"""Pixels of white between two words; less is a speck inside of a letter."""


class LineReading(Struct, frozen=True):
    """What a model reads on the image of a line: its text, the mean probability 0..1 of its characters, and where each character that is no
    white space stands: the share 0..1 of the image's width at its middle; empty where the model does not say.
    """

    text: str
    confidence: float
    places: tuple[float, ...] = ()


def words_of_line(reading: LineReading, ink: Mask) -> tuple[WordPlace, ...]:
    """The words from left to right, `ink` being the rows of the line's own ink; none where the places of characters are not known."""
    characters = [c for c in reading.text if not c.isspace()]
    height, width = ink.shape
    if not characters or len(characters) != len(reading.places) or not width:
        return ()
    columns = np.flatnonzero(ink.sum(axis=0) > 0.04 * height)
    if not len(columns):
        return ()
    return _placed(reading.text.split(), [place * width for place in reading.places], columns, height, width)


def _placed(words: Sequence[str], places: Sequence[float], inked: Columns, height: int, width: int) -> tuple[WordPlace, ...]:
    """Cuts the characters into words at spaces and at wide white, and ends each word where its ink does."""
    last_letters = set(_ends(words))
    letters, texts = "".join(words), [""]
    cuts: list[tuple[float, float]] = []
    whites = _whites(inked)
    widest = [_widest(whites, place, following) for place, following in pairwise(places)]
    # Each white parts once: a letter that the model placed into the white behind it does not stand beyond it.
    taken = {widest[index] for index in last_letters if index < len(widest)}
    for index, ((place, following), (left, right)) in enumerate(zip(pairwise(places), widest, strict=True)):
        texts[-1] += letters[index]
        is_wide = right - left >= (PARTING if letters[index] < FULL_WIDTH else PARTING_FULL_WIDTH) * height
        if index in last_letters or (is_wide and (left, right) not in taken):
            taken.add((left, right))
            middle = (place + following) / 2
            cuts.append((left, right) if right - left >= LEAST_WHITE else (middle, middle))
            texts.append("")
    texts[-1] += letters[-1]
    starts = [float(inked[0]), *(right for _, right in cuts)]
    ends = [*(left for left, _ in cuts), float(inked[-1]) + 1]
    found = zip(texts, starts, ends, strict=True)
    return tuple(WordPlace(text, round(min(start, end) / width, 4), round(max(start, end) / width, 4)) for text, start, end in found)


def _ends(words: Sequence[str]) -> list[int]:
    """The indexes of the last character of each word, in the text without spaces."""
    ends, total = [], 0
    for word in words:
        total += len(word)
        ends.append(total - 1)
    return ends


def _whites(inked: Columns) -> list[tuple[float, float]]:
    """(start, end) of the runs of columns without ink between inked ones."""
    steps = np.flatnonzero(np.diff(inked) > 1)
    return [(float(inked[step]) + 1, float(inked[step + 1])) for step in steps]


def _widest(whites: Sequence[tuple[float, float]], left: float, right: float) -> tuple[float, float]:
    """The widest white that touches the stretch between two characters; an empty one where there is none."""
    near = [white for white in whites if white[0] < right and white[1] > left]
    return max(near, key=lambda white: white[1] - white[0], default=(left, left))
