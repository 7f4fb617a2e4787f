"""The aggregator as a worker: puts `AssembleLogic` on the transactional processor, with the child processes that finish documents.

Composes and holds no logic of its own. `run_assemble` blocks until it is told to stop, and ends with what is committed being whole.
"""

import os
import threading
import time
from concurrent.futures import Future
from dataclasses import asdict

import structlog

from schemas.errors import internal_error
from schemas.identity import Submission
from streams import topics
from streams.assemble.effects import refused
from streams.assemble.finish.child import purge_runs
from streams.assemble.finish.queue import FinishQueue
from streams.assemble.logic import AssembleLimits, AssembleLogic
from streams.kafka.logic import Effects, Wake
from streams.kafka.processor import Processor
from streams.kafka.processor_options import ProcessorOptions
from streams.kafka.records import Record
from streams.sandbox import Sandbox
from streams.settings import Settings
from streams.telemetry.assembly import watched_logic
from streams.telemetry.telemetry import SILENT, Telemetry

APPLICATION = "assemble"
"""Names the consumer group; with the partition, the transactional ids."""

EVENT_MARGIN_BYTES = 64 * 1024
"""Left of the message limit for key, headers and framing of a finished document's event."""

PURGE_TIMEOUT_S = 60.0
"""For removing the blobs of one document's submissions; what is cut off is begun again."""
STOP_TIMEOUT_S = 10.0
"""One deadline for leaving: a commit takes tens of milliseconds, the transaction timeout is as long."""

log = structlog.get_logger(__name__)


def run_assemble(settings: Settings, stop: threading.Event, telemetry: Telemetry = SILENT) -> None:
    """Assembles documents until `stop` is set. Raises ProcessorError when it cannot go on."""
    sandbox = Sandbox(
        settings.finish_processes,
        max_tasks=settings.child_tasks,
        memory_bytes=settings.child_memory_bytes,
        network=settings.store_is_remote,
        recycle_bytes=settings.child_recycle_bytes,
        preload=("streams.assemble.finish.child",),
    )
    try:
        sandbox.submit(os.getpid, timeout_s=settings.finish_timeout_s)  # the first document finds the processes warm
        processor = assemble_processor(settings, sandbox, telemetry)
        log.info("assemble.started", bootstrap_servers=settings.bootstrap_servers)
        processor.run(stop.is_set, stop_timeout_s=STOP_TIMEOUT_S)
        log.info("assemble.stopped", **asdict(processor.counts()))
    finally:
        sandbox.close(0.0)


def assemble_processor(settings: Settings, sandbox: Sandbox, telemetry: Telemetry = SILENT) -> Processor:
    """The processor, not yet running. `sandbox` is shared by its partitions."""
    finish_queue = FinishQueue(sandbox, max_running=settings.finish_processes, timeout_s=settings.finish_timeout_s)
    limits = limits_of(settings)

    def purge(document_id: str, submissions: tuple[Submission, ...]) -> "Future[None]":
        return sandbox.submit(purge_runs, limits.blob_url, document_id, submissions, timeout_s=PURGE_TIMEOUT_S)

    def logic(partition: int, wake: Wake) -> AssembleLogic:
        return AssembleLogic(partition, finish_queue, purge, limits, now_ms=_now_ms, started_s=time.monotonic(), wake=wake)

    options = ProcessorOptions(
        bootstrap_servers=settings.bootstrap_servers,
        application=APPLICATION,
        source=topics.EVENTS.name,
        changelog=topics.CHANGELOG.name,
        security=settings.kafka_security,
        session_timeout_ms=int(settings.session_timeout_s * 1000),
        max_message_bytes=settings.max_message_bytes,
    )
    return Processor(options, watched_logic(logic, telemetry), _poisoned)


def limits_of(settings: Settings) -> AssembleLimits:
    """What assembly takes of the settings."""
    return AssembleLimits(
        blob_url=settings.blob_store_url,
        trusted_confidence=settings.low_confidence,
        inline_bytes=settings.inline_document_bytes,
        event_bytes=settings.max_message_bytes - EVENT_MARGIN_BYTES,
        no_progress_timeout_s=settings.no_progress_timeout_s,
        document_timeout_s=settings.document_timeout_s,
        record_retention_ms=topics.INGEST.retention_ms + topics.DAY_MS,
        parsed_as_json=settings.parsed_encoding == "json",
    )


def _poisoned(record: Record, error: Exception) -> Effects:
    """A record that the logic failed on: a fault of ours."""
    return refused(record, internal_error(error))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
