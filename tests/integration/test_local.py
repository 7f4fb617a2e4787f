"""What runs on one machine under one supervisor: the embedded broker is watched like the workers."""

import os
import signal
import threading
from pathlib import Path

import pytest
from rich.console import Console

from schemas.events import DocumentOptions
from streams import local, parsing
from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.errors import BrokerUnreachableError, EmbeddedKafkaError
from streams.loading import load_settings
from streams.outputs import InputFile
from streams.topics import INGEST
from tests.waiting import wait_until


def test_a_killed_broker_comes_back_at_its_address_with_its_topics(tmp_path: Path, kafka_jars: list[Path], java: Path) -> None:
    with EmbeddedKafka(tmp_path / "kafka", kafka_jars, java) as broker:
        address = broker.bootstrap_servers
        TopicAdmin(address).ensure_topics([TopicSpec("kept", 1)])
        settings = load_settings({}, bootstrap_servers=address, data_dir=str(tmp_path))
        with local.LocalWorkers(settings, workers=(), broker=broker) as workers:
            killed = broker.pid
            assert killed is not None
            os.kill(killed, signal.SIGKILL)
            while broker.pid is not None:  # until the parent has heard of it
                pass
            workers.watch()
            assert broker.pid not in (None, killed)
            assert broker.bootstrap_servers == address
            assert [listed.name for listed in TopicAdmin(address).list_topics(["kept"])] == ["kept"]


def test_who_waits_for_a_document_is_told_that_the_broker_is_gone(
    tmp_path: Path, kafka_jars: list[Path], java: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`parse` against a configured Kafka waited for ever once that was gone."""
    monkeypatch.setattr(parsing, "BROKER_PATIENCE_S", 1.0)
    monkeypatch.setattr(parsing, "BROKER_ANSWER_S", 1.0)
    file = tmp_path / "note.txt"
    file.write_text("nobody reads this")
    with EmbeddedKafka(tmp_path / "kafka", kafka_jars, java) as broker:
        settings = load_settings({}, bootstrap_servers=broker.bootstrap_servers, data_dir=str(tmp_path))
        admin = TopicAdmin(settings.bootstrap_servers)
        admin.ensure_topics(local.topic_specs(settings))
        stopper = threading.Thread(target=_stop_when_published, args=(admin, broker))
        stopper.start()
        with pytest.raises(BrokerUnreachableError, match=settings.bootstrap_servers):
            parsing.parse_files(settings, [InputFile(file)], tmp_path, DocumentOptions(), None, None, Console(quiet=True))
        stopper.join()


def _stop_when_published(admin: TopicAdmin, broker: EmbeddedKafka) -> None:
    wait_until(lambda: sum(admin.end_offsets([INGEST.name]).values()), 30, "the document is published")
    broker.stop()


def test_a_broker_that_keeps_ending_is_an_error(tmp_path: Path) -> None:
    broker = EmbeddedKafka(tmp_path / "kafka", [], tmp_path / "no-java")
    settings = load_settings({}, bootstrap_servers="127.0.0.1:1", data_dir=str(tmp_path))
    with local.LocalWorkers(settings, workers=(), broker=broker) as workers:
        with pytest.raises(EmbeddedKafkaError):  # what the start of a broker says goes on to the person
            workers.watch()
        for _ in range(local.MAX_DEATHS - 2):
            with pytest.raises(EmbeddedKafkaError):
                workers.watch()
        with pytest.raises(local.WorkerDied, match="Kafka ended"):
            workers.watch()
