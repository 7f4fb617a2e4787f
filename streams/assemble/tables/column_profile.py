"""What stands in the columns of a table, learned from a bounded sample of its rows: how often they are filled, how often with numbers.

The evidence by which two fragments are known as one table, and by which a row is known as a header, a whole row or half of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from streams.assemble.text.wording import is_nothing, is_numeric

SAMPLE_ROWS = 16
"""Rows looked at on each side of a break: enough to know a column, few enough to cost nothing."""
ENOUGH_ROWS = 3
"""Fewer rows say nothing about what a column always holds."""


@dataclass(slots=True)
class ColumnProfile:
    """Counts over the sampled rows of one table; every list is as long as the table has columns."""

    rows: int
    filled: list[int]
    numeric: list[int]
    lower_first: int = 0

    def add(self, rows: Sequence[Sequence[str]]) -> None:
        """Learns from more rows."""
        for row in rows:
            self.rows += 1
            for column, text in enumerate(row):
                if text:
                    self.filled[column] += 1
                    if is_numeric(text):
                        self.numeric[column] += 1
            first = next((text for text in row if text), "")
            self.lower_first += first[:1].islower()

    def with_rows(self, rows: Sequence[Sequence[str]]) -> "ColumnProfile":
        """The same with more rows; this one stays as it is."""
        wider = ColumnProfile(self.rows, list(self.filled), list(self.numeric), self.lower_first)
        wider.add(rows)
        return wider

    def always_filled(self) -> list[int]:
        """The columns that no sampled row leaves empty; none while too few rows are known."""
        if self.rows < ENOUGH_ROWS:
            return []
        return [column for column, count in enumerate(self.filled) if count == self.rows]

    def numeric_share(self, column: int) -> float | None:
        """The share of numbers among the filled cells of a column; None where it is (nearly) empty."""
        filled = self.filled[column]
        return self.numeric[column] / filled if filled else None


def profile_of(rows: Sequence[Sequence[str]], columns: int) -> ColumnProfile:
    """The profile of these rows."""
    profile = ColumnProfile(0, [0] * columns, [0] * columns)
    profile.add(rows)
    return profile


def head_sample(rows: Sequence[Sequence[str]], start: int) -> list[Sequence[str]]:
    """The first rows from `start` on."""
    return list(islice(rows, start, start + SAMPLE_ROWS))


def types_agree(above: ColumnProfile, below: ColumnProfile) -> float:
    """How alike the columns are in what they hold, 0..1; 0.5 where nothing is known."""
    scores = []
    for column in range(len(above.filled)):
        upper, lower = above.numeric_share(column), below.numeric_share(column)
        if upper is not None and lower is not None:
            scores.append(1.0 - abs(upper - lower))
    return sum(scores) / len(scores) if scores else 0.5


def contradicts(profile: ColumnProfile, row: Sequence[str]) -> int:
    """In how many columns that always hold numbers a row has words instead: what makes a row a header over them."""
    count = 0
    for column, text in enumerate(row):
        if profile.filled[column] >= ENOUGH_ROWS and (profile.numeric_share(column) or 0.0) >= 0.8 and not is_nothing(text) and not is_numeric(text):
            count += 1
    return count
