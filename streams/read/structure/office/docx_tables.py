"""Tables of text documents (ECMA-376 part 1, 17.4): rows and cells on their grid, each spanning cell once.

Guarantees: what `gridSpan`, `vMerge` and `gridBefore` say is bounded by the table's own size; deleted rows are out; a cell that
continues one above adds its text, if it has any, to that one.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from schemas.content import Cell, Table
from streams.read.structure.cell_text import CellText, joined_text
from streams.read.structure.claims import MAX_COLUMNS, has_room, without_claims
from streams.read.structure.header_rows import MAX_LOOKED_AT, names_columns
from streams.read.structure.office.package import Element, flag, number, qname

MAX_ROWS = 20_000
"""Of one table: a printed page has some sixty."""
MAX_CELLS = 400_000

_ROW, _CELL, _CONTENT = qname("w:tr"), qname("w:tc"), qname("w:sdtContent")
_WRAPPERS = frozenset(qname(f"w:{name}") for name in ("sdt", "customXml", "ins", "moveTo"))
_CELL_PROPERTIES, _ROW_PROPERTIES = qname("w:tcPr"), qname("w:trPr")
_TABLE_LOOK = f"{qname('w:tblPr')}/{qname('w:tblLook')}"
_TABLE_STYLE = f"{qname('w:tblPr')}/{qname('w:tblStyle')}"


class _Placed(Struct):
    """A cell on the grid while it may still grow downwards."""

    row: int
    column: int
    column_span: int
    texts: list[CellText]
    row_span: int = 1


class ReadTable(Struct, frozen=True):
    """A table, and what was left out: rows, and cells of the rows that are kept."""

    table: Table
    rows_left_out: int = 0
    cells_left_out: int = 0


def read_table(element: Element, cell_text: Callable[[Element], CellText], *, styled_header: bool) -> ReadTable | None:
    """A `w:tbl`; None for one without cells. `cell_text` gives a cell's text; `styled_header`: the table's style sets its first row apart."""
    rows = list(children(element, _ROW))
    cells: list[_Placed] = []
    open_cells: dict[int, _Placed] = {}
    begun: set[int] = set()
    count = left_out = 0
    for count, row in enumerate(rows):
        if count >= MAX_ROWS or len(cells) >= MAX_CELLS:
            break
        placed, more = _placed_row(row, count, open_cells, begun, cell_text)
        cells += placed
        left_out += more
    else:
        count = len(rows)
    if not cells:
        return None
    has_look = _first_row_look(element)
    columns = max(cell.column + cell.column_span for cell in cells)
    table = without_claims(Table(rows=count, columns=columns, cells=tuple(map(_finished, cells))))
    header_rows = _header_rows(rows[:count], has_look and styled_header) or int(has_look and _is_named(table.cells, table.columns))
    return ReadTable(replace(table, header_rows=header_rows), len(rows) - count, left_out)


def _is_named(cells: Sequence[Cell], columns: int) -> bool:
    """Whether the texts of the first row name the columns of a table that sets it apart by nothing."""
    rows: dict[int, list[str]] = {}
    for cell in cells:
        if cell.row >= MAX_LOOKED_AT or cell.row_span > 1 or cell.column_span > 1:
            continue
        rows.setdefault(cell.row, [""] * columns)[cell.column] = cell.text
    return 0 in rows and names_columns([rows[row] for row in sorted(rows)])


def _finished(cell: _Placed) -> Cell:
    said = joined_text(cell.texts, "\n")
    return Cell(row=cell.row, column=cell.column, text=said.text, row_span=cell.row_span, column_span=cell.column_span, spans=said.spans)


def only_cell(element: Element) -> Element | None:
    """The cell of a table that has no other: a frame around text, not a table."""
    found: Element | None = None
    for row in children(element, _ROW):
        for cell in children(row, _CELL):
            if found is not None:
                return None
            found = cell
    return found


def table_style(element: Element) -> str:
    """The id of a table's style; empty where it has none."""
    style = element.find(_TABLE_STYLE)
    return style.get(qname("w:val"), "") if style is not None else ""


