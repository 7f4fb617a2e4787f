"""Objects of remote stores by their URI, through fsspec. Its credentials and endpoints are the operator's environment, never part of a URI.

Guarantees: no more than `max_bytes` and one are asked for, whatever the store says of the size. Whoever waits for the
thread has a deadline of its own.
"""

from collections.abc import Callable
from typing import TypeVar

from schemas.errors import Code, PageloomError

T = TypeVar("T")


def read_object(uri: str, name: str, max_bytes: int) -> bytes:
    """The bytes of an object. `name` is the URI as messages may show it.

    Raises PageloomError: URI_NOT_FOUND, URI_NOT_SUPPORTED, URI_UNREACHABLE, TOO_LARGE.
    """
    import fsspec  # noqa: PLC0415 - with the store's own library behind it

    try:
        file_system, path = fsspec.core.url_to_fs(uri)
    except ImportError:
        raise PageloomError(Code.URI_NOT_SUPPORTED, f"{name} needs a library of its store; install Pageloom with the extra of that store") from None
    except ValueError:
        raise PageloomError(Code.URI_NOT_SUPPORTED, f"{name} is of a store that is not known") from None
    stated = _asked(lambda: file_system.size(path), name)
    if stated == 0:
        return b""  # S3 refuses every range of it (416)
    # One request, so that an object that is replaced meanwhile is never half of each; asked for a byte too many, to see that there is one.
    data: bytes = b"" if (stated or 0) > max_bytes else _asked(lambda: file_system.cat_file(path, start=0, end=max_bytes + 1), name)
    if max(len(data), stated or 0) > max_bytes:
        raise PageloomError(Code.TOO_LARGE, f"{name} has more than {max_bytes} bytes (max_document_bytes of the settings)")
    return data


def _asked(question: Callable[[], T], name: str) -> T:
    """The store's answer. The text of its error may hold keys or headers: it goes nowhere."""
    try:
        return question()
    except FileNotFoundError:
        raise PageloomError(Code.URI_NOT_FOUND, f"{name} is not there") from None
    except PermissionError:
        raise PageloomError(Code.URI_NOT_ALLOWED, f"the store of {name} refuses it; check its credentials") from None
    except Exception:  # noqa: BLE001 - the libraries of stores have no common base for their errors
        raise PageloomError(Code.URI_UNREACHABLE, f"{name} cannot be fetched: its store does not answer as it should") from None
