"""How documents change: every event on `pages.events`, and what finishing and time bring, as one table of transitions.

A pure function of the state, the event and the time (which only stamps records). Guarantees, in any order of events, however often each comes:
a submission ends in exactly one terminal record; per page and source the first on the log wins; only the newest submission of a document is
worked on, and revisions only grow. Knows nothing of Kafka, of how documents are finished, or of what stands on a page.
"""

from collections.abc import Callable
from typing import Any

from schemas.codec import encode
from schemas.document import DocumentStatus
from schemas.errors import Code, Stage, failure_of
from schemas.events import (
    DocumentCancelled,
    DocumentDeleted,
    DocumentOpened,
    DocumentProgressed,
    DocumentRejected,
    PageFailed,
    Progress,
)
from schemas.identity import Submission, revision_of
from streams import topics
from streams.assemble.state.document_state import DocumentState, PageDropped, PageKept, PageState, Standing, WindowDropped, WindowKept
from streams.assemble.state.envelopes import LoggedEvent, PageRead, Reading, WindowAnswered
from streams.assemble.state.inner_events import DeadlinePassed, DocumentFinished, FinishFailed, InnerEvent, RecordExpired, RunsPurged
from streams.assemble.state.steps import Skipped, Step, StepDraft

MAX_UNOPENED_PAGES = 20_000
"""Entries held of a submission whose opening was not seen: as many as the default page limit, so that any order of a real document is held."""

MAX_REASON_CHARACTERS = 200
"""Of the reason for a cancellation, which anybody may write, in an error message."""


Event = LoggedEvent | InnerEvent
"""All that changes a document."""

Transition = Callable[[StepDraft, Any], Skipped | None]


def fold(state: DocumentState, document_id: str, event: Event, now_ms: int) -> Step:
    """What an event does to a document. `state` is read only: apply the step's changes to get the next one."""
    draft = StepDraft(state, document_id, now_ms)
    transition: Transition | Skipped
    if isinstance(event, DocumentCancelled | RecordExpired | RunsPurged):
        transition = WITHOUT_STANDING[type(event)]
    else:
        transition = TRANSITIONS[type(event)][_STANDINGS.index(state.standing(event.submission))]
    skipped = transition if isinstance(transition, Skipped) else transition(draft, event)
    return Step(skipped=skipped) if skipped else draft.step()


def _begin(draft: StepDraft, submission: Submission) -> None:
    """Makes a submission the live one. An unfinished older one ends here."""
    draft.fail_opened(Code.SUPERSEDED, f"it was not finished when submission {submission.id} of the document came")
    draft.drop_entries()
    draft.revise(newest=submission, opened=None, opened_ms=0)


def _open_newer(draft: StepDraft, event: DocumentOpened) -> Skipped | None:
    _begin(draft, event.submission)
    return _open(draft, event)


def _open(draft: StepDraft, event: DocumentOpened) -> Skipped | None:
    state, record = draft.state, draft.record
    if record.opened is not None:
        return Skipped.DUPLICATE
    if record.cancelled_ms is not None and event.submission.appended_ms < record.cancelled_ms:
        draft.revise(opened=event)
        draft.fail_opened(Code.CANCELLED, "it was cancelled before it was opened")
        return None
    draft.revise(opened=event, opened_ms=draft.now_ms)
    if state.standing(event.submission) is Standing.LIVE:
        _drop_not_asked(draft, frozenset(event.pages))
    draft.put(topics.PROGRESS, DocumentProgressed(
        document_id=event.document_id, submission=event.submission, filename=event.filename,
        progress=Progress.OPENED, pages=len(event.pages),
    ))  # fmt: skip
    return None


def _drop_not_asked(draft: StepDraft, asked: frozenset[int]) -> None:
    state = draft.state
    draft.change(*(PageDropped(page) for page in sorted(state.pages) if page not in asked))
    for (first, last), window in sorted(state.windows.items()):
        if not any(page in asked for page, _ in window.answers):
            draft.change(WindowDropped(first, last))


