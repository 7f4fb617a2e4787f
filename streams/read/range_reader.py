"""Reads a range of pages: the function that runs in a child process. Bytes of a document in, events out.

Guarantees: every page of the range ends as exactly one event, `PageExtracted` or `PageFailed`; a page costs itself alone; a blank page and
a page whose mode forbids recognition never get an image. The last document stays open in the process, so that ranges of one document
open it once. Knows the blob store and the codec, no Kafka, no settings.
"""

from collections.abc import Iterable
from pathlib import Path

import pymupdf
from msgspec import Struct
from msgspec.structs import replace

from schemas.blobs import BlobStore
from schemas.codec import HEADER_BYTES, encode
from schemas.content import PageContent
from schemas.errors import Code, PageloomError, Stage, failure_of
from schemas.events import DocumentOptions, Mode, PageExtracted, PageFailed, PageImage, PageStatus
from schemas.identity import Submission
from streams.read import pdfium
from streams.read.formats import is_image, open_document
from streams.read.page import PARSER_ERRORS, Survey, page_content, surroundings_of, survey_page
from streams.read.render import RenderedPage, render_page

ENOUGH_PIXELS = 4_000_000
"""What a model needs of a picture file: A4 at 200 dpi."""
BLOCK_BYTES, CELL_BYTES = 112, 40
"""What a block and a cell take in an event besides their text: boxes, style, places."""
DISABLED = "the text layer is not trusted, and the mode forbids recognition"


class ReadTask(Struct, frozen=True, kw_only=True):
    """A range to read, and the limits. `path` is a local file with the document; `parser` the one that found its pages."""

    document_id: str
    submission: Submission
    path: str
    blob_url: str
    media_type: str
    filename: str
    page_count: int
    first_page: int
    last_page: int
    options: DocumentOptions
    inline_content_bytes: int
    max_render_pixels: int
    render_dpi: int
    low_confidence: float
    parser: str = "mupdf"


class RangeRead(Struct, frozen=True, kw_only=True):
    """What became of a range: encoded `PageExtracted` by page, images of the pages that need a model, and pages that failed."""

    events: list[tuple[int, bytes]]
    images: list[PageImage]
    failures: list[PageFailed]


class _Opened(Struct):
    key: tuple[str, int, str]
    document: pymupdf.Document


_last_opened: list[_Opened] = []
"""The one document this process keeps open. A list of at most one, for it is state of the process and not a constant."""


