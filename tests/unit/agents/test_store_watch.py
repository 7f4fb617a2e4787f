"""A store that goes away while a document is being read: nothing that was found meanwhile says anything of the document."""

import asyncio
from pathlib import Path

import pytest

from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError
from streams.agents import store_watch
from streams.agents.store_watch import past_store_failures, while_there


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


class Store:
    """Away for the first calls."""

    def __init__(self, away: int) -> None:
        self.away, self.calls = away, 0

    async def ask(self) -> str:
        self.calls += 1
        if self.calls <= self.away:
            raise PageloomError(Code.STORE_UNAVAILABLE, "away")
        return "there"


def test_a_store_that_is_away_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_watch, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(store_watch, "LONGEST_PAUSE_S", 0.002)
    store = Store(30)
    assert asyncio.run(past_store_failures(store.ask)) == "there"
    assert store.calls == 31
    monkeypatch.setattr(store_watch, "STORE_PATIENCE_S", 0.05)
    with pytest.raises(PageloomError) as caught:
        asyncio.run(past_store_failures(Store(10**9).ask))
    assert caught.value.code is Code.STORE_UNAVAILABLE


def test_the_patience_begins_with_the_first_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read that takes minutes, at whose end the store is away, is tried again."""
    clock = iter((0.0, *(float(second) for second in range(500, 1000))))
    monkeypatch.setattr(store_watch, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(store_watch.time, "monotonic", lambda: next(clock))
    assert asyncio.run(past_store_failures(Store(3).ask)) == "there"


def test_another_failure_is_told_at_once() -> None:
    calls = []

    async def failing() -> str:
        calls.append(1)
        return await damaged()

    with pytest.raises(PageloomError) as caught:
        asyncio.run(past_store_failures(failing))
    assert (caught.value.code, len(calls)) == (Code.CORRUPT, 1)
