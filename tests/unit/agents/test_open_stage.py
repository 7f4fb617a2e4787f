"""What `open` answers to a record, without Kafka: the child process is called in place."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog.testing

from schemas import codec
from schemas.errors import Code, PageloomError
from schemas.events import (
    DeadLettered,
    DocumentCancelled,
    DocumentDeleted,
    DocumentOpened,
    DocumentRejected,
    DocumentSubmitted,
    PageRangeReady,
)
from streams.agents import open_stage, store_watch
from streams.agents.open_stage import OpenStage
from streams.ingest import sniff
from streams.kafka.records import OutputRecord, Record
from streams.sandbox import ChildrenError
from streams.settings import Settings, SettingsError
from tests.unit.ingest import documents

PASSWORD = "correct horse battery"


class InPlace:
    """Calls functions here and now; raises the given failures first."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.calls = 0

    async def call(self, function: Callable[..., Any], *args: object, timeout_s: float, limit_setting: str) -> Any:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return function(*args)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=str(tmp_path), bootstrap_servers="unused:1", range_pages=4)


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_stage, "RETRY_PAUSE_S", 0.0)
    monkeypatch.setattr(store_watch, "FIRST_PAUSE_S", 0.0)


def record(value: bytes | None, headers: tuple[tuple[str, bytes], ...] = (), key: bytes | None = b"doc", append_time: bool = True) -> Record:
    return Record("documents.ingest", 0, 5, 1234, append_time, key, value, headers)


def answer(settings: Settings, given: Record, caller: InPlace | None = None) -> tuple[tuple[OutputRecord, ...], ...]:
    return asyncio.run(OpenStage(settings, caller or InPlace()).answer(given))


def rejected(settings: Settings, given: Record, caller: InPlace | None = None) -> DocumentRejected:
    first = answer(settings, given, caller)[0][0]
    assert (first.topic, first.key) == ("pages.events", codec.decode(first.value or b"", DocumentRejected).document_id.encode())
    return codec.decode(first.value or b"", DocumentRejected)


def test_a_document_is_announced_before_its_ranges(settings: Settings) -> None:
    (announced,), ranges = answer(settings, record(documents.pdf(10), (("filename", b"a.pdf"), ("metadata-source", b"tests"))))
    opened = codec.decode(announced.value or b"", DocumentOpened)
    assert (announced.topic, announced.key) == ("pages.events", b"doc")
    assert (opened.page_count, opened.filename, opened.submission.id, opened.metadata["source"]) == (10, "a.pdf", "documents.ingest-0-5", "tests")
    units = [codec.decode(r.value or b"", PageRangeReady) for r in ranges]
    assert [(u.first_page, u.last_page) for u in units] == [(1, 4), (5, 8), (9, 10)]
    assert {u.document for u in units} == {opened.document}
    assert {r.topic for r in ranges} == {"pages.ready"}
    assert len({r.key for r in ranges}) == 3, "ranges of a document spread over partitions"


def test_a_document_without_pages_is_announced_with_its_logical_ones(settings: Settings) -> None:
    (announced,), ranges = answer(settings, record(documents.docx(), (("filename", b"a.docx"),)))
    opened = codec.decode(announced.value or b"", DocumentOpened)
    assert (opened.media_type, opened.page_count, opened.pages, opened.warnings) == (sniff.DOCX, 1, (1,), ())
    assert len(ranges) == 1


@pytest.mark.parametrize(
    ("pages", "headers", "topic"),
    [
        (5, (), "pages.ready.express"),
        (6, (), "pages.ready"),
        (9, (("priority", b"interactive"),), "pages.ready.express"),
        (9, (("pages", b"3-4"),), "pages.ready.express"),
    ],
)
def test_short_and_urgent_documents_take_the_express_lane(settings: Settings, pages: int, headers: tuple[tuple[str, bytes], ...], topic: str) -> None:
    _, ranges = answer(settings, record(documents.pdf(pages), headers))
    assert {r.topic for r in ranges} == {topic}


@pytest.mark.parametrize(
    ("value", "headers", "code"),
    [
        (b"", (), Code.EMPTY_FILE),
        (b"../x.pdf", (("filename", b"x.pdf"),), Code.UNKNOWN_TYPE),
        (documents.locked_pdf(user=PASSWORD), (), Code.ENCRYPTED),
        (documents.locked_pdf(user=PASSWORD), (("password", b"wrong " + PASSWORD.encode()),), Code.WRONG_PASSWORD),
        (b"%PDF-1.7 nothing else", (), Code.CORRUPT),
        (documents.pdf(), (("mode", b"quick"),), Code.INVALID_OPTIONS),
        (documents.pdf(), (("pages", b"4"),), Code.NO_SUCH_PAGES),
    ],
)
def test_what_cannot_be_opened_is_rejected_with_its_code(
    settings: Settings, value: bytes, headers: tuple[tuple[str, bytes], ...], code: Code
) -> None:
    with structlog.testing.capture_logs() as lines:
        event = rejected(settings, record(value, headers))
    assert event.failure.code is code
    assert [line["code"] for line in lines if line["event"] == "document.rejected"] == [code.value]
    assert PASSWORD not in str(lines) + str(event)


def test_a_password_goes_no_further(settings: Settings, tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as lines:
        batches = answer(settings, record(documents.locked_pdf(user=PASSWORD), (("password", PASSWORD.encode()),)))
    opened = codec.decode(batches[0][0].value or b"", DocumentOpened)
    assert opened.document.name.startswith("runs/")
    written = b"".join((r.value or b"") + (r.key or b"") for batch in batches for r in batch)
    assert PASSWORD.encode() not in written
    assert PASSWORD not in str(lines)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and PASSWORD.encode() in path.read_bytes()]


