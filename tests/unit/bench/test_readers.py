"""Readers in child processes: what one costs, and that one which fails costs its line alone."""

import stat
import sys
from pathlib import Path

import psutil
import pymupdf
import pytest

from tests.bench.peers.catalogue import BASELINE, OURS, Reader
from tests.bench.peers.children import NoResult, run_reader
from tests.bench.peers.environments import READY, python_of
from tests.bench.reading import GOALS, print_goals
from tests.waiting import wait_until


@pytest.fixture
def two_files(tmp_path: Path) -> list[Path]:
    paths = []
    for name, text in (("words.pdf", "Forty sacks a day"), ("empty.pdf", "")):
        made = pymupdf.open()
        made.new_page().insert_text((72, 72), text)
        made.new_page()
        made.save(tmp_path / name)
        paths.append(tmp_path / name)
    return paths


def program(folder: Path, script: str) -> Path:
    """Something that is run in the place of a Python."""
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.parametrize("reader", [BASELINE, OURS], ids=lambda reader: reader.name)
def test_a_reader_is_run_and_its_text_counted(reader: Reader, two_files: list[Path], tmp_path: Path) -> None:
    cost = run_reader(Path(sys.executable), reader.name, two_files, tmp_path / "kept", timeout_s=60)
    assert {file.name: file.pages for file in cost.files} == {"words.pdf": 2, "empty.pdf": 2}
    assert cost.cpu_s > 0
    assert cost.memory_mb > 1
    assert "Forty sacks a day" in (tmp_path / "kept/words.pdf.md").read_text()
    assert "empty.pdf" in cost.without_text or reader is BASELINE  # PyMuPDF ends an empty page in a line break


def test_a_file_that_raises_costs_itself(two_files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "damaged.pdf").write_bytes(b"no PDF at all")
    cost = run_reader(Path(sys.executable), BASELINE.name, [*two_files, tmp_path / "damaged.pdf"], tmp_path / "kept", timeout_s=60)
    (failed,) = [file for file in cost.files if file.error]
    assert (failed.name, failed.pages, failed.characters) == ("damaged.pdf", 0, 0)
    assert cost.without_text[0] == "damaged.pdf"


def test_a_child_that_crashes_says_why(two_files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(NoResult, match="exit code 3: out of flour"):
        run_reader(program(tmp_path, "echo out of flour >&2; exit 3"), "any", two_files, tmp_path / "kept", timeout_s=30)


def test_a_child_that_ends_well_without_a_result_has_none(two_files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(NoResult, match="it said nothing"):
        run_reader(program(tmp_path, "exit 0"), "any", two_files, tmp_path / "kept", timeout_s=30)


def test_a_result_of_an_earlier_run_is_not_taken(two_files: list[Path], tmp_path: Path) -> None:
    run_reader(Path(sys.executable), BASELINE.name, two_files, tmp_path / "kept", timeout_s=60)
    with pytest.raises(NoResult):
        run_reader(program(tmp_path, "exit 0"), "any", two_files, tmp_path / "kept", timeout_s=30)


def has_ended(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_child_that_hangs_is_ended_with_what_it_started(two_files: list[Path], tmp_path: Path) -> None:
    script = f"sleep 600 & echo $! > {tmp_path}/below; wait"
    with pytest.raises(NoResult, match="had not finished"):
        run_reader(program(tmp_path, script), "any", two_files, tmp_path / "kept", timeout_s=1)
    below = int((tmp_path / "below").read_text())
    wait_until(lambda: has_ended(below), 10, "what it started ends")


def test_a_reader_that_returns_nothing_has_no_result(two_files: list[Path], tmp_path: Path) -> None:
    result = '{"cpu_s": 1, "wall_s": 1, "memory_mb": 1, "files": [{"name": "words.pdf", "pages": 2, "characters": 0, "error": "E: broken"}]}'
    with pytest.raises(NoResult, match=r"no text of 1 files \(E: broken\)"):
        run_reader(program(tmp_path, f"echo '{result}' > \"$3\""), "any", two_files, tmp_path / "kept", timeout_s=30)


def test_an_environment_that_is_there_is_used_again(tmp_path: Path) -> None:
    peer = Reader("peer", "some-package==1.*")
    (tmp_path / "peer").mkdir()
    (tmp_path / "peer" / READY).write_text("some-package==1.*")
    assert python_of(peer, tmp_path) == tmp_path / "peer/bin/python"
    assert python_of(OURS, tmp_path) == Path(sys.executable)


def test_goals_are_ratios_of_cpu_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    one, other, least = GOALS[0]
    assert print_goals({one: 1.0, other: least})
    assert not print_goals({one: 1.0, other: least * 0.9})
    assert print_goals({one: None, other: 1.0})
    assert "MISSED" in capsys.readouterr().out
