"""The words of one line of a cell as text, in the order in which they are read: from the left, or, where Hebrew or Arabic is written, from the right.

A table knows where words stand and not who follows whom, since a line of the page may run over many cells. Within a word letters are in the
order of reading already; here each word counts as one sign of its script. A small number raised behind a word is the mark of a note.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from streams.read.blocks.raised import as_exponent
from streams.read.characters.bidi import reading_order
from streams.read.characters.right_to_left import RIGHT_TO_LEFT

Placed = tuple[float, float, float, float, str, int]
"""A word: box, text, index."""

CJK = re.compile(r"[\u1100-\u11ff\u2e80-\u30ff\u3130-\u318f\u31f0-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
SMALLER = 0.75
"""A mark is lower than this share of the word that it stands behind."""
RAISED = 0.15
"""Its foot is this share of the word's height above the word's."""
TIGHT = 0.15
"""Behind a word this near, as a share of the height, no space is shown."""


def line_text(words: Sequence[Placed]) -> str:
    """One line of a cell, given from left to right. Between CJK words a space stands only where there is room for one."""
    if len(words) > 1:
        words = _with_marks(words)
    text = " ".join([word[4] for word in words])
    if text.isascii():
        return text
    words = in_reading_order(words)
    text = words[0][4]
    for before, word in pairwise(words):
        tight = word[0] - before[2] < TIGHT * (word[3] - word[1])
        text += word[4] if tight and CJK.match(word[4]) and CJK.match(text[-1]) else f" {word[4]}"
    return text


def in_reading_order(words: Sequence[Placed]) -> Sequence[Placed]:
    """The words of a line, given from left to right, in the order of reading; the same where none of them is of a script that runs leftwards."""
    if len(words) < 2 or not any(not word[4].isascii() and RIGHT_TO_LEFT.search(word[4]) for word in words):
        return words
    signs = [_sign(word[4]) for word in words]
    right = sum(1 for sign in signs if RIGHT_TO_LEFT.match(sign))
    letters = sum(1 for sign in signs if sign.isalpha())
    parts = [part for sign in signs for part in (sign, " ")][:-1]
    order, _ = reading_order(parts, right_to_left=2 * right >= letters)
    return [words[index // 2] for index in order if index % 2 == 0]


def _sign(text: str) -> str:
    """What stands for a word in the order of a line: a letter, first of all one of a script that runs leftwards, or else a digit or another sign."""
    if found := RIGHT_TO_LEFT.search(text):
        return found[0]
    return next((sign for sign in text if sign.isalpha()), None) or next((sign for sign in text if sign.isdigit()), text[0])


def _with_marks(words: Sequence[Placed]) -> Sequence[Placed]:
    """The words, those that are marks of notes as superscripts of the words before them."""
    if not any(word[4].isdigit() and _is_raised(before, word) for before, word in pairwise(words)):
        return words
    found = [words[0]]
    for word in words[1:]:
        before = found[-1]
        if word[4].isdigit() and _is_raised(before, word):
            found[-1] = (*before[:2], word[2], before[3], before[4] + as_exponent(word[4], before[4]), before[5])
        else:
            found.append(word)
    return found


def _is_raised(before: Placed, word: Placed) -> bool:
    """Whether a word is set smaller and higher than the one that it stands close behind."""
    height = before[3] - before[1]
    return word[3] - word[1] < SMALLER * height and before[3] - word[3] > RAISED * height and word[0] - before[2] < TIGHT * height
