"""What the aggregator remembers of a document: the records of `assemble.changelog` beside the page events themselves.

A page's entry on the changelog is the page event as it was logged (`PageExtracted`, `PageWindowRecognized`, `PageFailed`), so nothing is
translated. This module holds what no event says.
"""

from msgspec import Struct

from schemas.events import DocumentOpened
from schemas.identity import Submission


class DocumentRecorded(Struct, frozen=True, kw_only=True):
    """A document as the aggregator knows it: the submission being worked on, and what was published last.

    `opened` is the unfinished submission; None when there is none. `newest` is the newest submission seen in any event: older ones are
    dropped. `last_revision` and `chunk_count` are of the last published document. Times are milliseconds since the epoch.
    """

    document_id: str
    newest: Submission
    opened: DocumentOpened | None = None
    last_revision: int | None = None
    deleted: bool = False
    cancelled_ms: int | None = None
    updated_ms: int = 0
