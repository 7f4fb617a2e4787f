"""The data folder of an embedded broker: who holds it, and where its running broker answers.

One broker per folder: a lock that the broker's process inherits, so that it lasts exactly as long as the last of starter and broker.
`broker.json` is a hint for other commands of the machine and is believed only after the broker answered with the same cluster id.
"""

import fcntl
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from streams.kafka.errors import FolderInUseError
from streams.kafka.probe import cluster_id

_MAX_HINT_BYTES = 4096
_ORPHAN_WAIT_S = 20.0
"""A broker whose starter was killed stops by itself within a second, the first on a machine in six (see `class_archive`); a busy one gets more."""


@dataclass(frozen=True, slots=True)
class RunningBroker:
    """Content of `broker.json`."""

    bootstrap_servers: str
    pid: int
    starter_pid: int
    cluster_id: str


def lock_folder(data_dir: Path) -> int:
    """File descriptor of the folder's lock, inheritable; the lock ends when its last copy is closed.

    Raises FolderInUseError that says who holds it, unless the holder is a broker without its starter, which is about to end.
    """
    descriptor = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + _ORPHAN_WAIT_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        except BlockingIOError:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            if not (holder.isdigit() and not is_alive(int(holder))) or time.monotonic() > deadline:
                os.close(descriptor)
                raise FolderInUseError(_in_use(data_dir, holder)) from None
            time.sleep(0.05)
        else:
            return descriptor


def unlock_folder(descriptor: int) -> None:
    """Gives the folder back once the broker has ended, also on behalf of forked children that still hold a copy of the descriptor."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def write_hint(data_dir: Path, broker: RunningBroker) -> None:
    """Tells other commands of this machine where the broker answers; replaced as a whole."""
    partial = data_dir / "broker.json.partial"
    partial.write_text(json.dumps(asdict(broker)), encoding="utf-8")
    os.replace(partial, data_dir / "broker.json")


def remove_hint(data_dir: Path) -> None:
    """Takes the hint back at a clean stop."""
    (data_dir / "broker.json").unlink(missing_ok=True)


def find_running(data_dir: Path) -> str | None:
    """Bootstrap servers of the broker that runs on `data_dir`, or None: alive, answering, and of the cluster that the hint names."""
    broker = read_hint(data_dir)
    if broker is None or not is_alive(broker.pid):
        return None
    host, _, port = broker.bootstrap_servers.rpartition(":")
    if not port.isdigit():
        return None
    try:
        answered = cluster_id(host, int(port))
    except OSError:
        return None
    return broker.bootstrap_servers if answered == broker.cluster_id else None


def read_hint(data_dir: Path) -> RunningBroker | None:
    """The folder's hint as it is written, which may be of a broker that is gone; None if there is none or it makes no sense."""
    try:
        with (data_dir / "broker.json").open("rb") as file:
            fields = json.loads(file.read(_MAX_HINT_BYTES))
        return RunningBroker(str(fields["bootstrap_servers"]), int(fields["pid"]), int(fields["starter_pid"]), str(fields["cluster_id"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _in_use(data_dir: Path, holder: str) -> str:
    broker = read_hint(data_dir)
    where = f" and answers at {broker.bootstrap_servers} (process {broker.pid})" if broker else ""
    return f"a broker of process {holder or 'unknown'} holds the folder {data_dir}{where}; use that broker, stop it, or choose another data folder"


def is_alive(pid: int) -> bool:
    """Whether a process of this machine has this id."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
