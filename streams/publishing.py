"""Files onto the ingest topic, for people and programs on this side of Kafka.

Guarantees: a submission is acknowledged by all replicas before it counts; a file too large for a message goes to the blob store and only its
reference is published; nothing is read beyond the limit of the settings.
"""

import os
import stat
import uuid
from collections.abc import Mapping
from pathlib import Path

from schemas import codec
from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError
from schemas.events import DocumentCancelled, DocumentOptions, DocumentSubmitted
from schemas.identity import MAX_DOCUMENT_ID_BYTES
from streams.kafka.clients import producer_config
from streams.kafka.producing import Place, Producing
from streams.kafka.records import OutputRecord
from streams.settings import Settings
from streams.topics import CONTROL, INGEST

ENVELOPE_BYTES = 64 * 1024
"""Room for options, metadata and framing beside the bytes of a file in a message."""


class Publisher:
    """Publishes documents to one cluster. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._blobs = BlobStore(settings.blob_store_url)
        self._producing = Producing(
            producer_config(
                settings.bootstrap_servers,
                "pageloom-publish",
                settings.kafka_security,
                linger_ms=0,
                max_message_bytes=settings.max_message_bytes,
            ),
            max_message_bytes=settings.max_message_bytes,
        )

    def publish_file(
        self,
        path: Path,
        document_id: str,
        options: DocumentOptions,
        *,
        filename: str | None = None,
        password: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Place:
        """Publishes a file, under its own name or another, and returns where its submission stands on the log.

        Raises OSError for a file that cannot be read, PageloomError for one above the limit or a store that refuses it, DeliveryError.
        """
        data = _read_within(path, self._settings.max_document_bytes)
        inline = len(data) + ENVELOPE_BYTES <= self._settings.max_message_bytes
        submitted = DocumentSubmitted(
            content=data if inline else None,
            document=None if inline else self._blobs.put_shared(data),
            filename=printable(path.name if filename is None else filename),
            password=password,
            metadata=dict(metadata or {}),
            options=options,
        )
        return self._producing.send(OutputRecord(INGEST.name, document_id.encode(), codec.encode(submitted)))

    def publish_uri(self, uri: str, document_id: str, options: DocumentOptions, *, filename: str, password: str | None = None) -> Place:
        """Publishes a document by reference, which the `open` workers fetch if their settings allow it. Raises DeliveryError."""
        submitted = DocumentSubmitted(uri=uri, filename=printable(filename), password=password, options=options)
        return self._producing.send(OutputRecord(INGEST.name, document_id.encode(), codec.encode(submitted)))

    def delete(self, document_id: str) -> Place:
        """Publishes that nothing of a document is to be kept."""
        return self._producing.send(OutputRecord(INGEST.name, document_id.encode(), None))

    def cancel(self, document_id: str, requested_ms: int, reason: str, *, timeout_s: float = 30.0) -> Place:
        """Publishes that the unfinished submissions of a document are given up. Raises DeliveryError."""
        event = DocumentCancelled(document_id=document_id, requested_ms=requested_ms, reason=reason)
        return self._producing.send(OutputRecord(CONTROL.name, document_id.encode(), codec.encode(event)), timeout_s=timeout_s)


def own_document_id(filename: str) -> str:
    """An id that no other submission has, and that a person recognises."""
    tag = uuid.uuid4().hex[:12]
    name = printable(filename).replace("\ufffd", "_")
    return f"{name.encode('utf-8', 'replace')[: MAX_DOCUMENT_ID_BYTES - 13].decode('utf-8', 'ignore')}-{tag}"


def _read_within(path: Path, max_bytes: int) -> bytes:
    """The bytes of a file. The size that a file states is no bound: it may grow. A pipe is refused, for it may never end or have no writer; so is a
    device. Raises OSError, PageloomError.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        told = os.fstat(file.fileno())
        if not stat.S_ISREG(told.st_mode):
            raise PageloomError(Code.UNKNOWN_TYPE, f"{printable(path.name)}: a pipe or a device; write what comes of it to a file first")
        data = file.read(max_bytes + 1) if told.st_size <= max_bytes else b""
    if max(told.st_size, len(data)) > max_bytes:
        raise PageloomError(Code.TOO_LARGE, f"{path.name}: more than {max_bytes} bytes")
    return data


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file; a pipe without a writer would be waited for otherwise."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def printable(text: str) -> str:
    """A file name or an id as a terminal and a record can hold it: control characters, and bytes that are no UTF-8, become U+FFFD."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
