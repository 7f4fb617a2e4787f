"""Fetches a document that a submission gives by its URI. The door to httpx of this stage.

Guarantees: only what `uris.allowed` allows is opened, for every redirect again; a host is connected to at the address that was checked, so a name
that changes its mind between check and connection gains nothing; no more than `max_bytes` are read, and `timeout_s` holds for all of it, however
slowly bytes come; a file is reached without following a symbolic link below its root. Errors show no query and no user of a URI.
"""

import asyncio
import errno
import ipaddress
import os
import socket
import ssl
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from schemas.errors import Code, PageloomError
from streams.ingest.remote_objects import read_object
from streams.ingest.uris import HTTP_PORTS, MAX_URI, Address, Location, allowed, check_address, parse_roots

if TYPE_CHECKING:
    import httpx

MAX_REDIRECTS = 5
"""A download behind a login page or a mirror needs two or three."""
NETWORK_TIMEOUT_S = 15.0
"""For one connection or one read of a host that says nothing."""

Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]
"""All addresses of a host name."""


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What may be fetched. `roots` as in `parse_roots`; `private_hosts`: names, in lower case, that may be in a private network."""

    roots: tuple[Location, ...]
    private_hosts: frozenset[str]
    max_bytes: int
    timeout_s: float


def fetch_limits(roots: str, private_hosts: str, max_bytes: int, timeout_s: float) -> FetchLimits:
    """The limits as the settings write them. Raises ValueError for roots that are none."""
    hosts = frozenset(name.strip().lower() for name in private_hosts.split(",") if name.strip())
    return FetchLimits(parse_roots(roots), hosts, max_bytes, timeout_s)


async def resolve(host: str, port: int) -> Sequence[Address]:
    """The addresses of a host. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ipaddress.ip_address(str(address[4][0]).partition("%")[0]) for address in found]


async def fetch(uri: str, limits: FetchLimits, resolve_host: Resolve = resolve) -> bytes:
    """The bytes of a document.

    Raises PageloomError: URI_NOT_ALLOWED, URI_NOT_SUPPORTED, URI_NOT_FOUND, URI_UNREACHABLE, TOO_LARGE, TIMED_OUT, STORE_UNAVAILABLE.
    """
    location, root = allowed(uri, limits.roots)
    try:
        async with asyncio.timeout(limits.timeout_s):
            if location.scheme == "file":
                return await asyncio.to_thread(read_file, location, root, limits.max_bytes)
            if location.scheme in HTTP_PORTS:
                return await _read_http(location, limits, resolve_host)
            return await asyncio.to_thread(read_object, location.uri, str(location), limits.max_bytes)
    except TimeoutError:
        message = f"{location} was not fetched within {limits.timeout_s:g} s (uri_timeout_s of the settings)"
        raise PageloomError(Code.TIMED_OUT, message) from None


def read_file(location: Location, root: Location, max_bytes: int) -> bytes:
    """A file below a root, reached folder by folder so that no symbolic link, and none put there meanwhile, leads out of it."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    below = location.segments[len(root.segments) :]
    if not below:
        raise PageloomError(Code.URI_NOT_FOUND, f"{location} is a folder")
    held: list[int] = []
    try:
        # The root itself is the operator's word, links and all.
        held.append(os.open(b"/" + b"/".join(root.segments), os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY))
        for segment in below[:-1]:
            held.append(os.open(segment, flags | os.O_DIRECTORY, dir_fd=held[-1]))
        # Not to wait for a writer of a pipe.
        held.append(os.open(below[-1], flags | os.O_NONBLOCK, dir_fd=held[-1]))
        state = os.fstat(held[-1])
        if not stat.S_ISREG(state.st_mode):
            raise PageloomError(Code.URI_NOT_ALLOWED, f"{location} is no regular file")
        check_size(location, state.st_size, max_bytes)
        with os.fdopen(held.pop(), "rb") as file:
            data = file.read(max_bytes + 1)
        check_size(location, len(data), max_bytes)
        return data
    except OSError as error:
        raise _file_error(location, error) from None
    finally:
        for descriptor in held:
            os.close(descriptor)


def _file_error(location: Location, error: OSError) -> PageloomError:
    if isinstance(error, FileNotFoundError):
        return PageloomError(Code.URI_NOT_FOUND, f"{location} is not there")
    if isinstance(error, NotADirectoryError) or error.errno == errno.ELOOP:  # a symbolic link where none is followed
        return PageloomError(Code.URI_NOT_ALLOWED, f"{location} leads over a symbolic link or through a file")
    return PageloomError(Code.URI_UNREACHABLE, f"{location} cannot be read ({error.strerror})")


async def _read_http(location: Location, limits: FetchLimits, resolve_host: Resolve) -> bytes:
    import httpx  # noqa: PLC0415 - an open worker that fetches nothing does not pay for it

    timeout_s = min(NETWORK_TIMEOUT_S, limits.timeout_s)
    async with httpx.AsyncClient(timeout=timeout_s, verify=_trusted(), trust_env=False, follow_redirects=False) as client:
        for _ in range(MAX_REDIRECTS + 1):
            address = await _checked_address(location, limits, resolve_host)
            try:
                answer = await _ask(client, location, address, limits.max_bytes)
            except httpx.TimeoutException:
                raise PageloomError(Code.URI_UNREACHABLE, f"{location} cannot be fetched: no answer within {timeout_s:g} s") from None
            except httpx.NetworkError:
                raise PageloomError(Code.URI_UNREACHABLE, f"{location} cannot be fetched: its server refuses or breaks off the connection") from None
            except (httpx.HTTPError, httpx.InvalidURL):
                raise PageloomError(Code.URI_UNREACHABLE, f"{location} cannot be fetched: its server does not answer as HTTP has it") from None
            if isinstance(answer, bytes):
                return answer
            location, _root = allowed(answer, limits.roots)
            if location.scheme not in HTTP_PORTS:
                raise PageloomError(Code.URI_NOT_ALLOWED, f"a redirect leads to {location}; followed are http and https")
    raise PageloomError(Code.URI_UNREACHABLE, f"{location} is behind more than {MAX_REDIRECTS} redirects")


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that servers are trusted by (`SSL_CERT_FILE` adds to them): loading them takes a tenth of a second, once."""
    import httpx  # noqa: PLC0415

    return httpx.create_ssl_context()


