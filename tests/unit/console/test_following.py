"""Events of the topics on the board, the stream to the browser, and the pipeline in numbers."""

import asyncio
import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from schemas import codec
from schemas.content import BlobReference, PageContent, Source
from schemas.errors import Code, Stage, failure_of
from schemas.events import (
    DocumentFailed,
    DocumentOpened,
    DocumentOptions,
    DocumentProgressed,
    PageExtracted,
    PageFailed,
    PageStatus,
    PageWindowRecognized,
    Progress,
    RecognizedPage,
)
from schemas.identity import path_name
from streams.console.board import Board
from streams.console.card import Card
from streams.console.gauges import rate_meter
from streams.console.tracking import take
from streams.console.web.stream import changes
from streams.kafka.records import Record
from streams.telemetry.groups import GROUPS, lag_of
from streams.topics import EVENTS, FAILED, PROGRESS, TOPICS
from tests.unit.console.documents import submission
from tests.unit.console.fakes import FakePipeline

BLOB = BlobReference(name="shared/aa/bb", size_bytes=1, sha256="0" * 64)
FAILURE = failure_of(Code.TIMED_OUT, Stage.READ, "page 3: too slow")


def record(topic: str, value: bytes | None, at_ms: int = 5_000) -> Record:
    return Record(topic=topic, partition=3, offset=0, timestamp_ms=at_ms, timestamp_is_log_append=False, key=b"a", value=value)


def told(board: Board, topic: str, event: msgspec.Struct, at_ms: int = 5_000) -> None:
    take(board, record(topic, codec.encode(event), at_ms), 99_000)


def card(board: Board) -> Card:
    return board.changed_since(-1)[1][0]


def opened(pages: int = 4) -> DocumentOpened:
    return DocumentOpened(
        document_id="a",
        submission=submission(),
        document=BLOB,
        content_sha256="0" * 64,
        filename="a.pdf",
        media_type="application/pdf",
        page_count=pages,
        pages=tuple(range(1, pages + 1)),
        options=DocumentOptions(),
    )


def extracted(page: int, confidence: float, *, requested: bool = False, status: PageStatus = PageStatus.EXTRACTED) -> PageExtracted:
    return PageExtracted(
        document_id="a",
        submission=submission(),
        page=page,
        status=status,
        text_layer_confidence=confidence,
        reasons=(),
        recognition_requested=requested,
        width_pt=1.0,
        height_pt=1.0,
        rotation=0,
        content=PageContent(page=page, width_pt=1.0, height_pt=1.0, rotation=0, source=Source.TEXT_LAYER, blocks=()),
    )


def test_events_of_pages_fill_the_strip() -> None:
    board = Board()
    told(board, EVENTS.name, opened())
    told(board, EVENTS.name, extracted(1, 0.97))
    told(board, EVENTS.name, extracted(2, 0.1, requested=True))
    told(board, EVENTS.name, PageFailed(document_id="a", submission=submission(), page=3, failure=FAILURE))
    told(board, EVENTS.name, extracted(4, 1.0, status=PageStatus.BLANK))
    assert (card(board).marks, card(board).trust) == ("eqfb", "91  ")
    answer = RecognizedPage(page=2, confidence=0.85)
    window = PageWindowRecognized(
        document_id="a", submission=submission(), first_page=2, last_page=2, engine="e", engine_version="1", pages=(answer,)
    )
    told(board, EVENTS.name, window)
    assert (card(board).marks, card(board).trust) == ("erfb", "98  ")
    assert "too slow" in card(board).page_reasons[0].reason


def test_progress_failure_and_deletion() -> None:
    board = Board()
    progress = DocumentProgressed(
        document_id="a", submission=submission(), filename="a.pdf", progress=Progress.READING, pages=10, extracted=3, recognized=2, failed=1
    )  # fmt: skip
    told(board, PROGRESS.name, progress)
    assert (card(board).settled, card(board).pages, card(board).stage, card(board).filename) == (6, 10, "reading", "a.pdf")
    told(board, FAILED.name, DocumentFailed(document_id="a", submission=submission(), filename="a.pdf", failure=FAILURE), 8_000)
    assert (card(board).stage, card(board).retryable, card(board).ended_ms) == ("failed", True, 8_000)
    take(board, record(EVENTS.name, None), 0)  # a tombstone elsewhere says nothing
    assert board.known(path_name("a")) is not None
    take(board, record(PROGRESS.name, None), 0)
    assert board.known(path_name("a")) is None


WHOLE = codec.encode(DocumentProgressed(document_id="a", submission=submission(), filename="a.pdf", progress=Progress.READING, pages=10))


@given(st.binary(max_size=200), st.integers(0, len(WHOLE) - 1))
def test_bytes_that_are_no_event_change_nothing(junk: bytes, end: int) -> None:
    board = Board()
    for data in (junk, WHOLE[:end], WHOLE + b"x"):
        take(board, record(PROGRESS.name, data), 0)
    assert board.changed_since(-1)[1] == []
    take(board, record(PROGRESS.name, WHOLE), 0)
    assert len(board.changed_since(-1)[1]) == 1


def events(pipeline: FakePipeline, rounds: int) -> list[tuple[str, object]]:
    """What a browser is told in so many looks, the pipeline changing between the first two."""
    left = iter(range(rounds))

    async def gone() -> bool:
        number = next(left, None)
        if number == 1:
            pipeline.board.submitted("b", "b.pdf", 2)
        return number is None

    async def all_of_them() -> list[bytes]:
        return [event async for event in changes(pipeline, lambda: False, gone, interval_s=0)]

    lines = [event.decode().splitlines() for event in asyncio.run(all_of_them())]
    return [(line[0].removeprefix("event: "), json.loads(line[1].removeprefix("data: "))) for line in lines]


def test_a_browser_gets_everything_first_and_then_what_changes() -> None:
    pipeline = FakePipeline()
    pipeline.board.submitted("a", "a.pdf", 1)
    names = [name for name, _ in events(pipeline, 4)]
    assert names == ["documents", "samples", "kafka", "documents"]
    pipeline.board.deleted("b")
    (_, first), _, _, (_, second) = events(pipeline, 3)
    assert (first["first"], [c["filename"] for c in first["cards"]]) == (True, ["a.pdf"])  # type: ignore[index]
    assert (second["first"], [c["filename"] for c in second["cards"]]) == (False, ["b.pdf"])  # type: ignore[index]


def test_the_stream_ends_with_the_server() -> None:
    async def gone() -> bool:
        return False

    async def all_of_them() -> list[bytes]:
        return [event async for event in changes(FakePipeline(), lambda: True, gone)]

    assert asyncio.run(all_of_them()) == []


def test_every_stage_reads_topics_that_exist() -> None:
    names = {topic.name for topic in TOPICS}
    assert {topic for group in GROUPS for topic in group.topics} <= names


def test_lag_is_what_a_group_has_before_it() -> None:
    ranges = {"t": ((0, 10), (5, 9), (0, 0))}
    assert lag_of(["t", "absent"], ranges, {("t", 0): 7}) == {"t": 3 + 4, "absent": 0}
    assert lag_of(["t"], ranges, {("t", 0): 12, ("t", 1): 2}) == {"t": 4}  # ahead counts nothing, forgotten records neither


def test_a_rate_is_since_it_was_last_asked() -> None:
    rate = rate_meter(10.0, 100)
    assert [rate(12.0, 110), rate(12.0, 120), rate(16.0, 130)] == [5.0, 0.0, 2.5]
