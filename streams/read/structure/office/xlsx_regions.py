"""Tables on a sheet: a sheet is cut at empty rows and columns into regions, and each region is a table, a line of text, or lines.

Pure: cells in, blocks out. A line of one cell above a wider table is its caption. Header rows are those that a table of the workbook
declares, that stay in sight when one scrolls, or that alone are text or bold.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from schemas.content import Block, BlockType, Cell, Link, Table
from streams.read.structure.header_rows import MAX_LOOKED_AT, names_columns
from streams.read.structure.logical_page import UNPLACED
from streams.read.structure.office.xlsx_cells import Merged, SheetCell
from streams.read.structure.office.xlsx_gaps import NO_SPACING, Place, Spacing, regions

MAX_HEADERS = 4
MAX_SPAN = 999
"""Rows or columns that one cell reaches over besides its own."""
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
    cells: Mapping[Place, SheetCell],
    merged: Sequence[Merged],
    links: Mapping[Place, str],
    declared: Sequence[Declared],
    frozen_rows: int,
    spacing: Spacing = NO_SPACING,
) -> Iterator[Block]:
    """The blocks of a sheet, from top to bottom and left to right. `spacing`: its rows and columns that are too small to hold text."""
    extents = {(area.top, area.left): area for area in merged if (area.top, area.left) in cells}
    for places in regions(cells, extents, spacing):
        yield from _blocks(places, cells, extents, links, declared, frozen_rows)


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
    yield _table(rows, cells, extents, links, header_rows)


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
    for row, below in pairwise(rows[: MAX_HEADERS + 1]):
        spans = any(place in extents and extents[place].right > place[1] for place in row)
        if not _looks_like_header(row, rows[header_rows + 1 :], cells, under_spans=header_rows > 0):
            break
        header_rows += 1
        if not spans and {place[1] for place in below} <= {place[1] for place in row}:
            break
    return header_rows if 0 < header_rows < len(rows) else int(_names_columns(rows, cells))


def _names_columns(rows: Sequence[Sequence[Place]], cells: Mapping[Place, SheetCell]) -> bool:
    """Whether the first row of a region that is all text names its columns."""
    region = _bounds(rows)
    width = region.right - region.left + 1
    if len(rows[0]) < width - 1 or not all(cells[place].is_text for row in rows for place in row):
        return False
    lines = []
    for row in rows[:MAX_LOOKED_AT]:
        line = [""] * width
        for place in row:
            line[place[1] - region.left] = cells[place].text
        lines.append(line)
    return names_columns(lines)


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
    cells: Mapping[Place, SheetCell],
    extents: Mapping[Place, Merged],
    links: Mapping[Place, str],
    header_rows: int,
) -> Block:
    """The table of a region. Rows and columns that no cell reaches into are no part of it."""
    areas = {place: extents.get(place) or Merged(*place, *place) for row in rows for place in row}
    lines = _numbered((area.top, min(area.bottom, area.top + MAX_SPAN)) for area in areas.values())
    columns = _numbered((area.left, min(area.right, area.left + MAX_SPAN)) for area in areas.values())
    found = tuple(
        Cell(
            row=lines[area.top],
            column=columns[area.left],
            text=cells[place].text,
            row_span=lines[min(area.bottom, area.top + MAX_SPAN)] - lines[area.top] + 1,
            column_span=columns[min(area.right, area.left + MAX_SPAN)] - columns[area.left] + 1,
        )
        for place, area in areas.items()
    )
    linked = tuple(Link(text=cells[place].text, target=links[place]) for place in areas if place in links)
    table = Table(rows=max(lines.values()) + 1, columns=max(columns.values()) + 1, cells=found, header_rows=header_rows)
    return Block(type=BlockType.TABLE, bbox=UNPLACED, table=table, links=linked)


def _numbered(spans: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The lines that spans reach over, inclusive, numbered from 0 without gaps."""
    reached: set[int] = set()
    for first, last in set(spans):
        reached.update(range(first, last + 1))
    return {line: number for number, line in enumerate(sorted(reached))}
