"""Tables that stand in Markdown or HTML text: pipe tables and `<table>` elements, as grids.

Total: text that is no mark-up at all has no tables, broken mark-up gives the cells that can be told. A table inside a cell is a table of its own.
"""

from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct

from tests.bench.scoring.grids import MAX_SPAN, Grid, grid_of, grid_of_cells

MAX_PLACES = 50_000
"""Places that the cells of one table may cover by their spans; a page of print holds some thousands."""


def tables_of_markup(text: str) -> list[Grid]:
    """The tables of a Markdown text, HTML ones among them: those of HTML first."""
    reader = _TableReader()
    reader.feed(text)
    reader.close()
    return [*reader.finished(), *_pipe_tables(text)]


class _Building(Struct):
    """A `<table>` that is not closed yet: cells, places already covered, and the cell that text goes to."""

    cells: list[tuple[int, int, int, int, str]]
    covered: set[tuple[int, int]]
    row: int = -1
    column: int = 0
    open_cell: list[str] | None = None
    down: int = 1
    across: int = 1

    def start_row(self) -> None:
        self.end_cell()
        self.row, self.column = self.row + 1, 0

    def start_cell(self, attributes: dict[str, str | None]) -> None:
        self.end_cell()
        self.row = max(self.row, 0)
        while (self.row, self.column) in self.covered:
            self.column += 1
        self.down, self.across = _span(attributes.get("rowspan")), _span(attributes.get("colspan"))
        if len(self.covered) + self.down * self.across > MAX_PLACES:
            self.down = self.across = 1
        self.open_cell = []

    def end_cell(self) -> None:
        if self.open_cell is None:
            return
        self.cells.append((self.row, self.column, self.down, self.across, "".join(self.open_cell)))
        self.covered |= {(self.row + y, self.column + x) for y in range(self.down) for x in range(self.across)}
        self.column += self.across
        self.open_cell = None


class _TableReader(HTMLParser):
    """Collects the tables of a text; what stands between them is passed over."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[_Building] = []
        self._done: list[Grid] = []

    def finished(self) -> list[Grid]:
        """All tables with a cell; those that were never closed end with the text."""
        while self._open:
            self._end_table()
        return self._done

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opens a table, row or cell; a line break is a space."""
        if tag == "table":
            self._open.append(_Building([], set()))
        elif self._open and tag == "tr":
            self._open[-1].start_row()
        elif self._open and tag in {"td", "th"}:
            self._open[-1].start_cell(dict(attrs))
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        """Closes what was opened."""
        if self._open and tag in {"td", "th", "tr"}:
            self._open[-1].end_cell()
        elif self._open and tag == "table":
            self._end_table()

    def handle_data(self, data: str) -> None:
        """Text goes to the innermost open cell."""
        if self._open and self._open[-1].open_cell is not None:
            self._open[-1].open_cell.append(data)

    def _end_table(self) -> None:
        table = self._open.pop()
        table.end_cell()
        if table.cells:
            self._done.append(grid_of_cells(table.cells))


def _span(value: str | None) -> int:
    return min(max(int(value), 1), MAX_SPAN) if value and value.strip().isdecimal() and len(value) < 10 else 1


def _pipe_tables(text: str) -> list[Grid]:
    tables: list[Grid] = []
    rows: list[list[str]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and token.level > 2 and rows:
            rows[-1].append(_plain(token))
        elif token.type == "table_close":
            tables.append(grid_of(rows))
            rows = []
    return tables


def _plain(token: Token) -> str:
    """The text of a cell: emphasis, links and tags fall away, a break is a space."""
    parts = []
    for child in token.children or ():
        if child.type in {"text", "code_inline", "image"}:
            parts.append(child.content)
        elif child.type in {"softbreak", "hardbreak"} or (child.type == "html_inline" and child.content.lower().startswith("<br")):
            parts.append(" ")
    return "".join(parts)
