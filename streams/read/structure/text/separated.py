"""Separated values (CSV, TSV and their kin) as a table: the delimiter found, quotes undone, a header told.

Guarantees: a bounded number of cells a page, as many pages as the rows need; what is left out is counted and said. Raises PageloomError: TOO_LARGE.
"""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from schemas.content import Block, BlockType
from schemas.errors import Code, PageloomError
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.header_rows import MAX_LOOKED_AT, names_columns
from streams.read.structure.logical_page import UNPLACED, LogicalDocument, LogicalPage
from streams.read.structure.paging import logical_pages
from streams.read.structure.text.encodings import Decoded, decode_text
from streams.read.structure.text.text_tables import MAX_COLUMNS, table_from_rows

MAX_CHARACTERS = 256_000_000
MAX_CELLS = 400_000
"""Of a page: as many as 4,000 printed pages hold."""
SAMPLED_LINES = 50
MIN_LINES = 5
"""Lines that must agree before a file that does not say so is taken for separated values."""
LONGEST_VALUE = 40
"""Characters of such a file's values on average: prose has commas too."""
MIN_AGREEMENT = 0.6
"""Share of lines with the same number of fields: exports have titles above and notes below."""
MIN_RAGGED = 0.5
"""Share of lines with the delimiter in a file that is said to be separated values and whose rows have different lengths."""
DELIMITERS = "\t;,|"
"""The first of equal ones counts."""

_HINT = re.compile(r"\A\ufeff?\"?sep=(.)\"?[ \t]*(?:\n|\Z)", re.IGNORECASE)
"""The first line by which Excel is told the delimiter."""
_COMMENTS = re.compile(r"\A(?:[ \t]*\n|[ \t]*#[^\n]*(?:\n|\Z))+")

Rows = list[list[str]]


def read(path: Path) -> LogicalDocument:
    """A file that is said to be CSV or TSV. Raises PageloomError: TOO_LARGE."""
    return read_separated(decode_text(path.read_bytes()))


def read_separated(decoded: Decoded) -> LogicalDocument:
    """The table of a text of separated values; text that has no columns is kept line by line."""
    if len(decoded.text) > MAX_CHARACTERS:
        raise PageloomError(Code.TOO_LARGE, f"a table of {len(decoded.text)} characters; at most {MAX_CHARACTERS} are read")
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    hint = _HINT.match(text)
    text = text[hint.end() :] if hint else text
    notes, values = _without_comments(text)
    rows = rows_of(values, is_sure=True, delimiter=hint[1] if hint else None)
    if rows is None:
        parts, more = table_pages([[line] for line in text.split("\n")])
    else:
        notes += _taken_titles(rows)
        parts, more = table_pages(rows, is_sure=True)
        parts[0] = [*_paragraphs(notes), *parts[0]]
    pages: list[LogicalPage] = []
    for blocks in parts:
        warnings = () if pages else (*decoded.warnings, *more)
        pages += logical_pages(blocks, confidence=decoded.confidence, reasons=decoded.reasons, warnings=warnings)
    return LogicalDocument(pages=tuple(pages))


def _without_comments(text: str) -> tuple[list[str], str]:
    """(lines of `#` above the table, the rest). One that has as many fields as the line below it is the header."""
    found = _COMMENTS.match(text)
    if found is None:
        return [], text
    lines, rest = found[0].rstrip("\n").split("\n"), text[found.end() :]
    below = rest.partition("\n")[0]
    if any(sign in below and lines[-1].count(sign) == below.count(sign) for sign in DELIMITERS):
        rest = f"{lines.pop().lstrip(' #')}\n{rest}"
    return lines, rest


def _taken_titles(rows: Rows) -> list[str]:
    """Takes the lines above the header, which fill one field of several, out of the rows."""
    columns = max((len(row) for row in rows), default=0)
    titles = 0
    while titles < len(rows) - 1 and _is_title(rows[titles], columns):
        titles += 1
    taken = [" ".join(row) for row in rows[:titles]] if titles < len(rows) - 1 else []
    del rows[: len(taken)]
    return taken


def _is_title(row: Sequence[str], columns: int) -> bool:
    """Whether a row says something in its first field alone; with two columns, it must have no other one."""
    return bool(row[0].strip()) and not any(field.strip() for field in row[1:]) and (columns > 2 or len(row) < columns)


def _paragraphs(lines: Sequence[str]) -> list[Block]:
    texts = (collapse(clean_text(line)) for line in lines)
    return [Block(type=BlockType.PARAGRAPH, bbox=UNPLACED, text=text) for text in texts if text]


def rows_of(text: str, *, is_sure: bool, delimiter: str | None = None) -> Rows | None:
    """The rows of separated values, blank ones left out; None where no delimiter fits. `is_sure`: the file is said to be such."""
    sample = [line for line in text[:200_000].split("\n", SAMPLED_LINES + 1)[:SAMPLED_LINES] if line.strip()]
    if not is_sure and (len(sample) < MIN_LINES or any(line[:1].isspace() for line in sample)):
        return None
    delimiter = delimiter or _delimiter_of(sample, is_sure=is_sure) or (_delimiter_of_ragged(sample) if is_sure else None)
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


def _delimiter_of_ragged(sample: Sequence[str]) -> str | None:
    """The delimiter that most lines have where no two lines agree; a comma before a space is one of a sentence."""

    def lines_with(sign: str) -> int:
        bare = sum(sign in line for line in sample)
        text = "\n".join(sample)
        is_prose = 2 * text.count(f"{sign} ") > text.count(sign)
        too_wide = any(line.count(sign) >= MAX_COLUMNS for line in sample)
        return 0 if is_prose or too_wide else bare

    best = max(DELIMITERS, key=lines_with)
    return best if lines_with(best) > MIN_RAGGED * len(sample) else None


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


def table_pages(rows: Rows, *, is_sure: bool = False) -> tuple[list[list[Block]], tuple[str, ...]]:
    """The rows as one table a page, pages of at most `MAX_CELLS` cells, and a warning about columns that were left out. `is_sure`: see `rows_of`."""
    wide = sum(len(row) > MAX_COLUMNS for row in rows)
    warnings = (f"cells beyond column {MAX_COLUMNS} are left out in {wide} rows",) if wide else ()
    pages: list[Rows] = [[]]
    cells = 0
    for row in rows:
        cells += min(len(row), MAX_COLUMNS)
        if cells > MAX_CELLS and pages[-1]:
            pages.append([])
            cells = min(len(row), MAX_COLUMNS)
        pages[-1].append(row[:MAX_COLUMNS])
    return [_table_blocks(page, is_first=number == 0, is_sure=is_sure) for number, page in enumerate(pages)], warnings


def _table_blocks(rows: Rows, *, is_first: bool, is_sure: bool) -> list[Block]:
    """One page of a table; the header stands on the first alone. Where it `is_sure` that this is a table, words alone may make one."""
    table = table_from_rows(rows)
    if table is not None and is_sure and is_first and not table.header_rows and names_columns(_filled(rows[:MAX_LOOKED_AT], table.columns)):
        table = replace(table, header_rows=1)
    if table is None:
        return _paragraphs([" ".join(row) for row in rows])
    return [Block(type=BlockType.TABLE, bbox=UNPLACED, table=table if is_first else replace(table, header_rows=0))]


def _filled(rows: Rows, columns: int) -> Rows:
    """The rows with as many fields each."""
    return [[*map(str.strip, row), *[""] * (columns - len(row))] for row in rows]
