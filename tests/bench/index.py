"""How long a finished document waits until it can be found, while finished documents come in at 1,000 chunks a second.

`python -m tests.bench.index [--index tantivy|opensearch] [--seconds N]` starts a broker, an index worker as a process of its own and, if asked for,
an OpenSearch node, and publishes made documents of 20 chunks, as the aggregator publishes them by default: with their JSON. A document's wait begins
when its record is acknowledged and ends when a search for it finds it. On a machine that others use waits say little: the worker's CPU-seconds do.
"""

import argparse
import os
import random
import statistics
import tempfile
import time
from collections import deque
from contextlib import ExitStack
from pathlib import Path

import msgspec
import psutil

from schemas import codec
from schemas.content import BlockType
from schemas.document import Document, DocumentStatus, FinishedBlock, Region
from schemas.events import DocumentParsed, Format, Rendering
from schemas.identity import Submission
from streams import local
from streams.assemble.render.json import to_json
from streams.index.sink import SearchReader, SinkRefuses, SinkUnavailable
from streams.index.sinks import open_reader
from streams.kafka.clients import producer_config
from streams.kafka.producing import DeliveryError, Place, Producing
from streams.kafka.records import OutputRecord
from streams.loading import load_settings
from streams.settings import Settings
from streams.topics import PARSED

CHUNKS_PER_S = 1_000
CHUNKS_PER_DOCUMENT = 20
GOAL_P95_S = 2.0
CHUNK_WORDS = 200
LOOK_S = 0.05
"""Between two rounds of looking, which take CPU from who is measured; a wait is told that much too long at most."""
LOOKS = 64
"""Documents looked for in one round: all that come in meanwhile, ten times over."""
WARM_UP = 20
"""Documents before the clock starts: every partition has its consumer and the index its files."""
DEADLINE_S = 120.0
"""After the last document: then something is wrong."""


def vocabulary(rng: random.Random) -> list[str]:
    """Words of some letters."""
    return ["".join(rng.choice("abcdefghijklmnoprstuvwz") for _ in range(rng.randint(2, 10))) for _ in range(20_000)]


def parsed(document_id: str, number: int, words: list[str], rng: random.Random) -> bytes:
    """A finished document of 20 pages with one chunk each, encoded."""
    blocks = tuple(
        FinishedBlock(
            id=f"b{page}", type=BlockType.PARAGRAPH, level=None, text=" ".join(rng.choices(words, k=CHUNK_WORDS)), html="", heading_path=(),
            confidence=1.0, regions=(Region(page=page, bbox=(0.0, 0.0, 500.0, 700.0)),),
        )
        for page in range(1, CHUNKS_PER_DOCUMENT + 1)
    )  # fmt: skip
    document = Document(
        document_id=document_id, submission="s", revision=number, content_sha256="", filename=f"{document_id}.pdf", media_type="application/pdf",
        mode="fast", status=DocumentStatus.COMPLETE, page_count=len(blocks), metadata={}, outline=(), warnings=(), pages=(), blocks=blocks,
    )  # fmt: skip
    submission = Submission(topic="documents.ingest", partition=0, offset=number, appended_ms=number)
    return codec.encode(
        DocumentParsed(
            document_id=document_id, submission=submission, revision=number, status="complete", filename=document.filename, content_sha256="",
            document=document, renderings=(Rendering(format=Format.JSON, text=to_json(document)),),
        )
    )  # fmt: skip


class Publisher:
    """Publishes documents one after the other and keeps when each was acknowledged."""

    def __init__(self, settings: Settings) -> None:
        self._producing = Producing(producer_config(settings.bootstrap_servers, "bench", linger_ms=0))
        self.acknowledged_s: dict[str, float] = {}

    def publish(self, document_id: str, value: bytes) -> None:
        """Queues one."""

        def acknowledged(result: Place | DeliveryError) -> None:
            if isinstance(result, DeliveryError):
                raise result
            self.acknowledged_s[document_id] = time.monotonic()

        self._producing.produce(OutputRecord(PARSED.name, document_id.encode(), value), acknowledged)

    def serve(self, timeout_s: float) -> None:
        """Takes acknowledgements."""
        self._producing.serve(timeout_s)


