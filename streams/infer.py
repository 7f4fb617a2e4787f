"""The worker `infer`: the consumer of `inference`, told by our settings where it reads, writes and keeps things. Holds no logic of its own."""

import threading

from inference.config import InferConfig
from inference.consumer import run_consumer
from inference.desk import InferCounts
from inference.engines.registry import engines
from inference.observing import Nobody
from streams.engine_settings import engine_options
from streams.kafka import encoding
from streams.kafka.clients import close_within, consumer_config, producer_config, reader_config
from streams.observing import RecognitionObserver
from streams.settings import Settings
from streams.telemetry.telemetry import SILENT, Telemetry
from streams.topics import CONTROL, DEAD_LETTERS, EVENTS, WINDOWS, WINDOWS_EXPRESS

GROUP = CLIENT = "pageloom-infer"


def run_infer(settings: Settings, stop: threading.Event, telemetry: Telemetry = SILENT) -> None:
    """Recognizes windows until `stop` is set."""
    counts = InferCounts()
    run_consumer(infer_config(settings), stop, counts, Nobody() if telemetry.silent else RecognitionObserver(telemetry, counts))


def infer_config(settings: Settings) -> InferConfig:
    """What the consumer is told. Express windows are named first."""
    servers, security, largest = settings.bootstrap_servers, settings.kafka_security, settings.max_message_bytes
    return InferConfig(
        consumer_config=consumer_config(
            servers,
            CLIENT,
            GROUP,
            security,
            session_timeout_ms=int(settings.session_timeout_s * 1000),
            max_message_bytes=largest,
        ),
        producer_config=producer_config(servers, CLIENT, security, max_message_bytes=largest),
        topics=(WINDOWS_EXPRESS.name, WINDOWS.name),
        events_topic=EVENTS.name,
        dead_letter_topic=DEAD_LETTERS.name,
        control_topic=CONTROL.name,
        control_config=reader_config(servers, CLIENT, security),
        blob_url=settings.blob_store_url,
        engine=settings.engine,
        engines=engines(engine_options(settings)),
        engine_processes=settings.engine_processes,
        fallback=settings.engine_fallback,
        engine_capacity=settings.engine_capacity,
        batch_pages=settings.batch_pages,
        batch_pixels=settings.batch_pixels,
        batch_wait_s=settings.batch_wait_s,
        window_queue=settings.window_queue,
        page_timeout_s=settings.recognize_timeout_s,
        inline_content_bytes=settings.inline_content_bytes,
        keeps_figures=settings.figure_dpi > 0,
        max_message_bytes=largest,
        leave=close_within,
        journal_dir=str(settings.data_path / "attempts"),
        incoming=encoding.incoming,
        outgoing=encoding.outgoing,
    )
