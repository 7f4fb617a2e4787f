"""What the aggregator remembers of a document: the records of `assemble.changelog` beside the page events themselves.

A page's entry on the changelog is the page event as it was logged (`PageExtracted`, `PageWindowRecognized`, `PageFailed`), so nothing is
translated. This module holds what no event says.
"""

from msgspec import Struct

from schemas.events import DocumentOpened
from schemas.identity import Submission


class DocumentRecorded(Struct, frozen=True, kw_only=True):
    """A document as the aggregator knows it: the submission being worked on, and what was published last.

    `newest` is the newest submission of which an event other than a rejection was seen; older ones are dropped. `opened` is that submission
    while it is unfinished; None before it was opened and after it ended. `ended` are the submissions that have their terminal record, in
    their order, the newest of them only. `last_revision` is of the last published document or deletion. `purge` are submissions whose
    blobs are still to be removed after a deletion. Times are milliseconds since the epoch.
    """

    document_id: str
    newest: Submission | None = None
    opened: DocumentOpened | None = None
    opened_ms: int = 0
    ended: tuple[Submission, ...] = ()
    last_revision: int | None = None
    deleted: bool = False
    cancelled_ms: int | None = None
    purge: tuple[Submission, ...] = ()
    updated_ms: int = 0