def children(element: Element, tag: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, also inside content controls and insertions; deleted rows and cells are out."""
    for child in element:
        if child.tag == tag:
            if not _is_deleted(child):
                yield child
        elif child.tag in _WRAPPERS or child.tag == _CONTENT:
            yield from children(child, tag)


def _is_deleted(element: Element) -> bool:
    row, cell = element.find(_ROW_PROPERTIES), element.find(_CELL_PROPERTIES)
    return (row is not None and row.find(qname("w:del")) is not None) or (cell is not None and cell.find(qname("w:cellDel")) is not None)


def _placed_row(
    row: Element, index: int, open_cells: dict[int, _Placed], begun: set[int], cell_text: Callable[[Element], CellText]
) -> tuple[list[_Placed], int]:
    """The cells that begin in a row, and how many have no place. `open_cells`: by column, cells of the rows above that may go on; `begun`: columns
    in which a cell begins.
    """
    column = min(max(_value(row.find(_ROW_PROPERTIES), "w:gridBefore", 0), 0), MAX_COLUMNS)
    placed: list[_Placed] = []
    still_open: dict[int, _Placed] = {}
    row_cells = list(children(row, _CELL))
    left_out = 0
    for done, cell in enumerate(row_cells):
        if not has_room(column, begun):
            left_out = len(row_cells) - done
            break
        properties = cell.find(_CELL_PROPERTIES)
        span = min(max(_value(properties, "w:gridSpan", 1), 1), MAX_COLUMNS)
        merge = properties.find(qname("w:vMerge")) if properties is not None else None
        goes_on = merge is not None and merge.get(qname("w:val"), "continue") != "restart"
        above = open_cells.get(column)
        if goes_on and above is not None and above.row + above.row_span == index:
            above.row_span += 1
            above.texts.append(cell_text(cell))
            still_open[column] = above
            span = max(span, above.column_span)  # files forget the width of what only continues
        elif placed and _continues_left(properties):
            placed[-1].column_span += span
            placed[-1].texts.append(cell_text(cell))
        else:
            one = _Placed(index, column, span, [cell_text(cell)])
            placed.append(one)
            begun.add(column)
            if merge is not None:
                still_open[column] = one
        column += span
    open_cells.clear()
    open_cells.update(still_open)
    return placed, left_out


def _continues_left(properties: Element | None) -> bool:
    """Whether a cell is the rest of the one before it, as old programs say it (`hMerge`)."""
    merge = properties.find(qname("w:hMerge")) if properties is not None else None
    return merge is not None and merge.get(qname("w:val"), "continue") != "restart"


def _value(properties: Element | None, name: str, default: int) -> int:
    found = properties.find(qname(name)) if properties is not None else None
    return number(found.get(qname("w:val")), default) if found is not None else default


def _first_row_look(element: Element) -> bool:
    """Whether the table shows its style's first row (17.4.56): an attribute, or a bit of the old number."""
    look = element.find(_TABLE_LOOK)
    if look is None:
        return False
    told = look.get(qname("w:firstRow"))
    if told is not None:
        return told.lower() not in ("0", "false", "off")
    try:
        return bool(int(look.get(qname("w:val"), "0"), 16) & 0x20)
    except ValueError:
        return False


def _header_rows(rows: list[Element], styled_header: bool) -> int:
    """Rows that repeat on every page; where none do, the first one if the style or its letters set it apart."""
    repeated = 0
    for row in rows:
        properties = row.find(_ROW_PROPERTIES)
        if properties is None or not flag(properties.find(qname("w:tblHeader"))):
            break
        repeated += 1
    if repeated and repeated < len(rows):
        return repeated
    apart = len(rows) > 1 and (styled_header or (_is_bold(rows[0]) and not _is_bold(rows[1])))
    return 1 if apart else 0


def _is_bold(row: Element) -> bool:
    """Whether all text of a row is bold by its own formatting."""
    seen = False
    for run in row.iter(qname("w:r")):
        if any((text.text or "").strip() for text in run.iterchildren(qname("w:t"))):
            seen = True
            properties = run.find(qname("w:rPr"))
            if properties is None or not flag(properties.find(qname("w:b"))):
                return False
    return seen
