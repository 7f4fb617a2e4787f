"""Recognized pages kept in the blob store, so that a replay, a crash or a resubmission costs only what changed.

The key is the hash of the images of a unit (of a window: of all its pages) and of all else that decides the answer: the engine, its weights and
options, and how pixels map to points. Images go by the hash of their PNG, which the store checks whenever one is fetched: unlike a hash of
pixels that a message merely claims, nobody can plant an answer under another page's key. (The reader's PNG encoder is deterministic:
equal pixels are equal files.) Answers with problems are never kept.
"""

import hashlib
import json
from collections.abc import Sequence

import msgspec

from inference.layout import page_confidence
from inference.pictures import DRAWN, MAX_CUT_PIXELS
from inference.types import PageAnswer, PageRead, Picture, UnitAnswer
from schemas import codec
from schemas.blobs import BlobStore, recognized_name
from schemas.content import PageContent
from schemas.events import PageImage

MAX_CONTENT_BYTES = codec.MAX_EVENT_BYTES
MAX_PICTURES_BYTES = 4 * MAX_CUT_PIXELS
"""Of a page: noise in colour does not compress."""
PICTURES = "pictures"


class RecognitionCache:
    """Answers of one engine in one version."""

    def __init__(self, store: BlobStore, engine: str, version: str) -> None:
        self._store = store
        self._engine = engine
        self._version = version

    def find(self, images: Sequence[PageImage]) -> UnitAnswer | None:
        """The kept answer to a unit of these pages, None where it is not kept whole. Raises PageloomError when the store is away."""
        found: list[PageAnswer] = []
        for position, image in enumerate(images):
            data = self._store.find(recognized_name(self._key(images, position)), MAX_CONTENT_BYTES)
            if data is None:
                return None
            try:
                content = codec.decode(data, PageContent)
            except codec.Undecodable:
                return None
            content = msgspec.structs.replace(content, page=image.page)
            pictures = self._pictures(images, position) if any(block.type in DRAWN for block in content.blocks) else ()
            found.append(PageRead(page=image.page, content=content, confidence=page_confidence(content), pictures=pictures))
        return tuple(found)

    def _pictures(self, images: Sequence[PageImage], position: int) -> tuple[Picture, ...]:
        data = self._store.find(recognized_name(self._key(images, position, PICTURES)), MAX_PICTURES_BYTES)
        try:
            return msgspec.msgpack.decode(data, type=tuple[Picture, ...]) if data else ()
        except msgspec.MsgspecError:
            return ()  # a page without its pictures is worth more than reading it again

    def keep(self, images: Sequence[PageImage], answer: UnitAnswer) -> bool:
        """Keeps an answer of this engine that has no problem on any page; says whether it did."""
        if not all(isinstance(page, PageRead) and not page.problems and page.engine is None for page in answer):
            return False
        for position, page in enumerate(answer):
            if isinstance(page, PageRead):
                if page.pictures:  # first: content that is found has its pictures
                    self._store.put_recognized(self._key(images, position, PICTURES), msgspec.msgpack.encode(page.pictures))
                self._store.put_recognized(self._key(images, position), codec.encode(page.content))
        return True

    def _key(self, images: Sequence[PageImage], position: int, part: str = "") -> str:
        pages = [[i.image.sha256, i.width_px, i.height_px, i.width_pt, i.height_pt, i.rotation] for i in images]
        text = json.dumps([self._engine, self._version, position, pages, *filter(None, [part])], separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
