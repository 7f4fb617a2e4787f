"""The log files of the worker processes of one machine: bounded in size, and with a last word on how each process ended.

Guarantees: a log takes at most `MAX_BYTES`, besides what is written between two looks, and `KEPT` older files as large; an end that a process cannot
tell of itself, because a signal took it, stands in its log. A disk without room costs lines, never a worker.
"""

import contextlib
import os
import shutil
import signal
import time
from json import dumps
from pathlib import Path

MAX_BYTES = 16 * 2**20
"""Some 100,000 lines: hours of a busy machine."""
TAIL_BYTES = 1_500
KEPT = 2
"""Older files of each log, `NAME.log.1` the newest."""

_OUTSIDE = {signal.SIGKILL: "from outside, or by the kernel where memory ran out", signal.SIGTERM: "asked to end before it listened"}


def why_ended(status: int) -> str:
    """What an exit status says, in words: a signal's name, or the number that the process chose."""
    if status == 0:
        return "ended in order: somebody told it to stop, or its work ended by itself; its log says which"
    if status > 0:
        return f"ended with status {status}"
    try:
        number = signal.Signals(-status)
    except ValueError:
        return f"ended by signal {-status}"
    return f"ended by {number.name} ({_OUTSIDE.get(number, 'a crash in native code; its traceback stands before this line')})"


def last_word(path: Path, name: str, status: int, *, json: bool) -> None:
    """Appends to the log of a worker that it ended and how, as the worker itself would have said it (`logs.configure_logging`)."""
    at, reason = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), why_ended(status)
    line = f"{at} [error    ] worker.ended                   reason='{reason}' worker={name}"
    if json:
        line = dumps({"worker": name, "reason": reason, "event": "worker.ended", "level": "error", "timestamp": at})
    with contextlib.suppress(OSError), path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def log_tail(path: Path) -> str:
    """The last `TAIL_BYTES` of a log, from the start of a line: a person reads it."""
    with path.open("rb") as file:
        skipped = max(0, path.stat().st_size - TAIL_BYTES)
        file.seek(skipped)
        tail = file.read()
    if skipped and b"\n" in tail:
        tail = tail.partition(b"\n")[2]  # what is left of a line may begin in the middle of a character
    return tail.decode("utf-8", "replace")


def keep_small(path: Path, max_bytes: int = MAX_BYTES) -> None:
    """Puts a log that has grown too large aside and empties it, under the process that writes it: its writes are appended, wherever the end is.

    Lines that are written between the two are lost. Where there is no room for the copy, the log goes on to twice its size, and is emptied then.
    """
    try:
        size = path.stat().st_size
    except OSError:
        return
    if size <= max_bytes:
        return
    aside = path.with_name(f"{path.name}.new")
    try:
        shutil.copyfile(path, aside)
        for number in range(KEPT, 1, -1):
            with contextlib.suppress(FileNotFoundError):
                os.replace(path.with_name(f"{path.name}.{number - 1}"), path.with_name(f"{path.name}.{number}"))
        os.replace(aside, path.with_name(f"{path.name}.1"))
    except OSError:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
        if size <= 2 * max_bytes:
            return
    with contextlib.suppress(OSError):
        os.truncate(path, 0)
