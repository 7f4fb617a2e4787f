"""What stands around a page or column break between two tables: captions, titles, headers printed outside the grid, notes, prose, free space.

Turns the pieces between the fragments into the values that `table_evidence.judge` weighs, and says which of them only announce that the
table goes on. Decides nothing about columns or cells.
"""

from dataclasses import dataclass

from rapidfuzz import fuzz

from schemas.content import BlockType
from schemas.geometry import BBox, height, intersection_area, overlap_x, width
from streams.assemble.document.draft import Draft, Piece, Sheet
from streams.assemble.tables.evidence import Surroundings
from streams.assemble.tables.joined_table import JoinedTable
from streams.assemble.text.continuation import goes_on_note, is_continued, is_note, names_other_table, table_label
from streams.assemble.text.wording import fold

MAX_BETWEEN = 8
"""Blocks looked at on each side of a break: caption, title lines, a header outside the grid, notes. More is text."""
TITLE_LINES = 6
"""Blocks above a table that may be its title."""
LONGEST_TITLE = 60
"""A line without a caption's number is a continuation mark only if it is as short as a title ("Balance sheet (continued)")."""
TAGS = frozenset({"append_table", "continues"})
"""Words of models for a table that goes on."""
ALIKE = 85
"""Edit similarity in percent of a header row and its printing outside the grid."""
LONGEST_HEADER = 1_000
"""Characters of a block that may be a header outside the grid: comparing costs the product of the lengths."""
COLUMN_ENDS, COLUMN_HIGHER = 0.7, 0.15
"""Share of the page's height down to which a table fills its column, and by how much higher the next column's table begins."""
INSIDE = 0.8
"""The share of a piece's box within a table's from which it is part of it, not text before or after it."""
ROWS_MEASURED = 64
"""Cells looked at for the height of a fragment's first row."""

PageSize = tuple[int, int]
TypeArea = dict[PageSize, tuple[float, float]]
"""How high and how low the body reaches, in points from the top, for every size of page."""


@dataclass(slots=True)
class Chain:
    """A table that may go on. `sheet` and `end` are where its last fragment stands; `titles` are the folded texts above its first one.

    `interrupted`: a page behind it could not be read.
    """

    piece: Piece
    table: JoinedTable
    sheet: Sheet
    end: int
    label: str | None
    titles: frozenset[str]
    interrupted: bool = False

    @property
    def bbox(self) -> BBox:
        """The box of its last fragment."""
        return self.piece.regions[-1].bbox


def _is_of_two_tables(chain: Chain, sheet: Sheet) -> bool:
    """Whether the caption of a chain that would go on in another column of its page names a second table: the one there."""
    if chain.sheet is not sheet or chain.label is None:
        return False
    above = sheet.pieces[max(0, chain.end - TITLE_LINES) : chain.end]
    return any(names_other_table(piece.text, chain.label) for piece in above if table_label(piece.text) == chain.label)


def chain_at(sheet: Sheet, index: int, table: JoinedTable) -> Chain:
    """The table at `index` of a sheet as the beginning of a chain."""
    above = [p for p in sheet.pieces[max(0, index - TITLE_LINES) : index] if not p.absorbed and p.table is None]
    captions = [p for p in above if p.type is BlockType.CAPTION or table_label(p.text)]
    label = table_label(captions[-1].text) if captions else None
    return Chain(sheet.pieces[index], table, sheet, index, label, frozenset(fold(p.text) for p in above if p.text))


def type_area(draft: Draft) -> TypeArea:
    """The type area of the document's pages, as far as they show it."""
    area: TypeArea = {}
    for sheet in draft.sheets:
        for piece in sheet.body():
            if height(piece.bbox) > 0 and piece.block.rotation == 0:
                top, bottom = area.get(_size_of(sheet), (float("inf"), 0.0))
                area[_size_of(sheet)] = (min(top, piece.bbox[1]), max(bottom, piece.bbox[3]))
    return area


def may_follow(chain: Chain, sheet: Sheet, index: int) -> bool:
    """Whether the table at `index` stands where a chain would go on: on another page, or at the top of another column of the same page."""
    return chain.sheet is not sheet or is_next_column(chain.bbox, sheet.pieces[index].bbox, sheet.page.height_pt)


def is_next_column(above: BBox, below: BBox, tall: float) -> bool:
    """Whether one box fills its column down to the foot of a page `tall` points high, and the other stands high in another column."""
    return overlap_x(above, below) <= 0.0 and above[3] >= COLUMN_ENDS * tall and below[1] < above[3] - COLUMN_HIGHER * tall


