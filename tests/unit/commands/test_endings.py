"""How worker processes end: never without a reason in the log, which is bounded and costs no worker, whatever its disk does."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from streams.local_logs import KEPT, keep_small, last_word, log_tail, why_ended
from streams.logs import SteadyStream

RUN = """
import ctypes, gc, os, sys, threading
from streams import workers
from streams.logs import configure_logging

def ended(kinds, settings, stop):
    configure_logging("info", json=False)
    {body}

workers.run_workers = ended
sys.argv = ["worker", "index"]
workers.main()
"""

ENDS = {
    "exception": ("raise RuntimeError('no such luck')", 1, ("worker.failed", "RuntimeError: no such luck", "Traceback", "worker=index")),
    "exit of a library": ("sys.exit(7)", 7, ("worker.failed", "ended the process with status 7")),
    "thread": (
        "thread = threading.Thread(target=lambda: 1 / 0, name='reader'); thread.start(); thread.join()",
        0,
        ("thread.failed", "thread=reader", "ZeroDivisionError", "worker.ended", "its work ended by itself"),
    ),
    "callback": (
        "ctypes.CFUNCTYPE(None)(lambda: [][1])()",
        0,
        ("callback.failed", "IndexError", "worker.ended"),
    ),
    "native crash": ("ctypes.string_at(0)", -signal.SIGSEGV, ("Fatal Python error: Segmentation fault", "in ended")),
    "abort": ("os.abort()", -signal.SIGABRT, ("Fatal Python error: Aborted", "in ended")),
    "stop": ("stop.set()", 0, ("worker.ended", "told to stop")),
}


@pytest.mark.parametrize(("body", "status", "says"), ENDS.values(), ids=ENDS.keys())
def test_no_end_is_without_a_reason_in_the_log(body: str, status: int, says: tuple[str, ...]) -> None:
    """A worker once ended under faults, and its log did not say why."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", RUN.format(body=body)], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    for words in says:
        assert words in done.stderr


def test_the_end_of_a_log_begins_with_a_line(tmp_path: Path) -> None:
    """It began where 1,500 bytes did, with a piece of a word or of a character."""
    path = tmp_path / "read.log"
    path.write_text("… line\n" * 400)
    assert set(log_tail(path).splitlines()) == {"… line"}
    path.write_text("short")
    assert log_tail(path) == "short"


def test_what_only_its_watcher_can_tell_stands_in_the_log_as_well(tmp_path: Path) -> None:
    path = tmp_path / "read.log"
    path.write_text("before\n")
    last_word(path, "open+read", -signal.SIGKILL, json=False)
    last_word(path, "open+read", 3, json=True)
    before, word, for_machines = path.read_text().splitlines()
    assert before == "before"
    assert "worker.ended" in word
    assert "SIGKILL (from outside, or by the kernel where memory ran out)" in word
    told = json.loads(for_machines)
    assert (told["event"], told["worker"], told["reason"]) == ("worker.ended", "open+read", "ended with status 3")
    assert "crash in native code" in why_ended(-signal.SIGSEGV)
    assert why_ended(-200) == "ended by signal 200"
    assert "told it to stop" in why_ended(0), "no death"


def test_a_log_that_grows_is_put_aside_under_its_writer(tmp_path: Path) -> None:
    path = tmp_path / "read.log"
    with path.open("ab", buffering=0) as writer:
        for number in range(1, 6):
            writer.write(b"%d" % number * 200)
            keep_small(path, 100)
            assert path.stat().st_size == 0
        writer.write(b"now")
        keep_small(path, 100)
    assert path.read_bytes() == b"now", "appended, not behind a hole"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["read.log", *(f"read.log.{number}" for number in range(1, KEPT + 1))]
    assert (tmp_path / "read.log.1").read_bytes() == b"5" * 200
    assert (tmp_path / f"read.log.{KEPT}").read_bytes() == b"4" * 200


def test_without_room_for_a_copy_a_log_goes_on_to_twice_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    path = tmp_path / "read.log"
    path.write_bytes(b"x" * 150)
    keep_small(path, 100)
    assert path.stat().st_size == 150
    path.write_bytes(b"x" * 250)
    keep_small(path, 100)
    assert path.stat().st_size == 0
    keep_small(tmp_path / "none.log", 100)
    assert [file.name for file in tmp_path.iterdir()] == ["read.log"]


class Disk:
    """A stream on a disk that may be full."""

    def __init__(self) -> None:
        self.full = False
        self.text = ""

    def write(self, text: str) -> int:
        if self.full:
            raise OSError(28, os.strerror(28))
        self.text += text
        return len(text)

    def flush(self) -> None:
        if self.full:
            raise OSError(28, os.strerror(28))


def test_a_full_disk_costs_lines_and_no_worker() -> None:
    disk = Disk()
    stream = SteadyStream(disk)  # type: ignore[arg-type]
    stream.write("one\n")
    disk.full = True
    stream.write("two\n")
    stream.write("three\n")
    disk.full = False
    stream.write("four\n")
    stream.write("five\n")
    assert disk.text == "one\n2 lines could not be written to this log\nfour\nfive\n"


def test_a_log_for_machines_is_one_object_a_line_whatever_was_lost() -> None:
    disk = Disk()
    stream = SteadyStream(disk, json=True)  # type: ignore[arg-type]
    disk.full = True
    stream.write("{}\n")
    disk.full = False
    stream.write("{}\n")
    assert [json.loads(line) for line in disk.text.splitlines()] == [{"event": "log.lost", "lines": 1}, {}]


def test_a_worker_on_a_full_disk_goes_on() -> None:
    """`/dev/full` is a disk without room: a line about a page was an error of the page."""
    code = "import structlog; from streams.logs import configure_logging; configure_logging('info', json=False)\n"
    code += "structlog.get_logger('x').info('a line'); import logging; logging.getLogger('y').error('another'); print('went on')"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=full, text=True, check=False)
    assert done.stdout == "went on\n"
