"""Cells of a sheet (SpreadsheetML, ECMA-376 part 1, 18.3): what each shows, read as a stream.

Guarantees: memory is bounded whatever the sheet holds: rows, cells and characters beyond the bounds are counted and left out. Values are the stored
ones; no formula is computed. Works on local names, since strict and transitional files differ in namespaces only.
"""

from collections.abc import Iterator
from typing import IO

from lxml import etree
from msgspec import Struct, field

from schemas.errors import Code, PageloomError
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.markup.inline_text import lowered, raised
from streams.read.structure.office.number_formats import BUILT_IN, is_date, shown
from streams.read.structure.office.package import Element, number, qname

SHEET_ROWS = 1_048_576
"""Rows that a sheet can have (Office Open XML, SpreadsheetML); what names more is no workbook, and empty ones cost nothing to write."""
MAX_ROWS, MAX_COLUMNS = 20_000, 1_000
"""Of a page: longer sheets are pages of so many rows (see `xlsx_parts`); a sheet may have 1,048,576 rows."""
MAX_CELLS = 300_000
"""Of a page: as many as 3,000 printed pages hold."""
MAX_STRINGS, MAX_STRING_CHARACTERS = 2_000_000, 200_000_000
MAX_CELL_CHARACTERS = 32_767
"""Of one cell, by the specification."""
MAX_SHEET_BYTES = 512 * 2**20
"""Of a sheet's XML that are looked at; a full sheet of numbers has some 300 MiB."""
MAX_MERGED = 20_000
_PICTURE = "=DISPIMG("
"""What WPS Office stores as the value of a cell that shows a picture."""
NARROW_WIDTH, LOW_HEIGHT_PT = 4.0, 7.5
"""Characters and points up to which a column or row is there for space: half of what a sheet's usual ones have."""


class CellFormat(Struct, frozen=True):
    """How cells of one style are shown."""

    code: str = ""
    is_date: bool = False
    bold: bool = False


class SheetCell(Struct, frozen=True):
    """A cell that shows something. `is_text`: no number, date or truth value."""

    text: str
    is_text: bool
    bold: bool


class Merged(Struct, frozen=True):
    """A merged area, inclusive on both sides, counted from 0."""

    top: int
    left: int
    bottom: int
    right: int


class SheetData(Struct):
    """What a sheet holds. Places are (row, column) from 0. `frozen_rows`: kept in sight when one scrolls; `rows_left_out` are beyond the bounds.

    `cells_left_out` have no place within them, `lost_texts` refer to a shared string that is not there, `pictures` are cells that show one.
    `narrow_columns` and `low_rows` are too small to hold text, or hidden.
    """

    cells: dict[tuple[int, int], SheetCell]
    merged: list[Merged]
    hyperlinks: list[tuple[int, int, str]]
    frozen_rows: int = 0
    rows_left_out: int = 0
    hidden_rows: int = 0
    formulas_without_value: int = 0
    cells_left_out: int = 0
    lost_texts: int = 0
    pictures: int = 0
    narrow_columns: set[int] = field(default_factory=set)
    low_rows: set[int] = field(default_factory=set)


class Workbook(Struct, frozen=True):
    """What all sheets share."""

    strings: list[str]
    formats: list[CellFormat]
    from_1904: bool


def read_strings(stream: IO[bytes]) -> list[str]:
    """The table of shared strings (18.4), readings of Japanese text left out. Raises PageloomError (too_large)."""
    strings: list[str] = []
    characters = 0
    for element in _elements(stream, ("si",)):
        text = _rich_text(element)
        characters += len(text)
        if len(strings) >= MAX_STRINGS or characters > MAX_STRING_CHARACTERS:
            raise PageloomError(Code.TOO_LARGE, f"the workbook has more than {MAX_STRINGS} texts or {MAX_STRING_CHARACTERS} characters in them")
        strings.append(text)
    return strings


