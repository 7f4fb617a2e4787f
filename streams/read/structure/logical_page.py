"""What a reader of structure gives back: a document as logical pages, their blocks in reading order.

A logical page is what the format itself divides a document into: a section of a text document, a slide, a sheet, a chapter of a book. Values only;
knows no blob store: pictures travel as bytes beside the page, and whoever stores them puts the reference into the block.
"""

from collections.abc import Callable, Sequence
from typing import overload

from msgspec import Struct

from schemas.content import Block
from schemas.document import OutlineEntry
from schemas.geometry import EMPTY, BBox

UNPLACED: BBox = EMPTY
"""The box of a block whose place is not known, because nothing laid it out."""
CERTAIN = 1.0
"""Confidence of text that a format states as characters: no font and no scanner stands between."""


class Picture(Struct, frozen=True, kw_only=True):
    """The bytes of one picture as the file has them. `block`: the index of its figure among the blocks of its page.

    `is_text`: it is a scan, or all that a slide shows, so that a model must read it; its figure then has a box inside the page.
    """

    block: int
    data: bytes
    media_type: str
    is_text: bool = False


class LogicalPage(Struct, frozen=True, kw_only=True):
    """One logical page. `width_pt` and `height_pt` are of the slide or paper, 0 where the format knows none.

    `logical`: there is no such page on paper, so its number is a count of ours (a section, a sheet, a chapter); False for a slide or a page that
    the file marks. `confidence` and `reasons` are less than certain where the characters themselves are a guess (an encoding that nothing names).
    `warnings` say what was left out and why; they name no page.
    """

    blocks: tuple[Block, ...]
    width_pt: float = 0.0
    height_pt: float = 0.0
    logical: bool = True
    pictures: tuple[Picture, ...] = ()
    confidence: float = CERTAIN
    reasons: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class PagesOnDemand(Sequence[LogicalPage]):
    """Pages that are read when they are asked for; the last one is kept. `read_page` takes an index from 0."""

    def __init__(self, count: int, read_page: Callable[[int], LogicalPage]) -> None:
        self._count, self._read_page = count, read_page
        self._last: tuple[int, LogicalPage] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> LogicalPage: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[LogicalPage]: ...
    def __getitem__(self, index: int | slice) -> LogicalPage | Sequence[LogicalPage]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(self._count))]
        place = index + self._count if index < 0 else index
        if not 0 <= place < self._count:
            raise IndexError(index)
        if self._last is None or self._last[0] != place:
            self._last = (place, self._read_page(place))
        return self._last[1]


class LogicalDocument(Struct, frozen=True, kw_only=True):
    """A whole document. `metadata` and `outline` as the file states them, already bounded and clean; pages of the outline count from 1."""

    pages: Sequence[LogicalPage]
    metadata: dict[str, str] = {}
    outline: tuple[OutlineEntry, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def page_count(self) -> int:
        """How many logical pages it has."""
        return len(self.pages)

    def page(self, number: int) -> LogicalPage:
        """A page, counted from 1. Raises IndexError where there is none."""
        if number < 1:
            raise IndexError(number)
        return self.pages[number - 1]
