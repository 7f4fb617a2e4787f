"""Records that stages write for what goes wrong, ready for their topics: dead letters, failures of documents and pages. Pure."""

from schemas import codec
from schemas.dead_letters import dead_lettered
from schemas.errors import Failure, PageloomError, Stage
from schemas.events import DocumentRejected, PageFailed
from schemas.identity import Submission
from streams import topics
from streams.kafka.records import OutputRecord, Record


def dead_letter(record: Record, stage: Stage, error: PageloomError, *, keep_value: bool) -> OutputRecord:
    """Bytes that are no event of ours. `keep_value` is False where the value may hold a password."""
    place = (record.topic, record.partition, record.offset)
    letter = dead_lettered(place, record.key, record.value, stage, error, keep_value=keep_value)
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
