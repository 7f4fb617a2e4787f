"""The fold, case by case: what each event does where its submission stands."""

import pytest

from schemas.codec import Undecodable, encode
from schemas.errors import Code, Stage
from schemas.events import DocumentProgressed, PageRangeReady, Progress
from schemas.identity import revision_of
from streams import topics
from streams.assemble.state.document_state import MAX_ENDED, PageState
from streams.assemble.state.entries import change_of, entry_of
from streams.assemble.state.envelopes import MAX_WINDOW_PAGES, open_envelope
from streams.assemble.state.fold import MAX_UNOPENED_PAGES
from streams.assemble.state.inner_events import DeadlinePassed, FinishFailed, RecordExpired, RunsPurged
from streams.assemble.state.steps import Skipped
from tests.unit.assemble.logged import (
    DOCUMENT,
    Aggregator,
    cancelled,
    deleted,
    envelope,
    extracted,
    opened,
    page_failed,
    recognized,
    rejected,
    restored,
    submission,
)

S1, S2 = submission(1), submission(2)


def test_a_document_is_finished_when_its_last_page_came() -> None:
    aggregator = Aggregator().feed(opened(1, (1, 2, 3)), extracted(1), extracted(2, blank=True))
    assert aggregator.published == []
    aggregator.feed(extracted(3))
    assert aggregator.published == [(S1.id, revision_of(S1, None))]
    assert aggregator.state.idle
    assert list(aggregator.entries) == [f"d::{DOCUMENT}".encode()]


def test_a_requested_page_waits_for_its_recognition() -> None:
    aggregator = Aggregator().feed(opened(1, (1,)), extracted(1, requested=True))
    assert aggregator.state.count(PageState.RECOGNIZING) == 1
    aggregator.feed(recognized(1))
    assert [s for s, _ in aggregator.published] == [S1.id]


def test_a_boundary_page_of_two_windows_is_recognized_if_one_of_them_read_it() -> None:
    pages = [extracted(page, requested=True) for page in (1, 2, 3)]
    aggregator = Aggregator(finishing=False).feed(opened(1, (1, 2, 3)), *pages, recognized(1, 2, failed=(2,)))
    assert aggregator.state.page_state(2) is PageState.SHARED
    aggregator.feed(recognized(2, 3))
    assert aggregator.state.count(PageState.RECOGNIZED) == 3


def test_a_window_between_two_others_is_waited_for() -> None:
    pages = [extracted(page, requested=True) for page in (1, 2, 3, 4)]
    aggregator = Aggregator(finishing=False).feed(opened(1, (1, 2, 3, 4)), *pages, recognized(1, 2), recognized(3, 4))
    assert not aggregator.state.complete
    assert aggregator.state.pages_in(PageState.SHARED) == [2]
    aggregator.feed(recognized(2, 3))
    assert aggregator.state.complete


def test_a_window_that_never_comes_is_given_up_and_costs_nothing() -> None:
    pages = [extracted(page, requested=True) for page in (1, 2, 3, 4)]
    aggregator = Aggregator(finishing=False).feed(opened(1, (1, 2, 3, 4)), *pages, recognized(1, 2), recognized(3, 4))
    aggregator.fold(DeadlinePassed(S1, "in a test"))
    assert aggregator.state.complete
    assert aggregator.state.count(PageState.RECOGNIZED) == 4


def test_a_failed_page_costs_its_page() -> None:
    aggregator = Aggregator().feed(opened(1, (1, 2, 3)), extracted(1), page_failed(2), extracted(3, requested=True))
    aggregator.feed(page_failed(3, stage=Stage.INFER))
    assert [s for s, _ in aggregator.published] == [S1.id]
    told = aggregator.on(topics.PROGRESS)[-1].value
    assert isinstance(told, DocumentProgressed)
    assert (told.progress, told.pages, told.extracted, told.failed) == (Progress.PARTIAL, 3, 1, 2)


def test_the_first_on_the_log_wins() -> None:
    aggregator = Aggregator(finishing=False).feed(opened(1, (1, 2)), extracted(1, text="first"))
    step = aggregator.fold(envelope(extracted(1, text="second")))
    assert step.skipped is Skipped.DUPLICATE
    assert b"first" in aggregator.state.pages[1].raw


@pytest.mark.parametrize(
    ("late", "why"),
    [
        (opened(1, (1,)), Skipped.DUPLICATE),
        (extracted(1), Skipped.LATE),
        (recognized(1), Skipped.LATE),
        (page_failed(1), Skipped.LATE),
        (rejected(1), Skipped.DUPLICATE),
    ],
)
def test_what_comes_after_the_end_is_dropped(late: object, why: Skipped) -> None:
    aggregator = Aggregator().feed(opened(1, (1,)), extracted(1))
    before = dict(aggregator.entries)
    assert aggregator.fold(envelope(late)).skipped is why  # type: ignore[arg-type]
    assert aggregator.entries == before


