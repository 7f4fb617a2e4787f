"""What goes by age, and what stays: of a folder, and of an object store."""

import os
import threading
import time
from pathlib import Path
from random import Random

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from schemas import blobs
from schemas.blobs import BlobStore
from schemas.errors import PageloomError
from schemas.identity import Submission
from streams import retention, topics
from streams.retention import LEAST_DAYS, Swept, sweep, sweeping
from streams.settings import Settings
from tests.waiting import wait_until

DAY_S = 86_400.0
RUN = Submission(topic="documents.ingest", partition=0, offset=1, appended_ms=1)
LATER = Submission(topic="documents.ingest", partition=0, offset=2, appended_ms=2)


def aged(path: Path, days: float) -> Path:
    then = time.time() - days * DAY_S
    os.utime(path, (then, then))
    return path


def all_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=str(tmp_path))


def test_what_is_older_than_its_retention_goes_and_nothing_else(settings: Settings, tmp_path: Path) -> None:
    store = BlobStore(settings.blob_store_url)
    root = tmp_path / "blobs"
    old = [
        root / store.put_shared(b"old", ".pdf").name, root / store.put_run("d", RUN, "page-1.png", b"old").name,
        root / store.put_run("d", RUN, "document.json", b"old").name,
    ]  # fmt: skip
    store.put_recognized("ab01", b"old")
    for path in old:
        aged(path, LEAST_DAYS + 0.1)
    aged(root / "recognized/ab/ab01", 31)
    young = [root / store.put_shared(b"young").name, root / store.put_run("d", LATER, "page-1.png", b"young").name]
    for path in young:
        aged(path, LEAST_DAYS - 0.1)
    store.put_recognized("cd01", b"young")
    aged(root / "recognized/cd/cd01", 29)
    store.put_schema("c301", "{}")
    aged(root / "schemas/c301", 1000)
    (settings.cache_path).mkdir()
    copies = [settings.cache_path / "a.pdf", settings.cache_path / "b.pdf"]
    for path, days in zip(copies, (1.1, 0.9), strict=True):
        path.write_bytes(b"copy")
        aged(path, days)
    assert sweep(settings, time.time()) == Swept(runs=2, shared=1, recognized=1, copies=1)
    assert all_files(tmp_path) == sorted([*young, root / "recognized/cd/cd01", root / "schemas/c301", copies[1]])
    assert not (root / "runs" / old[1].parent.parent.name / RUN.id).exists(), "an empty run leaves no folder"
    assert sweep(settings, time.time()) == Swept(runs=0, shared=0, recognized=0, copies=0)


def test_content_that_comes_again_starts_anew(settings: Settings, tmp_path: Path) -> None:
    store = BlobStore(settings.blob_store_url)
    path = aged(tmp_path / "blobs" / store.put_shared(b"again").name, 100)
    store.put_shared(b"again")
    assert sweep(settings, time.time()).shared == 0
    assert path.is_file()


def test_half_written_files_of_a_killed_worker_go(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "blobs" / "shared" / "ab"
    folder.mkdir(parents=True)
    (folder / ".aside-x").write_bytes(b"half")
    aged(folder / ".aside-x", 100)
    assert sweep(settings, time.time()).shared == 1


def test_nothing_goes_before_the_topics_that_refer_to_it(settings: Settings, tmp_path: Path) -> None:
    """However short the setting: a reference would point at nothing."""
    short = Settings(data_dir=str(tmp_path), blob_retention_days=0.001)
    store = BlobStore(short.blob_store_url)
    aged(tmp_path / "blobs" / store.put_shared(b"x").name, max(topic.retention_ms for topic in retention.REFERRING) / topics.DAY_MS)
    assert sweep(short, time.time()).shared == 0


def test_a_store_that_is_empty_or_away(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sweep(settings, time.time()) == Swept(runs=0, shared=0, recognized=0, copies=0)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "not allowed")

    monkeypatch.setattr(os, "walk", refuse)
    with pytest.raises(PageloomError, match="not allowed"):
        sweep(settings, time.time())


def test_only_what_may_go_can_be_swept(settings: Settings) -> None:
    with pytest.raises(ValueError, match="never"):
        BlobStore(settings.blob_store_url).remove_older("schemas", time.time())


class Objects(MemoryFileSystem):  # type: ignore[misc]
    """An object store whose objects are as old as their name says."""

    protocol = "aging"
    store: dict[str, object] = {}  # noqa: RUF012 - as in its base

    def info(self, path: str, **more: object) -> dict[str, object]:
        return super().info(path, **more) | {"created": None, "LastModified": time.time() - 100 * DAY_S if "old" in path else time.time()}

    def find(self, path: str, **more: object) -> dict[str, object]:
        return {name: self.info(name) for name in super().find(path)}

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return "/" + path.removeprefix("aging://").strip("/")


def test_an_object_store(tmp_path: Path) -> None:
    fsspec.register_implementation("aging", Objects, clobber=True)
    settings = Settings(data_dir=str(tmp_path), blob_url="aging://bucket/blobs")
    store = BlobStore(settings.blob_url)
    Objects().pipe_file("/bucket/blobs/shared/aa/old", b"x")
    kept = store.put_shared(b"young")
    assert sweep(settings, time.time()) == Swept(runs=0, shared=1, recognized=0, copies=0)
    assert store.get(kept, 100) == b"young"


def test_an_old_object_is_written_again_when_its_content_comes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec.register_implementation("aging", Objects, clobber=True)
    store = BlobStore("aging://bucket/old")  # all of it is old
    written: list[str] = []
    monkeypatch.setattr(Objects, "pipe_file", lambda self, path, data, **_: (written.append(path), MemoryFileSystem.pipe_file(self, path, data))[1])
    for _ in range(2):
        store.put_shared(b"content")
    assert len(written) == 2
    young = BlobStore("aging://bucket/fresh")
    for _ in range(2):
        young.put_shared(b"content")
    assert len(written) == 3


def test_times_as_stores_tell_them() -> None:
    assert blobs._modified_s({"mtime": 5.0}) == 5.0
    assert blobs._modified_s({"LastModified": "1970-01-01T00:00:05+00:00"}) == 5.0
    assert blobs._modified_s({"updated": "no time"}) is None
    assert blobs._modified_s({}) is None


def test_a_worker_sweeps_now_and_then_and_lives_through_a_store_that_is_away(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "FIRST_WITHIN_S", 0.01)
    monkeypatch.setattr(retention, "PERIOD_S", 0.01)
    turns: list[float] = []

    def counted(_: Settings, now_s: float) -> Swept:
        turns.append(now_s)
        if len(turns) == 1:
            BlobStore("nowhere://")
        return Swept(runs=0, shared=0, recognized=0, copies=0)

    monkeypatch.setattr(retention, "sweep", counted)
    with sweeping(settings, Random(1)):
        wait_until(lambda: len(turns) >= 3, 10, "it sweeps again")
    (thread,) = [one for one in threading.enumerate() if one.name == "retention"] or [None]
    if thread is not None:
        thread.join(10)
        assert not thread.is_alive()
