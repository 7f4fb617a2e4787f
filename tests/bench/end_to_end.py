"""Pages per CPU-second through the whole pipeline, against what any reader of text and ruled tables must at least do; and latency.

`python -m tests.bench.end_to_end [FOLDER] [--rounds N]` takes the PDFs of a folder, or makes some in code. Both sides read the same files in one
run with the same number of reader processes. The baseline is PyMuPDF's `get_text("dict")` without images plus `get_cdrawings()`. On our side the
CPU-seconds of every process count, from publishing to the index, and the broker's.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import psutil
import pymupdf
from msgspec import Struct

from samples.make_samples import harvest
from schemas.events import DocumentFailed, DocumentOptions, Format, Mode
from streams import local
from streams.following import DocumentFinished, Follower
from streams.loading import load_settings
from streams.publishing import Publisher
from streams.settings import Settings

OPTIONS = DocumentOptions(mode=Mode.DISABLE_OCR, formats=(Format.MARKDOWN, Format.JSON))
LATENCY_RUNS = 50
DEADLINE_S = 600.0
GOAL_RATIO, GOAL_LATENCY_S = 0.25, 0.300


def made_files(folder: Path, documents: int = 24) -> list[Path]:
    """Digital documents of 1 to 20 pages with prose and ruled tables; one content stream a page, as programs write them, not one for each line."""
    source, paths = harvest(), []
    for page in source:
        page.clean_contents()
    for number in range(documents):
        copy = pymupdf.open()
        for _ in range(1 + number % 5):
            copy.insert_pdf(source)
        path = folder / f"made-{number}.pdf"
        copy.save(path, garbage=3, deflate=True)
        paths.append(path)
    return paths


def page_counts(paths: Sequence[Path]) -> dict[Path, int]:
    """Pages of each file that opens."""
    counts = {}
    for path in paths:
        try:
            with pymupdf.open(path) as document:
                if not document.needs_pass and len(document):
                    counts[path] = len(document)
        except pymupdf.FileDataError:
            continue
    return counts


def read_baseline(path: Path) -> float:
    """Reads one file as the baseline does; returns its CPU-seconds."""
    started = time.process_time()
    with pymupdf.open(path) as document:
        for page in document:
            page.get_text("dict", flags=pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES)
            page.get_cdrawings()
    return time.process_time() - started


def baseline(paths: Sequence[Path], processes: int) -> tuple[float, float]:
    """CPU-seconds and wall seconds of the baseline over all files."""
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        list(pool.map(read_baseline, paths[:processes]))  # the pool is warm before the clock starts
        started = time.perf_counter()
        cpu = sum(pool.map(read_baseline, paths))
        return cpu, time.perf_counter() - started


def cpu_of(pid: int) -> float:
    """CPU-seconds of a process and everything below it, finished children included."""
    total = 0.0
    process = psutil.Process(pid)
    for member in [process, *process.children(recursive=True)]:
        try:
            times = member.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


def own_cpu_of(pid: int) -> float:
    """CPU-seconds of a process alone."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def through_pipeline(publisher: Publisher, follower: Follower, paths: Sequence[Path], tag: str, options: DocumentOptions = OPTIONS) -> float:
    """Publishes all files and waits for all; returns wall seconds. Raises RuntimeError for a document that fails."""
    started = time.perf_counter()
    waiting = set()
    for number, path in enumerate(paths):
        place = publisher.publish_file(path, f"{tag}-{number}", options)
        waiting.add((place.partition, place.offset))
    deadline = time.monotonic() + DEADLINE_S
    while waiting:
        if time.monotonic() > deadline:
            raise RuntimeError(f"{len(waiting)} documents are not finished after {DEADLINE_S:g} s")
        for _record, event in follower.events(0.5):
            if isinstance(event, DocumentFailed):
                raise RuntimeError(f"{event.filename}: {event.failure.message}")
            if isinstance(event, DocumentFinished):
                waiting.discard((event.submission.partition, event.submission.offset))
    return time.perf_counter() - started


class PipelineCost(Struct, frozen=True):
    """CPU-seconds by process with all below it, the part of each process itself, wall seconds, and the seconds of single pages one by one."""

    spent: dict[str, float]
    own: dict[str, float]
    wall_s: float
    latencies_s: list[float]

    @property
    def cpu_s(self) -> float:
        """Of everything, from publishing to the index, with the broker."""
        return sum(self.spent.values())


