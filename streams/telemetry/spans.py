"""What a stage calls to take part in a trace. No client library: `tracing` makes the spans.

The context travels in the headers of records (`traceparent`, W3C Trace Context): whoever publishes a document may begin the trace, else `open` does.
"""

from collections.abc import Mapping
from typing import Protocol

Headers = tuple[tuple[str, bytes | None], ...]

TRACEPARENT = "traceparent"


class Span(Protocol):
    """A piece of work under way."""

    @property
    def headers(self) -> Headers:
        """What records that come of it carry."""

    def end(self, problem: str = "") -> None:
        """It is done, or failed with this code. Called once."""


class Tracer(Protocol):
    """Makes spans."""

    def begin(self, name: str, headers: Headers, attributes: Mapping[str, str], started_ns: int | None = None) -> Span:
        """A span below the context in the headers, or a trace of its own. `started_ns`: since the epoch, where it began before now."""


class NoSpan:
    """Work that nobody follows: it passes on nothing."""

    headers: Headers = ()

    def end(self, *_told: object) -> None:
        """See `Span.end`."""


class NoTracer:
    """Follows nothing."""

    def begin(self, *_told: object) -> Span:
        """See `Tracer.begin`."""
        return NO_SPAN


NO_SPAN = NoSpan()


def about(key: bytes | None) -> dict[str, str]:
    """Attributes of work on a record, from its key: a document's id, with pages where the topic's keys have them (`ID:FIRST-LAST`, `ID:FIRST`)."""
    text = (key or b"").decode("utf-8", "replace")
    document, colon, pages = text.rpartition(":")
    if colon and pages.replace("-", "").isdigit():
        return {"pageloom.document": document, "pageloom.pages": pages}
    return {"pageloom.document": text}