def test_pages_that_nobody_asked_for_are_dropped_before_and_after_opening() -> None:
    aggregator = Aggregator(finishing=False).feed(extracted(7), recognized(9), opened(1, (1, 2)))
    assert not aggregator.state.pages
    assert not aggregator.state.windows
    assert aggregator.fold(envelope(extracted(8))).skipped is Skipped.NOT_ASKED


def test_a_newer_submission_ends_the_unfinished_older_one() -> None:
    aggregator = Aggregator().feed(opened(1, (1, 2)), extracted(1), opened(2, (1,)), extracted(2), extracted(1, number=2))
    assert aggregator.failures == [(S1.id, Code.SUPERSEDED)]
    assert [s for s, _ in aggregator.published] == [S2.id]


def test_an_older_submission_ends_at_once() -> None:
    aggregator = Aggregator().feed(extracted(1, number=2), opened(1, (1, 2)), opened(1, (1, 2)), opened(2, (1,)))
    assert aggregator.failures == [(S1.id, Code.SUPERSEDED)]
    assert [s for s, _ in aggregator.published] == [S2.id]


def test_pages_of_an_older_submission_never_enter_a_newer_one() -> None:
    aggregator = Aggregator(finishing=False).feed(extracted(1), recognized(1), opened(2, (1, 2)))
    assert not aggregator.state.pages
    assert not aggregator.state.windows
    assert list(aggregator.entries) == [f"d::{DOCUMENT}".encode()]


def test_a_complete_document_takes_nothing_more() -> None:
    aggregator = Aggregator(finishing=False).feed(opened(1, (1, 2)), extracted(1), extracted(2, requested=True), recognized(2))
    assert aggregator.fold(envelope(recognized(1, 2))).skipped is Skipped.LATE
    assert list(aggregator.state.windows) == [(2, 2)]


def test_a_rejection_ends_its_submission_and_no_other() -> None:
    aggregator = Aggregator().feed(opened(1, (1,)), rejected(2), rejected(2), extracted(1))
    assert aggregator.failures == [(S2.id, Code.CORRUPT)]
    assert [s for s, _ in aggregator.published] == [S1.id]


def test_a_rejection_of_the_open_submission_ends_it() -> None:
    aggregator = Aggregator().feed(opened(1, (1,)), rejected(1), extracted(1))
    assert aggregator.failures == [(S1.id, Code.CORRUPT)]
    assert aggregator.state.idle


def test_revisions_grow_where_two_submissions_share_their_time() -> None:
    twins = [submission(2), submission(3)]
    assert twins[0].appended_ms == twins[1].appended_ms
    aggregator = Aggregator().feed(opened(2), extracted(1, number=2), opened(3), extracted(1, number=3))
    assert aggregator.published == [(twins[0].id, revision_of(twins[0], None)), (twins[1].id, revision_of(twins[0], None) + 1)]


def test_a_deletion_publishes_nothing_under_a_new_revision() -> None:
    aggregator = Aggregator().feed(opened(1), extracted(1), deleted(4), deleted(4))
    assert [s for s, _ in aggregator.published] == [S1.id, submission(4).id]
    last = aggregator.on(topics.PARSED)[-1]
    assert last.value is None
    assert aggregator.on(topics.PROGRESS)[-1].value is None
    record = aggregator.state.record
    assert record is not None
    assert record.purge == (S1,)
    aggregator.fold(RunsPurged((S1,)))
    assert aggregator.state.idle


def test_a_deletion_ends_the_unfinished_submission_and_removes_its_blobs() -> None:
    aggregator = Aggregator().feed(opened(1, (1, 2)), extracted(1), deleted(2))
    assert aggregator.failures == [(S1.id, Code.SUPERSEDED)]
    assert aggregator.state.record is not None
    assert aggregator.state.record.purge == (S1,)
    assert not aggregator.state.pages


def test_a_deletion_that_comes_late_takes_what_was_published_before_it() -> None:
    aggregator = Aggregator().feed(opened(1), extracted(1), opened(6, (1, 2)), deleted(4), extracted(1, number=6), extracted(2, number=6))
    assert [s for s, _ in aggregator.published] == [S1.id, submission(4).id, submission(6).id]
    revisions = [revision for _, revision in aggregator.published]
    assert revisions == sorted(set(revisions))


def test_a_deletion_older_than_what_is_published_takes_nothing() -> None:
    aggregator = Aggregator().feed(opened(6), extracted(1, number=6), deleted(4))
    assert [s for s, _ in aggregator.published] == [submission(6).id]


