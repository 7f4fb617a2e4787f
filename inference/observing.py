"""Who watches an infer worker, if anybody does: told of each request, and asked what its answer carries. Types only."""

from collections.abc import Iterable
from typing import Protocol

Position = tuple[tuple[str, int], int]
"""A record: topic and partition, offset."""
Headers = tuple[tuple[str, bytes | None], ...]


class Observer(Protocol):
    """Watches one worker, from its own thread. Must not wait."""

    def taken(self, position: Position, key: bytes | None, headers: Headers, appended_ms: int) -> None:
        """A request was taken on; `appended_ms` is its time on the log, negative for none."""

    def answered(self, position: Position) -> Headers:
        """It is answered; gives back the headers of the answer. Called again for the same request, it gives back none."""

    def forgotten(self, partitions: Iterable[tuple[str, int]]) -> None:
        """Requests of these partitions are left to another worker."""


class Nobody:
    """Watches nothing."""

    def taken(self, *_told: object) -> None:
        """See `Observer.taken`."""

    def answered(self, _position: object) -> Headers:
        """See `Observer.answered`."""
        return ()

    def forgotten(self, _partitions: object) -> None:
        """See `Observer.forgotten`."""
