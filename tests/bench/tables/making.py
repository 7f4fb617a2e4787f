"""Pages with a table whose cells are known: ruled, partly ruled or without any rule, in several scripts and layouts.

`made_page(seed)` gives the same page for the same seed. Every choice (rules, columns, header levels, empty cells, cells of several lines,
section rows, alignment, place on the page) is drawn at random, none is fitted to a file. The truth names spans as a reader would: a heading
over a group of columns spans them, a section row of a ruled table spans the row; in a table without rules it is a label with empty places.
"""

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import pymupdf

from tests.bench.tables.words import SCRIPTS, Script, number, phrase, sentence

PAGE_WIDTH, PAGE_HEIGHT = 595.0, 842.0
MARGIN = 60.0
RULES = ("full", "outer_columns", "horizontal", "booktabs", "header_only", "stripes", "none", "none", "none")
"""How a table is drawn. Without any rule is what text alone must tell, so it comes more often."""


@dataclass(frozen=True)
class TrueCell:
    """A cell of the truth: its place, its spans and its text without spaces at the ends."""

    row: int
    column: int
    text: str
    row_span: int = 1
    column_span: int = 1


@dataclass
class MadePage:
    """A page and the tables on it. `kind` names how the table is drawn; for a page without one, what it shows instead."""

    document: pymupdf.Document
    kind: str
    script: str
    tables: list[list[TrueCell]] = field(default_factory=list)


@dataclass(frozen=True)
class _Column:
    x0: float
    x1: float
    align: str
    numeric: bool


