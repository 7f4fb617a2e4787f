"""Serves `/metrics`, `/live` and `/ready` of one worker. Plain HTTP and no token: by default on loopback alone.

Answers nothing else, holds no more than a few connections, and logs no request.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct

from streams.settings import SettingsError

TIMEOUT_S = 10.0
"""For one request, from its first byte: who is slower is nobody that watches us."""
MAX_CONNECTIONS = 16
"""At once; more are closed."""

PORT_OFFSETS = {"open": 0, "read": 1, "infer": 2, "assemble": 3, "index": 4}
"""Workers of one machine share their settings: each kind listens so far beyond `metrics_port`."""


class Answers(Struct, frozen=True):
    """What is said: the metrics with their type, and why the worker does not live or is not ready."""

    metrics: Callable[[], bytes]
    content_type: str
    not_alive: Callable[[], str]
    not_ready: Callable[[], str]


@contextmanager
def serving(host: str, port: int, answers: Answers) -> Iterator[int]:
    """Serves from a thread; gives the port. Raises SettingsError where it cannot listen."""
    try:
        server = _Server((host, port), _handler(answers))
    except OSError as error:
        reason = error.strerror or str(error)
        raise SettingsError(f"metrics cannot be served at {host}:{port} ({reason}); set PAGELOOM_METRICS_PORT or PAGELOOM_METRICS_HOST") from error
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, name="metrics", daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(2.0)


class _Server(ThreadingHTTPServer):
    """A few threads at most."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._slots = threading.Semaphore(MAX_CONNECTIONS)
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Takes a connection, unless there are enough."""
        if self._slots.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """One connection, in its thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Somebody went away: nothing to tell."""


def _handler(answers: Answers) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers one connection."""

        timeout = TIMEOUT_S
        server_version, sys_version = "pageloom", ""

        def do_GET(self) -> None:
            """The three pages."""
            path = self.path.partition("?")[0]
            if path == "/metrics":
                self._say(200, answers.content_type, answers.metrics())
            elif path in ("/live", "/ready"):
                problem = (answers.not_alive if path == "/live" else answers.not_ready)()
                self._say(503 if problem else 200, "text/plain; charset=utf-8", f"{problem or 'ok'}\n".encode())
            else:
                self._say(404, "text/plain; charset=utf-8", b"/metrics, /live and /ready are here\n")

        def log_message(self, format: str, *arguments: Any) -> None:
            """Requests are not logged."""

        def _say(self, status: int, content_type: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler
