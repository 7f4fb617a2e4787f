"""A table as HTML: header cells, spans, the marks of notes and emphasis in its cells, every text escaped."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from schemas.content import Link, Span
from schemas.document import FinishedCell, FinishedTable, NoteReference
from streams.assemble.render.inline_html import Marks, inline_html
from streams.assemble.render.table_cells import Place, rich_cells
from streams.assemble.text.wording import is_mostly_right_to_left

_Written = Mapping[Place, str]
"""Safe HTML of the cells that are more than their text."""


def has_spans(table: FinishedTable) -> bool:
    """Whether any cell is larger than one place."""
    return any(cell.row_span > 1 or cell.column_span > 1 for cell in table.cells)


def table_html(
    table: FinishedTable,
    identity: str = "",
    caption: str = "",
    notes: Sequence[NoteReference] = (),
    spans: Sequence[Span] = (),
    links: Sequence[Link] = (),
) -> str:
    """The table as `<table>`, on one line a row. `caption` is safe HTML; `notes`, `spans` and `links` are those of the table's block."""
    marks = Marks(identity)
    rich = dict(sorted(rich_cells(table, notes, spans, links).items()))  # marks of notes are counted as they are written
    written = {place: inline_html(cell.text, cell.links, cell.notes, cell.spans, marks) for place, cell in rich.items()}
    rows = _spanning_rows(table, written) if has_spans(table) else _plain_rows(table, written)
    mark = (f' id="{escape(identity)}"' if identity else "") + (' dir="rtl"' if is_mostly_right_to_left(map("".join, table.rows)) else "")
    lines = [f"<table{mark}>"]
    if caption:
        lines.append(f"<caption>{caption}</caption>")
    for number, cells in enumerate(rows):
        if number == 0:
            lines.append("<thead>" if table.header_rows else "<tbody>")
        elif number == table.header_rows:
            lines.append("</thead>\n<tbody>")
        lines.append(f"<tr>{cells}</tr>")
    if table.rows:
        lines.append("</thead>" if table.header_rows >= len(table.rows) else "</tbody>")
    lines.append("</table>")
    return "\n".join(lines)


def _plain_rows(table: FinishedTable, written: _Written) -> Iterable[str]:
    for number, row in enumerate(table.rows):
        start, end = _tags(number < table.header_rows)
        cells = [escape(text) for text in row] if not written else [written.get((number, c)) or escape(text) for c, text in enumerate(row)]
        yield start + f"{end}{start}".join(cells) + end if row else ""


def _tags(is_header: bool) -> tuple[str, str]:
    return ('<th scope="col">', "</th>") if is_header else ("<td>", "</td>")


def _spanning_rows(table: FinishedTable, written: _Written) -> Iterable[str]:
    """Rows in which a place covered by a span from above or from the left has no cell, and an empty place has an empty one."""
    by_row: dict[int, dict[int, FinishedCell]] = defaultdict(dict)
    for placed in table.cells:
        by_row[placed.row][placed.column] = placed
    covered_to = [0] * table.columns
    for number in range(len(table.rows)):
        is_header = number < table.header_rows
        start, end = _tags(is_header)
        parts = []
        column = 0
        while column < table.columns:
            if covered_to[column] > number:
                column += 1
                continue
            cell = by_row[number].get(column)
            if cell is None:
                parts.append(start + end)
                column += 1
                continue
            text = written.get((number, column)) or escape(cell.text)
            if cell.row_span == cell.column_span == 1:  # most cells: they cover nothing of the rows below
                parts.append(start + text + end)
                column += 1
                continue
            # A header cell may not reach into the body: HTML row groups end there.
            rows = min(cell.row_span, (table.header_rows if is_header else len(table.rows)) - number)
            columns = min(cell.column_span, table.columns - column)
            spans = (f' rowspan="{rows}"' if rows > 1 else "") + (f' colspan="{columns}"' if columns > 1 else "")
            parts.append(f"{start[:-1]}{spans}>{text}{end}")
            covered_to[column : column + columns] = [number + rows] * columns
            column += columns
        yield "".join(parts)
