"""A real HTTP server that speaks the chat API as a script says: well, late, too often, broken, without end."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = Callable[["Handler"], None]
"""What the server does with one question."""


class ChatServer(ThreadingHTTPServer):
    """Answers questions by turns, the last one again and again. `asked` are the bodies; `left` counts clients that went away."""

    daemon_threads = True

    def __init__(self, turns: list[Turn], pages: dict[str, str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.turns = turns
        self.pages = pages
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.left = threading.Event()
        self.sent = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ChatServer

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        body = self.server.pages.get(self.path)
        self.reply(404 if body is None else 200, (body or "").encode())

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        self.server.asked.append(json.loads(self.rfile.read(length)))
        self.server.keys.append(self.headers.get("authorization"))
        turns = self.server.turns
        turn = turns[min(len(self.server.asked), len(turns)) - 1]
        try:
            turn(self)
        except (BrokenPipeError, ConnectionResetError):
            self.server.left.set()
            self.close_connection = True

    def reply(self, status: int, body: bytes, content_type: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def begin(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

    def say(self, text: str, finish: str | None = None, logprob: float | None = None) -> None:
        choice: dict[str, Any] = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
        if logprob is not None:
            choice["logprobs"] = {"content": [{"token": text, "logprob": logprob}]}
        self.wfile.write(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")
        self.wfile.flush()
        self.server.sent += len(text)


def says(*pieces: str, finish: str = "stop", logprob: float | None = None) -> Turn:
    """A whole streamed answer."""

    def turn(handler: Handler) -> None:
        handler.begin()
        for piece in pieces:
            handler.say(piece, logprob=logprob)
        handler.say("", finish=finish)
        handler.wfile.write(b"data: [DONE]\n\n")

    return turn


def fails(status: int, **headers: str) -> Turn:
    """A state in place of an answer."""
    return lambda handler: handler.reply(status, b"{}", **headers)


def breaks_off(handler: Handler) -> None:
    """Half an answer."""
    handler.begin()
    handler.say("half")


def talks_nonsense(handler: Handler) -> None:
    """An event that is not JSON."""
    handler.begin()
    handler.wfile.write(b'data: {"choices": [{"delta": {"content": 7}}]}\n\n')


def never_ends(text: str, pause_s: float = 0.0) -> Turn:
    """The same piece until the client has had enough."""

    def turn(handler: Handler) -> None:
        handler.begin()
        while True:
            handler.say(text)
            time.sleep(pause_s)

    return turn


def endless_line(handler: Handler) -> None:
    """One line without end."""
    handler.begin()
    while True:
        handler.wfile.write(b"data: " + b"x" * 65536)


def is_silent(handler: Handler) -> None:
    """Takes the question and says nothing until the client is gone."""
    handler.connection.settimeout(20)
    if handler.connection.recv(1) == b"":
        handler.server.left.set()
    handler.close_connection = True


@contextmanager
def chat_server(*turns: Turn, pages: dict[str, str] | None = None) -> Iterator[ChatServer]:
    """A server on a free port of the loopback."""
    server = ChatServer(list(turns), pages or {})
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
