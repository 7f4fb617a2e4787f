"""What an engine is asked and what it answers, as frozen values that also travel between a worker and its engine processes.

Knows nothing of Kafka, blobs or any model. Every answer is data: a page that was read, or one that was refused with a code.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from schemas.content import Block, PageContent, Source
from schemas.errors import Code
from schemas.events import PageImage
from schemas.geometry import BBox


def recognized_content(image: PageImage, blocks: Iterable[Block]) -> PageContent:
    """What was read of an image, as the content of its page."""
    return PageContent(
        page=image.page,
        width_pt=image.width_pt,
        height_pt=image.height_pt,
        rotation=image.rotation,
        source=Source.RECOGNITION,
        blocks=tuple(blocks),
    )


class EngineCapabilities(Struct, frozen=True, kw_only=True):
    """What an engine can do.

    `scripts`: Unicode script names of what it reads. `layout`/`tables`: whether it finds blocks and table grids by itself. `equations`: whether it
    writes equations as LaTeX; of one that does not a picture says more.
    `window_pages`: consecutive pages it takes as one unit. `batch_pages`: pages that pay to be computed together. `max_pixels`: of one
    page, a little above what readers render (40 million). `attempts`: how often a page whose answer fails a guard is asked again with
    other settings; 1 for engines that always say the same.
    """

    scripts: tuple[str, ...]
    layout: bool = False
    tables: bool = False
    equations: bool = False
    window_pages: int = 1
    batch_pages: int = 1
    max_pixels: int = 42_000_000
    attempts: int = 1


class EngineOptions(Struct, frozen=True, kw_only=True):
    """What the settings say about engines; each takes what it knows.

    `model`: a name or a folder. `url`: of a shared server. `dialect`: how the model writes; empty means by its name. `prompt`: what it is asked;
    empty means what its dialect asks. `device`: as torch names it; empty means the best there is. `max_tokens`: of one page's answer; 0 means
    what the dialect needs.
    """

    model: str = ""
    url: str = ""
    api_key: str = ""
    dialect: str = ""
    prompt: str = ""
    device: str = ""
    max_tokens: int = 0
    page_timeout_s: float = 120.0

    def __repr__(self) -> str:
        shown = {name: getattr(self, name) for name in self.__struct_fields__ if name != "api_key"}
        return f"EngineOptions({', '.join(f'{k}={v!r}' for k, v in shown.items())})"


class EngineSpec(Struct, frozen=True, kw_only=True):
    """An engine as the registry knows it, without importing the engine.

    `module` is imported where the engine is to run; its function `create_engine(options)` makes one. `version()` names code, weights and options:
    answers of equal versions are equal. `in_process`: it runs in the worker itself, for it loads no native code; else in a process of its own.
    `processes`: how many of those a worker runs where its settings do not say; 0 is one for each core. `extra`: the optional dependencies of
    the package that it needs.
    """

    name: str
    module: str
    capabilities: EngineCapabilities
    version: Callable[[], str]
    options: EngineOptions = EngineOptions()
    in_process: bool = False
    processes: int = 0
    extra: str = ""


class PageInput(Struct, frozen=True):
    """A page to be read: what is known of its image, and the PNG itself."""

    image: PageImage
    png: bytes


class Unit(Struct, frozen=True):
    """What an engine reads at once: one page, or a window of consecutive pages for an engine that takes windows. The document is for logs."""

    pages: tuple[PageInput, ...]
    document_id: str = ""


class WordPlace(Struct, frozen=True):
    """A word of a line, and where it begins and ends on the upright line: shares 0..1 of its length, counted from the left."""

    text: str
    start: float
    end: float


class TextLine(Struct, frozen=True):
    """A line of text as a model read it.

    `bbox` in pixels of the image as displayed, after the page's `skew` is undone; `confidence` is the mean probability 0..1 of its
    characters; `rotation` the degrees clockwise that it is turned on the image (0, 90, 180 or 270); `words` from left to right, none where
    the model does not say where they stand.
    """

    bbox: BBox
    text: str
    confidence: float
    rotation: int = 0
    words: tuple[WordPlace, ...] = ()


class Shade(Struct, frozen=True):
    """A shaded box on the image of a page, in its pixels, and the gray level 0..255 of its background."""

    box: BBox
    gray: float


class PageText(Struct, frozen=True):
    """All lines of a page in no order, the `rotation` that most of its text has, and how many more were found, in the shape of lines, but not read.

    `skew`: degrees clockwise that the page lies askew beyond `rotation`; all boxes here are of the image turned straight about its middle.
    `rules`: the straight lines drawn on it, as thin boxes in the pixels that `bbox` has; `shades`: the shaded backgrounds on it, and `figures`: its
    photographs, drawings and charts, in the same pixels.
    """

    lines: tuple[TextLine, ...]
    rotation: int = 0
    unread: int = 0
    skew: float = 0.0
    rules: tuple[BBox, ...] = ()
    shades: tuple[Shade, ...] = ()
    figures: tuple[BBox, ...] = ()


class Picture(Struct, frozen=True):
    """What a block of a page shows, cut out of its image: the block's box, and a PNG."""

    bbox: BBox
    png: bytes


class PageRead(Struct, frozen=True, kw_only=True, tag="read"):
    """A page that an engine read. `confidence` 0..1 is the engine's own; `problems` are what the guards found.

    `engine`: which one, where it is not the one that was asked. `pictures`: of its figures, and of equations that are not in words.
    """

    page: int
    content: PageContent
    confidence: float
    problems: tuple[str, ...] = ()
    attempts: int = 1
    engine: str | None = None
    pictures: tuple[Picture, ...] = ()


class PageRefused(Struct, frozen=True, kw_only=True, tag="refused"):
    """A page that could not be read. `message` says why, without the document's text."""

    page: int
    code: Code
    message: str
    attempts: int = 1


PageAnswer: TypeAlias = PageRead | PageRefused
"""What became of a page."""
UnitAnswer: TypeAlias = tuple[PageAnswer, ...]
"""What became of a unit: an answer for each of its pages, in their order."""
UnitKey: TypeAlias = tuple[str, str, int, int]
"""Identity of a unit: document id, submission, first and last page."""
