"""A table that is drawn over as many frames as it takes, and the truth about it: rows, spans, where each part stands, which rows were cut."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pymupdf

from tests.bench.joins.drawing import Book, text_width, wrapped


@dataclass
class Span:
    """A cell larger than one place, at its top left place."""

    row: int
    column: int
    rows: int
    columns: int


@dataclass
class Style:
    """How a table is ruled and set. `ruling`: grid, horizontal, frame, booktabs or bands."""

    ruling: str = "grid"
    size: float = 9.0
    bold_header: bool = True
    filled_header: bool = False
    line_pt: float = 0.6

    @property
    def padding(self) -> float:
        """Points between a cell's edge and its text: columns that no rule parts stand further from each other."""
        return 3.0 if self.ruling in ("grid", "frame") else 6.0


@dataclass
class Breaks:
    """What happens where the table is cut. `repeat`: none, all, last, blank (some cells left out) or outside (above the rules)."""

    repeat: str = "all"
    again: str | None = None
    below: str | None = None
    cut_rows: bool = False
    closed: bool = True
    blank_page: bool = False
    rows_per_frame: int = 0
    ragged: float = 0.0


@dataclass
class Part:
    """One fragment on a page, as points of the page."""

    page: int
    bbox: tuple[float, float, float, float]


@dataclass
class Table:
    """A table and what became of it. `rows` are the header's first; numbers at `right` stand at the right of their column."""

    header_rows: int
    rows: list[list[str]]
    widths: list[float]
    style: Style
    breaks: Breaks = field(default_factory=Breaks)
    spans: list[Span] = field(default_factory=list)
    right: frozenset[int] = frozenset()
    parts: list[Part] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)

    @property
    def columns(self) -> int:
        """How many."""
        return len(self.widths)


@dataclass
class _Line:
    """A row on its way to the paper: lines of text for each column, and the row of the table that it is (or repeats)."""

    cells: list[list[str]]
    row: int
    is_header: bool = False


def draw_table(book: Book, table: Table) -> None:
    """Draws all of a table from where the book stands, and notes its parts."""
    table.widths = roomy(table.widths, least_widths(book, table.rows, table.style), book.frame.width)
    if book.left_below < 60:
        book.next_frame()
    waiting = [_Line(_cells(book, table, row), number, number < table.header_rows) for number, row in enumerate(table.rows)]
    first = True
    while waiting:
        lines = [] if first else _repeated(book, table)
        top = book.y
        room = book.left_below - (16 if table.breaks.below else 0) - sum(_height(table, line) for line in lines)
        placed, waiting = _fill(table, waiting, room - table.breaks.ragged * book.frame.height * (not first), first)
        _paint(book, table, [*lines, *placed], closed=table.breaks.closed or not waiting)
        table.parts.append(Part(book.number, (book.frame.x0, top, book.frame.x0 + sum(table.widths), book.y)))
        first = False
        if waiting:
            _turn(book, table)
    book.y += 10


def least_widths(book: Book, rows: Sequence[Sequence[str]], style: Style) -> list[float]:
    """The widths in which every word and number of the columns has room, as whoever sets a table sees to."""
    return [
        max(text_width(book.type, word, style.size, bold=style.bold_header) for row in rows for word in _unbroken(row[column]))
        + 2 * style.padding
        + 1
        for column in range(len(rows[0]))
    ]


def roomy(widths: Sequence[float], least: Sequence[float], most: float) -> list[float]:
    """The widths with room for what must have it, taken from the columns that can spare it; no wider than `most` where that is possible."""
    if all(own >= need for own, need in zip(widths, least, strict=True)):
        return list(widths)
    whole = max(sum(widths), min(most, 1.1 * sum(least)))
    spare = max(0.0, whole - sum(least))
    wishes = [max(0.0, own - need) for own, need in zip(widths, least, strict=True)]
    return [need + spare * wish / max(sum(wishes), 1e-9) for need, wish in zip(least, wishes, strict=True)]


def _unbroken(text: str) -> list[str]:
    """The parts of a cell that no line break parts: words, and whole numbers."""
    if text[:1].isdigit():
        return [text]
    return [*text] if any(character >= "\u1100" for character in text) else text.split() or [""]


def _cells(book: Book, table: Table, row: Sequence[str]) -> list[list[str]]:
    return [wrapped(book.type, text, table.style.size, _room(table, column, row), bold=False) for column, text in enumerate(row)]


def _room(table: Table, column: int, row: Sequence[str]) -> float:
    number = next((i for i, other in enumerate(table.rows) if other is row), -1)
    span = next((s.columns for s in table.spans if (s.row, s.column) == (number, column)), 1)
    return sum(table.widths[column : column + span]) - 2 * table.style.padding


def _height(table: Table, line: _Line) -> float:
    return max(len(cell) for cell in line.cells) * table.style.size * 1.2 + 6.0


def _fill(table: Table, waiting: list[_Line], room: float, first: bool) -> tuple[list[_Line], list[_Line]]:
    """What fits into `room` points, and the rest. A row that does not fit may be cut between its lines."""
    placed: list[_Line] = []
    left = list(waiting)
    limit = table.breaks.rows_per_frame + (table.header_rows if first else 0) if table.breaks.rows_per_frame else 10**6
    while left and len(placed) < limit:
        line = left[0]
        if _height(table, line) <= room:
            room -= _height(table, line)
            placed.append(left.pop(0))
            continue
        fits = int((room - 6.0) / (table.style.size * 1.2))
        if table.breaks.cut_rows and not line.is_header and 0 < fits < max(map(len, line.cells)) and placed:
            placed.append(_Line([cell[:fits] or [""] for cell in line.cells], line.row))
            left[0] = _Line([cell[fits:] or [""] for cell in line.cells], line.row)
            table.cut.append(line.row)
        elif not placed:
            placed.append(left.pop(0))
        break
    return placed, left


