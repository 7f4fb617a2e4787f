"""Reads a range of logical pages: documents without pages of their own, by their structure. Bytes of a document in, events out.

Guarantees: every page of the range ends as exactly one event; a picture that is all a page says is asked of a model as a region, the rest of the page
is certain. The last document stays in the process. Knows the blob store, no Kafka, no settings.
"""

from functools import partial
from pathlib import Path

from msgspec import Struct

from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError
from schemas.events import DoubtfulRegion, Mode, PageExtracted, PageImage, PageStatus
from streams.read.page_events import RangeRead, ReadTask, document_key, encoded, failed, stored_image
from streams.read.structure.documents import open_structured, page_of
from streams.read.structure.logical_page import LogicalDocument, LogicalPage
from streams.read.structure.storing import draw_pictures, picture_regions, stored_content

UNREAD = 0.02
"""Confidence of a page whose text is a picture that nobody reads, as of a scan without text."""
PICTURES_UNREAD = "a picture that is all its page shows is not read: it cannot be drawn, or the mode forbids recognition"


class _Opened(Struct):
    key: tuple[str, int, str]
    document: LogicalDocument


_last_opened: list[_Opened] = []
"""The one document this process keeps. A list of at most one, for it is state of the process and not a constant."""


def read_by_structure(task: ReadTask, store: BlobStore) -> RangeRead:
    """The logical pages of a range. Raises PageloomError where no page can be read, and STORE_UNAVAILABLE."""
    document = _logical_document(task)
    found = RangeRead(events=[], images=[], failures=[])
    for number in range(task.first_page, task.last_page + 1):
        try:
            page = page_of(document, number)
            image = _image_of_pictures(task, store, page, number)
            keep = partial(store.put_run, task.document_id, task.submission) if task.figure_dpi else None
            content, warnings = stored_content(page, number, keep)
            event = encoded(task, store, _logical_event(task, page, number, warnings, requested=image is not None), content)
        except Exception as error:  # the edge of the stage: whatever a page raises becomes its failure, named and coded
            if isinstance(error, PageloomError) and error.code is Code.STORE_UNAVAILABLE:
                raise  # no fault of the page: the whole range is tried again
            found.failures.append(failed(task, number, error))
            continue
        found.events.append((number, event))
        if image is not None:
            found.images.append(image)
    return found


def _image_of_pictures(task: ReadTask, store: BlobStore, page: LogicalPage, number: int) -> PageImage | None:
    """The stored image of a page's pictures that a model must read; None where there are none."""
    if task.options.mode is Mode.DISABLE_OCR or not picture_regions(page):
        return None
    rendered = draw_pictures(page, float(task.options.dpi or task.render_dpi), task.max_render_pixels)
    return None if rendered is None else stored_image(task, store, number, rendered, (page.width_pt, page.height_pt), 0)


def _logical_event(task: ReadTask, page: LogicalPage, number: int, warnings: tuple[str, ...], *, requested: bool) -> PageExtracted:
    """The event of a logical page, its content left out. A picture of text is a region of its own: the rest of the page is certain."""
    regions = picture_regions(page)
    unread = bool(regions) and not requested
    if unread:
        warnings = (*warnings, PICTURES_UNREAD)
    return PageExtracted(
        document_id=task.document_id,
        submission=task.submission,
        page=number,
        status=PageStatus.EXTRACTED if page.blocks else PageStatus.BLANK,
        text_layer_confidence=UNREAD if unread else round(page.confidence, 4),
        reasons=(*page.reasons, "no_text") if unread else page.reasons,
        recognition_requested=requested,
        width_pt=page.width_pt,
        height_pt=page.height_pt,
        rotation=0,
        warnings=(*page.warnings, *warnings),
        regions=tuple(DoubtfulRegion(bbox=box, confidence=0.0, reasons=("picture_of_text",), requested=requested) for box in regions),
        logical=page.logical,
    )


def forget_document() -> None:
    """Lets go of the document that this process keeps, if any."""
    _last_opened.clear()


def _logical_document(task: ReadTask) -> LogicalDocument:
    """The document of the task, read by its structure: the one of the task before, or a new one in its place."""
    key = document_key(task)
    if _last_opened and _last_opened[0].key == key:
        return _last_opened[0].document
    forget_document()
    document = open_structured(Path(task.path), task.media_type, max_message_parts=task.max_message_parts)
    _last_opened.append(_Opened(key, document))
    return document
