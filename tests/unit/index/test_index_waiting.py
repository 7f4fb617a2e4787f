"""How the index worker waits for records."""

import threading
import time
from pathlib import Path
from typing import Any

from schemas.blobs import BlobStore
from streams.index import worker as index_worker
from streams.index.indexing import Indexer
from streams.index.worker import IndexWorker
from streams.loading import load_settings
from tests.unit.index.test_indexing import KeptWrites


class QuietConsumer:
    """No record ever comes; waits for whole milliseconds, as the client does."""

    def __init__(self, _config: Any) -> None:
        self.polls = 0

    def subscribe(self, *_arguments: Any, **_named: Any) -> None:
        pass

    def poll(self, timeout_s: float) -> None:
        self.polls += 1
        time.sleep(int(1000 * timeout_s) / 1000)


def test_a_wait_for_nothing_asks_the_client_a_few_times_and_does_not_spin(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(index_worker, "Consumer", QuietConsumer)
    settings = load_settings({}, bootstrap_servers="127.0.0.1:1", data_dir=str(tmp_path))
    worker = IndexWorker(settings, Indexer(KeptWrites(), BlobStore(tmp_path.as_uri()), 10**6), threading.Event())
    for _ in range(3):
        worker.turn()
    assert worker._consumer.polls <= 3 * 2  # it asked hundreds of times in the last fraction of a millisecond
