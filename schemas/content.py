"""What stands on one page: blocks in reading order, as the reader or an engine found them.

The unit between reading, recognition and assembly. Both the text layer and recognition speak it, so that assembly joins the two
without knowing which is which. Boxes are points of the page as displayed (see `schemas.geometry`). Text is normalised: logical
order, no private-use or replacement characters that a rule could map, lines of a paragraph already joined; a line that the author ended ends in
`schemas.text.LINE_BREAK`.
"""

from enum import Enum

from msgspec import Struct

from schemas.geometry import BBox


class BlockType(str, Enum):
    """What a block is, in the field's terms; the same words as in the finished document."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    FIGURE = "figure"
    EQUATION = "equation"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    CODE = "code"
    FORM_FIELD = "form_field"
    PAGE_HEADER = "page_header"
    PAGE_FOOTER = "page_footer"
    ANNOTATION = "annotation"


FURNITURE = frozenset({BlockType.PAGE_HEADER, BlockType.PAGE_FOOTER})
"""What is printed on every page and belongs to none: kept in a document, left out of its text."""


class Source(str, Enum):
    """Which tier read a page or block. `structure`: the file itself says what each block is (Office, HTML, EPUB), and no place on a page does."""

    TEXT_LAYER = "text_layer"
    RECOGNITION = "recognition"
    STRUCTURE = "structure"


class BlobReference(Struct, frozen=True, kw_only=True):
    """A blob by its name relative to the store's root; never a URL. `sha256` is of its bytes, in hex."""

    name: str
    size_bytes: int
    sha256: str


class TextStyle(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The style most characters of a block have. Sizes in points; `font` without its subset prefix."""

    size_pt: float
    font: str = ""
    bold: bool = False
    italic: bool = False
    monospace: bool = False


class Span(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a block's text that is set off from the rest of it: `length` characters from `offset` on, bold, italic or struck out.

    `code`: it is code, a name or a command; `math`: it is a formula, and the text is its LaTeX.
    """

    offset: int
    length: int
    bold: bool = False
    italic: bool = False
    struck: bool = False
    code: bool = False
    math: bool = False


class Link(Struct, frozen=True, kw_only=True):
    """A hyperlink over a part of a block: its shown text, and a URI or `#page=N` inside the document."""

    text: str
    target: str


class FormField(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A form field. `value` is its text, the chosen options, `on`/`off` for a box or button, `signed` for a signature, `hidden` for a password;
    `label` is what it is called on the page.
    """

    name: str
    value: str
    label: str = ""


class Cell(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table cell. Rows and columns count from 0; a cell that spans stands at its top left place, once. `spans`: parts of its text that are set off,
    where the file itself says so.
    """

    row: int
    column: int
    text: str = ""
    row_span: int = 1
    column_span: int = 1
    bbox: BBox | None = None
    spans: tuple[Span, ...] = ()


class Table(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table or the fragment of one that stands on this page.

    `column_edges` are the x positions of all `columns + 1` edges in points; an empty column is still a column. Cells may leave
    places empty. `ruled` is the share 0..1 of cell borders that are drawn. `closed_top`/`closed_bottom`: a rule ends the table there.
    `full_cells`: columns of the last row whose last line of text reaches the end of its cell, so that the text may run on below a page break.
    """

    rows: int
    columns: int
    cells: tuple[Cell, ...]
    header_rows: int = 0
    column_edges: tuple[float, ...] = ()
    ruled: float = 0.0
    closed_top: bool = False
    closed_bottom: bool = False
    confidence: float = 1.0
    full_cells: tuple[int, ...] = ()


class Block(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One block of a page.

    `column`: (x0, x1) in points of the text column it stands in. `indented`: the first line starts right of the column's edge (left of
    it in right-to-left text). `ends_short`: the last line ends well before the column does, so a paragraph ends here. `level`: a hint
    for headings. `list_depth`: how deep a list item is nested, 0 for the outermost. `tags`: continuation tags of a model, kept as votes.
    `rotation`: degrees the text is turned on the displayed page. `caption_of`: of a caption, the place of its figure or table among the
    page's blocks, counted from 1. `spans` are the parts of the text that are set off, in order and apart from each other. `language`: of
    code, where the file names it.
    """

    type: BlockType
    bbox: BBox
    text: str = ""
    confidence: float = 1.0
    style: TextStyle | None = None
    level: int | None = None
    list_depth: int | None = None
    column: tuple[float, float] | None = None
    line_count: int = 1
    indented: bool = False
    ends_short: bool = False
    rotation: int = 0
    table: Table | None = None
    figure: BlobReference | None = None
    field: FormField | None = None
    links: tuple[Link, ...] = ()
    tags: tuple[str, ...] = ()
    caption_of: int | None = None
    spans: tuple[Span, ...] = ()
    language: str = ""


class PageContent(Struct, frozen=True, kw_only=True):
    """All blocks of a page in reading order, furniture (running heads, page numbers) among them: assembly proves and drops it.

    `rests` are rows between rules that are too few to be a table, and tables that nothing but a neighbour page may vouch for, from top to bottom:
    perhaps parts of one that a page break cut. `blocks` hold their text as well; where columns have no edges the boxes of cells are of text.
    """

    page: int
    width_pt: float
    height_pt: float
    rotation: int
    source: Source
    blocks: tuple[Block, ...]
    rests: tuple[Block, ...] = ()
