"""`pageloom`: the command line. Parses arguments, composes the other modules, prints; decides nothing about documents."""

import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.markup import escape
from rich.table import Column, Table

from inference.engines.registry import ENGINES
from schemas.errors import PageloomError
from schemas.events import DocumentOptions, Format, Mode, Priority
from streams import cli_console, cli_documents, cli_failed, cli_files, cli_search, cli_watch, doctor, local
from streams.cli_usage import PlainGroup
from streams.index.sink import SinkUnavailable
from streams.index.sinks import check_search_settings
from streams.kafka.admin import TopicAdmin
from streams.kafka.errors import EmbeddedKafkaError, KafkaClientError
from streams.logs import configure_logging
from streams.parsing import FileStatus, Outcome, parse_files
from streams.publishing import Publisher, own_document_id, printable
from streams.settings import Settings, SettingsError
from streams.terminal import awaited_pipeline, connected, current_settings, err, out, said
from streams.topics import TOPICS
from streams.wire import speak
from streams.workers import REACH_TIMEOUT_S, WorkerKind, run_workers, stop_on_signals, tell_every_end

app = typer.Typer(
    name="pageloom",
    cls=PlainGroup,
    help="A streaming document parser on Kafka.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
app.add_typer(cli_failed.app, name="failed")
app.command(name="console")(cli_console.console)
for command in (cli_documents.get, cli_documents.cancel, cli_documents.delete, cli_search.search, cli_watch.watch):
    app.command()(command)

UP_HINT = "unset it, or start workers for that Kafka with `pageloom worker`"
EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_NOT_ALL_COMPLETE = 3
EXIT_TERMINATED = 143
"""What a shell says of a process that SIGTERM ended."""

Paths = Annotated[list[Path], typer.Argument(exists=True, dir_okay=True, readable=True, help="Files, or folders whose files are taken.")]
PathsOrNone = Annotated[list[Path] | None, typer.Argument(exists=True, dir_okay=True, readable=True, help="Files, or folders whose files are taken.")]
RecursiveOption = Annotated[bool, typer.Option("--recursive", "-r", help="Take the files of folders in folders as well.")]
ModeOption = Annotated[Mode, typer.Option(help="How much work a page gets.")]
PagesOption = Annotated[str | None, typer.Option(help="Pages, like 1-20,25.", callback=cli_documents.checked_pages)]
EngineOption = Annotated[str | None, typer.Option(help="Recognition engine; `pageloom doctor` lists them.", callback=cli_documents.checked_engine)]
PasswordOption = Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="A file whose first line is the password.")]
JoinOption = Annotated[bool, typer.Option("--join-tables/--no-join-tables", help="Join tables over page breaks.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        try:
            out.print(f"pageloom {version('pageloom')}")
        except PackageNotFoundError:
            out.print("pageloom, from its source; not installed")
        raise typer.Exit


VersionOption = Annotated[bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit.")]


@app.callback()
def _of_all_commands(_version: VersionOption = False) -> None:
    pass


def main() -> None:
    """The entry point. Errors that a person can act on are one line, not a traceback."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_TERMINATED))  # so that what a command started is stopped in order
    configure_logging("warning", json=False)
    logging.getLogger("streams.kafka.client").setLevel(logging.CRITICAL)  # what lasts is an error of a command, said once
    try:
        app()
    except (SettingsError, PageloomError, EmbeddedKafkaError, KafkaClientError, SinkUnavailable, local.WorkerDied, OSError) as error:
        err.print(f"[red]pageloom:[/red] {escape(printable(said(error)))}", soft_wrap=True)
        sys.exit(EXIT_USAGE if isinstance(error, SettingsError) else EXIT_ERROR)


@app.command()
def parse(
    paths: Paths,
    output: Annotated[Path, typer.Option("--output", "-o", file_okay=False, help="Folder for the results.")],
    mode: ModeOption = Mode.FAST,
    formats: Annotated[str, typer.Option(help="Comma-separated: markdown, json, html.")] = "markdown,json",
    engine: EngineOption = None,
    pages: PagesOption = None,
    join_tables: JoinOption = True,
    password_file: PasswordOption = None,
    recursive: RecursiveOption = False,
) -> None:
    """Publish files, wait for each, and write what they became. Starts the pipeline on this machine if no Kafka is configured."""
    options = DocumentOptions(mode=mode, formats=_formats(formats), engine=engine, pages=pages, join_tables=join_tables)
    files = cli_files.files_of(paths, recursive=recursive, without=output)
    cli_files.make_folder(output)
    settings = current_settings()
    if engine:  # for the workers that this command starts; those that run already have theirs
        settings = msgspec.structs.replace(settings, engine=engine)
    _check_words(settings)
    speak(settings, writes=False)
    with _pipeline(settings) as (connected, workers):
        outcomes = parse_files(connected, files, output, options, _password(password_file), workers, err)
    table = Table("file", "status", "pages", "note", box=None, pad_edge=False)
    for outcome in outcomes:
        table.add_row(escape(printable(outcome.name)), _colored(outcome), str(outcome.pages or ""), escape(outcome.note))
    out.print(table)
    if any(outcome.status is not FileStatus.COMPLETE for outcome in outcomes):
        raise typer.Exit(EXIT_NOT_ALL_COMPLETE)


@app.command()
def up() -> None:
    """Run everything on this machine in the foreground, until Ctrl-C."""
    settings = current_settings()
    if settings.bootstrap_servers:
        raise SettingsError(f"bootstrap_servers names the Kafka at {settings.bootstrap_servers}, and `pageloom up` starts one of its own; {UP_HINT}")
    _check_words(settings)
    speak(settings, writes=False)
    err.print("starting Kafka and the workers …")
    with (
        _told_when_stopped(),
        local.embedded_broker(settings) as (connected, broker),
        local.LocalWorkers(connected, broker=broker) as workers,
        local.announced(connected),
        cli_console.beside(connected) as console_url,
    ):
        stop = stop_on_signals()  # from here on; before, Ctrl-C interrupts what is being started
        out.print(f"Kafka answers at [bold]{connected.bootstrap_servers}[/bold]; data and logs are in {escape(connected.data_dir)}")
        if console_url is not None:
            out.print(f"The console is at [bold]{escape(console_url)}[/bold]", soft_wrap=True)
        out.print("Publish with `pageloom publish FILE` or any Kafka client to documents.ingest; Ctrl-C stops everything.")
        while not stop.wait(0.5):
            workers.watch()
        out.print("stopping …")


@app.command()
def worker(kinds: Annotated[list[WorkerKind], typer.Argument(help="What this process does; open and read may share one.")]) -> None:
    """Run one worker in the foreground, against a configured Kafka."""
    tell_every_end("+".join(kind.value for kind in kinds))
    run_workers(frozenset(kinds), current_settings(), stop_on_signals())


@app.command()
def publish(
    paths: PathsOrNone = None,
    uri: Annotated[
        list[str] | None, typer.Option("--uri", help="A document for the workers to fetch (file, http, https, s3, …); may be given again.")
    ] = None,
    document_id: Annotated[str | None, typer.Option("--id", help="Document id, for a single file; default: its name and a tag.")] = None,
    mode: ModeOption = Mode.FAST,
    formats: Annotated[str, typer.Option(help="Comma-separated: markdown, json, html.")] = "markdown,json",
    engine: EngineOption = None,
    pages: PagesOption = None,
    join_tables: JoinOption = True,
    priority: Annotated[Priority, typer.Option(help="Who waits for whom.")] = Priority.NORMAL,
    password_file: PasswordOption = None,
    recursive: RecursiveOption = False,
) -> None:
    """Publish files, or documents by reference, and return at once; prints the document id and the place of each on the log."""
    if not paths and not uri:
        raise typer.BadParameter("give files, folders or --uri")
    files = cli_files.files_of(paths, recursive=recursive) if paths else []
    uris = [cli_files.checked_uri(one, current_settings()) for one in uri or ()]
    if document_id is not None:
        cli_documents.check_document_id(document_id)
        if len(files) + len(uris) != 1:
            raise typer.BadParameter("--id names one document; give one file, or one --uri")
    options = DocumentOptions(mode=mode, formats=_formats(formats), engine=engine, pages=pages, join_tables=join_tables, priority=priority)
    password, left = _password(password_file), 0
    settings = connected()
    publisher = Publisher(settings)
    for file in files:
        name = document_id or own_document_id(file.path.name)
        try:
            cli_documents.order(settings, name, partial(publisher.publish_file, file.path, name, options, password=password))
        except (OSError, PageloomError) as error:  # of this file; the others go on
            err.print(f"[red]not published:[/red] {escape(printable(said(error)))}", soft_wrap=True)
            left += 1
    for one in uris:
        filename = cli_files.name_in(one)
        name = document_id or own_document_id(filename)
        cli_documents.order(settings, name, partial(publisher.publish_uri, one, name, options, filename=filename, password=password))
    if len(files) > 1:
        err.print(f"{len(files) - left} of {len(files)} files published" if left else f"{len(files)} files published")
    if left:
        raise typer.Exit(EXIT_ERROR)


@app.command()
def topics() -> None:
    """Create the topics that are missing, check the others, and list all with their records."""
    settings = connected()
    admin = TopicAdmin(settings.bootstrap_servers, settings.kafka_security)
    admin.await_broker(REACH_TIMEOUT_S)
    admin.ensure_topics(local.topic_specs(settings))
    found = {listing.name: listing for listing in admin.list_topics(t.name for t in TOPICS)}
    table = Table(
        Column("topic", no_wrap=True),
        "key",
        Column("events", overflow="fold"),
        "written by",
        "read by",
        "partitions",
        "≤ records",
        box=None,
        pad_edge=False,
    )
    for topic in TOPICS:
        listing = found[topic.name]
        table.add_row(
            topic.name, topic.key, ", ".join(topic.events), topic.written_by, topic.read_by, str(listing.partitions), str(listing.at_most_records)
        )
    out.print(table)


@app.command(name="doctor")
def doctor_command() -> None:
    """Check what is installed, reachable and configured, and say what to do about the rest."""
    findings = doctor.examine(current_settings(), os.environ)
    for finding in findings:
        mark = "[green]ok[/green]  " if finding.ok else ("[red]FAIL[/red]" if finding.needed else "[yellow]note[/yellow]")
        out.print(f"{mark} {finding.subject}: {escape(finding.state)}", soft_wrap=True)
        if not finding.ok:
            out.print(f"       → {escape(finding.next_step)}", soft_wrap=True)
    if any(finding.needed and not finding.ok for finding in findings):
        raise typer.Exit(EXIT_ERROR)


def _check_words(settings: Settings) -> None:
    """What a worker would refuse when it starts, and again whenever it is started. Raises SettingsError."""
    for setting, name in (("engine", settings.engine), ("engine_fallback", settings.engine_fallback)):
        if name and name not in ENGINES:
            raise SettingsError(f"settings: {setting} is {name!r}; allowed are {', '.join(ENGINES)}")
    check_search_settings(settings)


@contextmanager
def _told_when_stopped() -> Iterator[None]:
    """Says that what was told to stop has stopped: it takes seconds, and a person waits to switch the machine off."""
    yield
    out.print("stopped")


@contextmanager
def _pipeline(settings: Settings) -> Iterator[tuple[Settings, local.LocalWorkers | None]]:
    """Settings that lead to a Kafka with workers: the configured one, the one that `pageloom up` runs here, or one started for this command."""
    running = settings.bootstrap_servers or awaited_pipeline(settings)
    if running:
        yield msgspec.structs.replace(settings, bootstrap_servers=running), None
        return
    if not err.is_terminal:  # where nothing can turn, nothing was said for as long as Kafka starts
        err.print("starting Kafka and the workers on this machine …")
    with (
        err.status("starting Kafka and the workers on this machine …") as status,
        local.embedded_broker(settings) as (connected, broker),
        local.LocalWorkers(connected, broker=broker) as workers,
    ):
        status.stop()
        yield connected, workers
        status.update("stopping the pipeline …")
        status.start()


def _formats(text: str) -> tuple[Format, ...]:
    try:
        return tuple(dict.fromkeys(Format(name.strip()) for name in text.split(",") if name.strip()))
    except ValueError:
        raise typer.BadParameter(f"--formats {text}: each is one of {', '.join(f.value for f in Format)}") from None


def _password(file: Path | None) -> str | None:
    if file is None:
        return None
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError:
        raise typer.BadParameter(f"--password-file {file}: its text is not UTF-8") from None
    return lines[0].removesuffix("\r")


def _colored(outcome: Outcome) -> str:
    color = {FileStatus.COMPLETE: "green", FileStatus.PARTIAL: "yellow"}.get(outcome.status, "red")
    return f"[{color}]{outcome.status.value}[/{color}]"
