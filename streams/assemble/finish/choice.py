"""Which tier's content of a page counts: the page events of one document become one `PageInput` for each page asked for.

Pure but for the argument that fetches content from its reference. The rule: what was read counts unless a recognition was requested; then the
recognition counts; if that failed, the text layer counts only where it was trusted on its own (a recognition of a region was asked
for), else the page is failed. The order of the events changes nothing: which of two like events counts was decided by the log.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from schemas.codec import Undecodable, decode, encode, name_of
from schemas.content import BlobReference, PageContent
from schemas.document import FinishedPageStatus, PageError
from schemas.errors import Code, Failure, PageloomError, Stage, failure_of
from schemas.events import DocumentOpened, DoubtfulRegion, PageExtracted, PageFailed, PageStatus, PageWindowRecognized, RecognizedPage
from streams.assemble.document.pages import PageInput
from streams.assemble.finish.reading_notes import notes_of
from streams.assemble.finish.regions import with_regions

Fetch = Callable[[BlobReference], PageContent]
"""The content behind a reference. Raises PageloomError."""

_FETCH_FAULTS = frozenset({Code.BLOB_MISSING, Code.TOO_LARGE, Code.UNDECODABLE})
"""Faults of one blob: they cost their page. A store that is not there costs no page; finishing is tried again."""


class Recognition(Struct, frozen=True, kw_only=True):
    """One page's answer, which engine gave it, and in which window. `read_twice`: it was taken before another window's answer."""

    page: RecognizedPage
    engine: str | None = None
    window: tuple[int, int] = (0, 0)
    read_twice: bool = False


class Chosen(Struct, frozen=True, kw_only=True):
    """One page, and why it is failed if it is."""

    page: PageInput
    failure: Failure | None = None


class PageEvents(Struct, frozen=True, kw_only=True):
    """The events of a document by page."""

    extracted: Mapping[int, PageExtracted]
    failed: Mapping[int, PageFailed]
    recognized: Mapping[int, Recognition]


def events_of(raw_events: Iterable[bytes]) -> PageEvents:
    """Decodes page events as they were logged. Raises Undecodable."""
    extracted: dict[int, PageExtracted] = {}
    failed: dict[int, PageFailed] = {}
    windows: list[PageWindowRecognized] = []
    recognized: dict[int, Recognition] = {}
    for raw in raw_events:
        match name_of(raw):
            case "PageExtracted":
                page = decode(raw, PageExtracted)
                extracted[page.page] = page
            case "PageFailed":
                failure = decode(raw, PageFailed)
                if failure.failure.stage is Stage.INFER:
                    recognized[failure.page] = Recognition(page=RecognizedPage(page=failure.page, failure=failure.failure))
                else:
                    failed[failure.page] = failure
            case "PageWindowRecognized":
                windows.append(decode(raw, PageWindowRecognized))
            case name:
                raise Undecodable(f"a {name} among page events")
    for window in windows:
        for answer in window.pages:
            reading = Recognition(page=answer, engine=window.engine, window=(window.first_page, window.last_page))
            recognized[answer.page] = _better(recognized.get(answer.page), reading)
    return PageEvents(extracted=extracted, failed=failed, recognized=recognized)


def _better(one: Recognition | None, other: Recognition) -> Recognition:
    """Of two answers for the page that neighbouring windows share the better one, whichever came first.

    An answer counts before a failure, then the one of fewer problems, of more confidence, of more text, at last the window that stands first.
    """
    if one is None:
        return other
    first, second = sorted((one, other), key=_rank)
    return replace(first, read_twice=first.page.failure is None and second.page.failure is None)


def _rank(reading: Recognition) -> tuple[bool, int, float, int, tuple[int, int]]:
    """Sorts the better reading of a page first. The length of content that is stored elsewhere is that of its blob."""
    page = reading.page
    size = page.content_reference.size_bytes if page.content_reference else len(encode(page.content)) if page.content else 0
    return page.failure is not None, len(page.problems), -page.confidence, -size, reading.window


def choose_pages(opened: DocumentOpened, events: PageEvents, fetch: Fetch, trusted: float) -> list[Chosen]:
    """One value for each page asked for, ascending. A page without events is failed, which the fold rules out."""
    return [_choose(opened, page, events, fetch, trusted) for page in opened.pages]


def _choose(opened: DocumentOpened, page: int, events: PageEvents, fetch: Fetch, trusted: float) -> Chosen:
    extracted = events.extracted.get(page)
    if extracted is None:
        failed = events.failed.get(page)
        return _failed_page(page, failed.failure if failed else _nothing_seen(opened, page), None)
    if extracted.status is PageStatus.BLANK:
        return _page(extracted, FinishedPageStatus.BLANK, extracted.text_layer_confidence)
    try:
        if extracted.recognition_requested:
            recognition = events.recognized.get(page)
            answer = recognition.page if recognition else RecognizedPage(page=page, failure=_nothing_seen(opened, page))
            engine = answer.engine or (recognition.engine if recognition else None)
            regions = [region for region in extracted.regions if region.requested]
            if regions:
                return _page_with_regions(extracted, answer, engine, regions, fetch)
            if answer.failure is None:
                chosen = _recognized_page(extracted, answer, engine, _content(answer.content, answer.content_reference, fetch))
                return _with_window(chosen, recognition) if recognition and recognition.read_twice else chosen
            if extracted.text_layer_confidence < trusted:
                return _failed_page(page, answer.failure, extracted)
        content = _content(extracted.content, extracted.content_reference, fetch)
    except PageloomError as error:
        if error.code not in _FETCH_FAULTS:
            raise
        return _failed_page(page, _located(error, opened, page), extracted)
    return _page(extracted, FinishedPageStatus.EXTRACTED, extracted.text_layer_confidence, content)


def _with_window(chosen: Chosen, recognition: Recognition) -> Chosen:
    """A page that two windows read, with the one that was taken among its reasons."""
    first, last = recognition.window
    return replace(chosen, page=replace(chosen.page, reasons=(*chosen.page.reasons, f"better_of_two_readings:window_{first}-{last}")))


def _page_with_regions(
    extracted: PageExtracted, answer: RecognizedPage, engine: str | None, regions: Sequence[DoubtfulRegion], fetch: Fetch
) -> Chosen:
    """A trusted page of which a model read some regions: without its answer they stay as the text layer has them."""
    content = _content(extracted.content, extracted.content_reference, fetch)
    chosen = _page(extracted, FinishedPageStatus.EXTRACTED, extracted.text_layer_confidence, content).page
    try:
        read = None if answer.failure is not None else _content(answer.content, answer.content_reference, fetch)
    except PageloomError as error:
        if error.code not in _FETCH_FAULTS:
            raise
        read = None
    if read is None or content is None:
        return Chosen(page=replace(chosen, reasons=(*chosen.reasons, "regions_unread")))
    reasons = (*chosen.reasons, "regions_recognized", *(problem for problem in answer.problems if problem not in chosen.reasons))
    warnings = (*chosen.warnings, *notes_of(answer.problems))
    return Chosen(page=replace(chosen, content=with_regions(content, read, regions), engine=engine, reasons=reasons, warnings=warnings))


def _content(inline: PageContent | None, reference: BlobReference | None, fetch: Fetch) -> PageContent | None:
    return fetch(reference) if inline is None and reference is not None else inline


def _page(extracted: PageExtracted, status: FinishedPageStatus, confidence: float, content: PageContent | None = None) -> Chosen:
    page = PageInput(
        page=extracted.page,
        status=status,
        text_layer_confidence=extracted.text_layer_confidence,
        confidence=confidence,
        reasons=extracted.reasons,
        width_pt=extracted.width_pt,
        height_pt=extracted.height_pt,
        rotation=extracted.rotation,
        content=content,
        warnings=extracted.warnings,
        logical=extracted.logical,
    )
    return Chosen(page=page)


def _recognized_page(extracted: PageExtracted, answer: RecognizedPage, engine: str | None, content: PageContent | None) -> Chosen:
    page = PageInput(
        page=extracted.page,
        status=FinishedPageStatus.RECOGNIZED,
        text_layer_confidence=extracted.text_layer_confidence,
        confidence=answer.confidence,
        reasons=(*extracted.reasons, *(problem for problem in answer.problems if problem not in extracted.reasons)),
        width_pt=extracted.width_pt,
        height_pt=extracted.height_pt,
        rotation=extracted.rotation,
        engine=engine,
        content=content,
        warnings=(*extracted.warnings, *notes_of(answer.problems)),
        logical=extracted.logical,
    )
    return Chosen(page=page)


def _failed_page(number: int, failure: Failure, extracted: PageExtracted | None) -> Chosen:
    error = PageError(code=failure.code.value, stage=failure.stage.value, message=failure.message, retryable=failure.retryable)
    page = PageInput(
        page=number,
        status=FinishedPageStatus.FAILED,
        text_layer_confidence=extracted.text_layer_confidence if extracted else 0.0,
        confidence=0.0,
        reasons=extracted.reasons if extracted else (),
        width_pt=extracted.width_pt if extracted else 0.0,
        height_pt=extracted.height_pt if extracted else 0.0,
        rotation=extracted.rotation if extracted else 0,
        error=error,
        warnings=extracted.warnings if extracted else (),
        logical=extracted.logical if extracted else False,
    )
    return Chosen(page=page, failure=failure)


def _nothing_seen(opened: DocumentOpened, page: int) -> Failure:
    return failure_of(Code.INTERNAL, Stage.ASSEMBLE, f"document {opened.document_id!r}, page {page}: no event of it is in the state")


def _located(error: PageloomError, opened: DocumentOpened, page: int) -> Failure:
    return failure_of(error.code, Stage.ASSEMBLE, f"document {opened.document_id!r}, page {page}: {error}")
