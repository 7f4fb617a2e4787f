"""A dialect: how a model is asked, and how its answer is read.

Promise of every `parse`: total (any text gives pages, never an exception), bounded, and one page for each page that the answer holds, which may be
fewer or more than were sent: counting them is the caller's. Text of a model is data; markup in it is read, never kept.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from schemas.content import Block
from schemas.geometry import BBox

MAX_ANSWER_CHARS = 400_000
"""Of one page's answer: twelve thousand tokens of long words have a quarter of it. What is beyond is cut, and noted as truncated."""
MAX_BLOCKS = 3_000
"""Blocks of one page: a dense page of a newspaper has some hundred; an answer in a loop has thousands."""
GRID = 1000
"""Models say boxes in thousandths of the page's sides."""


class DialectPage(Struct, frozen=True, kw_only=True):
    """One page of an answer: its blocks in the answer's order, and what was wrong with the writing (`truncated`, `damaged_markup`)."""

    blocks: tuple[Block, ...]
    problems: tuple[str, ...] = ()


class PageSize(Struct, frozen=True):
    """Size of a page in points, as displayed."""

    width_pt: float
    height_pt: float


class Dialect(Struct, frozen=True, kw_only=True):
    """A way of asking and answering.

    `prompt` is sent with the images of a unit; `repeated` before it once for each image (a window's pages are told apart by it). `dpi`: what the
    model wants its pages rendered at. `max_tokens` is of one page. `window_pages`: the most it takes at once. `extra`: further fields of the
    request that its servers know.
    """

    name: str
    prompt: str
    parse: Callable[[str, Sequence[PageSize]], list[DialectPage]]
    repeated: str = ""
    dpi: int = 200
    max_tokens: int = 8_192
    window_pages: int = 1
    temperature: float = 0.0
    extra: dict[str, object] = {}


def box_on_grid(numbers: Sequence[float], page: PageSize) -> BBox:
    """A box said in thousandths, in points; corners in any order, cut at the page's edges."""
    x0, y0, x1, y1 = (min(max(value, 0.0), float(GRID)) for value in numbers)
    scale_x, scale_y = page.width_pt / GRID, page.height_pt / GRID
    return (
        round(min(x0, x1) * scale_x, 2),
        round(min(y0, y1) * scale_y, 2),
        round(max(x0, x1) * scale_x, 2),
        round(max(y0, y1) * scale_y, 2),
    )


def whole(page: PageSize) -> BBox:
    """The box of a block of which a model says no place: somewhere on the page."""
    return (0.0, 0.0, round(float(page.width_pt), 2), round(float(page.height_pt), 2))
