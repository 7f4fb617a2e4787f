"""A store that goes away while a document is being read: nothing that was found meanwhile says anything of the document."""

import asyncio
from pathlib import Path

import pytest

from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError
from streams.agents.store_watch import while_there


async def found() -> str:
    return "found"


async def damaged() -> str:
    raise PageloomError(Code.CORRUPT, "no page can be read")


def test_what_a_child_finds_while_the_store_is_away_counts_for_nothing(tmp_path: Path) -> None:
    """A share that was unmounted for a second made documents partial, or opened them with another parser."""
    store = BlobStore((tmp_path / "blobs").as_uri())
    for work in (found, damaged):
        with pytest.raises(PageloomError) as caught:
            asyncio.run(while_there(store, work()))
        assert caught.value.code is Code.STORE_UNAVAILABLE
    (tmp_path / "blobs").mkdir()
    assert asyncio.run(while_there(store, found())) == "found"
    with pytest.raises(PageloomError) as caught:
        asyncio.run(while_there(store, damaged()))
    assert caught.value.code is Code.CORRUPT
