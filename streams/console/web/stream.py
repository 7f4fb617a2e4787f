"""What changes, as server-sent events: cards as they change, samples of the pipeline as they come.

Guarantees: a browser that comes back gets everything at once; what changes often is told a few times a second; so many listeners and no more.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec

from streams.console.port import Pipeline

INTERVAL_S = 0.25
"""Between two looks: the eye sees no faster, and a document of thousands of pages is told as a whole each time."""
KEEP_ALIVE_S = 15.0
"""Proxies close what is silent for a minute."""
MAX_LISTENERS = 64
"""Pages that are open at once: each costs a look four times a second."""


async def changes(
    pipeline: Pipeline, stopping: Callable[[], bool], gone: Callable[[], Awaitable[bool]], interval_s: float = INTERVAL_S
) -> AsyncIterator[bytes]:
    """Events until the browser goes or the server stops. The first one holds all cards."""
    version, sampled_ms, connected, quiet_s = -1, 0, None, 0.0
    while not stopping() and not await gone():
        sent = False
        newest, cards, removed = pipeline.board.changed_since(version)
        if newest != version:
            yield _event("documents", {"cards": cards, "removed": removed, "first": version < 0})
            version, sent = newest, True
        samples = [sample for sample in pipeline.samples() if sample.at_ms > sampled_ms]
        if samples:
            yield _event("samples", samples)
            sampled_ms, sent = samples[-1].at_ms, True
        if pipeline.connected() is not connected:
            connected = pipeline.connected()
            yield _event("kafka", {"connected": connected})
        quiet_s = 0.0 if sent else quiet_s + interval_s
        if quiet_s >= KEEP_ALIVE_S:
            yield b": still here\n\n"
            quiet_s = 0.0
        await asyncio.sleep(interval_s)


def _event(name: str, value: Any) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(value) + b"\n\n"
