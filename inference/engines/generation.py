"""Text that a model generated, whoever ran the model: how it ended, how sure the model was, and what it says of the pages that were shown. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from inference.dialects import Dialect, pages_of
from inference.guards import Problem
from inference.types import PageAnswer, PageRead, UnitAnswer
from schemas.events import PageImage

UNKNOWN_CONFIDENCE = 0.8
"""Of an answer of which no probabilities are known."""
CUT = {"length": Problem.TRUNCATED.value, "loop": Problem.REPEATED_TEXT.value}
"""Ends that are none, and the problem that each is."""


class Completion(Struct, frozen=True, kw_only=True):
    """An answer. `finish` is `stop`, `length` or `loop`; `confidence` the geometric mean 0..1 of its tokens' probabilities, None where unknown."""

    text: str
    finish: str
    confidence: float | None = None


def answered(dialect: Dialect, images: Sequence[PageImage], completion: Completion, attempt: int) -> UnitAnswer:
    """The pages of an answer. One that was cut at its token limit, or ended in a loop, says so on its last page, which is where it was cut."""
    confidence = UNKNOWN_CONFIDENCE if completion.confidence is None else completion.confidence
    cut = CUT.get(completion.finish)
    pages = pages_of(dialect, completion.text, images, confidence)
    last = max((index for index, page in enumerate(pages) if page.content.blocks), default=0)
    found: list[PageAnswer] = []
    for index, page in enumerate(pages):
        problems = (*page.problems, cut) if cut and index >= last else page.problems
        found.append(PageRead(page=page.content.page, content=page.content, confidence=confidence, problems=problems, attempts=attempt))
    return tuple(found)
