"""One unit from request to answer: from the cache, or its images from the blob store and an engine; contents too large for an event go back there.

Guarantees: every unit gets an answer for each of its pages, recognized or failed with a code; a blob store that is away is waited for a while, then
the pages fail as retryable. Knows no Kafka. Slow: runs in a lane's thread.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar

import structlog
from msgspec.structs import replace

from inference.cache import RecognitionCache
from inference.pictures import DRAWN, is_picture_page
from inference.types import PageAnswer, PageInput, PageRead, PageRefused, Picture, Unit, UnitAnswer
from inference.windows import WaitingUnit
from schemas import codec
from schemas.blobs import STORE_PATIENCE_S, BlobStore
from schemas.content import BlobReference, PageContent
from schemas.errors import Code, PageloomError, Stage, failure_of
from schemas.events import PageImage, RecognizedPage

STORE_PAUSE_S = 0.5
"""Between two tries; a stop is seen meanwhile."""
MAX_IMAGE_BYTES = 256 * 2**20
"""Of one page image: 40 megapixels of noise have 160 MB."""

T = TypeVar("T")
log = structlog.get_logger(__name__)


class Reader(Protocol):
    """What reads units: an engine process, or a client of a shared server."""

    def recognize(self, units: Sequence[Unit]) -> list[UnitAnswer]:
        """An answer for every unit. Raises PageloomError only where nothing can be read at all any more."""

    def cancel(self) -> None:
        """Ends what is being read now, where that can be done without harm to anything else; from any thread."""

    def kill(self) -> None:
        """Ends at once and for good; from any thread."""

    def close(self) -> None:
        """Gives back what it holds; by the thread that used it."""


class Interrupted(Exception):
    """The worker stops while units wait for the store: they are left to the next owner, and not answered as failed."""


class UnitReader:
    """Reads units with one engine."""

    def __init__(
        self,
        store: BlobStore,
        cache: RecognitionCache,
        engine: Reader,
        inline_content_bytes: int,
        stop: threading.Event,
        *,
        keeps_figures: bool = True,
    ) -> None:
        self._keeps_figures = keeps_figures
        self._store = store
        self._cache = cache
        self._engine = engine
        self._inline_content_bytes = inline_content_bytes
        self._stop = stop

    def read(self, units: Sequence[WaitingUnit]) -> list[tuple[RecognizedPage, ...]]:
        """The pages of each unit, in order. Raises Interrupted."""
        answers: list[UnitAnswer | None] = [self._from_cache(unit.images) for unit in units]
        cached = [answer is not None for answer in answers]
        loaded: list[tuple[int, Unit]] = []
        for index, unit in enumerate(units):
            if answers[index] is None:
                try:
                    loaded.append((index, self._load(unit)))
                except PageloomError as error:
                    answers[index] = tuple(PageRefused(page=i.page, code=error.code, message=str(error)) for i in unit.images)
        if loaded:
            for (index, _), answer in zip(loaded, self._engine.recognize([unit for _, unit in loaded]), strict=True):
                answers[index] = answer
                self._keep(units[index].images, answer)
        return [
            tuple(self._recognized(page, unit, cached=from_cache) for page in answer or ())
            for unit, answer, from_cache in zip(units, answers, cached, strict=True)
        ]

    def _from_cache(self, images: Sequence[PageImage]) -> UnitAnswer | None:
        try:
            return self._patiently(lambda: self._cache.find(images))
        except PageloomError as error:
            log.warning("cache.unreadable", code=error.code.value, error=str(error))
            return None

    def _load(self, unit: WaitingUnit) -> Unit:
        pngs = [self._patiently(partial(self._store.get, image.image, MAX_IMAGE_BYTES)) for image in unit.images]
        return Unit(tuple(map(PageInput, unit.images, pngs)), unit.request.document_id)

    def _keep(self, images: Sequence[PageImage], answer: UnitAnswer) -> None:
        try:
            self._cache.keep(images, answer)
        except PageloomError as error:  # the answer stands; reading it again costs time, not truth
            log.warning("cache.unwritable", code=error.code.value, error=str(error))

    def _recognized(self, answer: PageAnswer, unit: WaitingUnit, *, cached: bool) -> RecognizedPage:
        """An answer as it goes into the event."""
        document = unit.request.document_id
        if isinstance(answer, PageRefused):
            return failed_page(answer.page, answer.code, f"document {document!r}: {answer.message}", answer.attempts)
        try:
            return self._referenced(answer, unit, cached=cached)
        except PageloomError as error:
            return failed_page(answer.page, error.code, f"document {document!r}, page {answer.page}: {error}", answer.attempts)

    def _referenced(self, answer: PageRead, unit: WaitingUnit, *, cached: bool) -> RecognizedPage:
        image = next(image for image in unit.images if image.page == answer.page)
        request = unit.request
        content = _with_picture(answer.content, image)
        if answer.pictures and self._keeps_figures:
            content = with_pictures(
                content,
                answer.pictures,
                lambda name, png: self._patiently(lambda: self._store.put_run(request.document_id, request.submission, name, png)),
            )
        data = codec.encode(content)
        reference = None
        if len(data) > self._inline_content_bytes:
            name = f"page-{answer.page}.recognized"
            reference = self._patiently(lambda: self._store.put_run(request.document_id, request.submission, name, data))
        return RecognizedPage(
            page=answer.page,
            content=content if reference is None else None,
            content_reference=reference,
            confidence=answer.confidence,
            problems=answer.problems,
            attempts=answer.attempts,
            cached=cached,
            engine=answer.engine,
        )

    def _patiently(self, work: Callable[[], T]) -> T:
        """Does something with the store, again while it is away, for a while. Raises Interrupted."""
        deadline = time.monotonic() + STORE_PATIENCE_S
        while True:
            try:
                return work()
            except PageloomError as error:
                if error.code is not Code.STORE_UNAVAILABLE or time.monotonic() > deadline:
                    raise
                if self._stop.wait(STORE_PAUSE_S):
                    raise Interrupted from error


def with_pictures(content: PageContent, pictures: Sequence[Picture], keep: Callable[[str, bytes], BlobReference]) -> PageContent:
    """The content with stored pictures of its figures; `keep` takes a name and the bytes. Equal pictures are one."""
    kept = {picture.bbox: picture.png for picture in pictures}
    blocks = []
    for block in content.blocks:
        png = kept.get(block.bbox) if block.type in DRAWN and block.figure is None else None
        blocks.append(block if png is None else replace(block, figure=keep(f"figure-{hashlib.sha256(png).hexdigest()[:24]}.png", png)))
    return replace(content, blocks=tuple(blocks))


def _with_picture(content: PageContent, image: PageImage) -> PageContent:
    """A page that is nothing but a picture shows it: the image that was recognized, which belongs to the same submission."""
    if not is_picture_page(content) or content.blocks[0].figure is not None:
        return content
    return replace(content, blocks=(replace(content.blocks[0], figure=image.image),))


def failed_page(page: int, code: Code, message: str, attempts: int = 1) -> RecognizedPage:
    """A page that could not be recognized, as it goes into the event."""
    return RecognizedPage(page=page, failure=failure_of(code, Stage.INFER, message, attempts), attempts=attempts)
