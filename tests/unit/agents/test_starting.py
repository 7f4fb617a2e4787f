"""A worker starts, or ends with what is missing: whatever its broker says of itself meanwhile."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from aiokafka.errors import GroupCoordinatorNotAvailableError, KafkaConnectionError

from streams import app
from streams.agents import starting
from streams.agents.driver import new_app
from streams.agents.starting import be_patient, start
from streams.kafka.errors import BrokerUnreachableError, KafkaClientError
from streams.settings import Settings


class Client:
    """A client of the library whose broker is away for some requests, and names itself only after some more."""

    def __init__(self, away: int = 0, nameless: int = 0) -> None:
        self.away, self.nameless = away, nameless

    async def bootstrap(self) -> None:
        self.away -= 1
        if self.away >= 0:
            raise KafkaConnectionError

    def get_random_node(self) -> int | None:
        self.nameless -= 1
        return None if self.nameless >= 0 else 1

    async def coordinator_lookup(self, kind: int, key: str) -> int:
        assert self.nameless < 0, "the library's own assertion: it ends the task that joins the group, and not the worker"
        return 1


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "RETRY_BACKOFF_MS", 1)


def test_a_broker_that_is_away_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    client: Any = Client(away=3)
    be_patient(client)
    asyncio.run(client.bootstrap())
    assert client.away < 0
    monkeypatch.setattr(starting, "START_PATIENCE_S", 0.02)
    client = Client(away=10**9)
    be_patient(client)
    with pytest.raises(KafkaConnectionError):
        asyncio.run(client.bootstrap())


def test_a_broker_that_names_no_broker_yet_is_asked_again() -> None:
    """A fenced broker's metadata are empty: two of four workers on a busy machine never joined their group."""
    client: Any = Client(nameless=1)
    be_patient(client)
    with pytest.raises(GroupCoordinatorNotAvailableError) as refused:
        asyncio.run(client.coordinator_lookup(0, "group"))
    assert refused.value.retriable, "what the library repeats"
    assert asyncio.run(client.coordinator_lookup(0, "group")) == 1


@pytest.mark.parametrize(
    ("ends", "error", "said"),
    [(KafkaConnectionError(), BrokerUnreachableError, "no broker at 127.0.0.1:9"), (None, KafkaClientError, "did not start within 0.02 s")],
)
def test_a_start_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: Exception | None, error: type[Exception], said: str) -> None:
    async def never() -> None:
        if ends is not None:
            raise ends
        await asyncio.Event().wait()

    async def run() -> None:
        faust_app = new_app("test", Settings(bootstrap_servers="127.0.0.1:9", data_dir=str(tmp_path)), buffered=1)
        monkeypatch.setattr(faust_app, "start", never)
        await start(faust_app)

    monkeypatch.setattr(starting, "START_TIMEOUT_S", 0.02)
    with pytest.raises(error, match=said):
        asyncio.run(run())


def test_a_stop_is_heard_while_a_worker_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()

    async def never(_: object) -> None:
        stop.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(app, "start", never)
    assert asyncio.run(app._has_started([object()], stop)) is False  # type: ignore[list-item]
