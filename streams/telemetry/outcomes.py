"""What a written record says of how things went: the name of its event, and the code of a failure. Pure."""

from msgspec import Struct

from schemas import codec
from schemas.errors import Failure

DELETED, UNKNOWN = "deleted", "unknown"


class _Failed(Struct, frozen=True):
    """Of an event that tells of a failure."""

    failure: Failure


class _Letter(Struct, frozen=True):
    """Of a dead letter."""

    cause: str


FAILURES = frozenset({"PageFailed", "DocumentRejected", "DocumentFailed"})


def outcome_of(value: bytes | None) -> tuple[str, str]:
    """Name of the event, and its code or an empty text. Looks into failures alone, which are few and small."""
    if value is None:
        return DELETED, ""
    name = codec.name_of(value)
    try:
        if name in FAILURES:
            return name, codec.decode(value, _Failed, name).failure.code.value
        if name == "DeadLettered":
            return name, codec.decode(value, _Letter, name).cause
    except codec.Undecodable:
        return name or UNKNOWN, UNKNOWN
    return name or UNKNOWN, ""
