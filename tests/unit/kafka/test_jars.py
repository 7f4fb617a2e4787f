"""Pinned jars: nothing unverified reaches the cache, whatever the network or the disk does."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from streams.kafka.errors import JarError
from streams.kafka.jars import KAFKA_LOCK, PinnedJar, fetch_jars, read_lock

CONTENT = b"the bytes of a jar"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def write_lock(folder: Path, *names: str) -> Path:
    lock = folder / "some.lock"
    lock.write_text("# a comment\n\n" + "".join(f"org.example:{name}:1.0 {SHA256} {len(CONTENT)}\n" for name in names))
    return lock


class Network:
    """Answers each download with the next of `answers`; bytes are written, errors raised."""

    def __init__(self, *answers: bytes | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, pin: PinnedJar, folder: Path) -> Path:
        self.asked.append(pin.artifact)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        folder.mkdir(parents=True)
        path = folder / "download.jar"
        path.write_bytes(answer)
        return path


def test_the_lock_of_kafka_pins_everything_it_runs() -> None:
    pins = read_lock(KAFKA_LOCK)
    assert len(pins) == len({pin.file_name for pin in pins}) == 45
    assert {str(pin) for pin in pins} >= {"org.apache.kafka:kafka_2.13:4.4.0", "org.apache.kafka:kafka-clients:4.4.0"}
    assert sum(pin.size_bytes for pin in pins) < 50_000_000


def test_jars_are_fetched_once_and_then_come_from_the_cache(tmp_path: Path) -> None:
    lock, network = write_lock(tmp_path, "a", "b"), Network(CONTENT, CONTENT)
    first = fetch_jars(tmp_path / "cache", lock, download=network)
    assert fetch_jars(tmp_path / "cache", lock, download=network) == first
    assert sorted(network.asked) == ["a", "b"]
    assert [path.read_bytes() for path in first] == [CONTENT, CONTENT]
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == ["org.example.a-1.0.jar", "org.example.b-1.0.jar"]


def test_other_bytes_are_refused_with_both_hashes_and_leave_nothing(tmp_path: Path) -> None:
    network = Network(b"evil", b"evil", b"evil")
    with pytest.raises(JarError) as refused:
        fetch_jars(tmp_path / "cache", write_lock(tmp_path, "a"), download=network)
    for part in ("org.example:a:1.0", SHA256, hashlib.sha256(b"evil").hexdigest()):
        assert part in str(refused.value)
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_broken_connection_is_tried_again(tmp_path: Path) -> None:
    network = Network(OSError("connection reset"), b"half", CONTENT)
    (path,) = fetch_jars(tmp_path / "cache", write_lock(tmp_path, "a"), download=network)
    assert path.read_bytes() == CONTENT


def test_no_network_is_an_error_that_says_so(tmp_path: Path) -> None:
    network = Network(*[OSError("name not known")] * 3)
    with pytest.raises(JarError, match=r"org.example:a:1.0 cannot be fetched \(name not known\); check the network"):
        fetch_jars(tmp_path / "cache", write_lock(tmp_path, "a"), download=network)


def test_processes_that_fetch_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    lock = write_lock(tmp_path, *"abcdef")

    def fetch(_number: int) -> list[bytes]:
        return [path.read_bytes() for path in fetch_jars(tmp_path / "cache", lock, download=Network(*[CONTENT] * 6))]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(fetch, range(8))) == [[CONTENT] * 6] * 8
    assert len(list((tmp_path / "cache").iterdir())) == 6


@pytest.mark.parametrize("damaged", [b"", CONTENT[:-1], CONTENT[:-1] + b"!"])
def test_a_damaged_cached_jar_is_fetched_again(tmp_path: Path, damaged: bytes) -> None:
    lock = write_lock(tmp_path, "a")
    (path,) = fetch_jars(tmp_path / "cache", lock, download=Network(CONTENT))
    path.write_bytes(damaged)
    assert fetch_jars(tmp_path / "cache", lock, download=Network(CONTENT)) == [path]
    assert path.read_bytes() == CONTENT


def test_offline_names_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(JarError, match=r"1 of 1 jars .* the first is org.example:a:1.0"):
        fetch_jars(tmp_path / "cache", write_lock(tmp_path, "a"), offline=True)


@pytest.mark.parametrize("line", ["org.example:a:1.0", "org.example:a:1.0 abc 12", f"../..:a:1.0 {SHA256} 1", f"g:a/b:1.0 {SHA256} 1"])
def test_a_line_that_is_no_pin_is_an_error(tmp_path: Path, line: str) -> None:
    lock = tmp_path / "bad.lock"
    lock.write_text(line + "\n")
    with pytest.raises(JarError, match="line 1"):
        read_lock(lock)
