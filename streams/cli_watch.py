"""`pageloom watch`: what becomes of documents, a line each time. Parses arguments and prints; `following` does the work."""

from typing import Annotated

import msgspec
import typer
from rich.markup import escape

from schemas.events import DocumentFailed, DocumentProgressed
from streams.following import UNDER_WAY, DocumentFinished, Followed, Follower
from streams.publishing import printable
from streams.terminal import connected, err, out
from streams.workers import stop_on_signals


def watch(as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False) -> None:
    """Show what becomes of documents, from now on, until Ctrl-C."""
    follower = Follower(connected())
    stop = stop_on_signals()
    reachable = True
    while not stop.is_set():
        if follower.reachable != reachable:
            reachable = follower.reachable
            err.print("Kafka answers again" if reachable else "Kafka does not answer; waiting for it, Ctrl-C ends")
        for record, event in follower.events(0.5):
            if isinstance(event, DocumentProgressed) and event.progress not in UNDER_WAY:
                continue  # the document or the failure itself says it
            key = (record.key or b"").decode("utf-8", "replace")
            if as_json:
                out.print_json(data={"document_id": key, "topic": record.topic, "event": _shown(event)}, indent=None)
            else:
                out.print(f"{escape(printable(key))}  {_line(event)}", soft_wrap=True)
    follower.close()


def _shown(event: Followed | None) -> object:
    """An event as JSON can say it; of a finished document what it is, not what is in it."""
    if isinstance(event, DocumentFinished):
        return {"status": event.status, "revision": event.revision, "filename": event.filename}
    return msgspec.to_builtins(event)


def _line(event: Followed | None) -> str:
    match event:
        case None:
            return "deleted"
        case DocumentFinished():
            return f"[bold]{event.status}[/bold] (revision {event.revision})"
        case DocumentFailed():
            return f"[red]failed[/red] {event.failure.code.value}: {escape(event.failure.message)}"
        case DocumentProgressed():
            return f"{event.progress.value} {event.extracted + event.recognized + event.failed}/{event.pages}"
