"""Records that the open and read stages write when something is wrong: dead letters, and failures of documents and pages. Pure."""

import hashlib
from pathlib import Path

from schemas import codec
from schemas.errors import Code, Failure, PageloomError, Stage
from schemas.events import DeadLettered, DocumentRejected, PageFailed
from schemas.identity import Submission
from streams import topics
from streams.kafka.records import OutputRecord, Record

MAX_LETTER_BYTES = 64 * 1024
"""Of a value kept in a dead letter: enough to see what it is. The record itself stays on its topic."""


def dead_letter(record: Record, stage: Stage, error: PageloomError, *, keep_value: bool) -> OutputRecord:
    """Bytes that are no event of ours. `keep_value` is False where the value may hold a password."""
    value = record.value or b""
    letter = DeadLettered(
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        stage=stage.value,
        cause=error.code.value,
        message=str(error),
        key=record.key[:MAX_LETTER_BYTES] if record.key is not None else None,
        value=value[:MAX_LETTER_BYTES] if keep_value else None,
        value_size_bytes=len(value),
        value_sha256=hashlib.sha256(value).hexdigest(),
    )
    return OutputRecord(topics.DEAD_LETTERS.name, None, codec.encode(letter))


def document_rejected(document_id: str, submission: Submission, filename: str, failure: Failure) -> OutputRecord:
    """A submission ends without having been opened."""
    event = DocumentRejected(document_id=document_id, submission=submission, filename=filename, failure=failure)
    return page_event(document_id, codec.encode(event))


def page_failed(document_id: str, submission: Submission, page: int, filename: str, failure: Failure) -> OutputRecord:
    """A page ends without having been read."""
    event = PageFailed(document_id=document_id, submission=submission, page=page, failure=failure, filename=filename)
    return page_event(document_id, codec.encode(event))


def page_event(document_id: str, value: bytes) -> OutputRecord:
    """An encoded event for `pages.events`: its key is the document id, so that all events of a document share a partition."""
    return OutputRecord(topics.EVENTS.name, document_id.encode(), value)


def internal_error(error: BaseException) -> PageloomError:
    """A bug of ours as a failure: its type and place, never its text, which may quote a document or a password."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return PageloomError(Code.INTERNAL, f"{type(error).__module__}.{type(error).__name__}{place}")
