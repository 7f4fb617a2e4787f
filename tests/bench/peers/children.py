"""Runs one reader in a child process under a time limit: what it cost, or one line that says why there is nothing to say.

A child that crashes, hangs or writes no result costs its row alone; with a hanging child everything below it ends.
"""

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

RUNNER = Path(__file__).with_name("runner.py")


class FileRead(Struct, frozen=True):
    """What came of one file; `pages` is 0 where a reader does not say."""

    name: str
    pages: int
    characters: int
    error: str = ""


class Cost(Struct, frozen=True):
    """What reading all files cost in CPU-seconds, wall seconds and megabytes at most, and what came of each."""

    cpu_s: float
    wall_s: float
    memory_mb: float
    files: tuple[FileRead, ...]

    @property
    def characters(self) -> int:
        """Of all outputs together."""
        return sum(file.characters for file in self.files)

    @property
    def without_text(self) -> tuple[str, ...]:
        """Names of the files that gave nothing, failed ones among them."""
        return tuple(file.name for file in self.files if not file.characters)


class NoResult(Exception):
    """A child gave no result. The message says why, in one line."""


def run_reader(python: Path, name: str, paths: Sequence[Path], folder: Path, *, timeout_s: float, path_first: Path | None = None) -> Cost:
    """Runs a reader over files; its Markdown goes to `folder`. `path_first` goes before the PATH of the child. Raises NoResult."""
    folder.mkdir(parents=True, exist_ok=True)
    result, log = folder / "cost.json", folder / "log.txt"
    result.unlink(missing_ok=True)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}  # libraries that open a thread a core burn time in waiting for each other
    if path_first is not None:
        environment["PATH"] = os.pathsep.join([str(path_first), environment.get("PATH", "")])
    command = [str(python), str(RUNNER), name, str(result), str(folder), *map(str, paths)]
    with log.open("wb") as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment, start_new_session=True)
        try:
            code = child.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise NoResult(f"it had not finished after {timeout_s:g} s, and was ended") from None
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
    if code or not result.is_file():
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["it said nothing"]
        raise NoResult(f"it ended with exit code {code}: {said[-1][:200]}")
    cost = msgspec.json.decode(result.read_bytes(), type=Cost)
    if not cost.characters:
        errors = [file.error for file in cost.files if file.error] or ["no error was raised"]
        raise NoResult(f"it returned no text of {len(cost.files)} files ({errors[0][:200]})")
    return cost