def read_formats(styles: Element | None) -> list[CellFormat]:
    """The formats of cells by their style's index (18.8)."""
    if styles is None:
        return []
    own = {number(e.get("numFmtId"), -1): e.get("formatCode", "") for e in styles.iterfind(f"{qname('s:numFmts')}/{qname('s:numFmt')}")}
    bold = [flag_of(font.find(qname("s:b"))) for font in styles.iterfind(f"{qname('s:fonts')}/{qname('s:font')}")]
    formats = []
    for style in styles.iterfind(f"{qname('s:cellXfs')}/{qname('s:xf')}"):
        identity, font = number(style.get("numFmtId")), number(style.get("fontId"))
        code = own.get(identity, BUILT_IN.get(identity, ""))
        formats.append(CellFormat(code, is_date(code), 0 <= font < len(bold) and bold[font]))
    return formats


def flag_of(element: Element | None) -> bool:
    """A switch of SpreadsheetML: its attribute has no namespace."""
    return element is not None and element.get("val", "1").lower() not in ("0", "false")


def read_sheet(stream: IO[bytes], workbook: Workbook, first: int = 0, end: int | None = None) -> SheetData:
    """The rows of a sheet from `first` up to and without `end`, by their place in the file, within the bounds.

    Raises lxml's XMLSyntaxError for damaged XML, PageloomError (too_large).
    """
    data = SheetData({}, [], [])
    next_row, place = 0, -1
    for element in _elements(stream, ("row", "mergeCell", "hyperlink", "pane", "col")):
        kind = _local(element)
        if kind == "row":
            row = number(element.get("r"), next_row + 1) - 1
            next_row, place = row + 1, place + 1
            if place >= SHEET_ROWS:
                data.rows_left_out += 1
                break
            if place < first or (end is not None and place >= end):
                continue
            if row < 0:
                data.cells_left_out += len(element)
            elif len(data.cells) < MAX_CELLS + MAX_COLUMNS:
                data.hidden_rows += (is_hidden := element.get("hidden", "0") in ("1", "true"))
                if is_hidden or _size(element, "ht") <= LOW_HEIGHT_PT:
                    data.low_rows.add(row)
                _read_row(element, row, data, workbook)
            else:
                data.rows_left_out += len(element) > 0
        elif kind == "mergeCell" and len(data.merged) < MAX_MERGED:
            data.merged += _areas(element.get("ref", ""))
        elif kind == "pane" and element.get("state") in ("frozen", "frozenSplit"):
            data.frozen_rows = max(number(element.get("ySplit")), 0)
        elif kind == "col" and (element.get("hidden", "0") in ("1", "true") or _size(element, "width") <= NARROW_WIDTH):
            first_column, last_column = number(element.get("min"), 1), number(element.get("max"), 0)
            data.narrow_columns.update(range(max(first_column - 1, 0), min(last_column, MAX_COLUMNS)))
        elif kind == "hyperlink" and (areas := _areas(element.get("ref", ""))):
            data.hyperlinks.append((areas[0].top, areas[0].left, element.get(qname("r:id"), "") or element.get("id", "")))
    return data


def _size(element: Element, name: str) -> float:
    """A size that an element gives; infinite where it gives none that is one."""
    try:
        return float(element.get(name, "inf"))
    except ValueError:
        return float("inf")


def _read_row(element: Element, row: int, data: SheetData, workbook: Workbook) -> None:
    column = -1
    for cell in element:
        reference = cell.get("r", "")
        column = column_of(reference) if reference else column + 1
        if not 0 <= column < MAX_COLUMNS:
            data.cells_left_out += len(cell) > 0
            continue
        found = _cell(cell, workbook)
        data.pictures += found is not None and found.text.startswith(_PICTURE)
        data.lost_texts += found is not None and not found.text and _is_lost(cell, workbook)
        if found is not None and found.text and not found.text.startswith(_PICTURE):
            data.cells[row, column] = found
        elif found is None:
            data.formulas_without_value += 1


