"""Lines of a contents page, of a list of figures: a title, and far at the right its page. Pure functions of lines."""

import re
from collections.abc import Sequence

from streams.read.blocks.lines import Line

_ENTRY = re.compile(r"\S.*\s(?:\d{1,4}|[A-Z]{0,2}-\d{1,3}|[ivxlc]{1,6})\W*$")

WIDE_LINE = 0.75
"""Width of a line over its characters and type size from which on something was left out of it: leader dots. Prose has 0.4 to 0.6."""
FELLOW_ENTRIES = 2
"""Entries of contents around a line that make it one, if it ends with a number at their edge."""


def is_entry(line: Line) -> bool:
    """Whether a line is one of a contents page: a title, and far at the right its page. The dots are out of the text, but not of its width."""
    text = line.text.strip()
    return line.x1 - line.x0 > WIDE_LINE * line.style.size_pt * len(text) and _ENTRY.match(text) is not None


def is_among_entries(line: Line, near: Sequence[Line]) -> bool:
    """Whether a line is an entry by the company it keeps: one whose title leaves hardly a dot before its page, where those around are entries."""
    if _ENTRY.match(line.text.strip()) is None:
        return False
    return sum(is_entry(other) and abs(other.x1 - line.x1) < line.style.size_pt for other in near) >= FELLOW_ENTRIES
