"""Separated values (CSV, TSV and their kin) as a table: the delimiter found, quotes undone, a header told.

Guarantees: a bounded number of cells; what is beyond is counted and said. Raises PageloomError: TOO_LARGE.
"""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from schemas.content import Block, BlockType
from schemas.errors import Code, PageloomError
from streams.read.normalise import clean_text, collapse
from streams.read.structure.logical_page import UNPLACED, LogicalDocument
from streams.read.structure.paging import logical_pages
from streams.read.structure.text.encodings import Decoded, decode_text
from streams.read.structure.text.text_tables import MAX_COLUMNS, table_from_rows

MAX_CHARACTERS = 256_000_000
MAX_CELLS = 400_000
"""Of the table: as many as 10,000 printed pages hold. Data beyond is for a database and not for a document."""
SAMPLED_LINES = 50
MIN_LINES = 5
"""Lines that must agree before a file that does not say so is taken for separated values."""
LONGEST_VALUE = 40
"""Characters of such a file's values on average: prose has commas too."""
MIN_AGREEMENT = 0.6
"""Share of lines with the same number of fields: exports have titles above and notes below."""
DELIMITERS = "\t;,|"
"""The first of equal ones counts."""

Rows = list[list[str]]


def read(path: Path) -> LogicalDocument:
    """A file that is said to be CSV or TSV. Raises PageloomError: TOO_LARGE."""
    return read_separated(decode_text(path.read_bytes()))


def read_separated(decoded: Decoded) -> LogicalDocument:
    """The table of a text of separated values; text that has no columns is kept line by line."""
    if len(decoded.text) > MAX_CHARACTERS:
        raise PageloomError(Code.TOO_LARGE, f"a table of {len(decoded.text)} characters; at most {MAX_CHARACTERS} are read")
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    rows = rows_of(text, is_sure=True)
    blocks, more = table_blocks(rows if rows is not None else [[line] for line in text.split("\n")])
    pages = logical_pages(blocks, confidence=decoded.confidence, reasons=decoded.reasons, warnings=(*decoded.warnings, *more))
    return LogicalDocument(pages=tuple(pages))


def rows_of(text: str, *, is_sure: bool) -> Rows | None:
    """The rows of separated values, blank ones left out; None where no delimiter fits. `is_sure`: the file is said to be such."""
    sample = [line for line in text[:200_000].split("\n", SAMPLED_LINES + 1)[:SAMPLED_LINES] if line.strip()]
    if not is_sure and (len(sample) < MIN_LINES or any(line[:1].isspace() for line in sample)):
        return None
    delimiter = _delimiter_of(sample, is_sure=is_sure)
    if delimiter is None:
        return None
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True) if any(field.strip() for field in row)]
    except csv.Error:  # a field of more than 128 kB, or a stray quote: split without quotes
        rows = [line.split(delimiter) for line in text.split("\n") if line.strip()]
    if not is_sure and len({len(row) for row in rows}) > 1:
        return None
    return rows


def _delimiter_of(sample: Sequence[str], *, is_sure: bool) -> str | None:
    """The delimiter that fits best; quotes inside of fields, which only some programs write, are allowed where else none fits."""
    for strict in (True, False):
        fits = {sign: _fit(sample, sign, is_sure=is_sure, strict=strict) for sign in DELIMITERS}
        best = max(DELIMITERS, key=lambda sign: fits[sign])
        if fits[best] > (0.0, 0):
            return best
    return None


def _fit(sample: Sequence[str], delimiter: str, *, is_sure: bool, strict: bool) -> tuple[float, int]:
    """(share of sampled lines with the same number of fields, that number); zeros where a delimiter does not fit.

    All lines must agree where the file does not say that it is such; prose, whose commas and semicolons are followed by spaces, never does.
    """
    try:
        rows = [row for row in csv.reader(sample, delimiter=delimiter, skipinitialspace=True, strict=strict) if row]
    except csv.Error:
        return 0.0, 0
    counts = [len(row) for row in rows]
    usual = max(set(counts), key=counts.count, default=0)
    agree = counts.count(usual) / max(1, len(counts))
    if not 1 < usual <= MAX_COLUMNS or agree < MIN_AGREEMENT:
        return 0.0, 0
    if not is_sure:
        text = "\n".join(sample)
        short = sum(len(field) for row in rows for field in row) <= LONGEST_VALUE * sum(counts)
        spaced = 2 * text.count(f"{delimiter} ") > text.count(delimiter)
        if agree < 1.0 or not short or spaced or (usual == 2 and delimiter != "\t"):
            return 0.0, 0
    return agree, usual


def table_blocks(rows: Rows) -> tuple[list[Block], tuple[str, ...]]:
    """The rows as one table, and a warning about what was left out."""
    kept, cells = len(rows), 0
    for number, row in enumerate(rows):
        cells += len(row)
        if cells > MAX_CELLS or len(row) > MAX_COLUMNS:
            kept = number
            break
    warnings = (f"kept are {kept} of the table's {len(rows)} rows; split the file to have the rest",) if kept < len(rows) else ()
    table = table_from_rows(rows[:kept])
    if table is None:
        texts = (collapse(clean_text(" ".join(row))) for row in rows[:kept])
        return [Block(type=BlockType.PARAGRAPH, bbox=UNPLACED, text=text) for text in texts if text], warnings
    return [Block(type=BlockType.TABLE, bbox=UNPLACED, table=table)], warnings