def _refuse_older(draft: StepDraft, event: DocumentOpened) -> Skipped | None:
    newest = draft.record.newest
    came = f"submission {newest.id}" if newest else "a newer one"
    failure = draft.failure(event.submission, Code.SUPERSEDED, f"{came} of the document came before it was opened")
    draft.fail(event.submission, event.filename, failure)
    return None


def _reject(draft: StepDraft, event: DocumentRejected) -> Skipped | None:
    draft.progress(event.submission, event.filename, Progress.FAILED)
    draft.fail(event.submission, event.filename, event.failure)
    return None


def _reject_older(draft: StepDraft, event: DocumentRejected) -> Skipped | None:
    # Without progress: that topic tells of the newest submission.
    draft.fail(event.submission, event.filename, event.failure)
    return None


def _delete(draft: StepDraft, event: DocumentDeleted) -> Skipped | None:
    _begin(draft, event.submission)
    draft.revise(deleted=True, opened=None, opened_ms=0)
    _publish_deletion(draft, event)
    draft.put(topics.PROGRESS, None)
    return None


def _delete_older(draft: StepDraft, event: DocumentDeleted) -> Skipped | None:
    """A newer submission was seen first. What was published before the deletion goes all the same; the newer one goes on."""
    last = draft.record.last_revision
    if last is not None and last >= revision_of(event.submission, None):
        draft.end(event.submission)
        return None
    _publish_deletion(draft, event)
    return None


def _publish_deletion(draft: StepDraft, event: DocumentDeleted) -> None:
    revision = revision_of(event.submission, draft.record.last_revision)
    draft.put(topics.PARSED, None, _revision_headers(revision, event.submission))
    older = tuple(one for one in draft.record.ended if one.order < event.submission.order)
    draft.revise(last_revision=revision, purge=tuple(dict.fromkeys((*draft.record.purge, *older))))
    draft.end(event.submission)


def _cancel(draft: StepDraft, event: DocumentCancelled) -> Skipped | None:
    known = draft.record.cancelled_ms
    if known is not None and known >= event.requested_ms:
        return Skipped.DUPLICATE
    draft.revise(cancelled_ms=event.requested_ms)
    opened = draft.record.opened
    if opened is not None and opened.submission.appended_ms < event.requested_ms:
        reason = "".join(c for c in event.reason[:MAX_REASON_CHARACTERS] if c.isprintable())
        draft.fail_opened(Code.CANCELLED, f"it was cancelled{f' ({reason})' if reason else ''} before it was finished")
    return None


def _page_newer(draft: StepDraft, event: PageRead) -> Skipped | None:
    _begin(draft, event.submission)
    draft.change(PageKept(event))
    return None


def _page(draft: StepDraft, event: PageRead) -> Skipped | None:
    state = draft.state
    if event.page in state.pages:
        return Skipped.DUPLICATE
    if skipped := _unwanted(state, (event.page,)):
        return skipped
    draft.change(PageKept(event))
    return None


def _window_newer(draft: StepDraft, event: WindowAnswered) -> Skipped | None:
    _begin(draft, event.submission)
    draft.change(WindowKept(event))
    return None


def _window(draft: StepDraft, event: WindowAnswered) -> Skipped | None:
    state = draft.state
    if (event.first_page, event.last_page) in state.windows:
        return Skipped.DUPLICATE
    if skipped := _unwanted(state, tuple(page for page, _ in event.answers)):
        return skipped
    draft.change(WindowKept(event))
    return None


def _unwanted(state: DocumentState, pages: tuple[int, ...]) -> Skipped | None:
    if state.complete:
        return Skipped.LATE
    if state.opened:
        return None if any(state.asked(page) for page in pages) else Skipped.NOT_ASKED
    return Skipped.TOO_MANY if len(state.pages) + len(state.windows) >= MAX_UNOPENED_PAGES else None


def _finish(draft: StepDraft, event: DocumentFinished) -> Skipped | None:
    if not draft.state.complete:
        return Skipped.LATE
    draft.put(topics.PARSED, event.parsed, _revision_headers(event.revision, event.submission))
    for page in event.failed:
        draft.put(topics.PAGES_FAILED, page)
    complete = event.status is DocumentStatus.COMPLETE
    draft.progress(event.submission, "", Progress.COMPLETE if complete else Progress.PARTIAL)
    draft.revise(last_revision=event.revision, deleted=False)
    draft.end(event.submission)
    return None


