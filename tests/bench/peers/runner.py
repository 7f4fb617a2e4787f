"""Runs one reader over files and writes what it cost: `python runner.py READER RESULT_JSON MARKDOWN_FOLDER FILE...`.

Stands alone: it runs in the environment of each reader, where nothing of ours need exist. Imports do not count, nor does what a reader loads for
its first files: they are read once beforehand, for `WARM_UP_S`. CPU-seconds are user and system time of this process and its finished children.
A file that raises costs itself, and is named.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

WARM_UP_S = 5.0
"""Wall seconds of reading before the clock starts: a quick reader has then read most files, and a slow one has loaded its models."""
Read = Callable[[Path], tuple[int, Callable[[], str]]]
"""Reads a file; (pages, what gives its text once the clock has stopped). Pages are 0 where the reader does not say."""


def baseline(_paths: list[Path]) -> Read:
    """What any reader of text and ruled tables must at least do."""
    import pymupdf  # noqa: PLC0415 - each reader has its library alone

    flags = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES

    def text(path: Path) -> str:
        with pymupdf.open(path) as document:
            return "\n".join(page.get_text() for page in document)

    def read(path: Path) -> tuple[int, Callable[[], str]]:
        with pymupdf.open(path) as document:
            for page in document:
                page.get_text("dict", flags=flags)
                page.get_cdrawings()
            return len(document), lambda: text(path)

    return read


def pageloom(paths: list[Path]) -> Read:
    """Our reader, by the range, as a reader process runs it; another stage has counted the pages before."""
    sys.path.insert(0, os.getcwd())
    from tests.bench.reader_alone import count_pages, read_pages, text_of  # noqa: PLC0415 - as above

    pages = {path: count_pages(path) for path in paths}

    def read(path: Path) -> tuple[int, Callable[[], str]]:
        found = read_pages(path, pages[path])
        return pages[path], lambda: text_of(found)

    return read


def liteparse(_paths: list[Path]) -> Read:
    """liteparse in this process, by one thread."""
    from liteparse import LiteParse  # noqa: PLC0415 - as above

    parser = LiteParse(ocr_enabled=False, output_format="markdown", quiet=True, num_workers=1)

    def read(path: Path) -> tuple[int, Callable[[], str]]:
        result = parser.parse(path)
        return len(result.pages), lambda: result.text

    return read


def kreuzberg(_paths: list[Path]) -> Read:
    """kreuzberg without its cache, which would answer a second run from disk."""
    from kreuzberg import ExtractionConfig, extract_file_sync  # noqa: PLC0415 - as above

    settings = ExtractionConfig(use_cache=False, output_format="markdown")

    def read(path: Path) -> tuple[int, Callable[[], str]]:
        result = extract_file_sync(path, config=settings)
        return int(result.metadata.get("page_count") or 0), lambda: result.content

    return read


def pymupdf4llm(_paths: list[Path]) -> Read:
    """pymupdf4llm as it is by default, but for recognition."""
    import pymupdf  # noqa: PLC0415 - as above
    import pymupdf4llm as library  # noqa: PLC0415 - as above

    def read(path: Path) -> tuple[int, Callable[[], str]]:
        with pymupdf.open(path) as document:
            text = library.to_markdown(document, use_ocr=False)
            return len(document), lambda: text

    return read


def opendataloader_all(paths: list[Path], folder: Path) -> dict[Path, tuple[int, Callable[[], str]]]:
    """opendataloader over all files in one call: it starts a Java process a call, and means it to read many."""
    import opendataloader_pdf  # noqa: PLC0415 - as above

    opendataloader_pdf.convert(input_path=[str(path) for path in paths], output_dir=str(folder), format="markdown", quiet=True, image_output="off")
    return {path: (0, partial(_text_in, folder / f"{path.stem}.md")) for path in paths}


def _text_in(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


READERS: dict[str, Callable[[list[Path]], Read]] = {
    "PyMuPDF baseline": baseline,
    "pageloom reader": pageloom,
    "liteparse": liteparse,
    "kreuzberg": kreuzberg,
    "pymupdf4llm": pymupdf4llm,
}


def cpu_seconds() -> float:
    """User and system time of this process and of its children that have ended."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def warm_up(read: Read, paths: list[Path]) -> None:
    """Reads files until the time is over; what raises will raise again when it counts."""
    started = time.perf_counter()
    for path in paths:
        if time.perf_counter() - started > WARM_UP_S:
            return
        with suppress(Exception):
            read(path)


def memory_mb() -> float:
    """The most that this process or one of its children held. Of this one by the kernel's own account: `ru_maxrss` keeps what the process that
    started it held.
    """
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii", errors="replace").splitlines() if status.is_file() else []
    own = next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def run(name: str, paths: list[Path], folder: Path) -> dict[str, object]:
    """Reads every file; what it cost and what came of each."""
    read = READERS[name](paths) if name in READERS else None
    files: list[dict[str, object]] = []
    texts: dict[Path, tuple[int, Callable[[], str]]] = {}
    if read is not None:
        warm_up(read, paths)
    started_cpu, started = cpu_seconds(), time.perf_counter()
    if read is None:
        texts = opendataloader_all(paths, folder)
    else:
        for path in paths:
            try:
                texts[path] = read(path)
            except Exception as error:  # noqa: BLE001 - whatever a peer raises is what became of this file
                files.append({"name": path.name, "pages": 0, "characters": 0, "error": f"{type(error).__name__}: {error}"[:300]})
    cpu_s, wall_s = cpu_seconds() - started_cpu, time.perf_counter() - started
    for path, (pages, said) in texts.items():
        text = said()
        files.append({"name": path.name, "pages": pages, "characters": len(text), "error": ""})
        (folder / f"{path.name}.md").write_text(text, encoding="utf-8", errors="replace")
    return {"cpu_s": cpu_s, "wall_s": wall_s, "memory_mb": memory_mb(), "files": files}


def main() -> None:
    """The command line."""
    name, result, folder, *files = sys.argv[1:]
    found = run(name, [Path(file) for file in files], Path(folder))
    Path(result).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
