"""Tables of HTML as grids: spans placed as browsers place them, header rows told, tables that only lay out a page told from tables of data.

Pure functions of elements; what a cell says is asked of the caller. Method of placing: "forming a table" of the HTML standard (4.9.12). Every span
ends where its row group ends; the number of places is bounded.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from schemas.content import Cell, Table
from streams.read.structure.cell_text import CellText
from streams.read.structure.claims import CLAIMS, MAX_COLUMNS, has_room, without_claims
from streams.read.structure.markup.tree import Element, is_hidden, kind_of, name_of, plain_text, value_of

MAX_PLACES = 2_000_000
"""Places of one grid: what a sheet of 40,000 rows has; the rows beyond are left out."""
SHORT_CELL = 80
"""Characters up to which the cells of a table of one row may be data; longer ones are columns of a page."""

LONG_VALUE = 400
"""Characters up to which a cell with a table or heading in it may be a value among values."""

_ROW_GROUPS = ("thead", "tbody", "tfoot")
_STRUCTURE = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "nav", "header", "footer", "main", "article", "section", "form", "table"})
_VALUES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "table"})


class FoundTable(Struct, frozen=True):
    """A table, its caption element, and what was left out: rows, and cells of the rows that are kept."""

    table: Table
    caption: Element | None
    rows_left_out: int
    cells_left_out: int


class _Row(Struct, frozen=True):
    cells: list[Element]
    group_end: int
    is_head: bool


def is_layout(table: Element) -> bool:
    """Whether a table only arranges a page: it says so, has one column or one cell, or holds parts of a page and no sign of a table of data."""
    if {"presentation", "none"} & set(kind_of(table).split()):
        return True
    rows = _rows(table)
    cells = [cell for row in rows for cell in row.cells]
    if not cells:
        return True
    if any(name_of(cell) == "th" for cell in cells) or any(name_of(child) in ("caption", "thead") for child in table):
        return False
    if max(len(row.cells) for row in rows) == 1:
        return True
    if any(name_of(inner) in _STRUCTURE for cell in cells for inner in cell.iterdescendants()):
        return not _is_grid_of_values(rows, cells)
    return len(rows) == 1 and any(len(plain_text(cell).strip()) > SHORT_CELL for cell in cells)


def _is_grid_of_values(rows: list[_Row], cells: list[Element]) -> bool:
    """Whether the cells of a table are so even and so short that a table or heading in one of them is a value too, and no part of a page."""
    width = len(rows[0].cells)
    if len(rows) < 2 or any(len(row.cells) != width for row in rows):
        return False
    inside = [{name_of(inner) for inner in cell.iterdescendants()} & _STRUCTURE for cell in cells]
    if any(names - _VALUES for names in inside):
        return False
    lengths = [len(plain_text(cell).strip()) for cell in cells]
    is_short = all(length <= (LONG_VALUE if names else SHORT_CELL) for length, names in zip(lengths, inside, strict=True))
    return is_short and 2 * sum(map(bool, inside)) <= len(cells) and 2 * sum(map(bool, lengths)) > len(cells)


def cells_in_order(table: Element) -> Iterator[Element]:
    """The cells of a table, row by row."""
    for row in _rows(table):
        yield from row.cells


def read_table(table: Element, text_of: Callable[[Element], CellText]) -> FoundTable | None:
    """The grid of a table; None where it has no cell. `text_of` says what a cell holds and is called once for each, in order."""
    rows = _rows(table)
    cells: list[Cell] = []
    grid = _Places([], set())
    used_rows = left_out = 0
    for number, row in enumerate(rows):
        column = 0
        for done, element in enumerate(row.cells):
            column = grid.next_free(number, column)
            if not has_room(column, grid.begun):
                left_out += len(row.cells) - done
                break
            rest = row.group_end - number
            down = min(_span(element, "rowspan", rest), rest)
            across = grid.take(number, column, down, min(_span(element, "colspan", 1), MAX_COLUMNS))
            said = text_of(element)
            cells.append(Cell(row=number, column=column, text=said.text, row_span=down, column_span=across, spans=said.spans))
            column += across
        used_rows = number + 1
        if grid.is_too_long(used_rows):
            break
    if not cells:
        return None
    cells, dropped = _without_empty_head(cells, rows)
    columns = 1 + max(cell.column + cell.column_span - 1 for cell in cells)
    heads = max(0, _header_rows(rows, used_rows) - dropped)
    found = without_claims(Table(rows=used_rows - dropped, columns=columns, cells=tuple(cells), header_rows=heads))
    caption = next((child for child in table if name_of(child) == "caption"), None)
    return FoundTable(found, caption, len(rows) - used_rows, left_out)


class _Places(Struct, frozen=True):
    """What is taken of a grid. `free_from`: for every column, the first row in which it is free; `begun`: columns in which a cell begins."""

    free_from: list[int]
    begun: set[int]

    def next_free(self, row: int, column: int) -> int:
        """The first free column of a row from `column` on."""
        while column < len(self.free_from) and self.free_from[column] > row:
            column += 1
        return column

    def take(self, row: int, column: int, down: int, across: int) -> int:
        """Takes the places of a cell; gives the columns that it has, as one above keeps its places."""
        self.free_from.extend([0] * (column + across - len(self.free_from)))
        end = column + across
        if max(self.free_from[column:end]) > row:
            end = next(c for c in range(column, end) if self.free_from[c] > row)
        self.free_from[column:end] = [row + down] * (end - column)
        self.begun.add(column)
        return end - column

    def is_too_long(self, rows: int) -> bool:
        """Whether so many rows are all that a grid may have."""
        return rows * len(self.begun) > MAX_PLACES or rows * len(self.free_from) > MAX_PLACES * CLAIMS


def _rows(table: Element) -> list[_Row]:
    """The rows of a table that are shown, heads first and feet last, each with the number of the row at which its group ends."""
    groups: dict[str, list[list[Element]]] = {name: [] for name in _ROW_GROUPS}
    loose: list[Element] = []
    for child in table:
        tag = name_of(child)
        if tag == "tr":
            loose.append(child)
            continue
        if loose:
            groups["tbody"].append(loose)
            loose = []
        if tag in groups and not is_hidden(child):
            groups[tag].append([row for row in child if name_of(row) == "tr"])
    groups["tbody"] += [loose] if loose else []
    found: list[_Row] = []
    for name in _ROW_GROUPS:
        for group in groups[name]:
            shown = [[cell for cell in row if name_of(cell) in ("td", "th") and not is_hidden(cell)] for row in group if not is_hidden(row)]
            shown = [cells for cells in shown if cells]
            end = len(found) + len(shown)
            found += [_Row(cells, end, name == "thead") for cells in shown]
    return found


def _without_empty_head(cells: list[Cell], rows: list[_Row]) -> tuple[list[Cell], int]:
    """The cells without a first row of a head that says nothing, as Markdown has to write one; and how many rows that are."""
    first = [cell for cell in cells if cell.row == 0]
    if not rows[0].is_head or len(first) == len(cells) or any(cell.text or cell.row_span > 1 for cell in first):
        return cells, 0
    return [replace(cell, row=cell.row - 1) for cell in cells[len(first) :]], 1


def _header_rows(rows: list[_Row], used: int) -> int:
    """Rows of the head, else the first rows of nothing but header cells; of a table of header cells alone, the first. A later row that one of its
    cells spans out of is named by that cell, and names no columns.
    """
    if heads := sum(row.is_head for row in rows[:used]):
        return heads
    heads = next((number for number, row in enumerate(rows[:used]) if any(name_of(cell) != "th" for cell in row.cells)), used)
    if heads == used:
        return 1 if used > 1 else 0
    for number, row in enumerate(rows[1:heads], start=1):
        if any(number + _span(cell, "rowspan", used) > heads for cell in row.cells):
            return number
    return heads


def _span(cell: Element, attribute: str, whole: int) -> int:
    """A span, at least 1; 0 rows mean the rest of the group."""
    value = value_of(cell, attribute).strip()
    if not (value.isascii() and value.isdigit()):
        return 1
    number = int(value[:6])
    return number or (whole if attribute == "rowspan" else 1)