def surroundings(chain: Chain, sheet: Sheet, index: int, area: TypeArea) -> tuple[Surroundings, list[Piece]]:
    """What stands between a chain and the table at `index` of the next sheet, and the pieces that only say that the table goes on."""
    piece = sheet.pieces[index]
    start = chain.end + 1 if sheet is chain.sheet else 0
    before = [p for p in sheet.pieces[start:index] if p.in_body and p.type is not BlockType.ANNOTATION and not _is_inside(p, piece.bbox)]
    rest = chain.sheet.pieces[chain.end + 1 :] if sheet is not chain.sheet else ()
    after = [p for p in rest if p.in_body and p.type not in (BlockType.ANNOTATION, BlockType.FOOTNOTE) and not _is_inside(p, chain.bbox)]
    veto = "text_between" if max(len(before), len(after)) > MAX_BETWEEN else "new_caption" if _is_of_two_tables(chain, sheet) else None
    marks: dict[str, bool] = {}
    passed = []
    for other in before[:MAX_BETWEEN]:
        mark = _mark(chain, other)
        if mark.startswith("veto:"):
            veto = veto or mark.removeprefix("veto:")
        else:
            marks[mark] = True
            passed.append(other)
    for other in after[:MAX_BETWEEN]:
        if goes_on_note(other.text):
            passed.append(other)
        elif not ("continued" in marks and is_note(other.text)):
            veto = veto or _veto_by(other)
    return Surroundings(
        veto=veto,
        continued="continued" in marks,
        title_repeated="title" in marks,
        header_outside="header" in marks,
        space_below=_space_below(chain, piece, area),
        space_above=_space_above(piece, sheet, passed, area),
        model_tag=bool(TAGS.intersection(piece.block.tags)),
    ), passed


def _is_inside(piece: Piece, table: BBox) -> bool:
    """Whether a piece stands within a table, as words do that recognition could give to no cell: it comes before or after no row."""
    return intersection_area(piece.bbox, table) > INSIDE * width(piece.bbox) * height(piece.bbox)


def _mark(chain: Chain, piece: Piece) -> str:
    """What a piece above the lower fragment says: `continued`, `title` (printed again), `header` (outside the grid), or a veto."""
    text, label = piece.text, table_label(piece.text)
    if label and chain.label and label != chain.label:
        return "veto:new_caption"
    if is_continued(text) and (label or piece.type in (BlockType.CAPTION, BlockType.HEADING) or len(text) < LONGEST_TITLE):
        return "continued"
    if fold(text) in chain.titles:
        return "title"
    return "header" if _prints_header(chain.table, text) else f"veto:{_veto_by(piece)}"


def _veto_by(piece: Piece) -> str:
    if piece.type is BlockType.CAPTION or table_label(piece.text):
        return "new_caption"
    return "heading_between" if piece.type is BlockType.HEADING else "text_between"


def _prints_header(table: JoinedTable, text: str) -> bool:
    """Whether a block is the table's header, or one cell of it, printed outside the grid of this page."""
    wanted = fold(text).replace(" ", "")
    if not 4 <= len(wanted) <= LONGEST_HEADER:
        return False
    for row in table.rows[: table.header_rows]:
        cells = [fold(cell).replace(" ", "") for cell in row if cell]
        if wanted in cells or fuzz.ratio(wanted, "".join(cells)) >= ALIKE:
            return True
    return False


def _space_below(chain: Chain, lower: Piece, area: TypeArea) -> float:
    """The share of the page's height left free below the upper fragment, beyond what the next row would have needed."""
    box = chain.bbox
    end = box[3]
    notes = [p.bbox[1] for p in chain.sheet.pieces[chain.end + 1 :] if p.in_body and p.bbox[1] >= end and overlap_x(p.bbox, box) > 0]
    bottom = min([area.get(_size_of(chain.sheet), (0.0, end))[1], *notes])
    cells = lower.grid.cells[:ROWS_MEASURED] if lower.grid else []
    next_row = max((height(cell.bbox) for cell in cells if cell.row == 0 and cell.bbox), default=0.0)
    return max(0.0, bottom - end - next_row) / max(chain.sheet.page.height_pt, 1.0)


def _space_above(lower: Piece, sheet: Sheet, passed: list[Piece], area: TypeArea) -> float:
    """The share of the page's height left free between the lower fragment and what stands above it."""
    start = lower.bbox[1]
    heads = [p.bbox[3] for p in passed if p.page == lower.page and p.bbox[3] <= start]
    top = max([area.get(_size_of(sheet), (start, 0.0))[0], *heads])
    return max(0.0, start - top) / max(sheet.page.height_pt, 1.0)


def _size_of(sheet: Sheet) -> PageSize:
    return round(sheet.page.width_pt), round(sheet.page.height_pt)
