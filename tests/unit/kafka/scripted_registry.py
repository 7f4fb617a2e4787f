"""A schema registry with Confluent's interface in memory, which misbehaves where it is told to."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ScriptedRegistry:
    """Schemas by id and by subject. `faults`: what the next answers are instead: a status, bytes, or None for a connection that is cut."""

    def __init__(self) -> None:
        self.schemas: list[str] = []
        self.subjects: dict[str, list[int]] = {}
        self.faults: list[int | bytes | None] = []
        self.asked: list[tuple[str, str, str | None]] = []
        self.url = ""

    def add(self, text: str) -> int:
        """The id of a schema; one of the same text has one id."""
        if text not in self.schemas:
            self.schemas.append(text)
        return self.schemas.index(text) + 1

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        if self.faults:
            fault = self.faults.pop(0)
            if fault is None:
                raise ConnectionAbortedError
            return (200, fault) if isinstance(fault, bytes) else (fault, b'{"error_code": 1, "message": "on purpose"}')
        if method == "POST":
            subject = path.split("/")[2]
            schema_id = self.add(json.loads(body)["schema"])
            self.subjects.setdefault(subject, []).append(schema_id)
            return 200, json.dumps({"id": schema_id}).encode()
        number = int(path.rsplit("/", 1)[1])
        if not 1 <= number <= len(self.schemas):
            return 404, b'{"error_code": 40403, "message": "Schema not found"}'
        return 200, json.dumps({"schema": self.schemas[number - 1]}).encode()


@contextmanager
def running_registry() -> Iterator[ScriptedRegistry]:
    """The registry behind a real HTTP server."""
    registry = ScriptedRegistry()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            registry.asked.append((self.command, self.path, self.headers.get("Authorization")))
            try:
                status, data = registry.answer(self.command, self.path, body)
            except ConnectionAbortedError:
                self.connection.close()
                self.close_connection = True
                return
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    registry.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
