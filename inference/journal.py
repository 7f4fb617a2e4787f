"""The attempts of a worker, on its disk: what it was reading when it died is known to whoever reads it next on this machine.

Guarantees: an attempt is recorded before it starts; a death is counted once, for every unit that was being read, by whoever finds that its owner is
gone; an answer, and an orderly end of the worker, wipe the record. A unit that was there at `SUSPECT_DEATHS` deaths is to be read alone, and only
deaths alone count against it, `MAX_DEATHS_ALONE` at most.

Each worker has a file of its own with one line for every beginning and end. It holds a lock on it as long as it lives, which the kernel
gives up with the process: no process id can mislead, also not over containers. A record that cannot be kept (the disk is full) is logged and costs no
page. Not thread-safe.
"""

import fcntl
import hashlib
import json
import os
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import structlog
from msgspec import Struct

from inference.types import UnitKey

SUSPECT_DEATHS = 2
"""A first death is the operator's or the machine's nearly always; reading all that was in flight one by one would stall a shared server for long."""
MAX_DEATHS_ALONE = 3
"""As for engine processes: a page that ends its worker three times with nothing beside it is what ends it."""
ROTATED_BYTES = 2**20
"""Some 8,000 attempts; then the file is begun anew with what is in flight."""
KEPT_S = 24 * 3600.0
"""Suspicions of units that another machine has answered meanwhile are dropped after this."""

log = structlog.get_logger(__name__)


class Standing(Struct, frozen=True):
    """What a unit is suspected of: deaths of workers while it was being read, and how many of them while it was alone."""

    deaths: int = 0
    alone: int = 0

    @property
    def is_suspect(self) -> bool:
        """Whether it is to be read alone."""
        return self.deaths >= SUSPECT_DEATHS

    @property
    def is_convicted(self) -> bool:
        """Whether it is not to be read again."""
        return self.alone >= MAX_DEATHS_ALONE


class Journal(Protocol):
    """Where attempts are recorded."""

    def standing(self, key: UnitKey) -> Standing:
        """What is known of a unit."""

    def begin(self, keys: Iterable[UnitKey], *, alone: bool) -> None:
        """These are read from now on."""

    def end(self, keys: Iterable[UnitKey]) -> None:
        """These were read, whatever became of them."""


class Unrecorded:
    """No journal: every death is forgotten."""

    def standing(self, key: UnitKey) -> Standing:  # noqa: ARG002 - the protocol's signature
        """Nothing is known."""
        return Standing()

    def begin(self, keys: Iterable[UnitKey], *, alone: bool) -> None:
        """Nothing."""

    def end(self, keys: Iterable[UnitKey]) -> None:
        """Nothing."""


class AttemptJournal:
    """The journal of one worker in a folder that the workers of a machine share."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError for a folder that cannot be written."""
        self._folder = folder
        self._suspects = folder / "suspects"
        self._suspects.mkdir(parents=True, exist_ok=True)
        self._in_flight: dict[str, bool] = {}
        self._suspected: set[str] = set()
        aside, self._path = folder / f".new-{uuid.uuid4().hex}", folder / f"attempts-{uuid.uuid4().hex}.jsonl"
        self._file = os.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)
        aside.rename(self._path)  # locked before anybody can find it
        self._forget_old(time.time() - KEPT_S)
        self.adopt()

    def adopt(self) -> int:
        """Counts the deaths of workers that are gone; returns how many units were being read. Call it when partitions come from others."""
        units = 0
        for path in self._folder.glob("attempts-*.jsonl"):
            if path != self._path:
                try:
                    units += self._adopt(path)
                except FileNotFoundError:
                    continue  # another worker was faster
        return units

    def standing(self, key: UnitKey) -> Standing:
        """What is known of a unit."""
        name = _name(key)
        try:
            told = json.loads((self._suspects / name).read_bytes())
            found = Standing(int(told["deaths"]), int(told["alone"]))
        except FileNotFoundError:
            return Standing()
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("journal.unreadable", unit=list(key), error=type(error).__name__)
            return Standing()
        self._suspected.add(name)
        return found

    def begin(self, keys: Iterable[UnitKey], *, alone: bool) -> None:
        """These are read from now on."""
        names = {_name(key): alone for key in keys}
        self._in_flight |= names
        self._write("".join(json.dumps({"begin": name, "alone": alone}) + "\n" for name in names))

    def end(self, keys: Iterable[UnitKey]) -> None:
        """These were read: nothing is held against them any more."""
        names = [_name(key) for key in keys]
        for name in names:
            self._in_flight.pop(name, None)
            if name in self._suspected:
                self._suspected.discard(name)
                (self._suspects / name).unlink(missing_ok=True)
        self._write("".join(json.dumps({"end": name}) + "\n" for name in names))

    def close(self) -> None:
        """The worker ends in order: what it was reading is no evidence."""
        self._path.unlink(missing_ok=True)
        os.close(self._file)

    def _write(self, lines: str) -> None:
        try:
            if os.fstat(self._file).st_size > ROTATED_BYTES:
                os.ftruncate(self._file, 0)
                lines = "".join(json.dumps({"begin": name, "alone": alone}) + "\n" for name, alone in self._in_flight.items())
            os.write(self._file, lines.encode())
        except OSError as error:
            log.warning("journal.unwritable", folder=str(self._folder), error=error.strerror)

    def _adopt(self, path: Path) -> int:
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return 0  # its owner lives
            if not path.exists():
                return 0  # adopted between our look and our lock
            left = left_in_flight(file.read())
            try:
                for name, alone in left.items():
                    self._count(name, alone)
            except OSError as error:  # better a death that is forgotten than one that is counted twice
                log.warning("journal.unwritable", folder=str(self._folder), error=error.strerror)
            path.unlink()
        if left:
            log.warning("journal.worker_died", units=len(left), alone=any(left.values()))
        return len(left)

    def _count(self, name: str, alone: bool) -> None:
        """One more death of a unit's reader."""
        path = self._suspects / name
        try:
            told = json.loads(path.read_bytes())
        except (FileNotFoundError, ValueError):
            told = {}
        standing = {"deaths": int(told.get("deaths", 0)) + 1, "alone": int(told.get("alone", 0)) + alone}
        aside = path.with_name(f".{name}-{os.getpid()}")
        aside.write_text(json.dumps(standing))
        aside.rename(path)

    def _forget_old(self, before_s: float) -> None:
        for path in self._suspects.iterdir():
            try:
                if path.stat().st_mtime < before_s:
                    path.unlink()
            except FileNotFoundError:
                continue


def left_in_flight(journal: bytes) -> dict[str, bool]:
    """The units that a journal says were being read at its end, and whether alone. A last line that was cut counts for nothing."""
    left: dict[str, bool] = {}
    for line in journal.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if "begin" in entry:
            left[str(entry["begin"])] = bool(entry.get("alone"))
        else:
            left.pop(str(entry.get("end")), None)
    return left


def _name(key: UnitKey) -> str:
    """A unit as a file name that says nothing about its document."""
    return hashlib.sha256(json.dumps(key).encode("utf-8", "surrogatepass")).hexdigest()[:40]
