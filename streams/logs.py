"""Set-up of structured logs, called once by a worker's entry point and never at import.

What repeats is bounded: a line that says the same again and again (a broker that is away, asked every 20 ms by a library) is written a few times
a minute, and then with how often it was left out. Lines about different documents, pages or causes are different lines.
"""

import logging
import re
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from json import dumps
from typing import Any, TextIO, cast

import structlog

ALIKE_PER_MINUTE = 5
"""Lines that say the same: enough to see that it lasts."""
WINDOW_S = 60.0
LIBRARY_PER_MINUTE = 20
"""Lines of one library logger that differ in numbers alone (ports, ids, offsets)."""
KEPT = 1_000
"""Different lines that are counted at once."""
_NUMBERS = re.compile(r"\d+")
_FIELDS_LEFT_OUT = ("timestamp",)


class Repeats:
    """How often lines came within a minute. Not thread-safe by itself: a line more or less does no harm."""

    def __init__(self, per_window: int, now_s: Callable[[], float] = time.monotonic) -> None:
        self._per_window = per_window
        self._now_s = now_s
        self._seen: OrderedDict[object, tuple[float, int]] = OrderedDict()

    def pass_on(self, line: object) -> int | None:
        """How many like it were left out before this one; None where this one is to be left out."""
        now_s = self._now_s()
        since_s, count = self._seen.get(line, (now_s, 0))
        if now_s - since_s >= WINDOW_S:
            left_out = max(0, count - self._per_window)
            self._seen[line] = (now_s, 1)
            return left_out
        self._seen[line] = (since_s, count + 1)
        self._seen.move_to_end(line)
        if len(self._seen) > KEPT:
            self._seen.popitem(last=False)
        return 0 if count < self._per_window else None


def limiting(repeats: Repeats) -> structlog.typing.Processor:
    """Leaves out lines that say the same in every field too often."""

    def limit(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        line = tuple((name, str(value)) for name, value in sorted(event.items()) if name not in _FIELDS_LEFT_OUT)
        left_out = repeats.pass_on(line)
        if left_out is None:
            raise structlog.DropEvent
        if left_out:
            event["left_out"] = left_out
        return event

    return limit


class LibraryLimit(logging.Filter):
    """The same for libraries' own loggers, whose lines differ in numbers."""

    def __init__(self, repeats: Repeats) -> None:
        super().__init__()
        self._repeats = repeats

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written; the next one after some that were left out says how many."""
        left_out = self._repeats.pass_on((record.name, record.levelno, _NUMBERS.sub("0", record.getMessage())))
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} lines like this were left out)", ()
        return left_out is not None


class SteadyStream:
    """A stream for logs that never fails: what cannot be written, because the disk is full or nobody reads the pipe, is left out, and how much
    that was is said once there is room again. No page is lost for a line about it.
    """

    def __init__(self, stream: TextIO, *, json: bool = False) -> None:
        self._stream = stream
        self._json = json
        self._lost = 0

    def write(self, text: str) -> int:
        """Writes what can be written; says that all was."""
        try:
            if self._lost:
                lost = {"event": "log.lost", "lines": self._lost}
                self._stream.write(f"{dumps(lost)}\n" if self._json else f"{self._lost} lines could not be written to this log\n")
                self._stream.flush()
                self._lost = 0
            self._stream.write(text)
        except OSError:
            self._lost += 1
        return len(text)

    def flush(self) -> None:
        """Hands over what is buffered."""
        try:
            self._stream.flush()
        except OSError:
            self._lost += 1

    def isatty(self) -> bool:
        """Whether a person reads it."""
        return self._stream.isatty()


def alike(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Every stage's line names its document by the same word."""
    if "document_id" in event:
        event["document"] = event.pop("document_id")
    return event


def configure_logging(level: str, *, json: bool) -> None:
    """Logs of this process to standard error: lines for people, or JSON objects for machines. Library loggers join in from warnings on."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    colors = sys.stderr.isatty()
    steady = cast("TextIO", SteadyStream(sys.stderr, json=json))
    # Plain tracebacks: the others show local variables, and with them documents and passwords.
    for_people = structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=structlog.dev.plain_traceback)
    renderer: structlog.typing.Processor = structlog.processors.JSONRenderer() if json else for_people
    structlog.configure(
        processors=[alike, limiting(Repeats(ALIKE_PER_MINUTE)), *shared, structlog.processors.format_exc_info, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(steady),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(steady)
    handler.addFilter(LibraryLimit(Repeats(LIBRARY_PER_MINUTE)))
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name, structlog.processors.format_exc_info] if json else shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler], force=True)
    # librdkafka warns of every passing state of a broker that starts ("coordinator load in progress"); what lasts comes as an error.
    logging.getLogger("streams.kafka.client").setLevel(max(number, logging.ERROR))
    # A request that fails is our own line, without the traceback of an HTTP client.
    logging.getLogger("opensearch").setLevel(logging.CRITICAL)
