"""Who is who on the log: document ids, submissions and their order, revisions, and names that are safe as a path.

Pure functions of values. A *document* is named by its producer; a *submission* is one record of the ingest topic. All stages
order submissions of one document in the same way, so that they agree about the newest without talking to each other.
"""

import hashlib

from msgspec import Struct

MAX_DOCUMENT_ID_BYTES = 512
"""Longer keys are refused: the id travels in every event, as a Kafka key and in the search index."""

REVISIONS_PER_MS = 1000
"""A revision is log-append milliseconds times this, so that a tie can be raised by one and numbers stay below 2**53."""


class Submission(Struct, frozen=True, kw_only=True):
    """One ingest record: where it stands on the log and when the broker appended it (milliseconds since the epoch)."""

    topic: str
    partition: int
    offset: int
    appended_ms: int

    @property
    def id(self) -> str:
        """A short name, unique in one Kafka cluster and safe as a path segment."""
        return f"{self.topic}-{self.partition}-{self.offset}"

    @property
    def order(self) -> tuple[int, int, int]:
        """Sort key among the submissions of one document: log-append time, then partition, then offset."""
        return self.appended_ms, self.partition, self.offset


def document_id_of(key: bytes | None, content_sha256: str) -> str:
    """The id a submission goes by: its key where there is one, else the hash of its content.

    Raises ValueError for a key that is too long, not UTF-8, or holds control characters.
    """
    if not key:
        return content_sha256
    if len(key) > MAX_DOCUMENT_ID_BYTES:
        raise ValueError(f"a document id has at most {MAX_DOCUMENT_ID_BYTES} bytes; this one has {len(key)}")
    try:
        text = key.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("a document id is UTF-8 text; this key is not") from None
    if any(ord(c) < 32 or ord(c) == 127 for c in text):
        raise ValueError("a document id holds no control characters; this key does")
    return text


def path_name(document_id: str) -> str:
    """A document id as a path segment or an id in another system: 40 hex digits that say nothing about the id."""
    return hashlib.sha256(document_id.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def revision_of(submission: Submission, last_revision: int | None) -> int:
    """The public number of the finished document: grows with every submission, raised by one on a tie."""
    revision = submission.appended_ms * REVISIONS_PER_MS
    return revision if last_revision is None or revision > last_revision else last_revision + 1
