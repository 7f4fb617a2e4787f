"""Two lanes of one Faust app: what waits in one never holds up the other."""

import asyncio
from pathlib import Path

from aiokafka import AIOKafkaConsumer, TopicPartition
from confluent_kafka import Producer

from streams.agents.driver import new_app, seek_to_committed
from streams.agents.lane import Lane, Outbox
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.records import Record
from streams.settings import Settings
from tests.conftest import NewTopic

BACKLOG = 400
BUFFERED = 8
SLOW_S = 0.05
"""The backlog takes 10 s with two at a time."""


def test_a_backlog_of_one_topic_does_not_hold_up_another(kafka: EmbeddedKafka, new_topic: NewTopic, tmp_path: Path) -> None:
    book, express = new_topic("book"), new_topic("express")
    producer = Producer({"bootstrap.servers": kafka.bootstrap_servers})
    for number in range(BACKLOG):
        producer.produce(book, value=b"%d" % number)
    producer.flush(10)
    slow_done = 0
    arrived = asyncio.Event()

    async def slow(_: Record) -> tuple[()]:
        nonlocal slow_done
        await asyncio.sleep(SLOW_S)
        slow_done += 1
        return ()

    async def quick(_: Record) -> tuple[()]:
        arrived.set()
        return ()

    async def run() -> None:
        app = new_app(book, Settings(bootstrap_servers=kafka.bootstrap_servers, data_dir=str(tmp_path)), buffered=BUFFERED)
        outbox = Outbox(app)
        lanes = [Lane(app, book, slow, outbox, width=2), Lane(app, express, quick, outbox, width=2)]
        await app.start()
        try:
            async with asyncio.timeout(30):
                while slow_done < 4:  # the lane of the book is full by now
                    await asyncio.sleep(0.01)
            producer.produce(express, value=b"a page")
            producer.flush(10)
            async with asyncio.timeout(30):
                await arrived.wait()
            assert slow_done < BACKLOG / 2, "the page waited behind the book"
        finally:
            for lane in lanes:
                lane.cancel()
            await app.stop()

    asyncio.run(run())


def test_what_was_fetched_and_dropped_before_the_first_commit_comes_again(kafka: EmbeddedKafka, new_topic: NewTopic) -> None:
    """The client stays where it is on a partition without a committed offset: a rebalance at the start of a group cost its first documents."""
    topic = new_topic("fresh")
    producer = Producer({"bootstrap.servers": kafka.bootstrap_servers})
    for number in range(5):
        producer.produce(topic, value=b"%d" % number, partition=0)
    producer.flush(10)

    async def values() -> list[bytes]:
        consumer = AIOKafkaConsumer(
            topic, bootstrap_servers=kafka.bootstrap_servers, group_id=topic, auto_offset_reset="earliest", enable_auto_commit=False
        )
        await consumer.start()
        try:
            read = [await consumer.getone(), await consumer.getone()]
            await seek_to_committed(consumer)
            read.append(await consumer.getone())
            await consumer.commit({TopicPartition(topic, 0): 3})
            await seek_to_committed(consumer)
            read.append(await consumer.getone())
            return [record.value for record in read]
        finally:
            await consumer.stop()

    assert asyncio.run(values()) == [b"0", b"1", b"0", b"3"]
