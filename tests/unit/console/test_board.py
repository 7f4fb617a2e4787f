"""The board: what events make of cards, in any order, twice, and within its bound."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.content import BlobReference
from schemas.errors import Code, failure_of
from schemas.errors import Stage as FailureStage
from schemas.identity import Submission, path_name
from streams.console.board import Board
from streams.console.card import Card, Origin, Stage
from streams.console.strip import Mark, Strip, digit_of
from tests.unit.console.documents import submission

ORIGIN = Origin(
    document=BlobReference(name="shared/aa/bb", size_bytes=1, sha256="0" * 64), media_type="application/pdf", parser="mupdf", filename="a.pdf"
)


def card(board: Board, document_id: str = "a") -> Card:
    return next(card for card in board.changed_since(-1)[1] if card.key == path_name(document_id))


def opened(board: Board, pages: int = 4, at: Submission | None = None) -> Submission:
    at = at or submission()
    board.opened("a", at, tuple(range(1, pages + 1)), ORIGIN, 1_000)
    return at


def test_pages_fill_a_strip_with_their_confidence() -> None:
    board = Board()
    at = opened(board)
    board.page("a", at, 1, Mark.EXTRACTED, 0.97, 1_000)
    board.page("a", at, 2, Mark.RECOGNIZING, 0.12, 2_000)
    board.page("a", at, 3, Mark.BLANK, None, 3_000)
    shown = card(board)
    assert (shown.marks, shown.trust, shown.settled, shown.pages, shown.stage) == ("eqb.", "91  ", 2, 4, "opened")
    assert shown.rate == 0.5  # one page in two seconds, since the first
    board.page("a", at, 2, Mark.RECOGNIZED, 0.88, 4_000)
    assert card(board).marks == "erb."
    assert board.pages_settled == 3


def test_what_was_settled_is_not_counted_twice_nor_taken_back() -> None:
    board = Board()
    at = opened(board)
    for mark in (Mark.RECOGNIZED, Mark.RECOGNIZED, Mark.EXTRACTED, Mark.RECOGNIZING):
        board.page("a", at, 1, mark, 0.5, 1_000)
    assert card(board).marks == "r..."
    assert (card(board).settled, board.pages_settled) == (1, 1)


def test_a_newer_submission_starts_anew_and_the_older_one_no_longer_speaks() -> None:
    board = Board()
    old = opened(board)
    board.page("a", old, 1, Mark.EXTRACTED, 0.9, 1_000)
    new = opened(board, pages=2, at=submission(offset=7, appended_ms=9_000))
    board.page("a", old, 2, Mark.EXTRACTED, 0.9, 9_500)
    board.progressed("a", old, "a.pdf", Stage.COMPLETE, 4, 4, 9_600, 0)
    board.failed("a", old, "a.pdf", failure_of(Code.SUPERSEDED, FailureStage.ASSEMBLE, "older"), 9_700)
    shown = card(board)
    assert (shown.marks, shown.stage, shown.reason) == ("..", "opened", "")
    board.page("a", new, 2, Mark.FAILED, None, 9_800, "page 2: too slow")
    assert card(board).page_reasons[0].reason == "page 2: too slow"


def test_an_ended_document_is_not_reading_again() -> None:
    board = Board()
    at = opened(board)
    board.progressed("a", at, "a.pdf", Stage.PARTIAL, 4, 4, 5_000, 2)
    board.progressed("a", at, "a.pdf", Stage.READING, 4, 2, 6_000, 2)
    assert (card(board).stage, card(board).ended_ms) == ("partial", 5_000)
    known = board.known(path_name("a"))
    assert known is not None
    assert (known.partition, known.since_ms, known.origin) == (2, 5_000, ORIGIN)


def test_a_failure_says_why() -> None:
    board = Board()
    board.submitted("a", "a.pdf", 500)
    assert (card(board).stage, card(board).filename) == ("submitted", "a.pdf")
    board.failed("a", submission(), "a.pdf", failure_of(Code.ENCRYPTED, FailureStage.OPEN, "a.pdf is locked"), 2_000)
    shown = card(board)
    assert (shown.stage, shown.code, shown.retryable) == ("failed", "encrypted", False)
    assert shown.reason.startswith("a.pdf is locked; ")


def test_only_changes_are_told_again_and_deletions_once_known() -> None:
    board = Board()
    at = opened(board)
    version, cards, removed = board.changed_since(-1)
    assert (len(cards), removed) == (1, [])
    assert board.changed_since(version) == (version, [], [])
    board.page("a", at, 1, Mark.EXTRACTED, 0.9, 1_000)
    assert len(board.changed_since(version)[1]) == 1
    board.deleted("a")
    assert board.changed_since(version)[1:] == ([], [path_name("a")])
    opened(board, at=submission(offset=9, appended_ms=20_000))
    assert board.changed_since(version)[2] == []  # back again


def test_the_newest_documents_are_kept_and_those_under_way_before_others() -> None:
    board = Board(max_documents=3)
    for number in range(6):
        at = submission(offset=number, appended_ms=1_000 * (number + 1))
        board.progressed(f"d{number}", at, "", Stage.READING if number == 0 else Stage.COMPLETE, 1, 0, at.appended_ms, 0)
    assert {c.document_id for c in board.changed_since(-1)[1]} == {"d0", "d4", "d5"}
    assert board.under_way() == 1


@given(st.lists(st.tuples(st.integers(-1, 7), st.sampled_from(list(Mark)), st.floats(allow_nan=True)), max_size=60))
def test_a_strip_counts_what_it_shows(events: list[tuple[int, Mark, float]]) -> None:
    strip = Strip((2, 3, 5, 6))
    newly = sum(strip.set(page, mark, confidence) for page, mark, confidence in events)
    assert newly == strip.settled == sum(mark in "ebrf" for mark in strip.marks)
    assert len(strip.marks) == len(strip.trust) == 4
    assert strip.numbers == (2, 3, 5, 6)


@given(
    st.permutations([(1, Mark.EXTRACTED), (2, Mark.RECOGNIZING), (2, Mark.RECOGNIZED), (3, Mark.FAILED), (2, Mark.RECOGNIZING)]), st.integers(0, 3)
)
def test_order_and_repetition_of_page_events_do_not_matter(events: list[tuple[int, Mark]], repeated: int) -> None:
    board = Board()
    at = opened(board, pages=3)
    for page, mark in (*events, *random.Random(repeated).sample(events, repeated)):
        board.page("a", at, page, mark, 0.5, 1_000)
    assert card(board).marks == "erf"


@pytest.mark.parametrize(
    ("confidence", "digit"), [(0.0, "0"), (0.999, "9"), (1.0, "9"), (-3.0, "0"), (float("inf"), "9"), (float("nan"), "0"), (0.5, "5")]
)
def test_confidence_is_a_digit(confidence: float, digit: str) -> None:
    assert digit_of(confidence) == digit
