"""Deadlines: when waiting longer is of no use."""

from streams.assemble.state.deadlines import MAX_STEP_S, CaughtUpClock, Waiting, overdue


def late(*waiting: Waiting, clock_s: float = 0.0, now_ms: int = 0) -> list[str]:
    found = overdue(waiting, clock_s=clock_s, now_ms=now_ms, no_progress_timeout_s=600.0, document_timeout_s=3600.0)
    return [document_id for document_id, _ in found]


def waits(document_id: str, progress_s: float = 0.0, read_s: float = 0.0, *, opened_ms: int = 0, outstanding: bool = False) -> Waiting:
    return Waiting(document_id, opened_ms, progress_s, read_s, outstanding)


def test_a_document_without_progress_is_overdue() -> None:
    assert late(waits("a"), clock_s=600.0) == []
    assert late(waits("a"), clock_s=600.1) == ["a"]
    assert late(waits("a", progress_s=1.0), clock_s=600.1) == []


def test_an_outstanding_window_stops_all_but_the_hard_deadline() -> None:
    assert late(waits("a", outstanding=True), clock_s=1e6) == []
    assert late(waits("a", outstanding=True), clock_s=1e6, now_ms=3_600_001) == ["a"]


def test_readers_at_work_on_documents_opened_before_are_waited_for() -> None:
    book = waits("book", progress_s=590.0, read_s=590.0)
    behind, before = waits("behind"), waits("before")
    assert late(book, behind, clock_s=700.0) == []
    assert late(before, book, clock_s=700.0) == ["before"]


def test_recognition_of_others_says_nothing_of_the_readers() -> None:
    assert late(waits("scan", progress_s=690.0), waits("behind"), clock_s=700.0) == ["behind"]


def test_the_clock_counts_only_while_caught_up() -> None:
    clock = CaughtUpClock()
    for now_s, caught_up in ((100.0, True), (101.0, True), (102.0, False), (110.0, True), (111.5, True)):
        clock.look(now_s, caught_up)
    assert clock.now_s == 2.5


def test_a_stopped_process_has_not_waited() -> None:
    clock = CaughtUpClock()
    clock.look(0.0, True)
    clock.look(86_400.0, True)
    assert clock.now_s == MAX_STEP_S
