"""Pages per CPU-second: PyMuPDF as the baseline, our reader alone and through Kafka, and other parsers, over the same files in one run.

`python -m tests.bench.reading [FOLDER] [--corpus DIR] [--environments DIR] [--keep DIR]` takes the PDFs of FOLDER, or makes some in code and adds the
`icdar2013` files of a corpus. Each peer is installed into an environment of its own below --environments (made once) and run as a child under a time
limit; one that cannot be installed, crashes, hangs or returns nothing has a line that says so. With --keep the Markdown of each is kept below DIR,
for `tests.bench.quality` to score. Imports do not count. Ratios of one run may be trusted where the machine is not idle; seconds may not.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from schemas.events import DocumentOptions, Format, Mode
from streams.kafka.errors import JavaError
from streams.kafka.java import find_java
from streams.loading import load_settings
from tests.bench import end_to_end
from tests.bench.peers.catalogue import BASELINE, OURS, PEERS, Reader
from tests.bench.peers.children import Cost, NoResult, run_reader
from tests.bench.peers.environments import NotInstalled, python_of

MADE_DOCUMENTS = 8
"""Of the benchmark from end to end: some 80 pages. The slowest peer reads one page a second."""
KAFKA_PAGES = 1_000
"""The files go through the pipeline as often as gives so many pages: what a broker and workers cost at their start would else count as reading."""
TIME_LIMIT_S = 900.0
"""For one reader over all files."""
THROUGH_KAFKA, POOLED = "pageloom through Kafka", "PyMuPDF baseline, as many processes"
GOALS: tuple[tuple[str, str, float], ...] = (
    (THROUGH_KAFKA, POOLED, 0.5),
    (THROUGH_KAFKA, "pymupdf4llm", 30.0),
    (OURS.name, "liteparse", 1.0),
)
"""(one, other, least ratio of their pages per CPU-second)."""


class Row(Struct, frozen=True):
    """A line of the table: CPU-seconds a page, or why there are none."""

    name: str
    cpu_s_per_page: float | None
    text: str


def measured(reader: Reader, paths: Sequence[Path], pages: int, environments: Path, keep: Path) -> Row:
    """Runs a reader that has a process of its own."""
    try:
        python = python_of(reader, environments)
        cost = run_reader(python, reader.name, paths, keep / reader.name, timeout_s=TIME_LIMIT_S, path_first=_java_folder())
    except NotInstalled as error:
        return Row(reader.name, None, f"skipped: {error}")
    except NoResult as error:
        return Row(reader.name, None, f"no result: {error}")
    return Row(reader.name, cost.cpu_s / pages, _told(cost, pages, reader.remark))


def _told(cost: Cost, pages: int, remark: str) -> str:
    said = sum(file.pages for file in cost.files)
    count = f", {said} pages said" if said not in {0, pages} else ""
    lacking = f", nothing of {len(cost.without_text)} files ({', '.join(cost.without_text[:3])})" if cost.without_text else ""
    return f"{cost.wall_s:.1f} s, {cost.memory_mb:.0f} MB, {cost.characters:,} characters{count}{lacking}; {remark}"


def _java_folder() -> Path | None:
    """Where a Java is, for the peer that needs one: the one that runs our broker."""
    try:
        return find_java(None, os.environ).parent
    except JavaError:
        return None


def through_kafka(files: Mapping[Path, int], scratch: Path) -> list[Row]:
    """The baseline in a pool of as many processes as the pipeline has readers, and the pipeline."""
    processes = os.cpu_count() or 1
    settings = load_settings(os.environ, data_dir=str(scratch / "data"), bootstrap_servers="", read_processes=processes)
    options = DocumentOptions(mode=Mode.FAST, formats=(Format.MARKDOWN, Format.JSON))
    rounds = max(1, round(KAFKA_PAGES / sum(files.values())))
    paths, pages = list(files) * rounds, sum(files.values()) * rounds
    base_cpu, base_wall = end_to_end.baseline(paths, processes)
    cost = end_to_end.pipeline_cost(settings, paths, end_to_end.one_page_file(scratch), options=options, latency_runs=0)
    each = ", ".join(f"{name} {1000 * seconds / pages:.2f} ms" for name, seconds in cost.spent.items())
    return [
        Row(POOLED, base_cpu / pages, f"{base_wall:.1f} s, {pages} pages, {processes} processes"),
        Row(THROUGH_KAFKA, cost.cpu_s / pages, f"{cost.wall_s:.1f} s, {pages} pages, {processes} reader processes; {each}"),
    ]


def print_row(row: Row) -> None:
    """A line of the table, as soon as its reader is done."""
    each = row.cpu_s_per_page
    print(f"{row.name:<36}{f'{1000 * each:8.2f} ms a page {1 / each:8.1f} pages/CPU-s  ' if each else ''}{row.text}", flush=True)


def print_goals(cpu_s_per_page: Mapping[str, float | None]) -> bool:
    """The ratios that are asked for; whether none is missed."""
    fine = True
    for one, other, least in GOALS:
        ours, theirs = cpu_s_per_page.get(one), cpu_s_per_page.get(other)
        if not ours or not theirs:
            print(f"{one} / {other}: not measured (goal {least:g})")
            continue
        holds = theirs / ours >= least
        fine = fine and holds
        print(f"{one} / {other}: {theirs / ours:.3f} (goal {least:g}) {'holds' if holds else 'MISSED'}")
    return fine


def main() -> int:
    """The command line; exit code 1 where a ratio is below its goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="PDF files; without it some are made in code")
    parser.add_argument("--corpus", type=Path, help="folder with icdar2013, to be added to what is made in code")
    parser.add_argument("--environments", type=Path, help="where the peers are installed; without it none is run")
    parser.add_argument("--keep", type=Path, help="where the Markdown of each reader is kept")
    parser.add_argument("--only", default="", help="names of peers, comma-separated; without it all")
    parser.add_argument("--no-kafka", action="store_true", help="leave the pipeline out")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pageloom-bench-") as name:
        scratch = Path(name)
        paths = sorted(arguments.folder.glob("*.pdf")) if arguments.folder else end_to_end.made_files(scratch, MADE_DOCUMENTS)
        if arguments.corpus and not arguments.folder:
            paths += sorted((arguments.corpus / "icdar2013").glob("*.pdf"))
        files = end_to_end.page_counts([path.resolve() for path in paths])
        if not files:
            print("there is no PDF that opens: nothing was measured", file=sys.stderr)
            return 2
        return run_all(files, arguments, scratch)


def run_all(files: Mapping[Path, int], arguments: argparse.Namespace, scratch: Path) -> int:
    """Every reader in turn, then the goals."""
    pages, keep = sum(files.values()), arguments.keep or scratch / "kept"
    print(f"{pages} pages of {len(files)} files on {os.cpu_count()} cores", flush=True)
    chosen = set(filter(None, arguments.only.split(",")))
    peers = [peer for peer in PEERS if arguments.environments and (not chosen or peer.name in chosen)]
    rows: list[Row] = []
    for reader in (BASELINE, OURS, *peers):
        rows.append(measured(reader, list(files), pages, (arguments.environments or scratch).resolve(), keep.resolve()))
        print_row(rows[-1])
    if not arguments.no_kafka:
        rows += (kafka := through_kafka(files, scratch))
        for row in kafka:
            print_row(row)
    return 0 if print_goals({row.name: row.cpu_s_per_page for row in rows}) else 1


if __name__ == "__main__":
    sys.exit(main())
