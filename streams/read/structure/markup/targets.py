"""Addresses of links: which are kept, and how. Pure functions of strings; nothing is ever opened."""

import re
from urllib.parse import unquote, urljoin, urlsplit

MAX_TARGET = 2_000
"""Characters; browsers cut or refuse longer ones."""

_OUTSIDE = re.compile(r"(?:https?|mailto|ftp|tel):", re.IGNORECASE)
_UNSAFE = re.compile(r"[\s\x00-\x1f\x7f<>\"`\\{}|^]")


def outside_target(href: str, base: str = "") -> str | None:
    """An address outside the document, as it is kept; a relative one only where the document says what it is relative to. None for all else."""
    address = "".join(href.split("\n")).strip()
    if base and not _OUTSIDE.match(address):
        try:
            address = urljoin(base, address)
        except ValueError:
            return None
    if not _OUTSIDE.match(address) or len(address) > MAX_TARGET:
        return None
    return _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", address)


def place_in(href: str) -> tuple[str, str] | None:
    """(path, fragment) of a relative address, unquoted; None for one with a scheme or host, or that is no address."""
    try:
        parts = urlsplit(href.strip())
    except ValueError:
        return None
    if parts.scheme or parts.netloc:
        return None
    return unquote(parts.path), unquote(parts.fragment)
