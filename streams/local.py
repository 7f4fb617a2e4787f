"""The whole pipeline on this machine: the embedded broker and one process for each kind of worker, started, watched and stopped together.

Guarantees: what it starts ends with it, also when it is killed (Linux); a worker or broker that dies is started again, and one that keeps
dying is an error that shows its log. Knows nothing of documents.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import structlog

from streams.kafka import die_with_parent
from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.folder import find_running, is_alive
from streams.kafka.jars import default_cache_dir, fetch_jars
from streams.kafka.java import find_java
from streams.loading import environment_of
from streams.local_logs import keep_small, last_word, log_tail, why_ended
from streams.semaphores import check_semaphores
from streams.settings import Settings, SettingsError, without_userinfo
from streams.topics import TOPICS

WORKERS: tuple[tuple[str, ...], ...] = (("open", "read"), ("infer",), ("assemble",), ("index",))
"""One process each. `open` and `read` share one: both are Faust agents, and a machine of its own has no use for two event loops."""

STOP_TIMEOUT_S = 20.0
"""One deadline for all workers together: finishing what is in flight (a page of a slow engine), then leaving the groups."""
MAX_DEATHS = 5
DEATHS_WITHIN_S = 60.0
"""A worker that ends so often so fast does not end by chance."""
RESTART_PAUSE_S = 1.0
PROBE_BYTES = 2**20
"""Written before anything is started: on a full disk the start would fail somewhere in its middle."""
WORKERS_FILE = "workers"
"""In the data folder: the name and process id of each worker, for commands that tell of them."""

log = structlog.get_logger(__name__)


class WorkerDied(RuntimeError):
    """A worker or the broker keeps ending by itself; the message holds the end of its log, or says where it is."""


def topic_specs(settings: Settings) -> list[TopicSpec]:
    """All topics, as these settings want them."""
    return [TopicSpec(t.name, t.partitions or settings.partitions, t.config(settings.max_message_bytes), settings.replication) for t in TOPICS]


def running_pipeline(settings: Settings) -> str | None:
    """Bootstrap servers of the pipeline that `pageloom up` runs on this data folder, if it does."""
    return find_running(broker_dir(settings)) if (settings.data_path / "up").exists() else None


def pipeline_owner(settings: Settings) -> int | None:
    """Process id of the `pageloom up` that runs on this data folder; None where none does, or it was killed."""
    announcement = _announcement(settings)
    return announcement[0] if announcement is not None else None


def announced_roots(settings: Settings) -> str | None:
    """`uri_roots` of the `pageloom up` that runs on this data folder, which need not be those of whoever asks; None where none runs."""
    announcement = _announcement(settings)
    return announcement[1] if announcement is not None else None


def _announcement(settings: Settings) -> tuple[int, str] | None:
    """What `announced` wrote: the process, and what it fetches from; None where nothing is written, or that process is gone."""
    try:
        owner, _, roots = (settings.data_path / "up").read_text().partition("\n")
        process = int(owner)
    except (OSError, ValueError):
        return None
    return (process, roots.strip()) if is_alive(process) else None


def worker_processes(settings: Settings) -> dict[str, int]:
    """Process ids of the workers that were last started on this data folder, by name; empty where none were, or they were stopped in order."""
    try:
        lines = (settings.data_path / WORKERS_FILE).read_text().splitlines()
    except OSError:
        return {}
    pairs = [line.split() for line in lines]
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdecimal()}


@contextmanager
def announced(settings: Settings) -> Iterator[None]:
    """Lets other commands of this machine use the pipeline meanwhile: one that a single command started is not theirs to use."""
    marker = settings.data_path / "up"
    marker.write_text(f"{os.getpid()}\n{without_userinfo(settings.uri_roots)}\n")
    try:
        yield
    finally:
        marker.unlink(missing_ok=True)


def broker_dir(settings: Settings) -> Path:
    """The embedded broker's folder."""
    return settings.data_path / "kafka"