def _repeated(book: Book, table: Table) -> list[_Line]:
    """The header again, as far as this table repeats it."""
    header = [_Line(_cells(book, table, table.rows[n]), n, True) for n in range(table.header_rows)]
    match table.breaks.repeat:
        case "all":
            return header
        case "last":
            return header[-1:]
        case "blank":
            return [_Line([[""] if column == 0 else cell for column, cell in enumerate(line.cells)], line.row, True) for line in header]
        case _:
            return []


def _turn(book: Book, table: Table) -> None:
    """Goes to the next frame, with what stands between two parts."""
    if table.breaks.below:
        book.y += table.style.size * 1.4
        book.write(book.frame.x0, book.y, table.breaks.below, table.style.size * 0.9)
    book.next_frame()
    if table.breaks.blank_page:
        book.next_page()
    if table.breaks.again:
        book.text(table.breaks.again, bold=True, gap=6)
    if table.breaks.repeat == "outside":
        book.y += table.style.size * 1.2
        x = book.frame.x0
        for width, text in zip(table.widths, table.rows[table.header_rows - 1], strict=True):
            book.write(x + table.style.padding, book.y - 2, text, table.style.size, bold=table.style.bold_header)
            x += width
        book.y += 4


def _paint(book: Book, table: Table, lines: Sequence[_Line], *, closed: bool) -> None:
    """Text and rules of one part. `closed`: a rule below its last row."""
    x0, top = book.frame.x0, book.y
    edges = [x0]
    for width in table.widths:
        edges.append(edges[-1] + width)
    ys = [top]
    for line in lines:
        ys.append(ys[-1] + _height(table, line))
    _rules(book.shape, table, lines, edges, ys, closed=closed)
    for line, y in zip(lines, ys, strict=False):
        _write(book, table, line, edges, y)
    book.y = ys[-1]


def _write(book: Book, table: Table, line: _Line, edges: Sequence[float], y: float) -> None:
    size, bold = table.style.size, line.is_header and table.style.bold_header
    for column, texts in enumerate(line.cells):
        for number, text in enumerate(texts):
            if not text:
                continue
            x = edges[column] + table.style.padding
            if column in table.right and not line.is_header:
                x = edges[column + 1] - table.style.padding - text_width(book.type, text, size, bold=bold)
            book.write(x, y + 3.0 + size * (0.95 + 1.2 * number), text, size, bold=bold)


def _rules(shape: pymupdf.Shape, table: Table, lines: Sequence[_Line], edges: Sequence[float], ys: Sequence[float], *, closed: bool) -> None:
    style, last = table.style, len(lines)
    headers = sum(line.is_header for line in lines)
    for number in range(headers if style.filled_header else 0):
        shape.draw_rect(pymupdf.Rect(edges[0], ys[number], edges[-1], ys[number + 1]))
        shape.finish(fill=(0.85, 0.88, 0.92), color=None)
    if style.ruling == "bands":
        for number in range(headers, last, 2):
            shape.draw_rect(pymupdf.Rect(edges[0], ys[number], edges[-1], ys[number + 1]))
            shape.finish(fill=(0.93, 0.93, 0.93), color=None)
    for number, y in enumerate(ys):
        ends = number == 0 or (number == last and closed) or number == headers
        if ends or (style.ruling in ("grid", "horizontal") and number < last):
            for left, right in _open_between(table, lines, edges, number):
                shape.draw_line((left, y), (right, y))
    if style.ruling in ("grid", "frame"):
        for column, x in enumerate(edges):
            for upper, lower in _open_along(table, lines, ys, column):
                shape.draw_line((x, upper), (x, lower))
    shape.finish(width=style.line_pt, color=(0, 0, 0))


def _covering(table: Table, row: int, column: int) -> Span | None:
    """The span that a place of the table lies in."""
    return next((s for s in table.spans if s.row <= row < s.row + s.rows and s.column <= column < s.column + s.columns), None)


def _open_between(table: Table, lines: Sequence[_Line], edges: Sequence[float], number: int) -> list[tuple[float, float]]:
    """The stretches of the horizontal rule above line `number` that no span crosses."""
    stretches = []
    for column in range(table.columns):
        inside = 0 < number < len(lines)
        span = _covering(table, lines[number - 1].row, column) if inside else None
        if span is None or span is not _covering(table, lines[number].row, column):
            stretches.append((edges[column], edges[column + 1]))
    return stretches


def _open_along(table: Table, lines: Sequence[_Line], ys: Sequence[float], column: int) -> list[tuple[float, float]]:
    """The stretches of the vertical rule left of `column` that no span crosses."""
    stretches = []
    for number in range(len(lines)):
        inside = 0 < column < table.columns
        span = _covering(table, lines[number].row, column - 1) if inside else None
        if span is None or span is not _covering(table, lines[number].row, column):
            stretches.append((ys[number], ys[number + 1]))
    return stretches
