"""Events as they stand on the log, made in code, and an aggregator around the fold that finishes documents in a way that tests can foretell."""

import hashlib
from collections.abc import Iterable

from schemas.codec import encode
from schemas.content import BlobReference, Block, BlockType, PageContent, Source
from schemas.document import DocumentStatus
from schemas.errors import Code, Stage, failure_of
from schemas.events import (
    DocumentCancelled,
    DocumentDeleted,
    DocumentFailed,
    DocumentOpened,
    DocumentOptions,
    DocumentRejected,
    PageExtracted,
    PageFailed,
    PageStatus,
    PageWindowRecognized,
    RecognizedPage,
)
from schemas.identity import Submission, revision_of
from streams import topics
from streams.assemble.state.document_state import DocumentState, PageState
from streams.assemble.state.entries import Entry, change_of, entries_of
from streams.assemble.state.envelopes import LoggedEvent, open_envelope
from streams.assemble.state.fold import Event, fold
from streams.assemble.state.inner_events import DocumentFinished
from streams.assemble.state.steps import Output, Step

DOCUMENT = "a: document/ö"
BLOB = BlobReference(name="shared/ab/abc", size_bytes=1, sha256="ab")


def submission(number: int) -> Submission:
    """The number-th submission of the document."""
    return Submission(topic="documents.ingest", partition=number % 2, offset=number, appended_ms=1_000_000 + number // 2)


def opened(number: int = 1, pages: Iterable[int] = (1,), options: DocumentOptions | None = None) -> DocumentOpened:
    asked = tuple(pages)
    return DocumentOpened(
        document_id=DOCUMENT,
        submission=submission(number),
        document=BLOB,
        content_sha256="ab",
        filename="a.pdf",
        media_type="application/pdf",
        page_count=max(asked, default=0),
        pages=asked,
        options=options or DocumentOptions(),
    )


def content(page: int, text: str, source: Source = Source.TEXT_LAYER) -> PageContent:
    block = Block(type=BlockType.PARAGRAPH, bbox=(72.0, 72.0, 300.0, 90.0), text=text)
    return PageContent(page=page, width_pt=595.0, height_pt=842.0, rotation=0, source=source, blocks=(block,))


def extracted(page: int, number: int = 1, *, requested: bool = False, blank: bool = False, text: str = "", confidence: float = 0.9) -> PageExtracted:
    return PageExtracted(
        document_id=DOCUMENT,
        submission=submission(number),
        page=page,
        status=PageStatus.BLANK if blank else PageStatus.EXTRACTED,
        text_layer_confidence=0.1 if requested and confidence == 0.9 else confidence,
        reasons=("no_text",) if requested else (),
        recognition_requested=requested,
        width_pt=595.0,
        height_pt=842.0,
        rotation=0,
        content=None if blank else content(page, text or f"page {page} of submission {number}"),
    )


def recognized(first: int, last: int | None = None, number: int = 1, failed: Iterable[int] = ()) -> PageWindowRecognized:
    broken = set(failed)
    return PageWindowRecognized(
        document_id=DOCUMENT,
        submission=submission(number),
        first_page=first,
        last_page=last or first,
        engine="test",
        engine_version="1",
        pages=tuple(
            RecognizedPage(page=page, failure=failure_of(Code.ENGINE_FAILED, Stage.INFER, "it fell over"), attempts=3)
            if page in broken
            else RecognizedPage(page=page, content=content(page, f"recognized page {page}", Source.RECOGNITION), confidence=0.8)
            for page in range(first, (last or first) + 1)
        ),
    )


def page_failed(page: int, number: int = 1, stage: Stage = Stage.READ) -> PageFailed:
    return PageFailed(document_id=DOCUMENT, submission=submission(number), page=page, failure=failure_of(Code.CRASHED, stage, "gone"))


def rejected(number: int = 1) -> DocumentRejected:
    failure = failure_of(Code.CORRUPT, Stage.OPEN, "no document")
    return DocumentRejected(document_id=DOCUMENT, submission=submission(number), filename="a.pdf", failure=failure)


def deleted(number: int) -> DocumentDeleted:
    return DocumentDeleted(document_id=DOCUMENT, submission=submission(number))


def cancelled(requested_ms: int, reason: str = "") -> DocumentCancelled:
    return DocumentCancelled(document_id=DOCUMENT, requested_ms=requested_ms, reason=reason)


Logged = (
    DocumentOpened | DocumentRejected | DocumentDeleted | DocumentCancelled | PageExtracted | PageWindowRecognized | PageFailed
)  # fmt: skip


def envelope(event: Logged) -> LoggedEvent:
    """The event as the fold gets it."""
    return open_envelope(encode(event))


class Aggregator:
    """One document under the fold. With `finishing`, what is complete is finished at once, as a hash of all that went into it."""

    def __init__(self, finishing: bool = True) -> None:
        self.finishing = finishing
        self.state = DocumentState()
        self.entries: dict[bytes, bytes] = {}
        self.outputs: list[Output] = []
        self.now_ms = 0

    def feed(self, *events: Logged) -> "Aggregator":
        for event in events:
            self.fold(envelope(event))
            if self.finishing:
                self.finish()
        return self

    def fold(self, event: Event) -> Step:
        self.now_ms += 1
        step = fold(self.state, DOCUMENT, event, self.now_ms)
        self.state.apply(step.changes)
        for key, value in entries_of(DOCUMENT, step.changes):
            if value is None:
                self.entries.pop(key, None)
            else:
                self.entries[key] = value
        self.outputs += step.outputs
        return step

    def finish(self) -> None:
        """Finishes the document if it is complete."""
        if not self.state.complete:
            return
        record = self.state.record
        assert record is not None
        assert record.opened is not None
        raw = sorted([page.raw for page in self.state.pages.values()] + [window.raw for window in self.state.windows.values()])
        revision = revision_of(record.opened.submission, record.last_revision)
        parsed = hashlib.sha256(b"".join([encode(record.opened), *raw])).digest()
        status = DocumentStatus.PARTIAL if self.state.count(PageState.FAILED) else DocumentStatus.COMPLETE
        self.fold(DocumentFinished(record.opened.submission, revision, status, parsed))

    def on(self, topic: topics.Topic) -> list[Output]:
        return [output for output in self.outputs if output.topic is topic]

    @property
    def failures(self) -> list[tuple[str, Code]]:
        """(submission id, code) of the documents that failed."""
        return [
            (output.value.submission.id, output.value.failure.code) for output in self.on(topics.FAILED) if isinstance(output.value, DocumentFailed)
        ]

    @property
    def published(self) -> list[tuple[str, int]]:
        """(submission id, revision) of all that was published, deletions included."""
        headers = [dict(output.headers) for output in self.on(topics.PARSED)]
        return [(one["submission"].decode(), int(one["revision"])) for one in headers]


def restored(entries: Iterable[Entry]) -> DocumentState:
    """The state that a restart finds."""
    state = DocumentState()
    state.apply([change_of(key, value)[1] for key, value in entries if value is not None])
    return state


def picture(state: DocumentState) -> object:
    """All that a state says, for comparison."""
    counts = {one: state.count(one) for one in PageState}
    return state.record, state.pages, state.windows, counts, state.complete, state.opened, state.idle
