"""Synthetic pages for table tests: words as PyMuPDF gives them, and drawings as `get_cdrawings` gives them. No PDF is made."""

from collections.abc import Iterable, Sequence
from typing import Any

from schemas.content import Table

PAGE = (0.0, 0.0, 595.0, 842.0)
LETTER_PT = 5.0
LINE_PT = 12.0


def line(x0: float, y0: float, x1: float, y1: float, colour: tuple[float, ...] = (0.0,), width: float = 0.5) -> dict[str, Any]:
    """A stroked line."""
    return {"type": "s", "items": [("l", (x0, y0), (x1, y1))], "color": colour, "width": width, "stroke_opacity": 1.0}


def box(x0: float, y0: float, x1: float, y1: float, fill: tuple[float, ...] | None = None, stroke: tuple[float, ...] | None = None) -> dict[str, Any]:
    """A rectangle, filled, stroked or both."""
    kind = ("f" if fill else "") + ("s" if stroke else "")
    return {"type": kind, "items": [("re", (x0, y0, x1, y1), 1)], "fill": fill, "color": stroke, "width": 0.5}


def words(x: float, y: float, text: str, letter: float = LETTER_PT) -> list[tuple[Any, ...]]:
    """The words of one line of text that starts at x with its top at y."""
    found = []
    for number, word in enumerate(text.split(" ")):
        width = letter * len(word)
        found.append((x, y, x + width, y + LINE_PT - 1.0, word, 0, 0, number))
        x += width + 0.5 * letter
    return found


def ends_at(x: float, y: float, text: str) -> list[tuple[Any, ...]]:
    """The same, flush right at x."""
    return words(x - LETTER_PT * len(text.replace(" ", "")) - 0.5 * LETTER_PT * text.count(" "), y, text)


def grid_lines(xs: Sequence[float], ys: Sequence[float]) -> list[dict[str, Any]]:
    """A fully drawn grid."""
    return [line(xs[0], y, xs[-1], y) for y in ys] + [line(x, ys[0], x, ys[-1]) for x in xs]


def in_cells(xs: Sequence[float], ys: Sequence[float], rows: Iterable[Sequence[str]]) -> list[tuple[Any, ...]]:
    """Texts of a grid, each at the upper left of its cell; `|` parts the lines of one."""
    found = []
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            for number, part in enumerate(text.split("|") if text else ()):
                found += words(xs[c] + 3, ys[r] + 2 + number * LINE_PT, part)
    return found


def rows_of(table: Table) -> list[list[str]]:
    """The texts by row and column; a span's text stands once."""
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


def spans_of(table: Table) -> set[tuple[int, int, int, int]]:
    """Row, column, row span and column span of every cell."""
    return {(c.row, c.column, c.row_span, c.column_span) for c in table.cells}
