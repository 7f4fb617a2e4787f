"""A deterministic model behind the OpenAI chat API, as a process of its own: `python -m tests.chaos.model_server PORT LOG`.

What it reads off a picture follows from the picture's hash alone. Every answer that was sent whole is a line of LOG (seconds since the epoch, hash),
which survives the server. `POST /control` makes it hang, or makes the next requests slow; `GET /state` tells what is in flight.
"""

import base64
import hashlib
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.chaos.documents import WORDS

MODEL = "chaos-model"
LOOK_S = 0.05
"""Between two looks whether a hanging server may go on."""


def answer_to(png: bytes) -> str:
    """What the model says of a picture: Markdown of a heading and a paragraph."""
    digest = hashlib.sha256(png).digest()
    words = [WORDS[byte % len(WORDS)] for byte in digest[:24]]
    return f"# {words[0].capitalize()} {digest.hex()[:12]}\n\n{' '.join(words[1:]).capitalize()}.\n"


def logprob_of(png: bytes) -> float:
    """How sure the model is: between 0.86 and 1, other for every picture."""
    return -(hashlib.sha256(png).digest()[31] + 1) / 1800


class ModelServer(ThreadingHTTPServer):
    """The server and its state. Requests are counted by the hash of their picture."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, log_path: str) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self._log = os.open(log_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self._lock = threading.Lock()
        self._in_flight: list[str] = []
        self._begun = 0
        self._hangs_until_s = 0.0
        self._slow: list[float] = []

    def begin(self, digest: str) -> float:
        """A request begins; how many seconds its answer takes."""
        with self._lock:
            self._in_flight.append(digest)
            self._begun += 1
            return self._slow.pop() if self._slow else 0.0

    def end(self, digest: str, *, answered: bool) -> None:
        """A request ends."""
        with self._lock:
            self._in_flight.remove(digest)
        if answered:
            os.write(self._log, f"{time.time():.3f} {digest}\n".encode())

    def hangs(self) -> bool:
        """Whether nothing is answered now."""
        return time.monotonic() < self._hangs_until_s

    def control(self, order: dict[str, Any]) -> None:
        """`hang_s`: from now on nothing is answered for as long; `slow`: seconds that each of the next requests takes."""
        with self._lock:
            self._hangs_until_s = time.monotonic() + float(order.get("hang_s", 0))
            self._slow = [float(seconds) for seconds in order.get("slow", ())]

    def state(self) -> dict[str, Any]:
        """What is in flight, and how many requests there were since the start."""
        with self._lock:
            return {"in_flight": len(self._in_flight), "begun": self._begun}


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *_: Any) -> None:
        """Nothing: the log of answers says it all."""

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._reply({"data": [{"id": MODEL}]})
        elif self.path == "/state":
            self._reply(self.server.state())
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/control":
            self.server.control(body)
            self._reply({})
            return
        (url,) = [part["image_url"]["url"] for part in body["messages"][0]["content"] if part["type"] == "image_url"]
        png = base64.b64decode(url.partition(",")[2])
        digest = hashlib.sha256(png).hexdigest()
        answered = False
        pause_s = self.server.begin(digest)
        try:
            time.sleep(pause_s)
            while self.server.hangs():
                time.sleep(LOOK_S)
            self._say(answer_to(png), logprob_of(png))
            answered = True
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.server.end(digest, answered=answered)

    def _say(self, text: str, logprob: float) -> None:
        tokens = {"content": [{"token": text, "logprob": logprob}]}
        said = {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop", "logprobs": tokens}]}
        data = b"data: " + json.dumps(said).encode() + b"\n\ndata: [DONE]\n\n"
        self._send(data, "text/event-stream")

    def _reply(self, value: dict[str, Any]) -> None:
        self._send(json.dumps(value).encode(), "application/json")

    def _send(self, data: bytes, content_type: str) -> None:
        self.send_response(200)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def main() -> None:
    """Serves until killed."""
    port, log_path = sys.argv[1:]
    ModelServer(int(port), log_path).serve_forever(0.1)


if __name__ == "__main__":
    main()
