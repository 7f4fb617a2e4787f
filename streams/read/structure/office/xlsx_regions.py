"""Tables on a sheet: a sheet is cut at empty rows and columns into regions, and each region is a table, a line of text, or lines.

Pure: cells in, blocks out. A line of one cell above a wider table is its caption. Header rows are those that a table of the workbook
declares, that stay in sight when one scrolls, or that alone are text or bold.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from schemas.content import Block, BlockType, Cell, Link, Table
from streams.read.structure.logical_page import UNPLACED
from streams.read.structure.office.xlsx_cells import Merged, SheetCell

Place = tuple[int, int]
MAX_CUTS = 16
"""Cuts inside each other: real sheets have two or three."""
MAX_HEADERS = 4
LONG_LINE = 60
"""Characters from which a column of cells is lines of text and no table."""
FEW_ROWS = 3
MAX_PLACES = 4_000_000
"""Of one region's rectangle: a column of a million rows beside a cell far away is no table."""


class Region(Struct, frozen=True):
    """A rectangle of a sheet, inclusive on both sides."""

    top: int
    left: int
    bottom: int
    right: int


class Declared(Struct, frozen=True):
    """A table that the workbook declares: where it begins, and its header rows."""

    top: int
    left: int
    header_rows: int


def blocks_of_sheet(
    cells: Mapping[Place, SheetCell], merged: Sequence[Merged], links: Mapping[Place, str], declared: Sequence[Declared], frozen_rows: int
) -> Iterator[Block]:
    """The blocks of a sheet, from top to bottom and left to right."""
    extents = {(area.top, area.left): area for area in merged if (area.top, area.left) in cells}
    for places in _regions(list(cells), extents, 0):
        yield from _blocks(places, cells, extents, links, declared, frozen_rows)


def _regions(places: list[Place], extents: Mapping[Place, Merged], depth: int) -> Iterator[list[Place]]:
    """Groups of cells between empty rows and columns, cut in turns until nothing can be cut."""
    by_rows = _cut(places, extents, 0)
    if len(by_rows) == 1 and depth:
        yield places
        return
    for band in by_rows:
        parts = _cut(band, extents, 1)
        for part in parts:
            if len(parts) == 1 or depth >= MAX_CUTS:
                yield part
            else:
                yield from _regions(part, extents, depth + 1)


def _cut(places: list[Place], extents: Mapping[Place, Merged], axis: int) -> list[list[Place]]:
    """The places in groups that an empty row (axis 0) or column (axis 1) sets apart."""
    groups: list[list[Place]] = []
    reach = -2
    for place in sorted(places, key=lambda one: (one[axis], one[1 - axis])):
        if place[axis] > reach + 1 or not groups:
            groups.append([])
        groups[-1].append(place)
        area = extents.get(place)
        end = place[axis] if area is None else (area.bottom, area.right)[axis]
        reach = max(reach, end)
    return groups


def _blocks(
    places: list[Place],
    cells: Mapping[Place, SheetCell],
    extents: Mapping[Place, Merged],
    links: Mapping[Place, str],
    declared: Sequence[Declared],
    frozen_rows: int,
) -> Iterator[Block]:
    places = sorted(places)
    rows = _rows_of(places)
    told = {(one.top, one.left): one.header_rows for one in declared}
    while len(rows) > 2 and len(rows[0]) == 1 and rows[0][0] not in told and _width(rows) > 1 and len(rows[1]) > 1:
        yield _line(BlockType.CAPTION, rows.pop(0)[0], cells, links)
    region = _bounds(rows)
    if region.left == region.right and _is_lines(rows, cells):
        for row in rows:
            yield _line(BlockType.PARAGRAPH, row[0], cells, links)
        return
    if (region.bottom - region.top + 1) * (region.right - region.left + 1) > MAX_PLACES:
        for row in rows:
            for place in row:
                yield _line(BlockType.PARAGRAPH, place, cells, links)
        return
    header_rows = told.get((region.top, region.left))
    if header_rows is None:
        header_rows = _guessed_headers(rows, cells, extents, frozen_rows - region.top)
    yield _table(rows, region, cells, extents, links, header_rows)


