"""Events that no stage writes to the log: what finishing, deadlines and clean-up bring to a document. The fold takes them like logged ones."""

from dataclasses import dataclass, field

from schemas.document import DocumentStatus
from schemas.errors import Failure
from schemas.events import PageFailed
from schemas.identity import Submission


@dataclass(frozen=True, slots=True)
class DocumentFinished:
    """The live submission was made a document: `parsed` is its encoded `DocumentParsed`, `failed` the pages that are failed in it."""

    submission: Submission
    revision: int
    status: DocumentStatus
    parsed: bytes = field(repr=False)
    failed: tuple[PageFailed, ...] = ()


@dataclass(frozen=True, slots=True)
class FinishFailed:
    """The live submission could not be made a document, however often it was tried."""

    submission: Submission
    failure: Failure


@dataclass(frozen=True, slots=True)
class DeadlinePassed:
    """The live submission waits no more: what is missing is failed. `why` completes "the page was given up: …"."""

    submission: Submission
    why: str


@dataclass(frozen=True, slots=True)
class RunsPurged:
    """The blobs of deleted submissions are removed."""

    submissions: tuple[Submission, ...]


@dataclass(frozen=True, slots=True)
class RecordExpired:
    """Nothing older can come in any more: the document is forgotten."""


InnerEvent = DocumentFinished | FinishFailed | DeadlinePassed | RunsPurged | RecordExpired
