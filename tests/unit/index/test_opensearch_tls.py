"""What goes over the wire to a cluster with TLS: certificates are checked, credentials sent, and neither shows in an error."""

import base64
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from streams.index.opensearch_client import connect
from streams.index.sink import SinkRefuses, SinkUnavailable
from streams.settings import Settings
from tests.certificates import Authority


class Node(ThreadingHTTPServer):
    """Answers every request with the status that it is told, and keeps what it was asked."""

    status = 200

    def __init__(self, folder: Path) -> None:
        node = self
        self.asked: list[tuple[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                node.asked.append((self.path, self.headers.get("Authorization", "")))
                body = b'{"docs": []}' if node.status == 200 else b'{"error": {"type": "security_exception", "reason": "pw-1 is wrong"}}'
                self.send_response(node.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        authority = Authority(folder)
        certificate, key = authority.issue("node")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, *_: object) -> None:
        """Who does not trust us goes away."""


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    with Node(tmp_path) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def settings_of(node: Node, **more: str) -> Settings:
    return Settings(search_index="opensearch", opensearch_url=f"https://127.0.0.1:{node.server_address[1]}", **more)


def test_basic_authentication_goes_to_a_node_whose_certificate_is_known(node: Node, tmp_path: Path) -> None:
    settings = settings_of(node, opensearch_ca=str(tmp_path / "authority.pem"), opensearch_user="u", opensearch_password="pw-1")
    assert connect(settings).markers(["k"]) == {}
    assert node.asked == [("/pageloom/_mget", "Basic " + base64.b64encode(b"u:pw-1").decode())]


def test_an_api_key_goes_in_its_place(node: Node, tmp_path: Path) -> None:
    settings = settings_of(node, opensearch_ca=str(tmp_path / "authority.pem"), opensearch_api_key="key-1")
    connect(settings).markers(["k"])
    assert node.asked == [("/pageloom/_mget", "ApiKey key-1")]


def test_a_node_that_nobody_vouches_for_gets_nothing(node: Node) -> None:
    with pytest.raises(SinkUnavailable, match="certificates") as raised:
        connect(settings_of(node, opensearch_user="u", opensearch_password="pw-1")).markers(["k"])
    assert node.asked == []
    assert "pw-1" not in str(raised.value)


@pytest.mark.parametrize("status", [401, 403])
def test_credentials_that_are_refused_are_said_and_not_shown(node: Node, tmp_path: Path, status: int) -> None:
    node.status = status
    settings = settings_of(node, opensearch_ca=str(tmp_path / "authority.pem"), opensearch_user="u", opensearch_password="pw-1")
    with pytest.raises(SinkRefuses, match=f"HTTP {status}") as raised:
        connect(settings).markers(["k"])
    assert "pw-1" not in str(raised.value)
