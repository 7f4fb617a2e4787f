"""What an ingest record is: a deletion, an empty file, a `DocumentSubmitted`, or a file with its options in the headers. Pure.

Guarantees: every record is one of these or raises `Refused`, which says under which document id. Nothing of the value or of a
password stands in an error.
"""

import hashlib
from dataclasses import dataclass, field

import msgspec

from schemas import codec
from schemas.content import BlobReference
from schemas.errors import Code, PageloomError
from schemas.events import DocumentSubmitted
from schemas.identity import Submission, document_id_of
from streams.ingest.options import Asked, check_metadata, check_options, check_password, clean_filename, content_type_of, read_headers
from streams.ingest.uris import filename_in
from streams.kafka.records import Record

SUBMITTED_AVRO = "application/vnd.pageloom.document-submitted+avro"
SUBMITTED_JSON = "application/vnd.pageloom.document-submitted+json"

_EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True)
class Deletion:
    """The producer wants the document forgotten."""

    document_id: str
    submission: Submission


@dataclass(frozen=True, slots=True)
class Submitted:
    """A document to be opened: its bytes, a blob that the producer stored before, or a URI, not yet checked. Exactly one is there."""

    document_id: str
    submission: Submission
    asked: Asked
    content: bytes | None
    document: BlobReference | None
    uri: str | None = field(default=None, repr=False)


class Refused(PageloomError):
    """A record that is no submission. `undecodable`: its bytes claimed to be an event of ours and are not."""

    def __init__(self, error: PageloomError, document_id: str, submission: Submission, filename: str = "", *, undecodable: bool = False) -> None:
        super().__init__(error.code, str(error))
        self.document_id, self.submission, self.filename, self.undecodable = document_id, submission, filename, undecodable


def submission_of(record: Record) -> Submission:
    """The identity of a submission: where its record stands."""
    return Submission(topic=record.topic, partition=record.partition, offset=record.offset, appended_ms=record.timestamp_ms)


def claims_event(record: Record) -> bool:
    """Whether the value is, or says that it is, a `DocumentSubmitted`: it may hold a password then."""
    if (content_type_of(record.headers) or "").split(";")[0].strip() in (SUBMITTED_AVRO, SUBMITTED_JSON):
        return True
    return record.value is not None and codec.name_of(record.value) == DocumentSubmitted.__name__


def classify(record: Record) -> Deletion | Submitted:
    """What the record is. Raises Refused, also for an empty file."""
    submission = submission_of(record)
    document_id = _document_id(record, submission)
    if record.value is None:
        if not record.key:
            raise Refused(PageloomError(Code.INVALID_KEY, "a deletion without a key names no document"), document_id, submission)
        return Deletion(document_id, submission)
    if claims_event(record):
        return _from_event(record, record.value, document_id, submission)
    try:
        asked = read_headers(record.headers)
    except PageloomError as error:
        raise Refused(error, document_id, submission) from None
    if not record.value:
        raise Refused(PageloomError(Code.EMPTY_FILE, "the record has a value of zero bytes"), document_id, submission, asked.filename)
    return Submitted(document_id, submission, asked, record.value, None)


def _document_id(record: Record, submission: Submission) -> str:
    """The key as an id, or the hash of the content. A key that is none is refused under its hash, so that the refusal has an id."""
    content_sha256 = _EMPTY_SHA256
    if not record.key and record.value and not claims_event(record):
        content_sha256 = hashlib.sha256(record.value).hexdigest()
    elif not record.key and record.value:
        content_sha256 = _event_content_sha256(record, record.value)
    try:
        return document_id_of(record.key, content_sha256)
    except ValueError as error:
        raise Refused(PageloomError(Code.INVALID_KEY, str(error)), hashlib.sha256(record.key or b"").hexdigest(), submission) from None


def _event_content_sha256(record: Record, value: bytes) -> str:
    """The hash of the document in an event; of the event itself where it cannot be decoded."""
    try:
        event = _decoded(record, value)
    except PageloomError:
        return hashlib.sha256(value).hexdigest()
    if event.content is not None:
        return hashlib.sha256(event.content).hexdigest()
    return event.document.sha256 if event.document is not None else hashlib.sha256(value).hexdigest()


def _from_event(record: Record, value: bytes, document_id: str, submission: Submission) -> Submitted:
    try:
        event = _decoded(record, value)
    except PageloomError as error:
        raise Refused(error, document_id, submission, undecodable=True) from None
    filename = clean_filename(event.filename or filename_in(event.uri or ""))
    try:
        _check_source(event)
        asked = Asked(
            options=check_options(event.options),
            filename=filename,
            content_type=(event.content_type or "").strip().lower()[:200] or None,
            password=check_password(event.password),
            metadata=check_metadata(event.metadata),
        )
    except PageloomError as error:
        raise Refused(error, document_id, submission, filename) from None
    return Submitted(document_id, submission, asked, event.content, event.document, event.uri)


def _check_source(event: DocumentSubmitted) -> None:
    given = sum(source is not None for source in (event.content, event.document, event.uri))
    if given != 1:
        raise PageloomError(Code.INVALID_OPTIONS, f"{given} of the fields content, document and uri are given; allowed is exactly one")
    if event.content is not None and not event.content:
        raise PageloomError(Code.EMPTY_FILE, "the file has no bytes")
    if event.document is not None and not event.document.name.startswith("shared/"):
        raise PageloomError(Code.INVALID_OPTIONS, "the field document names a blob that is not below shared/")


def _decoded(record: Record, value: bytes) -> DocumentSubmitted:
    """The event. Raises UNDECODABLE; the decoders name fields and types, and no value."""
    if (content_type_of(record.headers) or "").split(";")[0].strip() == SUBMITTED_JSON:
        try:
            return msgspec.json.decode(value, type=DocumentSubmitted)
        except (msgspec.DecodeError, RecursionError) as error:
            raise PageloomError(Code.UNDECODABLE, f"no JSON of a DocumentSubmitted: {codec.unquoted(error)}") from None
    try:
        return codec.decode(value, DocumentSubmitted)
    except codec.Undecodable as error:
        raise PageloomError(Code.UNDECODABLE, str(error)) from None
