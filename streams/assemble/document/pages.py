"""What document assembly takes: one value for each page that was asked for.

The fold chooses per page which tier's content counts (text layer or recognition) and says so here; assembly never sees events.
"""

from msgspec import Struct

from schemas.content import PageContent
from schemas.document import FinishedPageStatus, PageError


class PageInput(Struct, frozen=True, kw_only=True):
    """One page as it enters a document.

    `content` is None for a blank or failed page (and for one that holds nothing). `confidence` is of that content, 0..1; `engine` is None
    unless recognized; `error` is there exactly when the page is failed. `warnings` name no page: assembly adds the numbers. `logical`: a section,
    sheet or chapter of a format without pages.
    """

    page: int
    status: FinishedPageStatus
    text_layer_confidence: float
    confidence: float
    reasons: tuple[str, ...]
    width_pt: float
    height_pt: float
    rotation: int
    engine: str | None = None
    error: PageError | None = None
    content: PageContent | None = None
    warnings: tuple[str, ...] = ()
    logical: bool = False
