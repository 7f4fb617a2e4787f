"""Whole documents from the log to the published bytes: the same for any order, repetition and delay of their events, and for any cut into windows."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.codec import decode
from schemas.content import Block, BlockType, PageContent, Source
from schemas.document import Document
from schemas.errors import Code, Stage, failure_of
from schemas.events import DocumentOptions, DocumentParsed, Format, PageWindowRecognized, RecognizedPage
from schemas.identity import revision_of
from streams import topics
from streams.assemble.finish.child import FinishTask, finish_document
from streams.assemble.state.inner_events import DocumentFinished
from streams.ingest.pages import plan_windows
from tests.unit.assemble import made_documents as made
from tests.unit.assemble.logged import DOCUMENT, Aggregator, Logged, extracted, opened, page_failed, submission

WINDOWS = (1, 2, 3, 10)
FORMATS = DocumentOptions(formats=tuple(Format))


class Finishing(Aggregator):
    """Finishes what is complete in the way that a child process does."""

    def finish(self) -> None:
        record = self.state.record
        if not self.state.complete or record is None or record.opened is None:
            return
        raw = (*(page.raw for page in self.state.pages.values()), *(window.raw for window in self.state.windows.values()))
        revision = revision_of(record.opened.submission, record.last_revision)
        with tempfile.TemporaryDirectory() as blobs:
            result = finish_document(
                FinishTask(
                    opened=record.opened, raw_events=raw, revision=revision, blob_url=Path(blobs).as_uri(), trusted_confidence=0.5,
                    inline_bytes=2**24, event_bytes=2**24,
                )
            )  # fmt: skip
        self.fold(DocumentFinished(record.opened.submission, revision, result.status, result.parsed))


def parsed(events: Sequence[Logged]) -> bytes:
    """The only document that comes of the events."""
    (output,) = Finishing().feed(*events).on(topics.PARSED)
    assert isinstance(output.value, bytes)
    return output.value


def blocks_of(number: int, tier: str) -> tuple[Block, ...]:
    """A page with a running head, a sentence that goes on, a table that goes on, a number."""
    rows = [[str(number * 4 + row), f"{tier} name", f"{row}.50"] for row in range(4)]
    table = made.table(rows, 200, 780)
    if tier != "layer" and table.table is not None:
        table = replace(table, style=None, table=replace(table.table, column_edges=(), ruled=0.0))
    return (
        made.block("A running head", 30),
        made.paragraph(f"and so it went on with the {tier} of page {number} into the co-", 60),
        table,
        made.block(str(number), 810, BlockType.PAGE_FOOTER),
    )


def content_of(number: int, tier: str) -> PageContent:
    source = Source.TEXT_LAYER if tier == "layer" else Source.RECOGNITION
    return PageContent(page=number, width_pt=made.WIDTH, height_pt=made.HEIGHT, rotation=0, source=source, blocks=blocks_of(number, tier))


def windows_of(pages: Sequence[int], size: int) -> list[tuple[int, int]]:
    """The windows that a reader asks for."""
    images: list[Any] = [SimpleNamespace(page=page) for page in pages]
    return [(window[0].page, window[-1].page) for window in plan_windows(images, size)]


def answered(first: int, last: int, readings: dict[tuple[int, int], tuple[str, float, int, bool]]) -> PageWindowRecognized:
    """An answer. `readings` say what a window reads of a page: text, confidence, problems, failed or not."""
    pages = []
    for page in range(first, last + 1):
        text, confidence, problems, failed = readings[first, page]
        if failed:
            pages.append(RecognizedPage(page=page, failure=failure_of(Code.ENGINE_FAILED, Stage.INFER, "it fell over")))
        else:
            named = tuple(f"problem_{n}" for n in range(problems))
            pages.append(RecognizedPage(page=page, content=content_of(page, text), confidence=confidence, problems=named))
    return PageWindowRecognized(
        document_id=DOCUMENT, submission=submission(1), first_page=first, last_page=last, engine="test", engine_version="1", pages=tuple(pages)
    )


@st.composite
def stories(draw: st.DrawFn, scanned: bool = False) -> tuple[list[Logged], list[Logged]]:
    """A document of mixed tiers in windows of any size, whose shared pages are read differently; and the same events disordered, some repeated.

    `scanned`: every page is asked for, in windows that are as small as windows that share pages can be.
    """
    count, size = draw(st.integers(4 if scanned else 1, 9)), 2 if scanned else draw(st.sampled_from(WINDOWS))
    kinds = ["asked" if scanned else draw(st.sampled_from(["layer", "asked", "asked", "asked", "blank", "failed"])) for _ in range(count)]
    events: list[Logged] = [opened(1, range(1, count + 1), FORMATS)]
    for page, kind in enumerate(kinds, 1):
        if kind == "failed":
            events.append(page_failed(page))
        else:
            events.append(replace(extracted(page, requested=kind == "asked", blank=kind == "blank"), content=content_of(page, "layer")))
    for first, last in windows_of([page for page, kind in enumerate(kinds, 1) if kind == "asked"], size):
        reading = st.tuples(st.sampled_from(["one", "two"]), st.sampled_from([0.5, 0.8]), st.integers(0, 1), st.booleans())
        events.append(answered(first, last, {(first, page): draw(reading) for page in range(first, last + 1)}))
    repeated = draw(st.lists(st.sampled_from(events), max_size=len(events)))
    return events, draw(st.permutations([*events, *repeated]))


@given(st.one_of(stories(), stories(scanned=True)))
@settings(max_examples=150, deadline=None)
def test_any_order_repetition_and_delay_gives_the_same_bytes(story: tuple[list[Logged], list[Logged]]) -> None:
    in_order, disordered = story
    assert parsed(disordered) == parsed(in_order)


def whole(kinds: Sequence[str], size: int) -> Document:
    """The document of pages that read the same in whatever window."""
    events: list[Logged] = [opened(1, range(1, len(kinds) + 1), FORMATS)]
    for page, kind in enumerate(kinds, 1):
        events.append(replace(extracted(page, requested=kind == "asked", blank=kind == "blank"), content=content_of(page, "layer")))
    for first, last in windows_of([page for page, kind in enumerate(kinds, 1) if kind == "asked"], size):
        events.append(answered(first, last, {(first, page): ("one", 0.8, 0, False) for page in range(first, last + 1)}))
    document = decode(parsed(events), DocumentParsed).document
    assert document is not None
    return document


@given(st.lists(st.sampled_from(["layer", "asked", "asked", "blank"]), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_how_pages_are_cut_into_windows_changes_nothing(kinds: list[str]) -> None:
    documents = [whole(kinds, size) for size in WINDOWS]
    assert all(document.blocks == documents[0].blocks for document in documents[1:])


@pytest.mark.parametrize(
    ("second", "taken"),
    [(("two", 0.9, 0, False), "two"), (("two", 0.7, 0, False), "one"), (("two", 0.9, 1, False), "one"), (("two", 0.9, 0, True), "one")],
    ids=["more confident", "less confident", "more problems", "failed"],
)
def test_a_shared_page_is_taken_from_the_better_reading(second: tuple[str, float, int, bool], taken: str) -> None:
    plain = ("one", 0.8, 0, False)
    readings = {(1, 1): plain, (1, 2): plain, (2, 2): second, (2, 3): plain}
    events = [opened(1, (1, 2, 3), FORMATS), *(extracted(page, requested=True) for page in (1, 2, 3))]
    document = decode(parsed([*events, answered(2, 3, readings), answered(1, 2, readings)]), DocumentParsed).document
    assert document is not None
    assert f"{taken} of page 2" in "".join(block.text for block in document.blocks)
    told = [reason for reason in document.pages[1].reasons if reason.startswith("better_of_two_readings:")]
    assert told == ([] if second[3] else [f"better_of_two_readings:window_{'2-3' if taken == 'two' else '1-2'}"])
