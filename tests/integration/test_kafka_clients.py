"""Producing, administration and records on a real broker."""

import os
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from aiokafka.partitioner import murmur2
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.clients import MAX_MESSAGE_BYTES, consumer_config, producer_config, reader_config, transactional_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.errors import BrokerUnreachableError, DeliveryError, MessageTooLargeError, TopicMismatchError
from streams.kafka.fetching import resume_at_once
from streams.kafka.producing import Place, Producing
from streams.kafka.records import BATCH_OVERHEAD_BYTES, OutputRecord, record_from_message
from tests.integration.unread import unread_partitions
from tests.waiting import wait_until

NewTopic = Callable[..., str]


@pytest.fixture(scope="module")
def producing(kafka: EmbeddedKafka) -> Producing:
    return Producing(producer_config(kafka.bootstrap_servers, "test", linger_ms=0))


def test_records_come_back_as_they_were_written(kafka: EmbeddedKafka, new_topic: NewTopic, producing: Producing) -> None:
    topic = new_topic("kinds", config={"message.timestamp.type": "LogAppendTime"})
    written = [(None, None), (b"", b""), (b"key", None), (b"key", b"value")]
    headers = (("h", b"1"), ("h", None), ("empty", b""))
    for key, value in written:
        producing.produce(OutputRecord(topic, key, value, headers))
    producing.flush(10)
    reader = Consumer(reader_config(kafka.bootstrap_servers, "test", fetch_wait_ms=10))
    reader.list_topics(topic, timeout=10)
    reader.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
    read = [record_from_message(reader.poll(10)) for _ in written]
    with pytest.raises(ValueError, match="not a record"):
        record_from_message(reader.poll(10))  # the end of the partition
    reader.close()
    assert [(record.key, record.value) for record in read] == written
    assert all(record.headers == headers for record in read)
    assert all(record.timestamp_is_log_append and abs(record.timestamp_ms / 1000 - time.time()) < 60 for record in read)
    assert [record.offset for record in read] == [0, 1, 2, 3]


def test_keys_go_where_other_clients_put_them(new_topic: NewTopic, producing: Producing) -> None:
    topic = new_topic("partitioned", partitions=7)
    keys = [b"doc-%d" % number for number in range(40)] + [b"\xff\x00", "schön".encode()]
    placed = [producing.send(OutputRecord(topic, key, b"")).partition for key in keys]
    assert placed == [(murmur2(key) & 0x7FFFFFFF) % 7 for key in keys]


def test_a_message_at_the_limit_passes_and_one_above_is_refused(new_topic: NewTopic, producing: Producing) -> None:
    topic = new_topic("large", config={"max.message.bytes": str(MAX_MESSAGE_BYTES)})
    incompressible = os.urandom(MAX_MESSAGE_BYTES - BATCH_OVERHEAD_BYTES)
    producing.send(OutputRecord(topic, None, incompressible))
    with pytest.raises(MessageTooLargeError):
        producing.produce(OutputRecord(topic, None, incompressible + b"x"))


def test_a_full_queue_waits_instead_of_dropping(kafka: EmbeddedKafka, new_topic: NewTopic, topic_admin: TopicAdmin) -> None:
    topic = new_topic("many")
    small_queue = {**producer_config(kafka.bootstrap_servers, "test"), "queue.buffering.max.messages": 10}
    with Producing(small_queue) as producing:
        for number in range(500):
            producing.produce(OutputRecord(topic, None, b"%d" % number))
    assert topic_admin.end_offsets([topic]) == {(topic, 0): 500}


def test_a_failed_delivery_is_told(kafka: EmbeddedKafka, new_topic: NewTopic) -> None:
    topic = new_topic("narrow", config={"max.message.bytes": "1000"})
    producing = Producing(producer_config(kafka.bootstrap_servers, "test"))
    record = OutputRecord(topic, None, os.urandom(8_000))
    with pytest.raises(DeliveryError, match="MSG_SIZE_TOO_LARGE"):
        producing.send(record)
    results: list[Place | DeliveryError] = []
    producing.produce(record, results.append)
    producing.flush(10)
    assert isinstance(results[0], DeliveryError)
    producing.produce(record)
    with pytest.raises(DeliveryError, match="1 messages were not delivered"):
        producing.flush(10)