def read_range(task: ReadTask) -> RangeRead:
    """Reads the pages of a range. Raises PageloomError where no page can be read: UNKNOWN_TYPE, CORRUPT, BLOB_MISSING, STORE_UNAVAILABLE."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    store = BlobStore(task.blob_url)
    if task.parser == "pdfium":
        return _read_by_pdfium(task, store)
    document = _document(task)
    failures: list[PageFailed] = []
    surveys: list[tuple[pymupdf.Page, Survey]] = []
    for number in range(task.first_page, task.last_page + 1):
        try:
            if not 1 <= number <= document.page_count:
                raise PageloomError(Code.NO_SUCH_PAGES, f"the document has {document.page_count} pages")
            page = document[number - 1]
            surveys.append((page, survey_page(page)))
        except Exception as error:  # noqa: BLE001 - the edge of the stage: whatever a page raises becomes its failure, named and coded
            failures.append(_failed(task, number, error))
    around = surroundings_of(survey for _, survey in surveys)
    found = RangeRead(events=[], images=[], failures=failures)
    for page, survey in surveys:
        try:
            image = _image_of(task, store, page, survey)
            event = _encoded_event(task, store, survey, page_content(survey, around), requested=image is not None)
        except Exception as error:  # the edge of the stage, as above
            if isinstance(error, PageloomError) and error.code is Code.STORE_UNAVAILABLE:
                raise  # no fault of the page: the whole range is tried again
            failures.append(_failed(task, survey.number, error))
            continue
        found.events.append((survey.number, event))
        if image is not None:
            found.images.append(image)
    return found


def _document(task: ReadTask) -> pymupdf.Document:
    """The document of the task, open: the one of the task before, or a new one in its place."""
    path = Path(task.path)
    key = (task.path, path.stat().st_size if path.is_file() else -1, task.media_type)
    if _last_opened and _last_opened[0].key == key and not _last_opened[0].document.is_closed:
        return _last_opened[0].document
    close_documents()
    document = open_document(path, task.media_type)
    if document.needs_pass:
        document.close()
        raise PageloomError(Code.ENCRYPTED, "the document is still encrypted; ingest stores a decrypted copy")
    _last_opened.append(_Opened(key, document))
    return document


def close_documents() -> None:
    """Closes the document that this process keeps open, if any."""
    while _last_opened:
        _last_opened.pop().document.close()


def _needs_model(task: ReadTask, survey: Survey) -> bool:
    return not survey.verdict.blank and survey.confidence < task.low_confidence


def _image_of(task: ReadTask, store: BlobStore, page: pymupdf.Page, survey: Survey) -> PageImage | None:
    """The stored image of a page that a model must read; None for all others."""
    if task.options.mode is Mode.DISABLE_OCR or not _needs_model(task, survey):
        return None
    rendered = render_page(page, _dpi(task, page), task.max_render_pixels)
    return _stored_image(task, store, survey.number, rendered, (survey.box[2], survey.box[3]), survey.rotation)


def _stored_image(task: ReadTask, store: BlobStore, number: int, rendered: RenderedPage, size_pt: tuple[float, float], rotation: int) -> PageImage:
    return PageImage(
        page=number,
        image=store.put_run(task.document_id, task.submission, f"page-{number}.png", rendered.png),
        pixels_sha256=rendered.pixels_sha256,
        width_px=rendered.width_px,
        height_px=rendered.height_px,
        dpi=rendered.dpi,
        width_pt=size_pt[0],
        height_pt=size_pt[1],
        rotation=rotation,
    )


def _dpi(task: ReadTask, page: pymupdf.Page) -> float:
    """The resolution to render at: as asked for. A picture file is rendered at its own where that is more and still no larger than a scanned
    page, and is not enlarged beyond that either.
    """
    wanted = float(task.options.dpi or task.render_dpi)
    if not is_image(task.media_type):
        return wanted
    shown = [info for info in page.get_image_info() if info["width"] and info["bbox"][2] > info["bbox"][0]]
    own: float = max((72 * info["width"] / (info["bbox"][2] - info["bbox"][0]) for info in shown), default=wanted)
    enough: float = (ENOUGH_PIXELS * 72**2 / max(page.rect.width * page.rect.height, 1.0)) ** 0.5
    return min(max(own, wanted), max(enough, min(own, wanted)))


def _encoded_event(task: ReadTask, store: BlobStore, survey: Survey, content: PageContent, *, requested: bool) -> bytes:
    """The encoded `PageExtracted` of a page, its content inline when small, else in the blob store in the same encoding."""
    event = _event(task, survey, requested=requested)
    if _expected_bytes(content) <= task.inline_content_bytes:
        data = encode(replace(event, content=content))
        if HEADER_BYTES + len(data) - len(encode(event)) <= task.inline_content_bytes:
            return data
    packed = encode(content)
    if len(packed) <= task.inline_content_bytes:
        return encode(replace(event, content=content))
    return encode(replace(event, content_reference=store.put_run(task.document_id, task.submission, f"page-{content.page}.content", packed)))


def _expected_bytes(content: PageContent) -> int:
    """About how many bytes a content is when encoded. Encoding is dear; a wrong guess costs a second one and changes nothing else."""
    cells = [cell for block in content.blocks if block.table is not None for cell in block.table.cells]
    texts = sum(len(block.text) for block in content.blocks) + sum(len(cell.text) for cell in cells)
    return texts + BLOCK_BYTES * len(content.blocks) + CELL_BYTES * len(cells)


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
    )


def _failed(task: ReadTask, number: int, error: Exception) -> PageFailed:
    """The failure of a page, by its cause. MemoryError is no fault of a page that can be told apart: it is raised on."""
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, PageloomError):
        code, cause = error.code, str(error)
    elif isinstance(error, PARSER_ERRORS) and not isinstance(error, (TypeError, LookupError)):
        code, cause = Code.CORRUPT, f"it cannot be read ({type(error).__name__})"
    else:
        code, cause = Code.INTERNAL, f"reading it raised {type(error).__name__}"
    failure = failure_of(code, Stage.READ, f"page {number} of {task.document_id[:200]}: {cause}")
    return PageFailed(document_id=task.document_id, submission=task.submission, page=number, failure=failure, filename=task.filename)


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
                    images = [_stored_image(task, store, number, rendered, (survey.box[2], survey.box[3]), survey.rotation)]
            except Exception as error:  # noqa: BLE001 - the edge of the stage, as above
                found.failures.append(_failed(task, number, error))
                continue
            found.events.append((number, event))
            found.images.extend(images)
    return found
