"""The broker's classes, loaded and verified once and kept beside its jars (class data sharing, JEP 350): a start costs 3 s of CPU instead of 5.

Guarantees: an archive reaches its place only whole; one that its Java does not take is no error, and its broker starts as without one. The first
broker that stops in order writes it, which takes that stop some seconds longer, once. Knows nothing of brokers.
"""

import contextlib
import hashlib
import os
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

MOST_KEPT = 3
"""Archives of other Javas or jars, 48 MB each: the newest stay."""

UNFINISHED_S = 3600.0
"""After this long, what a JVM has not put in its place belongs to one whose starter was killed."""


class ClassArchive:
    """The archive of one Java and one set of jars, and what a broker is told about it."""

    def __init__(self, java: Path, jars: Sequence[Path]) -> None:
        """Beside the first of `jars`. Raises OSError where Java or a jar cannot be looked at."""
        folder = jars[0].parent
        seen = [(str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in (java, *jars)]
        self.path = folder / f"classes-{hashlib.sha256(repr(seen).encode()).hexdigest()[:16]}.jsa"
        self._partial = folder / f".{self.path.name}.{uuid.uuid4().hex[:8]}"
        self._is_there = _is_trusted(self.path)

    @property
    def options(self) -> list[str]:
        """For the JVM: use the archive, or write one when it ends in order."""
        if self._is_there:
            return ["-Xshare:auto", f"-XX:SharedArchiveFile={self.path}"]
        return [f"-XX:ArchiveClassesAtExit={self._partial}"]

    def keep(self) -> None:
        """After the JVM ended: puts what it wrote in its place, and removes old ones. A disk without room costs the archive alone."""
        with contextlib.suppress(OSError):
            if not self._partial.exists():
                return
            self._partial.chmod(0o600)
            os.replace(self._partial, self.path)
            others = sorted(self.path.parent.glob("classes-*.jsa"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
            unfinished = [path for path in self.path.parent.glob(".classes-*") if path.stat().st_mtime < time.time() - UNFINISHED_S]
            for old in (*others[MOST_KEPT:], *unfinished):
                old.unlink()

    def forget(self) -> None:
        """After a JVM that did not start: removes what it may have written, which lacks the classes of what it did not come to."""
        with contextlib.suppress(OSError):
            self._partial.unlink(missing_ok=True)

    def distrust(self) -> None:
        """Removes an archive that its Java starts without, and not with."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)


def archive_for(java: Path, jars: Sequence[Path]) -> ClassArchive | None:
    """The archive of a Java and its jars; None where there can be none: the folder of the jars is not ours to write to."""
    if not jars or not os.access(jars[0].parent, os.W_OK):
        return None
    try:
        return ClassArchive(java, jars)
    except OSError:
        return None


def _is_trusted(path: Path) -> bool:
    """Whether an archive is there that nobody else could have written: unlike a jar it has no hash that is known beforehand."""
    try:
        status = path.stat()
    except OSError:
        return False
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022
