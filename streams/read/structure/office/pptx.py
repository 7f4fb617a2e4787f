"""Reads a presentation (PresentationML, ECMA-376 part 1, chapter 19): a slide is a page, with its real size and the boxes of its shapes.

Guarantees: the title comes first and is a heading, then the shapes as they are read on the slide, then its footers as furniture, its comments and the
speaker's notes as annotations. Hidden slides are kept, with a warning. A slide that shows nothing but pictures is for a model to read.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from schemas.content import Block, BlockType, Cell, Table
from schemas.geometry import BBox, area
from schemas.reading_order import order_boxes
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.cell_text import CellText
from streams.read.structure.logical_page import UNPLACED, LogicalDocument, LogicalPage, PagesOnDemand, Picture
from streams.read.structure.office.captions import bound
from streams.read.structure.office.charts import Chart, chart_blocks
from streams.read.structure.office.floats import EMU_PER_PT, LOST_PICTURE, DrawingReader, Figure, alternative_text, is_decorative
from streams.read.structure.office.package import Element, Package, number, qname
from streams.read.structure.office.pptx_shapes import FURNITURE, TITLES, Placeholders, Shape, shapes_of
from streams.read.structure.office.pptx_text import blocks_of, flat_text, paragraphs_of, rich_text
from streams.read.structure.office.properties import core_properties

MAX_SLIDES = 20_000
PICTURE_SHARE = 0.1
"""Of the slide's area that a picture covers when it is what the slide shows, and no logo."""
MAX_TABLE_SIDE = 1_000
"""Rows or columns of a table on a slide; PowerPoint allows 75."""
MAX_COMMENTS = 500
MAX_INHERITED = 500
"""Layouts and masters of one file: large templates have a hundred."""
LINE_PT, MAX_LINES = 18.0, 30
"""Of a shape when the order of shapes is found: a line of usual text on slides."""

_TREE = f"{qname('p:cSld')}/{qname('p:spTree')}"


class _Presentation(Struct, frozen=True):
    """What all slides share."""

    package: Package
    width_pt: float
    height_pt: float
    authors: dict[str, str]
    inherited: dict[str, Element | None]

    def inherited_xml(self, part: str) -> Element | None:
        """A layout or master, parsed once for all slides."""
        if part not in self.inherited and len(self.inherited) < MAX_INHERITED:
            self.inherited[part] = self.package.xml(part) if part else None
        return self.inherited.get(part)


def read(path: Path) -> LogicalDocument:
    """Reads a `.pptx`, `.pptm` or `.ppsx` file. Raises PageloomError (too_large) and what parsing a damaged file raises."""
    package = Package(path)  # stays open with the document: slides are read when they are asked for
    main = package.main_part()
    root = package.xml(main)
    if root is None:
        raise ValueError("no presentation")
    size = root.find(qname("p:sldSz"))
    width, height = (number(size.get("cx")), number(size.get("cy"))) if size is not None else (9_144_000, 6_858_000)
    shared = _Presentation(package, max(width, 0) / EMU_PER_PT, max(height, 0) / EMU_PER_PT, _authors(package, main), {})
    names = list(_slides(package, main, root))
    cut = (f"the file has {len(names)} slides; read are {MAX_SLIDES}",) if len(names) > MAX_SLIDES else ()
    pages = PagesOnDemand(min(len(names), MAX_SLIDES), lambda index: _slide(shared, names[index]))
    return LogicalDocument(pages=pages, metadata=core_properties(package), warnings=(*package.warnings, *cut))


def _slides(package: Package, main: str, root: Element) -> Iterator[str]:
    """The parts of the slides in the order in which they are shown."""
    relationships = package.relationships(main)
    for entry in root.iterfind(f"{qname('p:sldIdLst')}/{qname('p:sldId')}"):
        relationship = relationships.get(entry.get(qname("r:id"), ""))
        if relationship is not None and not relationship.external:
            yield relationship.target


def _authors(package: Package, main: str) -> dict[str, str]:
    root = package.related_xml(main, "commentAuthors")
    return {one.get("id", ""): collapse(clean_text(one.get("name", "")))[:200] for one in (root if root is not None else ())}


def _slide(shared: _Presentation, part: str) -> LogicalPage:
    root = shared.package.xml(part)
    tree = root.find(_TREE) if root is not None else None
    if root is None or tree is None:
        missing = ("the slide is missing in the file",)
        return LogicalPage(blocks=(), width_pt=shared.width_pt, height_pt=shared.height_pt, logical=False, warnings=missing)
    warnings: list[str] = []
    if root.get("show", "1").lower() in ("0", "false"):
        warnings.append("the slide is hidden")
    slide = _Slide(shared, part, warnings)
    slide.read(tree)
    return slide.page()


