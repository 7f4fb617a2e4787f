"""An engine that does what the bytes behind a page's PNG say: `die`, `hang`, `pause…`, `raise`, `loop`, `die-once:<file>`; else it reads nothing.

Real in every other way: it runs in a real engine process, and is loaded by name like any engine.
"""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from inference.images import PagePixels
from inference.types import EngineCapabilities, EngineOptions, EngineSpec, PageRead, UnitAnswer
from schemas.content import Block, BlockType, PageContent, Source


def spec_of(*, batch_pages: int = 1, window_pages: int = 1, attempts: int = 1, module: str = __name__) -> EngineSpec:
    capabilities = EngineCapabilities(scripts=("Latin",), batch_pages=batch_pages, window_pages=window_pages, attempts=attempts)
    return EngineSpec(name="test", module=module, capabilities=capabilities, version=lambda: "test-1")


class EngineForTests:
    def warm_up(self) -> None:
        pass

    def recognize(self, batch: Sequence[tuple[PagePixels, ...]], attempt: int, /) -> list[UnitAnswer]:
        return [tuple(self._read(page, attempt) for page in unit) for unit in batch]

    def close(self) -> None:
        pass

    def _read(self, page: PagePixels, attempt: int) -> PageRead:
        word = page.png.rpartition(b"IEND")[2][4:].decode()
        if word == "die" or (word.startswith("die-once:") and _is_first(Path(word.partition(":")[2]))):
            os.abort()
        if word == "hang":
            time.sleep(3600)
        if word.startswith("pause"):
            time.sleep(0.1)
        if word == "raise":
            raise RuntimeError("the text of a document")
        text = "again and again " * 200 if word == "loop" else f"page {page.image.page} attempt {attempt} {os.getpid()}"
        block = Block(type=BlockType.PARAGRAPH, bbox=(0.0, 0.0, 10.0, 10.0), text=text)
        image = page.image
        content = PageContent(
            page=image.page, width_pt=image.width_pt, height_pt=image.height_pt, rotation=0, source=Source.RECOGNITION, blocks=(block,)
        )
        return PageRead(page=image.page, content=content, confidence=1.0)


def _is_first(mark: Path) -> bool:
    if mark.exists():
        return False
    mark.touch()
    return True


def create_engine(_options: EngineOptions) -> EngineForTests:
    return EngineForTests()
