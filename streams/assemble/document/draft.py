"""A document while it is being put together: pages as sheets, blocks as pieces that processors mark, join and level.

Lives only inside `build_document`. Everything untrusted is made harmless here, once: texts lose characters that are no text, boxes are
finite. A piece that another one swallowed stays on its sheet, marked `absorbed`, so that indices never move.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from schemas.content import FURNITURE, Block, BlockType, Link, Source, Span
from schemas.document import FinishedPageStatus, Region
from schemas.events import DocumentOpened
from schemas.geometry import EMPTY, BBox, rounded
from schemas.text import LINE_BREAK
from streams.assemble.document.pages import PageInput
from streams.assemble.tables.grid import Grid, grid_of
from streams.assemble.tables.joined_table import JoinedTable
from streams.assemble.text.continuation import says_blank
from streams.assemble.text.emphasis import MAX_JOINED_SPANS, joined_spans, respaced, sound_spans
from streams.assemble.text.wording import clean_text

SAME_SIZE_PT = 0.6
"""Sizes that differ less are one size, rounded differently."""
MAX_BLOCKS_PER_PAGE = 20_000
"""A dense map has a few thousand labels; more is an attack on memory. What is left out is named in a warning."""
MAX_LINKS = 1_000
"""Of one block: a page of an index has a few hundred."""
DEEPEST_LEVEL = 6
"""HTML and Markdown know no more levels of headings."""
MAX_WARNINGS = 200
"""Different ones: a person reads the first dozen."""


@dataclass(slots=True)
class Piece:
    """A block on its way into the document. `number` counts from 1 on its page. `block` is the last part read (joins look at its end).
    `sideways_of` is the table whose rows go on here with further columns; `notes` are offset and length of each mark in the text, and the
    footnote that it refers to; `spans` are the emphasised parts of the text, `length` is that of all of it, told without joining the parts.
    """

    number: int
    block: Block
    type: BlockType
    texts: list[str]
    regions: list[Region]
    confidence: float
    links: tuple[Link, ...] = ()
    level: int | None = None
    heading_path: tuple[str, ...] = ()
    grid: Grid | None = None
    table: JoinedTable | None = None
    fragments: list["Piece"] = field(default_factory=list)
    absorbed: bool = False
    sideways_of: "Piece | None" = None
    notes: list[tuple[int, int, "Piece"]] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    length: int = field(init=False)

    def __post_init__(self) -> None:
        """Counts the text."""
        self.length = sum(map(len, self.texts))

    @property
    def page(self) -> int:
        """The page it begins on."""
        return self.regions[0].page

    @property
    def bbox(self) -> BBox:
        """Its box on the page it begins on."""
        return self.regions[0].bbox

    @property
    def text(self) -> str:
        """The text of all its parts."""
        if len(self.texts) > 1:
            self.texts = ["".join(self.texts)]
        return self.texts[0]

    def swallow(self, other: "Piece", cut: int, between: str) -> None:
        """Takes in what goes on after it and all that hangs on that: `cut` characters of this text give way to `between` and the other's text."""
        if cut:
            self.texts[-1] = self.texts[-1][:-cut]
        end = self.length - cut
        start = end + len(between)
        at_seam: list[Span] = []  # the others stay as they are, in a text of a thousand pages too
        while self.spans and self.spans[-1].offset + self.spans[-1].length >= end:
            at_seam.insert(0, self.spans.pop())
        self.spans += joined_spans(tuple(at_seam), tuple(other.spans), end, start)
        del self.spans[MAX_JOINED_SPANS:]
        self.texts.extend((between, other.text))
        self.length = start + other.length
        self.regions.extend(other.regions)
        self.confidence = min(self.confidence, other.confidence)
        self.links += other.links
        other.absorbed = True

    def set_text(self, text: str) -> None:
        """Puts this text in the place of what it has; spans are not moved."""
        self.texts, self.length = [text], len(text)

    def make_line(self) -> None:
        """Gives the text the form of one line, in which it is published, so that offsets hold; of several where the author ended them."""
        text = self.text
        if "\n" in text or LINE_BREAK in text:
            lines = (" ".join(one.split()) for one in text.split(LINE_BREAK))
            line = LINE_BREAK.join(filter(None, lines))
            self.spans = list(respaced(tuple(self.spans), text, line))
            self.set_text(line)

    @property
    def size_pt(self) -> float:
        """The type size of most of its characters; 0 where it is not known."""
        return self.block.style.size_pt if self.block.style else 0.0

    @property
    def in_body(self) -> bool:
        """Whether it takes part in the flow of the text."""
        return not self.absorbed and self.type not in FURNITURE


@dataclass(slots=True)
class Sheet:
    """One page with its pieces in reading order."""

    page: PageInput
    pieces: list[Piece]

    @property
    def by_structure(self) -> bool:
        """Whether the file itself says what each block is: nothing is to be concluded from places, sizes or repetition."""
        return self.page.content is not None and self.page.content.source is Source.STRUCTURE

    def body(self) -> Iterator[Piece]:
        """The pieces of the body, in order."""
        return (piece for piece in self.pieces if piece.in_body)


