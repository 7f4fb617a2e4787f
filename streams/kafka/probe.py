"""Asks a broker whether it is ready, in Kafka's own protocol over a plain socket.

A listening port is not a ready broker, and a client library would log and retry on its own terms: one Metadata request (KIP-4, version 2)
tells whether a broker is registered and which cluster it belongs to. Answers are bounded and checked; nothing is trusted to be Kafka.
"""

import socket
import struct

_METADATA_API_KEY = 3
_METADATA_VERSION = 2
_CORRELATION_ID = 7
_MAX_ANSWER_BYTES = 64 * 1024
"""An answer about no topic of a one-node cluster has some 60 bytes."""


class NotKafkaError(OSError):
    """Something answered that is not a Kafka broker."""


def cluster_id(host: str, port: int, timeout_s: float = 2.0) -> str | None:
    """Cluster id of the broker at an address, or None if no broker is registered yet.

    Raises OSError if nothing answers in time or the answer is not Kafka's.
    """
    with socket.create_connection((host, port), timeout_s) as connection:
        connection.settimeout(timeout_s)
        connection.sendall(metadata_request())
        size = struct.unpack(">i", _read(connection, 4))[0]
        if not 4 <= size <= _MAX_ANSWER_BYTES:
            raise NotKafkaError(f"{host}:{port} answered with a message of {size} bytes")
        return parse_metadata(_read(connection, size))


def metadata_request() -> bytes:
    """A Metadata request about no topic: length, header version 1 with a null client id, an empty array of topics."""
    body = struct.pack(">hhihi", _METADATA_API_KEY, _METADATA_VERSION, _CORRELATION_ID, -1, 0)
    return struct.pack(">i", len(body)) + body


def parse_metadata(answer: bytes) -> str | None:
    """Cluster id in a Metadata answer (without its length), None without a broker. Raises NotKafkaError for other bytes."""
    try:
        correlation_id, brokers = struct.unpack_from(">ii", answer, 0)
        if correlation_id != _CORRELATION_ID or brokers < 0:
            raise NotKafkaError("the answer belongs to another request")
        if brokers == 0:
            return None
        offset = 8
        for _ in range(brokers):
            offset = _skip_string(answer, offset + 4)  # node id, host
            offset = _skip_string(answer, offset + 4)  # port, rack
        length = struct.unpack_from(">h", answer, offset)[0]
        text = answer[offset + 2 : offset + 2 + length] if length >= 0 else b""
        if length >= 0 and len(text) != length:
            raise NotKafkaError("the answer is cut short")
        return text.decode("ascii")
    except (struct.error, UnicodeDecodeError) as error:
        raise NotKafkaError(f"the answer is not Metadata version {_METADATA_VERSION} ({error})") from error


def _skip_string(answer: bytes, offset: int) -> int:
    length: int = struct.unpack_from(">h", answer, offset)[0]
    return offset + 2 + max(length, 0)


def _read(connection: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(size - len(parts))
        if not part:
            raise NotKafkaError("the connection was closed within an answer")
        parts += part
    return bytes(parts)
