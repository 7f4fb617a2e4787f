"""Tables that people draw in plain text: grids of dashes and bars, pipes, tabs, aligned columns. Pure functions of lines.

A table is taken for one only where its columns are sure; whoever asks keeps the lines as they stand for all else.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from schemas.content import Cell, Table
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.header_rows import NUMERIC
from streams.read.structure.text.lines import common_gaps, is_rule, placed, unplaced

MIN_ALIGNED_ROWS = 3
"""Two lines may have a gap at the same place by chance; prose never has one of two places in three lines."""
GAP = 2
"""Places between aligned columns, at least."""
FILLED = 0.5
"""Share of rows in which every aligned column says something."""
MAX_COLUMNS = 200
LONGEST_CELL = 60
"""Characters, on average, of the widest aligned column: two columns of prose side by side are no table."""

_GRID_EDGE = re.compile(r"\s*\+(?:[-=+:]{2,})\+\s*")
_PIPED = re.compile(r"\s*\|.*\|\s*")


def table_of(lines: Sequence[str]) -> Table | None:
    """The table that a run of lines is; None where they are none for certain."""
    if len(lines) < 2:
        return None
    if _GRID_EDGE.fullmatch(lines[0]):
        return _grid(lines)
    if all(_PIPED.fullmatch(line) for line in lines):
        return _piped(lines)
    return _tabbed(lines) or _aligned(lines)


def table_from_rows(rows: Sequence[Sequence[str]], header_rows: int | None = None) -> Table | None:
    """A table of rows of texts, short ones filled up; None for less than two columns. The header is guessed where it is not known."""
    cleaned = [[collapse(clean_text(text)) for text in row] for row in rows]
    columns = max((len(row) for row in cleaned), default=0)
    if not 2 <= columns <= MAX_COLUMNS or not any(any(row) for row in cleaned):
        return None
    cells = tuple(Cell(row=r, column=c, text=text) for r, row in enumerate(cleaned) for c, text in enumerate(row) if text)
    heads = guessed_header(cleaned) if header_rows is None else header_rows
    return Table(rows=len(cleaned), columns=columns, cells=cells, header_rows=min(heads, len(cleaned)))


def guessed_header(rows: Sequence[Sequence[str]]) -> int:
    """1 where the first row is all words, none twice, and a column below it is all numbers; else 0."""
    if len(rows) < 2:
        return 0
    first = rows[0]
    if any(not text or NUMERIC.fullmatch(text) for text in first) or len(set(first)) < len(first):
        return 0
    for column in range(len(first)):
        below = [row[column] for row in rows[1:50] if column < len(row) and row[column]]
        if below and all(NUMERIC.fullmatch(text) for text in below):
            return 1
    return 0


def _grid(lines: Sequence[str]) -> Table | None:
    """A grid of `+---+---+`: rows between edges may have several lines; an edge of `=` ends the header."""
    shown = [placed(line.rstrip()) for line in lines]
    edges = [index for index, line in enumerate(shown) if _GRID_EDGE.fullmatch(line)]
    corners = [match.start() for match in re.finditer(r"\+", shown[0])]
    if len(edges) < 2 or edges[-1] != len(shown) - 1 or len(corners) < 3:
        return None
    rows: list[list[str]] = []
    heads = 0
    for above, below in pairwise(edges):
        inner = shown[above + 1 : below]
        if not inner or any(line[corner : corner + 1] not in ("|", "+") for line in inner for corner in corners):
            return None  # cells that span columns: kept as they are drawn
        parts = [[unplaced(line[a + 1 : b]) for line in inner] for a, b in pairwise(corners)]
        rows.append([" ".join(text for text in part if text) for part in parts])
        if "=" in shown[below] and not heads and below != edges[-1]:
            heads = len(rows)
    return table_from_rows(rows, heads or None)


def _piped(lines: Sequence[str]) -> Table | None:
    """Rows between pipes; a line of dashes below the first rows ends the header."""
    rows: list[list[str]] = []
    heads: int | None = None
    for line in lines:
        parts = [part.replace("\\|", "|").strip() for part in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if all(re.fullmatch(r":?-+:?|=+|\+?[-+=]+\+?", part) for part in parts):
            heads = len(rows) if heads is None and rows else heads
        else:
            rows.append(parts)
    return table_from_rows(rows, heads) if rows and len({len(row) for row in rows}) == 1 else None


def _tabbed(lines: Sequence[str]) -> Table | None:
    """Rows of cells between tabs, the same number in each."""
    if not all("\t" in line.strip() for line in lines):
        return None
    rows = [[part.strip() for part in line.rstrip("\r\n").split("\t")] for line in lines]
    return table_from_rows(rows) if len({len(row) for row in rows}) == 1 else None


def _aligned(lines: Sequence[str]) -> Table | None:
    """Columns with the same gap of blanks in every line. A drawn line below the first rows ends the header."""
    if sum("  " in line.strip() or "\t" in line for line in lines) < FILLED * len(lines):
        return None  # prose: most runs end here
    shown = [placed(line.rstrip()) for line in lines]
    texts = [line for line in shown if not is_rule(line)]
    gaps = common_gaps(texts, GAP) if len(texts) >= MIN_ALIGNED_ROWS else []
    if not gaps or len(gaps) >= MAX_COLUMNS:
        return None
    starts, ends = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), None]
    rows = [[unplaced(line[start:end]) for start, end in zip(starts, ends, strict=True)] for line in texts]
    columns = list(zip(*rows, strict=True))
    if any(sum(bool(text) for text in column) < FILLED * len(rows) for column in columns):
        return None
    if any(sum(map(len, column)) > LONGEST_CELL * len(rows) for column in columns):
        return None
    if _is_marked(columns[0]):
        return None
    rule = next((index for index, line in enumerate(shown) if is_rule(line) and index), None)
    heads = sum(not is_rule(line) for line in shown[:rule]) if rule is not None and rule <= 3 else None
    return table_from_rows(rows, heads)


def _is_marked(column: Sequence[str]) -> bool:
    """Whether a column holds the markers of a list, with wide gaps behind them."""
    return all(re.fullmatch(r"[-*+•o–]|\(?[\dA-Za-z]{1,3}[.)]|", text) for text in column)
