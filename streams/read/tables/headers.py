"""How many leading rows of a table are its header.

Decided by what sets them apart: a header rule, bold, a background of their own, or words over columns of numbers. 0 where nothing says so:
a page that continues a table has no header, and a row taken for one would be lost or repeated when the table is joined.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from streams.read.tables.lines import is_number, is_year

MAX_HEADER_ROWS = 6
"""More leading rows than this are no header whatever they look like."""
NUMERIC_SHARE = 0.6
"""A column is numeric if this share of its filled cells below are numbers."""
MIN_NUMBERED, NUMBERED_SHARE = 3, 0.6
"""Columns, and share of all columns, that a row which numbers them has a number for."""
MIN_VALUES = 2
"""Numbers in the only row below labels."""

_COLUMN_NUMBER = re.compile(r"[(\[]?(\d{1,2})[)\].]?(?:\s*=.*)?")
"""How a statistic numbers its columns; some are sums of others: "2 = 3 + 4"."""


class RowLook(Struct, frozen=True, gc=False):
    """How a row looks: its cell texts by column, spans aside; whether all its words are bold; the colour behind it; its widest span. `encloses`: how
    many rows down each of its cells either spans, or heads columns of its own; 0 where they do not all do one of both, or all the same.
    """

    texts: tuple[str, ...]
    bold: bool
    colour: tuple[float, ...] | None
    spans_down: int
    spans_across: bool
    encloses: int = 0


def header_rows(looks: Sequence[RowLook], ruled_off: int) -> int:
    """The number of header rows of a table. `ruled_off` are leading rows that a rule sets off from rows without rules."""
    if len(looks) < 2:
        return 0
    limit = min(MAX_HEADER_ROWS, len(looks) - 1)
    if 0 < ruled_off <= limit:
        count = max(ruled_off, _by_type(looks, limit)) if looks[ruled_off - 1].spans_across else ruled_off  # headings, above their labels
    else:
        count = _by_looks(looks, limit)
    if count < limit and _numbers_columns(looks[max(count, 1)].texts) and (count or _are_labels(looks[0].texts)):
        return max(count, 1) + 1
    return count or _over_one_row(looks)


def _by_looks(looks: Sequence[RowLook], limit: int) -> int:
    """Leading rows that their look sets apart, their colour, their type, or labels over numbers."""
    count = max(_by_look([look.colour for look in looks]), _by_look([True if look.bold else None for look in looks]))
    if count > limit:
        count = 0
    count = max(count, _by_type(looks, limit), looks[0].encloses if looks[0].encloses <= limit else 0)
    while count and sum(1 for text in looks[count - 1].texts if text) < 2 and not looks[count - 1].spans_across:
        count -= 1  # a lone label below the header is the first section row
    return _with_spans(looks, count, limit)


def _by_look(marks: Sequence[object]) -> int:
    """Leading rows that share a look which hardly any row below has. A look that comes back is that of section rows."""
    first = marks[0]
    if first is None:
        return 0
    count = next((i for i, mark in enumerate(marks) if mark != first), len(marks))
    again = sum(1 for mark in marks[count:] if mark == first)
    return count if count < len(marks) and again <= max(1, 0.05 * (len(marks) - count)) else 0


def _by_type(looks: Sequence[RowLook], limit: int) -> int:
    """Leading rows with words over columns of numbers."""
    columns = len(looks[0].texts)
    for count in range(1, limit + 1):
        below = looks[count:]
        numeric = [c for c in range(columns) if _is_numeric([look.texts[c] for look in below])]
        if not numeric:
            return 0
        texts = [looks[count - 1].texts[c] for c in numeric if looks[count - 1].texts[c]]
        labels = [t for t in texts if not is_number(t)]
        years = [t for t in texts if is_year(t)]
        if len(labels) + len(years) == len(texts) and len(labels + years) * 2 >= len(numeric) and (labels or _are_years_apart(looks, numeric)):
            if _comes_back(looks[count - 1], below, numeric):
                return 0
            is_part = looks[count - 1].spans_across or sum(1 for text in looks[count - 1].texts if text) < 2  # a heading, the first line of labels
            return count + (count < limit and is_part and _are_labels([below[0].texts[c] for c in numeric]))
        if texts and len(labels) < len(texts):
            return 0
    return 0


def _numbers_columns(texts: Sequence[str]) -> bool:
    """Whether a row numbers the columns from 1 on."""
    filled = [text for text in texts if text]
    found = [_COLUMN_NUMBER.fullmatch(text) for text in filled]
    numbers = [int(own[1]) for own in found if own]
    if len(numbers) < max(MIN_NUMBERED, NUMBERED_SHARE * len(texts)) or len(numbers) < len(filled):
        return False
    return numbers[0] == 1 and all(b - a == 1 for a, b in pairwise(numbers))


def _over_one_row(looks: Sequence[RowLook]) -> int:
    """1 where the first of two rows is labels, or years, over the numbers of the second."""
    if len(looks) != 2:
        return 0
    first, second = looks[0].texts, looks[1].texts
    own = [c for c in range(1, len(first)) if second[c]] if second[0] and not is_number(second[0]) else [c for c, text in enumerate(second) if text]
    are_over = len(own) >= MIN_VALUES and all(is_number(second[c]) and not is_year(second[c]) for c in own)
    return int(are_over and (_are_labels([first[c] for c in own]) or all(is_year(first[c]) for c in own)))


def _are_labels(texts: Sequence[str]) -> bool:
    """Whether texts are there, each of them, and none is a number."""
    return all(text and not is_number(text) for text in texts)


def _comes_back(row: RowLook, below: Sequence[RowLook], columns: Sequence[int]) -> bool:
    """Whether the labels of a row stand again further down: section rows name the columns anew, a header does so once."""
    labels = [(c, row.texts[c]) for c in columns if row.texts[c]]
    return any(all(other.texts[c] == text for c, text in labels) for other in below[1:])


def _are_years_apart(looks: Sequence[RowLook], numeric: Sequence[int]) -> bool:
    """Whether the years of a first row are labels: the columns below hold other numbers."""
    below = [look.texts[c] for look in looks[1:] for c in numeric if look.texts[c]]
    return sum(1 for t in below if is_year(t)) * 4 < len(below)


def _is_numeric(texts: Sequence[str]) -> bool:
    filled = [t for t in texts if t]
    return len(filled) >= 2 and sum(1 for t in filled if is_number(t)) >= NUMERIC_SHARE * len(filled)


def _with_spans(looks: Sequence[RowLook], count: int, limit: int) -> int:
    """A header whose cells reach further down includes the rows that they reach into."""
    if not count:
        return 0
    reach = max(i + look.spans_down for i, look in enumerate(looks[:count]))
    return reach if reach <= limit else count
