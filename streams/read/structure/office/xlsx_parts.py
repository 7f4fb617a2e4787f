"""Long sheets in parts: a part is what one logical page holds, so that nothing of a long sheet is lost.

Guarantees: one look over the bytes of a sheet, nothing kept but counts. Rows that show nothing count for nothing: formats of empty cells often reach
down to the last row that there can be. What is counted here is only where to cut; what a page reads is bounded by itself (`xlsx_cells`).
"""

import re
from collections.abc import Iterator
from typing import IO

from msgspec import Struct

from streams.read.structure.office import xlsx_cells

MAX_PARTS = 200
"""Pages of one sheet: 53 hold the most rows that a sheet can have, if they have up to 15 cells each."""
CHUNK_BYTES = 2**20
LONGEST_TAG = 64
"""Bytes of a tag's name with its prefix, which the end of a chunk may cut."""

_TAG = re.compile(rb"<(?:[A-Za-z_][\w.-]{0,40}:)?(row|v|is)(?=[\s>/])")


class Part(Struct, frozen=True):
    """Rows of a sheet by their place in the file: from `first` on, up to and without `end`; None is the end of the sheet. `number` counts from 1."""

    number: int
    first: int
    end: int | None


def parts_of(stream: IO[bytes]) -> list[Part]:
    """The parts of a sheet, one at the least; one more than `MAX_PARTS` where there would be more. Bytes beyond the bound of a sheet are left to its
    reader, which refuses them.
    """
    starts, row = [0], -1
    rows = cells = 0
    filled = False
    for name in _tags(stream):
        if name == b"row":
            row, filled = row + 1, False
            if row >= xlsx_cells.SHEET_ROWS:
                break
            continue
        cells += 1
        if not filled:
            filled, rows = True, rows + 1
            if rows > xlsx_cells.MAX_ROWS or cells > xlsx_cells.MAX_CELLS:
                starts.append(row)
                rows, cells = 1, 1
                if len(starts) > MAX_PARTS:
                    break
    return [Part(number, first, end) for number, (first, end) in enumerate(zip(starts, [*starts[1:], None], strict=True), start=1)]


def _tags(stream: IO[bytes]) -> Iterator[bytes]:
    """The names of the tags of rows and values, in order."""
    rest, left = b"", xlsx_cells.MAX_SHEET_BYTES
    while left > 0 and (data := stream.read(CHUNK_BYTES)):
        left -= len(data)
        data = rest + data
        cut = data.rfind(b"<", max(0, len(data) - LONGEST_TAG))
        data, rest = (data[:cut], data[cut:]) if cut >= 0 else (data, b"")
        for found in _TAG.finditer(data):
            yield found[1]
    for found in _TAG.finditer(rest):
        yield found[1]
