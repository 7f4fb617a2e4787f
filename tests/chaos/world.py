"""What a chaos run disturbs: a broker, a model, a blob store and workers, in a folder of their own.

Knows how each is hurt and healed; decides nothing. Blobs, the state of the workers and the broker's log are on a disk each.
"""

import json
import os
import shutil
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
from streams.loading import environment_of, load_settings
from streams.settings import Settings
from tests.chaos.disks import Disk, Store
from tests.chaos.documents import MESSAGE_BYTES
from tests.chaos.fleet import ROOT, Fleet
from tests.chaos.model_server import MODEL

SESSION_TIMEOUT_S = 6.0
"""The least that a broker allows by default."""
STORE_MIB, STORE_MIB_A_DOCUMENT = 256, 0.125
"""Of the disk of the blob store; see `Disk` for where it is."""
STATE_MIB, STATE_MIB_A_DOCUMENT = 128, 0.06
"""Of the disk with the state of the workers: an index for each instance, and the attempts of recognition."""
LOG_MIB, LOG_MIB_A_DOCUMENT = 384, 0.2
"""Of the disk with the broker's log: all topics, which nothing is removed from in a run."""
SERVED = "openai"
"""The engine that asks the model server; any other runs in processes of the infer workers."""
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


class World:
    """Everything of one run."""

    def __init__(self, folder: Path, per_kind: int, documents: int, recognize_timeout_s: float, engine: str = SERVED) -> None:
        """Starts the broker, the model and the workers. `folder` is empty."""
        self.folder = folder
        self.engine = engine
        self.model = Model(folder)
        self.store = Store(folder, STORE_MIB + documents * STORE_MIB_A_DOCUMENT)
        self.state = Disk(folder / "state", STATE_MIB + documents * STATE_MIB_A_DOCUMENT)
        self.log = Disk(folder / "kafka" / "data", LOG_MIB + documents * LOG_MIB_A_DOCUMENT)
        jars, java = fetch_jars(default_cache_dir(os.environ)), find_java(None, os.environ)
        self.broker = EmbeddedKafka(folder / "kafka", jars, java, max_message_bytes=MESSAGE_BYTES, start_timeout_s=BROKER_START_S).start()
        self.settings = settings_of(
            self.state.folder, self.store.link, self.model.url, self.broker.bootstrap_servers, engine=engine, recognize_timeout_s=recognize_timeout_s
        )
        TopicAdmin(self.settings.bootstrap_servers).ensure_topics(local.topic_specs(self.settings))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PAGELOOM_")}
        self.fleet = Fleet(kept | environment_of(self.settings), folder / "logs", self.state.folder, per_kind)

    def restart_broker(self) -> None:
        """Starts a broker that was killed or stopped; it has to come back at its address."""
        address = self.settings.bootstrap_servers
        self.broker.start()
        if self.broker.bootstrap_servers != address:
            raise AssertionError(f"the broker came back at {self.broker.bootstrap_servers}, not at {address}: another program took its port")

    def close(self, keep: Path | None = None) -> None:
        """Ends everything; what is on disks of its own goes with it, unless it is copied to `keep` with the rest."""
        self.fleet.settle()
        self.fleet.stop()
        self.model.kill()
        self.broker.stop()
        if keep is not None:
            shutil.copytree(self.folder, keep, symlinks=True, ignore=shutil.ignore_patterns("blobs.real", "tmp"), dirs_exist_ok=True)
        for disk in (self.store.disk, self.state, self.log):
            disk.close()


def settings_of(
    data: Path, blobs: Path, model_url: str, bootstrap_servers: str, *, engine: str = SERVED, recognize_timeout_s: float = 60.0
) -> Settings:
    """The settings of all workers: one child each, no second engine, the layout model off."""
    return load_settings(
        {},
        bootstrap_servers=bootstrap_servers,
        session_timeout_s=SESSION_TIMEOUT_S,
        max_message_bytes=MESSAGE_BYTES,
        data_dir=str(data),
        blob_url=blobs.absolute().as_uri(),
        read_processes=1,
        finish_processes=1,
        layout=False,
        open_timeout_s=180.0,  # of a machine that has more to do; a page that fails for that would be a broken promise
        page_timeout_s=120.0,
        index_commit_s=2.0,
        engine=engine,
        engine_url=model_url,
        engine_model=MODEL,
        engine_fallback="",
        engine_capacity=8 if engine == SERVED else 0,
        engine_processes=1,
        recognize_timeout_s=recognize_timeout_s,
        log_json=False,
    )
