"""The embedded broker as a process: starts, stops, is killed, keeps its data, and never outlives its owner."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.clients import producer_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.errors import BrokerStartError, FolderInUseError, JarError
from streams.kafka.folder import find_running, read_hint
from streams.kafka.jars import KAFKA_LOCK, fetch_jars
from streams.kafka.producing import Producing
from streams.kafka.records import OutputRecord
from tests.waiting import wait_until

STARTER = """
import sys, time
from pathlib import Path
from streams.kafka.embedded import EmbeddedKafka
folder, java, *jars = sys.argv[1:]
print(EmbeddedKafka(Path(folder), [Path(jar) for jar in jars], Path(java)).start().pid, flush=True)
time.sleep(600)
"""


def write(broker: EmbeddedKafka, value: bytes) -> None:
    TopicAdmin(broker.bootstrap_servers).ensure_topics([TopicSpec("kept", 1)])
    Producing(producer_config(broker.bootstrap_servers, "test")).send(OutputRecord("kept", None, value))


def records(broker: EmbeddedKafka) -> int:
    (listing,) = TopicAdmin(broker.bootstrap_servers).list_topics(["kept"])
    return listing.at_most_records


def test_a_port_of_ones_own_choice_is_kept_and_one_that_is_taken_is_told(tmp_path: Path, kafka_jars: list[Path], java: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        with pytest.raises(BrokerStartError, match=rf"port {port} of 127\.0\.0\.1 is taken by another program; .*broker_port"):
            EmbeddedKafka(tmp_path, kafka_jars, java, port=port).start()
    with EmbeddedKafka(tmp_path, kafka_jars, java, port=port) as broker:
        assert broker.bootstrap_servers == f"127.0.0.1:{port}"
        write(broker, b"1")


def test_data_survives_stop_and_kill_and_a_start_at_another_address(tmp_path: Path, kafka_jars: list[Path], java: Path) -> None:
    broker = EmbeddedKafka(tmp_path, kafka_jars, java).start()
    address = broker.bootstrap_servers
    try:
        assert find_running(tmp_path) == address
        write(broker, b"1")
        started_s = time.monotonic()
        broker.stop()
        print(f"stop {time.monotonic() - started_s:.2f} s")
        assert find_running(tmp_path) is None
        assert broker.pid is None
        broker.start()
        assert broker.bootstrap_servers == address
        assert records(broker) == 1
        write(broker, b"2")
        broker.kill()
        assert find_running(tmp_path) is None
    finally:
        broker.stop()
    started_s = time.monotonic()
    with EmbeddedKafka(tmp_path, kafka_jars, java) as elsewhere:
        print(f"start after a kill {time.monotonic() - started_s:.2f} s")
        assert elsewhere.bootstrap_servers != address
        assert records(elsewhere) == 2


def test_it_listens_on_this_machine_alone(kafka: EmbeddedKafka) -> None:
    listening = [c.laddr.ip for c in psutil.Process(kafka.pid).net_connections() if c.status == psutil.CONN_LISTEN]
    assert len(listening) == 2
    assert {address.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}


def test_a_second_start_on_the_folder_says_who_holds_it(kafka: EmbeddedKafka, kafka_jars: list[Path], java: Path) -> None:
    with pytest.raises(FolderInUseError, match=rf"process {os.getpid()} holds .* answers at {kafka.bootstrap_servers}"):
        EmbeddedKafka(kafka.data_dir, kafka_jars, java).start()
    assert find_running(kafka.data_dir) == kafka.bootstrap_servers


def test_a_hint_of_another_cluster_is_not_believed(kafka: EmbeddedKafka, tmp_path: Path) -> None:
    text = (kafka.data_dir / "broker.json").read_text()
    hint = read_hint(kafka.data_dir)
    assert hint is not None
    (tmp_path / "broker.json").write_text(text.replace(hint.cluster_id, "another"))
    assert find_running(tmp_path) is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_it_ends_when_its_starter_is_killed_and_the_folder_is_free(tmp_path: Path, kafka_jars: list[Path], java: Path) -> None:
    command = [sys.executable, "-c", STARTER, str(tmp_path), str(java), *map(str, kafka_jars)]
    starter = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    assert starter.stdout is not None
    pid = int(starter.stdout.readline())
    assert psutil.pid_exists(pid)
    starter.send_signal(signal.SIGKILL)
    starter.wait()
    starter.stdout.close()
    # Not waiting for its end: a new start has to do that by itself.
    with EmbeddedKafka(tmp_path, kafka_jars, java) as broker:
        assert broker.pid != pid
    wait_until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE, 5, "the orphaned broker is gone")


def test_a_broker_that_cannot_start_says_why(tmp_path: Path, kafka_jars: list[Path], java: Path) -> None:
    with pytest.raises(BrokerStartError, match=r"Invalid value -7 for configuration num\.network\.threads"):
        EmbeddedKafka(tmp_path, kafka_jars, java, overrides={"num.network.threads": "-7"}).start()
    assert find_running(tmp_path) is None


def test_a_tampered_lock_is_a_clear_error(tmp_path: Path) -> None:
    line = next(line for line in KAFKA_LOCK.read_text().splitlines() if "jspecify" in line)
    coordinates, sha256, size = line.split()
    lock = tmp_path / "tampered.lock"
    lock.write_text(f"{coordinates} {'0' * 64} {size}\n")
    with pytest.raises(JarError, match=f"org.jspecify:jspecify:1.0.0 has SHA-256 {sha256}, expected 000"):
        fetch_jars(tmp_path / "cache", lock)
    assert list((tmp_path / "cache").iterdir()) == []