def make_writable_folder(folder: Path) -> None:
    """Makes a folder where it is missing. Raises OSError where no file can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(bytes(PROBE_BYTES))


@contextmanager
def embedded_broker(settings: Settings) -> Iterator[tuple[Settings, EmbeddedKafka]]:
    """The embedded broker with all topics; gives the settings that lead to it, and the broker for `LocalWorkers` to watch."""
    data = settings.data_path
    try:
        make_writable_folder(data)
    except OSError as error:
        step = "free some space, or set PAGELOOM_DATA_DIR to another folder"
        raise SettingsError(f"nothing can be written to the data folder {data} ({error.strerror}); {step}") from error
    java = find_java(Path(settings.java) if settings.java else None, os.environ)
    jars = fetch_jars(default_cache_dir(os.environ))
    with EmbeddedKafka(broker_dir(settings), jars, java, port=settings.broker_port, max_message_bytes=settings.max_message_bytes) as broker:
        connected = msgspec.structs.replace(settings, bootstrap_servers=broker.bootstrap_servers, data_dir=str(data.absolute()))
        TopicAdmin(connected.bootstrap_servers).ensure_topics(topic_specs(connected))
        yield connected, broker


class _Deaths:
    """The latest deaths of one process (monotonic seconds): tells an accident from one that cannot live."""

    def __init__(self) -> None:
        self._times_s: deque[float] = deque(maxlen=MAX_DEATHS)

    def too_many_with(self, now_s: float) -> bool:
        """Counts one more, and says whether that makes `MAX_DEATHS` within `DEATHS_WITHIN_S`."""
        self._times_s.append(now_s)
        return len(self._times_s) == MAX_DEATHS and now_s - self._times_s[0] < DEATHS_WITHIN_S


class _Worker:
    """One worker process with its log."""

    def __init__(self, kinds: Sequence[str], environment: dict[str, str], log_path: Path, *, log_json: bool) -> None:
        self.name = "+".join(kinds)
        self.log_path = log_path
        self._log_json = log_json
        self._kinds = kinds
        self._environment = environment
        self._deaths = _Deaths()
        self._restart_at: float | None = None
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        # A session of its own: Ctrl-C at the terminal reaches the supervisor alone, which then stops the workers in order.
        command = [sys.executable, "-I", "-S", die_with_parent.__file__, str(os.getpid()), sys.executable, "-m", "streams.workers"]
        with self.log_path.open("ab") as output:
            return subprocess.Popen(
                [*command, *self._kinds],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def watch(self, now_s: float) -> None:
        """Starts the worker again after a death, and bounds its log. Raises WorkerDied after too many."""
        keep_small(self.log_path)
        status = self.process.poll()
        if status is None:
            return
        if self._restart_at is None:
            reason = why_ended(status)
            if status != 0:  # else it said so itself
                last_word(self.log_path, self.name, status, json=self._log_json)
            if self._deaths.too_many_with(now_s):
                raise WorkerDied(f"worker {self.name} ended {MAX_DEATHS} times within {DEATHS_WITHIN_S:g} s, the last time {reason}:\n{self.tail()}")
            event = "worker.died" if status else "worker.left"
            log.warning(event, worker=self.name, process=self.process.pid, reason=reason, log=str(self.log_path), next="it is started again")
            self._restart_at = now_s + RESTART_PAUSE_S
        elif now_s >= self._restart_at:
            self._restart_at = None
            self.process = self._start()

    def tail(self) -> str:
        """The end of the worker's log."""
        return log_tail(self.log_path)


class LocalWorkers:
    """The worker processes of one machine, as a context: started on entry, stopped in order on exit."""

    def __init__(self, settings: Settings, workers: Sequence[Sequence[str]] = WORKERS, *, broker: EmbeddedKafka | None = None) -> None:
        """`settings` lead to a broker that has the topics. A `broker` that is given is watched with the workers."""
        self._settings = settings
        self._broker = broker
        self._broker_deaths = _Deaths()
        self._kinds = workers
        self._workers: list[_Worker] = []

    def __enter__(self) -> "LocalWorkers":
        check_semaphores()  # before five deaths of each worker say it
        logs = self._settings.data_path / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PAGELOOM_")}
        environment = kept | environment_of(self._settings)
        for kinds in self._kinds:
            self._workers.append(_Worker(kinds, environment, logs / f"{'+'.join(kinds)}.log", log_json=self._settings.log_json))
        self._tell_processes()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop(STOP_TIMEOUT_S)

    @property
    def processes(self) -> dict[str, int]:
        """Process ids by worker."""
        return {worker.name: worker.process.pid for worker in self._workers}

    def watch(self) -> None:
        """Call it often: restarts what died. Raises WorkerDied, EmbeddedKafkaError."""
        if self._broker is not None and self._broker.pid is None:
            self._restart_broker(self._broker, time.monotonic())
        before = self.processes
        for worker in self._workers:
            worker.watch(time.monotonic())
        if self.processes != before:
            self._tell_processes()

    def _tell_processes(self) -> None:
        """Leaves word of who works here. A disk without room costs the word, not the worker."""
        lines = [f"{name} {pid}\n" for name, pid in self.processes.items()]
        with contextlib.suppress(OSError):
            (self._settings.data_path / WORKERS_FILE).write_text("".join(lines))

    def _restart_broker(self, broker: EmbeddedKafka, now_s: float) -> None:
        """Where it was: the workers know its address. Its data survives, and whoever waits for it connects again."""
        if self._broker_deaths.too_many_with(now_s):
            raise WorkerDied(
                f"Kafka ended {MAX_DEATHS} times within {DEATHS_WITHIN_S:g} s; look at {broker.log_path}, and at the memory and the disk"
            )
        log.warning("broker.died", log=str(broker.log_path))
        broker.kill()
        broker.start()
        if broker.bootstrap_servers != self._settings.bootstrap_servers:
            raise WorkerDied(f"Kafka ended, and another program took its address {self._settings.bootstrap_servers} meanwhile; start again")

    def stop(self, timeout_s: float) -> None:
        """Asks all to stop, waits for them together, kills what is left."""
        deadline = time.monotonic() + timeout_s
        running = [worker for worker in self._workers if worker.process.poll() is None]
        for worker in running:
            worker.process.terminate()
        for worker in running:
            try:
                worker.process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                log.warning("worker.killed", worker=worker.name, log=str(worker.log_path))
                worker.process.kill()
                worker.process.wait()
        self._workers.clear()
        (self._settings.data_path / WORKERS_FILE).unlink(missing_ok=True)
