"""The archive of the broker's classes: which one a Java gets, and what of it stays on disk."""

import os
import time
from pathlib import Path

import pytest

from streams.kafka.class_archive import MOST_KEPT, UNFINISHED_S, archive_for


def jars_in(folder: Path) -> list[Path]:
    folder.mkdir(exist_ok=True)
    jars = [folder / "a.jar", folder / "b.jar"]
    for jar in jars:
        jar.write_bytes(b"jar")
    return jars


def written(options: list[str]) -> Path:
    """Plays the JVM that ends in order: the file that it was told to write."""
    (option,) = [option for option in options if "ArchiveClassesAtExit" in option]
    path = Path(option.partition("=")[2])
    path.write_bytes(b"classes")
    return path


def test_the_first_broker_writes_it_and_the_next_uses_it(tmp_path: Path) -> None:
    java, jars = tmp_path / "java", jars_in(tmp_path / "jars")
    java.touch()
    first = archive_for(java, jars)
    assert first is not None
    partial = written(first.options)
    assert archive_for(java, jars).options != first.options  # type: ignore[union-attr]  # not in its place yet
    first.keep()
    assert not partial.exists()
    second = archive_for(java, jars)
    assert second is not None
    assert f"-XX:SharedArchiveFile={second.path}" in second.options
    assert second.path.read_bytes() == b"classes"


@pytest.mark.parametrize("change", ["java", "a.jar"])
def test_another_java_or_other_jars_have_another(tmp_path: Path, change: str) -> None:
    java, jars = tmp_path / "java", jars_in(tmp_path / "jars")
    java.touch()
    before = archive_for(java, jars)
    target = java if change == "java" else jars[0]
    os.utime(target, (1, 1))
    after = archive_for(java, jars)
    assert before is not None
    assert after is not None
    assert before.path != after.path


def test_one_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    java, jars = tmp_path / "java", jars_in(tmp_path / "jars")
    java.touch()
    archive = archive_for(java, jars)
    assert archive is not None
    archive.path.write_bytes(b"classes")
    archive.path.chmod(0o666)
    assert not any("SharedArchiveFile" in option for option in archive_for(java, jars).options)  # type: ignore[union-attr]


def test_a_start_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    java, jars = tmp_path / "java", jars_in(tmp_path / "jars")
    java.touch()
    archive = archive_for(java, jars)
    assert archive is not None
    written(archive.options)
    archive.forget()
    archive.keep()
    assert sorted(path.name for path in jars[0].parent.iterdir()) == ["a.jar", "b.jar"]
    archive.path.write_bytes(b"of no use")
    archive.distrust()
    assert not archive.path.exists()


def test_old_ones_and_those_that_nobody_finished_are_removed(tmp_path: Path) -> None:
    java, jars = tmp_path / "java", jars_in(tmp_path / "jars")
    java.touch()
    for number in range(5):
        old = jars[0].parent / f"classes-{number}.jsa"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    unfinished, fresh = jars[0].parent / ".classes-old", jars[0].parent / ".classes-fresh"
    for path in (unfinished, fresh):
        path.touch()
    long_ago = time.time() - UNFINISHED_S - 1
    os.utime(unfinished, (long_ago, long_ago))
    archive = archive_for(java, jars)
    assert archive is not None
    written(archive.options)
    archive.keep()
    kept = {path.name for path in jars[0].parent.glob("classes-*")}
    assert kept == {archive.path.name, *(f"classes-{number}.jsa" for number in range(5 - MOST_KEPT + 1, 5))}
    assert not unfinished.exists()
    assert fresh.exists()


def test_without_jars_or_a_java_there_is_none(tmp_path: Path) -> None:
    assert archive_for(tmp_path / "java", []) is None
    assert archive_for(tmp_path / "no-java", jars_in(tmp_path / "jars")) is None
