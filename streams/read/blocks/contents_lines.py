"""Lines of a contents page, of a list of figures: a title, and far at the right its page. Pure functions of lines."""

import re
from collections.abc import Sequence

from streams.read.blocks.lines import Line

_ENTRY = re.compile(r"\S.*\s(?:\d{1,4}|[A-Z]{0,2}-\d{1,3}|[ivxlc]{1,6})\W*$")

_PAGE_FIRST = re.compile(r"\s*(\d{1,4})\s+[^\W\d_]", re.ASCII)

WIDE_LINE = 0.75
"""Width of a line over its characters and type size from which on something was left out of it: leader dots. Prose has 0.4 to 0.6."""
TAB = 0.6
"""Space behind a page's number that stands before its title, in sizes of type, at the least."""
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


def begins_with_page(line: Line, near: Sequence[Line]) -> bool:
    """Whether a line is an entry whose page stands before its title, by the company it keeps: numbers at one edge that grow downwards, some of them
    with a tab behind.
    """
    number = _page_before(line)
    if number is None:
        return False
    fellows, tabs = 0, title_edge(line) is not None
    for other in near:
        found = _page_before(other) if other is not line else None
        if found is not None and min(abs(other.x0 - line.x0), abs(_end_of_page(other) - _end_of_page(line))) < 0.3 * line.style.size_pt:
            fellows += found > number if other.baseline > line.baseline else found < number
            tabs = tabs or title_edge(other) is not None
    return tabs and fellows >= FELLOW_ENTRIES


def title_edge(line: Line) -> float | None:
    """Where the title of an entry begins, whose page stands before it with a tab between; None for other lines."""
    if len(line.parts) < 2 or _page_before(line) is None or not line.parts[0].text.strip().isdecimal():
        return None
    title = line.parts[1]
    return title.x0 if title.x0 - line.parts[0].x1 >= TAB * line.style.size_pt else None


def _page_before(line: Line) -> int | None:
    """The number that a line begins with, before a word."""
    found = None if line.rtl or line.style.monospace else _PAGE_FIRST.match(line.text)
    return int(found[1]) if found else None


def _end_of_page(line: Line) -> float:
    return line.parts[0].x1 if line.parts else line.x0
