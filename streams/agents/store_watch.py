"""Work on a document's file while the store that holds it may go away: a share that is unmounted in the middle looks like a damaged document."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError

T = TypeVar("T")


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
