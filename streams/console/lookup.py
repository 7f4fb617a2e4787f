"""Finds the record of a document on a topic by when it was written, without an index: the public topics are the only source.

A reader begins at the time, on the document's own partition where that is known, so that only what was written since is looked through.
"""

import time
from collections.abc import Callable

from streams.kafka.reading import RecordReader
from streams.kafka.records import Record
from streams.settings import Settings

BEFORE_MS = 60_000
"""Clocks of producers differ: a record may carry an earlier time than the one that was heard of."""
PATIENCE_S = 20.0
"""For one look-up: a person waits."""


def find_record(
    settings: Settings, topic: str, document_id: str, since_ms: int, partition: int | None, wanted: Callable[[bytes], bool]
) -> Record | None:
    """The first record of a document since a time of which `wanted` is true; None where there is none, or it is not found in time.

    Raises KafkaClientError.
    """
    reader = RecordReader(
        settings.bootstrap_servers, "pageloom-console", settings.kafka_security, max_message_bytes=settings.max_message_bytes
    )  # fmt: skip
    key, deadline = document_id.encode(), time.monotonic() + PATIENCE_S
    records = reader.since([topic], max(0, since_ms - BEFORE_MS), partition)
    try:
        for record in records:
            if record.key == key and record.value is not None and wanted(record.value):
                return record
            if time.monotonic() > deadline:
                return None
    finally:
        records.close()
    return None