async def _ask(client: "httpx.AsyncClient", location: Location, address: Address, max_bytes: int) -> bytes | str:
    """The content, or where it is instead. Raises what httpx raises."""
    import httpx  # noqa: PLC0415

    url = httpx.URL(location.uri)
    # The name stays in the header and in the certificate check; the connection goes to the address that was checked.
    headers = {"Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity", "User-Agent": "pageloom"}
    request = client.build_request("GET", url.copy_with(host=str(address)), headers=headers, extensions={"sni_hostname": location.host})
    response = await client.send(request, stream=True)
    try:
        if response.is_redirect:
            return urljoin(location.uri, str(response.headers.get("location", ""))[: MAX_URI + 1])
        _check_answer(location, response.status_code, response.headers.get("content-encoding", ""))
        stated = response.headers.get("content-length", "")
        check_size(location, int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 20 else 0, max_bytes)
        return await _within(location, response.aiter_raw(), max_bytes)
    finally:
        await response.aclose()


async def _checked_address(location: Location, limits: FetchLimits, resolve_host: Resolve) -> Address:
    """One address of the host; all of them are checked, for a client may be given any."""
    try:
        addresses = await resolve_host(location.host, location.port)
    except (OSError, UnicodeError):
        addresses = []
    if not addresses:
        raise PageloomError(Code.URI_UNREACHABLE, f"the host of {location} has no address")
    for address in addresses:
        try:
            check_address(address, private_allowed=location.host in limits.private_hosts)
        except PageloomError as error:
            raise PageloomError(error.code, f"{location}: {error}; uri_private_hosts of the settings may allow a private one") from None
    return addresses[0]


def _check_answer(location: Location, status: int, encoding: str) -> None:
    if status in (404, 410):
        raise PageloomError(Code.URI_NOT_FOUND, f"{location} is not there (HTTP status {status})")
    if 400 <= status < 500 and status not in (408, 429):
        raise PageloomError(Code.URI_NOT_ALLOWED, f"the server of {location} refuses it (HTTP status {status})")
    if status != 200:
        raise PageloomError(Code.URI_UNREACHABLE, f"the server of {location} answers with HTTP status {status}")
    if encoding.strip().lower() not in ("", "identity"):
        raise PageloomError(Code.URI_UNREACHABLE, f"the server of {location} answers compressed ({encoding[:20]!r}) though asked not to")


async def _within(location: Location, chunks: AsyncIterator[bytes], max_bytes: int) -> bytes:
    data = bytearray()
    async for chunk in chunks:
        data += chunk
        check_size(location, len(data), max_bytes)
    return bytes(data)


def check_size(location: Location, size_bytes: int, max_bytes: int) -> None:
    """Raises TOO_LARGE."""
    if size_bytes > max_bytes:
        raise PageloomError(Code.TOO_LARGE, f"{location} has more than {max_bytes} bytes (max_document_bytes of the settings)")
