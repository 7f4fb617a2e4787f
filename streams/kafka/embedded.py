"""A real Apache Kafka (KRaft, one node) as a child process, without Docker.

Guarantees: listens on 127.0.0.1 alone, on ports that were free; is ready when `start` returns; keeps its data over stop, kill and other ports;
ends with the process that started it, even if that one is killed (Linux; elsewhere a killed starter leaves it behind). Knows no topics.
"""

import base64
import logging
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from streams.kafka.broker_settings import LOGGING, MIB, java_command, server_properties
from streams.kafka.class_archive import ClassArchive, archive_for
from streams.kafka.errors import BrokerStartError, EmbeddedKafkaError
from streams.kafka.folder import RunningBroker, lock_folder, remove_hint, unlock_folder, write_hint
from streams.kafka.probe import cluster_id

_log = logging.getLogger(__name__)

_HOST = "127.0.0.1"
_START_ATTEMPTS = 3
"""Between choosing a free port and binding it another process may take it."""
_FORMAT_TIMEOUT_S = 60
"""A JVM that writes one small file: 1 to 2 s, on a busy machine ten times that."""
_LOG_TAIL_BYTES = 3000


class EmbeddedKafka:
    """One broker on one data folder. Not thread-safe: one owner starts and stops it."""

    def __init__(
        self,
        data_dir: Path,
        jars: Sequence[Path],
        java: Path,
        *,
        port: int = 0,
        heap_mib: int = 512,
        max_message_bytes: int = 16 * MIB,
        start_timeout_s: float = 60.0,
        overrides: Mapping[str, str] | None = None,
    ) -> None:
        """A broker that is not started yet.

        `jars` and `java` are what `fetch_jars` and `find_java` return; `port` is the one that clients find it at, 0 for a free one; `overrides` are
        server properties.
        A heap of 512 MiB holds a few messages of `max_message_bytes` in flight; idle it uses 150 MB.
        """
        self.data_dir = data_dir.absolute()
        self._jars = tuple(jars)
        self._java = java
        self._port = port
        self._heap_mib = heap_mib
        self._max_message_bytes = max_message_bytes
        self._start_timeout_s = start_timeout_s
        self._overrides = dict(overrides or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None
        self._ports = (0, 0)
        self._archive: ClassArchive | None = None

    @property
    def bootstrap_servers(self) -> str:
        """Address for clients. Raises EmbeddedKafkaError unless started."""
        if self._process is None:
            raise EmbeddedKafkaError(f"the broker of {self.data_dir} is not started")
        return f"{_HOST}:{self._ports[0]}"

    @property
    def pid(self) -> int | None:
        """Process id of the JVM, None unless it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    @property
    def log_path(self) -> Path:
        """The broker's own log: warnings and errors."""
        return self.data_dir / "kafka.log"

    def start(self) -> Self:
        """Starts the broker and waits until it answers; on the ports of the last start if they are still free.

        Raises FolderInUseError if another broker holds the folder, BrokerStartError if this one does not come up.
        """
        if self._process is not None:
            raise EmbeddedKafkaError(f"the broker of {self.data_dir} is started already")
        self.data_dir.mkdir(parents=True, exist_ok=True)
        self._lock = lock_folder(self.data_dir)
        try:
            self._prepare_folder()
            cluster = self._launch_until_ready()
        except BaseException:
            self.kill()
            raise
        assert self._process is not None
        write_hint(self.data_dir, RunningBroker(self.bootstrap_servers, self._process.pid, os.getpid(), cluster))
        _log.info("embedded Kafka answers at %s (process %d, log %s)", self.bootstrap_servers, self._process.pid, self.log_path)
        return self

    def stop(self, timeout_s: float = 30.0) -> None:
        """Stops cleanly (0.3 s when idle, some seconds the first time on a machine: see `class_archive`); a broker that does not end in time is
        killed. Does nothing unless started.
        """
        process = self._process
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout_s)
            except subprocess.TimeoutExpired:
                _log.warning("embedded Kafka (process %d) did not stop within %g s and is killed", process.pid, timeout_s)
            else:
                if self._archive is not None:
                    self._archive.keep()
        self.kill()
        remove_hint(self.data_dir)

    def await_end(self, timeout_s: float) -> bool:
        """Whether the broker ends by itself within a time, as one does that cannot write its log; `kill` gives the folder back then."""
        if self._process is None:
            return True
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self) -> None:
        """Kills the broker at once, as a crash would; its data survives."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._process = None
        if self._lock is not None:
            unlock_folder(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def _prepare_folder(self) -> None:
        """Logging, a temporary folder of its own (native libraries are unpacked there), and a formatted log folder."""
        shutil.rmtree(self.data_dir / "tmp", ignore_errors=True)
        (self.data_dir / "tmp").mkdir()
        (self.data_dir / "log4j2.properties").write_text(LOGGING, encoding="utf-8")
        if (self.data_dir / "data" / "meta.properties").exists():
            return
        self._write_properties(port=1, controller_port=2)  # formatting binds nothing
        new_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        command = java_command(self._java, self._jars, self.data_dir, 128, "kafka.tools.StorageTool")
        # `--cluster-id=`: an id may begin with a dash, which the two-word form takes for an option.
        command += ["format", f"--cluster-id={new_id}", "--config", str(self.data_dir / "server.properties")]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_FORMAT_TIMEOUT_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BrokerStartError(f"formatting {self.data_dir} for Kafka failed ({error}); check the disk and the Java {self._java}") from error
        if answer.returncode != 0:
            raise BrokerStartError(
                f"formatting {self.data_dir} for Kafka failed; move the folder away, or choose another: {answer.stdout}{answer.stderr}"
            )

    def _write_properties(self, port: int, controller_port: int) -> None:
        text = server_properties(self.data_dir, port, controller_port, self._max_message_bytes, self._overrides)
        (self.data_dir / "server.properties").write_text(text, encoding="utf-8")

    def _launch_until_ready(self) -> str:
        """Launches the broker, again on other ports if somebody took them meanwhile; returns the cluster id."""
        attempts_left = _START_ATTEMPTS
        suspect: ClassArchive | None = None
        self._archive = archive_for(self._java, self._jars)
        while True:
            self._ports = self._chosen_ports()
            self._write_properties(*self._ports)
            self._process = self._launch()
            cluster = self._await_ready(self._process, time.monotonic() + self._start_timeout_s)
            if cluster is not None:
                if suspect is not None:
                    suspect.distrust()
                return cluster
            attempts_left -= 1
            is_own_fault = all(_is_free(port) for port in self._ports)
            if is_own_fault and self._archive is not None:  # perhaps the archive's: once more without
                suspect, self._archive = self._archive, None
                suspect.forget()
                continue
            if is_own_fault or not attempts_left:
                status = self._process.returncode
                raise BrokerStartError(f"Kafka ended with status {status} while starting on {self.data_dir}: {self._log_tail()}")

    def _chosen_ports(self) -> tuple[int, int]:
        """For clients and for the controller: those of the last start if they are still free. Raises BrokerStartError where the one that was asked
        for is taken.
        """
        if self._port and not _is_free(self._port):
            raise BrokerStartError(f"port {self._port} of {_HOST} is taken by another program; end that, or set another broker_port (0: any)")
        if all(port and _is_free(port) for port in self._ports):
            return self._ports
        free, controller = _two_free_ports()
        while controller == self._port:
            free, controller = _two_free_ports()
        return self._port or free, controller

    def _launch(self) -> subprocess.Popen[bytes]:
        """Starts the JVM from a thread that lives as long as the JVM: the kernel's signal comes when the starting *thread* ends."""
        assert self._lock is not None
        options = self._archive.options if self._archive is not None else ()
        command = java_command(self._java, self._jars, self.data_dir, self._heap_mib, "kafka.Kafka", options)
        command.append(str(self.data_dir / "server.properties"))
        guard = Path(__file__).with_name("die_with_parent.py")
        guarded = [sys.executable, "-I", "-S", str(guard), str(os.getpid()), *command]
        started: queue.SimpleQueue[subprocess.Popen[bytes] | OSError] = queue.SimpleQueue()
        lock = self._lock

        def launch_and_stay() -> None:
            try:
                with (self.data_dir / "stdout.log").open("wb") as output:
                    # Its own session: Ctrl-C at a terminal reaches the owner first, who stops the broker last.
                    process = subprocess.Popen(
                        guarded, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True, pass_fds=(lock,)
                    )
            except OSError as error:
                started.put(error)
                return
            started.put(process)
            process.wait()

        threading.Thread(target=launch_and_stay, name="embedded-kafka", daemon=True).start()
        result = started.get()
        if isinstance(result, OSError):
            raise BrokerStartError(f"Kafka cannot be launched ({result}); check memory and the Java {self._java}") from result
        return result

    def _await_ready(self, process: subprocess.Popen[bytes], deadline: float) -> str | None:
        """Cluster id once the broker answers, None if its process ended. Raises BrokerStartError after the deadline."""
        while process.poll() is None:
            try:
                cluster = cluster_id(_HOST, self._ports[0])
            except OSError:
                cluster = None  # not listening yet
            if cluster is not None:
                return cluster
            if time.monotonic() > deadline:
                raise BrokerStartError(f"Kafka on {self.data_dir} did not answer within {self._start_timeout_s:g} s: {self._log_tail()}")
            time.sleep(0.03)
        return None

    def _log_tail(self) -> str:
        tails = []
        for path in (self.data_dir / "stdout.log", self.log_path):
            if path.exists():
                with path.open("rb") as file:
                    file.seek(max(0, path.stat().st_size - _LOG_TAIL_BYTES))
                    tails.append(file.read(_LOG_TAIL_BYTES).decode("utf-8", "replace"))
        return "".join(tails).strip() or "its log is empty"


def _two_free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        first.bind((_HOST, 0))
        second.bind((_HOST, 0))
        return first.getsockname()[1], second.getsockname()[1]


def _is_free(port: int) -> bool:
    with socket.socket() as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((_HOST, port))
        except OSError:
            return False
    return True
