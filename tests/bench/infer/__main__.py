"""Recognition measured in one run: `python -m tests.bench.infer [--pages 3] [--tables 6] [--throughput 16] [--only texts,tables,scripts,pace]`.

Accuracy and CPU-seconds of each engine on clean and degraded scans of made pages, how far engines agree, tables, scripts; pages per second of an
engine's processes alone and through the consumer, and how long they wait with 1, 4 and 16 documents in flight; batch against one by one for the
engines in torch. Says what it could not run. Figures of one run are to be compared with each other; other work on the machine spoils seconds.
"""

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from inference.types import PageInput
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.jars import default_cache_dir, fetch_jars
from streams.kafka.java import find_java
from tests.bench.infer import accuracy
from tests.bench.infer.consumer import alone, through
from tests.bench.infer.engines import Bench, runnable
from tests.bench.infer.scanning import scanned
from tests.bench.infer.scripts import SCRIPTS, drawn, text_of

PARTS = ("texts", "tables", "scripts", "pace")
DOCUMENTS = (1, 4, 16)
GOAL_RATIO = 0.95
BATCH = 8


def small_pages(count: int) -> list[PageInput]:
    """Pages of one short paragraph each, all different: what is measured is the way to the engine, not the engine."""
    pages = []
    for number in range(count):
        page = drawn([text_of(SCRIPTS[0], 30, 1_000 + number)], SCRIPTS[0], width=420.0, height=298.0)
        pages.append(scanned(page, 1, seed=number))
        page.parent.close()
    return pages


def pace(benches: Sequence[Bench], pages: Sequence[PageInput], processes: int) -> Iterator[str]:
    """Alone and through the consumer, and what waiting costs by how many documents are in flight."""
    yield f"{'engine processes: ' + str(processes):24} {'alone p/s':>10} {'consumer p/s':>13} {'ratio':>6}   waiting, with documents in flight"
    with tempfile.TemporaryDirectory(prefix="pageloom-bench-kafka-") as folder:
        jars, java = fetch_jars(default_cache_dir(os.environ)), find_java(None, os.environ)
        with EmbeddedKafka(Path(folder), jars, java) as kafka:
            for bench in benches:
                if bench.spec.capabilities.batch_pages > 1:
                    continue  # static batches in one process: measured below
                single = alone(bench.spec, pages, processes)
                flights = {count: through(kafka.bootstrap_servers, bench.spec, _dealt(pages, count), processes) for count in DOCUMENTS}
                most = flights[DOCUMENTS[-1]]
                waits = "  ".join(f"{count}: {flight.waiting(processes):.0%}" for count, flight in flights.items())
                yield (
                    f"{bench.spec.name:24} {single.pages_per_s:10.2f} {most.pages_per_s:13.2f} {most.pages_per_s / single.pages_per_s:6.3f}"
                    f"   alone: {single.waiting(processes):.0%}  {waits}"
                )
                shares = f"CPU-s a page: engine {most.engine_cpu_s / most.pages:.3f}, worker {most.own_cpu_s / most.pages:.3f}"
                yield f"{'':24} {shares}, the engine's share {most.engine_share:.3f}"
    yield f"goal of the ratio: {GOAL_RATIO}"


def _dealt(pages: Sequence[PageInput], documents: int) -> list[list[PageInput]]:
    return [list(pages[number::documents]) for number in range(documents) if pages[number::documents]]


def batches(benches: Sequence[Bench], pages: Sequence[PageInput]) -> Iterator[str]:
    """Static batches against one by one, for engines that batch."""
    batching = [bench for bench in benches if bench.spec.capabilities.batch_pages > 1]
    if not batching:
        yield "batch against one by one: not run, no engine in torch starts here (extra gpu)"
    for bench in batching:
        bench.read(pages[:1])
        started = time.perf_counter()
        for page in pages:
            bench.read([page])
        singly = time.perf_counter() - started
        started = time.perf_counter()
        for first in range(0, len(pages), BATCH):
            bench.read(pages[first : first + BATCH])
        together = time.perf_counter() - started
        rates = f"{len(pages) / singly:.2f} pages/s one by one, {len(pages) / together:.2f} in batches of {BATCH}"
        yield f"{bench.spec.name}: {rates} ({singly / together:.2f} times)"
        yield from _gpu()


def _gpu() -> Iterator[str]:
    """Peak memory and busy share of the GPU, as its driver tells them."""
    import torch  # noqa: PLC0415 - of the extra gpu; whoever gets here has it

    if not torch.cuda.is_available():
        yield "GPU: not measured, this machine has none"
        return
    query = ["nvidia-smi", "--query-gpu=name,utilization.gpu", "--format=csv,noheader"]
    shown = subprocess.run(query, capture_output=True, text=True, check=False).stdout.strip()
    yield f"GPU: peak memory {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB; {shown or 'its driver says nothing of its load'}"


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=3)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--throughput", type=int, default=16)
    parser.add_argument("--only", default=",".join(PARTS))
    wanted = parser.parse_args()
    parts = wanted.only.split(",")
    benches, missing = runnable()
    print(f"{os.cpu_count()} cores; engines: {', '.join(bench.spec.version() for bench in benches)}")
    small = small_pages(wanted.throughput)
    lines = {
        "texts": lambda: accuracy.texts(benches, wanted.pages),
        "tables": lambda: accuracy.tables(benches[0], wanted.tables),
        "scripts": lambda: accuracy.scripts(benches),
        "pace": lambda: pace(benches, small, os.cpu_count() or 1),
    }
    for part in PARTS:
        if part in parts:
            print()
            for line in lines[part]():
                print(line, flush=True)
    print()
    for line in [*batches(benches, small), *missing]:
        print(line)


if __name__ == "__main__":
    main()
