"""What a worker process runs: each kind by name, imported only when it is asked for, so that no worker pays for another's libraries.

`pageloom worker KIND…` and `python -m streams.workers KIND…` are the same; the second imports nothing of the command line.
"""

import atexit
import faulthandler
import gc
import importlib
import os
import signal
import sys
import threading
from contextlib import nullcontext
from enum import Enum
from types import TracebackType
from typing import Protocol, cast

import structlog

from schemas.errors import PageloomError
from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import client_errors
from streams.kafka.errors import KafkaClientError
from streams.loading import load_settings
from streams.logs import configure_logging
from streams.retention import sweeping
from streams.semaphores import NoSemaphores, check_semaphores
from streams.settings import Settings, SettingsError
from streams.telemetry.composing import telemetry_of
from streams.telemetry.telemetry import Telemetry
from streams.wire import speak

REACH_TIMEOUT_S = 30.0
"""For a broker that answers: longer than its restart, short enough for a person who waits."""


class WorkerKind(str, Enum):
    """The kinds of workers."""

    OPEN = "open"
    READ = "read"
    INFER = "infer"
    ASSEMBLE = "assemble"
    INDEX = "index"


class Run(Protocol):
    """The entry of a worker: runs in the foreground until `stop` is set, then finishes what is in flight within a deadline."""

    def __call__(self, settings: Settings, stop: threading.Event, telemetry: Telemetry) -> None:
        """Runs."""


ENTRIES: dict[frozenset[WorkerKind], tuple[str, str]] = {
    frozenset({WorkerKind.OPEN}): ("streams.app", "run_open"),
    frozenset({WorkerKind.READ}): ("streams.app", "run_read"),
    frozenset({WorkerKind.OPEN, WorkerKind.READ}): ("streams.app", "run_open_and_read"),
    frozenset({WorkerKind.INFER}): ("streams.infer", "run_infer"),
    frozenset({WorkerKind.ASSEMBLE}): ("streams.assemble.worker", "run_assemble"),
    frozenset({WorkerKind.INDEX}): ("streams.index.worker", "run_index"),
}
"""What may share a process, and where it starts: module and function."""


def run_workers(kinds: frozenset[WorkerKind], settings: Settings, stop: threading.Event) -> None:
    """Runs these kinds in this process. Raises SettingsError for kinds that cannot share one, or without the address of a Kafka."""
    if kinds not in ENTRIES:
        raise SettingsError("only open and read share a process; start one process for each other kind")
    if not settings.bootstrap_servers:
        raise SettingsError("a worker needs PAGELOOM_BOOTSTRAP_SERVERS; for everything on this machine use `pageloom up`")
    configure_logging(settings.log_level, json=settings.log_json)
    check_semaphores()
    with telemetry_of(settings, [kind.value for kind in kinds], stop) as (telemetry, stop_or_beat):
        if not TopicAdmin(settings.bootstrap_servers, settings.kafka_security).await_broker(REACH_TIMEOUT_S, stop.is_set):
            return
        speak(settings, writes=True)
        module, name = ENTRIES[kinds]
        with client_errors(), sweeping(settings) if WorkerKind.ASSEMBLE in kinds else nullcontext():
            cast("Run", getattr(importlib.import_module(module), name))(settings, stop_or_beat, telemetry)


def stop_on_signals() -> threading.Event:
    """An event that SIGINT and SIGTERM set."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def tell_every_end(worker: str) -> None:
    """Sees to it that no end of this process, and of no thread of it, is without a reason in its log: an exception that nobody caught, in the main
    thread, in another one or where nobody could catch it, and a crash in native code. A signal that cannot be caught is told by who watches.
    """
    log = structlog.get_logger(__name__)
    faulthandler.enable()

    def of_process(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        log.error("worker.failed", worker=worker, error=f"{kind.__name__}: {error}", exc_info=(kind, error, trace))

    def of_thread(ended: threading.ExceptHookArgs) -> None:
        name = ended.thread.name if ended.thread is not None else "?"
        error = ended.exc_value or ended.exc_type()
        log.error("thread.failed", worker=worker, thread=name, exc_info=(ended.exc_type, error, ended.exc_traceback))

    def of_callback(raised: "sys.UnraisableHookArgs") -> None:
        error = raised.exc_value or raised.exc_type()
        where = raised.err_msg or f"in {raised.object!r}"
        log.error("callback.failed", worker=worker, where=where, exc_info=(raised.exc_type, error, raised.exc_traceback))

    sys.excepthook, threading.excepthook, sys.unraisablehook = of_process, of_thread, of_callback


def main() -> None:
    """The entry point of a worker process; its arguments are kinds."""
    worker = "+".join(sys.argv[1:])
    log = structlog.get_logger(__name__)
    tell_every_end(worker)
    stop = stop_on_signals()
    atexit.register(gc.freeze)  # the interpreter's end looks at every object again: 0.6 s of a core for a worker on Faust, 0.1 s with none to look at
    try:
        run_workers(frozenset(WorkerKind(name) for name in sys.argv[1:]), load_settings(os.environ), stop)
    except (SettingsError, KafkaClientError, PageloomError, NoSemaphores) as error:
        log.error("worker.failed", worker=worker, error=str(error))
        sys.exit(1)
    except SystemExit as leaving:  # of a library: nothing here leaves so
        log.error("worker.failed", worker=worker, error=f"something ended the process with status {leaving.code}")
        raise
    log.info("worker.ended", worker=worker, reason="told to stop" if stop.is_set() else "its work ended by itself")


if __name__ == "__main__":
    main()