def _rows_of(places: Sequence[Place]) -> list[list[Place]]:
    rows: dict[int, list[Place]] = {}
    for place in places:
        rows.setdefault(place[0], []).append(place)
    return list(rows.values())


def _bounds(rows: Sequence[Sequence[Place]]) -> Region:
    columns = [place[1] for row in rows for place in row]
    return Region(rows[0][0][0], min(columns), rows[-1][0][0], max(columns))


def _width(rows: Sequence[Sequence[Place]]) -> int:
    region = _bounds(rows)
    return region.right - region.left + 1


def _is_lines(rows: Sequence[Sequence[Place]], cells: Mapping[Place, SheetCell]) -> bool:
    """Whether one column of cells is text: few lines, or a long one among them."""
    texts = [cells[row[0]] for row in rows]
    return len(texts) == 1 or (all(c.is_text for c in texts) and (len(texts) <= FEW_ROWS or any(len(c.text) > LONG_LINE for c in texts)))


def _line(kind: BlockType, place: Place, cells: Mapping[Place, SheetCell], links: Mapping[Place, str]) -> Block:
    text = cells[place].text
    linked = (Link(text=text, target=links[place]),) if place in links else ()
    return Block(type=kind, bbox=UNPLACED, text=text, links=linked)


def _guessed_headers(rows: Sequence[Sequence[Place]], cells: Mapping[Place, SheetCell], extents: Mapping[Place, Merged], frozen: int) -> int:
    if 0 < frozen <= MAX_HEADERS and frozen < len(rows):
        return frozen
    header_rows = 0
    for row in rows[:MAX_HEADERS]:
        spans = any(place in extents and extents[place].right > place[1] for place in row)
        if not _looks_like_header(row, rows[header_rows + 1 :], cells, under_spans=header_rows > 0):
            break
        header_rows += 1
        if not spans:
            break
    return header_rows if header_rows < len(rows) else 0


def _looks_like_header(row: Sequence[Place], below: Sequence[Sequence[Place]], cells: Mapping[Place, SheetCell], *, under_spans: bool) -> bool:
    """Whether a row names columns: all its cells are text, and something below is not, or is not bold where it is."""
    if not below or not all(cells[place].is_text for place in row) or (len(row) < 2 and not under_spans):
        return False
    columns = {place[1] for place in row}
    if all(cells[place].bold for place in row) and not all(cells[place].bold for place in below[0]):
        return True
    return any(not cells[place].is_text for line in below[:20] for place in line if place[1] in columns)


def _table(
    rows: Sequence[Sequence[Place]],
    region: Region,
    cells: Mapping[Place, SheetCell],
    extents: Mapping[Place, Merged],
    links: Mapping[Place, str],
    header_rows: int,
) -> Block:
    found: list[Cell] = []
    bottom, right = region.bottom, region.right
    for row in rows:
        for place in row:
            area = extents.get(place)
            row_span = min(area.bottom - area.top + 1, 1000) if area else 1
            column_span = min(area.right - area.left + 1, 1000) if area else 1
            bottom, right = max(bottom, place[0] + row_span - 1), max(right, place[1] + column_span - 1)
            found.append(
                Cell(row=place[0] - region.top, column=place[1] - region.left, text=cells[place].text, row_span=row_span, column_span=column_span)
            )
    table = Table(rows=bottom - region.top + 1, columns=right - region.left + 1, cells=tuple(found), header_rows=header_rows)
    linked = tuple(Link(text=cells[place].text, target=links[place]) for row in rows for place in row if place in links)
    return Block(type=BlockType.TABLE, bbox=UNPLACED, table=table, links=linked)
