"""Letter-spaced words ("H E A D I N G") put together: where the letters of a line stand evenly apart, only wider gaps are between words.

Works on MuPDF's raw dictionary, in place; pure. MuPDF takes every gap of 0.15 ems for a space, so a line in spaced type comes out as single
letters. What must speak for spaced type: single letters, gaps that are alike, and letters that make words; a row of answers ("A B C D") has none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from streams.read.language.letter_pairs import codes_of, likelihood

SPACED_WORD = re.compile(r"(?<!\S)(?=(?:\S+ ){0,3}[^\W\d_] [^\W\d_] [^\W\d_] )(?:[^\W\d_]{1,2} ){4,}[^\W\d_]{1,2}(?!\S)")
"""Five letters in a row or more, three of them single; two stand together where kerning brings them so near that MuPDF sees no space."""
FEWEST = 5
_SINGLE = re.compile(rf"(?:(?<!\S)\w{{1,2}}(?!\S)\s*){{{FEWEST},}}")
WORD_GAP = 1.45
"""Times the usual gap between letters from which a gap is between words: spaced type has the double of it and more."""
EVEN = 0.35
"""How far gaps between letters of spaced type differ from the usual one, as a share of it; kerning and rounding take a quarter."""
KERNED = 0.6
"""The same for two letters that kerning brings so near that MuPDF sees no space."""
LEAST_GAP = 0.1
"""Ems; nearer letters are not spaced."""
WORD_NATS = 3.6
"""Mean cost of a pair of letters up to which a few letters are words; single letters put together by chance cost 4 and more."""

Char = dict[str, Any]


def join_spaced_letters(raw: Mapping[str, Any]) -> None:
    """Takes the spaces out of letter-spaced words of all level lines."""
    for line, chars in level_lines(raw):
        text = "".join(char["c"] for char, _ in chars)
        if SPACED_WORD.search(text) is None or len(text) != len(chars):
            continue
        gone = {id(space) for run in _SINGLE.finditer(text) for space in _false_spaces(chars[run.start() : run.end()])}
        for span in line["spans"]:
            span["chars"] = [char for char in span["chars"] if id(char) not in gone]
        line["spans"] = [span for span in line["spans"] if span["chars"]]


def level_lines(raw: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], list[tuple[Char, float]]]]:
    """The lines of a raw dictionary that run across the page rather than down, each with its characters and their sizes of type."""
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            if abs(line["dir"][0]) >= abs(line["dir"][1]) and not line["wmode"]:
                yield line, [(char, span["size"]) for span in line["spans"] for char in span["chars"]]


def _false_spaces(chars: Sequence[tuple[Char, float]]) -> list[Char]:
    """The spaces of a run of single letters that are none, or nothing where the run is not spaced type."""
    letters = [index for index, (char, _) in enumerate(chars) if not char["c"].isspace()]
    gaps = [abs(_gap(chars[a][0], chars[b][0])) for a, b in pairwise(letters)]
    if len(letters) < FEWEST:
        return []
    usual = sorted(gaps)[len(gaps) // 3]
    within = [(gap, b - a == 1) for gap, (a, b) in zip(gaps, pairwise(letters), strict=True) if gap < WORD_GAP * usual]
    if usual < LEAST_GAP * chars[0][1] or any(abs(gap - usual) > (KERNED if beside else EVEN) * usual for gap, beside in within):
        return []
    words, false = "", list[Char]()
    for place, index in enumerate(letters):
        words += chars[index][0]["c"]
        if place < len(gaps):
            between = [char for char, _ in chars[index + 1 : letters[place + 1]]]
            if gaps[place] < WORD_GAP * usual:
                false += between
            else:
                words += " "
                false += between[1:]
    return false if _are_words(words) else []


def _gap(left: Char, right: Char) -> float:
    return float(right["bbox"][0] - left["bbox"][2])


def _are_words(text: str) -> bool:
    """Whether letters put together look like words, and no alphabet."""
    compact = "".join(letter for letter in text.lower() if letter.isalpha())
    steps = [ord(b) - ord(a) for a, b in pairwise(compact)]
    if sum(step == 1 for step in steps) > len(steps) / 2 or len(set(compact)) < 3:
        return False
    found = likelihood(codes_of(text))
    return not found.letters or (found.pairs > 0 and found.nats <= WORD_NATS)  # scripts without a table are not judged