def test_a_cancellation_ends_what_was_logged_before_it_whenever_it_is_seen() -> None:
    before = Aggregator().feed(cancelled(S1.appended_ms + 1, "enough\x00"), opened(1), extracted(1))
    after = Aggregator().feed(opened(1), cancelled(S1.appended_ms + 1, "enough\x00"), extracted(1))
    assert before.failures == after.failures == [(S1.id, Code.CANCELLED)]
    assert before.published == after.published == []
    later = Aggregator().feed(cancelled(S1.appended_ms), opened(1), extracted(1))
    assert [s for s, _ in later.published] == [S1.id]


def test_a_cancellation_leaves_what_is_published() -> None:
    aggregator = Aggregator().feed(opened(1), extracted(1), cancelled(S1.appended_ms + 1))
    assert aggregator.failures == []
    assert aggregator.fold(envelope(cancelled(S1.appended_ms))).skipped is Skipped.DUPLICATE


def test_missing_pages_are_failed_at_a_deadline_and_a_restart_knows_it() -> None:
    aggregator = Aggregator(finishing=False).feed(opened(1, (1, 2, 3)), extracted(1), extracted(3, requested=True))
    aggregator.fold(DeadlinePassed(S1, "after 600 s without progress"))
    state = restored(aggregator.entries.items())
    assert state.complete
    assert state.count(PageState.FAILED) == 2
    failure = open_envelope(state.pages[2].raw)
    assert failure == state.pages[2]
    aggregator.finish()
    assert [s for s, _ in aggregator.published] == [S1.id]
    late = aggregator.fold(envelope(extracted(2)))
    assert late.skipped is Skipped.LATE


def test_finishing_that_failed_ends_the_submission() -> None:
    aggregator = Aggregator(finishing=False).feed(opened(1), extracted(1))
    failed = page_failed(1).failure
    aggregator.fold(FinishFailed(S1, failed))
    assert aggregator.failures == [(S1.id, Code.CRASHED)]
    assert aggregator.state.idle
    assert aggregator.fold(FinishFailed(S1, failed)).skipped is Skipped.LATE


def test_a_record_expires_with_all_that_is_left() -> None:
    aggregator = Aggregator().feed(extracted(1), recognized(2))
    aggregator.fold(RecordExpired())
    assert aggregator.entries == {}
    assert aggregator.state.record is None


def test_submissions_that_ended_long_ago_stay_ended() -> None:
    aggregator = Aggregator()
    for number in range(1, MAX_ENDED + 10):
        aggregator.feed(opened(number), extracted(1, number=number))
    assert aggregator.state.record is not None
    assert len(aggregator.state.record.ended) == MAX_ENDED
    assert aggregator.fold(envelope(opened(1))).skipped is Skipped.DUPLICATE
    assert aggregator.failures == []


def test_pages_of_an_unopened_submission_are_bounded() -> None:
    aggregator = Aggregator(finishing=False).feed(extracted(1))
    state = aggregator.state
    seen = state.pages[1]
    state.pages.update(dict.fromkeys(range(2, MAX_UNOPENED_PAGES + 1), seen))
    assert aggregator.fold(envelope(extracted(MAX_UNOPENED_PAGES + 1))).skipped is Skipped.TOO_MANY


def test_a_page_of_a_long_document_changes_one_entry() -> None:
    aggregator = Aggregator(finishing=False).feed(opened(1, range(1, 5_001)))
    steps = [aggregator.fold(envelope(extracted(page))) for page in (1, 2_500, 5_000)]
    assert [len(step.changes) for step in steps] == [1, 1, 1]
    assert not any(step.outputs for step in steps)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc3\x01",
        encode(extracted(1))[:-3],
        encode(extracted(0)),
        encode(recognized(2, 1 + MAX_WINDOW_PAGES + 1)),
        encode(opened(1, (2, 1))),
        encode(PageRangeReady(
            document_id="a", submission=S1, document=opened().document, filename="", media_type="", page_count=1,
            first_page=1, last_page=1, options=opened().options,
        )),
    ],
)  # fmt: skip
def test_what_is_no_event_of_the_topic_is_undecodable(data: bytes) -> None:
    with pytest.raises(Undecodable):
        open_envelope(data)


def test_entries_read_back_as_the_change_that_they_were() -> None:
    for event in (extracted(12), page_failed(3), recognized(4, 6), page_failed(5, stage=Stage.INFER)):
        aggregator = Aggregator(finishing=False).feed(event)
        key, value = next((k, v) for k, v in aggregator.entries.items() if not k.startswith(b"d:"))
        document_id, change = change_of(key, value)
        assert document_id == DOCUMENT
        assert entry_of(document_id, change) == (key, value)
        assert value == encode(event)


@pytest.mark.parametrize("key", [b"", b"d", b"x:1:a", b"\xff:1:a", b"d::a"])
def test_a_changelog_entry_that_is_none_is_refused(key: bytes) -> None:
    with pytest.raises(Undecodable):
        change_of(key, encode(extracted(1)))
