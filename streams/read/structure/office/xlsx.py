"""Reads a workbook (SpreadsheetML, ECMA-376 part 1, chapter 18): a sheet is a logical page, a long one several; its regions are tables.

Guarantees: cells are shown as the workbook formats them; formulas are their stored values; hidden sheets are kept, with a warning; a sheet beyond the
bounds ends in a page that fails, so that its document is never taken for whole. Charts are tables of their data, behind the cells.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from schemas.content import Block, BlockType
from schemas.errors import Code, PageloomError
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.logical_page import UNPLACED, LogicalDocument, LogicalPage, PagesOnDemand, Picture
from streams.read.structure.office.captions import bound
from streams.read.structure.office.charts import chart_blocks
from streams.read.structure.office.floats import DrawingReader, alternative_text, chosen
from streams.read.structure.office.hyperlinks import is_kept
from streams.read.structure.office.package import PART_ERRORS, Element, Package, damaged, number, qname
from streams.read.structure.office.pptx_text import blocks_of
from streams.read.structure.office.properties import core_properties
from streams.read.structure.office.xlsx_cells import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    SheetData,
    Workbook,
    column_of,
    read_formats,
    read_sheet,
    read_strings,
    row_of,
)
from streams.read.structure.office.xlsx_gaps import Place, Spacing
from streams.read.structure.office.xlsx_parts import MAX_PARTS, Part, parts_of
from streams.read.structure.office.xlsx_regions import Declared, blocks_of_sheet
from streams.read.structure.office.xlsx_remarks import remarks

MAX_SHEETS = 1_000
MAX_PICTURES = 200
MAX_CHARTS = 100
"""Of one sheet."""
_NO_NAME = re.compile(r"(?:sheet|tabelle|feuil|hoja|foglio|planilha|blad|ark|arkusz|лист|工作表)\s*\d+", re.IGNORECASE)
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"


class _Sheet(Struct, frozen=True):
    """A sheet as the workbook names it."""

    name: str
    part: str
    kind: str
    hidden: bool


def read(path: Path) -> LogicalDocument:
    """Reads a `.xlsx`, `.xlsm` or `.xltx` file. Raises PageloomError (too_large) and what parsing a damaged file raises."""
    package = Package(path)  # stays open with the document: sheets are read when they are asked for
    main = package.main_part()
    root = package.xml(main)
    if root is None:
        raise ValueError("no workbook")
    sheets = _sheets(package, main, root)
    shared = cache(lambda: _shared(package, main, root))
    named = len(sheets) > 1 or any(not _NO_NAME.fullmatch(sheet.name) for sheet in sheets)
    cut = (f"the workbook has {len(sheets)} sheets; read are {MAX_SHEETS}",) if len(sheets) > MAX_SHEETS else ()
    parts = [(sheet, part) for sheet in sheets[:MAX_SHEETS] for part in _parts(package, sheet)]
    pages = PagesOnDemand(len(parts), lambda index: _page(package, main, *parts[index], shared, named=named))
    return LogicalDocument(pages=pages, metadata=core_properties(package), warnings=(*package.warnings, *cut))


def _sheets(package: Package, main: str, root: Element) -> list[_Sheet]:
    relationships = package.relationships(main)
    found = []
    for entry in root.iterfind(f"{qname('s:sheets')}/{qname('s:sheet')}"):
        relationship = relationships.get(entry.get(qname("r:id"), ""))
        if relationship is not None and not relationship.external:
            name = collapse(clean_text(entry.get("name", "")))[:200]
            found.append(_Sheet(name, relationship.target, relationship.kind, entry.get("state", "visible") != "visible"))
    return found


def _shared(package: Package, main: str, root: Element) -> Workbook:
    part = next(package.related(main, "sharedStrings"), "")
    stream = package.opened(part) if part else None
    strings: list[str] = []
    if stream is not None:
        try:
            with stream:
                strings = read_strings(stream)
        except PART_ERRORS as error:
            raise damaged(part, error) from error
    properties = root.find(qname("s:workbookPr"))
    from_1904 = properties is not None and properties.get("date1904", "0").lower() in ("1", "true")
    styles = next((root for name in package.related(main, "styles") if (root := package.xml(name)) is not None), None)
    return Workbook(strings, read_formats(styles), from_1904)


def _parts(package: Package, sheet: _Sheet) -> list[Part]:
    """The parts of a sheet, each a page."""
    stream = package.opened(sheet.part) if sheet.kind == "worksheet" else None
    if stream is None:
        return [Part(1, 0, None)]
    try:
        with stream:
            return parts_of(stream)
    except PART_ERRORS:
        return [Part(1, 0, None)]  # whoever reads it says what is wrong with it


def _page(package: Package, main: str, sheet: _Sheet, part: Part, shared: Callable[[], Workbook], *, named: bool) -> LogicalPage:
    if part.number > MAX_PARTS:
        raise PageloomError(Code.TOO_LARGE, f"the sheet {sheet.name} goes on beyond {MAX_PARTS} pages of {MAX_ROWS} rows; split it to have the rest")
    warnings = [f"the sheet {sheet.name} is hidden"] if sheet.hidden else []
    heading = [Block(type=BlockType.HEADING, bbox=UNPLACED, text=sheet.name, level=1)] if named and sheet.name else []
    stream = package.opened(sheet.part) if sheet.kind == "worksheet" else None
    if stream is None:
        return _page_of(heading, *_drawings(package, sheet.part, warnings), warnings, f"the sheet {sheet.name} (a {sheet.kind[:40]}) holds no cells")
    try:
        with stream:
            data = read_sheet(stream, shared(), part.first, part.end)
    except PART_ERRORS as error:
        raise damaged(sheet.part, error) from error
    warnings += _warnings_of(data, sheet.name)
    links, declared = _links(package, sheet.part, data), _declared(package, sheet.part)
    spacing = Spacing(frozenset(data.low_rows), frozenset(data.narrow_columns))
    if part.number > 1:
        blocks = list(blocks_of_sheet(data.cells, data.merged, links, declared, 0, spacing))
        return LogicalPage(blocks=tuple(bound(blocks)), warnings=(f"the sheet {sheet.name} goes on: part {part.number}", *dict.fromkeys(warnings)))
    blocks = [*blocks_of_sheet(data.cells, data.merged, links, declared, data.frozen_rows, spacing), *remarks(package, sheet.part, main, warnings)]
    drawn, pictures = _drawings(package, sheet.part, warnings)
    return _page_of([*heading, *blocks] if blocks or drawn else [], drawn, pictures, warnings)


def _page_of(blocks: list[Block], drawn: list[Block], pictures: list[Picture], warnings: list[str], empty: str = "") -> LogicalPage:
    """The page of a sheet: its blocks, then what is drawn over it, with its pictures. `empty`: the warning where nothing is drawn."""
    if not drawn and empty:
        return LogicalPage(blocks=(), warnings=tuple(dict.fromkeys((*warnings, empty))))
    shifted = tuple(Picture(block=one.block + len(blocks), data=one.data, media_type=one.media_type) for one in pictures)
    return LogicalPage(blocks=tuple(bound((*blocks, *drawn))), pictures=shifted, warnings=tuple(dict.fromkeys(warnings)))


def _warnings_of(data: SheetData, name: str) -> list[str]:
    warnings = []
    if data.rows_left_out:
        kept = len({row for row, _ in data.cells})
        warnings.append(
            f"the sheet {name} is too long: {kept} rows are kept, {data.rows_left_out} left out (at most {MAX_CELLS} cells of a page are read)"
        )
    if data.hidden_rows:
        warnings.append(f"{data.hidden_rows} hidden rows are kept")
    if data.cells_left_out:
        warnings.append(
            f"{data.cells_left_out} cells of the sheet {name} are left out: their places make no sense or lie beyond column {MAX_COLUMNS}"
        )
    if data.pictures:
        warnings.append(f"{data.pictures} pictures in cells of the sheet {name} are left out")
    if data.lost_texts:
        warnings.append(f"{data.lost_texts} cells of the sheet {name} are empty: the file lacks the texts that they refer to")
    if data.formulas_without_value:
        warnings.append(f"{data.formulas_without_value} formulas have no stored value and are empty; save the file in a spreadsheet program first")
    return warnings


def _links(package: Package, part: str, data: SheetData) -> dict[Place, str]:
    relationships = package.relationships(part)
    links: dict[Place, str] = {}
    for row, column, identity in data.hyperlinks:
        relationship = relationships.get(identity)
        if relationship is None or not relationship.external or (row, column) not in data.cells:
            continue
        if is_kept(relationship.target):
            links[row, column] = relationship.target
    return links


def _declared(package: Package, part: str) -> list[Declared]:
    """The tables that the workbook declares on a sheet (18.5)."""
    found = []
    for name in package.related(part, "table"):
        root = package.xml(name)
        first = (root.get("ref", "") if root is not None else "").partition(":")[0]
        if root is not None and column_of(first) >= 0 and row_of(first) >= 0:
            found.append(Declared(row_of(first), column_of(first), min(max(number(root.get("headerRowCount"), 1), 0), 1)))
    return found


def _drawings(package: Package, part: str, warnings: list[str]) -> tuple[list[Block], list[Picture]]:
    """The pictures, charts and text boxes that lie over the cells, and the pictures' bytes."""
    blocks: list[Block] = []
    pictures: list[Picture] = []
    charts = more_pictures = 0
    for name in package.related(part, "drawing"):
        root = package.xml(name)
        reader = DrawingReader(package, name, warnings)
        for element in _drawn(root) if root is not None else ():
            if element.tag == qname("c:chart"):
                charts += 1
                chart = reader.chart(element.get(qname("r:id"), "")) if charts <= MAX_CHARTS else None
                blocks += chart_blocks(chart) if chart is not None else ()
            elif element.tag == f"{_DRAWING}sp":
                body = element.find(f"{_DRAWING}txBody")
                blocks += blocks_of(body, UNPLACED, package.relationships(name), ()) if body is not None else ()
            elif len(pictures) >= MAX_PICTURES:
                more_pictures += 1
            elif (blip := element.find(f".//{qname('a:blip')}")) is not None:
                properties = element.find(f"{_DRAWING}nvPicPr/{_DRAWING}cNvPr")
                figure = reader.figure(blip, alternative_text(properties.get("descr", "") if properties is not None else ""), 0.0, 0.0)
                if figure is not None and figure.data:
                    pictures.append(Picture(block=len(blocks), data=figure.data, media_type=figure.media_type))
                if figure is not None:
                    blocks.append(figure.block)
    if more_pictures:
        warnings.append(f"a sheet has {MAX_PICTURES + more_pictures} pictures; read are {MAX_PICTURES}")
    if charts > MAX_CHARTS:
        warnings.append(f"a sheet has {charts} charts; read are {MAX_CHARTS}")
    return blocks, pictures


def _drawn(element: Element) -> Iterator[Element]:
    """Pictures, shapes and charts of a drawing in their order, each once although files say some twice, for old programs too."""
    for child in element:
        if child.tag == qname("mc:AlternateContent"):
            branch = chosen(child)
            if branch is not None:
                yield from _drawn(branch)
        elif child.tag in (f"{_DRAWING}pic", f"{_DRAWING}sp", qname("c:chart")):
            yield child
        else:
            yield from _drawn(child)