def test_topics_are_created_once_and_verified(topic_admin: TopicAdmin) -> None:
    name = f"made-{uuid.uuid4().hex[:8]}"
    spec = TopicSpec(name, 3, {"message.timestamp.type": "LogAppendTime", "cleanup.policy": "compact"})
    assert topic_admin.ensure_topics([spec]) == [name]
    assert topic_admin.ensure_topics([spec]) == []
    (listing,) = topic_admin.list_topics([name])
    assert (listing.partitions, listing.at_most_records) == (3, 0)
    for other, complaint in [
        (TopicSpec(name, 4), "3 partitions, needed are 4"),
        (TopicSpec(name, 3, {"message.timestamp.type": "CreateTime"}), "message.timestamp.type=LogAppendTime, needed is CreateTime"),
        (TopicSpec(name, 3, {"cleanup.policy": "delete"}), "cleanup.policy=compact, needed is delete"),
    ]:
        with pytest.raises(TopicMismatchError, match=f"{name} has {complaint}"):
            topic_admin.ensure_topics([other])
    with pytest.raises(TopicMismatchError, match="nowhere is missing"):
        topic_admin.verify_topics([TopicSpec("nowhere", 1)])


def test_topics_are_not_made_by_accident(kafka: EmbeddedKafka, topic_admin: TopicAdmin) -> None:
    producer = Producer({**producer_config(kafka.bootstrap_servers, "test"), "message.timeout.ms": 2000})
    producer.produce("by-accident", b"x")
    producer.flush(10)
    assert topic_admin.list_topics(["by-accident"]) == []


def test_nobody_at_an_address_is_told_in_time(tmp_path: Path) -> None:
    started_s = time.monotonic()
    with pytest.raises(BrokerUnreachableError, match=r"no broker at 127.0.0.1:1 within 1 s"):
        TopicAdmin("127.0.0.1:1").await_broker(1.0)
    assert time.monotonic() - started_s < 10


def test_who_waits_for_a_broker_may_be_told_to_stop() -> None:
    """A worker that was asked to end while no broker answered went on waiting for half a minute."""
    started_s = time.monotonic()
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    assert not TopicAdmin("127.0.0.1:1").await_broker(30.0, stop.is_set)
    assert time.monotonic() - started_s < 10


def test_the_members_of_a_group_are_counted(kafka: EmbeddedKafka, new_topic: NewTopic, topic_admin: TopicAdmin) -> None:
    topic, group = new_topic("counted"), f"group-{uuid.uuid4().hex[:8]}"
    member = Consumer(consumer_config(kafka.bootstrap_servers, "test", group))
    member.subscribe([topic])
    wait_until(lambda: member.poll(0.05) or topic_admin.group_members([group])[group], 30, "the member has joined")
    assert topic_admin.group_members([group, "nobody"]) == {group: 1, "nobody": 0}
    member.close()


def test_a_group_has_caught_up_although_markers_keep_its_lag_at_one(kafka: EmbeddedKafka, new_topic: NewTopic, topic_admin: TopicAdmin) -> None:
    topic, group = new_topic("marked", partitions=2), f"group-{uuid.uuid4().hex[:8]}"
    writer = Producer(transactional_config(kafka.bootstrap_servers, "test", f"writer-{group}"))
    writer.init_transactions(20)
    writer.begin_transaction()
    writer.produce(topic, b"x", partition=0)
    writer.commit_transaction(20)
    assert unread_partitions(kafka.bootstrap_servers, group, [topic]) == {(topic, 0)}
    assert not topic_admin.has_reached(group, {(topic, 0): 0})
    member = Consumer(consumer_config(kafka.bootstrap_servers, "test", group))
    member.commit(offsets=[TopicPartition(topic, 0, 1)], asynchronous=False)
    member.close()
    assert topic_admin.committed_offsets(group, [topic]) == {(topic, 0): 1}
    assert topic_admin.end_offsets([topic])[(topic, 0)] == 2
    assert topic_admin.has_reached(group, {(topic, 0): 0})
    assert unread_partitions(kafka.bootstrap_servers, group, [topic]) == set()


def test_a_resumed_partition_is_fetched_at_once(kafka: EmbeddedKafka, new_topic: NewTopic, producing: Producing) -> None:
    topic = new_topic("paused")
    place = [TopicPartition(topic, 0, 0)]
    reader = Consumer({**reader_config(kafka.bootstrap_servers, "test"), "enable.partition.eof": False})
    reader.list_topics(topic, timeout=10)
    reader.assign(place)
    waits_s = []
    for _ in range(5):
        producing.send(OutputRecord(topic, None, b"x"))
        assert wait_until(lambda: reader.poll(0.1), 10, "a record") is not None
        reader.pause(place)
        assert reader.poll(0.5) is None
        producing.send(OutputRecord(topic, None, b"y"))
        started_s = time.monotonic()
        resume_at_once(reader, place)
        assert wait_until(lambda: reader.poll(0.1) is not None, 10, "the record after the resume")
        waits_s.append(time.monotonic() - started_s)
    reader.close()
    print(f"first record after a resume: {sorted(waits_s)[2] * 1000:.0f} ms (median of 5)")
    assert sorted(waits_s)[2] < 0.3
