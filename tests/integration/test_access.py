"""The whole pipeline on a broker that asks everybody for a password (SCRAM) and allows nobody more than `streams.access` says."""

import contextlib
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pymupdf
import pytest
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from samples.make_samples import harvest
from schemas.events import DocumentOptions, Format
from streams import local
from streams.access import CONSOLE, GROUPS, PROGRAMS, PUBLISHER, READER, STAGES, Operation, Resource, rules_of
from streams.following import DocumentFinished, Follower
from streams.index.sinks import open_reader
from streams.kafka.admin import TopicAdmin
from streams.kafka.clients import producer_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.errors import DeliveryError
from streams.kafka.producing import Producing
from streams.kafka.reading import RecordReader
from streams.kafka.records import OutputRecord
from streams.loading import load_settings
from streams.publishing import Publisher
from streams.settings import Settings
from streams.topics import DEAD_LETTERS, PARSED
from tests.waiting import wait_until

PASSWORD = "for-this-test-alone"
MESSAGE_BYTES = 16 * 2**20
ITERATIONS = 4096
"""The least that the broker takes."""
RESOURCES = {Resource.TOPIC: ResourceType.TOPIC, Resource.GROUP: ResourceType.GROUP, Resource.TRANSACTION: ResourceType.TRANSACTIONAL_ID}
OPERATIONS = {
    Operation.READ: AclOperation.READ,
    Operation.WRITE: AclOperation.WRITE,
    Operation.DESCRIBE: AclOperation.DESCRIBE,
    Operation.DESCRIBE_CONFIGS: AclOperation.DESCRIBE_CONFIGS,
}


class AskingKafka(EmbeddedKafka):
    """The embedded broker with a listener that wants a password, and an authorizer. Who comes in by the other listener may do everything."""

    def __init__(self, data_dir: Path, jars: list[Path], java: Path) -> None:
        super().__init__(data_dir, jars, java)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{taken.getsockname()[1]}"

    def _write_properties(self, port: int, controller_port: int) -> None:
        super()._write_properties(port, controller_port)
        listeners = f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port},ASKING://{self.address}"
        asking = {
            "listeners": listeners,
            "advertised.listeners": listeners,
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,ASKING:SASL_PLAINTEXT",
            "listener.name.asking.sasl.enabled.mechanisms": "SCRAM-SHA-512",
            "listener.name.asking.scram-sha-512.sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required;",
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "allow.everyone.if.no.acl.found": "false",
            "super.users": "User:ANONYMOUS",
        }
        with (self.data_dir / "server.properties").open("a", encoding="utf-8") as file:  # of a name that comes twice, the last counts
            file.writelines(f"{name}={value}\n" for name, value in asking.items())


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory, kafka_jars: list[Path], java: Path) -> Iterator[AskingKafka]:
    """The broker with all topics, and a user for each kind of worker and program."""
    with AskingKafka(tmp_path_factory.mktemp("asking") / "kafka", kafka_jars, java) as broker:
        TopicAdmin(broker.bootstrap_servers).ensure_topics(local.topic_specs(load_settings({})))
        admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
        info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS)
        users = [UserScramCredentialUpsertion(who, info, PASSWORD.encode()) for who in (*STAGES, *PROGRAMS)]
        for future in admin.alter_user_scram_credentials(users).values():
            future.result(30)
        for created in admin.create_acls([binding for who in (*STAGES, *PROGRAMS) for binding in bindings(who)]).values():
            created.result(30)
        yield broker


def bindings(who: str) -> list[AclBinding]:
    return [
        AclBinding(
            RESOURCES[rule.resource],
            rule.name,
            ResourcePatternType.PREFIXED if rule.prefixed else ResourcePatternType.LITERAL,
            f"User:{who}",
            "*",
            OPERATIONS[rule.operation],
            AclPermissionType.ALLOW,
        )
        for rule in rules_of(who)
    ]


def settings_of(who: str, broker: AskingKafka, data: Path) -> Settings:
    security = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "SCRAM-SHA-512", "sasl.username": who, "sasl.password": PASSWORD}
    return load_settings({}, bootstrap_servers=broker.address, kafka_security=security, data_dir=str(data), read_processes=1, engine_processes=1)


def half_a_scan(path: Path) -> None:
    """Two pages: one with text, one that is a picture of it, so that every kind of worker has something to do."""
    with harvest() as source, pymupdf.open() as made:
        made.insert_pdf(source, to_page=0)
        page = made.new_page(width=source[0].rect.width, height=source[0].rect.height)
        page.insert_image(page.rect, pixmap=source[0].get_pixmap(dpi=100))
        made.save(path)


@pytest.mark.timeout(300)
def test_a_document_passes_all_stages_with_the_least_that_each_may_do(asking: AskingKafka, tmp_path: Path) -> None:
    half_a_scan(tmp_path / "half.pdf")
    follower = Follower(settings_of(READER, asking, tmp_path))
    with ExitStack() as running:
        workers = [running.enter_context(local.LocalWorkers(settings_of(who, asking, tmp_path), ((who,),))) for who in STAGES]
        Publisher(settings_of(PUBLISHER, asking, tmp_path)).publish_file(tmp_path / "half.pdf", "half", DocumentOptions(formats=(Format.MARKDOWN,)))
        ended: list[DocumentFinished] = []

        def is_searchable() -> bool:
            for worker in workers:
                worker.watch()
            ended.extend(event for _, event in follower.events(0.2) if isinstance(event, DocumentFinished))
            return bool(ended) and bool(found(settings_of(CONSOLE, asking, tmp_path)))

        wait_until(is_searchable, timeout_s=200, what="the document is found")
        console = TopicAdmin(asking.address, settings_of(CONSOLE, asking, tmp_path).kafka_security)
        assert set(console.group_members(list(GROUPS.values())).values()) == {1}
        for who in STAGES:  # what their own metrics ask
            own = TopicAdmin(asking.address, settings_of(who, asking, tmp_path).kafka_security)
            assert own.group_members([GROUPS[who]]) == {GROUPS[who]: 1}
    follower.close()
    assert ended[0].status == "complete"
    assert (ended[0].renderings[0].text or "").count("Harvest of 1986") == 2
    reader = RecordReader(asking.bootstrap_servers, "letters", max_message_bytes=MESSAGE_BYTES)
    assert not list(reader.since([DEAD_LETTERS.name], 0))


def found(settings: Settings) -> bool:
    """Whether the index has the document already."""
    with contextlib.suppress(FileNotFoundError):  # its worker has not made it yet
        return bool(open_reader(settings).search("harvest", 1).hits)
    return False


def test_who_may_submit_may_not_say_what_became_of_it(asking: AskingKafka, tmp_path: Path) -> None:
    settings = settings_of(PUBLISHER, asking, tmp_path)
    producing = Producing(producer_config(settings.bootstrap_servers, "publisher", settings.kafka_security))
    with pytest.raises(DeliveryError, match=r"(?i)authoriz"):
        producing.send(OutputRecord(PARSED.name, b"half", b""))
