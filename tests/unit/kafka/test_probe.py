"""The readiness probe reads bytes from a socket: any bytes, never trusted."""

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.kafka.probe import NotKafkaError, metadata_request, parse_metadata


def answer(brokers: int, cluster: str | None, *, rack: str | None = None) -> bytes:
    """A Metadata answer of version 2 without topics, as a broker writes it."""

    def text(value: str | None) -> bytes:
        return struct.pack(">h", -1) if value is None else struct.pack(">h", len(value)) + value.encode()

    node = struct.pack(">i", 1) + text("127.0.0.1") + struct.pack(">i", 9092) + text(rack)
    return struct.pack(">ii", 7, brokers) + node * brokers + text(cluster) + struct.pack(">ii", 1, 0)


def test_the_request_states_its_length() -> None:
    request = metadata_request()
    assert struct.unpack(">i", request[:4])[0] == len(request) - 4


@pytest.mark.parametrize("rack", [None, "a rack"])
@pytest.mark.parametrize("brokers", [1, 3])
def test_the_cluster_of_a_ready_broker(brokers: int, rack: str | None) -> None:
    assert parse_metadata(answer(brokers, "x-Y_z", rack=rack)) == "x-Y_z"


def test_a_cluster_without_a_broker_is_not_ready() -> None:
    assert parse_metadata(answer(0, "abc")) is None


def test_every_cut_of_an_answer_is_refused() -> None:
    whole = answer(1, "cluster")
    for size in range(len(whole) - 8):  # without controller and topics, which nobody reads
        with pytest.raises(NotKafkaError):
            parse_metadata(whole[:size])


@given(st.binary(max_size=200))
def test_any_bytes_are_an_answer_or_refused(data: bytes) -> None:
    with contextlib.suppress(NotKafkaError):
        assert isinstance(parse_metadata(data), str | None)


@given(st.binary(max_size=80))
def test_any_bytes_after_a_true_beginning(data: bytes) -> None:
    with contextlib.suppress(NotKafkaError):
        assert isinstance(parse_metadata(struct.pack(">ii", 7, 2**31 - 1) + data), str | None)
