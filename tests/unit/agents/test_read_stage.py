"""What `read` answers to a range: every page ends in an event, and a bad one costs itself alone."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from schemas import codec
from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.errors import Code, PageloomError
from schemas.events import DeadLettered, DocumentOptions, PageExtracted, PageFailed, PageImage, PageRangeReady, PageWindowRequested, Priority
from schemas.identity import Submission
from streams.agents import store_watch
from streams.agents.read_stage import ReadStage
from streams.kafka.records import OutputRecord, Record
from streams.read.page_events import RangeRead, ReadTask
from streams.settings import Settings
from tests.unit.ingest import documents

SUBMISSION = Submission(topic="documents.ingest", partition=0, offset=1, appended_ms=1)


def image(page: int) -> PageImage:
    blob = BlobReference(name="runs/a/b/c.png", size_bytes=1, sha256="00")
    return PageImage(page=page, image=blob, pixels_sha256="", width_px=1, height_px=1, dpi=72.0, width_pt=1.0, height_pt=1.0, rotation=0)


class Reader:
    """Stands in for the child processes: pages named in `bad` fail with the codes given, each time they are read, until none is left."""

    def __init__(self, bad: dict[int, list[Code]] | None = None, scans: tuple[int, ...] = ()) -> None:
        self.bad = {page: list(codes) for page, codes in (bad or {}).items()}
        self.scans = scans
        self.calls: list[tuple[int, int]] = []

    async def call(self, function: Callable[..., Any], *args: object, timeout_s: float, limit_setting: str) -> Any:
        task = args[0]
        assert isinstance(task, ReadTask)
        assert Path(task.path).is_file()
        pages = range(task.first_page, task.last_page + 1)
        self.calls.append((task.first_page, task.last_page))
        for page in pages:
            if self.bad.get(page):
                raise PageloomError(self.bad[page].pop(0), "made up")
        events = [(page, codec.encode(extracted(page))) for page in pages]
        return RangeRead(events=events, images=[image(page) for page in pages if page in self.scans], failures=[])


def extracted(page: int) -> PageExtracted:
    return PageExtracted(
        document_id="doc", submission=SUBMISSION, page=page, status="extracted", text_layer_confidence=1.0, reasons=(),  # type: ignore[arg-type]
        recognition_requested=False, width_pt=1.0, height_pt=1.0, rotation=0,
    )  # fmt: skip


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=str(tmp_path), bootstrap_servers="unused:1", engine="some-engine")


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_watch, "FIRST_PAUSE_S", 0.0)


def unit(settings: Settings, first: int, last: int, options: DocumentOptions | None = None) -> PageRangeReady:
    blob = BlobStore(settings.blob_store_url).put_shared(documents.pdf())
    return PageRangeReady(
        document_id="doc", submission=SUBMISSION, document=blob, filename="a.pdf", media_type="application/pdf", page_count=20,
        first_page=first, last_page=last, options=options or DocumentOptions(),
    )  # fmt: skip


def answer(settings: Settings, given: PageRangeReady | bytes, reader: Reader, topic: str = "pages.ready") -> tuple[tuple[OutputRecord, ...], ...]:
    value = given if isinstance(given, bytes) else codec.encode(given)
    return asyncio.run(ReadStage(settings, reader).answer(Record(topic, 0, 3, 1, True, b"k", value)))


def outcome(records: tuple[OutputRecord, ...]) -> dict[int, Code | None]:
    """Each page's failure code; None for an extracted page."""
    found: dict[int, Code | None] = {}
    for record in records:
        assert (record.topic, record.key) == ("pages.events", b"doc")
        if codec.name_of(record.value or b"") == "PageFailed":
            failed = codec.decode(record.value or b"", PageFailed)
            found[failed.page] = failed.failure.code
        else:
            found[codec.decode(record.value or b"", PageExtracted).page] = None
    assert len(found) == len(records)
    return found


def test_every_page_of_a_range_is_an_event(settings: Settings) -> None:
    reader = Reader()
    (records,) = answer(settings, unit(settings, 3, 7), reader)
    assert outcome(records) == dict.fromkeys(range(3, 8))
    assert reader.calls == [(3, 7)]


