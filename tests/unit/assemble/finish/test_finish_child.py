"""From page events to the finished event: which content counts, what is inline, what is stored."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from schemas.blobs import BlobStore
from schemas.codec import decode, encode
from schemas.content import BlobReference
from schemas.document import DocumentStatus, FinishedPage, FinishedPageStatus
from schemas.errors import Code, PageloomError, Stage
from schemas.events import DocumentOptions, DocumentParsed, DoubtfulRegion, Format, PageExtracted
from streams.assemble.finish import child
from streams.assemble.finish.child import FinishTask, finish_document, purge_runs
from tests.unit.assemble.logged import DOCUMENT, Logged, content, extracted, opened, page_failed, recognized, submission

MISSING = BlobReference(name="shared/00/gone", size_bytes=3, sha256="00")


def task(
    blobs: Path, *events: Logged, pages: int = 1, inline_bytes: int = 2**20, event_bytes: int = 2**20, formats: tuple[Format, ...] = ()
) -> FinishTask:
    return FinishTask(
        opened=opened(1, range(1, pages + 1), DocumentOptions(formats=formats or (Format.MARKDOWN, Format.JSON))),
        raw_events=tuple(encode(event) for event in events),
        revision=7,
        blob_url=blobs.as_uri(),
        trusted_confidence=0.5,
        inline_bytes=inline_bytes,
        event_bytes=event_bytes,
    )  # fmt: skip


def finished(task_: FinishTask) -> DocumentParsed:
    return decode(finish_document(task_).parsed, DocumentParsed)


def page_of(task_: FinishTask) -> FinishedPage:
    document = finished(task_).document
    assert document is not None
    return document.pages[0]


def test_an_extracted_page_keeps_its_text_layer(tmp_path: Path) -> None:
    event = finished(task(tmp_path, extracted(1, text="as extracted")))
    assert event.document is not None
    assert "as extracted" in event.document.blocks[0].text
    assert (event.status, event.revision, event.submission) == ("complete", 7, submission(1))
    assert event.document.pages[0].status is FinishedPageStatus.EXTRACTED


def test_a_requested_page_is_as_it_was_recognized(tmp_path: Path) -> None:
    page = page_of(task(tmp_path, recognized(1), extracted(1, requested=True)))
    assert (page.status, page.engine, page.confidence, page.text_layer_confidence) == (FinishedPageStatus.RECOGNIZED, "test", 0.8, 0.1)


def test_a_page_that_was_read_in_part_is_told(tmp_path: Path) -> None:
    window = recognized(1)
    read = replace(window, pages=tuple(replace(page, problems=("part_unread", "engines_disagree")) for page in window.pages))
    document = finished(task(tmp_path, read, extracted(1, requested=True))).document
    assert document is not None
    assert [warning.partition(";")[0] for warning in document.warnings] == [
        "page 1: a part of the page could not be read, and what stands for it may be wrong"
    ]


def test_a_recognition_that_nobody_asked_for_changes_nothing(tmp_path: Path) -> None:
    assert page_of(task(tmp_path, recognized(1), extracted(1))).status is FinishedPageStatus.EXTRACTED


def test_a_failed_recognition_fails_a_page_without_a_trusted_text_layer(tmp_path: Path) -> None:
    result = finish_document(task(tmp_path, extracted(1, requested=True), recognized(1, failed=(1,))))
    assert result.status is DocumentStatus.PARTIAL
    [failed] = result.failed
    assert (failed.page, failed.failure.code, failed.failure.stage) == (1, Code.ENGINE_FAILED, Stage.INFER)
    document = decode(result.parsed, DocumentParsed).document
    assert document is not None
    assert document.blocks == ()
    assert document.pages[0].error is not None


def test_a_failed_recognition_leaves_a_trusted_text_layer(tmp_path: Path) -> None:
    page = page_of(task(tmp_path, extracted(1, requested=True, confidence=0.8), recognized(1, failed=(1,))))
    assert page.status is FinishedPageStatus.EXTRACTED


@pytest.mark.parametrize("windows", [(recognized(2, 3), recognized(1, 2, failed=(2,))), (recognized(2, 3, failed=(2,)), recognized(1, 2))])
def test_of_two_windows_with_a_page_the_one_that_read_it_counts(tmp_path: Path, windows: tuple[Logged, ...]) -> None:
    events = [*(extracted(page, requested=True) for page in (1, 2, 3)), *windows]
    assert finish_document(task(tmp_path, *events, pages=3)) == finish_document(task(tmp_path, *reversed(events), pages=3))
    document = finished(task(tmp_path, *events, pages=3)).document
    assert document is not None
    assert {page.status for page in document.pages} == {FinishedPageStatus.RECOGNIZED}


def test_blank_and_failed_pages_are_named(tmp_path: Path) -> None:
    document = finished(task(tmp_path, extracted(1, blank=True), page_failed(2), pages=2)).document
    assert document is not None
    assert [page.status for page in document.pages] == [FinishedPageStatus.BLANK, FinishedPageStatus.FAILED]
    assert document.status is DocumentStatus.PARTIAL


def test_content_is_fetched_from_the_store_and_a_missing_blob_costs_its_page(tmp_path: Path) -> None:
    stored = BlobStore(tmp_path.as_uri()).put_run(DOCUMENT, submission(1), "page-1.content", encode(content(1, "from the store")))
    first, second = extracted(1), extracted(2)
    by_reference = [
        type(first)(**{name: getattr(page, name) for name in page.__struct_fields__} | {"content": None, "content_reference": reference})
        for page, reference in ((first, stored), (second, MISSING))
    ]
    result = finish_document(task(tmp_path, *by_reference, pages=2))
    document = decode(result.parsed, DocumentParsed).document
    assert document is not None
    assert "from the store" in document.blocks[0].text
    assert [(one.page, one.failure.code) for one in result.failed] == [(2, Code.BLOB_MISSING)]


def test_a_store_that_is_away_fails_the_finishing_not_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> bytes:
        raise PageloomError(Code.STORE_UNAVAILABLE, "away")

    monkeypatch.setattr(child.BlobStore, "get", away)
    page = extracted(1)
    by_reference = type(page)(**{name: getattr(page, name) for name in page.__struct_fields__} | {"content": None, "content_reference": MISSING})
    with pytest.raises(PageloomError) as caught:
        finish_document(task(tmp_path, by_reference))
    assert caught.value.code is Code.STORE_UNAVAILABLE


@pytest.mark.parametrize("form", list(Format))
def test_what_is_large_is_stored_with_the_run(tmp_path: Path, form: Format) -> None:
    event = finished(task(tmp_path, extracted(1, text="word " * 500), inline_bytes=1000, formats=(form,)))
    assert event.document is None
    assert event.document_reference is not None
    blobs = BlobStore(tmp_path.as_uri())
    assert b"word word" in blobs.get(event.document_reference, 10**6)
    [rendering] = event.renderings
    assert rendering.text is None
    assert rendering.reference is not None
    assert rendering.reference.name.startswith("runs/")
    assert b"word word" in blobs.get(rendering.reference, 10**6)
    purge_runs(tmp_path.as_uri(), DOCUMENT, (submission(1), submission(2)))
    assert blobs.find(rendering.reference.name, 10**6) is None


def test_the_whole_event_stays_within_its_bound(tmp_path: Path) -> None:
    bound = 9_000
    event = task(tmp_path, extracted(1, text="word " * 800), inline_bytes=5_000, event_bytes=bound, formats=tuple(Format))
    result = finish_document(event)
    assert len(result.parsed) <= bound
    renderings = decode(result.parsed, DocumentParsed).renderings
    assert [one.format for one in renderings] == list(Format)
    assert {one.text is None for one in renderings} == {True, False}


def test_an_event_that_cannot_be_small_enough_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PageloomError) as caught:
        finish_document(task(tmp_path, extracted(1), event_bytes=100))
    assert caught.value.code is Code.MESSAGE_TOO_LARGE


def test_finishing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    work = task(tmp_path, extracted(1, text="word " * 500), inline_bytes=1000)
    assert finish_document(work) == finish_document(work)


def test_damaged_events_are_told_as_such(tmp_path: Path) -> None:
    work = task(tmp_path, opened())
    with pytest.raises(PageloomError) as caught:
        finish_document(work)
    assert caught.value.code is Code.UNDECODABLE


def with_region(page: int) -> PageExtracted:
    region = DoubtfulRegion(bbox=(70.0, 70.0, 320.0, 95.0), confidence=0.1, reasons=("control_characters",), requested=True)
    return replace(extracted(page, requested=True, confidence=0.9, text="#$%&"), regions=(region,))


def test_of_a_sound_page_only_its_regions_are_replaced(tmp_path: Path) -> None:
    document = finished(task(tmp_path, with_region(1), recognized(1))).document
    assert document is not None
    page = document.pages[0]
    assert (page.status, page.engine, "regions_recognized" in page.reasons) == (FinishedPageStatus.EXTRACTED, "test", True)
    assert [block.text for block in document.blocks] == ["recognized page 1"]


@pytest.mark.parametrize("gone", [False, True])
def test_regions_that_could_not_be_read_stay_as_they_are(tmp_path: Path, gone: bool) -> None:
    answer = recognized(1, failed=() if gone else [1])
    if gone:
        answer = replace(answer, pages=tuple(replace(page, content=None, content_reference=MISSING) for page in answer.pages))
    document = finished(task(tmp_path, with_region(1), answer)).document
    assert document is not None
    assert document.status is DocumentStatus.COMPLETE
    assert "regions_unread" in document.pages[0].reasons
    assert [block.text for block in document.blocks] == ["#$%&"]
