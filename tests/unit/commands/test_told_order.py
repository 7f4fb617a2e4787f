"""What followers are told, and in which order: topics are read one after another, documents go on meanwhile."""

import threading
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from schemas import codec
from schemas.errors import RULES, Code, PageloomError, Stage
from schemas.events import DocumentFailed, DocumentProgressed, Progress
from schemas.identity import Submission
from streams import cli, cli_watch, following
from streams.kafka.records import Record
from streams.settings import Settings
from streams.topics import FAILED, PROGRESS


def submission(number: int) -> Submission:
    return Submission(topic="documents.ingest", partition=0, offset=number, appended_ms=number)


def record(topic: str, at_ms: int, value: bytes | None) -> Record:
    return Record(topic=topic, partition=0, offset=at_ms, timestamp_ms=at_ms, timestamp_is_log_append=True, key=b"d", value=value, headers=())


def progress(at_ms: int, state: Progress, number: int = 1) -> Record:
    event = DocumentProgressed(document_id="d", submission=submission(number), filename="", progress=state, pages=1)
    return record(PROGRESS.name, at_ms, codec.encode(event))


def failed(at_ms: int, number: int = 1) -> Record:
    failure = PageloomError(Code.ENCRYPTED, "cut").failure(Stage.READ)
    return record(FAILED.name, at_ms, codec.encode(DocumentFailed(document_id="d", submission=submission(number), filename="", failure=failure)))


class Fed:
    """A feed that hands these batches out."""

    def __init__(self, batches: Iterator[list[Record]]) -> None:
        self._batches = batches

    reachable = True

    def records(self, _within_s: float) -> list[Record]:
        return next(self._batches)

    def close(self) -> None:
        """Nothing is open."""


def told(monkeypatch: pytest.MonkeyPatch, *batches: list[Record]) -> list[str]:
    monkeypatch.setattr(following, "RecordFeed", lambda *_, **__: Fed(iter(batches)))
    follower = following.Follower(Settings(bootstrap_servers="b:1"))
    events = [event for _ in batches for _, event in follower.events(0.0)]
    return [event.progress.value if isinstance(event, DocumentProgressed) else "deleted" if event is None else "ended" for event in events]


def test_of_what_came_together_the_oldest_is_told_first(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = [failed(30), progress(10, Progress.OPENED), progress(20, Progress.READING)]
    assert told(monkeypatch, batch) == ["opened", "reading", "ended"]


def test_no_progress_is_told_after_the_end_but_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    late = [progress(20, Progress.READING), progress(31, Progress.FAILED)]
    assert told(monkeypatch, [failed(30)], late) == ["ended", "failed"]


def test_another_submission_of_the_document_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, [failed(30)], [progress(40, Progress.OPENED, 2)]) == ["ended", "opened"]


def test_deletions_and_bytes_that_are_no_event(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, [record(FAILED.name, 1, b"noise"), record(FAILED.name, 2, None)]) == ["deleted"]


def test_watch_prints_the_end_of_a_submission_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()

    def batches() -> Iterator[list[Record]]:
        yield [progress(10, Progress.READING), failed(30), progress(31, Progress.FAILED)]
        stop.set()
        yield []

    feed = Fed(batches())
    monkeypatch.setattr(following, "RecordFeed", lambda *_, **__: feed)
    monkeypatch.setattr(cli_watch, "connected", lambda: Settings(bootstrap_servers="b:1"))
    monkeypatch.setattr(cli_watch, "stop_on_signals", lambda: stop)
    done = CliRunner().invoke(cli.app, ["watch"])
    assert done.output.splitlines() == ["d  reading 0/1", f"d  failed encrypted: cut; {RULES[Code.ENCRYPTED].next_step}"]