def test_an_event_that_cannot_be_decoded_is_rejected_and_dead_lettered_without_its_value(settings: Settings) -> None:
    damaged = codec.encode(DocumentSubmitted(content=b"x", password=PASSWORD))[:-5]
    (rejection, letter), *_ = answer(settings, record(damaged))
    assert codec.decode(rejection.value or b"", DocumentRejected).failure.code is Code.UNDECODABLE
    dead = codec.decode(letter.value or b"", DeadLettered)
    assert (letter.topic, dead.topic, dead.partition, dead.offset, dead.cause) == ("dead.letters", "documents.ingest", 0, 5, "undecodable")
    assert dead.value is None
    assert dead.value_size_bytes == len(damaged)
    assert PASSWORD.encode() not in (letter.value or b"")


def test_a_time_of_the_producer_is_dead_lettered(settings: Settings) -> None:
    ((letter,),) = answer(settings, record(documents.pdf(), append_time=False))
    dead = codec.decode(letter.value or b"", DeadLettered)
    assert (dead.cause, dead.value is not None) == ("not_log_append_time", True)
    ((letter,),) = answer(settings, record(codec.encode(DocumentSubmitted(password=PASSWORD)), append_time=False))
    assert codec.decode(letter.value or b"", DeadLettered).value is None


def test_a_null_value_deletes(settings: Settings) -> None:
    ((event,),) = answer(settings, record(None))
    assert codec.decode(event.value or b"", DocumentDeleted).submission.offset == 5


def test_a_cancellation_goes_on_and_junk_does_not(settings: Settings) -> None:
    stage = OpenStage(settings, InPlace())
    cancelled = DocumentCancelled(document_id="dök", requested_ms=5)
    ((event,),) = asyncio.run(stage.answer_control(record(codec.encode(cancelled))))
    assert (event.topic, event.key, codec.decode(event.value or b"", DocumentCancelled)) == ("pages.events", "dök".encode(), cancelled)
    for junk in (None, b"", b"junk"):
        ((letter,),) = asyncio.run(stage.answer_control(record(junk)))
        assert letter.topic == "dead.letters"


def test_a_limit_on_bytes_is_checked_before_anything_is_stored(settings: Settings, tmp_path: Path) -> None:
    small = msgspec.structs.replace(settings, max_document_bytes=100)
    assert rejected(small, record(documents.pdf())).failure.code is Code.TOO_LARGE
    assert not (tmp_path / "blobs").exists()


def test_metadata_that_does_not_fit_into_a_message(settings: Settings) -> None:
    small = msgspec.structs.replace(settings, max_message_bytes=1000)
    assert rejected(small, record(documents.pdf(), (("metadata-x", b"y" * 900),))).failure.code is Code.MESSAGE_TOO_LARGE


@pytest.mark.parametrize(
    ("failures", "code", "calls"),
    [
        ([PageloomError(Code.CRASHED, "x")] * 2, None, 3),
        ([PageloomError(Code.CRASHED, "x")] * 3, Code.CRASHED, 3),
        ([PageloomError(Code.STORE_UNAVAILABLE, "x")] * 3, None, 4),
        ([PageloomError(Code.TIMED_OUT, "x")], Code.TIMED_OUT, 1),
        ([ZeroDivisionError(PASSWORD)], Code.INTERNAL, 1),
    ],
)
def test_failures_of_the_machine_are_tried_again(settings: Settings, failures: list[Exception], code: Code | None, calls: int) -> None:
    caller = InPlace(*failures)
    first = answer(settings, record(documents.pdf()), caller)[0][0]
    assert caller.calls == calls
    if code is None:
        codec.decode(first.value or b"", DocumentOpened)
    else:
        failure = codec.decode(first.value or b"", DocumentRejected).failure
        assert (failure.code, failure.attempts) == (code, calls)
        assert PASSWORD not in failure.message


def test_a_document_by_uri_is_fetched_once_and_named_by_its_path(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "a b.pdf").write_bytes(documents.pdf(2))
    allowing = msgspec.structs.replace(settings, uri_roots=(tmp_path / "inbox").as_uri())
    event = codec.encode(DocumentSubmitted(uri=(tmp_path / "inbox" / "a b.pdf").as_uri()))
    first = answer(allowing, record(event), InPlace(PageloomError(Code.CRASHED, "x")))[0][0]
    opened = codec.decode(first.value or b"", DocumentOpened)
    assert (opened.page_count, opened.filename) == (2, "a b.pdf")
    assert rejected(settings, record(event)).failure.code is Code.URI_NOT_ALLOWED
    outside = codec.encode(DocumentSubmitted(uri=(tmp_path / "other.pdf").as_uri() + "?signature=hidden"))
    failure = rejected(allowing, record(outside)).failure
    assert failure.code is Code.URI_NOT_ALLOWED
    assert "hidden" not in failure.message
    (tmp_path / "inbox" / "empty.pdf").touch()
    empty = codec.encode(DocumentSubmitted(uri=(tmp_path / "inbox" / "empty.pdf").as_uri()))
    assert rejected(allowing, record(empty)).failure.code is Code.EMPTY_FILE


def test_roots_that_are_none_are_a_fault_of_the_settings(settings: Settings) -> None:
    with pytest.raises(SettingsError, match="uri_roots"):
        OpenStage(msgspec.structs.replace(settings, uri_roots="file:///"), InPlace())


def test_answering_twice_gives_the_same(settings: Settings) -> None:
    given = record(documents.pdf(10))
    assert answer(settings, given) == answer(settings, given)


def test_where_no_child_comes_up_the_worker_ends_and_no_document_is_blamed(settings: Settings) -> None:
    with pytest.raises(ChildrenError):
        answer(settings, record(documents.pdf(1)), InPlace(ChildrenError("none comes up")))
