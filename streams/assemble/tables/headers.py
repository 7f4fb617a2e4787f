"""Whether the first rows of a fragment are the table's header printed again, the header of another table, or data.

A row at the top of a page is a repeated header only if it equals the table's header: wording may differ a little (recognition, a changed
stub head), numbers may not.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from streams.assemble.tables.column_profile import ENOUGH_ROWS, contradicts
from streams.assemble.tables.grid import Grid
from streams.assemble.tables.joined_table import JoinedTable
from streams.assemble.text.wording import fold, is_numeric, numbers, without_digits

ALIKE = 0.85
"""Edit similarity of a header and its repetition."""
EQUAL = 0.95
"""The same where nothing but the repetition says that the row is a header."""
MAX_UNMARKED_HEADER = 3
"""Rows of a header that nothing but its repetition shows, at most."""
LONGEST_CELL = 500
"""Characters of a cell that are compared: no header says more, and comparing costs the product of the lengths."""


class HeaderMatch(NamedTuple):
    """`repeated` rows at the top of a fragment are the header again; `header_rows` is what the table's header is known to be then."""

    repeated: int
    header_rows: int


def match_header(table: JoinedTable, grid: Grid) -> HeaderMatch:
    """How many rows at the top of `grid` repeat the header of `table`: all of it, its first or its last rows."""
    header = table.rows[: table.header_rows]
    for count in range(min(len(header), len(grid.rows)), 0, -1):
        top = grid.rows[:count]
        if _alike(header[:count], top, ALIKE) or _alike(header[-count:], top, ALIKE):
            more = _unmarked(table, grid, count) if count == len(header) else 0
            return HeaderMatch(count + more, len(header) + more)
    count = _unmarked(table, grid, 0) if not header else 0
    return HeaderMatch(count, len(header) or count)


def _unmarked(table: JoinedTable, grid: Grid, start: int) -> int:
    """Further rows that both begin with, words and not numbers: a header that no rule or type face marks."""
    count = 0
    while count < MAX_UNMARKED_HEADER and start + count < min(len(table.rows) - 1, len(grid.rows)):
        ours, theirs = table.rows[start + count], grid.rows[start + count]
        words = [text for text in theirs if text and not is_numeric(text)]
        if len(words) < 2 or len(words) < sum(1 for text in theirs if text) or rows_alike(ours, theirs) < EQUAL:
            break
        count += 1
    return count


def begins_another_table(table: JoinedTable, grid: Grid) -> bool:
    """Whether the first row of `grid`, which does not repeat the header, is the header of something else."""
    row = grid.rows[0]
    filled = [column for column, text in enumerate(row) if text]
    if not filled or _is_section(table, row, filled):
        return False
    words_over_numbers = contradicts(table.profile, row)
    if grid.header_rows == 0:
        return words_over_numbers >= 2 and _numbers_follow(grid)
    if len(filled) * 5 < grid.columns * 3:
        return False
    if words_over_numbers:
        return True
    has_numbers = any((table.profile.numeric_share(c) or 0.0) >= 0.8 for c in range(table.columns))
    return table.header_rows > 0 and not has_numbers


def is_same_but_for_numbers(table: JoinedTable, grid: Grid) -> bool:
    """Whether a marked header equals the table's but for its numbers (another year, another area): the next table of a series."""
    rows = min(table.header_rows, grid.header_rows)
    differs = False
    for ours, theirs in zip(table.rows[:rows], grid.rows[:rows], strict=True):
        if rows_alike([without_digits(text) for text in ours], [without_digits(text) for text in theirs]) < ALIKE:
            return False
        differs = differs or rows_alike(ours, theirs) < ALIKE
    filled = [column for column, text in enumerate(grid.rows[0]) if text]
    return differs and not _is_section(table, grid.rows[0], filled)


def rows_alike(a: Sequence[str], b: Sequence[str]) -> float:
    """Mean edit similarity 0..1 of the cells that both rows fill; 0 where they share too few, or where a number differs."""
    pairs = [(_folded(x), _folded(y)) for x, y in zip(a, b, strict=True) if x and y]
    filled = max(sum(1 for x in a if x), sum(1 for y in b if y))
    if not pairs or len(pairs) * 2 < filled or any(numbers(x) != numbers(y) for x, y in pairs):
        return 0.0
    return sum(fuzz.ratio(x, y) for x, y in pairs) / (100.0 * len(pairs))


def _folded(text: str) -> str:
    return fold(text[:LONGEST_CELL]).replace(" ", "")


def _alike(ours: Sequence[Sequence[str]], theirs: Sequence[Sequence[str]], least: float) -> bool:
    return all(rows_alike(a, b) >= least for a, b in zip(ours, theirs, strict=True))


def _is_section(table: JoinedTable, row: Sequence[str], filled: Sequence[int]) -> bool:
    """Whether the table has had such rows before: half of its cells stood as data in the same columns."""
    return sum(2 for column in filled if table.has_seen(column, row[column])) >= len(filled)


def _numbers_follow(grid: Grid) -> bool:
    """Whether the rows below the first hold numbers where the first holds words, in two columns or more."""
    rows = grid.rows[1 : 1 + 2 * ENOUGH_ROWS]
    columns = 0
    for column, text in enumerate(grid.rows[0]):
        below = [row[column] for row in rows if row[column]]
        columns += bool(text and not is_numeric(text) and below and all(map(is_numeric, below)))
    return columns >= 2
