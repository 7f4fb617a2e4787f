"""Pages per second of an engine's processes alone, and of the same processes behind the consumer on a broker of its own."""

import queue
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition
from msgspec import Struct
from msgspec.structs import replace

from inference.config import InferConfig
from inference.consumer import run_consumer
from inference.engines.child import EngineChild
from inference.types import EngineSpec, PageInput, Unit
from schemas import codec
from schemas.blobs import BlobStore
from schemas.events import Mode, PageWindowRecognized, PageWindowRequested
from schemas.identity import Submission
from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.clients import close_within, consumer_config, producer_config, reader_config

PAGE_TIMEOUT_S, DEADLINE_S = 120.0, 300.0
SUBMISSION = Submission(topic="bench", partition=0, offset=0, appended_ms=1_700_000_000_000)


class Pace(Struct, frozen=True):
    """What some pages took: wall seconds, and CPU-seconds of the engine processes and of this one, which holds the worker."""

    pages: int
    wall_s: float
    engine_cpu_s: float
    own_cpu_s: float

    @property
    def pages_per_s(self) -> float:
        """Pages per wall second."""
        return self.pages / self.wall_s

    @property
    def engine_share(self) -> float:
        """The share 0..1 of all CPU time that the engine took: what the ratio of pages per second comes to at best where nobody waits, and what can
        be believed of it on a machine that others use.
        """
        return self.engine_cpu_s / max(1e-9, self.engine_cpu_s + self.own_cpu_s)

    def waiting(self, processes: int) -> float:
        """The share 0..1 of the processes' time in which they did not compute."""
        return max(0.0, 1 - self.engine_cpu_s / (self.wall_s * processes))


def alone(spec: EngineSpec, pages: Sequence[PageInput], processes: int) -> Pace:
    """The pages read by so many processes that are never without work."""
    work: queue.SimpleQueue[Unit | None] = queue.SimpleQueue()
    warm, go = threading.Barrier(processes + 1), threading.Barrier(processes + 1)

    def lane() -> None:
        engine = EngineChild(spec, page_timeout_s=PAGE_TIMEOUT_S)
        engine.recognize([Unit((pages[0],))])
        warm.wait()
        go.wait()
        while (unit := work.get()) is not None:
            engine.recognize([unit])
        done.append(time.perf_counter())
        measured.wait()
        engine.close()

    done: list[float] = []
    measured = threading.Barrier(processes + 1)
    threads = [threading.Thread(target=lane) for _ in range(processes)]
    for thread in threads:
        thread.start()
    warm.wait()
    for unit in [*(Unit((page,)) for page in pages), *[None] * processes]:
        work.put(unit)
    cpu, own, started = engine_cpu_s(), time.process_time(), time.perf_counter()
    go.wait()
    while len(done) < processes:
        time.sleep(0.005)
    pace = Pace(len(pages), max(done) - started, engine_cpu_s() - cpu, time.process_time() - own)
    measured.wait()
    for thread in threads:
        thread.join()
    return pace


class Stage:
    """Topics and a blob store of one worker."""

    def __init__(self, bootstrap: str, folder: Path, engine: str) -> None:
        self._bootstrap, self._engine = bootstrap, engine
        suffix = uuid.uuid4().hex[:8]
        self._topics = {name: f"{name}-{suffix}" for name in ("express", "windows", "events", "dead")}
        TopicAdmin(bootstrap).ensure_topics([TopicSpec(name, 1, {}) for name in self._topics.values()])
        self._store = BlobStore(folder.as_uri())
        self._producer = Producer(producer_config(bootstrap, "bench"))
        self._reader = Consumer(reader_config(bootstrap, "bench") | {"enable.partition.eof": False})
        self._reader.assign([TopicPartition(self._topics["events"], 0, OFFSET_BEGINNING)])

    @contextmanager
    def working(self, spec: EngineSpec, processes: int) -> Iterator[None]:
        """A worker in a thread of this process."""
        group = f"bench-{self._topics['windows']}"
        config = InferConfig(
            consumer_config=consumer_config(self._bootstrap, "bench-infer", group, session_timeout_ms=10_000),
            producer_config=producer_config(self._bootstrap, "bench-infer"),
            topics=(self._topics["express"], self._topics["windows"]),
            events_topic=self._topics["events"],
            dead_letter_topic=self._topics["dead"],
            blob_url=self._store.url,
            engine=spec.name,
            engines={spec.name: spec},
            engine_processes=processes,
            leave=close_within,
        )
        stop = threading.Event()
        thread = threading.Thread(target=run_consumer, args=(config, stop))
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
            self._reader.close()

    def send(self, document: str, pages: Sequence[PageInput]) -> None:
        """Asks for the pages of a document, one window each."""
        for number, page in enumerate(pages, 1):
            blob = self._store.put_run(document, SUBMISSION, f"page-{number}.png", page.png)
            request = PageWindowRequested(
                document_id=document,
                submission=SUBMISSION,
                first_page=number,
                last_page=number,
                images=(replace(page.image, page=number, image=blob),),
                engine=self._engine,
                mode=Mode.FAST,
            )
            self._producer.produce(self._topics["windows"], codec.encode(request), document.encode())
        self._producer.flush(10)

    def answers(self, count: int) -> None:
        """Waits for so many answered windows. Raises TimeoutError, and ValueError for a page that failed."""
        deadline = time.monotonic() + DEADLINE_S
        while count:
            message = self._reader.poll(1.0)
            if time.monotonic() > deadline:
                raise TimeoutError("the worker does not answer")
            if message is None or message.error() is not None:
                continue
            event = codec.decode(message.value() or b"", PageWindowRecognized)
            if any(page.failure for page in event.pages):
                raise ValueError(f"a page failed: {event.pages}")
            count -= 1


def through(bootstrap: str, spec: EngineSpec, documents: Sequence[Sequence[PageInput]], processes: int) -> Pace:
    """The pages of documents that are in flight together, read through the consumer; each process is warm before the clock starts."""
    with tempfile.TemporaryDirectory(prefix="pageloom-bench-infer-") as folder:
        stage = Stage(bootstrap, Path(folder), spec.name)
        with stage.working(spec, processes):
            for number in range(processes):
                stage.send(f"warm-{number}", [_marked(documents[0][0], number)])
            stage.answers(processes)
            cpu, own, started = engine_cpu_s(), time.process_time(), time.perf_counter()
            for number, pages in enumerate(documents):
                stage.send(f"document-{number}", pages)
            count = sum(map(len, documents))
            stage.answers(count)
            return Pace(count, time.perf_counter() - started, engine_cpu_s() - cpu, time.process_time() - own)


def _marked(page: PageInput, number: int) -> PageInput:
    """A page that no cache knows: bytes behind the end of a PNG change its hash alone."""
    return replace(page, png=page.png + bytes([number]))


def engine_cpu_s() -> float:
    """CPU-seconds of the engine processes below this one."""
    total = 0.0
    for child in psutil.Process().children(recursive=True):
        try:
            if "inference.engines.child_main" in child.cmdline():
                times = child.cpu_times()
                total += times.user + times.system
        except psutil.NoSuchProcess:
            continue
    return total
