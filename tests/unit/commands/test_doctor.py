"""`pageloom doctor` in broken states: it says what is wrong, and what to do."""

import os
import threading
from pathlib import Path

import pytest
import tantivy

from streams import doctor, doctor_pipeline, failures, local, semaphores
from streams.failures import FailureEntry
from streams.findings import Finding
from streams.index.tantivy_index import TantivySink
from streams.infer import infer_config
from streams.kafka.admin import TopicAdmin
from streams.kafka.errors import BrokerUnreachableError, TopicMismatchError
from streams.settings import Settings
from streams.telemetry.groups import GROUPS
from streams.workers import WorkerKind, run_workers


def test_an_index_of_another_version_and_one_that_is_fine(tmp_path: Path) -> None:
    settings = Settings(index_dir=str(tmp_path / "index"))
    found = doctor_pipeline.index(settings)
    assert (found.ok, found.needed) == (False, False)
    TantivySink(settings.index_path).close()
    found = doctor_pipeline.index(settings)
    assert found.ok
    assert "0 chunks" in found.state
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body")
    other = Settings(index_dir=str(tmp_path / "other"))
    other.index_path.mkdir()
    tantivy.Index(builder.build(), path=str(other.index_path))
    found = doctor_pipeline.index(other)
    assert (found.ok, found.needed) == (False, True)
    assert "remove the folder" in found.state


