"""What the repository promises about itself: compose file, wheel, imports that do nothing."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest
import yaml

from schemas.errors import Code
from streams.settings import PREFIX, Settings, load_settings
from streams.topics import TOPICS
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
    for name, service in services.items():
        environment = {k: v for k, v in service.get("environment", {}).items() if k.startswith(PREFIX)}
        if name != "kafka":
            assert load_settings(environment).bootstrap_servers == "kafka:9092"


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
    needed = {"schemas/avsc/DocumentParsed.avsc", "schemas/document.schema.json", "streams/kafka/kafka.lock"}
    assert needed <= set(names)
    assert not [n for n in names if "test" in n]


@pytest.mark.parametrize("module", ["schemas.codec", "streams.settings", "streams.workers", "streams.cli", "streams.app", "inference.consumer"])
def test_import_loads_no_heavy_library_and_touches_no_network(module: str) -> None:
    heavy = ["torch", "transformers", "rapidocr", "onnxruntime", "cv2"]
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


def test_packages_import_in_one_direction() -> None:
    """schemas knows nobody, inference knows schemas, a stage of streams knows no other stage."""
    stages = ("ingest", "read", "assemble", "index")
    allowed_common = ("schemas", "streams.kafka", "streams.settings", "streams.topics", "streams.sandbox", "streams.letters")
    for path in [p for folder in ("schemas", "inference", "streams") for p in (ROOT / folder).rglob("*.py")]:
        lines = [line.split()[1] for line in path.read_text().splitlines() if line.startswith(("from ", "import "))]
        ours = [name for name in lines if name.split(".")[0] in ("schemas", "inference", "streams")]
        place = path.relative_to(ROOT).parts
        if place[0] == "schemas":
            assert all(name.startswith("schemas") for name in ours), path
        elif place[0] == "inference":
            assert all(name.split(".")[0] in ("schemas", "inference") for name in ours), path
        elif len(place) > 2 and place[1] in stages:
            own = f"streams.{place[1]}"
            assert all(name.startswith((own, *allowed_common)) for name in ours), (path, ours)
        elif len(place) > 2 and place[1] == "kafka":
            assert all(name.startswith("streams.kafka") for name in ours), (path, ours)


def test_one_door_per_library() -> None:
    doors = {
        "fastavro": ("schemas/codec.py", "schemas/derivation.py"),
        "fsspec": ("schemas/blobs.py",),
        "tantivy": ("streams/index/tantivy_index.py",),
        "faust": ("streams/app.py", "streams/faust_"),
        "confluent_kafka": ("streams/kafka/", "streams/index/worker.py", "streams/following.py", "inference/consumer.py", "inference/kafka_"),
        "pymupdf": ("streams/ingest/", "streams/read/"),
        "rapidocr": ("inference/engines/",),
        "typer": ("streams/cli.py",),
    }
    for path in [p for folder in ("schemas", "inference", "streams") for p in (ROOT / folder).rglob("*.py")]:
        relative = path.relative_to(ROOT).as_posix()
        for line in path.read_text().splitlines():
            words = line.split()
            if len(words) > 1 and words[0] in ("from", "import"):
                library = words[1].split(".")[0]
                assert library not in doors or relative.startswith(doors[library]), (relative, library)


def test_settings_are_documented() -> None:
    """Every setting has a value that a person can see without reading code."""
    text = (ROOT / "docs" / "settings.md").read_text()
    missing = [f.name for f in msgspec.structs.fields(Settings) if f"`{f.name}`" not in text]
    assert not missing


def test_topics_and_codes_are_documented() -> None:
    text = (ROOT / "docs" / "topics.md").read_text()
    assert not [t.name for t in TOPICS if f"`{t.name}`" not in text]
    assert not [code.value for code in Code if f"`{code.value}`" not in text]
    assert not [event for t in TOPICS for event in t.events if event != "DocumentRecorded" and f"`{event}`" not in text]
