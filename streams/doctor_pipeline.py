"""The part of `pageloom doctor` that looks at what runs: who works, what waits, what failed, how the logs end, the search index."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from streams import failures, local
from streams.findings import Finding
from streams.index.sink import SinkUnavailable
from streams.index.sinks import OPENSEARCH, check_search_settings
from streams.kafka.admin import TopicAdmin
from streams.kafka.errors import KafkaClientError
from streams.kafka.folder import is_alive
from streams.settings import Settings, SettingsError
from streams.telemetry.groups import GROUPS, GroupLag
from streams.telemetry.metrics import LAG, MEMBERS
from streams.topics import DAY_MS

MARKERS_A_PARTITION = 2
"""Offsets of transactions' marks at the end of a partition: they are never read, so a group seems that far behind for good."""
LOG_TAIL_BYTES = 64 * 1024
KINDS = {"document": "document", "page": "page", "letter": "dead letter"}
"""Of failures, and what people call them."""
_COLORS = re.compile(r"\x1b\[[0-9;]*m")


def pipeline(settings: Settings, servers: str) -> Iterator[Finding]:
    """Workers, lag and failures of a Kafka that answers and has its topics; `servers` is that of this machine where the settings name none."""
    admin = TopicAdmin(servers, settings.kafka_security, timeout_s=5.0)
    lag = GroupLag(admin, GROUPS)
    readings = lag.readings()
    if problem := lag.error():
        yield Finding(subject="workers", ok=False, state=problem, next_step="look at the broker's log")
        return
    for group in GROUPS:
        members = sum(int(r.value) for r in readings if r.metric is MEMBERS and r.labels == (group.name,))
        waiting = sum(int(r.value) for r in readings if r.metric is LAG and r.labels[0] == group.name)
        few = MARKERS_A_PARTITION * settings.partitions * len(group.topics)
        before = f"some {waiting} records before it" if waiting > few else "nothing waits"
        state = f"{members or 'no'} worker{'' if members == 1 else 's'}, {before}"
        step = "" if members else _way_back(settings, group.name)
        yield Finding(subject=group.name, ok=members > 0, state=state, next_step=step, needed=waiting > few)
    yield _failures(msgspec.structs.replace(settings, bootstrap_servers=servers))


def _way_back(settings: Settings, kind: str) -> str:
    """What brings a kind of worker back that is no member of its group: by hand, or under `pageloom up`, which starts its workers by itself."""
    supervisor = None if settings.bootstrap_servers else local.pipeline_owner(settings)
    if supervisor is None:
        return f"start one: `pageloom worker {kind}`; its log says why it ended"
    name, process = next(((name, pid) for name, pid in local.worker_processes(settings).items() if kind in name.split("+")), (kind, None))
    log = settings.data_path / "logs" / f"{name}.log"
    if process is None or not is_alive(process):
        return f"`pageloom up` (process {supervisor}) starts it again within seconds; if this stays, {log} says why it ends"
    return (
        f"its process {process} runs, and has not joined its group: a start takes some seconds; if this stays, see {log}, "
        f"and `kill -9 {process}`: `pageloom up` (process {supervisor}) then starts it again"
    )


def _failures(settings: Settings) -> Finding:
    """The same that `pageloom failed list` lists, counted: an offset more or less is no failure."""
    try:
        counts = Counter(entry.kind for entry in failures.list_failures(settings, time.time_ns() // 1_000_000))
    except KafkaClientError as error:
        return Finding(subject="failures", ok=False, state=str(error), next_step="look at the broker's log", needed=False)
    some = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for kind, name in KINDS.items() if (count := counts[kind]))
    state = f"{some} in the last {failures.DEFAULT_AGE_MS // DAY_MS} days" if some else "none"
    return Finding(subject="failures", ok=not some, state=state, next_step="`pageloom failed list` says which, and why", needed=False)


def logs(settings: Settings) -> Iterator[Finding]:
    """What the workers of this machine said when they last could not go on."""
    for path in sorted((settings.data_path / "logs").glob("*.log")):
        said = last_failure(path)
        if said:
            step = f"it was not started again since; read the end of {path}"
            yield Finding(subject=f"log of {path.stem}", ok=False, state=f"worker.failed: {said}", next_step=step, needed=False)


def last_failure(path: Path) -> str:
    """What a worker's log says why it failed, where that is how the log ends: nothing was started again since. Empty for none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LOG_TAIL_BYTES))
            lines = _COLORS.sub("", file.read().decode("utf-8", "replace")).splitlines()
    except OSError as error:
        return f"its log cannot be read ({error.strerror})"
    failed = ""
    for line in lines:
        if ".started" in line:
            failed = ""
        elif "worker.failed" in line:
            found = re.search(r'"error": "([^"]*)"|error=(.*?)(?: worker=|$)', line)
            failed = next((part for part in found.groups() if part), line) if found else line
    failed = failed.strip()
    is_quoted = len(failed) > 1 and failed[0] == failed[-1] and failed[0] in "'\""
    return (failed[1:-1] if is_quoted else failed)[:400]


def index(settings: Settings) -> Finding:
    """The search index that the settings name."""
    subject = "search index"
    try:
        check_search_settings(settings)
        if settings.search_index == OPENSEARCH:
            from streams.index.opensearch_client import connect  # noqa: PLC0415 - an extra

            return Finding(subject=subject, ok=True, state=connect(settings).state())
        if not (settings.index_path / "meta.json").exists():
            return Finding(subject=subject, ok=False, state="none yet", next_step="nothing; the first parsed document makes it", needed=False)
        from streams.index.tantivy_index import TantivyReader  # noqa: PLC0415 - a native library

        return Finding(subject=subject, ok=True, state=f"{settings.index_path}, {TantivyReader(settings.index_path).chunks()} chunks")
    except SettingsError as error:
        return Finding(subject=subject, ok=False, state=str(error), next_step="do as it says; documents are parsed meanwhile, and wait to be indexed")
    except SinkUnavailable as error:
        return Finding(subject=subject, ok=False, state=str(error), next_step="start it; nothing is lost, documents wait on documents.parsed")
