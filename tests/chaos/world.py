"""What a chaos run disturbs: a broker, a model, a blob store and workers, in a folder of their own.

Knows how each is hurt and healed; decides nothing. The store is a folder behind a link, so that it can go away as a remote one does; where this
process may mount, it is a small file system, so that it can be full.
"""

import errno
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from streams import local
from streams.kafka import die_with_parent
from streams.kafka.admin import TopicAdmin
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.jars import default_cache_dir, fetch_jars
from streams.kafka.java import find_java
from streams.settings import Settings, environment_of, load_settings
from tests.chaos.documents import MESSAGE_BYTES
from tests.chaos.fleet import ROOT, Fleet
from tests.chaos.model_server import MODEL

SESSION_TIMEOUT_S = 6.0
"""The least that a broker allows by default."""
STORE_MIB, STORE_MIB_A_DOCUMENT = 256, 0.125
"""Of the file system that can be full: it is held in memory, all of it while it is full."""
CONTROL_TIMEOUT_S = 5.0
BROKER_START_S = 180.0
"""On a machine that others use as well, with all workers asking for it."""


class Model:
    """The model server's process."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self._port = taken.getsockname()[1]
        self.log_path = folder / "answers.log"
        self.log_path.touch()
        self.url = f"http://127.0.0.1:{self._port}/v1"
        self.start()

    def start(self) -> None:
        """Starts it, on the same port every time, and waits until it answers."""
        guard = [sys.executable, "-I", "-S", die_with_parent.__file__, str(os.getpid())]
        command = [*guard, sys.executable, "-m", "tests.chaos.model_server", str(self._port), str(self.log_path)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 30
        while self.in_flight() is None:
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError("the model server does not start")

    def kill(self) -> None:
        """As a crash does."""
        self._process.kill()
        self._process.wait()

    def order(self, **orders: object) -> None:
        """See `ModelServer.control`."""
        request = urllib.request.Request(self.url.replace("/v1", "/control"), json.dumps(orders).encode(), method="POST")
        urllib.request.urlopen(request, timeout=CONTROL_TIMEOUT_S).close()

    def in_flight(self) -> int | None:
        """Requests being answered; None while it is away."""
        return self._told("in_flight")

    def begun(self) -> int | None:
        """Requests since its start; None while it is away."""
        return self._told("begun")

    def _told(self, what: str) -> int | None:
        try:
            with urllib.request.urlopen(self.url.replace("/v1", "/state"), timeout=CONTROL_TIMEOUT_S) as answer:
                return int(json.load(answer)[what])
        except OSError:
            return None


class Store:
    """The blob store: `blobs`, a link to the folder that holds them."""

    def __init__(self, folder: Path, documents: int) -> None:
        self.link, self._real = folder / "blobs", folder / "blobs.real"
        self._real.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={round(STORE_MIB + documents * STORE_MIB_A_DOCUMENT)}m", "tmpfs", str(self._real)]
        # Without the right to mount, in a container or for a user, it is an ordinary folder that is never full.
        self.can_be_full = hasattr(os, "geteuid") and os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0
        self.link.symlink_to(self._real)

    def go_away(self) -> None:
        """The link leads nowhere: every access is an error, as with a share that is gone."""
        self._point_at(self._real.with_name("blobs.gone"))

    def come_back(self) -> None:
        """The link leads where it did."""
        self._point_at(self._real)

    def fill(self) -> None:
        """No room is left, for others write meanwhile: ever smaller pieces are taken until none fits."""
        free = os.statvfs(self._real)
        size, taken = free.f_bavail * free.f_frsize, 0
        with (self._real / "ballast").open("wb") as file:
            while size >= free.f_frsize:
                try:
                    os.posix_fallocate(file.fileno(), taken, size)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    size //= 2
                else:
                    taken += size

    def empty(self) -> None:
        """There is room again."""
        (self._real / "ballast").unlink(missing_ok=True)

    def close(self) -> None:
        """Gives the file system back."""
        if self.can_be_full:
            subprocess.run(["umount", "--lazy", str(self._real)], check=False)

    def _point_at(self, target: Path) -> None:
        aside = self.link.with_name("blobs.next")
        aside.symlink_to(target)
        aside.replace(self.link)


class World:
    """Everything of one run."""

    def __init__(self, folder: Path, per_kind: int, documents: int, recognize_timeout_s: float) -> None:
        """Starts the broker, the model and the workers. `folder` is empty."""
        self.folder = folder
        self.model = Model(folder)
        self.store = Store(folder, documents)
        jars, java = fetch_jars(default_cache_dir(os.environ)), find_java(None, os.environ)
        self.broker = EmbeddedKafka(folder / "kafka", jars, java, max_message_bytes=MESSAGE_BYTES, start_timeout_s=BROKER_START_S).start()
        self.settings = settings_of(folder, self.store.link, self.model.url, self.broker.bootstrap_servers, recognize_timeout_s)
        TopicAdmin(self.settings.bootstrap_servers).ensure_topics(local.topic_specs(self.settings))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PAGELOOM_")}
        self.fleet = Fleet(kept | environment_of(self.settings), folder, per_kind)

    def restart_broker(self) -> None:
        """Starts a broker that was killed or stopped; it has to come back at its address."""
        address = self.settings.bootstrap_servers
        self.broker.start()
        if self.broker.bootstrap_servers != address:
            raise AssertionError(f"the broker came back at {self.broker.bootstrap_servers}, not at {address}: another program took its port")

    def close(self) -> None:
        """Ends everything; the folder stays."""
        self.fleet.settle()
        self.fleet.stop()
        self.model.kill()
        self.broker.stop()
        self.store.close()


def settings_of(folder: Path, blobs: Path, model_url: str, bootstrap_servers: str, recognize_timeout_s: float) -> Settings:
    """The settings of all workers: one child each, no second engine, the layout model off."""
    return load_settings(
        {},
        bootstrap_servers=bootstrap_servers,
        session_timeout_s=SESSION_TIMEOUT_S,
        max_message_bytes=MESSAGE_BYTES,
        data_dir=str(folder),
        blob_url=blobs.absolute().as_uri(),
        read_processes=1,
        finish_processes=1,
        layout=False,
        open_timeout_s=180.0,  # of a machine that has more to do; a page that fails for that would be a broken promise
        page_timeout_s=120.0,
        index_commit_s=2.0,
        engine="openai",
        engine_url=model_url,
        engine_model=MODEL,
        engine_fallback="",
        engine_capacity=8,
        recognize_timeout_s=recognize_timeout_s,
        log_json=False,
    )