def _revision_headers(revision: int, submission: Submission) -> tuple[tuple[str, bytes], ...]:
    """What a record of `documents.parsed` says beside its value: a deletion has none."""
    return (("revision", str(revision).encode()), ("submission", submission.id.encode()))


def _finish_failed(draft: StepDraft, event: FinishFailed) -> Skipped | None:
    opened = draft.record.opened
    if opened is None:
        return Skipped.LATE
    draft.progress(event.submission, opened.filename, Progress.FAILED)
    draft.fail(event.submission, opened.filename, event.failure)
    return None


def _give_up_pages(draft: StepDraft, event: DeadlinePassed) -> Skipped | None:
    """Missing pages enter the state as failed, so that a restart finds the document complete and finishes it like any other."""
    state, opened = draft.state, draft.record.opened
    if opened is None or state.complete:
        return Skipped.LATE
    for stage, missing in ((Stage.READ, PageState.AWAITED), (Stage.INFER, PageState.RECOGNIZING), (Stage.INFER, PageState.SHARED)):
        waited_for = "reading" if stage is Stage.READ else "recognition"
        for page in state.pages_in(missing):
            why = f"document {opened.document_id!r}, page {page}: its {waited_for} was given up, {event.why}"
            raw = encode(PageFailed(
                document_id=opened.document_id, submission=opened.submission, page=page,
                failure=failure_of(Code.NO_PROGRESS, stage, why), filename=opened.filename,
            ))  # fmt: skip
            if stage is Stage.READ:
                draft.change(PageKept(PageRead(opened.document_id, opened.submission, page, Reading.FAILED, raw)))
            else:
                draft.change(WindowKept(WindowAnswered(opened.document_id, opened.submission, page, page, ((page, False),), raw)))
    return None


def _purged(draft: StepDraft, event: RunsPurged) -> Skipped | None:
    left = tuple(one for one in draft.record.purge if one not in event.submissions)
    if left == draft.record.purge:
        return Skipped.DUPLICATE
    draft.revise(purge=left)
    return None


def _expire(draft: StepDraft, _event: RecordExpired) -> Skipped | None:
    if draft.state.record is None or draft.record.opened is not None:
        return Skipped.LATE
    draft.drop_entries()
    draft.forget()
    draft.put(topics.PROGRESS, None)
    return None


_STANDINGS = (Standing.NEWER, Standing.LIVE, Standing.OLDER, Standing.ENDED)

TRANSITIONS: dict[type, tuple[Transition | Skipped, Transition | Skipped, Transition | Skipped, Transition | Skipped]] = {
    # event of a submission that is: newer      live            older             ended
    DocumentOpened:   (_open_newer,   _open,          _refuse_older,    Skipped.DUPLICATE),
    DocumentRejected: (_reject,       _reject,        _reject_older,    Skipped.DUPLICATE),
    DocumentDeleted:  (_delete,       _delete,        _delete_older,    Skipped.DUPLICATE),
    PageRead:         (_page_newer,   _page,          Skipped.OLDER,    Skipped.LATE),
    WindowAnswered:   (_window_newer, _window,        Skipped.OLDER,    Skipped.LATE),
    DocumentFinished: (Skipped.LATE,  _finish,        Skipped.LATE,     Skipped.LATE),
    FinishFailed:     (Skipped.LATE,  _finish_failed, Skipped.LATE,     Skipped.LATE),
    DeadlinePassed:   (Skipped.LATE,  _give_up_pages, Skipped.LATE,     Skipped.LATE),
}  # fmt: skip
"""What an event does, by where its submission stands; a `Skipped` says why it does nothing."""

WITHOUT_STANDING: dict[type, Transition] = {DocumentCancelled: _cancel, RunsPurged: _purged, RecordExpired: _expire}
"""Events that speak of a document, not of one submission."""