class Pen:
    """Writes lines of text on a page in one font; they are on it after `done`."""

    def __init__(self, page: pymupdf.Page, script: Script, size: float) -> None:
        self.page, self.script, self.size = page, script, size
        self.font = script.font()
        self.height = 1.22 * size
        self._writer = pymupdf.TextWriter(page.rect)

    def done(self) -> None:
        """Puts what was written on the page: all at once, for each writing embeds its fonts anew."""
        self._writer.write_text(self.page)

    def width(self, text: str) -> float:
        """The width of a text in points."""
        return float(self.font.text_length(text, self.size))

    def write(self, x0: float, x1: float, y: float, text: str, align: str = "left", bold: bool = False) -> None:
        """One line whose top is at `y`, between two x."""
        if not text:
            return
        room = x1 - x0 - self.width(text)
        x = x0 + {"left": 0.0, "right": room, "center": room / 2}[align]
        self._writer.append((x, y + 0.95 * self.size), text, font=self.script.font(bold), fontsize=self.size)

    def fitted(self, text: str, room: float) -> list[str]:
        """A text in lines that fit into a width; words are not cut."""
        parts = text.split(" ") if self.script.spaced or text.isascii() else list(text)
        glue = " " if self.script.spaced else ""
        lines = [parts[0]]
        for part in parts[1:]:
            longer = lines[-1] + glue + part
            if self.width(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(part)
        return lines

    def paragraph(self, rng: random.Random, x0: float, x1: float, y: float, sentences: int) -> float:
        """Prose, left-aligned or justified by its words; returns the y below it."""
        for line in self.fitted((" " if self.script.spaced else "").join(sentence(rng, self.script) for _ in range(sentences)), x1 - x0):
            if y > PAGE_HEIGHT - MARGIN:
                break
            self.write(x0, x1, y, line)
            y += self.height
        return y + 0.6 * self.height


def made_page(seed: int) -> MadePage:
    """A page with one table between paragraphs, in one column of text or in one of two."""
    rng = random.Random(seed)
    script = rng.choice(SCRIPTS)
    kind = rng.choice(RULES)
    document = pymupdf.open()
    page = document.new_page(width=PAGE_WIDTH, height=PAGE_HEIGHT)
    pen = Pen(page, script, rng.choice((8.0, 9.0, 10.0)))
    two_columns = rng.random() < 0.25
    x0, x1 = MARGIN, PAGE_WIDTH - MARGIN
    if two_columns:
        middle = PAGE_WIDTH / 2
        left = rng.random() < 0.5
        other = (middle + 12, x1) if left else (x0, middle - 12)
        y = MARGIN
        while y < PAGE_HEIGHT - MARGIN - 3 * pen.height:
            y = pen.paragraph(rng, *other, y, rng.randint(2, 5))
        x0, x1 = (x0, middle - 12) if left else (middle + 12, x1)
    y = pen.paragraph(rng, x0, x1, MARGIN, rng.randint(2, 4))
    made = MadePage(document, kind, script.name)
    y, cells = _table(rng, pen, kind, x0, x1, y + rng.uniform(4, 14), narrow=two_columns)
    made.tables.append(cells)
    y += rng.uniform(8, 20)
    if y < PAGE_HEIGHT - MARGIN - 4 * pen.height:
        pen.paragraph(rng, x0, x1, y, rng.randint(1, 5))
    pen.done()
    return made


def _table(rng: random.Random, pen: Pen, kind: str, x0: float, x1: float, y: float, *, narrow: bool) -> tuple[float, list[TrueCell]]:
    """Draws a table and returns the y below it and its cells."""
    columns = _columns(rng, pen, x0, x1, rng.randint(2, 3 if narrow else 7))
    grouped = len(columns) >= 4 and rng.random() < 0.4
    texts = [[_text(rng, pen, column, index) for index, column in enumerate(columns)] for _ in range(rng.randint(3, 16))]
    sparse = rng.random() < 0.5
    cells: list[TrueCell] = []
    pad = rng.uniform(1.0, 5.0) if kind != "none" else rng.uniform(0.5, 4.0)
    edges = [y]
    bold = rng.random() < 0.6
    spanners: list[tuple[float, float, float]] = []
    row = 0
    if grouped:
        first = 1
        while first < len(columns):
            last = min(first + rng.randint(2, 3), len(columns))
            if last == first + 1 or len(columns) - last == 1:
                last = len(columns)
            text = phrase(rng, pen.script, 1)
            pen.write(columns[first].x0, columns[last - 1].x1, y + pad, text, "center", bold)
            spanners.append((y + pen.height + pad * 1.5, columns[first].x0, columns[last - 1].x1))
            cells.append(TrueCell(0, first, text, 1, last - first))
            first = last
        y += pen.height + 2 * pad
        edges.append(y)
        row = 1
    header = [phrase(rng, pen.script, rng.randint(1, 2)) if i or rng.random() < 0.7 else "" for i in range(len(columns))]
    y = _row(pen, columns, header, y, pad, row, cells, bold=bold, header=True)
    edges.append(y)
    header_bottom = y
    sections: set[int] = set()
    for body in texts:
        row += 1
        if y > PAGE_HEIGHT - MARGIN - 30:
            break
        if rng.random() < 0.06 and len(columns) > 2:
            label = phrase(rng, pen.script, 2)
            pen.write(columns[0].x0 + 2, columns[-1].x1, y + pad, label, "left", bold)
            sections.add(len(edges) - 1)
            cells.append(TrueCell(row, 0, label, 1, len(columns) if kind == "full" else 1))
            y += pen.height + 2 * pad
        else:
            kept = [t if i == 0 or not sparse or rng.random() > 0.15 else "" for i, t in enumerate(body)]
            y = _row(pen, columns, kept, y, pad, row, cells)
        edges.append(y)
    _draw(pen.page, rng, kind, columns, edges, header_bottom, spanners, sections)
    return y, cells


def _columns(rng: random.Random, pen: Pen, x0: float, x1: float, count: int) -> list[_Column]:
    weights = [rng.uniform(1.4, 2.6), *(rng.uniform(0.8, 1.4) for _ in range(count - 1))]
    width = (x1 - x0) * (1.0 if count > 3 else rng.uniform(0.6, 1.0))
    gap = rng.uniform(0.9, 2.0) * pen.size
    align = rng.choice(("right", "center", "right"))
    x = x0
    columns = []
    for index, weight in enumerate(weights):
        own = width * weight / sum(weights)
        numeric = index > 0 and (own < 8.5 * pen.size or rng.random() < 0.7)
        columns.append(_Column(x + gap / 2, x + own - gap / 2, "left" if not numeric else align, numeric))
        x += own
    return columns


def _text(rng: random.Random, pen: Pen, column: _Column, index: int) -> str:
    if column.numeric:
        return number(rng)
    room = column.x1 - column.x0
    words = rng.randint(1, 2 if room < 9 * pen.size else 4)
    if rng.random() < 0.1 and not index:
        words += 4
    return phrase(rng, pen.script, words)


def _row(
    pen: Pen,
    columns: Sequence[_Column],
    texts: Sequence[str],
    y: float,
    pad: float,
    row: int,
    cells: list[TrueCell],
    *,
    bold: bool = False,
    header: bool = False,
) -> float:
    """Writes a row of cells, whose lines stand from its top on (a header's at its bottom), and returns the y below it."""
    wrapped = [pen.fitted(text, column.x1 - column.x0) if text else [] for text, column in zip(texts, columns, strict=True)]
    height = pen.height * max((len(lines) for lines in wrapped), default=1)
    for column, lines, index in zip(columns, wrapped, range(len(columns)), strict=True):
        top = y + pad + (height - pen.height * len(lines) if header else 0.0)
        for offset, line in enumerate(lines):
            pen.write(column.x0, column.x1, top + offset * pen.height, line, column.align, bold)
        glue = " " if pen.script.spaced else ""
        cells.append(TrueCell(row, index, glue.join(lines)))
    return y + height + 2 * pad


def _draw(
    page: pymupdf.Page,
    rng: random.Random,
    kind: str,
    columns: Sequence[_Column],
    edges: Sequence[float],
    header_bottom: float,
    spanners: Sequence[tuple[float, float, float]],
    sections: set[int],
) -> None:
    """The rules of a table."""
    left, right, top, bottom = columns[0].x0 - 3, columns[-1].x1 + 3, edges[0], edges[-1]
    inner = [(a.x1 + b.x0) / 2 for a, b in itertools.pairwise(columns)]
    shape = page.new_shape()
    flat = {"full": edges, "horizontal": edges, "booktabs": [top, header_bottom, bottom], "header_only": [header_bottom]}.get(kind, ())
    if kind == "outer_columns":
        flat = [top, header_bottom, bottom]
    for y in flat:
        shape.draw_line((left, y), (right, y))
    if kind in ("full", "outer_columns"):
        for x in (left, right):
            shape.draw_line((x, top), (x, bottom))
        for x in inner:
            for index, (y0, y1) in enumerate(itertools.pairwise(edges)):
                spanned = index in sections or (spanners and index == 0 and any(x0 < x < x1 for _, x0, x1 in spanners))
                if not (spanned and kind == "full") and not (spanned and index == 0):
                    shape.draw_line((x, y0), (x, y1))
    if kind in ("booktabs", "header_only"):
        for y, x0, x1 in spanners:
            shape.draw_line((x0, y), (x1, y))
    shape.finish(color=(0, 0, 0), width=rng.choice((0.4, 0.7, 1.0)))
    shape.commit(overlay=False)
    if kind == "stripes":
        for index, (y0, y1) in enumerate(itertools.pairwise(edges)):
            if index % 2 == 0:
                page.draw_rect((left, y0, right, y1), color=None, fill=(0.88, 0.9, 0.94), overlay=False)
