"""The data folder of an embedded broker: one holder, and hints that are not believed without an answer."""

import os
from pathlib import Path

import pytest

from streams.kafka.errors import FolderInUseError
from streams.kafka.folder import RunningBroker, find_running, lock_folder, read_hint, unlock_folder, write_hint


def test_a_held_folder_names_its_holder_and_is_free_again_after(tmp_path: Path) -> None:
    held = lock_folder(tmp_path)
    write_hint(tmp_path, RunningBroker("127.0.0.1:9092", 4711, os.getpid(), "cluster"))
    with pytest.raises(FolderInUseError, match=rf"process {os.getpid()} holds .* answers at 127.0.0.1:9092 \(process 4711\)"):
        lock_folder(tmp_path)
    unlock_folder(held)
    unlock_folder(lock_folder(tmp_path))


def test_a_forked_copy_does_not_keep_the_folder(tmp_path: Path) -> None:
    held = lock_folder(tmp_path)
    copy = os.dup(held)
    unlock_folder(held)
    unlock_folder(lock_folder(tmp_path))
    os.close(copy)


def test_a_hint_survives_its_writing(tmp_path: Path) -> None:
    broker = RunningBroker("127.0.0.1:9092", 12, 34, "cluster")
    write_hint(tmp_path, broker)
    assert read_hint(tmp_path) == broker


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "7", '{"pid": 1}', '{"bootstrap_servers": 1, "pid": "x", "starter_pid": 1, "cluster_id": 1}', "9" * 9000]
)
def test_a_hint_that_makes_no_sense_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "broker.json").write_text(content)
    assert read_hint(tmp_path) is None
    assert find_running(tmp_path) is None


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.0.1:99999999", "nonsense"])
def test_a_broker_that_does_not_answer_is_not_running(tmp_path: Path, address: str) -> None:
    write_hint(tmp_path, RunningBroker(address, os.getpid(), os.getpid(), "cluster"))
    assert find_running(tmp_path) is None
