"""Real child processes and real signals: a document that kills its children fails alone, and says by which signal."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas import codec
from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError
from schemas.events import DocumentOpened, DocumentOptions, DocumentRejected, PageExtracted, PageFailed, PageRangeReady
from schemas.identity import Submission
from streams.agents import open_stage
from streams.agents.open_stage import OpenStage
from streams.agents.read_stage import ReadStage
from streams.ingest.opening import OpenTask
from streams.kafka.records import Record
from streams.read.page_events import ReadTask
from streams.sandbox import Sandbox
from streams.settings import Settings
from tests.unit.ingest import documents

MARK = b"% this kills its parser"


def with_planted_crash(function: Callable[..., Any], task: Any) -> Any:
    """In the child: a document with the mark kills it; of a range only where page 3 is in it."""
    if isinstance(task, OpenTask):
        doomed = MARK in Path(task.blob_url.removeprefix("file://"), task.document.name).read_bytes()
    else:
        assert isinstance(task, ReadTask)
        doomed = task.first_page <= 3 <= task.last_page and MARK in Path(task.path).read_bytes()
    if doomed:
        with Path(task.blob_url.removeprefix("file://"), "deaths").open("a") as deaths:
            deaths.write("x")
        os.kill(os.getpid(), signal.SIGSEGV)
    return function(task)


class Planted:
    """Children in which the crash is planted."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box

    async def call(self, function: Callable[..., Any], *args: object, timeout_s: float, limit_setting: str) -> Any:
        return await self._box.call(with_planted_crash, function, *args, timeout_s=timeout_s)


@pytest.fixture(scope="module")
def children() -> Iterator[Planted]:
    box = Sandbox(2, max_tasks=100, memory_bytes=2**30, preload=("streams.read.range_reader", "streams.ingest.opening"), network=False)
    yield Planted(box)
    box.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "blobs").mkdir()
    return Settings(data_dir=str(tmp_path), bootstrap_servers="unused:1")


def ingest(key: bytes, value: bytes) -> Record:
    return Record("documents.ingest", 0, 5, 1234, True, key, value)


def deaths(settings: Settings) -> int:
    return len((Path(settings.data_dir) / "blobs" / "deaths").read_text())


def test_a_document_that_kills_three_children_is_rejected_alone(children: Planted, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_stage, "RETRY_PAUSE_S", 0.01)
    stage = OpenStage(settings, children)

    async def all_at_once() -> list[Any]:
        records = [ingest(b"bad", documents.pdf() + MARK), *(ingest(b"good-%d" % n, documents.pdf(n + 1)) for n in range(4))]
        return await asyncio.gather(*(stage.answer(record) for record in records))

    bad, *good = asyncio.run(all_at_once())
    rejected = codec.decode(bad[0][0].value, DocumentRejected)
    assert (rejected.failure.code, rejected.failure.attempts, rejected.failure.retryable) == (Code.CRASHED, 3, False)
    assert "SIGSEGV" in rejected.failure.message
    assert deaths(settings) == 3
    assert [codec.decode(answer[0][0].value, DocumentOpened).page_count for answer in good] == [1, 2, 3, 4]


def test_a_page_that_kills_its_children_fails_alone(children: Planted, settings: Settings) -> None:
    store = BlobStore(settings.blob_store_url)

    def ready(name: str, data: bytes) -> Record:
        unit = PageRangeReady(
            document_id=name, submission=Submission(topic="documents.ingest", partition=0, offset=1, appended_ms=1), document=store.put_shared(data),
            filename="a.pdf", media_type="application/pdf", page_count=6, first_page=1, last_page=6, options=DocumentOptions(),
        )  # fmt: skip
        return Record("pages.ready", 0, 5, 1234, False, name.encode(), codec.encode(unit))

    stage = ReadStage(settings, children)

    async def both() -> list[Any]:
        return await asyncio.gather(stage.answer(ready("bad", documents.pdf(6) + MARK)), stage.answer(ready("good", documents.pdf(6))))

    bad, good = asyncio.run(both())
    failed = [codec.decode(record.value, PageFailed) for record in bad[0] if codec.name_of(record.value) == "PageFailed"]
    assert [(one.page, one.failure.code, one.failure.attempts) for one in failed] == [(3, Code.CRASHED, 3)]
    assert "SIGSEGV" in failed[0].failure.message
    assert deaths(settings) == 1 + 3, "once with its range, three times alone"
    read = [codec.decode(record.value, PageExtracted).page for record in bad[0] if codec.name_of(record.value) == "PageExtracted"]
    assert sorted(read) == [1, 2, 4, 5, 6]
    assert [codec.name_of(record.value) for record in good[0]] == ["PageExtracted"] * 6


def test_a_child_that_hangs_is_killed_at_its_deadline(settings: Settings) -> None:
    box = Sandbox(1, max_tasks=0, memory_bytes=0, network=False)
    try:
        with pytest.raises(PageloomError) as caught:
            box.submit(signal.pause, timeout_s=0.3).result(30)
        assert caught.value.code is Code.TIMED_OUT
    finally:
        box.close()