def waits(settings: Settings, values: dict[str, bytes]) -> tuple[list[float], float]:
    """Publishes all at the rate, and finds all; gives back how long each waited, and the seconds of publishing."""
    publisher, reader = Publisher(settings), _reader(settings)
    interval_s = CHUNKS_PER_DOCUMENT / CHUNKS_PER_S
    found_s: dict[str, float] = {}
    to_find: deque[str] = deque()
    to_publish = deque(values.items())
    started_s = next_s = look_s = time.monotonic()
    published_s = 0.0
    while to_publish or to_find:
        now_s = time.monotonic()
        while to_publish and now_s >= next_s:
            document_id, value = to_publish.popleft()
            publisher.publish(document_id, value)
            to_find.append(document_id)
            next_s += interval_s
            published_s = time.monotonic() - started_s
        publisher.serve(0.002)
        if now_s < look_s:
            continue
        look_s = now_s + LOOK_S
        for _ in range(min(len(to_find), LOOKS)):  # partitions are indexed side by side, so any may be next
            if reader.search(f'document:"{to_find[0]}"', 1).hits:
                found_s[to_find[0]] = time.monotonic()
                to_find.popleft()
            else:
                to_find.rotate(-1)
        if not to_publish and now_s - started_s > published_s + DEADLINE_S:
            raise RuntimeError(f"{len(to_find)} documents are not found {DEADLINE_S:g} s after the last")
    return [found_s[name] - publisher.acknowledged_s[name] for name in values], published_s


def _reader(settings: Settings) -> SearchReader:
    """Waits until the worker has made the index."""
    deadline = time.monotonic() + DEADLINE_S
    while True:
        try:
            reader = open_reader(settings)
            reader.search("document:none", 1)
        except (FileNotFoundError, SinkRefuses, SinkUnavailable):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return reader


def cpu_s(workers: local.LocalWorkers) -> float:
    """CPU-seconds that the workers have spent."""
    times = [psutil.Process(pid).cpu_times() for pid in workers.processes.values()]
    return sum(spent.user + spent.system for spent in times)


def size_of(folder: Path) -> int:
    """Bytes of the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", choices=("tantivy", "opensearch"), default="tantivy")
    parser.add_argument("--seconds", type=int, default=30)
    arguments = parser.parse_args()
    rng = random.Random(7)
    words = vocabulary(rng)
    count = arguments.seconds * CHUNKS_PER_S // CHUNKS_PER_DOCUMENT
    values = {f"bench-{number}": parsed(f"bench-{number}", number, words, rng) for number in range(1, count + 1)}
    with tempfile.TemporaryDirectory(prefix="pageloom-bench-") as scratch, ExitStack() as stack:
        settings = load_settings(os.environ, data_dir=f"{scratch}/data", bootstrap_servers="", search_index=arguments.index)
        if arguments.index == "opensearch":
            from tests.search_node.node import SearchNode  # noqa: PLC0415 - fetches 69 MB of jars

            node = stack.enter_context(SearchNode(Path(scratch) / "node"))
            settings = msgspec.structs.replace(settings, opensearch_url=node.url)
        connected, kafka = stack.enter_context(local.embedded_broker(settings))
        workers = stack.enter_context(local.LocalWorkers(connected, (("index",),), broker=kafka))
        waits(connected, {f"warm-{number}": parsed(f"warm-{number}", number, words, rng) for number in range(1, WARM_UP + 1)})
        before_s = cpu_s(workers)
        waited, published_s = waits(connected, values)
        spent_s = cpu_s(workers) - before_s
        chunks = len(values) * CHUNKS_PER_DOCUMENT
        quantiles = statistics.quantiles(waited, n=20)
        print(f"{arguments.index}: {chunks} chunks of {len(values)} documents in {published_s:.1f} s, {chunks / published_s:.0f} chunks a second")
        print(
            f"parsed to found: median {statistics.median(waited):.2f} s, 95th percentile {quantiles[-1]:.2f} s (goal: {GOAL_P95_S:g} s), "
            f"longest {max(waited):.2f} s"
        )
        print(f"index worker: {1000 * spent_s / chunks:.2f} CPU-seconds for 1,000 chunks; load of the machine {os.getloadavg()[0]:.1f}")
        if arguments.index == "tantivy":
            size = size_of(connected.index_path)
            text = sum(len(value) for value in values.values())
            print(f"index: {size / chunks:.0f} bytes a chunk of {text / chunks:.0f} bytes")


if __name__ == "__main__":
    main()
