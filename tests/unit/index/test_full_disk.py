"""The embedded index on a disk without room: nothing is lost, the error says what to do, and it goes on when there is room again."""

import random
import resource
import shutil
import signal
import string
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from streams.index.chunks import Chunk
from streams.index.sink import IndexedDocument, Result, SinkRefuses, SinkUnavailable
from streams.index.tantivy_index import TantivyReader, TantivySink


@pytest.fixture
def room() -> Iterator[None]:
    """A limit on the size of files plays the full disk: both are errors of a write. It is taken back at the end."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def fill() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def make_room() -> None:
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def write(sink: TantivySink, document: int, revision: int = 1, chunks: int = 20) -> None:
    dice = random.Random(document)
    words = [" ".join("".join(dice.choices(string.ascii_lowercase, k=9)) for _ in range(200)) for _ in range(chunks)]
    texts = [f"document{document} {text}" for text in words]
    sink.replace(
        IndexedDocument(document_id=f"d{document}", revision=revision, filename="f.pdf", metadata={}),
        [Chunk(number=n, text=text, heading_path=(), types=(), regions=(), confidence=1.0) for n, text in enumerate(texts)],
    )


@pytest.mark.usefixtures("room")
def test_a_batch_that_finds_no_room_is_written_whole_when_there_is_some(tmp_path: Path) -> None:
    """The worker ended with a traceback, and with it, after five times, the whole pipeline of the machine."""
    sink = TantivySink(tmp_path / "index")
    write(sink, 1)
    sink.commit()
    write(sink, 2)
    fill()
    for _ in range(2):
        with pytest.raises(SinkUnavailable, match="make room on its disk: nothing is lost"):
            sink.commit()
    write(sink, 3)  # while it is full
    sink.delete("d1", 2)
    make_room()
    outcomes = sink.commit()
    assert [(outcome.document_id, outcome.result) for outcome in outcomes] == [(name, Result.WRITTEN) for name in ("d2", "d3", "d1")]
    assert sink.commit() == [], "nothing is written twice"
    sink.close()
    reader = TantivyReader(tmp_path / "index")
    assert reader.chunks() == 40
    assert {hit.document_id for hit in reader.search("document2 document3", 50).hits} <= {"d2", "d3"}
    assert not reader.search("document1", 10).hits


@pytest.mark.usefixtures("room")
def test_a_worker_that_ends_on_a_full_disk_leaves_what_was_committed(tmp_path: Path) -> None:
    sink = TantivySink(tmp_path / "index")
    write(sink, 1)
    sink.commit()
    write(sink, 2)
    fill()
    with pytest.raises(SinkUnavailable):
        sink.commit()
    sink.close()
    make_room()
    assert TantivyReader(tmp_path / "index").chunks() == 20
    again = TantivySink(tmp_path / "index")
    write(again, 2)
    again.commit()
    again.close()
    assert TantivyReader(tmp_path / "index").chunks() == 40


def test_an_index_that_has_no_room_to_be_opened_is_waited_for_and_one_in_use_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = TantivySink(tmp_path / "index")
    with pytest.raises(SinkRefuses, match="written by another process"):
        TantivySink(tmp_path / "index")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    with pytest.raises(SinkUnavailable, match="make room"):
        TantivySink(tmp_path / "index")
    first.close()
