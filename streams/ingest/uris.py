"""Which URIs of submissions may be fetched: decided on the text of the URI and on addresses, before anything is opened. Pure.

Guarantees: nothing is allowed that the settings do not name, by scheme, host, port and the beginning of the path. A path that could be read in two
ways (dot segments, coded slashes, backslashes) is refused, not tidied. What is shown of a URI holds no user, password, query or fragment, since
signed URLs carry secrets there.
"""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, unquote_to_bytes, urlsplit

from schemas.errors import Code, PageloomError

HTTP_PORTS: dict[str, int] = {"http": 80, "https": 443}
STORES: frozenset[str] = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss"})
"""Object stores of fsspec whose URI names a bucket and no host: where it connects to is the operator's configuration, not the producer's choice."""
SCHEMES: frozenset[str] = STORES | HTTP_PORTS.keys() | {"file"}
MAX_URI = 8192
"""Characters: signed URLs have a thousand or two; servers refuse more than this."""
MAX_SHOWN = 200

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_SHARED = ipaddress.ip_network("100.64.0.0/10")
"""Addresses behind a carrier's translation (RFC 6598): neither private nor global by Python's count in all versions."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 addresses as a translator to IPv4 takes them (RFC 6052)."""


@dataclass(frozen=True, slots=True)
class Location:
    """A URI in parts. `segments`: of the path, decoded. `uri` is the whole text, which may hold a secret."""

    scheme: str
    host: str
    port: int
    segments: tuple[bytes, ...]
    uri: str = field(repr=False)

    def __str__(self) -> str:
        return shown(self.uri)


def parse_roots(text: str) -> tuple[Location, ...]:
    """The allowed beginnings of URIs, separated by commas. Raises ValueError for one that allows what nobody can mean."""
    roots = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            root = parse(part)
        except PageloomError as error:
            raise ValueError(str(error)) from None
        if "?" in part or "#" in part:
            raise ValueError(f"{shown(part)} has a query or a fragment; a root is scheme, host and folder")
        if root.scheme == "file" and not root.segments:
            raise ValueError("file:/// would allow every file of the machine; name a folder")
        roots.append(root)
    return tuple(roots)


def allowed(uri: str, roots: Sequence[Location]) -> tuple[Location, Location]:
    """The parts of a URI and the root that it is below. Raises URI_NOT_ALLOWED, URI_NOT_SUPPORTED."""
    if not roots:
        raise PageloomError(Code.URI_NOT_ALLOWED, "the document is given by a URI, and uri_roots of the settings allows none")
    location = parse(uri)
    for root in roots:
        same_place = (location.scheme, location.host, location.port) == (root.scheme, root.host, root.port)
        if same_place and location.segments[: len(root.segments)] == root.segments:
            return location, root
    raise PageloomError(Code.URI_NOT_ALLOWED, f"{location} is below no URI that uri_roots of the settings allows")


def parse(uri: str) -> Location:
    """The parts of a URI. Raises URI_NOT_SUPPORTED for a scheme that is not fetched, URI_NOT_ALLOWED for what is not plainly one place."""
    if len(uri) > MAX_URI or not uri.isascii() or any(c <= " " or c in '\\"<>^`{|}\x7f' for c in uri):
        raise PageloomError(Code.URI_NOT_ALLOWED, f"{shown(uri)} is no URI: at most {MAX_URI} characters of ASCII, no spaces, all else percent-coded")
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        raise PageloomError(Code.URI_NOT_ALLOWED, f"{shown(uri)} is no URI: its host or port is malformed") from None
    if parts.scheme not in SCHEMES:
        raise PageloomError(Code.URI_NOT_SUPPORTED, f"{shown(uri)} has a scheme that is not fetched; fetched are {', '.join(sorted(SCHEMES))}")
    host = (parts.hostname or "").rstrip(".")
    _check_authority(uri, parts, host, port)
    host = "" if parts.scheme == "file" else host  # `localhost` says nothing
    return Location(parts.scheme, host, port or HTTP_PORTS.get(parts.scheme, 0), _segments(uri, parts.path), uri)


def _check_authority(uri: str, parts: SplitResult, host: str, port: int | None) -> None:
    if parts.username is not None or parts.password is not None:
        # Stores that take an account as `container@account` are configured instead: what stands there may be a secret.
        raise PageloomError(Code.URI_NOT_ALLOWED, f"{shown(uri)} names a user; credentials belong into the settings of the store")
    if parts.scheme == "file":
        if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
            raise PageloomError(Code.URI_NOT_ALLOWED, f"{shown(uri)} names a file on another machine; a local one is file:///path")
    elif not host or "%" in host:
        raise PageloomError(Code.URI_NOT_ALLOWED, f"{shown(uri)} names no host or bucket")
    elif parts.scheme in STORES and (port is not None or "::" in uri or parts.query or parts.fragment):
        raise PageloomError(Code.URI_NOT_ALLOWED, f"{shown(uri)} is no plain object of a store: a bucket and a path")


def _segments(uri: str, path: str) -> tuple[bytes, ...]:
    """The path in parts, decoded, without a last slash. Raises URI_NOT_ALLOWED for a path that leaves its folder or might."""
    parts = path.removeprefix("/").split("/")
    segments = tuple(unquote_to_bytes(part) for part in (parts if parts[-1] else parts[:-1]))
    for segment in segments:
        if segment in (b"", b".", b"..") or any(c in segment for c in (b"/", b"\\", b"\0", b"%2e", b"%2E", b"%2f", b"%2F", b"%5c", b"%5C")):
            raise PageloomError(Code.URI_NOT_ALLOWED, f"{shown(uri)} has a path with empty or dot segments or coded separators")
    return segments


def shown(uri: str) -> str:
    """A URI for messages: without what may be secret, cut, printable."""
    plain = uri.split("?", 1)[0].split("#", 1)[0]
    scheme, mark, rest = plain.partition("://")
    authority, slash, path = rest.partition("/")
    text = f"{scheme}{mark}{authority.rpartition('@')[2]}{slash}{path}" if mark else plain.rpartition("@")[2]
    text = "".join(c if c.isprintable() else "\ufffd" for c in text[: MAX_SHOWN + 1])
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"


def filename_in(uri: str) -> str:
    """What the last segment of a URI's path is called; empty where it has none. For any text."""
    plain = uri[:MAX_URI].split("?", 1)[0].split("#", 1)[0]
    return unquote(plain.rsplit("/", 1)[1]) if "://" in plain else ""


def check_address(address: Address, *, private_allowed: bool) -> None:
    """Raises URI_NOT_ALLOWED for an address that is none of the public Internet, or, where private ones are allowed, of no network at all.

    Link-local addresses are never allowed: metadata services of clouds answer there, with credentials.
    """
    plain = _carried(address)
    never = plain.is_link_local or plain.is_multicast or plain.is_unspecified or _is_broadcast(plain)
    public = plain.is_global and not plain.is_reserved and plain not in _SHARED
    if never or not (public or private_allowed):
        kind = "link-local, multicast or none" if never else "private, loopback or reserved"
        raise PageloomError(Code.URI_NOT_ALLOWED, f"the host's address {address} is {kind}, which is not fetched from")


def _carried(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for (mapped, 6to4, Teredo, NAT64); else the address itself."""
    if not isinstance(address, ipaddress.IPv6Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address.teredo is not None:
        return address.teredo[1]
    return address.ipv4_mapped or address.sixtofour or address


def _is_broadcast(address: Address) -> bool:
    return isinstance(address, ipaddress.IPv4Address) and int(address) == 0xFFFFFFFF
