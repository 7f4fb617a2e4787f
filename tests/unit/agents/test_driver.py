"""Which offsets may move: never past work in flight, in whatever order it finishes."""

import asyncio
import random
import ssl
from pathlib import Path

import certifi
import pytest
from confluent_kafka import Consumer
from faust.tables.recovery import RebalanceAgain
from faust.types import TP
from hypothesis import given
from hypothesis import strategies as st

from streams import app
from streams.agents.driver import CommittedConsumerThread, PartitionProgress, PatientRecovery, credentials_of, new_app
from streams.kafka.clients import producer_config, reader_config
from streams.kafka.errors import KafkaClientError
from streams.kafka.producing import Producing
from streams.settings import Settings


@given(st.lists(st.sampled_from("ab"), max_size=30), st.randoms(use_true_random=False))
def test_messages_are_released_in_order_without_gaps(places: list[str], chance: random.Random) -> None:
    progress = PartitionProgress()
    begun: dict[str, list[object]] = {"a": [], "b": []}
    for place in places:
        message = object()
        begun[place].append(message)
        progress.begin(place, message)
    work = [(place, message) for place, messages in begun.items() for message in messages]
    chance.shuffle(work)
    finished: set[int] = set()
    released: dict[str, list[object]] = {"a": [], "b": []}
    for place, message in work:
        finished.add(id(message))
        released[place] += progress.finish(place, message)
        assert released[place] == begun[place][: len(released[place])]
        assert all(id(m) in finished for m in released[place])
        following = begun[place][len(released[place]) :]
        assert not following or id(following[0]) not in finished, "what is finished without a gap is released at once"
    assert released == begun


def test_a_message_of_an_earlier_assignment_is_let_go() -> None:
    progress = PartitionProgress()
    old, new = object(), object()
    progress.begin(("p", 1), old)
    progress.begin(("p", 2), new)
    assert progress.finish(("p", 2), new) == [new]
    assert progress.finish(("p", 1), old) == [old]
    assert progress.finish(("p", 1), old) == []


SASL = {"security.protocol": "sasl_plaintext", "sasl.username": "u", "sasl.password": "HIDDEN"}


def test_no_security_is_no_credentials() -> None:
    assert credentials_of({}) is None
    assert credentials_of({"security.protocol": "plaintext"}) is None


@pytest.mark.parametrize("name", ["sasl.mechanism", "sasl.mechanisms"])
@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_user_and_password(name: str, mechanism: str) -> None:
    made = credentials_of({**SASL, name: mechanism})
    assert (made.username, made.password, made.mechanism.value, made.ssl_context) == ("u", "HIDDEN", mechanism, None)
    assert made.protocol.value == "SASL_PLAINTEXT"
    assert "HIDDEN" not in repr(made)
    assert credentials_of(SASL).mechanism.value == "PLAIN"


def test_tls_checks_who_the_broker_is() -> None:
    authorities = certifi.where()
    for security in ({"security.protocol": "SSL"}, {**SASL, "security.protocol": "SASL_SSL"}):
        made = credentials_of({**security, "ssl.ca.location": authorities})
        assert made.protocol.value == security["security.protocol"]
        assert (made.context if security["security.protocol"] == "SSL" else made.ssl_context).verify_mode is ssl.CERT_REQUIRED
        assert (made.context if security["security.protocol"] == "SSL" else made.ssl_context).check_hostname


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"security.protocol": "SASL_SSL", "sasl.kerberos.principal": "HIDDEN"}, r"sasl\.kerberos\.principal"),
        ({**SASL, "sasl.mechanism": "GSSAPI"}, "SCRAM-SHA-512"),
        ({**SASL, "sasl.mechanism": "OAUTHBEARER"}, "known are"),
        ({"security.protocol": "SASL_PLAINTEXT", "sasl.password": "HIDDEN"}, r"sasl\.username"),
        ({"security.protocol": "TLS"}, "none of"),
        ({"security.protocol": "SSL", "ssl.ca.location": "/nowhere/ca.pem"}, "cannot be used"),
        ({"security.protocol": "SSL", "ssl.certificate.location": "/nowhere/me.pem", "ssl.key.password": "HIDDEN"}, "cannot be used"),
        ({"security.protocol": "SSL", "ssl.certificate.location": __file__}, "SSLError"),
    ],
)
def test_what_faust_cannot_follow_is_said_without_secrets(wrong: dict[str, str], said: str) -> None:
    with pytest.raises(KafkaClientError, match=said) as caught:
        credentials_of(wrong)
    assert "HIDDEN" not in str(caught.value)


@pytest.mark.parametrize("security", [{"security.protocol": "SSL"}, {**SASL, "security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-512"}])
def test_one_mapping_serves_both_clients(security: dict[str, str]) -> None:
    """The same table of properties is Faust's and librdkafka's: a client is made of it, which refuses what it does not know."""
    assert credentials_of(security) is not None
    Consumer(reader_config("127.0.0.1:1", "test", security)).close()
    Producing(producer_config("127.0.0.1:1", "test", security))


def test_a_broker_that_is_away_in_the_middle_of_a_rebalance_delays_its_end_and_does_not_prevent_it(tmp_path: Path) -> None:
    """A step that timed out ended Faust's recovery task without a word; its worker kept its partitions and read nothing any more."""

    async def is_begun_anew() -> bool:
        recovery = new_app("test", Settings(bootstrap_servers="127.0.0.1:9", data_dir=str(tmp_path)), buffered=1).tables.recovery
        assert isinstance(recovery, PatientRecovery)
        with pytest.raises(RebalanceAgain):
            await recovery._wait(asyncio.sleep(60), timeout=0.01)
        return recovery.signal_recovery_start.is_set()

    assert asyncio.run(is_begun_anew())


def test_a_rebalance_that_does_not_end_ends_the_worker() -> None:
    watch = app.RebalanceWatch()
    assert not watch.is_stuck([True, False], 0.0)
    assert not watch.is_stuck([False, True], app.REBALANCE_PATIENCE_S)
    assert not watch.is_stuck([False, True], 2 * app.REBALANCE_PATIENCE_S)
    assert watch.is_stuck([False, True], 2 * app.REBALANCE_PATIENCE_S + 1)
    assert "rebalance" in str(watch.failure)


def test_offsets_of_partitions_that_were_taken_away_are_not_committed_and_end_no_worker() -> None:
    """Faust asked its client to commit nothing, took the refusal for a fault of its own, and the worker ended."""
    thread = object.__new__(CommittedConsumerThread)
    thread.assignment = set  # type: ignore[method-assign]
    assert asyncio.run(thread._commit({TP("documents.ingest", 0): 51})) is False
