"""Reads a range of pages: the function that runs in a child process. Bytes of a document in, events out.

Guarantees: every page of the range ends as exactly one event, `PageExtracted` or `PageFailed`; a page costs itself alone; a blank page and
a page whose mode forbids recognition never get an image. The last document stays open in the process, so that ranges of one document
open it once. Knows the blob store and the codec, no Kafka, no settings.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import pymupdf
from msgspec import Struct
from msgspec.structs import replace

from schemas.blobs import BlobStore
from schemas.collector import without_collector
from schemas.content import PageContent
from schemas.errors import Code, PageloomError
from schemas.events import DoubtfulRegion, Mode, PageExtracted, PageFailed, PageImage, PageStatus
from schemas.geometry import area
from streams.read import pdfium
from streams.read.figures.cutting import with_figures
from streams.read.fonts.cut_ligatures import LigatureMaps, ligature_maps
from streams.read.formats import is_image, open_document
from streams.read.logical_reader import forget_document, read_by_structure
from streams.read.page import Survey, page_content, surroundings_of, survey_page
from streams.read.page_events import RangeRead, ReadTask, document_key, encoded, failed, stored_image
from streams.read.page_tables import LayoutWish
from streams.read.parser_errors import PARSER_ERRORS
from streams.read.render import render_page
from streams.read.structure.documents import is_structured

LAYOUT_SHARE = 0.5
"""Of the pages of a range, at most this share is shown to the layout model in `fast`: it takes ten times as long as reading them."""
ENOUGH_PIXELS = 4_000_000
"""What a model needs of a scanned page or a picture file: A4 at 200 dpi."""
SCANNED = 0.8
"""Share of a page from which a picture on it is a scan of it: sheets are scanned with and without their margins."""
LEAST_AREA_PT2 = 1.0
"""Smaller pictures have no resolution that says anything, also on a page without an extent."""
FINER = 1.15
"""How many times as fine a scan must be to be rendered at its own resolution: less is not worth pixels between its own."""
DISABLED = "the text layer is not trusted, and the mode forbids recognition"


class _Opened(Struct):
    key: tuple[str, int, str]
    document: pymupdf.Document
    maps: LigatureMaps


_last_opened: list[_Opened] = []
"""The one document this process keeps open. A list of at most one, for it is state of the process and not a constant."""


def read_range(task: ReadTask) -> RangeRead:
    """Reads the pages of a range. Raises PageloomError where no page can be read: UNKNOWN_TYPE, CORRUPT, BLOB_MISSING, STORE_UNAVAILABLE."""
    with without_collector():
        return _range_read(task)


def _range_read(task: ReadTask) -> RangeRead:
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    store = BlobStore(task.blob_url)
    if task.parser == "pdfium":
        return _read_by_pdfium(task, store)
    if is_structured(task.media_type):
        return read_by_structure(task, store)
    opened = _opened(task)
    document = opened.document
    failures: list[PageFailed] = []
    surveys: list[tuple[pymupdf.Page, Survey]] = []
    for number in range(task.first_page, task.last_page + 1):
        try:
            if not 1 <= number <= document.page_count:
                raise PageloomError(Code.NO_SUCH_PAGES, f"the document has {document.page_count} pages")
            opened.maps.complete(number - 1)
            page = document[number - 1]
            wish = _layout_wish(task, [survey for _, survey in surveys])
            surveys.append((page, survey_page(page, wish, figures=task.options.mode is Mode.BALANCED)))
        except Exception as error:  # noqa: BLE001 - the edge of the stage: whatever a page raises becomes its failure, named and coded
            failures.append(failed(task, number, error))
    around = surroundings_of(survey for _, survey in surveys)
    found = RangeRead(events=[], images=[], failures=failures)
    for page, survey in surveys:
        try:
            image = _image_of(task, store, page, survey)
            content = page_content(survey, around)
            if task.figure_dpi and not (image is not None and _needs_model(task, survey)):
                content = _with_figures(task, store, page, content, survey)
            event = _encoded_event(task, store, survey, content, requested=image is not None)
        except Exception as error:  # the edge of the stage, as above
            if isinstance(error, PageloomError) and error.code is Code.STORE_UNAVAILABLE:
                raise  # no fault of the page: the whole range is tried again
            failures.append(failed(task, survey.number, error))
            continue
        found.events.append((survey.number, event))
        if image is not None:
            found.images.append(image)
    return found


def _layout_wish(task: ReadTask, before: Sequence[Survey]) -> LayoutWish:
    """When the layout model is asked about the next page of a range: by the mode, and in `fast` of a bounded share of the pages."""
    if not task.layout or task.options.mode is Mode.DISABLE_OCR:
        return LayoutWish.NEVER
    if task.options.mode is Mode.BALANCED:
        return LayoutWish.ALWAYS
    asked = sum(1 for survey in before if survey.layout)
    return LayoutWish.WHERE_DOUBTFUL if asked < max(1.0, LAYOUT_SHARE * (task.last_page - task.first_page + 1)) else LayoutWish.NEVER


def _opened(task: ReadTask) -> _Opened:
    """The document of the task, open: the one of the task before, or a new one in its place."""
    key = document_key(task)
    if _last_opened and _last_opened[0].key == key and not _last_opened[0].document.is_closed:
        return _last_opened[0]
    close_documents()
    document = open_document(Path(task.path), task.media_type)
    if document.needs_pass:
        document.close()
        raise PageloomError(Code.ENCRYPTED, "the document is still encrypted; ingest stores a decrypted copy")
    _last_opened.append(_Opened(key, document, ligature_maps(document)))
    return _last_opened[0]


def close_documents() -> None:
    """Closes the document that this process keeps open, if any."""
    while _last_opened:
        _last_opened.pop().document.close()
    forget_document()


def _needs_model(task: ReadTask, survey: Survey) -> bool:
    return not survey.verdict.blank and survey.confidence < task.low_confidence


def _regions(task: ReadTask, survey: Survey) -> tuple[DoubtfulRegion, ...]:
    """The doubtful regions of a page; in `balanced` those of a page that is sound otherwise are to be read by a model."""
    wanted = task.options.mode is Mode.BALANCED and not survey.verdict.blank and not _needs_model(task, survey)
    return tuple(replace(region, requested=wanted and region.confidence < task.low_confidence) for region in survey.verdict.regions)


def _image_of(task: ReadTask, store: BlobStore, page: pymupdf.Page, survey: Survey) -> PageImage | None:
    """The stored image of a page that a model must read, whole or in regions; None for all others."""
    asked = [region.bbox for region in _regions(task, survey) if region.requested]
    if task.options.mode is Mode.DISABLE_OCR or not (_needs_model(task, survey) or asked):
        return None
    rendered = render_page(page, _dpi(task, page), task.max_render_pixels, only=asked)
    return stored_image(task, store, survey.number, rendered, (survey.box[2], survey.box[3]), survey.rotation)


def _with_figures(task: ReadTask, store: BlobStore, page: pymupdf.Page, content: PageContent, survey: Survey) -> PageContent:
    """The content with stored pictures of its figures; without, and with a warning, where the page's text can be read and its drawing cannot."""
    try:
        keep = partial(store.put_run, task.document_id, task.submission)
        return with_figures(page, content, survey.images, task.figure_dpi, task.page_count, keep)
    except PARSER_ERRORS:
        survey.warnings.append("figures cannot be drawn; that part of the file is damaged")
        return content