@pytest.mark.parametrize(("topic", "lane"), [("pages.ready", "windows.requested"), ("pages.ready.express", "windows.requested.express")])
def test_windows_follow_the_pages_in_the_lane_of_their_range(settings: Settings, topic: str, lane: str) -> None:
    options = DocumentOptions(priority=Priority.BULK, tenant="acme")
    pages, windows = answer(settings, unit(settings, 1, 5, options), Reader(scans=(2, 3, 5)), topic)
    assert set(outcome(pages)) == {1, 2, 3, 4, 5}
    events = [codec.decode(w.value or b"", PageWindowRequested) for w in windows]
    assert {w.topic for w in windows} == {lane}
    assert [(e.first_page, e.last_page, len(e.images)) for e in events] == [(2, 2, 1), (3, 3, 1), (5, 5, 1)]
    assert {(e.engine, e.tenant, e.priority) for e in events} == {("some-engine", "acme", Priority.BULK)}


def test_engines_that_take_windows_get_them(settings: Settings) -> None:
    wide = msgspec.structs.replace(settings, window_pages=3)
    _, windows = answer(wide, unit(settings, 1, 5, DocumentOptions(engine="other")), Reader(scans=(1, 2, 3, 4, 5)))
    events = [codec.decode(w.value or b"", PageWindowRequested) for w in windows]
    assert [(e.first_page, e.last_page, e.engine) for e in events] == [(1, 3, "other"), (3, 5, "other")]


@pytest.mark.parametrize(
    ("codes", "tries_alone"),
    [([Code.CRASHED] * 9, 3), ([Code.TIMED_OUT] * 9, 2), ([Code.OUT_OF_MEMORY] * 9, 2), ([Code.CORRUPT] * 9, 1), ([Code.INTERNAL] * 9, 1)],
)
def test_a_bad_page_costs_itself_alone(settings: Settings, codes: list[Code], tries_alone: int) -> None:
    reader = Reader({4: codes})
    (records,) = answer(settings, unit(settings, 3, 5), reader)
    assert outcome(records) == {3: None, 4: codes[0], 5: None}
    assert reader.calls == [(3, 5), (3, 3), *[(4, 4)] * tries_alone, (5, 5)]
    failed = next(codec.decode(r.value or b"", PageFailed) for r in records if codec.name_of(r.value or b"") == "PageFailed")
    assert failed.failure.attempts == tries_alone
    assert "page 4" in failed.failure.message


def test_a_page_that_recovers_is_read(settings: Settings) -> None:
    (records,) = answer(settings, unit(settings, 3, 5), Reader({4: [Code.CRASHED, Code.CRASHED, Code.TIMED_OUT]}))
    assert outcome(records) == {3: None, 4: Code.TIMED_OUT, 5: None}, "two failures alone, the second one final"
    (records,) = answer(settings, unit(settings, 3, 5), Reader({4: [Code.CRASHED, Code.CRASHED, Code.CRASHED]}))
    assert outcome(records) == {3: None, 4: None, 5: None}


def test_a_range_of_one_page_was_alone_from_the_start(settings: Settings) -> None:
    reader = Reader({4: [Code.CRASHED] * 9})
    (records,) = answer(settings, unit(settings, 4, 4), reader)
    assert outcome(records) == {4: Code.CRASHED}
    assert len(reader.calls) == 3


def test_a_store_that_does_not_answer_is_asked_again(settings: Settings) -> None:
    (records,) = answer(settings, unit(settings, 1, 2), Reader({1: [Code.STORE_UNAVAILABLE] * 3}))
    assert outcome(records) == {1: None, 2: None}


def test_a_document_that_is_gone_fails_its_pages(settings: Settings) -> None:
    gone = msgspec.structs.replace(unit(settings, 1, 3), document=BlobReference(name="shared/aa/gone", size_bytes=3, sha256="0"))
    (records,) = answer(settings, gone, Reader())
    assert outcome(records) == dict.fromkeys((1, 2, 3), Code.BLOB_MISSING)


def test_what_is_no_range_is_dead_lettered(settings: Settings) -> None:
    ((letter,),) = answer(settings, b"junk", Reader())
    assert letter.topic == "dead.letters"
    assert codec.decode(letter.value or b"", DeadLettered).value == b"junk"
