"""What becomes of submissions: progress, the finished document or the failure, read from the public topics.

Without a consumer group: a follower stands at the end of the topics when it is created, so whatever is published after that is not missed.
"""

import time
from collections import OrderedDict
from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from schemas import codec
from schemas.content import BlobReference
from schemas.events import DocumentFailed, DocumentParsed, DocumentProgressed, Progress, Rendering
from schemas.identity import Submission
from streams.kafka.errors import KafkaClientError
from streams.kafka.feeding import RecordFeed
from streams.kafka.reading import RecordReader
from streams.kafka.records import Record
from streams.settings import Settings
from streams.topics import FAILED, INGEST, PARSED, PROGRESS


class DocumentFinished(Struct, frozen=True, kw_only=True):
    """A projection of `DocumentParsed`: everything but the block tree, which is most of it and is in the JSON rendering as well."""

    document_id: str
    submission: Submission
    revision: int
    status: str
    filename: str
    document_reference: BlobReference | None
    renderings: tuple[Rendering, ...]


UNDER_WAY = (Progress.OPENED, Progress.READING, Progress.FINISHING)
"""Steps that come before the end of a submission, on a topic of their own."""
ENDED_KEPT = 2_000
"""Submissions whose end is remembered: topics are seconds apart at most."""

WAITING_MS = 10 * 60 * 1000
"""How long ago a submission may have been published that has no progress yet: longer than any queue of a pipeline that is well."""
PATIENCE_S = 10.0
"""For looking through progress and submissions, which are whole files: a person waits."""


class Standing(Enum):
    """What is known of a document."""

    UNKNOWN = "unknown"
    UNDER_WAY = "under way"
    ENDED = "finished or failed"
    DELETED = "deleted"


Followed = DocumentProgressed | DocumentFinished | DocumentFailed
EVENT_TYPES: dict[str, tuple[str, type[DocumentProgressed] | type[DocumentFinished] | type[DocumentFailed]]] = {
    PROGRESS.name: (DocumentProgressed.__name__, DocumentProgressed),
    PARSED.name: (DocumentParsed.__name__, DocumentFinished),
    FAILED.name: (DocumentFailed.__name__, DocumentFailed),
}
"""By topic, the event that is on it and what is read of it."""


def latest_document(settings: Settings, document_id: str) -> DocumentFinished | None:
    """The newest parsed revision of a document that its topic still holds; None where there is none, or it was deleted since.

    Reads the topic from its beginning. Raises KafkaClientError.
    """
    reader = RecordReader(settings.bootstrap_servers, "pageloom-get", settings.kafka_security, max_message_bytes=settings.max_message_bytes)
    found: DocumentFinished | None = None
    for record in reader.since([PARSED.name], 0):
        if record.key != document_id.encode():
            continue
        if record.value is None:
            found = None
            continue
        try:
            event = codec.decode(record.value, DocumentFinished, DocumentParsed.__name__)
        except codec.Undecodable:
            continue
        found = event if found is None or event.revision >= found.revision else found
    return found


def standing_of(settings: Settings, document_id: str, at_ms: int) -> Standing:
    """Where a document stood at a time (milliseconds since the epoch): by its progress, and, where there is none, by the submissions of the last
    `WAITING_MS`, which may wait to be opened. Raises KafkaClientError, also where that is more than can be looked through in `PATIENCE_S`.
    """
    reader = RecordReader(settings.bootstrap_servers, "pageloom-follow", settings.kafka_security, max_message_bytes=settings.max_message_bytes)
    key, standing = document_id.encode(), Standing.UNKNOWN
    deadline_s = time.monotonic() + PATIENCE_S
    for record in _before(deadline_s, reader.since([PROGRESS.name], 0)):
        if record.key != key or (record.timestamp_ms > at_ms and standing is not Standing.UNKNOWN):
            continue  # what the question itself led to
        standing = _standing_by(record)
    if standing is Standing.UNKNOWN:
        for record in _before(deadline_s, reader.since([INGEST.name], at_ms - WAITING_MS)):
            if record.key == key:
                standing = Standing.DELETED if record.value is None else Standing.UNDER_WAY
    return standing


def _before(deadline_s: float, records: Iterator[Record]) -> Iterator[Record]:
    """The records, all of them or an error: half of a look says nothing. Raises KafkaClientError."""
    for record in records:
        if time.monotonic() > deadline_s:
            raise KafkaClientError(f"{record.topic} holds more than can be looked through in {PATIENCE_S:g} s")
        yield record


def _standing_by(record: Record) -> Standing:
    if record.value is None:
        return Standing.DELETED
    try:
        event = codec.decode(record.value, DocumentProgressed)
    except codec.Undecodable:
        return Standing.UNKNOWN
    return Standing.UNDER_WAY if event.progress in UNDER_WAY else Standing.ENDED


class Follower:
    """A reader of the outcome topics, from now on."""

    def __init__(self, settings: Settings) -> None:
        from_now = dict.fromkeys(EVENT_TYPES)
        self._ended: OrderedDict[Submission, None] = OrderedDict()
        self._feed = RecordFeed(
            settings.bootstrap_servers, "pageloom-follow", from_now, settings.kafka_security, max_message_bytes=settings.max_message_bytes
        )

    @property
    def reachable(self) -> bool:
        """Whether a broker answered last."""
        return self._feed.reachable

    def events(self, within_s: float) -> Iterator[tuple[Record, Followed | None]]:
        """What came in within a time, oldest first; an event of None is a deletion. Left out are bytes that are no event, and progress towards an end
        that was given out before: it stands on another topic, which was read later.
        """
        for record in sorted(self._feed.records(within_s), key=lambda record: record.timestamp_ms):
            if record.value is None:
                yield record, None
                continue
            try:
                name, wanted = EVENT_TYPES[record.topic]
                event = codec.decode(record.value, wanted, name)
            except codec.Undecodable:
                continue
            if isinstance(event, DocumentProgressed):
                if event.progress in UNDER_WAY and event.submission in self._ended:
                    continue
            else:
                self._ended[event.submission] = None
                if len(self._ended) > ENDED_KEPT:
                    self._ended.popitem(last=False)
            yield record, event

    def close(self) -> None:
        """Leaves the topics."""
        self._feed.close()