@dataclass(slots=True)
class Draft:
    """The whole document, mutable. `sheets` are ascending by page; `body_size_pt` is the size of most text, 0 where none is known."""

    opened: DocumentOpened
    sheets: list[Sheet]
    warnings: list[str]
    metadata: dict[str, str]
    body_size_pt: float = 0.0
    notes: dict[str, list[int]] = field(default_factory=dict)

    def pieces(self) -> Iterator[Piece]:
        """Every piece that was not absorbed, furniture among them, in reading order."""
        return (piece for sheet in self.sheets for piece in sheet.pieces if not piece.absorbed)

    def note(self, message: str, page: int) -> None:
        """Remembers a warning about a page; equal ones become one with all their pages."""
        if message not in self.notes and len(self.notes) >= MAX_WARNINGS:
            message = "further warnings are left out"
        pages = self.notes.setdefault(message, [])
        if not pages or pages[-1] != page:
            pages.append(page)


def start_draft(opened: DocumentOpened, pages: Sequence[PageInput]) -> Draft:
    """The document as it was read, nothing decided yet."""
    draft = Draft(opened=opened, sheets=[], warnings=list(opened.warnings), metadata=dict(opened.metadata))
    for page in sorted(pages, key=lambda p: p.page):
        for warning in page.warnings:
            draft.note(clean_text(warning), page.page)
        draft.sheets.append(Sheet(page, _pieces(draft, page)))
    draft.body_size_pt = _body_size(draft)
    return draft


def follows(before: Sheet, after: Sheet) -> bool:
    """Whether two sheets are the same place in the text, so that something may run over from one to the other: no page missing between."""
    if before.by_structure or after.by_structure:
        return False  # what such a page holds ends on it
    return is_next(before, after) and FinishedPageStatus.FAILED not in (before.page.status, after.page.status)


def is_next(before: Sheet, after: Sheet) -> bool:
    """Whether no page of the file stands between two sheets, whatever became of them."""
    return after.page.page == before.page.page + 1


def is_blank(sheet: Sheet) -> bool:
    """Whether nothing of the text stands on a sheet, so that what came before may go on after it."""
    body = [piece for piece in sheet.body() if piece.type is not BlockType.ANNOTATION]
    return not body or (len(body) == 1 and says_blank(body[0].text))


def _pieces(draft: Draft, page: PageInput) -> list[Piece]:
    if page.content is None:
        return []
    blocks = page.content.blocks
    if len(blocks) > MAX_BLOCKS_PER_PAGE:
        draft.note(f"only the first {MAX_BLOCKS_PER_PAGE} blocks of the page are kept; send it as an image to see the rest", page.page)
        blocks = blocks[:MAX_BLOCKS_PER_PAGE]
    pieces = []
    for number, block in enumerate(blocks, 1):
        text = clean_text(block.text)
        piece = Piece(
            number=number,
            block=block,
            type=block.type,
            texts=[text],
            regions=[Region(page=page.page, bbox=_finite(block.bbox))],
            confidence=_share(min(block.confidence, page.confidence)),
            links=block.links[:MAX_LINKS],
            level=_told_level(block, page),
            spans=list(sound_spans(block.spans, text)) if block.spans and text == block.text else [],
        )
        if block.type is BlockType.TABLE:
            _take_table(draft, piece)
        pieces.append(piece)
    return pieces


def _told_level(block: Block, page: PageInput) -> int | None:
    """The level of a heading where the file itself says it; else levels are found over the whole document."""
    told = page.content is not None and page.content.source is Source.STRUCTURE and block.type is BlockType.HEADING
    return min(DEEPEST_LEVEL, max(1, block.level)) if told and block.level is not None else None


def _take_table(draft: Draft, piece: Piece) -> None:
    """Gives a piece its grid and the table it begins; a table without a grid, or larger than any real one, stays as the text it holds."""
    grid = grid_of(piece.block.table, piece.page) if piece.block.table else None
    if grid is None:
        piece.type = BlockType.PARAGRAPH
        if piece.block.table is not None:
            piece.set_text(" ".join(clean_text(cell.text) for cell in piece.block.table.cells if cell.text))
            draft.note("a table too large or without cells is kept as text", piece.page)
        return
    piece.grid, piece.table = grid, JoinedTable(grid)


def _finite(box: BBox) -> BBox:
    return rounded(box) if math.isfinite(sum(box)) else EMPTY


def _share(value: float) -> float:
    """A confidence within 0..1; what is no number is no confidence."""
    return min(1.0, value) if value > 0.0 else 0.0


def _body_size(draft: Draft) -> float:
    sizes: Counter[float] = Counter()
    for sheet in draft.sheets:
        for piece in sheet.pieces:
            if piece.type in (BlockType.PARAGRAPH, BlockType.LIST_ITEM) and piece.size_pt:
                sizes[round(piece.size_pt * 2) / 2] += len(piece.texts[0])
    return min(sizes, key=lambda size: (-sizes[size], size)) if sizes else 0.0
