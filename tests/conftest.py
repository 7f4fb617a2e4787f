"""What tests share: one embedded broker for a run, started by the first test that asks for it, and topics with names of their own."""

import os
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.jars import default_cache_dir, fetch_jars
from streams.kafka.java import find_java

NewTopic = Callable[..., str]

settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")  # how long one example takes says more of the machine than of the code


@pytest.fixture(scope="session")
def kafka_jars() -> list[Path]:
    """The verified jars of the broker; fetched once, then cached for the user."""
    return fetch_jars(default_cache_dir(os.environ))


@pytest.fixture(scope="session")
def java() -> Path:
    """A Java that runs Kafka."""
    return find_java(None, os.environ)


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory, kafka_jars: list[Path], java: Path) -> Iterator[EmbeddedKafka]:
    """The broker of this run."""
    with EmbeddedKafka(tmp_path_factory.mktemp("kafka"), kafka_jars, java) as broker:
        yield broker


@pytest.fixture(scope="session")
def topic_admin(kafka: EmbeddedKafka) -> TopicAdmin:
    """An administrator's connection to the broker of this run."""
    return TopicAdmin(kafka.bootstrap_servers)


@pytest.fixture
def new_topic(topic_admin: TopicAdmin) -> NewTopic:
    """Creates a topic nobody else uses: `new_topic("source", partitions=2, config={...})` returns its name."""

    def create(stem: str, *, partitions: int = 1, config: Mapping[str, str] | None = None) -> str:
        name = f"{stem}-{uuid.uuid4().hex[:8]}"
        topic_admin.ensure_topics([TopicSpec(name, partitions, config or {})])
        return name

    return create