class _Slide:
    """One slide while it is read."""

    def __init__(self, shared: _Presentation, part: str, warnings: list[str]) -> None:
        package = shared.package
        self._shared, self._part, self._warnings = shared, part, warnings
        self._relationships = package.relationships(part)
        self._drawings = DrawingReader(package, part, warnings)
        layout = next(package.related(part, "slideLayout"), "")
        master = next(package.related(layout, "slideMaster"), "") if layout else ""
        self._master = shared.inherited_xml(master)
        self._inherited = Placeholders([shared.inherited_xml(layout), self._master])
        self._blocks: list[Block] = []
        self._pictures: list[Picture] = []

    def read(self, tree: Element) -> None:
        """All that the slide shows and what hangs on it."""
        shapes = shapes_of(tree, self._inherited, self._warnings)
        for shape in _in_reading_order(shapes):
            self._shape(shape)
        self._comments()
        self._notes()

    def page(self) -> LogicalPage:
        """The slide as a page."""
        shared = self._shared
        says = any(block.text and block.type in _SAYING for block in self._blocks) or any(block.table for block in self._blocks)
        whole = shared.width_pt * shared.height_pt
        pictures = [
            Picture(
                block=one.block,
                data=one.data,
                media_type=one.media_type,
                is_text=not says and area(self._blocks[one.block].bbox) >= PICTURE_SHARE * whole > 0,
            )
            for one in self._pictures
        ]
        return LogicalPage(
            blocks=tuple(bound(self._blocks)),
            width_pt=shared.width_pt,
            height_pt=shared.height_pt,
            logical=False,
            pictures=tuple(pictures),
            warnings=tuple(dict.fromkeys(self._warnings)),
        )

    def _shape(self, shape: Shape) -> None:
        bbox = shape.bbox or UNPLACED
        body = shape.element.find(qname("p:txBody"))
        if shape.element.tag == qname("p:graphicFrame"):
            self._graphic(shape.element, bbox)
        elif shape.element.tag == qname("p:pic"):
            self._picture(shape.element, bbox)
        elif body is None:
            return
        elif shape.placeholder in TITLES:
            text = collapse(" ".join(one.text for one in paragraphs_of(body, self._relationships, ())))
            if text:
                self._blocks.append(Block(type=BlockType.HEADING, bbox=bbox, text=text, level=1))
        elif shape.placeholder in FURNITURE:
            text = collapse(flat_text(body, self._relationships))
            kind = BlockType.PAGE_HEADER if shape.placeholder == "hdr" else BlockType.PAGE_FOOTER
            if text:
                self._blocks.append(Block(type=kind, bbox=bbox, text=text))
        else:
            self._blocks += blocks_of(body, bbox, self._relationships, self._styles(shape, body))

    def _styles(self, shape: Shape, body: Element) -> Sequence[Element]:
        """The list styles that a shape's text follows, the nearest first."""
        bodies = [body, *(found for one in self._inherited.chain(shape) if (found := one.find(qname("p:txBody"))) is not None)]
        styles = [style for one in bodies if (style := one.find(qname("a:lstStyle"))) is not None]
        if self._master is not None and shape.placeholder:
            style = self._master.find(f"{qname('p:txStyles')}/{qname('p:bodyStyle')}")
            styles += [style] if style is not None else []
        return styles

    def _picture(self, element: Element, bbox: BBox) -> None:
        properties = element.find(f"{qname('p:nvPicPr')}/{qname('p:cNvPr')}")
        blip = element.find(f"{qname('p:blipFill')}/{qname('a:blip')}")
        if properties is not None and is_decorative(properties):
            return
        if blip is None:
            self._warnings.append(LOST_PICTURE)
            return
        alt_text = alternative_text((properties.get("descr") or properties.get("title") or "") if properties is not None else "")
        figure = self._drawings.figure(blip, alt_text, bbox[2] - bbox[0], bbox[3] - bbox[1])
        if figure is not None:
            self._add_figure(figure, bbox)

    def _add_figure(self, figure: Figure, bbox: BBox) -> None:
        if figure.data:
            self._pictures.append(Picture(block=len(self._blocks), data=figure.data, media_type=figure.media_type))
        self._blocks.append(Block(type=BlockType.FIGURE, bbox=bbox, text=figure.block.text))

    def _graphic(self, element: Element, bbox: BBox) -> None:
        """A table, chart, diagram or embedded object."""
        for found in element.iter(qname("a:tbl"), qname("c:chart"), qname("dgm:relIds"), qname("p:oleObj")):
            if found.tag == qname("a:tbl"):
                table = self._table(found)
                if table is not None:
                    self._blocks.append(Block(type=BlockType.TABLE, bbox=bbox, table=table))
            elif found.tag == qname("c:chart"):
                self._add_chart(self._drawings.chart(found.get(qname("r:id"), "")), bbox)
            elif found.tag == qname("dgm:relIds"):
                self._blocks += (_placed(block, bbox) for block in self._drawings.diagram(found.get(qname("r:dm"), "")))
            else:
                self._warnings.append("an embedded object is shown by its picture alone")
                for picture in islice(element.iter(qname("p:pic")), 1):  # said twice for old programs
                    self._picture(picture, bbox)
            return

    def _add_chart(self, chart: Chart | None, bbox: BBox) -> None:
        self._blocks += chart_blocks(chart, bbox) if chart is not None else ()

    def _table(self, element: Element) -> Table | None:
        """A table of a slide (21.1.3): a merged place has a cell that says so, and is left out."""
        cells: list[Cell] = []
        columns = rows = 0
        for row, line in enumerate(element.iterchildren(qname("a:tr"))):
            if row >= MAX_TABLE_SIDE:
                self._warnings.append(f"a table has more than {MAX_TABLE_SIDE} rows; the others are left out")
                break
            rows = row + 1
            for column, cell in enumerate(line.iterchildren(qname("a:tc"))):
                if column >= MAX_TABLE_SIDE:
                    self._warnings.append(f"a table has more than {MAX_TABLE_SIDE} columns; the others are left out")
                    break
                columns = max(columns, column + 1)
                if not (_is_on(cell.get("hMerge")) or _is_on(cell.get("vMerge"))):
                    cells.append(self._cell(cell, row, column))
        properties = element.find(qname("a:tblPr"))
        header = rows > 1 and properties is not None and _is_on(properties.get("firstRow"))
        return Table(rows=rows, columns=columns, cells=tuple(cells), header_rows=1 if header else 0) if cells else None

    def _cell(self, cell: Element, row: int, column: int) -> Cell:
        body = cell.find(qname("a:txBody"))
        said = rich_text(body, self._relationships) if body is not None else CellText()
        spans = (min(max(number(cell.get(name), 1), 1), MAX_TABLE_SIDE) for name in ("rowSpan", "gridSpan"))
        row_span, column_span = spans
        return Cell(row=row, column=column, text=said.text, row_span=row_span, column_span=column_span, spans=said.spans)

    def _comments(self) -> None:
        root = self._shared.package.related_xml(self._part, "comments", self._warnings)
        comments = [one for one in root.iter() if isinstance(one.tag, str) and one.tag.endswith("}cm")] if root is not None else []
        for comment in comments[:MAX_COMMENTS]:
            text = collapse(clean_text(" ".join(t.text or "" for t in comment.iter(qname("p:text"), qname("a:t")))))
            author = self._shared.authors.get(comment.get("authorId", ""), "")
            if text:
                self._blocks.append(Block(type=BlockType.ANNOTATION, bbox=UNPLACED, text=f"{author}: {text}" if author else text))

    def _notes(self) -> None:
        """The speaker's notes, a block for each paragraph."""
        part = next(self._shared.package.related(self._part, "notesSlide"), "")
        root = self._shared.package.side_xml(part, self._warnings) if part else None
        tree = root.find(_TREE) if root is not None else None
        if tree is None:
            return
        for shape in shapes_of(tree, Placeholders([]), self._warnings):
            body = shape.element.find(qname("p:txBody"))
            if shape.placeholder == "body" and body is not None:
                for one in paragraphs_of(body, self._shared.package.relationships(part), ()):
                    self._blocks.append(Block(type=BlockType.ANNOTATION, bbox=UNPLACED, text=one.text, links=one.links))


