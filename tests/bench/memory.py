"""Memory over many documents: one reader process and one engine process, the slope of their resident size, and what recycling makes of it.

`python -m tests.bench.memory --documents 500` prints both. The slope is a straight line through the second half (least squares), when caches are
full; the growth until a process is replaced is what bounds it: by count (`child_tasks`, `RECYCLE_PAGES`) and by size (`child_recycle_bytes`).
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pymupdf

from inference.engines.child import RECYCLE_PAGES, EngineChild
from inference.engines.registry import engines
from inference.types import EngineOptions, PageInput, Unit
from schemas.events import Mode
from streams.confinement import resident_bytes
from streams.sandbox import Sandbox
from streams.settings import Settings
from tests.fuzz.seeds import SEEDS, WORDS, written_pdf
from tests.fuzz.whole_way import go
from tests.unit.inference.making import page_image

MIB = 2**20
GOAL_MIB = 256
"""Growth of one process until it is replaced: with one for each core, a machine of 1 GB a core does not swap."""


def main() -> None:
    """Runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--pages", type=int, default=150, help="pages for the engine; its answer to one takes a second")
    given = parser.parse_args()
    settings = Settings()
    shown("reader", reader_sizes(given.documents, settings), settings.child_tasks)
    shown("engine", engine_sizes(given.pages), RECYCLE_PAGES)


def shown(name: str, sizes: Sequence[int], recycled_after: int) -> None:
    """One line: sizes in MiB, the slope, and the growth until a process is replaced beside the goal."""
    per_unit = slope(sizes[len(sizes) // 2 :])
    growth_mib = max(0.0, per_unit * recycled_after) / MIB
    early, most, last = (size / MIB for size in (sizes[min(9, len(sizes) - 1)], max(sizes), sizes[-1]))
    print(
        f"{name}: {len(sizes)} done; {early:.0f} MiB after 10, {most:.0f} at most, {last:.0f} at the end; slope {per_unit / 1024:+.1f} KiB each; "
        f"until it is replaced after {recycled_after}: {growth_mib:+.0f} MiB (goal: at most {GOAL_MIB})"
    )


def slope(sizes: Sequence[int]) -> float:
    """Bytes by which each further one adds, by least squares."""
    middle_x, middle_y = (len(sizes) - 1) / 2, sum(sizes) / len(sizes)
    spread = sum((x - middle_x) ** 2 for x in range(len(sizes)))
    return sum((x - middle_x) * (y - middle_y) for x, y in enumerate(sizes)) / spread if spread else 0.0


def reader_sizes(count: int, settings: Settings) -> list[int]:
    """Resident size of one child process after each of `count` documents of all kinds, no two alike, never replaced."""
    box = Sandbox(1, max_tasks=0, memory_bytes=settings.child_memory_bytes, preload=("tests.fuzz.whole_way",), network=False)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return [box.submit(read_and_weigh, folder, number, timeout_s=120).result(200) for number in range(count)]
        finally:
            box.close()


def read_and_weigh(folder: str, number: int) -> int:
    """In the child: takes one document the whole way, and says how large the process is now."""
    kinds = list(SEEDS)
    kind = kinds[number % len(kinds)] if number % 2 else "pdf"
    filename, makers = SEEDS[kind]
    data = changed(written_pdf, number) if kind == "pdf" else makers[number % len(makers)]()
    ended = go(folder, filename, data, Mode.FAST)
    assert not ended.bugs, ended.bugs
    for path in Path(folder).rglob("*"):
        if path.is_file():
            path.unlink()
    return resident_bytes()


def changed(make: Callable[..., bytes], number: int) -> bytes:
    """The document with words of its own on its first page, so that nothing of it is cached."""
    with pymupdf.open(stream=make()) as document:
        words = WORDS.split()
        Random(number).shuffle(words)
        document[0].insert_textbox((72, 640, 520, 780), " ".join(words) + f" {number}")
        return bytes(document.tobytes())


def engine_sizes(count: int) -> list[int]:
    """Resident size of one process of the default engine after each of `count` pages."""
    spec = engines(EngineOptions())[Settings().engine]
    child = EngineChild(spec, page_timeout_s=120)
    sizes = []
    try:
        for number in range(count):
            child.recognize([Unit((PageInput(*drawn(number)),))])
            process = child._process
            assert process is not None
            sizes.append(int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
    finally:
        child.close()
    return sizes


def drawn(number: int) -> tuple[object, bytes]:
    """A page of some lines as an image; sizes differ, as those of scans do."""
    width, height = 420 + 20 * (number % 5), 180 + 20 * (number % 7)
    with pymupdf.open() as document:
        page = document.new_page(width=width, height=height)
        page.insert_textbox((20, 20, width - 20, height - 20), WORDS + str(number), fontsize=14)
        pixels = page.get_pixmap(dpi=100)
    png = bytes(pixels.tobytes("png"))
    return page_image(number + 1, png, pixels.width, pixels.height, 100.0), png


if __name__ == "__main__":
    main()
