"""Dead letters: bytes that are no event of ours, kept beside where they stood and why. Every stage writes them alike."""

import hashlib

from schemas.errors import PageloomError, Stage
from schemas.events import DeadLettered

KEPT_BYTES = 64 * 1024
"""Of a value and of a key: enough to see what it is, and a letter always fits a message. The record itself stays on its topic."""


def dead_lettered(
    place: tuple[str, int, int], key: bytes | None, value: bytes | None, stage: Stage, error: PageloomError, *, keep_value: bool = True
) -> DeadLettered:
    """The letter about a record at `place` (topic, partition, offset). `keep_value` is False where the value may hold a password."""
    topic, partition, offset = place
    data = value or b""
    return DeadLettered(
        topic=topic,
        partition=partition,
        offset=offset,
        stage=stage.value,
        cause=error.code.value,
        message=str(error),
        key=key[:KEPT_BYTES] if key is not None else None,
        value=value[:KEPT_BYTES] if value is not None and keep_value else None,
        value_size_bytes=len(data),
        value_sha256=hashlib.sha256(data).hexdigest(),
    )