_SAYING = frozenset({BlockType.HEADING, BlockType.PARAGRAPH, BlockType.LIST_ITEM})


def _in_reading_order(shapes: Sequence[Shape]) -> list[Shape]:
    """Titles, then shapes as their places are read, then those without a place, then furniture."""
    titles = [shape for shape in shapes if shape.placeholder in TITLES]
    last = [shape for shape in shapes if shape.placeholder in FURNITURE]
    placed = [(shape, shape.bbox) for shape in shapes if shape.placeholder not in TITLES | FURNITURE and shape.bbox is not None]
    loose = [shape for shape in shapes if shape.placeholder not in TITLES | FURNITURE and shape.bbox is None]
    owners: list[int] = []
    boxes: list[BBox] = []
    for index, (shape, bbox) in enumerate(placed):
        lines = _as_lines(shape, bbox)
        owners += [index] * len(lines)
        boxes += lines
    ordered = [placed[index][0] for index in dict.fromkeys(owners[line] for line in order_boxes(boxes))]
    return [*titles, *ordered, *loose, *last]


def _as_lines(shape: Shape, bbox: BBox) -> list[BBox]:
    """The box of a shape with text as so many lines, one below the other: reading order is a matter of lines."""
    x0, y0, x1, y1 = bbox
    if shape.element.tag != qname("p:sp") or y1 <= y0:
        return [bbox]
    count = min(max(round((y1 - y0) / LINE_PT), 1), MAX_LINES)
    step = (y1 - y0) / count
    return [(x0, y0 + index * step, x1, y0 + (index + 0.8) * step) for index in range(count)]


def _placed(block: Block, bbox: BBox) -> Block:
    return Block(type=block.type, bbox=bbox, text=block.text, list_depth=block.list_depth)


def _is_on(value: str | None) -> bool:
    return value is not None and value.lower() in ("1", "true")
