"""Work on a document's file while the store that holds it may go away: a share that is unmounted in the middle looks like a damaged document.

A store that is away says nothing of a document, so it is waited for: ten seconds without a share would else make partial documents by the dozen.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from schemas.blobs import STORE_PATIENCE_S, BlobStore
from schemas.errors import Code, PageloomError

T = TypeVar("T")

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
"""Between two tries: doubled each time."""

log = structlog.get_logger(__name__)


async def past_store_failures(action: Callable[[], Awaitable[T]]) -> T:
    """The result of an action on the blob store, tried again while the store is away. Raises what the last try raises."""
    since_s, pause_s = None, FIRST_PAUSE_S
    while True:
        try:
            return await action()
        except PageloomError as error:
            if error.code is not Code.STORE_UNAVAILABLE:
                raise
            if since_s is None:  # counted from the first failure: what failed may have taken long itself
                since_s = time.monotonic()
                log.warning("store.waited_for", patience_s=STORE_PATIENCE_S, reason=str(error))
            elif time.monotonic() + pause_s > since_s + STORE_PATIENCE_S:
                raise
        await asyncio.sleep(pause_s)
        pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)


async def while_there(store: BlobStore, work: Awaitable[T]) -> T:
    """The result of work on files of the store. Raises what the work raises, or STORE_UNAVAILABLE where the store is gone at its end: then neither
    a result nor a failure says anything of the document.
    """
    try:
        result = await work
    except PageloomError:
        await _check(store)
        raise
    await _check(store)
    return result


async def _check(store: BlobStore) -> None:
    if await asyncio.to_thread(store.is_away):
        raise PageloomError(Code.STORE_UNAVAILABLE, "the folder of the blob store went away while the document was being read")
