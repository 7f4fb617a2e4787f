"""Spaces that a font without a space leaves as gaps narrower than those MuPDF takes for one (0.15 ems): "thevalueofthe" in lines set tight.

Works on MuPDF's raw dictionary, in place; pure. Letters of a word stand at one distance, nearly; where a line has clearly wider gaps besides and
none in between, those part words. Lines with spaces of their own are left alone: there a narrow gap is kerning.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from streams.read.characters.spacing import Char, level_lines
from streams.read.characters.word_gaps import LETTER

LONG_WORD = 28
"""Characters; nearly no word is so long."""
_LONG = re.compile(f"[{LETTER}0-9.,;:()\u2018\u2019\u201c\u201d-]{{{LONG_WORD},}}")
FEW_LETTERS = 10
"""Different letters that several words have; runs of "xxxx" and leaders of dots have fewer."""
LETTERS = 0.8
"""Share of letters in words: numbers in a row and names of files have fewer."""
IN_WORD, BETWEEN = 0.045, 0.085
"""Ems beyond the line's usual gap between letters: up to the first within words, from the second on between them. A gap in between, and the line
tells nothing."""
LONGEST_WORDS, LEAST_CHARACTERS = 14.0, 12
"""Characters to a word on the mean, from which a line's gaps are not believed; and characters of a line that can be judged."""


def may_be_tight(text: str) -> bool:
    """Whether a page's text, its runs parted by spaces, holds what may be several words without spaces."""
    long = " ".join(word for word in text.split() if len(word) >= LONG_WORD)
    return any(
        sum(map(str.isalpha, word)) >= LETTERS * len(word) and len(set(word)) >= FEW_LETTERS and not word.isupper() for word in _LONG.findall(long)
    )


def restore_tight_spaces(raw: Mapping[str, Any]) -> None:
    """Puts spaces into the level lines whose gaps tell where words end."""
    for line, chars in level_lines(raw):
        before = {id(chars[index][0]) for index in _words_begin(chars)}
        for span in line["spans"] if before else ():
            span["chars"] = [c for char in span["chars"] for c in ((_space_before(char), char) if id(char) in before else (char,))]


def _words_begin(chars: Sequence[tuple[Char, float]]) -> list[int]:
    """Indexes of the characters of a line that begin a word after a narrow gap; none where the gaps do not tell."""
    if len(chars) < LEAST_CHARACTERS or any(char["c"] == " " and not char.get("synthetic") for char, _ in chars):
        return []
    gaps = {
        index: (chars[index][0]["bbox"][0] - chars[index - 1][0]["bbox"][2]) / max(chars[index - 1][1], chars[index][1], 1.0)
        for index in range(1, len(chars))
        if not (chars[index][0]["c"].isspace() or chars[index - 1][0]["c"].isspace())
    }
    if len(gaps) < LEAST_CHARACTERS - 1:
        return []
    usual = sorted(gaps.values())[len(gaps) // 2]
    wide = [index for index, gap in gaps.items() if gap - usual >= BETWEEN]
    words = 1 + len(wide) + sum(char["c"].isspace() for char, _ in chars)
    if any(IN_WORD < gap - usual < BETWEEN for gap in gaps.values()) or len(chars) > LONGEST_WORDS * words:
        return []
    return wide


def _space_before(char: Char) -> Char:
    x0, y0, _, y1 = char["bbox"]
    return {**char, "c": " ", "bbox": (x0, y0, x0, y1), "synthetic": True}