def _cell(cell: Element, workbook: Workbook) -> SheetCell | None:
    """What a cell shows, `""` for nothing; None for a formula whose value was never stored."""
    kind = cell.get("t", "n")
    value, formula, inline = None, False, ""
    for child in cell:
        name = _local(child)
        if name == "v":
            value = child.text
        elif name == "f":
            formula = True
        elif name == "is":
            inline = _rich_text(child)
    style = number(cell.get("s"))
    form = workbook.formats[style] if 0 <= style < len(workbook.formats) else CellFormat()
    if kind == "inlineStr":
        return SheetCell(_clean(inline), True, form.bold)
    if value is None:
        return None if formula else SheetCell("", True, form.bold)
    if kind == "s":
        index = number(value, -1)
        return SheetCell(_clean(workbook.strings[index]) if 0 <= index < len(workbook.strings) else "", True, form.bold)
    if kind == "b":
        return SheetCell("TRUE" if value.strip() in ("1", "true") else "FALSE", False, form.bold)
    if kind in ("str", "e"):
        return SheetCell(_clean(value), True, form.bold)
    try:
        text = shown(float(value), form.code, from_1904=workbook.from_1904)
    except ValueError:
        text = value  # an ISO 8601 date, or what no program writes
    return SheetCell(_clean(text), False, form.bold)


def _is_lost(cell: Element, workbook: Workbook) -> bool:
    """Whether a cell refers to a shared string that the workbook does not have."""
    value = next((child.text for child in cell if _local(child) == "v"), None)
    return cell.get("t") == "s" and not 0 <= number(value, -1) < len(workbook.strings)


def _rich_text(element: Element) -> str:
    """The text of a string item: its runs, without what is read above them."""
    parts: list[str] = []
    for child in element:
        name = _local(child)
        if name == "t":
            parts.append(child.text or "")
        elif name == "r":
            script = next((_script_of(properties) for properties in child if _local(properties) == "rPr"), "")
            said = "".join(text.text or "" for text in child if _local(text) == "t")
            parts.append(raised(said) if script == "superscript" else lowered(said) if script == "subscript" else said)
    return "".join(parts)[:MAX_CELL_CHARACTERS]


def _script_of(properties: Element) -> str:
    """`superscript`, `subscript` or nothing: the height of a run (18.4.6)."""
    return next((str(one.get("val", "")) for one in properties if _local(one) == "vertAlign"), "")


def _local(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _clean(text: str) -> str:
    return collapse(clean_text(text))


def column_of(reference: str) -> int:
    """The column of a reference like `AB12`, from 0; -1 for none."""
    column = 0
    for letter in reference[:4]:
        if not "A" <= letter.upper() <= "Z":
            break
        column = column * 26 + ord(letter.upper()) - 64
    return column - 1


def row_of(reference: str) -> int:
    """The row of a reference like `AB12`, from 0; -1 for none."""
    return number(reference.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz$"), 0) - 1


def _areas(references: str) -> list[Merged]:
    """The area of a reference like `A1:C2`; nothing for one that makes no sense."""
    first, _, last = references.replace("$", "").partition(":")
    last = last or first
    area = Merged(row_of(first), column_of(first), row_of(last), column_of(last))
    return [area] if 0 <= area.top <= area.bottom and 0 <= area.left <= area.right else []


def _elements(stream: IO[bytes], names: tuple[str, ...]) -> Iterator[Element]:
    """The elements of these names as they end, each forgotten afterwards."""
    bounded = _Bounded(stream)
    tags = [f"{{*}}{name}" for name in names]
    for _, element in etree.iterparse(
        bounded, events=("end",), tag=tags, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
    ):
        yield element
        element.clear(keep_tail=False)
        while element.getprevious() is not None:
            del element.getparent()[0]


class _Bounded:
    """A stream that refuses to give more bytes than any honest sheet has."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._left = stream, MAX_SHEET_BYTES

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(min(size, 2**20) if size > 0 else 2**20)
        self._left -= len(data)
        if self._left < 0:
            raise PageloomError(Code.TOO_LARGE, f"a sheet or its texts unpack to more than {MAX_SHEET_BYTES} bytes")
        return data
