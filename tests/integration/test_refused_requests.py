"""A leader that is fenced for a moment refuses a producer's first request and takes the second: nothing that is told to be written may be missing."""

import asyncio
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer

from streams.kafka.admin import TopicAdmin, TopicSpec
from streams.kafka.clients import producer_config
from streams.kafka.embedded import EmbeddedKafka
from streams.kafka.reading import RecordReader

PRODUCE = 0
NOT_LEADER = 6
HELD_S = 1.0
"""The refused request is answered this late, unless another comes after it: a client that sends one at a time sends none."""


class RefusingProxy(threading.Thread):
    """Between clients and a broker: the first request that writes to `topic` is refused after a second one came, and never reaches the broker."""

    def __init__(self, port: int, broker_port: int) -> None:
        super().__init__(daemon=True)
        self._port, self._broker_port = port, broker_port
        self.topic = ""
        self.refused = 0
        self._held: int | None = None

    def run(self) -> None:
        asyncio.run(self._listen())

    async def _listen(self) -> None:
        server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
        async with server:
            await server.serve_forever()

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        try:
            broker, to_broker = await asyncio.open_connection("127.0.0.1", self._broker_port)
        except OSError:  # before it starts, and after it has ended
            to_client.close()
            return
        answers = asyncio.ensure_future(_forward(broker, to_client))
        try:
            while True:
                size = await client.readexactly(4)
                frame = await client.readexactly(struct.unpack(">i", size)[0])
                kind, _, number = struct.unpack_from(">hhi", frame)
                if kind == PRODUCE and self.topic and self.topic.encode() in frame:
                    self._refuse(to_client)
                    if not self.refused:
                        self.refused, self._held = 1, number
                        asyncio.get_running_loop().call_later(HELD_S, self._refuse, to_client)
                        continue
                to_broker.write(size + frame)
                await to_broker.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            answers.cancel()
            to_broker.close()

    def _refuse(self, to_client: asyncio.StreamWriter) -> None:
        """Answers the request that is held, if one is (ProduceResponse, version 10)."""
        number, self._held = self._held, None
        if number is None:
            return
        name = self.topic.encode()
        partition = struct.pack(">ihqqq", 0, NOT_LEADER, -1, -1, -1) + b"\1\0\0"
        body = b"\2" + bytes([len(name) + 1]) + name + b"\2" + partition + b"\0" + struct.pack(">i", 0) + b"\0"
        frame = struct.pack(">i", number) + b"\0" + body
        to_client.write(struct.pack(">i", len(frame)) + frame)


async def _forward(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(2**16):
        target.write(data)
        await target.drain()
    target.close()


@pytest.fixture
def proxied(tmp_path: Path, kafka_jars: list[Path], java: Path) -> Iterator[tuple[EmbeddedKafka, RefusingProxy]]:
    """A broker whose clients reach it through the proxy."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        port, broker_port = one.getsockname()[1], other.getsockname()[1]
    advertised = {"advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}"}
    proxy = RefusingProxy(port, broker_port)
    proxy.start()
    with EmbeddedKafka(tmp_path / "kafka", kafka_jars, java, port=broker_port, overrides=advertised) as kafka:
        yield kafka, proxy


def test_a_message_whose_request_was_refused_while_the_next_was_taken_is_on_the_log(proxied: tuple[EmbeddedKafka, RefusingProxy]) -> None:
    """With more than one request in flight the client told success of a message that stood nowhere; a worker's state lost an entry so."""
    kafka, proxy = proxied
    TopicAdmin(kafka.bootstrap_servers).ensure_topics([TopicSpec("warm", 1, {}), TopicSpec("refused", 1, {})])
    producer = Producer(producer_config(kafka.bootstrap_servers, "test", linger_ms=0))
    producer.produce("warm", value=b"")
    assert producer.flush(30) == 0, "the producer has its id, and no request of it waits"
    producer.list_topics("refused", timeout=30)
    proxy.topic = "refused"
    told: list[Any] = []
    for number in range(3):
        producer.produce("refused", value=b"%d" % number, on_delivery=lambda error, message: told.append((error, message.value())))
        producer.poll(HELD_S / 4)  # each is a request of its own
    assert producer.flush(30) == 0
    assert (proxy.refused, told) == (1, [(None, b"0"), (None, b"1"), (None, b"2")])
    reader = RecordReader(kafka.bootstrap_servers, "test", max_message_bytes=2**20)
    assert [record.value for record in reader.since(["refused"], 0)] == [b"0", b"1", b"2"]
