"""What `open` answers to a record: the decisions and the calls of the stage, without Kafka.

Guarantees: every ingest record gets an answer: a document with its ranges, a deletion, a rejection with a code, or a dead letter. A
password goes to the child process that opens the document and nowhere else: no answer, log line or error holds it.
"""

import asyncio
import hashlib
from functools import partial

import structlog

from schemas import codec
from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.errors import Code, PageloomError, Stage, internal_error
from schemas.events import DocumentCancelled, DocumentDeleted, DocumentOpened, PageRangeReady, Priority
from streams import topics
from streams.agents.answering import Batches, Caller
from streams.agents.store_watch import past_store_failures, while_there
from streams.ingest.fetching import fetch, fetch_limits
from streams.ingest.opening import Opened, OpenTask, open_document
from streams.ingest.pages import plan_ranges
from streams.ingest.submission import Deletion, Refused, Submitted, claims_event, classify, submission_of
from streams.kafka.errors import MessageTooLargeError
from streams.kafka.records import OutputRecord, Record, check_size
from streams.letters import dead_letter, document_rejected, page_event
from streams.read.structure.documents import summarize
from streams.sandbox import ChildrenError
from streams.settings import Settings, SettingsError

EXPRESS_PAGES = 5
"""Documents of so few pages never wait behind a book."""
ATTEMPTS: dict[Code, int] = {Code.CRASHED: 3, Code.OUT_OF_MEMORY: 2, Code.URI_UNREACHABLE: 3}
"""How often opening is tried: a crash may be the machine's fault, a host may restart; anything else is the document's."""
RETRY_PAUSE_S = 0.5
"""Before the second try; doubled before each further one."""
OFF_LOOP_BYTES = 256 * 1024
"""Hashing less than this takes less time than handing it to a thread."""

log = structlog.get_logger(__name__)


