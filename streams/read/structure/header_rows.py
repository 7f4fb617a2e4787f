"""Whether the first row of a table names its columns where nothing says so. Pure functions of texts.

Each of its cells has a short text of its own (the first one may be empty, as in a corner), no number and nothing that a row below repeats. Then a
column of numbers below it is proof (one number alone is the value of a name); without one, only a table of some size is believed: a small one may be
pairs of a name and its value.
"""

import re
from collections.abc import Sequence

FEW = 3
"""Rows and columns from which a table of nothing but words is believed."""
LONGEST_NAME = 60
MAX_LOOKED_AT = 200
"""Rows that are looked at."""
NUMERIC = re.compile(r"(?=\D*\d)[\d.,\s()%+\-–−$€£¥:/]*")
"""A number as people write it in a table: an amount, a share, a date, a ratio. It costs the length of a cell, which may be a list of numbers."""


def names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first of these rows names columns; all are as long as it."""
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    names, below = rows[0], rows[1:MAX_LOOKED_AT]
    if not all(names[1:]) or len(set(names)) < len(names) or max(map(len, names)) > LONGEST_NAME:
        return False
    if any(NUMERIC.fullmatch(name) for name in names) or not set(filter(None, names)).isdisjoint(text for row in below for text in row):
        return False
    columns = ([text for row in below for text in row[column : column + 1] if text] for column in range(len(names)))
    if any(len(column) > 1 and all(map(NUMERIC.fullmatch, column)) for column in columns):
        return True
    return len(rows) >= FEW and len(names) >= FEW
