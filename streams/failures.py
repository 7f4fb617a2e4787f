"""What went wrong, looked up and tried again: failures of documents and pages, and dead letters, from their topics.

Guarantees: `replay` publishes a submission again exactly as it was (bytes, key and headers, so options and password too), which makes a new revision;
pages that were recognized before come from the cache. A submission that the log no longer holds, or that is not the newest of its document, is
named and left alone.
"""

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from schemas import codec
from schemas.errors import Failure
from schemas.events import DeadLettered, DocumentFailed, DocumentProgressed, PageFailed
from schemas.identity import Submission
from streams.kafka.clients import producer_config
from streams.kafka.producing import Place, Producing
from streams.kafka.reading import RecordReader
from streams.kafka.records import OutputRecord, Record
from streams.settings import Settings
from streams.topics import DAY_MS, DEAD_LETTERS, FAILED, INGEST, PAGES_FAILED, PROGRESS

DEFAULT_AGE_MS = 7 * DAY_MS
"""How far back failures are looked for: as long as submissions are kept, so that what is found can be replayed."""
MAX_LISTED = 10_000
"""Failures held in memory, the newest."""


class FailureEntry(Struct, frozen=True, kw_only=True):
    """One failure as people see it. `kind` is `document`, `page` or `letter`; of a letter `place` is the record that it is about."""

    kind: str
    time_ms: int
    document_id: str
    filename: str = ""
    page: int | None = None
    code: str
    stage: str
    message: str
    attempts: int = 1
    retryable: bool = False
    submission: Submission | None = None
    place: str = ""


class Replayed(Struct, frozen=True, kw_only=True):
    """What became of one replay: the place of the new submission, or why there is none."""

    document_id: str
    submission: Submission
    place: Place | None = None
    reason: str = ""


def list_failures(settings: Settings, now_ms: int, age_ms: int = DEFAULT_AGE_MS) -> list[FailureEntry]:
    """Failures of the last time, oldest first, at most `MAX_LISTED` of the newest. Raises KafkaClientError."""
    topics = (FAILED.name, PAGES_FAILED.name, DEAD_LETTERS.name)
    entries = (entry for record in _reader(settings).since(topics, now_ms - age_ms) if (entry := entry_of(record)) is not None)
    return heapq.nlargest(MAX_LISTED, entries, key=lambda entry: (entry.time_ms, entry.document_id, entry.page or 0))[::-1]


def entry_of(record: Record) -> FailureEntry | None:
    """A record of a failure topic as an entry; None for a tombstone and for what is no event."""
    if record.value is None:
        return None
    try:
        match codec.name_of(record.value):
            case "DocumentFailed":
                document = codec.decode(record.value, DocumentFailed)
                return _entry("document", record, document.document_id, document.filename, document.submission, document.failure)
            case "PageFailed":
                page = codec.decode(record.value, PageFailed)
                return _entry("page", record, page.document_id, page.filename, page.submission, page.failure, page.page)
            case "DeadLettered":
                return _letter_entry(record, codec.decode(record.value, DeadLettered))
    except codec.Undecodable:
        return None
    return None


def matching(
    entries: Iterable[FailureEntry], *, documents: Sequence[str] = (), codes: Sequence[str] = (), stages: Sequence[str] = ()
) -> list[FailureEntry]:
    """The entries of these documents, codes and stages; an empty choice takes all."""
    return [
        entry
        for entry in entries
        if (not documents or entry.document_id in documents) and (not codes or entry.code in codes) and (not stages or entry.stage in stages)
    ]


def replay(settings: Settings, entries: Iterable[FailureEntry]) -> Iterator[Replayed]:
    """Publishes the newest failed submission of each document again, unless a newer one was published since: that would bring old content back.

    Raises KafkaClientError, DeliveryError.
    """
    failed: dict[str, Submission] = {}
    for entry in entries:
        if entry.submission is not None:
            failed[entry.document_id] = _newer(failed.get(entry.document_id), entry.submission)
    reader = _reader(settings)
    latest = _latest_submissions(reader, failed.keys()) if failed else {}
    with Producing(
        producer_config(
            settings.bootstrap_servers, "pageloom-replay", settings.kafka_security, linger_ms=0, max_message_bytes=settings.max_message_bytes
        ),
        max_message_bytes=settings.max_message_bytes,
    ) as producer:
        for document_id, submission in failed.items():
            newest = latest.get(document_id)
            if newest is not None and newest.order > submission.order:
                yield Replayed(document_id=document_id, submission=submission, reason="a newer submission was published since")
                continue
            record = reader.at(Place(submission.topic, submission.partition, submission.offset)) if submission.topic == INGEST.name else None
            if record is None or record.value is None:
                yield Replayed(document_id=document_id, submission=submission, reason="the log no longer holds it; publish the file again")
                continue
            place = producer.send(OutputRecord(INGEST.name, record.key, record.value, record.headers))
            yield Replayed(document_id=document_id, submission=submission, place=place)


def _latest_submissions(reader: RecordReader, documents: Collection[str]) -> dict[str, Submission]:
    """The newest submission of each of these documents, as far as their progress tells."""
    found: dict[str, Submission] = {}
    for record in reader.since([PROGRESS.name], 0):
        if record.value is not None and (record.key or b"").decode("utf-8", "replace") in documents:
            try:
                event = codec.decode(record.value, DocumentProgressed)
            except codec.Undecodable:
                continue
            found[event.document_id] = _newer(found.get(event.document_id), event.submission)
    return found


def _newer(one: Submission | None, other: Submission) -> Submission:
    return other if one is None else max(one, other, key=lambda submission: submission.order)


def _entry(
    kind: str, record: Record, document_id: str, filename: str, submission: Submission, failure: Failure, page: int | None = None
) -> FailureEntry:
    return FailureEntry(
        kind=kind,
        time_ms=record.timestamp_ms,
        document_id=document_id,
        filename=filename,
        page=page,
        code=failure.code.value,
        stage=failure.stage.value,
        message=failure.message,
        attempts=failure.attempts,
        retryable=failure.retryable,
        submission=submission,
        place=f"{record.topic}[{record.partition}]@{record.offset}",
    )


def _letter_entry(record: Record, letter: DeadLettered) -> FailureEntry:
    return FailureEntry(
        kind="letter",
        time_ms=record.timestamp_ms,
        document_id=(letter.key or b"").decode("utf-8", "replace"),
        code=letter.cause,
        stage=letter.stage,
        message=letter.message,
        place=f"{letter.topic}[{letter.partition}]@{letter.offset}",
    )


def _reader(settings: Settings) -> RecordReader:
    return RecordReader(settings.bootstrap_servers, "pageloom-failed", settings.kafka_security, max_message_bytes=settings.max_message_bytes)
