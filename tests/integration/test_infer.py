"""Recognition on a real broker with the real engine: windows in, their answers out, whatever happens to the engine."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pymupdf
import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition
from rapidfuzz.distance import Levenshtein

from inference.config import InferConfig
from inference.consumer import run_consumer
from inference.desk import InferCounts
from inference.types import EngineSpec
from schemas import codec
from schemas.blobs import BlobStore
from schemas.content import PageContent
from schemas.errors import Code
from schemas.events import DeadLettered, DocumentCancelled, Mode, PageImage, PageWindowRecognized, PageWindowRequested
from schemas.identity import Submission
from streams.kafka.clients import close_within, consumer_config, producer_config, reader_config
from streams.kafka.embedded import EmbeddedKafka
from tests.conftest import NewTopic
from tests.unit.inference.engine_for_tests import spec_of
from tests.unit.inference.making import png_of, white
from tests.waiting import wait_until

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=3, appended_ms=1_700_000_000_000)
TEXT = {
    1: "The committee met on Tuesday and approved the budget for the coming year.\nRepairs of the northern bridge begin in April.",
    2: "Invoice number 48213 was paid in full.\nThe remaining goods are expected next week.",
    3: "Rainfall in the valley reached 612 millimetres,\nthe highest value since records began.",
}


class Stage:
    """The topics and the store of one worker, and what stands on its output topics."""

    def __init__(self, kafka: EmbeddedKafka, new_topic: NewTopic, folder: Path) -> None:
        self.bootstrap = kafka.bootstrap_servers
        self.express, self.windows = new_topic("windows-express", partitions=2), new_topic("windows", partitions=2)
        self.events, self.dead_letters, self.control = new_topic("events"), new_topic("dead"), new_topic("control")
        self.group = f"infer-{self.windows}"
        self.store = BlobStore(folder.as_uri())
        self.counts = InferCounts()
        self._producer = Producer(producer_config(self.bootstrap, "test"))
        self._reader = Consumer(reader_config(self.bootstrap, "test") | {"enable.partition.eof": False})
        self._reader.assign([TopicPartition(topic, 0, OFFSET_BEGINNING) for topic in (self.events, self.dead_letters)])
        self.answers: list[PageWindowRecognized] = []
        self.letters: list[DeadLettered] = []
        self.cancelled: list[str] = []

    def config(self, **changes: Any) -> InferConfig:
        values: dict[str, Any] = {
            "consumer_config": consumer_config(self.bootstrap, "test-infer", self.group, session_timeout_ms=6_000),
            "producer_config": producer_config(self.bootstrap, "test-infer"),
            "topics": (self.express, self.windows),
            "events_topic": self.events,
            "dead_letter_topic": self.dead_letters,
            "control_topic": self.control,
            "control_config": reader_config(self.bootstrap, "test-control") | {"enable.partition.eof": False},
            "blob_url": self.store.url,
            "engine_processes": 1,
            "leave": close_within,
        }
        return InferConfig(**values | changes)

    @contextmanager
    def running(self, **changes: Any) -> Iterator[None]:
        """A worker in a thread; what ended it early is raised at the end."""
        stop, errors = threading.Event(), []

        def run() -> None:
            try:
                run_consumer(self.config(**changes), stop, self.counts)
            except BaseException as error:
                errors.append(error)
                raise

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join(30)
        assert not thread.is_alive()
        assert not errors

    def send(self, topic: str, value: bytes, key: str = "d") -> None:
        self._producer.produce(topic, value, key.encode())
        assert self._producer.flush(10) == 0

    def look(self) -> None:
        while (message := self._reader.poll(0.05)) is not None:
            assert message.error() is None
            value = message.value() or b""
            if message.topic() == self.events and codec.name_of(value) == DocumentCancelled.__name__:
                self.cancelled.append(codec.decode(value, DocumentCancelled).document_id)
                assert not self.of(self.cancelled[-1]), "its answer came before the cancellation"
            elif message.topic() == self.events:
                self.answers.append(codec.decode(value, PageWindowRecognized))
                assert message.key() == self.answers[-1].document_id.encode()
            else:
                self.letters.append(codec.decode(value, DeadLettered))

    def wait(self, condition: Callable[[], bool], what: str, timeout_s: float = 60.0) -> None:
        def met() -> bool:
            self.look()
            return condition()

        wait_until(met, timeout_s, what)

    def request(self, document: str, images: Mapping[int, PageImage], engine: str = "rapidocr", offset: int = 3) -> bytes:
        pages = sorted(images)
        return codec.encode(
            PageWindowRequested(
                document_id=document,
                submission=Submission(topic="documents.ingest", partition=0, offset=offset, appended_ms=1_700_000_000_000),
                first_page=pages[0],
                last_page=pages[-1],
                images=tuple(images[page] for page in pages),
                engine=engine,
                mode=Mode.FAST,
            )
        )

    def image(self, document: str, page: int, png: bytes, width_px: int, height_px: int) -> PageImage:
        reference = self.store.put_run(document, SUBMISSION, f"page-{page}.png", png)
        return PageImage(
            page=page,
            image=reference,
            pixels_sha256=reference.sha256,
            width_px=width_px,
            height_px=height_px,
            dpi=150,
            width_pt=width_px * 72 / 150,
            height_pt=height_px * 72 / 150,
            rotation=0,
        )

    def rendered(self, document: str, page: int, text: str, turned: int = 0) -> PageImage:
        """A page of text as a scan would have it: only pixels."""
        source = pymupdf.open()
        sheet = source.new_page(width=420, height=297)
        sheet.insert_text((40, 60), text.split("\n"), fontsize=10, fontname="helv")
        sheet.set_rotation(turned)
        pixmap = sheet.get_pixmap(dpi=150, alpha=False)
        return self.image(document, page, pixmap.tobytes("png"), pixmap.width, pixmap.height)

    def white(self, document: str, page: int, word: str = "") -> PageImage:
        """A page for the engine made for tests."""
        return self.image(document, page, png_of(white()) + word.encode(), 60, 40)

    def of(self, document: str) -> list[PageWindowRecognized]:
        return [answer for answer in self.answers if answer.document_id == document]


@pytest.fixture
def stage(kafka: EmbeddedKafka, new_topic: NewTopic, tmp_path: Path) -> Stage:
    return Stage(kafka, new_topic, tmp_path / "blobs")


def text_of(content: PageContent) -> str:
    return "".join(" ".join(block.text for block in content.blocks).lower().split())


def assert_reads(content: PageContent | None, text: str) -> None:
    assert content is not None
    wanted = "".join(text.lower().split())
    assert Levenshtein.normalized_distance(text_of(content), wanted) < 0.03, text_of(content)


def engine_processes() -> list[psutil.Process]:
    return [p for p in psutil.Process().children(recursive=True) if any("child_main" in part for part in p.cmdline())]


def test_pages_are_read_and_cached_and_bad_records_cost_a_dead_letter(stage: Stage) -> None:
    pages = {page: stage.rendered("scan", page, text) for page, text in TEXT.items()}
    with stage.running():
        stage.send(stage.windows, b"not an event")
        stage.send(stage.windows, stage.request("scan", pages))
        stage.send(stage.express, stage.request("turned", {1: stage.rendered("turned", 1, TEXT[1], turned=180)}))
        stage.send(stage.windows, stage.request("wrong engine", {1: pages[1]}, engine="no such engine"))
        stage.wait(lambda: len(stage.answers) == 3 and len(stage.letters) == 1, "three answers and a dead letter")
        (scan,), (turned,), (wrong,) = stage.of("scan"), stage.of("turned"), stage.of("wrong engine")
        assert [page.page for page in scan.pages] == [1, 2, 3]
        for page in scan.pages:
            assert_reads(page.content, TEXT[page.page])
            assert page.confidence > 0.9
            assert not page.cached
        assert_reads(turned.pages[0].content, TEXT[1])
        assert {block.rotation for block in turned.pages[0].content.blocks} == {180}  # type: ignore[union-attr]
        assert wrong.pages[0].failure is not None
        assert wrong.pages[0].failure.code is Code.ENGINE_UNKNOWN
        assert stage.letters[0].value == b"not an event"
        # The same pages in another submission are not read again.
        stage.send(stage.windows, stage.request("scan", pages, offset=4))
        stage.wait(lambda: len(stage.of("scan")) == 2, "the second answer")
        assert all(page.cached for page in stage.of("scan")[1].pages)
        assert [page.content for page in stage.of("scan")[1].pages] == [page.content for page in scan.pages]
    assert stage.counts.windows == 5
    # All is committed: a second worker finds nothing to do.
    again = InferCounts()
    stage.counts = again
    with stage.running():
        stage.send(stage.windows, stage.request("last", {1: pages[1]}))
        stage.wait(lambda: len(stage.of("last")) == 1, "the answer of the second worker")
    assert again.windows == 1


def test_an_engine_killed_in_the_middle_is_replaced_and_its_page_is_read(stage: Stage) -> None:
    pages = {page: stage.rendered("scan", page, text) for page, text in TEXT.items()}
    with stage.running():
        stage.send(stage.windows, stage.request("scan", pages))
        victim = wait_until(engine_processes, 30, "an engine process")[0]
        wait_until(lambda: sum(victim.cpu_times()[:2]) > 1.0, 30, "the engine process at work")
        victim.kill()
        stage.wait(lambda: len(stage.answers) == 1, "the answer")
    for page in stage.answers[0].pages:
        assert_reads(page.content, TEXT[page.page])


def test_windows_beyond_the_queue_wait_on_the_log_and_none_is_lost(stage: Stage) -> None:
    spec: EngineSpec = spec_of()
    with stage.running(engines={"test": spec}, engine="test", window_queue=3):
        for n in range(40):
            stage.send(stage.express if n % 4 == 0 else stage.windows, stage.request(f"d{n}", {1: stage.white(f"d{n}", 1)}, engine="test"))
        stage.wait(lambda: len({answer.document_id for answer in stage.answers}) == 40, "all answers")
    assert len(stage.answers) == 40


def test_a_worker_that_is_stopped_leaves_what_waits_to_the_next(stage: Stage) -> None:
    spec = spec_of()
    with stage.running(engines={"test": spec}, engine="test", page_timeout_s=60.0, stop_timeout_s=1.0):
        stage.send(stage.windows, stage.request("slow", {1: stage.white("slow", 1, "hang")}, engine="test"))
        wait_until(lambda: stage.counts.windows == 1, 30, "the worker has it")
        started = time.monotonic()
    assert time.monotonic() - started < 10
    assert not engine_processes()
    stage.store.put_run("slow", SUBMISSION, "page-1.png", b"no longer what the reference says")
    with stage.running(engines={"test": spec}, engine="test"):
        stage.wait(lambda: len(stage.answers) == 1, "the answer")
    failure = stage.answers[0].pages[0].failure
    assert failure is not None
    assert failure.code is Code.BLOB_MISSING


def test_waiting_windows_of_a_cancelled_document_are_answered_as_cancelled(stage: Stage) -> None:
    with stage.running(engines={"test": spec_of()}, engine="test", page_timeout_s=8.0):
        stage.send(stage.windows, stage.request("slow", {1: stage.white("slow", 1, "hang")}, engine="test"))
        wait_until(lambda: stage.counts.windows == 1, 30, "the worker has the first")
        stage.send(stage.windows, stage.request("given up", {1: stage.white("given up", 1)}, engine="test"))
        wait_until(lambda: stage.counts.windows == 2, 30, "the worker has both")
        stage.send(stage.control, codec.encode(DocumentCancelled(document_id="given up", requested_ms=1_800_000_000_000)))
        stage.wait(lambda: len(stage.of("given up")) == 1, "the answer")
        failure = stage.of("given up")[0].pages[0].failure
        assert failure is not None
        assert failure.code is Code.CANCELLED
        assert stage.cancelled == ["given up"]
        stage.wait(lambda: len(stage.of("slow")) == 1, "the answer of the slow one")
        slow = stage.of("slow")[0].pages[0].failure
        assert slow is not None
        assert slow.code is Code.TIMED_OUT


@pytest.mark.parametrize("lane", ["windows", "express"])
def test_a_second_worker_takes_its_share_of_each_topic_and_leaves_it_again(stage: Stage, lane: str) -> None:
    topic = {"windows": stage.windows, "express": stage.express}[lane]

    def send(numbers: range) -> None:
        for n in numbers:
            stage.send(topic, stage.request(f"d{n}", {1: stage.white(f"d{n}", 1, f"pause {n}")}, engine="test"), key=f"d{n}")

    def answered(numbers: range) -> bool:
        return {f"d{n}" for n in numbers} <= {answer.document_id for answer in stage.answers}

    with stage.running(engines={"test": spec_of()}, engine="test"):
        send(range(20))
        first = stage.counts
        stage.counts = InferCounts()
        with stage.running(engines={"test": spec_of()}, engine="test"):
            wait_until(lambda: first.windows, 30, "the first worker at work")
            number = 20
            while not stage.counts.answered:
                assert number < 2_000, f"the second worker never got a partition of {topic}"
                send(range(number, number + 4))
                number += 4
                stage.look()
            stage.wait(lambda: answered(range(number)), "all answers of two workers")
        send(range(number, number + 8))
        stage.wait(lambda: answered(range(number + 8)), "the answers of the first worker alone")


def test_a_killed_worker_takes_its_engine_along_and_the_next_one_answers(stage: Stage) -> None:
    topics = [stage.express, stage.windows, stage.events, stage.dead_letters]
    command = [sys.executable, "-m", "tests.integration.infer_worker", stage.bootstrap, stage.group, stage.store.url, *topics]
    for n in range(60):
        stage.send(stage.windows, stage.request(f"d{n}", {1: stage.white(f"d{n}", 1, f"pause {n}")}, engine="test"), key=f"d{n}")
    worker = subprocess.Popen(command)
    try:
        stage.wait(lambda: len(stage.answers) >= 3, "the first answers")
        engines = engine_processes()
        assert engines
        worker.kill()
        worker.wait(10)
        wait_until(lambda: not any(engine.is_running() and engine.status() != psutil.STATUS_ZOMBIE for engine in engines), 10, "the engine's end")
        assert len({answer.document_id for answer in stage.answers}) < 60
        worker = subprocess.Popen(command)
        stage.wait(lambda: len({answer.document_id for answer in stage.answers}) == 60, "all answers")
        assert all(answer.pages[0].failure is None for answer in stage.answers)
        worker.terminate()
        assert worker.wait(20) == 0
    finally:
        worker.kill()
        worker.wait(10)
