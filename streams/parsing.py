"""`pageloom parse`: files in, files out, with a bar for each document while it is under way.

Waits for the one terminal record of each submission that it made itself, so results of others are never taken for its own. Interrupted, it
cancels what is unfinished.
"""

import contextlib
import time
from collections.abc import Sequence
from enum import Enum
from pathlib import Path, PurePath

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from schemas.blobs import BlobStore
from schemas.document import FinishedPage
from schemas.errors import Code, Failure, PageloomError, Stage, failure_of
from schemas.events import DocumentFailed, DocumentOptions, DocumentProgressed, Format
from streams.following import DocumentFinished, Followed, Follower
from streams.index.worker import GROUP as INDEX_GROUP
from streams.kafka.admin import Partition, TopicAdmin
from streams.kafka.errors import DeliveryError
from streams.kafka.records import Record
from streams.local import LocalWorkers
from streams.outputs import InputFile, unique_names, write_document, write_failure
from streams.publishing import Publisher, own_document_id, printable
from streams.settings import Settings

MAX_UNDER_WAY = 64
"""Submissions at once: enough to fill any pipeline, and a bound on what waits in the broker for one command."""
QUIET_WARNING_S = 60.0
"""Without news of anything under way, a line says so: a page of a slow engine takes less."""
BROKER_PATIENCE_S = 60.0
"""Without a sign of the broker: longer than its restart. Then it is asked, and who waits is told that it is gone."""
BROKER_ANSWER_S = 5.0
INDEX_PATIENCE_S = 30.0
"""For the index to take in the last document; what it misses it indexes with the next command."""
CANCEL_TIMEOUT_S = 3.0
"""For the broker to take one cancellation: a person has pressed Ctrl-C."""
MAX_PAGES_NAMED = 8
"""Of the failed pages of a partial document, in the line about it; its JSON has all."""
MAX_WARNINGS_SHOWN = 2
MAX_RESULT_BYTES = 2 * 2**30
"""Of one stored result that is fetched to be written to a file."""


class FileStatus(str, Enum):
    """Where a file is; `complete` and `partial` are those of its document."""

    WAITING = "waiting"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


class Outcome(Struct, kw_only=True):
    """What a file became."""

    name: str
    status: FileStatus = FileStatus.WAITING
    pages: int = 0
    note: str = ""


class _Submitted(Struct):
    """A file under way."""

    name: str
    document_id: str
    outcome: Outcome
    task: TaskID


class _Pages(Struct):
    """What is read of a finished document's JSON."""

    pages: tuple[FinishedPage, ...]
    warnings: tuple[str, ...]


Key = tuple[int, int]
"""Partition and offset on the ingest topic."""


def parse_files(
    settings: Settings,
    files: Sequence[InputFile],
    folder: Path,
    options: DocumentOptions,
    password: str | None,
    workers: LocalWorkers | None,
    console: Console,
) -> list[Outcome]:
    """Publishes the files and waits for all; writes each result as it comes. `workers` are watched meanwhile, and its index waited for."""
    outcomes: list[Outcome] = []
    with _bars(console) as bars:
        formats = tuple(dict.fromkeys((*options.formats, Format.JSON)))  # every result has its JSON, whatever else is asked for
        run = _Run(settings, folder, msgspec.structs.replace(options, formats=formats), password, bars, own_workers=workers is not None)
        waiting = list(zip(files, unique_names(files), strict=True))[::-1]
        for file, name in waiting[::-1]:
            if PurePath(name).name != file.path.name:
                console.print(f"{printable(str(file.path))}: its results are {printable(name)}.*", markup=False, soft_wrap=True)
        try:
            while waiting or run.under_way:
                while waiting and len(run.under_way) < MAX_UNDER_WAY:
                    file, name = waiting.pop()
                    outcomes.append(run.publish(file.path, name))
                run.take(0.2)
                if workers is not None:
                    workers.watch()
        except BaseException:
            run.cancel()
            raise
        finally:
            run.follower.close()
        if workers is not None:
            _await_index(settings, run.parsed_at, workers)
    return outcomes


