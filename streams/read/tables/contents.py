"""Grids whose texts count: contents pages, lists of figures, numbered equations. Pure functions of texts and places."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from schemas.content import Table
from streams.read.tables.lines import Word, is_number
from streams.read.tables.rulings import Segment

COUNTER = re.compile(r"\(?\[?([A-Z][-.–]?)?(\d{1,4})(\.\d{1,3})?\]?\)?|[ivxlc]{1,6}", re.IGNORECASE)
"""A page number, or the number of an equation."""
TITLE = re.compile(r"[^\W\d_]{2}")
"""What is in a title, and in no number."""
TITLES_SHARE = 0.7
COUNTERS_SHARE = 0.85
MIN_COUNTERS = 3
UNDERLINED_SHARE = 0.8
"""Of the words of a contents page whose links are underlined."""


def is_counted(rows: Sequence[Sequence[str]]) -> bool:
    """Texts with a number at the right that counts up: pages of a contents list, numbers of equations."""
    last = [row[-1] for row in rows if row[-1]]
    counters = [found for found in (COUNTER.fullmatch(text) for text in last) if found]
    if len(rows[0]) > 4 or len(counters) < MIN_COUNTERS or len(counters) < COUNTERS_SHARE * len(last):
        return False
    others = [text for row in rows for text in row[1:-1] if text]
    if sum(1 for text in others if is_number(text)) * 4 > len(others) + 1:
        return False
    numbers = [int(found[2]) for found in counters if found[2]]
    rising = sum(1 for a, b in pairwise(numbers) if b >= a)
    return rising >= 0.9 * (len(numbers) - 1)


def is_contents(rows: Sequence[Sequence[str]], table: Table) -> bool:
    """Whether rows without a header are titles, each with a number that counts up: a contents page in one column or in more. `rows`: its texts."""
    if table.header_rows or table.columns % 2:
        return False
    parts = [[row[column : column + 2] for row in rows if any(row[column : column + 2])] for column in range(0, table.columns, 2)]
    titles = [part[0] for own in parts for part in own if part[0]]
    return TITLES_SHARE * len(titles) <= sum(1 for title in titles if TITLE.search(title)) and all(is_counted(own) for own in parts)


def is_underlined(words: Sequence[Word], rules: Sequence[Segment]) -> bool:
    """Whether rules run through the lower half of most words, as those of links do; a rule between two rows runs through none."""
    heights = sorted(y for y, _, _ in rules)
    under = sum(1 for word in words if bisect_right(heights, (word[1] + word[3]) / 2) < bisect_left(heights, word[3]))
    return under >= UNDERLINED_SHARE * len(words)
