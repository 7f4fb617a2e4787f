"""Windows that are being answered: how they fall into units, who waits for which unit, and when a window is answered whole. Pure.

Guarantees: a window is answered exactly once, with exactly its pages; two windows that need the same unit (the same pages of the same
submission) share one reading of it; a window whose partition was taken away is forgotten, and its units with it unless others wait for them.
"""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from inference.offsets import Partition
from inference.types import UnitKey
from schemas.events import PageImage, PageWindowRecognized, PageWindowRequested, RecognizedPage

MAX_WINDOW_PAGES = 1_000
"""Of one request; readers ask for 10 at most."""
MAX_SIDE_PX = 100_000
"""Of a page image; the bound on pixels stands with the engine."""

Position: TypeAlias = tuple[Partition, int]
"""Where a request stands on the log: partition and offset."""


class WaitingUnit(Struct, frozen=True):
    """A unit that is to be read, and a request that asks for it."""

    key: UnitKey
    images: tuple[PageImage, ...]
    request: PageWindowRequested


class AnsweredWindow(Struct, frozen=True):
    """A window of which every page is answered."""

    position: Position
    event: PageWindowRecognized


class Malformed(ValueError):
    """A request that contradicts itself. The message is safe to log."""


class _Window(Struct):
    request: PageWindowRequested
    keys: tuple[UnitKey, ...]
    answers: dict[UnitKey, tuple[RecognizedPage, ...]]


class Windows:
    """All windows in work."""

    def __init__(self, engine_version: str) -> None:
        self._version = engine_version
        self._windows: dict[Position, _Window] = {}
        self._waiting: dict[UnitKey, list[Position]] = {}

    def __len__(self) -> int:
        return len(self._windows)

    def accept(self, position: Position, request: PageWindowRequested, unit_pages: int) -> list[WaitingUnit]:
        """Takes a request on; returns its units that nobody waits for yet, of at most `unit_pages` pages each. Raises Malformed."""
        check(request)
        units = [request.images[i : i + unit_pages] for i in range(0, len(request.images), unit_pages)]
        keys = tuple((request.document_id, request.submission.id, unit[0].page, unit[-1].page) for unit in units)
        self._windows[position] = _Window(request, keys, {})
        new = [WaitingUnit(key, unit, request) for key, unit in zip(keys, units, strict=True) if key not in self._waiting]
        for key in keys:
            self._waiting.setdefault(key, []).append(position)
        return new

    def settle(self, key: UnitKey, pages: Sequence[RecognizedPage]) -> list[AnsweredWindow]:
        """A unit was answered; returns the windows that are whole by it."""
        answered = []
        for position in self._waiting.pop(key, []):
            window = self._windows[position]
            window.answers[key] = tuple(pages)
            if len(window.answers) == len(window.keys):
                del self._windows[position]
                answered.append(AnsweredWindow(position, answer(window.request, [p for k in window.keys for p in window.answers[k]], self._version)))
        return answered

    def forget(self, partitions: set[Partition]) -> list[UnitKey]:
        """Partitions were taken away; returns the units that nobody waits for any longer."""
        gone = [position for position in self._windows if position[0] in partitions]
        for position in gone:
            for key in self._windows.pop(position).keys:
                if key in self._waiting and position in self._waiting[key]:
                    self._waiting[key].remove(position)
        orphaned = [key for key, positions in self._waiting.items() if not positions]
        for key in orphaned:
            del self._waiting[key]
        return orphaned

    def units_of(self, document_id: str, before_ms: int) -> list[UnitKey]:
        """Units of a document's submissions that were logged before a time, as far as they are unanswered."""
        return [
            key
            for window in self._windows.values()
            if window.request.document_id == document_id and window.request.submission.appended_ms < before_ms
            for key in window.keys
            if key in self._waiting
        ]


def check(request: PageWindowRequested) -> None:
    """Raises Malformed unless the images are exactly the window's pages, in order, of a size that can be."""
    if not 1 <= request.first_page <= request.last_page < request.first_page + MAX_WINDOW_PAGES:
        raise Malformed(f"a window from page {request.first_page} to {request.last_page}")
    if [image.page for image in request.images] != list(range(request.first_page, request.last_page + 1)):
        raise Malformed("a window whose images are not its pages")
    for image in request.images:
        if not (0 < image.width_px <= MAX_SIDE_PX and 0 < image.height_px <= MAX_SIDE_PX):
            raise Malformed(f"an image of {image.width_px} x {image.height_px} pixels")
        if not (0 < image.width_pt < float("inf") and 0 < image.height_pt < float("inf")):
            raise Malformed(f"a page of {image.width_pt} x {image.height_pt} points")


def answer(request: PageWindowRequested, pages: Sequence[RecognizedPage], engine_version: str) -> PageWindowRecognized:
    """The event that answers a request."""
    return PageWindowRecognized(
        document_id=request.document_id,
        submission=request.submission,
        first_page=request.first_page,
        last_page=request.last_page,
        engine=request.engine,
        engine_version=engine_version,
        pages=tuple(pages),
    )
