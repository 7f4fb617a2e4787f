"""What a worker and its engine process say to each other: frames of a length and a msgpack value over a socket pair.

Typed both ways and bounded: an engine process that was taken over by a hostile page can say nothing but the answers below, and none larger
than the bound. Never pickle.
"""

import socket
import struct
import time
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from inference.types import EngineCapabilities, EngineOptions, Unit, UnitAnswer
from schemas.errors import Code

MAX_WORK_BYTES = 1024 * 2**20
"""A batch of page images: four pages of 40 megapixels that do not compress."""
MAX_ANSWER_BYTES = 64 * 2**20
"""An answer: no page has so much text."""
_CHUNK_BYTES = 2**20


class Hello(Struct, frozen=True, tag="hello"):
    """The worker's first word: the engine's module, capabilities and options, and memory in bytes beyond what it starts with (0: no limit)."""

    module: str
    capabilities: EngineCapabilities
    options: EngineOptions
    memory_bytes: int


class Work(Struct, frozen=True, tag="work"):
    """Units to read."""

    units: tuple[Unit, ...]


class Ready(Struct, frozen=True, tag="ready"):
    """The engine is warm."""


class Unfit(Struct, frozen=True, tag="unfit"):
    """The engine cannot work on this machine."""

    code: Code
    message: str


class Answered(Struct, frozen=True, tag="answered"):
    """The answer to one unit of the work, by its position there."""

    index: int
    answer: UnitAnswer


ToEngine: TypeAlias = Hello | Work
FromEngine: TypeAlias = Ready | Unfit | Answered

Message = TypeVar("Message")


class Disconnected(Exception):
    """The other side is gone, or says what is not a message."""


class Overdue(Exception):
    """Nothing whole came, or nothing was taken, before the deadline."""


def send(connection: socket.socket, message: ToEngine | FromEngine, deadline_s: float | None = None) -> None:
    """Sends a message. `deadline_s` is monotonic time. Raises Disconnected, Overdue."""
    data = msgspec.msgpack.encode(message)
    try:
        connection.settimeout(_left(deadline_s))
        connection.sendall(struct.pack(">I", len(data)))
        connection.sendall(data)
    except TimeoutError:
        raise Overdue from None
    except OSError as error:
        raise Disconnected(type(error).__name__) from error


def receive(connection: socket.socket, as_type: type[Message], max_bytes: int, deadline_s: float | None = None) -> Message:
    """The next message. `deadline_s` is monotonic time. Raises Disconnected, Overdue."""
    (size,) = struct.unpack(">I", _read(connection, 4, deadline_s))
    if size > max_bytes:
        raise Disconnected(f"a message of {size} bytes")
    try:
        return msgspec.msgpack.decode(_read(connection, size, deadline_s), type=as_type)
    except msgspec.DecodeError as error:
        raise Disconnected("not a message") from error


def steps(pages: list[int], batch_pages: int) -> list[tuple[int, int]]:
    """Consecutive units (first, one past last) of at most `batch_pages` pages together; a larger unit is a step of its own.

    Part of the protocol: answers come step by step, so a worker knows which step a process died in.
    """
    found: list[tuple[int, int]] = []
    start = total = 0
    for index, count in enumerate(pages):
        if index > start and total + count > batch_pages:
            found.append((start, index))
            start, total = index, 0
        total += count
    return [*found, (start, len(pages))] if pages else []


def _read(connection: socket.socket, size: int, deadline_s: float | None) -> bytes:
    data = bytearray()
    while len(data) < size:
        try:
            connection.settimeout(_left(deadline_s))
            chunk = connection.recv(min(size - len(data), _CHUNK_BYTES))
        except TimeoutError:
            raise Overdue from None
        except OSError as error:
            raise Disconnected(type(error).__name__) from error
        if not chunk:
            raise Disconnected("closed")
        data += chunk
    return bytes(data)


def _left(deadline_s: float | None) -> float | None:
    if deadline_s is None:
        return None
    left = deadline_s - time.monotonic()
    if left <= 0:
        raise Overdue
    return left