def pipeline_cost(
    settings: Settings, paths: Sequence[Path], one_page: Path, *, options: DocumentOptions = OPTIONS, latency_runs: int = LATENCY_RUNS
) -> PipelineCost:
    """Starts a broker and all workers, and sends the files through them. Raises RuntimeError for a document that fails."""
    with local.embedded_broker(settings) as (connected, kafka), local.LocalWorkers(connected, broker=kafka) as workers:
        publisher, follower = Publisher(connected), Follower(connected)
        for number in range(2 * connected.partitions):  # every partition and every child is warm before the clock starts
            through_pipeline(publisher, follower, [one_page], f"warm-{number}", options)
        broker = next(p.pid for p in psutil.Process().children(recursive=True) if "kafka.Kafka" in " ".join(p.cmdline()))
        watched = {"broker": broker, **workers.processes}
        own_before = {name: own_cpu_of(pid) for name, pid in watched.items()}
        before = {name: cpu_of(pid) for name, pid in watched.items()} | {"publish and follow": time.process_time()}
        wall = through_pipeline(publisher, follower, paths, "bench", options)
        after = {name: cpu_of(pid) for name, pid in watched.items()} | {"publish and follow": time.process_time()}
        own = {name: own_cpu_of(pid) - own_before[name] for name, pid in watched.items()}
        latencies = [through_pipeline(publisher, follower, [one_page], f"latency-{number}", options) for number in range(latency_runs)]
        follower.close()
    return PipelineCost({name: after[name] - before[name] for name in after}, own, wall, latencies)


def one_page_file(folder: Path) -> Path:
    """A document of one digital page."""
    path = folder / "one-page.pdf"
    single = pymupdf.open()
    single.insert_pdf(harvest(), to_page=0)
    single.save(path)
    return path


def measure(settings: Settings, files: dict[Path, int], rounds: int, one_page: Path, processes: int) -> None:
    """Runs everything once and prints it."""
    paths = list(files) * rounds
    pages = sum(files.values()) * rounds
    base_cpu, base_wall = baseline(paths, processes)
    cost = pipeline_cost(settings, paths, one_page)
    print(f"{pages} pages of {len(paths)} documents, {processes} reader processes on {os.cpu_count()} cores")
    print(f"baseline: {base_cpu:.2f} CPU-s, {base_wall:.2f} s: {pages / base_cpu:.0f} pages per CPU-s")
    print(f"pipeline: {cost.cpu_s:.2f} CPU-s, {cost.wall_s:.2f} s: {pages / cost.cpu_s:.0f} pages per CPU-s, {pages / cost.wall_s:.0f} pages per s")
    for name, seconds in cost.spent.items():
        below = seconds - cost.own.get(name, seconds)
        note = f" ({1000 * below / pages:.2f} of it in child processes)" if below > 0.05 else ""
        print(f"  {name}: {seconds:.2f} CPU-s, {1000 * seconds / pages:.2f} ms a page{note}")
    print(f"ratio of pages per CPU-s, pipeline / baseline: {base_cpu / cost.cpu_s:.3f} (goal {GOAL_RATIO})")
    quantiles = statistics.quantiles(cost.latencies_s, n=20)
    print(
        f"publish to parsed, one warm page, {LATENCY_RUNS} runs: median {1000 * statistics.median(cost.latencies_s):.0f} ms, "
        f"95th percentile {1000 * quantiles[-1]:.0f} ms (goal: median {1000 * GOAL_LATENCY_S:.0f} ms)"
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="PDF files; without it some are made in code")
    parser.add_argument("--rounds", type=int, default=1, help="how many times each file is published")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pageloom-bench-") as scratch:
        folder = Path(scratch)
        files = page_counts(sorted(arguments.folder.glob("*.pdf")) if arguments.folder else made_files(folder))
        one_page = one_page_file(folder)
        processes = os.cpu_count() or 1
        settings = load_settings(os.environ, data_dir=str(folder / "data"), bootstrap_servers="", read_processes=processes)
        measure(settings, files, arguments.rounds, one_page, processes)


if __name__ == "__main__":
    main()
