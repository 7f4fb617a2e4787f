"""What a submission becomes when nothing disturbs it: the real stages one after the other in one process, without Kafka and without children.

A function of the ingest record and of the model: for the same record, byte for byte what the pipeline has to write.
"""

import asyncio
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from inference.cache import RecognitionCache
from inference.engines.in_process import InProcessEngine
from inference.engines.registry import engines
from inference.reading import UnitReader
from inference.windows import WaitingUnit, answer
from schemas import codec
from schemas.blobs import BlobStore
from schemas.events import PageWindowRequested
from streams import topics
from streams.agents.open_stage import OpenStage
from streams.agents.read_stage import ReadStage
from streams.assemble.finish.child import Finished, FinishTask
from streams.assemble.finish.queue import FinishQueue
from streams.assemble.logic import AssembleLogic
from streams.assemble.worker import limits_of
from streams.engine_settings import engine_options
from streams.kafka.records import OutputRecord, Record
from streams.letters import page_event
from streams.settings import Settings

T = TypeVar("T")

TERMINAL = (topics.PARSED.name, topics.FAILED.name)
READ = frozenset({topics.RANGES.name, topics.RANGES_EXPRESS.name})
WINDOWS = frozenset({topics.WINDOWS.name, topics.WINDOWS_EXPRESS.name})


class NotFinished(AssertionError):
    """A submission that comes to no end even where nothing disturbs it: a fault of the reference or of the pipeline."""


class HereAndNow:
    """Runs in this process what the pipeline runs in children."""

    async def call(self, function: Callable[..., T], *args: object, timeout_s: float, limit_setting: str) -> T:
        return function(*args)

    def submit(self, function: Callable[[FinishTask], Finished], task: FinishTask, /, *, timeout_s: float, limit_setting: str) -> "Future[Finished]":
        future: Future[Finished] = Future()
        future.set_result(function(task))
        return future


class Reference:
    """The undisturbed pipeline. `settings` name a blob store of its own and the address of the model."""

    def __init__(self, settings: Settings) -> None:
        here = HereAndNow()
        self._settings = settings
        self._here = here
        self._open, self._read = OpenStage(settings, here), ReadStage(settings, here)
        spec = engines(engine_options(settings))[settings.engine]
        store = BlobStore(settings.blob_store_url)
        self._version = spec.version()
        self._engine = InProcessEngine(spec)
        cache = RecognitionCache(store, spec.name, self._version)
        self._reader = UnitReader(store, cache, self._engine, settings.inline_content_bytes, threading.Event())

    def outcome(self, record: Record) -> OutputRecord:
        """The terminal record of a submission. Raises NotFinished."""
        logic = self._logic()
        try:
            return self._assembled(logic, record)
        finally:
            logic.close()
            shutil.rmtree(Path(self._settings.data_dir) / "blobs" / "runs", ignore_errors=True)

    def close(self) -> None:
        """Ends the connection to the model."""
        self._engine.close()

    def _logic(self) -> AssembleLogic:
        queue = FinishQueue(self._here, max_running=1, timeout_s=self._settings.finish_timeout_s)
        return AssembleLogic(0, queue, _purge_nothing, limits_of(self._settings), now_ms=_now_ms, started_s=time.monotonic(), wake=lambda: None)

    def _assembled(self, logic: AssembleLogic, record: Record) -> OutputRecord:
        outputs: list[OutputRecord] = []
        for offset, event in enumerate(self._events(record)):
            logged = Record(event.topic, 0, offset, record.timestamp_ms, True, event.key, event.value)
            outputs += logic.process(logged).outputs
        outputs += logic.tick(time.monotonic(), True).outputs
        outputs += logic.tick(time.monotonic(), True).outputs
        ended = [output for output in outputs if output.topic in TERMINAL]
        if len(ended) != 1:
            raise NotFinished(f"{record.key!r} has {len(ended)} terminal records")
        return ended[0]

    def _events(self, record: Record) -> Iterator[OutputRecord]:
        """What comes to stand on `pages.events` for an ingest record."""
        waiting = self._written(self._open.answer(record))
        while waiting:
            output = waiting.pop(0)
            if output.topic == topics.EVENTS.name:
                yield output
            elif output.topic in READ:
                waiting += self._written(self._read.answer(Record(output.topic, 0, 0, 0, False, output.key, output.value)))
            elif output.topic in WINDOWS:
                waiting.append(self._recognized(codec.decode(output.value or b"", PageWindowRequested)))

    def _recognized(self, request: PageWindowRequested) -> OutputRecord:
        unit = WaitingUnit((request.document_id, request.submission.id, request.first_page, request.last_page), request.images, request)
        (pages,) = self._reader.read([unit])
        return page_event(request.document_id, codec.encode(answer(request, pages, self._version)))

    @staticmethod
    def _written(batches: Any) -> list[OutputRecord]:
        return [output for batch in asyncio.run(batches) for output in batch]


def _purge_nothing(_document_id: str, _submissions: Any) -> "Future[None]":
    done: Future[None] = Future()
    done.set_result(None)
    return done


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
