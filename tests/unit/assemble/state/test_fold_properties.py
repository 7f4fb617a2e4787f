"""What holds for the fold in every order of events, with repetitions and restarts."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import Stage
from schemas.events import DocumentCancelled, DocumentDeleted, DocumentOpened, DocumentRejected
from streams import topics
from streams.assemble.state.envelopes import WindowAnswered
from tests.unit.assemble.logged import (
    Aggregator,
    Logged,
    cancelled,
    deleted,
    envelope,
    extracted,
    opened,
    page_failed,
    picture,
    recognized,
    rejected,
    restored,
    submission,
)


@st.composite
def pages_of(draw: st.DrawFn, number: int) -> list[Logged]:
    """Every page event of one submission with up to eight pages: all that it takes to finish it."""
    count = draw(st.integers(1, 8))
    events: list[Logged] = [opened(number, range(1, count + 1))]
    window: list[int] = []
    for page in range(1, count + 1):
        kind = draw(st.sampled_from(["extracted", "blank", "failed", "requested", "requested"]))
        if kind == "failed":
            events.append(page_failed(page, number))
        else:
            events.append(extracted(page, number, requested=kind == "requested", blank=kind == "blank"))
        if kind == "requested":
            window.append(page)
            events.append(page_failed(page, number, Stage.INFER) if draw(st.booleans()) else recognized(page, number=number))
    if len(window) >= 2 and window[-1] - window[0] == len(window) - 1 and draw(st.booleans()):
        # The same pages asked for as windows of up to three that share their boundary page: each but the last page is a first page or inside.
        events = [event for event in events if not _is_answer(event)]
        for first in range(window[0], window[-1], 2):
            last = min(first + 2, window[-1])
            events.append(recognized(first, last, number, failed=draw(st.sets(st.integers(first, last)))))
    return events


def _is_answer(event: Logged) -> bool:
    return isinstance(envelope(event), WindowAnswered)


def shuffled(draw: st.DrawFn, events: list[Logged]) -> list[Logged]:
    """In any order, some of them repeated."""
    repeated = draw(st.lists(st.sampled_from(events), max_size=len(events)))
    return draw(st.permutations([*events, *repeated]))


@st.composite
def one_document(draw: st.DrawFn) -> tuple[list[Logged], list[Logged]]:
    events = draw(pages_of(1))
    return events, shuffled(draw, events)


@st.composite
def many_submissions(draw: st.DrawFn) -> list[Logged]:
    events: list[Logged] = []
    for number in range(1, draw(st.integers(2, 5)) + 1):
        match draw(st.sampled_from(["whole", "whole", "whole", "partial", "rejected", "deleted"])):
            case "whole":
                events += draw(pages_of(number))
            case "partial":
                events += draw(pages_of(number))[:-1]
            case "rejected":
                events.append(rejected(number))
            case _:
                events.append(deleted(number))
    if draw(st.booleans()):
        events.append(cancelled(submission(draw(st.integers(1, 6))).appended_ms))
    return shuffled(draw, events) if draw(st.booleans()) else events


@given(one_document())
@settings(max_examples=80, deadline=None)
def test_any_order_of_a_documents_events_gives_the_same_bytes(story: tuple[list[Logged], list[Logged]]) -> None:
    in_order, disordered = story
    expected, got = Aggregator().feed(*in_order), Aggregator().feed(*disordered)
    assert len(expected.on(topics.PARSED)) == 1
    assert got.on(topics.PARSED) == expected.on(topics.PARSED)
    assert got.on(topics.PAGES_FAILED) == expected.on(topics.PAGES_FAILED)
    assert got.on(topics.FAILED) == expected.on(topics.FAILED) == []
    assert got.entries.keys() == expected.entries.keys()
    assert got.state.idle


@given(one_document())
@settings(max_examples=40, deadline=None)
def test_folding_everything_twice_changes_nothing(story: tuple[list[Logged], list[Logged]]) -> None:
    aggregator = Aggregator().feed(*story[1])
    outputs, entries = list(aggregator.outputs), dict(aggregator.entries)
    aggregator.feed(*story[1], *story[0])
    assert aggregator.outputs == outputs
    assert aggregator.entries == entries


@given(many_submissions(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_every_submission_ends_once_and_revisions_grow(events: list[Logged], finishing_late: bool) -> None:
    aggregator = Aggregator(finishing=not finishing_late).feed(*events)
    aggregator.finish()
    ends = Counter([one for one, _ in aggregator.failures] + [one for one, _ in aggregator.published])
    assert max(ends.values(), default=0) <= 1
    revisions = [revision for _, revision in aggregator.published]
    assert revisions == sorted(set(revisions))
    record = aggregator.state.record
    assert record is not None
    begun = {event.submission.id for event in events if isinstance(event, DocumentOpened | DocumentRejected)}
    live = {record.opened.submission.id} if record.opened else set()
    assert begun <= ends.keys() | live
    deletions = {event.submission.id for event in events if isinstance(event, DocumentDeleted)}
    assert ends.keys() <= begun | deletions


@given(many_submissions())
@settings(max_examples=80, deadline=None)
def test_the_newest_submission_is_the_one_that_stands(events: list[Logged]) -> None:
    if any(isinstance(event, DocumentCancelled | DocumentRejected) for event in events):
        return
    aggregator = Aggregator().feed(*events)
    newest = max((event.submission for event in events if hasattr(event, "submission")), key=lambda one: one.order)
    record = aggregator.state.record
    assert record is not None
    assert record.newest == newest
    if record.opened is None:
        assert aggregator.published[-1][0] == newest.id


@given(many_submissions(), st.booleans())
@settings(max_examples=80, deadline=None)
def test_a_restart_finds_the_state_that_went_on(events: list[Logged], finishing: bool) -> None:
    aggregator = Aggregator(finishing)
    for event in events:
        aggregator.feed(event)
        assert picture(restored(aggregator.entries.items())) == picture(aggregator.state)
