"""Logical pages of a text document while it is read: where one ends, and which of them are scans.

A page ends where a section that begins on a new page does, and at every page break that the author set. Places where a program once broke pages
(`lastRenderedPageBreak`) are not used: they hold for its fonts and its printer only, and most files lack them. So the number of a page counts
these parts and is marked as logical; it never claims to be the number on paper.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from schemas.content import Block, BlockType
from schemas.geometry import BBox
from streams.read.structure.logical_page import LogicalPage, Picture
from streams.read.structure.office.captions import bound
from streams.read.structure.office.floats import Figure
from streams.read.structure.paging import divided

MAX_BOOKMARKS = 100_000
"""Every entry of an index and of a contents page has one."""
SCAN_SHARE = 0.4
"""Of the paper's area that a picture covers when it is the page: less its margins."""
SCAN_LETTERS = 100
"""Letters that may stand beside a scan: a stamp, a page number."""


class Paper(Struct, frozen=True):
    """The size of a section's paper in points; A4 where it says none that is credible."""

    width_pt: float = 595.3
    height_pt: float = 841.9


class _Extent(Struct, frozen=True):
    block: int
    width_pt: float
    height_pt: float


class PageBuilder:
    """The logical pages so far, and the one that is being filled. `places`: the page of each bookmark, counted from 1."""

    def __init__(self) -> None:
        self.pages: list[LogicalPage] = []
        self.warnings: list[str] = []
        self.places: dict[str, int] = {}
        self._begin()

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands on the page that is being filled."""
        return not self._blocks

    def add(self, block: Block) -> None:
        """Puts a block on the page."""
        self._blocks.append(block)

    @property
    def last_kind(self) -> BlockType | None:
        """What stands last on the page that is being filled."""
        return self._blocks[-1].type if self._blocks else None

    def add_figure(self, figure: Figure) -> None:
        """Puts a picture on the page."""
        index = len(self._blocks)
        self._blocks.append(figure.block)
        if figure.data:
            self._pictures.append(Picture(block=index, data=figure.data, media_type=figure.media_type))
            self._extents.append(_Extent(index, figure.width_pt, figure.height_pt))

    def merge_last(self, kind: BlockType, text: str) -> bool:
        """Adds a line to the last block if it is of this kind; whether it was."""
        if not self._blocks or self._blocks[-1].type is not kind:
            return False
        self._lines.setdefault(len(self._blocks) - 1, [self._blocks[-1].text]).append(text)
        return True

    def end_page(self, paper: Paper, closing: Sequence[Block]) -> None:
        """Ends the page, if anything stands on it; `closing` blocks come last on it."""
        self._blocks.extend(closing)
        blocks = [replace(block, text="\n".join(self._lines[i])) if i in self._lines else block for i, block in enumerate(self._blocks)]
        if blocks:
            self.pages += _divided(blocks, self._pictures, self._extents, paper, tuple(dict.fromkeys(self.warnings)))
            self.warnings.clear()
        self._begin()

    def bookmark(self, name: str) -> None:
        """Remembers that a bookmark stands where the page is now."""
        if len(self.places) < MAX_BOOKMARKS:
            self.places.setdefault(name, len(self.pages) + 1)

    def _begin(self) -> None:
        self._blocks: list[Block] = []
        self._pictures: list[Picture] = []
        self._extents: list[_Extent] = []
        self._lines: dict[int, list[str]] = {}


def _divided(blocks: list[Block], pictures: list[Picture], extents: list[_Extent], paper: Paper, warnings: tuple[str, ...]) -> list[LogicalPage]:
    """One logical page; several where it is too long, or where it holds one scan after another."""
    boxes = _scans(blocks, extents, paper)
    starts = sorted(boxes)[1:]
    ranges = list(zip([0, *starts], [*starts, len(blocks)], strict=True)) if boxes else divided(blocks)
    pages: list[LogicalPage] = []
    for first, last in ranges:
        part = [replace(block, bbox=boxes[i]) if i in boxes else block for i, block in enumerate(blocks[first:last], first)]
        shown = [replace(p, block=p.block - first, is_text=p.block in boxes) for p in pictures if first <= p.block < last]
        pages.append(
            LogicalPage(
                blocks=tuple(bound(part)),
                width_pt=paper.width_pt,
                height_pt=paper.height_pt,
                pictures=tuple(shown),
                warnings=warnings if first == 0 else (),
            )
        )
    return pages


def _scans(blocks: list[Block], extents: list[_Extent], paper: Paper) -> dict[int, BBox]:
    """The pictures that are pages of their own, with their boxes; none where text says what the page says."""
    large = [e for e in extents if e.width_pt * e.height_pt >= SCAN_SHARE * paper.width_pt * paper.height_pt]
    letters = sum(len(block.text) for block in blocks if block.type not in (BlockType.FIGURE, BlockType.PAGE_HEADER, BlockType.PAGE_FOOTER))
    tables = sum(block.table is not None for block in blocks)
    if not large or tables or letters > SCAN_LETTERS * len(large):
        return {}
    return {e.block: (0.0, 0.0, min(e.width_pt, paper.width_pt), min(e.height_pt, paper.height_pt)) for e in large}
