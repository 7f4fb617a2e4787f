"""Where a document stands for who would cancel it: a mistyped id is told from one that is under way, waits, has ended or was deleted."""

from collections.abc import Iterator, Sequence

import pytest
from typer.testing import CliRunner

from schemas import codec
from schemas.events import DocumentProgressed, Progress
from schemas.identity import Submission
from streams import cli_documents, following
from streams.cli import app
from streams.following import Standing, standing_of
from streams.kafka.errors import KafkaClientError
from streams.kafka.producing import Place
from streams.kafka.records import Record
from streams.settings import Settings
from streams.topics import CONTROL, INGEST, PROGRESS

NOW_MS = 1_000_000
SUBMISSION = Submission(topic=INGEST.name, partition=0, offset=0, appended_ms=0)


def progress(step: Progress, at_ms: int, key: bytes = b"d") -> Record:
    event = DocumentProgressed(document_id=key.decode(), submission=SUBMISSION, filename="d.pdf", progress=step, pages=1)
    return told(PROGRESS.name, codec.encode(event), at_ms, key)


def told(topic: str, value: bytes | None, at_ms: int, key: bytes = b"d") -> Record:
    return Record(topic=topic, partition=0, offset=0, timestamp_ms=at_ms, timestamp_is_log_append=True, key=key, value=value)


@pytest.mark.parametrize(
    ("records", "standing"),
    [
        ([], Standing.UNKNOWN),
        ([progress(Progress.READING, 1, b"other"), told(INGEST.name, b"%PDF", NOW_MS - 5, b"other")], Standing.UNKNOWN),
        ([progress(Progress.READING, 1)], Standing.UNDER_WAY),
        ([progress(Progress.READING, 1), progress(Progress.COMPLETE, 2)], Standing.ENDED),
        ([progress(Progress.READING, 1), progress(Progress.FAILED, NOW_MS + 1)], Standing.UNDER_WAY),  # that end is what was asked for
        ([progress(Progress.COMPLETE, 1), told(PROGRESS.name, None, 2)], Standing.DELETED),
        ([told(INGEST.name, b"%PDF", NOW_MS - 5)], Standing.UNDER_WAY),
        ([told(INGEST.name, b"%PDF", NOW_MS - following.WAITING_MS - 1)], Standing.UNKNOWN),
    ],
)
def test_where_a_document_stands(monkeypatch: pytest.MonkeyPatch, records: list[Record], standing: Standing) -> None:
    class Reader:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def since(self, topics: Sequence[str], since_ms: int) -> Iterator[Record]:
            return (record for record in records if record.topic in topics and record.timestamp_ms >= since_ms)

    monkeypatch.setattr(following, "RecordReader", Reader)
    assert standing_of(Settings(), "d", NOW_MS) is standing


@pytest.mark.parametrize("topic", [PROGRESS.name, INGEST.name])
def test_a_look_that_takes_too_long_is_no_answer(monkeypatch: pytest.MonkeyPatch, topic: str) -> None:
    """Progress was looked through for as long as it took; half of the submissions were taken for all."""
    clock = iter([0.0, following.PATIENCE_S + 1])
    monkeypatch.setattr(following.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(following, "RecordReader", lambda *_, **__: type("Reader", (), {"since": lambda _, topics, __: many(topic in topics)})())

    def many(there: bool) -> Iterator[Record]:
        return iter([told(topic, b"%PDF", NOW_MS, b"other")] * there)

    with pytest.raises(KafkaClientError, match=rf"{topic} holds more than can be looked through in 10 s"):
        standing_of(Settings(), "d", NOW_MS)


@pytest.mark.parametrize(
    ("order", "found", "status", "says"),
    [
        ("cancel", Standing.UNKNOWN, 1, "no document tpyo is known"),
        ("cancel", Standing.UNDER_WAY, 0, ""),
        ("cancel", Standing.ENDED, 0, "finished or failed before"),
        ("cancel", KafkaClientError("not authorized"), 0, "could not be looked up: not authorized"),
        ("delete", Standing.UNKNOWN, 1, "no document tpyo is known"),
        ("delete", Standing.UNDER_WAY, 0, "tells when it is gone"),
        ("delete", Standing.ENDED, 0, "tells when it is gone"),
        ("delete", Standing.DELETED, 0, "deleted before"),
        ("delete", KafkaClientError("not authorized"), 0, "could not be looked up: not authorized"),
    ],
)
def test_an_order_says_whether_there_is_such_a_document(
    monkeypatch: pytest.MonkeyPatch, order: str, found: Standing | KafkaClientError, status: int, says: str
) -> None:
    """`cancel` and `delete` of a mistyped id said where the order stood on the log, and that was all."""

    def standing(*_: object) -> Standing:
        if isinstance(found, KafkaClientError):
            raise found
        return found

    publisher = type("Publisher", (), {order: lambda *_: Place(CONTROL.name, 0, 7)})
    monkeypatch.setattr(cli_documents, "connected", Settings)
    monkeypatch.setattr(cli_documents, "Publisher", lambda _: publisher())
    monkeypatch.setattr(cli_documents, "standing_of", standing)
    done = CliRunner().invoke(app, [order, "tpyo"])
    assert done.exit_code == status
    assert done.stdout == "tpyo  documents.control[0]@7\n"
    assert says in done.stderr
    assert bool(done.stderr) == bool(says)
