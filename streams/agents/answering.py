"""What the stages `open` and `read` have in common: how they answer a record, and what runs their work in a child process. Types only."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from streams.kafka.records import OutputRecord, Record

T = TypeVar("T")

Batches = tuple[tuple[OutputRecord, ...], ...]
"""Records to write; each batch is acknowledged before the next is sent."""

Answer = Callable[[Record], Awaitable[Batches]]
"""What a stage writes for a record. Raises only what must end the worker."""


class Caller(Protocol):
    """What runs a function in a child process; see `streams.sandbox`."""

    async def call(self, function: Callable[..., T], *args: object, timeout_s: float, limit_setting: str) -> T:
        """Its result, or PageloomError."""
