"""An index worker that is killed while it writes: each document is in the index with its newest revision, whole, and with nothing of older ones."""

import os
import random
import signal
from pathlib import Path

import pytest

from schemas import codec
from schemas.events import DocumentParsed
from schemas.identity import Submission
from streams import local
from streams.index.tantivy_index import TantivyReader
from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import producer_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.producing import Producing
from streams.kafka.records import OutputRecord
from streams.loading import load_settings
from streams.topics import PARSED
from tests.unit.index.test_index import block, document
from tests.waiting import wait_until

KILLS = 2
ROUND = 150
"""Records between two kills: revisions, late older ones, and deletions of some documents."""
DOCUMENTS = 30
MOST_CHUNKS = 6
GROUP = "pageloom-index"


def record(document_id: str, revision: int, chunks: int) -> OutputRecord:
    """A revision with so many chunks, one a page; the deletion of all up to it for none."""
    if not chunks:
        return OutputRecord(PARSED.name, document_id.encode(), None, headers=(("revision", str(revision).encode()),))
    parts = document(
        *(block(f"revision{revision} part {page}", page=page) for page in range(1, chunks + 1)), document_id=document_id, revision=revision
    )
    event = DocumentParsed(
        document_id=document_id, submission=Submission(topic="documents.ingest", partition=0, offset=revision, appended_ms=revision),
        revision=revision, status="complete", filename="d.pdf", content_sha256="", document=parts,
    )  # fmt: skip
    return OutputRecord(PARSED.name, document_id.encode(), codec.encode(event))


@pytest.mark.timeout(240)
def test_killed_index_workers_leave_nothing_stale_and_lose_nothing(tmp_path: Path, kafka_jars: list[Path], java: Path) -> None:
    chance = random.Random(11)
    newest: dict[str, tuple[int, int]] = {}
    ends: dict[tuple[str, int], int] = {}
    with EmbeddedKafka(tmp_path / "kafka", kafka_jars, java) as broker:
        address = broker.bootstrap_servers
        settings = load_settings({}, bootstrap_servers=address, data_dir=str(tmp_path), session_timeout_s=6, index_commit_s=0.1)
        admin = TopicAdmin(address)
        admin.ensure_topics(local.topic_specs(settings))
        producing = Producing(producer_config(address, "test", linger_ms=0))

        def publish(count: int) -> None:
            for _ in range(count):
                name = f"d{chance.randrange(DOCUMENTS)}"
                revision = max(1, newest.get(name, (0, 0))[0] + chance.choice((1, 1, 1, -1)))
                chunks = chance.randint(0 if revision > 3 else 1, MOST_CHUNKS)
                place = producing.send(record(name, revision, chunks))
                ends[place.topic, place.partition] = place.offset
                if revision > newest.get(name, (0, 0))[0]:
                    newest[name] = (revision, chunks)

        with local.LocalWorkers(settings, (("index",),)) as workers:
            for _ in range(KILLS):
                before = sum(admin.committed_offsets(GROUP, [PARSED.name]).values())
                publish(ROUND)
                wait_until(lambda seen=before: sum(admin.committed_offsets(GROUP, [PARSED.name]).values()) > seen, 60, "the worker indexes")
                publish(ROUND // 5)
                killed = workers.processes["index"]
                os.kill(killed, signal.SIGKILL)
                wait_until(lambda pid=killed: workers.watch() or workers.processes["index"] != pid, 30, "another one starts")
            wait_until(lambda: admin.has_reached(GROUP, ends), 90, "all is indexed")
        reader = TantivyReader(settings.index_path)
        for name, (revision, chunks) in newest.items():
            found = {(hit.revision, hit.chunk) for hit in reader.search(f'document:"{name}"', 1000).hits}
            assert found == {(revision, number) for number in range(chunks)}, name
        assert reader.chunks() == sum(chunks for _, chunks in newest.values())
