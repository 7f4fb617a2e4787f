"""How values are framed on the log, where that is not how this application writes them: one encoding for a process, applied where records enter and
leave it.

Guarantees: null stays null, and without an encoding nothing changes. Stages read and write their own bytes and never know of it. Knows no document.
"""

from typing import Protocol


class Encoding(Protocol):
    """A translation of values at the edge. Both raise only what must end the worker, such as a registry that stays away."""

    def incoming(self, topic: str, value: bytes) -> bytes:
        """A value as the stages read it; unchanged where it is nothing of the encoding."""

    def outgoing(self, topic: str, value: bytes) -> bytes:
        """A value as the log shall have it."""


_in_use: Encoding | None = None


def use(encoding: Encoding | None) -> None:
    """From now on, in this process. None: values are as the stages write them."""
    global _in_use  # noqa: PLW0603 - a process belongs to one deployment
    _in_use = encoding


def incoming(topic: str, value: bytes | None) -> bytes | None:
    """A value from the log as the stages read it."""
    return value if _in_use is None or value is None else _in_use.incoming(topic, value)


def outgoing(topic: str, value: bytes | None) -> bytes | None:
    """A value of a stage as the log shall have it."""
    return value if _in_use is None or value is None else _in_use.outgoing(topic, value)