def test_shared_memory_that_nobody_may_write_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers died of it with a traceback that ended in a number, and the doctor found nothing."""
    refused = type("Context", (), {"Lock": lambda _: os.open("/dev/null/x", os.O_RDONLY)})
    assert doctor._shared_memory().ok
    monkeypatch.setattr(semaphores.multiprocessing, "get_context", lambda _: refused())
    found = doctor._shared_memory()
    assert not found.ok
    assert "/dev/shm" in found.state
    assert found.next_step.startswith("mount a tmpfs")
    with pytest.raises(semaphores.NoSemaphores, match="chmod 1777 /dev/shm"):
        run_workers(frozenset({WorkerKind.ASSEMBLE}), Settings(bootstrap_servers="127.0.0.1:1"), threading.Event())


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"search_index": "lucene"}, "allowed are"),
        ({"search_index": "opensearch"}, "opensearch_url is empty"),
        ({"search_index": "opensearch", "opensearch_url": "http://127.0.0.1:1"}, "does not answer"),
    ],
)
def test_an_index_that_cannot_be_used_is_said(changed: dict[str, str], said: str) -> None:
    found = doctor_pipeline.index(Settings(**changed))
    assert (found.ok, found.needed) == (False, True)
    assert said in found.state
    assert found.next_step


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("2026 [info ] infer.started\n2026 [error    ] worker.failed                  error=no engine 'x' worker=infer\n", "no engine 'x'"),
        ('{"event": "infer.started"}\n{"worker": "infer", "error": "no engine", "event": "worker.failed"}\n', "no engine"),
        ("worker.failed error=old worker=infer\n2026 [info ] infer.started\n", ""),
        ("\x1b[31mworker.failed\x1b[0m error=red worker=infer\n", "red"),
        ("nothing to tell\n", ""),
        ("", ""),
    ],
)
def test_how_a_log_ends(tmp_path: Path, lines: str, said: str) -> None:
    path = tmp_path / "infer.log"
    path.write_text("x" * 100_000 + "\n" + lines)
    assert doctor_pipeline.last_failure(path) == said


class ScriptedAdmin(TopicAdmin):
    """Answers as a cluster with these members, and records before each group."""

    def __init__(self, members: dict[str, int], waiting: int) -> None:
        self._members, self._waiting = members, waiting

    def list_topics(self, names: object = None) -> list:
        def listing(name: str) -> object:
            ranges = ((0, self._waiting if name.startswith("documents.parsed") else 0),)
            return type("Listing", (), {"name": name, "ranges": ranges, "at_most_records": ranges[0][1]})()

        return [listing(name) for name in names]

    def group_members(self, groups: object) -> dict[str, int]:
        return {group: self._members.get(group, 0) for group in groups}

    def committed_offsets(self, group: str, names: object) -> dict:
        return {}


def states(monkeypatch: pytest.MonkeyPatch, admin: ScriptedAdmin, kinds: tuple[str, ...] = ()) -> dict[str, Finding]:
    monkeypatch.setattr(doctor_pipeline, "TopicAdmin", lambda *_, **__: admin)
    failed = [FailureEntry(kind=kind, time_ms=1, document_id="d", code="damaged", stage="read", message="") for kind in kinds]
    monkeypatch.setattr(failures, "list_failures", lambda settings, _now_ms: failed if settings.bootstrap_servers == "b:1" else None)
    return {finding.subject: finding for finding in doctor_pipeline.pipeline(Settings(), "b:1")}


def test_a_kind_without_workers_is_needed_where_work_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    found = states(monkeypatch, ScriptedAdmin({"pageloom-open": 2, "pageloom-read": 1}, waiting=500), ("document", "letter", "document"))
    assert (found["open"].ok, found["open"].state) == (True, "2 workers, nothing waits")
    assert (found["infer"].ok, found["infer"].needed) == (False, False)
    assert (found["index"].ok, found["index"].needed) == (False, True)
    assert found["index"].state == "no workers, some 500 records before it"
    assert "pageloom worker index" in found["index"].next_step
    assert found["failures"].state == "2 documents, 1 dead letter in the last 7 days", "as many as `pageloom failed list` lists"


def test_marks_of_transactions_are_no_records_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    found = states(monkeypatch, ScriptedAdmin({"pageloom-index": 1}, waiting=8))
    assert (found["index"].state, found["failures"].ok) == ("1 worker, nothing waits", True)


@pytest.mark.parametrize(
    ("error", "subject", "step"),
    [
        (BrokerUnreachableError("no broker at b:1"), "Kafka at b:1", "start Kafka"),
        (TopicMismatchError("topics are missing: documents.ingest"), "topics", "pageloom topics"),
    ],
)
def test_a_broker_that_is_away_and_topics_that_are_missing_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, error: Exception, subject: str, step: str
) -> None:
    class Broken:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def await_broker(self, *_: object) -> bool:
            if isinstance(error, BrokerUnreachableError):
                raise error
            return True

        def verify_topics(self, _: object) -> None:
            raise error

    monkeypatch.setattr(doctor, "TopicAdmin", Broken)
    found = list(doctor._configured_kafka(Settings(bootstrap_servers="b:1")))[-1]
    assert (found.subject, found.ok) == (subject, False)
    assert step in found.next_step


def test_the_groups_whose_lag_is_told_are_those_that_recognition_reads_in() -> None:
    config = infer_config(Settings())
    (told,) = [group.topics for group in GROUPS if group.name == "infer"]
    assert {topic: config.group_of(topic) for topic in config.topics} == told
    assert len(set(told.values())) == 2, "one group for both would give the express windows to one worker and the rest to another"


def test_a_kafka_that_its_supervisor_starts_again_is_not_well(tmp_path: Path) -> None:
    """Right after its death the doctor said that all is well."""
    settings = Settings(data_dir=str(tmp_path))
    (tmp_path / "up").write_text(f"{os.getpid()}\n")
    found = next(doctor._embedded_kafka(settings, {}))
    assert (found.ok, found.needed) == (False, True)
    assert f"process {os.getpid()}" in found.state
    assert "started again by itself" in found.next_step


def test_under_up_a_missing_worker_is_named_with_process_and_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pageloom worker KIND` is no advice there: it would ask for the address of a Kafka."""
    monkeypatch.setattr(doctor_pipeline, "TopicAdmin", lambda *_, **__: ScriptedAdmin({"pageloom-open": 1}, waiting=0))
    monkeypatch.setattr(failures, "list_failures", lambda *_: [])
    (tmp_path / "up").write_text(f"{os.getpid()}\n")
    (tmp_path / "workers").write_text(f"open+read {os.getpid()}\ninfer 4194305\nnonsense\n")
    found = {finding.subject: finding for finding in doctor_pipeline.pipeline(Settings(data_dir=str(tmp_path)), "b:1")}
    assert (found["open"].ok, found["open"].next_step) == (True, "")
    assert f"kill -9 {os.getpid()}" in found["read"].next_step
    assert str(tmp_path / "logs" / "open+read.log") in found["read"].next_step
    assert "starts it again within seconds" in found["infer"].next_step
    assert str(tmp_path / "logs" / "infer.log") in found["infer"].next_step
    elsewhere = doctor_pipeline.pipeline(Settings(data_dir=str(tmp_path), bootstrap_servers="b:1"), "b:1")
    assert [f.next_step for f in elsewhere if f.subject == "infer"] == ["start one: `pageloom worker infer`; its log says why it ended"]


def test_what_a_killed_supervisor_left_is_no_pipeline(tmp_path: Path) -> None:
    settings = Settings(data_dir=str(tmp_path))
    for left in ("4194305\n", "no number", ""):
        (tmp_path / "up").write_text(left)
        assert local.pipeline_owner(settings) is None
    assert next(doctor._embedded_kafka(settings, {})).ok
