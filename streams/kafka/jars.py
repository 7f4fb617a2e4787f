"""The jars of the embedded broker: exactly the artifacts of a lock file, each proven by its SHA-256 before Java sees it.

A file reaches the cache only whole and verified (fetched beside it, then renamed), so processes that fetch at once are safe and a broken
download never stays. Cached jars are hashed again on every call (45 MB, about 0.1 s): a cache is not trusted more than a network.
Knows nothing of brokers.
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from streams.kafka.errors import JarError

KAFKA_LOCK = Path(__file__).with_name("kafka.lock")
"""Apache Kafka 4.4.0: one line an artifact, `group:artifact:version[:classifier[:packaging]] sha256 size_bytes`."""

_LINE = re.compile(r"([\w.-]+):([\w.-]+):([\w.-]+)(?::([\w.-]+))?(?::([\w.]+))? ([0-9a-f]{64}) ([0-9]+)")
_FETCH_THREADS = 6
"""Latency bound, not bandwidth bound: 6 at once take 4 s for 45 jars, 1 at once 15 s."""
_ATTEMPTS = 3
_NETWORK_TIMEOUT_S = 60


def default_cache_dir(environment: Mapping[str, str]) -> Path:
    """Where jars are kept when nobody says otherwise: a cache, which may be deleted at any time."""
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pageloom" / "kafka"


@dataclass(frozen=True, slots=True)
class PinnedJar:
    """One artifact of a lock file."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    size_bytes: int
    packaging: str = "jar"

    @property
    def file_name(self) -> str:
        """Name in the cache: the group keeps artifacts of one name apart."""
        suffix = f"-{self.classifier}" if self.classifier else ""
        return f"{self.group}.{self.artifact}-{self.version}{suffix}.{self.packaging}"

    def __str__(self) -> str:
        return ":".join(part for part in (self.group, self.artifact, self.version, self.classifier) if part)


def read_lock(lock: Path) -> tuple[PinnedJar, ...]:
    """The artifacts of a lock file. Raises JarError for a file that cannot be read or a line that is no pin."""
    try:
        lines = lock.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise JarError(f"lock file {lock} cannot be read ({error}); install the package again") from error
    pins = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise JarError(f"lock file {lock}, line {number}: not `group:artifact:version sha256 size`; install the package again")
        group, artifact, version, classifier, packaging, sha256, size = match.groups()
        pins.append(PinnedJar(group, artifact, version, classifier or "", sha256, int(size), packaging or "jar"))
    return tuple(pins)


Download = Callable[[PinnedJar, Path], Path]
"""Fetches an artifact into a folder and returns its path; raises OSError or RuntimeError."""


def fetch_jars(cache_dir: Path, lock: Path = KAFKA_LOCK, *, download: Download | None = None, offline: bool = False) -> list[Path]:
    """Paths of all jars of `lock` in `cache_dir`, verified; what is missing or damaged is fetched, from Maven Central unless told otherwise.

    Raises JarError that names the artifact and either the network's answer or the two hashes.
    """
    cache_dir.mkdir(parents=True, exist_ok=True)
    pins = read_lock(lock)
    with ThreadPoolExecutor(_FETCH_THREADS) as pool:
        present = list(pool.map(lambda pin: _is_cached(cache_dir / pin.file_name, pin), pins))
        missing = [pin for pin, there in zip(pins, present, strict=True) if not there]
        if missing and offline:
            raise JarError(f"{len(missing)} of {len(pins)} jars are not in {cache_dir}, the first is {missing[0]}; run once with a network")
        if missing:
            _fetch_missing(missing, download or fetch_from_maven_central, cache_dir, pool)
    return [cache_dir / pin.file_name for pin in pins]


def _fetch_missing(missing: Sequence[PinnedJar], download: Download, cache_dir: Path, pool: ThreadPoolExecutor) -> None:
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=cache_dir) as folder:
        for _ in pool.map(lambda pin: _fetch(pin, download, Path(folder), cache_dir / pin.file_name), missing):
            pass


def _is_cached(path: Path, pin: PinnedJar) -> bool:
    """Whether the cached file is the pinned one; one that is not is removed."""
    try:
        if path.stat().st_size == pin.size_bytes and _sha256(path) == pin.sha256:
            return True
        path.unlink(missing_ok=True)
    except FileNotFoundError:
        pass
    return False


def fetch_from_maven_central(pin: PinnedJar, folder: Path) -> Path:
    """One artifact into a Maven layout below `folder`. Raises OSError or RuntimeError; may leave a part of it there."""
    # jgo costs half a second to import (requests, rich): only a cold cache pays it.
    from jgo.maven import MavenContext  # noqa: PLC0415

    context = MavenContext(repo_cache=folder, local_repos=[], timeout=_NETWORK_TIMEOUT_S)
    return Path(context.project(pin.group, pin.artifact).at_version(pin.version).artifact(pin.classifier, pin.packaging).resolve())


def _fetch(pin: PinnedJar, download: Download, folder: Path, target: Path) -> None:
    """One verified artifact to its place in the cache."""
    cause = ""
    for attempt in range(_ATTEMPTS):
        try:
            # A folder for each attempt: jgo writes in place and takes what is there for whole.
            fetched = download(pin, folder / f"{pin.file_name}-{attempt}")
        except (OSError, RuntimeError) as error:  # requests' errors are OSErrors; jgo raises RuntimeError for "not found"
            cause = f"cannot be fetched ({error}); check the network, or copy the jars of another machine's cache to {target.parent}"
            continue
        actual = _sha256(fetched)
        if actual == pin.sha256:
            os.replace(fetched, target)
            return
        cause = (
            f"has SHA-256 {actual}, expected {pin.sha256}; nothing of it was kept. "
            "Something between this machine and Maven Central changes files: do not go on before you know what"
        )
    raise JarError(f"artifact {pin} {cause}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
