"""Runs the console: binds the address, decides who may ask, and serves until it is told to stop. The only door to uvicorn.

Guarantees: bound to anything but loopback, a token is needed, made up where the settings name none; no request, address or token is logged.
"""

import ipaddress
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
import uvicorn
from msgspec import Struct

from inference.engines.registry import ENGINES
from streams.console.pipeline import KafkaPipeline
from streams.console.web.application import create_application
from streams.console.web.guard import Access
from streams.console.web.server import Console
from streams.settings import Settings, SettingsError

SHUTDOWN_S = 3
"""For requests that are under way; streams of events end at once."""
BACKLOG = 128
MAX_CONNECTIONS = 512
"""Open at once; more are answered with 503."""

log = structlog.get_logger(__name__)


class Address(Struct, frozen=True, kw_only=True):
    """Where a console is reached; `url` is for a person, with the token where one is needed."""

    host: str
    port: int
    url: str


def bound(settings: Settings, *, any_port: bool = False) -> socket.socket:
    """A listening socket at the console's address; at a free port where `any_port` and its own is taken. Raises SettingsError."""
    host = settings.console_host
    for port in (settings.console_port, 0) if any_port else (settings.console_port,):
        try:
            family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((host, port), family=family, backlog=BACKLOG)
        except OSError as error:
            reason = error.strerror or str(error)
    raise SettingsError(f"the console cannot listen at {host}:{settings.console_port} ({reason}); set PAGELOOM_CONSOLE_PORT or PAGELOOM_CONSOLE_HOST")


def access_of(settings: Settings, address: str, new_token: str) -> Access:
    """Who may ask a console that is bound to an address: with a token unless it is loopback and the settings want none."""
    token = settings.console_token or ("" if is_loopback(address) else new_token)
    names = {name.strip().lower() for name in (*settings.console_hosts.split(","), socket.gethostname()) if name.strip()}
    return Access(hosts=frozenset(names), token=token)


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


@contextmanager
def console(settings: Settings, *, any_port: bool = False) -> Iterator[Address]:
    """A console on the pipeline of the settings, served from a thread. Raises SettingsError, PageloomError."""
    listening = bound(settings, any_port=any_port)
    address, port = listening.getsockname()[:2]
    access = access_of(settings, address, secrets.token_urlsafe(24))
    with listening, KafkaPipeline(settings) as pipeline:
        handlers = Console(
            pipeline,
            max_document_bytes=settings.max_document_bytes,
            low_confidence=settings.low_confidence,
            engines=tuple(sorted(ENGINES)),
        )
        config = uvicorn.Config(
            create_application(handlers, access),
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=SHUTDOWN_S,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="console", daemon=True)
        thread.start()
        try:
            yield Address(host=address, port=port, url=_url(settings.console_host, address, port, access.token))
        finally:
            handlers.stopping = server.should_exit = True
            thread.join(SHUTDOWN_S + 2)


def _url(host: str, address: str, port: int, token: str) -> str:
    """What a person opens. All addresses of a machine are reached by its name."""
    shown = socket.gethostname() if ipaddress.ip_address(address.partition("%")[0]).is_unspecified else host
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
