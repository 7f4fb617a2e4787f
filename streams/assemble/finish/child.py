"""Makes a finished document of its page events: decode, assemble, render, encode. Runs in a child process: the content came from anybody.

A function of its task and of the blobs that the task refers to: run twice, it gives the same bytes. Knows nothing of Kafka or of the fold.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct
from msgspec.structs import replace

from schemas import writers
from schemas.blobs import BlobStore
from schemas.codec import MAX_EVENT_BYTES, Undecodable, decode, encode, encode_json
from schemas.collector import without_collector
from schemas.content import BlobReference, PageContent
from schemas.document import Document, DocumentStatus
from schemas.errors import Code, PageloomError
from schemas.events import DocumentOpened, DocumentParsed, Format, PageFailed, Rendering
from schemas.identity import Submission
from streams.assemble.document.build import build_document
from streams.assemble.finish.choice import PageEvents, choose_pages, events_of
from streams.assemble.render import render

_FETCHES = 8
"""Blobs fetched at once: hides the latency of a remote store, and holds few connections."""

_ENVELOPE_BYTES = 4 * 1024
"""Of an event beside its inline parts: ids, file name, references, some hundred bytes each at most."""

_NAMES = {Format.MARKDOWN: "document.md", Format.JSON: "document.json", Format.HTML: "document.html"}


class FinishTask(Struct, frozen=True, kw_only=True):
    """All that finishing needs. `raw_events` are the page events as logged, in any order.

    `inline_bytes` is the most that a document or rendering may have to travel in its event, `event_bytes` the most for the whole event. `as_json`: it
    is written as JSON, for consumers without Avro.
    """

    opened: DocumentOpened
    raw_events: tuple[bytes, ...]
    revision: int
    blob_url: str
    trusted_confidence: float
    inline_bytes: int
    event_bytes: int
    as_json: bool = False


class Finished(Struct, frozen=True, kw_only=True):
    """`parsed` is an encoded `DocumentParsed` (Avro or JSON), `failed` are the pages that are failed in it."""

    parsed: bytes
    status: DocumentStatus
    failed: tuple[PageFailed, ...] = ()


def finish_document(task: FinishTask) -> Finished:
    """Finishes one document. Raises PageloomError: STORE_UNAVAILABLE, MESSAGE_TOO_LARGE; UNDECODABLE for events that the fold let in wrongly."""
    with without_collector():
        return _finished(task)


def _finished(task: FinishTask) -> Finished:
    opened = task.opened
    blobs = BlobStore(task.blob_url)
    writers.look_up_with(blobs.find_schema)  # events of workers of another version
    try:
        events = events_of(task.raw_events)
    except Undecodable as error:
        raise PageloomError(Code.UNDECODABLE, f"document {opened.document_id!r}: {error}") from error
    contents = _fetch_contents(blobs, _references(events))
    chosen = choose_pages(opened, events, lambda reference: _taken(contents, reference), task.trusted_confidence)
    document = build_document(opened, [one.page for one in chosen], task.revision)
    failed = tuple(
        PageFailed(
            document_id=opened.document_id, submission=opened.submission, page=one.page.page, failure=one.failure, filename=opened.filename
        )
        for one in chosen if one.failure is not None
    )  # fmt: skip
    return Finished(parsed=_parsed(task, document, blobs), status=document.status, failed=failed)


def purge_runs(blob_url: str, document_id: str, submissions: Sequence[Submission]) -> None:
    """Removes what belongs to submissions of a deleted document. Raises STORE_UNAVAILABLE."""
    blobs = BlobStore(blob_url)
    for submission in submissions:
        blobs.delete_run(document_id, submission)


def _references(events: PageEvents) -> list[BlobReference]:
    """Content that stands in the blob store; of each page only what may count."""
    read = [page.content_reference for page in events.extracted.values() if page.content is None]
    recognized = [answer.page.content_reference for answer in events.recognized.values() if answer.page.content is None]
    return [reference for reference in (*read, *recognized) if reference is not None]


def _fetch_contents(blobs: BlobStore, references: Sequence[BlobReference]) -> dict[str, PageContent | PageloomError]:
    """Contents by the name of their blob; a blob that cannot be had is kept as its error."""
    if not references:
        return {}
    with ThreadPoolExecutor(_FETCHES) as threads:
        return dict(zip((r.name for r in references), threads.map(lambda r: _fetch(blobs, r), references), strict=True))


def _fetch(blobs: BlobStore, reference: BlobReference) -> PageContent | PageloomError:
    try:
        return decode(blobs.get(reference, MAX_EVENT_BYTES), PageContent)
    except Undecodable as error:
        return PageloomError(Code.UNDECODABLE, f"blob {reference.name} holds {error}")
    except PageloomError as error:
        return error


def _taken(contents: dict[str, PageContent | PageloomError], reference: BlobReference) -> PageContent:
    found = contents[reference.name]
    if isinstance(found, PageloomError):
        raise found
    return found


def _parsed(task: FinishTask, document: Document, blobs: BlobStore) -> bytes:
    """The event: each part inline while it and the whole stay within their bounds, else stored with the run."""
    opened = task.opened
    event = DocumentParsed(
        document_id=opened.document_id, submission=opened.submission, revision=task.revision, status=document.status.value,
        filename=opened.filename, content_sha256=opened.content_sha256, document=document,
    )  # fmt: skip
    texts = {form: render(document, form).encode() for form in dict.fromkeys(opened.options.formats)}
    # The JSON says what the Avro will take, a little more: so a document is encoded once.
    size = len(texts[Format.JSON]) if Format.JSON in texts else len(encode(event))
    for all_stored in (False, True):
        placed = _placed(task, event, size, texts, blobs, all_stored)
        data = encode_json(placed) if task.as_json else encode(placed)
        if len(data) <= task.event_bytes:
            return data
    raise PageloomError(Code.MESSAGE_TOO_LARGE, f"document {opened.document_id!r}: its event has {len(data)} bytes, the limit is {task.event_bytes}")


def _placed(
    task: FinishTask, event: DocumentParsed, document_size: int, texts: Mapping[Format, bytes], blobs: BlobStore, all_stored: bool
) -> DocumentParsed:
    """Each part where it belongs. The document comes before its renderings, they in the order asked for."""
    free = 0 if all_stored else task.event_bytes - _ENVELOPE_BYTES
    if document_size <= min(task.inline_bytes, free):
        free -= document_size
    else:
        assert event.document is not None
        text = texts[Format.JSON] if Format.JSON in texts else render(event.document, Format.JSON).encode()
        event = replace(event, document=None, document_reference=_stored(blobs, task.opened, Format.JSON, text))
    renderings = []
    for form, text in texts.items():
        if len(text) <= min(task.inline_bytes, free):
            free -= len(text)
            renderings.append(Rendering(format=form, text=text.decode()))
        else:
            renderings.append(Rendering(format=form, reference=_stored(blobs, task.opened, form, text)))
    return replace(event, renderings=tuple(renderings))


def _stored(blobs: BlobStore, opened: DocumentOpened, form: Format, text: bytes) -> BlobReference:
    return blobs.put_run(opened.document_id, opened.submission, _NAMES[form], text)
