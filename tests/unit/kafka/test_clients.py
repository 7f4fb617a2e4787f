"""Client configurations keep their promises, whatever security settings are passed through."""

import threading
from concurrent.futures import Future
from typing import cast

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException

from streams.kafka import admin
from streams.kafka.admin import PASSING_ERRORS, TopicAdmin
from streams.kafka.broker_settings import server_properties
from streams.kafka.clients import client_errors, close_within, consumer_config, producer_config, reader_config, transactional_config
from streams.kafka.errors import ClientSettingsError, KafkaClientError, MessageTooLargeError
from streams.kafka.processor_options import ProcessorOptions
from streams.kafka.producing import Producing
from streams.kafka.records import BATCH_OVERHEAD_BYTES, check_size, message_size_bytes

SECURITY = {"security.protocol": "SASL_SSL", "sasl.mechanisms": "PLAIN", "sasl.username": "u", "sasl.password": "p", "ssl.ca.location": "ca.pem"}


def test_writers_are_idempotent_acknowledged_and_partition_as_java_does() -> None:
    for config in (producer_config("b", "c", SECURITY), transactional_config("b", "c", "t", SECURITY)):
        assert config["enable.idempotence"] is True
        assert config["acks"] == "all"
        assert config["partitioner"] == "murmur2_random"
        assert config["sasl.password"] == "p"


def test_readers_see_committed_records_and_commit_by_hand() -> None:
    for config in (consumer_config("b", "c", "g", SECURITY), reader_config("b", "c", SECURITY)):
        assert config["isolation.level"] == "read_committed"
        assert config["enable.auto.commit"] is False
        assert config["enable.auto.offset.store"] is False
        assert config["auto.offset.reset"] == "earliest"


def test_a_group_member_moves_partitions_one_by_one_and_may_have_a_stable_name() -> None:
    assert consumer_config("b", "c", "g")["partition.assignment.strategy"] == "cooperative-sticky"
    ids = {consumer_config("b", "c", "g")["group.instance.id"] for _ in range(3)}
    assert len(ids) == 3, "each member is known by a name of its own"
    assert consumer_config("b", "c", "g", static_id="worker-1")["group.instance.id"] == "worker-1"


def test_readers_share_no_group() -> None:
    assert reader_config("b", "c")["group.id"] != reader_config("b", "c")["group.id"]


@pytest.mark.parametrize("name", ["acks", "isolation.level", "partitioner", "group.id", "enable.auto.commit", "plugin.library.paths"])
def test_security_settings_cannot_undo_a_promise(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        producer_config("b", "c", {name: "x"})


def test_a_transaction_waits_milliseconds_for_the_one_before() -> None:
    config = transactional_config("b", "c", "app-3")
    assert config["retry.backoff.ms"] == 5
    assert config["transactional.id"] == "app-3"


def test_sizes_count_everything_and_the_limit_is_exact() -> None:
    assert message_size_bytes(None, None) == BATCH_OVERHEAD_BYTES
    assert message_size_bytes(b"key", b"value", (("näme", b"data"), ("n", None))) == BATCH_OVERHEAD_BYTES + 3 + 5 + (5 + 4 + 10) + (1 + 10)
    assert check_size("t", None, b"x" * 100, (), BATCH_OVERHEAD_BYTES + 100) == BATCH_OVERHEAD_BYTES + 100
    with pytest.raises(MessageTooLargeError) as refused:
        check_size("t", None, b"x" * 101, (), BATCH_OVERHEAD_BYTES + 100)
    assert (refused.value.topic, refused.value.size_bytes) == ("t", BATCH_OVERHEAD_BYTES + 101)


def test_the_embedded_broker_listens_on_this_machine_alone(tmp_path) -> None:
    text = server_properties(tmp_path, 1234, 1235, 2**24, {"num.io.threads": "1"})
    properties = dict(line.split("=", 1) for line in text.splitlines())
    assert properties["listeners"] == properties["advertised.listeners"] == "PLAINTEXT://127.0.0.1:1234,CONTROLLER://127.0.0.1:1235"
    assert properties["auto.create.topics.enable"] == "false"
    assert properties["num.io.threads"] == "1"


def test_options_of_a_processor_do_not_show_secrets() -> None:
    options = ProcessorOptions("b", "app", "source", "changelog", {"sasl.password": "hunter2"})
    assert "hunter2" not in repr(options)


def test_a_client_that_refuses_its_settings_says_so_on_one_line() -> None:
    security = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "NOPE"}
    with pytest.raises(ClientSettingsError, match="NOPE"):
        TopicAdmin("127.0.0.1:1", security)
    with pytest.raises(ClientSettingsError, match="NOPE"):
        Producing(producer_config("127.0.0.1:1", "test", security))
    with pytest.raises(ClientSettingsError, match=r"bootstrap\.servers"):
        TopicAdmin("127.0.0.1:1", {"bootstrap.servers": "elsewhere:1"})


def test_a_restarted_broker_that_does_not_know_its_epoch_yet_is_asked_again() -> None:
    for code in (KafkaError.FENCED_LEADER_EPOCH, KafkaError.UNKNOWN_LEADER_EPOCH, KafkaError.NOT_LEADER_FOR_PARTITION):
        assert code in PASSING_ERRORS


def test_a_cluster_that_answers_too_late_is_told_and_no_traceback() -> None:
    """A worker that started beside a busy broker ended with one."""
    with pytest.raises(KafkaClientError, match=r"did not answer within 0\.01 s"):
        admin._result(Future(), 0.01)


def test_what_the_client_library_raises_says_what_to_do() -> None:
    with pytest.raises(KafkaClientError, match=r"_ALL_BROKERS_DOWN.*start anew"), client_errors():
        raise KafkaException(KafkaError(KafkaError._ALL_BROKERS_DOWN))


class Member:
    """A consumer in a group, which it has left two polls after it was asked to."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def unsubscribe(self) -> None:
        self.done.append("unsubscribe")

    def poll(self, _timeout_s: float) -> None:
        self.done.append("poll")

    def memberid(self) -> str | None:
        return None if self.done.count("poll") >= 2 else "member"

    def close(self) -> None:
        self.done.append("close")


def test_a_member_with_a_name_leaves_before_it_is_closed_unless_it_keeps_its_place() -> None:
    """By a close alone it would hold its partitions until its session times out."""
    leaving, staying = Member(), Member()
    close_within(cast("Consumer", leaving), 10)
    close_within(cast("Consumer", staying), 10, keeps_its_place=True)
    assert leaving.done == ["unsubscribe", "poll", "poll", "close"]
    assert staying.done == ["close"]


def test_a_consumer_that_does_not_leave_its_group_is_not_waited_for_without_end() -> None:
    left = threading.Event()

    class Hanging(Member):
        def close(self) -> None:
            left.wait()

    close_within(cast("Consumer", Hanging()), 0.01)
    assert not left.is_set()
    left.set()


def test_an_error_of_leaving_a_group_is_raised() -> None:
    class Refusing(Member):
        def close(self) -> None:
            raise KafkaException(KafkaError(KafkaError._STATE))

    with pytest.raises(KafkaException, match="_STATE"):
        close_within(cast("Consumer", Refusing()), 10)
