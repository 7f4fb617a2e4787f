"""`pageloom get`, `cancel` and `delete`: what a person does with one document. Parses arguments and prints; other modules do the work."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from inference.engines.registry import ENGINES
from schemas.blobs import BlobStore
from schemas.errors import PageloomError
from schemas.identity import document_id_of
from streams.cli_files import make_folder
from streams.following import WAITING_MS, Standing, latest_document, standing_of
from streams.ingest.pages import parse_ranges
from streams.kafka.errors import KafkaClientError
from streams.kafka.producing import Place
from streams.outputs import InputFile, unique_names, write_document
from streams.publishing import Publisher, printable
from streams.settings import Settings
from streams.terminal import connected, err, out, told_if_slow

DocumentArgument = Annotated[str, typer.Argument(help="The document's id: its key on the ingest topic.")]
MAX_REASON = 1000
"""Characters of a reason: a sentence, in every record that it ends up in."""


def get(
    document_id: DocumentArgument,
    output: Annotated[Path, typer.Option("--output", "-o", file_okay=False, help="Folder for the results.")] = Path(),
) -> None:
    """Write the newest parsed revision of a document to files, in the formats that were asked for when it was published."""
    check_document_id(document_id)
    settings = connected()
    with err.status("looking through the parsed documents …"):
        finished = latest_document(settings, document_id)
    if finished is None:
        if _is_under_way(settings, document_id):
            why = "is still being read; `pageloom watch` tells when it is there"
        else:
            why = "is not among the parsed documents; `pageloom failed show` may know why"
        err.print(f"{escape(printable(document_id))} {why}", soft_wrap=True)
        raise typer.Exit(1)
    make_folder(output)
    (name,) = unique_names([InputFile(Path(finished.filename or document_id))])
    texts = write_document(output, name, finished, BlobStore(settings.blob_store_url), settings.max_document_bytes)
    written = ", ".join(sorted(form.value for form in texts))
    out.print(f"{escape(printable(document_id))}  {finished.status}, revision {finished.revision}: {escape(name)} as {written}", soft_wrap=True)


def cancel(
    document_id: DocumentArgument,
    reason: Annotated[str, typer.Option(help="Kept with the failure that ends the document.")] = "",
) -> None:
    """Give up what is unfinished of a document; what was parsed of it before stays. Exits with 1 where no such document is known: by its progress,
    or by what was submitted in the last 10 minutes. One that has waited for longer to be opened is cancelled all the same.
    """
    check_document_id(document_id)
    settings, now_ms = connected(), int(time.time() * 1000)
    order(settings, document_id, lambda: Publisher(settings).cancel(document_id, now_ms, reason[:MAX_REASON]))
    standing = _standing(settings, document_id, now_ms)
    if standing is Standing.UNKNOWN:
        err.print(f"{_unknown(document_id)}; one that has waited for longer is cancelled all the same", soft_wrap=True)
        raise typer.Exit(1)
    if standing is not None and standing is not Standing.UNDER_WAY:
        err.print(f"nothing of it is unfinished: it was {standing.value} before", soft_wrap=True)


def _standing(settings: Settings, document_id: str, at_ms: int) -> Standing | None:
    """Where a document stood before an order about it; None, and said, where that cannot be looked up."""
    try:
        return standing_of(settings, document_id, at_ms)
    except KafkaClientError as error:  # who may publish may not always read
        err.print(f"whether there is such a document could not be looked up: {escape(str(error))}", soft_wrap=True)
        return None


def _unknown(document_id: str) -> str:
    return (
        f"no document {escape(printable(document_id))} is known: nothing tells of it, and none was submitted in the last {WAITING_MS // 60_000} "
        "minutes (ids are what `pageloom publish` and `watch` print)"
    )


def _is_under_way(settings: Settings, document_id: str) -> bool:
    """Whether a document is known to be under way; False also where that cannot be looked up."""
    try:
        return standing_of(settings, document_id, time.time_ns() // 1_000_000) is Standing.UNDER_WAY
    except KafkaClientError:
        return False


def delete(document_id: DocumentArgument) -> None:
    """Remove a document: its pages, its parsed text, its place in the index. What is unfinished of it ends. Exits with 1 where no such document is
    known, as `cancel` does.
    """
    check_document_id(document_id)
    settings, now_ms = connected(), int(time.time() * 1000)
    order(settings, document_id, lambda: Publisher(settings).delete(document_id))
    standing = _standing(settings, document_id, now_ms)
    if standing is Standing.UNKNOWN:
        err.print(
            f"{_unknown(document_id)}; if it is older than what the topics keep it is deleted all the same",
            soft_wrap=True,
        )
        raise typer.Exit(1)
    if standing is Standing.DELETED:
        err.print("it was deleted before", soft_wrap=True)
    elif standing is not None:
        err.print(
            "it goes from the topics, the blobs and the index as the workers come to it; `pageloom watch` tells when it is gone", soft_wrap=True
        )


def order(settings: Settings, document_id: str, publish: Callable[[], Place]) -> None:
    """Publishes something about a document, and prints where it stands on the log; says what it waits for where Kafka is slow to answer."""
    with told_if_slow(f"waiting for the Kafka at {settings.bootstrap_servers} to take {printable(document_id)}"):
        place = publish()
    out.print(f"{escape(document_id)}  {place.topic}[{place.partition}]@{place.offset}", soft_wrap=True)


def checked_engine(engine: str | None) -> str | None:
    """An engine that there is; a word mistyped shows before anything is published."""
    if engine is not None and engine not in ENGINES:
        raise typer.BadParameter(f"{engine!r} is no engine; there are: {', '.join(ENGINES)}")
    return engine


def checked_pages(pages: str | None) -> str | None:
    """Pages that can be read as such."""
    try:
        if pages is not None:
            parse_ranges(pages)
    except PageloomError as error:
        raise typer.BadParameter(str(error)) from error
    return pages


def check_document_id(document_id: str) -> None:
    """Raises BadParameter for what can be no document's id."""
    if not document_id:
        raise typer.BadParameter("--id is empty; leave it out for an id of its own")
    try:
        document_id_of(os.fsencode(document_id), "")
    except ValueError as error:
        raise typer.BadParameter(f"--id: {error}") from None
