"""`pageloom failed`: what went wrong, why, and trying it again. Parses arguments and prints; `failures` does the work."""

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer
from rich.markup import escape
from rich.table import Column, Table

from streams import failures
from streams.failures import FailureEntry
from streams.publishing import printable
from streams.terminal import connected, err, out
from streams.topics import DAY_MS

app = typer.Typer(help="Failures of documents and pages, and dead letters: list them, look at them, try them again.", no_args_is_help=True)

DaysOption = Annotated[float, typer.Option(min=0.001, max=30.0, help="How far back to look.")]
CodeOption = Annotated[list[str] | None, typer.Option("--code", help="Only failures of this code, like timed_out; may be given again.")]
StageOption = Annotated[list[str] | None, typer.Option("--stage", help="Only failures of this stage: open, read, infer, assemble, index.")]
NOT_REPLAYED = 3
"""Exit status when something could not be tried again."""


@app.command(name="list")
def list_command(
    days: DaysOption = 7.0,
    code: CodeOption = None,
    stage: StageOption = None,
    limit: Annotated[int, typer.Option(min=1, help="The newest that are shown.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """The newest failures, oldest first."""
    found = failures.matching(_entries(days), codes=code or (), stages=stage or ())
    entries = found[-limit:]
    if len(found) > limit:
        err.print(f"the newest {limit} of {len(found)}; --limit {len(found)} shows all")
    if as_json:
        _print_json(entries)
        return
    table = Table("time", "what", Column("document", overflow="fold"), "page", "stage", "code", "retry", box=None, pad_edge=False)
    for entry in entries:
        page = str(entry.page) if entry.page else ""
        table.add_row(_time(entry.time_ms), entry.kind, _name(entry), page, entry.stage, entry.code, "yes" if entry.retryable else "no")
    out.print(table if entries else f"no failures in the last {days:g} days")


@app.command()
def show(
    document_id: Annotated[str, typer.Argument(help="As `pageloom failed list` shows it.")],
    days: DaysOption = 7.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Everything that is known of the failures of one document."""
    entries = failures.matching(_entries(days), documents=[document_id])
    if as_json:
        _print_json(entries)
    for entry in () if as_json else entries:
        where = f", page {entry.page}" if entry.page else ""
        what = f"{entry.stage} {entry.code}, {_time(entry.time_ms)}, attempts {entry.attempts}"
        out.print(f"[bold]{_name(entry)}[/bold]{where}: {what}", soft_wrap=True)
        out.print(f"   {escape(printable(entry.message))}", soft_wrap=True)
        out.print(f"   {escape(entry.place)}" + (f", submission {entry.submission.id}" if entry.submission else ""), soft_wrap=True)
    if not entries:
        err.print(f"no failure of {escape(printable(document_id))} in the last {days:g} days")
        raise typer.Exit(1)


@app.command()
def replay(
    document_ids: Annotated[list[str] | None, typer.Argument(help="Documents to try again; without, give --code, --stage or --all.")] = None,
    days: DaysOption = 7.0,
    code: CodeOption = None,
    stage: StageOption = None,
    every: Annotated[bool, typer.Option("--all", help="All that failed.")] = False,
) -> None:
    """Publish failed submissions again, as they were. Pages that were recognized before come from the cache."""
    if not (document_ids or code or stage or every):
        raise typer.BadParameter("name documents, or give --code, --stage or --all")
    wanted = failures.matching(_entries(days), documents=document_ids or (), codes=code or (), stages=stage or ())
    if not any(entry.submission for entry in wanted):
        err.print("nothing to replay")
        raise typer.Exit(1)
    left = False
    for done in failures.replay(connected(), wanted):
        name = escape(printable(done.document_id))
        left = left or done.place is None
        if done.place is None:
            err.print(f"{name}: {done.reason}", soft_wrap=True)
        else:
            out.print(f"{name}  {done.place.topic}[{done.place.partition}]@{done.place.offset}", soft_wrap=True)
    if left:
        raise typer.Exit(NOT_REPLAYED)


def _entries(days: float) -> list[FailureEntry]:
    return failures.list_failures(connected(), int(time.time() * 1000), int(days * DAY_MS))


def _print_json(entries: Iterable[FailureEntry]) -> None:
    for entry in entries:
        typer.echo(msgspec.json.encode(entry))


def _name(entry: FailureEntry) -> str:
    return escape(printable(entry.document_id or entry.place))


def _time(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
