"""Submissions by URI: fetched from a real HTTP server, a real folder and a store of fsspec, each of which misbehaves on purpose."""

import asyncio
import ipaddress
import os
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from schemas.errors import Code, PageloomError
from streams.ingest.fetching import FetchLimits, fetch, fetch_limits
from streams.ingest.uris import Address

MAX = 100_000
LOOPBACK = ipaddress.ip_address("127.0.0.1")


class Handler(BaseHTTPRequestHandler):
    """A server whose paths are its faults."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[tuple[str, str]]] = []
    stopped = threading.Event()

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers["Host"]))
        fault = self.path.partition("?")[0].rsplit("/", 1)[1]
        if fault.isdigit():
            self.answer(int(fault), b"", {"Location": self.path.partition("?to=")[2]} if fault in ("301", "302", "307") else {})
        elif fault == "gzip":
            self.answer(200, b"\x1f\x8b", {"Content-Encoding": "gzip"})
        elif fault == "endless":
            self.endless(b"x" * 8192, 0.0)
        elif fault == "slow":
            self.endless(b"x", 0.05)
        elif fault == "silent":
            self.stopped.wait(10)
        elif fault == "lying":
            self.answer(200, b"short", {"Content-Length": "50"})
            self.close_connection = True
        elif fault == "huge":
            self.answer(200, b"", {"Content-Length": str(10**15)})
            self.close_connection = True
        else:
            self.answer(200, b"content of " + self.path.encode(), {})

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def endless(self, piece: bytes, pause_s: float) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while not self.stopped.wait(pause_s):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        except OSError:
            self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Silent."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield server.server_port
    Handler.stopped.set()
    server.shutdown()
    server.server_close()


async def to_loopback(host: str, port: int) -> Sequence[Address]:
    return [LOOPBACK]


def limits(roots: str, timeout_s: float = 5.0, private: str = "files.test, other.test") -> FetchLimits:
    return fetch_limits(roots, private, MAX, timeout_s)


def fetched(uri: str, allowed: FetchLimits, resolve: Any = to_loopback) -> bytes:
    return asyncio.run(fetch(uri, allowed, resolve))


def refusal(uri: str, allowed: FetchLimits, resolve: Any = to_loopback) -> PageloomError:
    with pytest.raises(PageloomError) as caught:
        fetched(uri, allowed, resolve)
    assert "hidden" not in str(caught.value)
    return caught.value


def test_a_document_comes_from_the_address_that_was_checked_under_its_name(port: int) -> None:
    base = f"http://files.test:{port}/inbox"
    assert fetched(f"{base}/a.pdf?key=hidden", limits(f"{base}/")) == b"content of /inbox/a.pdf?key=hidden"
    assert Handler.seen[-1] == ("/inbox/a.pdf?key=hidden", f"files.test:{port}")


def test_a_private_address_is_refused_unless_its_host_is_named(port: int) -> None:
    base, before = f"http://files.test:{port}/", len(Handler.seen)
    assert refusal(base + "a", limits(base, private="")).code is Code.URI_NOT_ALLOWED
    assert refusal(f"http://127.0.0.1:{port}/a", limits(f"http://127.0.0.1:{port}/", private="")).code is Code.URI_NOT_ALLOWED
    assert len(Handler.seen) == before


def test_one_bad_address_among_good_ones_is_refused(port: int) -> None:
    async def both(host: str, port: int) -> Sequence[Address]:
        return [ipaddress.ip_address("93.184.216.34"), ipaddress.ip_address("169.254.169.254")]

    base = f"http://files.test:{port}/"
    assert refusal(base + "a", limits(base), both).code is Code.URI_NOT_ALLOWED


def test_a_name_that_changes_its_mind_gains_nothing(port: int) -> None:
    """Rebinding: the first answer is public, the next the metadata service. Each connection uses the very answer that was checked."""
    answers = [[LOOPBACK], [ipaddress.ip_address("169.254.169.254")]]

    async def rebinding(host: str, port: int) -> Sequence[Address]:
        return answers.pop(0)

    base = f"http://files.test:{port}/"
    assert fetched(base + "a", limits(base), rebinding) == b"content of /a"
    assert len(answers) == 1, "resolved once for one connection"
    assert refusal(base + "a", limits(base), rebinding).code is Code.URI_NOT_ALLOWED


def test_redirects_are_followed_within_the_roots_and_checked_again(port: int) -> None:
    base = f"http://files.test:{port}/inbox/"
    allowed = limits(f"{base}, http://other.test:{port}/")
    assert fetched(f"{base}302?to=/inbox/b.pdf", allowed) == b"content of /inbox/b.pdf"
    assert fetched(f"{base}307?to=http://other.test:{port}/c", allowed) == b"content of /c"
    for target in (f"http://127.0.0.1:{port}/x", "/elsewhere/x", "file:///etc/passwd", "http://evil.test/?hidden", "//evil.test/x", ""):
        assert refusal(f"{base}301?to={target}", allowed).code in (Code.URI_NOT_ALLOWED, Code.URI_NOT_SUPPORTED, Code.URI_UNREACHABLE)
    assert refusal(f"{base}302?to={base}302", allowed).code in (Code.URI_UNREACHABLE, Code.URI_NOT_ALLOWED)


def test_a_redirect_to_a_private_address_is_refused_though_its_root_is_allowed(port: int) -> None:
    base, inner = f"http://files.test:{port}/", f"http://inner.test:{port}/"
    before = len(Handler.seen)
    error = refusal(f"{base}302?to={inner}a", limits(f"{base}, {inner}", private="files.test"))
    assert error.code is Code.URI_NOT_ALLOWED
    assert "private" in str(error)
    assert len(Handler.seen) == before + 1, "nothing was asked of it"


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("404", Code.URI_NOT_FOUND), ("410", Code.URI_NOT_FOUND), ("403", Code.URI_NOT_ALLOWED), ("429", Code.URI_UNREACHABLE),
        ("500", Code.URI_UNREACHABLE), ("206", Code.URI_UNREACHABLE), ("gzip", Code.URI_UNREACHABLE), ("endless", Code.TOO_LARGE),
        ("huge", Code.TOO_LARGE), ("lying", Code.URI_UNREACHABLE), ("slow", Code.TIMED_OUT), ("silent", Code.TIMED_OUT),
    ],
)  # fmt: skip
def test_a_server_that_misbehaves(port: int, fault: str, code: Code) -> None:
    base = f"http://files.test:{port}/"
    allowed = limits(base, timeout_s=0.5 if fault in ("slow", "silent") else 20.0)
    error = refusal(f"{base}{fault}?key=hidden", allowed)
    assert error.code in (code, Code.URI_UNREACHABLE if fault == "silent" else code)


def test_a_host_that_is_not_there() -> None:
    async def nobody(host: str, port: int) -> Sequence[Address]:
        raise OSError("no such host")

    assert refusal("http://files.test/a", limits("http://files.test/"), nobody).code is Code.URI_UNREACHABLE
    assert refusal("http://files.test:1/a", limits("http://files.test:1/")).code is Code.URI_UNREACHABLE


def test_a_file_below_its_root(tmp_path: Path) -> None:
    (tmp_path / "inbox" / "deep er").mkdir(parents=True)
    (tmp_path / "inbox" / "deep er" / "a.pdf").write_bytes(b"content")
    allowed = limits((tmp_path / "inbox").as_uri())
    assert fetched((tmp_path / "inbox" / "deep er" / "a.pdf").as_uri(), allowed) == b"content"


def test_a_file_that_leads_elsewhere(tmp_path: Path) -> None:
    inbox, outside = tmp_path / "inbox", tmp_path / "outside"
    inbox.mkdir()
    outside.mkdir()
    (outside / "secret").write_bytes(b"hidden")
    (inbox / "link").symlink_to(outside / "secret")
    (inbox / "folder").symlink_to(outside)
    (inbox / "large").write_bytes(bytes(MAX + 1))
    (inbox / "empty-folder").mkdir()
    os.mkfifo(inbox / "pipe")
    allowed = limits(inbox.as_uri())
    for name, code in (
        ("link", Code.URI_NOT_ALLOWED), ("folder/secret", Code.URI_NOT_ALLOWED), ("large", Code.TOO_LARGE), ("pipe", Code.URI_NOT_ALLOWED),
        ("gone", Code.URI_NOT_FOUND), ("empty-folder", Code.URI_NOT_ALLOWED), ("large/x", Code.URI_NOT_ALLOWED), ("", Code.URI_NOT_FOUND),
    ):  # fmt: skip
        assert refusal(f"{inbox.as_uri()}/{name}", allowed).code is code, name
    assert not os.listdir("/proc/self/fd") or len(os.listdir("/proc/self/fd")) < 200, "no descriptor is left open"


class Bucket(MemoryFileSystem):  # type: ignore[misc]
    """An object store in memory under the name of a real one; it lies about sizes and raises what stores raise."""

    protocol = "s3"
    store: ClassVar[dict[str, Any]] = {}

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return "/" + path.removeprefix("s3://").lstrip("/")

    def size(self, path: str) -> int | None:
        return None if "unsized" in path else super().size(path)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **more: Any) -> bytes:
        if "broken" in path:
            raise RuntimeError("Authorization: hidden")
        if "private" in path:
            raise PermissionError("hidden")
        if super().size(path) == 0:
            raise OSError("InvalidRange")
        return bytes(super().cat_file(path, start=start, end=end, **more))


def test_an_object_of_a_store() -> None:
    fsspec.register_implementation("s3", Bucket, clobber=True)
    bucket = Bucket()
    for name, content in (("a", b"content"), ("large", bytes(MAX + 1)), ("unsized", bytes(MAX + 1)), ("broken", b"x"), ("private", b"x"), ("0", b"")):
        bucket.pipe_file(f"/bucket/inbox/{name}", content)
    allowed = limits("s3://bucket/inbox/")
    assert fetched("s3://bucket/inbox/a", allowed) == b"content"
    assert fetched("s3://bucket/inbox/0", allowed) == b""
    for name, code in (
        ("large", Code.TOO_LARGE), ("unsized", Code.TOO_LARGE), ("gone", Code.URI_NOT_FOUND), ("broken", Code.URI_UNREACHABLE),
        ("private", Code.URI_NOT_ALLOWED),
    ):  # fmt: skip
        assert refusal(f"s3://bucket/inbox/{name}", allowed).code is code, name


def test_a_store_whose_library_is_not_installed() -> None:
    error = refusal("gs://bucket/inbox/a", limits("gs://bucket/inbox/"))
    assert error.code is Code.URI_NOT_SUPPORTED
    assert "extra" in str(error)