class _Run:
    """One call of `parse_files`: what is under way, and what it has become."""

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        options: DocumentOptions,
        password: str | None,
        bars: Progress,
        *,
        own_workers: bool,
    ) -> None:
        self.follower = Follower(settings)
        self.under_way: dict[Key, _Submitted] = {}
        self.parsed_at: dict[Partition, int] = {}
        """The last offset of `documents.parsed` that is ours, by partition."""
        self._settings, self._folder, self._options, self._password, self._bars = settings, folder, options, password, bars
        self._own_workers = own_workers
        self._publisher = Publisher(settings)
        self._blobs = BlobStore(settings.blob_store_url)
        self._quiet_since = self._heard_s = time.monotonic()

    def publish(self, path: Path, name: str) -> Outcome:
        """Publishes a file; one that cannot be published has its outcome at once."""
        outcome = Outcome(name=name)
        document_id = own_document_id(path.name)
        try:
            place = self._publisher.publish_file(path, document_id, self._options, password=self._password)
        except (OSError, PageloomError, DeliveryError) as error:
            code = error.code if isinstance(error, PageloomError) else Code.STORE_UNAVAILABLE
            self._fail(outcome, code, f"{printable(name)}: {printable(str(error))}")
            return outcome
        task = self._bars.add_task(printable(name), total=None)
        self.under_way[place.partition, place.offset] = _Submitted(name, document_id, outcome, task)
        return outcome

    def take(self, within_s: float) -> None:
        """Takes in what happened to submissions of this run. Raises BrokerUnreachableError for a broker that is gone for good."""
        for record, event in self.follower.events(within_s):
            if event is None:
                continue
            key = (event.submission.partition, event.submission.offset)
            if key in self.under_way:
                self._quiet_since = time.monotonic()
                self._apply(key, record, event)
        self._check_broker(time.monotonic())
        if self.under_way and time.monotonic() - self._quiet_since > QUIET_WARNING_S:
            names = ", ".join(printable(submitted.name) for submitted in self.under_way.values())
            hint = "" if self._own_workers else "; recognition may be slow: `pageloom doctor` says what waits, and whether all workers run"
            self._bars.console.print(f"no news for {QUIET_WARNING_S:g} s of {names}{hint}", markup=False)
            self._quiet_since = time.monotonic()

    def _check_broker(self, now_s: float) -> None:
        if self.follower.reachable:
            self._heard_s = now_s
        elif now_s - self._heard_s > BROKER_PATIENCE_S:
            # A broker that came back and has nothing to tell looks the same: so it is asked.
            TopicAdmin(self._settings.bootstrap_servers, self._settings.kafka_security).await_broker(BROKER_ANSWER_S)
            self._heard_s = time.monotonic()

    def cancel(self) -> None:
        """Gives up what is unfinished, as far as the broker takes it: what ended the run must not be hidden by a broker that is gone."""
        with contextlib.suppress(DeliveryError):
            for submitted in self.under_way.values():
                self._publisher.cancel(submitted.document_id, int(time.time() * 1000), "interrupted", timeout_s=CANCEL_TIMEOUT_S)

    def _apply(self, key: Key, record: Record, event: Followed) -> None:
        submitted = self.under_way[key]
        if isinstance(event, DocumentProgressed):
            done = event.extracted + event.recognized + event.failed
            submitted.outcome.pages = event.pages
            self._bars.update(submitted.task, total=event.pages, completed=done)
            return
        del self.under_way[key]
        self._bars.remove_task(submitted.task)
        if isinstance(event, DocumentFailed):
            self._write_failure(submitted.outcome, event.failure)
        else:
            self._finish(submitted.outcome, event)
            self.parsed_at[record.topic, record.partition] = max(record.offset, self.parsed_at.get((record.topic, record.partition), -1))
        self._tell(submitted.outcome)

    def _tell(self, outcome: Outcome) -> None:
        """A line for a log; a terminal has its bars, and a table in the end."""
        if not self._bars.console.is_terminal:
            self._bars.console.print(f"{printable(outcome.name)}: {outcome.status.value}", markup=False, soft_wrap=True)

    def _finish(self, outcome: Outcome, finished: DocumentFinished) -> None:
        try:
            texts = write_document(self._folder, outcome.name, finished, self._blobs, MAX_RESULT_BYTES)
        except PageloomError as error:
            self._fail(outcome, error.code, f"{printable(outcome.name)}: {error}")
            return
        except OSError as error:
            outcome.status, outcome.note = FileStatus.FAILED, _not_written(error)
            return
        document = msgspec.json.decode(texts[Format.JSON], type=_Pages)
        outcome.status, outcome.pages = FileStatus(finished.status), len(document.pages)
        outcome.note = _missing_pages(document.pages) or "; ".join(document.warnings[:MAX_WARNINGS_SHOWN])

    def _fail(self, outcome: Outcome, code: Code, message: str) -> None:
        """A failure on this side of Kafka."""
        self._write_failure(outcome, failure_of(code, Stage.OPEN, message))

    def _write_failure(self, outcome: Outcome, failure: Failure) -> None:
        outcome.status, outcome.note = FileStatus.FAILED, f"{failure.code.value}: {failure.message}"
        try:
            write_failure(self._folder, outcome.name, failure)
        except OSError as error:
            outcome.note += f" ({_not_written(error)})"


def _not_written(error: OSError) -> str:
    """A file that cannot be written costs itself; the others go on."""
    return f"the result cannot be written: {error.strerror or error}; check the disk, the rights of the folder and the length of the file name"


def _missing_pages(pages: Sequence[FinishedPage]) -> str:
    """What a person asks of a partial document: which pages, and why the first of them."""
    failed = [page for page in pages if page.error is not None]
    if not failed or failed[0].error is None:
        return ""
    shown = ", ".join(str(page.number) for page in failed[:MAX_PAGES_NAMED]) + (", …" if len(failed) > MAX_PAGES_NAMED else "")
    return f"{len(failed)} of {len(pages)} pages failed ({shown}); {failed[0].error.code}: {failed[0].error.message}"


def _await_index(settings: Settings, parsed_at: dict[Partition, int], workers: LocalWorkers) -> None:
    """Waits until the index has taken in the last of our documents: it ends with this command."""
    admin = TopicAdmin(settings.bootstrap_servers, settings.kafka_security)
    deadline = time.monotonic() + INDEX_PATIENCE_S
    while parsed_at and not admin.has_reached(INDEX_GROUP, parsed_at) and time.monotonic() < deadline:
        workers.watch()
        time.sleep(0.1)


def _bars(console: Console) -> Progress:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)
