"""Whether the rows of two fragments are numbered through: the number in the first column goes on, or begins again.

Only rows that are counted one by one say anything; totals, sections and gaps between are passed over. Pure functions of rows.
"""

import re
from collections.abc import Iterable, Sequence
from enum import Enum

LOOKED_AT = 8
"""Rows on each side of a break: a few totals and sections may stand at its edge."""
_NUMBER = re.compile(r"[(\[]?(\d{1,6})[.)\]、．]?")


class Numbering(Enum):
    """What the numbers of the rows say."""

    SILENT = "silent"
    GOES_ON = "goes_on"
    BEGINS_AGAIN = "begins_again"


def numbering(above: Sequence[Sequence[str]], below: Sequence[Sequence[str]]) -> Numbering:
    """What the row numbers say of two fragments; `above` are data rows up to the break, `below` those behind it."""
    upper = _counted(reversed(above[-LOOKED_AT:]), -1)
    lower = _counted(below[:LOOKED_AT], +1)
    if upper is not None and lower is not None and lower == upper + 1:
        return Numbering.GOES_ON
    if upper is not None and lower in (0, 1) and not _names_section(below[0]):
        return Numbering.BEGINS_AGAIN
    return Numbering.SILENT


def _counted(rows: Iterable[Sequence[str]], step: int) -> int | None:
    """The first number of a first column whose next number is one `step` further; None where the rows are not counted."""
    numbers = []
    for row in rows:
        if row and (match := _NUMBER.fullmatch(row[0])):
            numbers.append(int(match[1]))
            if len(numbers) == 2:
                break
    return numbers[0] if len(numbers) == 2 and numbers[1] == numbers[0] + step else None


def _names_section(row: Sequence[str]) -> bool:
    """Whether a row names what follows: one filled cell. Below it, counting may begin again inside a table."""
    return sum(1 for text in row if text) == 1