class OpenStage:
    """Answers the records of `documents.ingest` and `documents.control`."""

    def __init__(self, settings: Settings, sandbox: Caller) -> None:
        """Raises SettingsError for roots of URIs that are none."""
        self._settings = settings
        self._sandbox = sandbox
        self._store = BlobStore(settings.blob_store_url)
        try:
            self._limits = fetch_limits(settings.uri_roots, settings.uri_private_hosts, settings.max_document_bytes, settings.uri_timeout_s)
        except ValueError as error:
            raise SettingsError(f"settings: uri_roots: {error}") from None

    async def answer(self, record: Record) -> Batches:
        """What to write for a record of `documents.ingest`."""
        if not record.timestamp_is_log_append:
            error = PageloomError(Code.NOT_LOG_APPEND_TIME, f"a record of {record.topic} has its producer's time; submissions cannot be ordered")
            log.error("record.refused", topic=record.topic, partition=record.partition, offset=record.offset, code=error.code.value)
            return ((dead_letter(record, Stage.OPEN, error, keep_value=not claims_event(record)),),)
        try:
            found = await _classified(record)
        except Refused as refused:
            return (self._refused(record, refused),)
        if isinstance(found, Deletion):
            log.info("document.deleted", document=found.document_id, submission=found.submission.id)
            event = DocumentDeleted(document_id=found.document_id, submission=found.submission)
            return ((page_event(found.document_id, codec.encode(event)),),)
        attempts, document = 0, found.document
        while True:
            attempts += 1
            try:
                document = document or await self._stored(found)
                return self._opened(found, await self._open(found, document))
            except PageloomError as caught:
                error = caught
            except ChildrenError:  # ends the worker; blaming a document after another for the machine would cost them all
                raise
            except Exception as bug:  # noqa: BLE001 - a bug of ours costs this document, not all that come after it
                error = internal_error(bug)
            if attempts >= ATTEMPTS.get(error.code, 1):
                return (self._rejected(found, error, attempts),)
            await asyncio.sleep(RETRY_PAUSE_S * 2 ** (attempts - 1))

    async def answer_control(self, record: Record) -> Batches:
        """What to write for a record of `documents.control`: a cancellation goes on to where the document is assembled."""
        try:
            event = codec.decode(record.value or b"", DocumentCancelled)
        except codec.Undecodable as error:
            return ((dead_letter(record, Stage.OPEN, PageloomError(Code.UNDECODABLE, str(error)), keep_value=True),),)
        log.info("document.cancelled", document=event.document_id)
        return ((page_event(event.document_id, codec.encode(event)),),)

    def _refused(self, record: Record, refused: Refused) -> tuple[OutputRecord, ...]:
        log.warning("document.rejected", document=refused.document_id, submission=refused.submission.id, code=refused.code.value, reason=str(refused))
        rejected = document_rejected(refused.document_id, refused.submission, refused.filename, refused.failure(Stage.OPEN))
        if refused.undecodable:
            # Its bytes may hold a password in the clear, decodable or not.
            return (rejected, dead_letter(record, Stage.OPEN, refused, keep_value=False))
        return (rejected,)

    def _rejected(self, found: Submitted, error: PageloomError, attempts: int) -> tuple[OutputRecord, ...]:
        write = log.error if error.code is Code.INTERNAL else log.warning
        write("document.rejected", document=found.document_id, submission=found.submission.id, code=error.code.value, reason=str(error))
        return (document_rejected(found.document_id, found.submission, found.asked.filename, error.failure(Stage.OPEN, attempts)),)

    async def _open(self, found: Submitted, document: BlobReference) -> Opened:
        settings, asked = self._settings, found.asked
        task = OpenTask(
            document_id=found.document_id,
            submission=found.submission,
            document=document,
            verify=found.document is not None,
            blob_url=settings.blob_store_url,
            cache_dir=str(settings.cache_path),
            filename=asked.filename,
            content_type=asked.content_type,
            pages=asked.options.pages,
            max_document_bytes=settings.max_document_bytes,
            max_pages=settings.max_pages,
            max_image_pixels=settings.max_image_pixels,
            summarize=partial(summarize, max_message_parts=settings.max_message_parts),
            password=asked.password,
        )
        return await past_store_failures(
            lambda: while_there(
                self._store, self._sandbox.call(open_document, task, timeout_s=settings.open_timeout_s, limit_setting="open_timeout_s")
            )
        )

    async def _stored(self, found: Submitted) -> BlobReference:
        """The document put into the blob store, fetched before if need be."""
        content = await fetch(found.uri, self._limits) if found.uri is not None else found.content or b""
        if not content:
            raise PageloomError(Code.EMPTY_FILE, "the file has no bytes")
        if len(content) > self._settings.max_document_bytes:
            raise PageloomError(Code.TOO_LARGE, f"the document has {len(content)} bytes; the limit is {self._settings.max_document_bytes}")
        return await past_store_failures(lambda: asyncio.to_thread(self._store.put_shared, content))

    def _opened(self, found: Submitted, opened: Opened) -> Batches:
        event = DocumentOpened(
            document_id=found.document_id,
            submission=found.submission,
            document=opened.document,
            content_sha256=opened.content_sha256,
            filename=found.asked.filename,
            media_type=opened.media_type,
            page_count=opened.page_count,
            pages=opened.pages,
            options=found.asked.options,
            metadata={**opened.metadata, **found.asked.metadata},
            outline=opened.outline,
            warnings=opened.warnings,
            parser=opened.parser,
        )
        announced = page_event(found.document_id, codec.encode(event))
        try:
            check_size(announced.topic, announced.key, announced.value, (), self._settings.max_message_bytes)
        except MessageTooLargeError as error:
            raise PageloomError(Code.MESSAGE_TOO_LARGE, f"metadata and outline of the document make {error.size_bytes} bytes") from None
        log.info("document.opened", document=found.document_id, submission=found.submission.id, pages=len(opened.pages), type=opened.media_type)
        return (announced,), tuple(ranges_of(event, self._settings))


def ranges_of(event: DocumentOpened, settings: Settings) -> list[OutputRecord]:
    """The units of work of a document. Documents of few pages or of high priority take the express lane."""
    express = len(event.pages) <= EXPRESS_PAGES or event.options.priority is Priority.INTERACTIVE
    topic = (topics.RANGES_EXPRESS if express else topics.RANGES).name
    records = []
    for first, last in plan_ranges(event.pages, settings.range_pages, settings.window_pages):
        unit = PageRangeReady(
            document_id=event.document_id,
            submission=event.submission,
            document=event.document,
            filename=event.filename,
            media_type=event.media_type,
            page_count=event.page_count,
            first_page=first,
            last_page=last,
            options=event.options,
            parser=event.parser,
        )
        records.append(OutputRecord(topic, f"{event.document_id}:{first}-{last}".encode(), codec.encode(unit)))
    return records


async def _classified(record: Record) -> Deletion | Submitted:
    try:
        if len(record.value or b"") < OFF_LOOP_BYTES:
            return classify(record)
        return await asyncio.to_thread(classify, record)
    except Refused:
        raise
    except Exception as bug:  # noqa: BLE001 - a bug of ours costs this record, not all that come after it
        document_id = hashlib.sha256(record.key or record.value or b"").hexdigest()
        raise Refused(internal_error(bug), document_id, submission_of(record), undecodable=True) from None