def _dpi(task: ReadTask, page: pymupdf.Page) -> float:
    """The resolution to render at: as asked for. What is nothing but one picture, a scanned page or a picture file, is rendered at its own where that
    is more and still no larger than most scanned pages are; a picture file is not enlarged beyond that either.
    """
    wanted = float(task.options.dpi or task.render_dpi)
    own = _scanned_dpi(page)
    if own is None or (task.options.dpi and not is_image(task.media_type)):
        return wanted
    enough: float = (ENOUGH_PIXELS * 72**2 / max(page.rect.width * page.rect.height, 1.0)) ** 0.5
    if is_image(task.media_type):
        return min(max(own, wanted), max(enough, min(own, wanted)))
    finest = min(own, enough)
    return finest if finest >= FINER * wanted else wanted


def _scanned_dpi(page: pymupdf.Page) -> float | None:
    """The resolution of the picture that a page consists of; None for a page of more than that, or whose pictures cannot be listed."""
    whole = area(tuple(page.rect))
    try:
        shown = [(area(info["bbox"]), info["width"] * info["height"]) for info in page.get_image_info()]
    except PARSER_ERRORS:
        return None
    covering = [(size, pixels) for size, pixels in shown if size >= max(SCANNED * whole, LEAST_AREA_PT2) and pixels > 0]
    return max((72 * (pixels / size) ** 0.5 for size, pixels in covering), default=None)


def _encoded_event(task: ReadTask, store: BlobStore, survey: Survey, content: PageContent, *, requested: bool) -> bytes:
    """The encoded `PageExtracted` of a page that was surveyed."""
    return encoded(task, store, _event(task, survey, requested=requested), content)


def _event(task: ReadTask, survey: Survey, *, requested: bool) -> PageExtracted:
    """The event of a page, its content left out."""
    warnings = list(survey.warnings)
    if _needs_model(task, survey) and not requested:
        warnings.append(DISABLED)
    return PageExtracted(
        document_id=task.document_id,
        submission=task.submission,
        page=survey.number,
        status=PageStatus.BLANK if survey.verdict.blank else PageStatus.EXTRACTED,
        text_layer_confidence=round(survey.confidence, 4),
        reasons=survey.reasons,
        recognition_requested=requested,
        width_pt=survey.box[2],
        height_pt=survey.box[3],
        rotation=survey.rotation,
        warnings=tuple(warnings),
        regions=_regions(task, survey),
    )


def _read_by_pdfium(task: ReadTask, store: BlobStore) -> RangeRead:
    """Pages of a file in which MuPDF finds none."""
    found = RangeRead(events=[], images=[], failures=[])
    with pdfium.open_pages(Path(task.path)) as pages:
        for number in range(task.first_page, task.last_page + 1):
            try:
                survey, rendered = pages.survey(number), None
                if _needs_model(task, survey) and task.options.mode is not Mode.DISABLE_OCR:
                    rendered = pages.render(number, float(task.options.dpi or task.render_dpi), task.max_render_pixels)
                content = page_content(survey, surroundings_of([survey]))
                event = _encoded_event(task, store, survey, content, requested=rendered is not None)
                images: Iterable[PageImage] = ()
                if rendered is not None:
                    images = [stored_image(task, store, number, rendered, (survey.box[2], survey.box[3]), survey.rotation)]
            except Exception as error:  # noqa: BLE001 - the edge of the stage, as above
                found.failures.append(failed(task, number, error))
                continue
            found.events.append((number, event))
            found.images.extend(images)
    return found
