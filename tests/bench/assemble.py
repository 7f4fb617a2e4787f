"""What a page costs in assembly, by the length of its document: `python -m tests.bench.assemble [--pages 20,200,2000] [--rounds N]`.

Each length runs in a process of its own, so that its peak memory is its own. The documents are books with running heads, numbers, headings, sentences
over every page break, cut rows, and a table that goes on for all of the book. Measured are the fold of the events, and finishing as the child
process does it: decoding, choosing, assembling, writing Markdown, JSON and HTML, encoding. Prints CPU time a page and the ratio to the shortest.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from schemas.codec import encode
from schemas.content import Block, PageContent, Source
from schemas.events import DocumentOpened, DocumentOptions, Format, PageExtracted, PageStatus
from streams.assemble.finish.child import FinishTask, finish_document
from streams.assemble.state.document_state import DocumentState
from streams.assemble.state.envelopes import open_envelope
from streams.assemble.state.fold import fold
from tests.unit.assemble.made_documents import HEIGHT, SUBMISSION, WIDTH, block, heading, opened, paragraph, table

GOAL = 1.25
"""The most that a page of the longest document may cost over one of the shortest."""


class Cost(NamedTuple):
    """CPU milliseconds a page, and the most memory of the process in MiB."""

    pages: int
    fold_ms: float
    finish_ms: float
    peak_mib: float
    base_mib: float


def book_page(number: int) -> tuple[Block, ...]:
    """One page: a head, now and then a heading, sentences that run over its end, a table that does, a number."""
    rows = [[f"{number}.{row}", f"name {row} of {number}", str(number * row), "a text of some words"] for row in range(12)]
    if number % 3 == 0:
        rows[0] = ["", "and Sons", "", "that goes on"]
    sentence = "and so it went on and on with well-known words over the end of the co-" if number % 2 else "operation goes on to the"
    start = [heading(f"{number // 5}. Part", 60)] if number % 5 == 0 else []
    prose = [paragraph(f"Paragraph {n} of page {number} says what it says in a few words. " * 3, 100.0 + 30 * n) for n in range(5)]
    below = [table(rows, 300, bottom=780)] if number % 5 else []
    return (block(f"A book, chapter {number // 20}", 30), *start, paragraph(sentence, 80), *prose, *below, block(str(number), 810))


def events(pages: int) -> Iterator[PageExtracted]:
    """The page events of a book."""
    for number in range(1, pages + 1):
        content = PageContent(page=number, width_pt=WIDTH, height_pt=HEIGHT, rotation=0, source=Source.TEXT_LAYER, blocks=book_page(number))
        yield PageExtracted(
            document_id="made", submission=SUBMISSION, page=number, status=PageStatus.EXTRACTED, text_layer_confidence=0.95, reasons=(),
            recognition_requested=False, width_pt=WIDTH, height_pt=HEIGHT, rotation=0, content=content,
        )  # fmt: skip


def folded(asked: DocumentOpened, raw: list[bytes]) -> float:
    """CPU seconds that the fold of all events takes."""
    state = DocumentState()
    started = time.process_time()
    for data in (encode(asked), *raw):
        state.apply(fold(state, "made", open_envelope(data), 1).changes)
    if not state.complete:
        raise RuntimeError(f"{len(raw)} pages do not make the document complete")
    return time.process_time() - started


def measure(pages: int, rounds: int) -> Cost:
    """The best of some rounds."""
    asked = opened(range(1, pages + 1))
    asked = replace(asked, options=DocumentOptions(formats=tuple(Format)))
    base = peak_mib()
    raw = [encode(event) for event in events(pages)]
    folds, finishes = [], []
    with tempfile.TemporaryDirectory(prefix="pageloom-bench-") as blobs:
        task = FinishTask(
            opened=asked, raw_events=tuple(raw), revision=1, blob_url=Path(blobs).as_uri(), trusted_confidence=0.5, inline_bytes=2**18,
            event_bytes=2**20,
        )  # fmt: skip
        for _ in range(rounds):
            folds.append(folded(asked, raw))
            started = time.process_time()
            finish_document(task)
            finishes.append(time.process_time() - started)
    return Cost(pages, 1000 * min(folds) / pages, 1000 * min(finishes) / pages, peak_mib(), base)


def peak_mib() -> float:
    """The most memory that this process had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def main() -> int:
    """The command line; 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", default="20,200,2000")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    costs = []
    for pages in map(int, arguments.pages.split(",")):
        rounds = max(arguments.rounds, 400 // pages)  # short ones are too quick to be timed once
        with get_context("spawn").Pool(1) as pool:
            costs.append(pool.apply(measure, (pages, rounds)))
    first = costs[0]
    print("pages   fold ms/page   finish ms/page   ratio to the shortest   peak memory MiB (before)")
    for cost in costs:
        ratio = (cost.fold_ms + cost.finish_ms) / (first.fold_ms + first.finish_ms)
        print(f"{cost.pages:5}   {cost.fold_ms:12.3f}   {cost.finish_ms:14.3f}   {ratio:21.2f}   {cost.peak_mib:15.0f} ({cost.base_mib:.0f})")
    worst = max((cost.fold_ms + cost.finish_ms) / (first.fold_ms + first.finish_ms) for cost in costs)
    print(f"worst ratio {worst:.2f} (goal {GOAL})")
    return int(worst > GOAL)


if __name__ == "__main__":
    sys.exit(main())
