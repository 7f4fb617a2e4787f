"""Environments of the peers: one virtual environment for each, made once below a folder and used again by the next run."""

import subprocess
import sys
from pathlib import Path

from tests.bench.peers.catalogue import Reader

INSTALL_TIMEOUT_S = 900
"""Some peers bring 100 MB of models and libraries; what takes longer is not going to come."""
READY = "installed"
"""Written last: an environment without it was interrupted, and is made again."""


class NotInstalled(Exception):
    """A peer cannot be had here. The message says why, in one line."""


def python_of(reader: Reader, folder: Path) -> Path:
    """The Python that runs a reader; makes its environment first. Raises NotInstalled."""
    if reader.requirement is None:
        return Path(sys.executable)
    home = folder / reader.name
    python, ready = home / "bin" / "python", home / READY
    if ready.is_file() and ready.read_text(encoding="utf-8") == reader.requirement:
        return python
    print(f"installing {reader.requirement} into {home}", file=sys.stderr)
    _run([sys.executable, "-m", "venv", "--clear", str(home)], reader)
    _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", reader.requirement], reader)
    ready.write_text(reader.requirement, encoding="utf-8")
    return python


def _run(command: list[str], reader: Reader) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=INSTALL_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise NotInstalled(f"{reader.requirement} was not installed within {INSTALL_TIMEOUT_S} s") from error
    except OSError as error:
        raise NotInstalled(f"{command[0]} cannot be run ({error})") from error
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()
        raise NotInstalled(f"{reader.requirement} cannot be installed: {said[-1][:300]}")
