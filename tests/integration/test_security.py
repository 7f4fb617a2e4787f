"""The whole pipeline on a broker that lets nobody in without TLS: a password over TLS (SASL), or a certificate of the client (mutual TLS)."""

import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from schemas.events import DocumentOptions, Format
from streams import local
from streams.following import DocumentFinished, Follower
from streams.kafka.admin import TopicAdmin
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.errors import BrokerUnreachableError
from streams.loading import load_settings
from streams.publishing import Publisher
from streams.settings import Settings
from tests.certificates import Authority
from tests.waiting import wait_until

PASSWORD = "for-this-test-alone"


class GuardedKafka(EmbeddedKafka):
    """The embedded broker with two more listeners; clients are told of these alone."""

    def __init__(self, data_dir: Path, jars: list[Path], java: Path, authority: Authority) -> None:
        super().__init__(data_dir, jars, java)
        certificate, key = authority.issue("broker")
        store = data_dir.parent / "broker-store.pem"
        store.write_bytes(key.read_bytes() + certificate.read_bytes())
        self._tls = {
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": str(store),
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": str(authority.path),
        }
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            second.bind(("127.0.0.1", 0))
            self.sasl, self.mutual = (f"127.0.0.1:{taken.getsockname()[1]}" for taken in (first, second))

    def _write_properties(self, port: int, controller_port: int) -> None:
        super()._write_properties(port, controller_port)
        listeners = f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port},SASL://{self.sasl},MUTUAL://{self.mutual}"
        login = f'org.apache.kafka.common.security.plain.PlainLoginModule required user_pageloom="{PASSWORD}";'
        guarded = {
            **self._tls,
            "listeners": listeners,
            "advertised.listeners": listeners,
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_SSL,MUTUAL:SSL",
            "listener.name.sasl.sasl.enabled.mechanisms": "PLAIN",
            "listener.name.sasl.plain.sasl.jaas.config": login,
            "listener.name.mutual.ssl.client.auth": "required",
        }
        with (self.data_dir / "server.properties").open("a", encoding="utf-8") as file:  # of a name that comes twice, the last counts
            file.writelines(f"{name}={value}\n" for name, value in guarded.items())


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, kafka_jars: list[Path], java: Path, authority: Authority) -> Iterator[GuardedKafka]:
    with GuardedKafka(tmp_path_factory.mktemp("guarded") / "kafka", kafka_jars, java, authority) as broker:
        yield broker


def by_password(broker: GuardedKafka, authority: Authority, password: str = PASSWORD) -> tuple[str, Mapping[str, str]]:
    return broker.sasl, {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.username": "pageloom",
        "sasl.password": password,
        "ssl.ca.location": str(authority.path),
    }


def by_certificate(broker: GuardedKafka, authority: Authority) -> tuple[str, Mapping[str, str]]:
    certificate, key = authority.issue("client")
    files = {"ssl.certificate.location": str(certificate), "ssl.key.location": str(key), "ssl.ca.location": str(authority.path)}
    return broker.mutual, {"security.protocol": "SSL", **files}


@pytest.mark.parametrize("way", [by_password, by_certificate])
def test_a_document_passes_all_stages_of_a_guarded_broker(way: object, guarded: GuardedKafka, authority: Authority, tmp_path: Path) -> None:
    assert callable(way)
    address, security = way(guarded, authority)
    settings = load_settings({}, bootstrap_servers=address, kafka_security=dict(security), data_dir=str(tmp_path), read_processes=1)
    TopicAdmin(address, security).ensure_topics(local.topic_specs(settings))
    note = tmp_path / "note.md"
    note.write_text("# Guarded\n\nNobody reads this on the way.\n")
    follower = Follower(settings)
    with local.LocalWorkers(settings) as workers:
        Publisher(settings).publish_file(note, way.__name__, DocumentOptions(formats=(Format.MARKDOWN,)))
        ended: list[object] = []

        def is_ended() -> bool:
            workers.watch()
            ended.extend(event for record, event in follower.events(0.2) if record.key == way.__name__.encode())
            return any(isinstance(event, DocumentFinished) for event in ended)

        wait_until(is_ended, timeout_s=90, what="the document ends")
    follower.close()
    (finished,) = [event for event in ended if isinstance(event, DocumentFinished)]
    assert finished.renderings[0].text == note.read_text()


def settings_with(guarded: GuardedKafka, authority: Authority, password: str) -> Settings:
    address, security = by_password(guarded, authority, password)
    return load_settings({}, bootstrap_servers=address, kafka_security=dict(security))


def test_a_wrong_password_is_told_and_never_shown(guarded: GuardedKafka, authority: Authority) -> None:
    settings = settings_with(guarded, authority, "wrong-password")
    with pytest.raises(BrokerUnreachableError) as caught:
        TopicAdmin(settings.bootstrap_servers, settings.kafka_security, timeout_s=5.0).list_topics([])
    assert "Invalid username or password" in str(caught.value)
    assert "wrong-password" not in str(caught.value)


def test_a_broker_whose_certificate_nobody_vouches_for_is_told(guarded: GuardedKafka, authority: Authority, tmp_path: Path) -> None:
    address, security = by_password(guarded, authority)
    stranger = Authority(tmp_path)
    with pytest.raises(BrokerUnreachableError, match=r"certificate.*check user, password, certificates"):
        TopicAdmin(address, {**security, "ssl.ca.location": str(stranger.path)}, timeout_s=5.0).list_topics([])
