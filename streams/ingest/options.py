"""Headers of an ingest record to options, checked. Pure.

Guarantees: names are read without regard to case, `_` counts as `-`, of several headers with one name the last holds, unknown names are
ignored. A value that is not allowed raises INVALID_OPTIONS with its name and what is allowed. Values are not quoted: one may be a
password under a wrong name.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import TypeVar

import msgspec

from schemas.errors import Code, PageloomError
from schemas.events import DocumentOptions, Format, Mode, Priority
from streams.ingest.pages import parse_ranges

E = TypeVar("E", bound=Enum)

METADATA_PREFIX = "metadata-"
MAX_METADATA = 64
MAX_METADATA_NAME = 128
MAX_METADATA_VALUE = 4096
"""Characters: metadata travels in every later event of a document as a whole."""
MAX_FILENAME = 255
"""Characters: the longest that common file systems keep."""
MAX_PASSWORD = 1024
"""Characters; PDF looks at 127 bytes of one (ISO 32000-2, 7.6.4)."""
MIN_DPI, MAX_DPI = 36, 1200
"""Below, no model reads anything; above, a page of A4 has more than 130 million pixels."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}")
"""Of an engine or tenant."""
TRUE, FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the headers of a record ask for. `password` does not show in a representation."""

    options: DocumentOptions
    filename: str = ""
    content_type: str | None = None
    password: str | None = field(default=None, repr=False)
    metadata: Mapping[str, str] = field(default_factory=dict)


def read_headers(headers: Iterable[tuple[str, bytes | None]]) -> Asked:
    """The options in the headers of a record of raw bytes. Raises PageloomError INVALID_OPTIONS."""
    texts: dict[str, str] = {}
    for name, value in headers:
        texts[name.strip().lower().replace("_", "-")] = _decoded(name, value)
    given = {name: text for name in ("pages", "engine", "dpi", "tenant") if (text := texts.get(name, "").strip())}
    options = DocumentOptions(
        mode=_word("mode", texts.get("mode"), Mode, Mode.FAST),
        formats=_formats(texts.get("formats")),
        pages=given.get("pages"),
        engine=given.get("engine"),
        dpi=_whole_number("dpi", given["dpi"]) if "dpi" in given else None,
        join_tables=_flag("join-tables", texts.get("join-tables")),
        priority=_word("priority", texts.get("priority"), Priority, Priority.NORMAL),
        tenant=given.get("tenant", "default"),
    )
    metadata = {name.removeprefix(METADATA_PREFIX): text for name, text in texts.items() if name.startswith(METADATA_PREFIX)}
    return Asked(
        options=check_options(options),
        filename=clean_filename(texts.get("filename", "")),
        content_type=content_type_of(headers),
        password=check_password(texts.get("password")),
        metadata=check_metadata(metadata),
    )


def content_type_of(headers: Iterable[tuple[str, bytes | None]]) -> str | None:
    """The content type that a record claims, in lower case; None where it claims none."""
    claimed = [value for name, value in headers if name.strip().lower().replace("_", "-") == "content-type" and value]
    return claimed[-1].decode("utf-8", "replace").strip().lower()[:200] if claimed else None


def check_options(options: DocumentOptions) -> DocumentOptions:
    """The options, if all are allowed. Raises INVALID_OPTIONS."""
    if options.pages is not None:
        parse_ranges(options.pages)
    if options.dpi is not None and not MIN_DPI <= options.dpi <= MAX_DPI:
        raise _invalid("dpi", str(options.dpi), f"whole numbers from {MIN_DPI} to {MAX_DPI}")
    for name, value in (("engine", options.engine), ("tenant", options.tenant)):
        if value is not None and not NAME.fullmatch(value):
            raise _invalid(name, value, "up to 128 letters, digits and . _ : / - after a letter or digit")
    formats = tuple(dict.fromkeys(options.formats))
    if not formats:
        raise _invalid("formats", "", _words(Format))
    return options if formats == options.formats else msgspec.structs.replace(options, formats=formats)


def check_metadata(metadata: Mapping[str, str]) -> dict[str, str]:
    """The metadata, if it is within bounds. Raises INVALID_OPTIONS."""
    if len(metadata) > MAX_METADATA:
        raise PageloomError(Code.INVALID_OPTIONS, f"{len(metadata)} metadata entries; allowed are at most {MAX_METADATA}")
    for name, value in metadata.items():
        if not name or len(name) > MAX_METADATA_NAME or len(value) > MAX_METADATA_VALUE:
            raise _invalid(METADATA_PREFIX + name, value, f"names of 1 to {MAX_METADATA_NAME} and values of at most {MAX_METADATA_VALUE} characters")
    return dict(metadata)


def check_password(password: str | None) -> str | None:
    """The password, if it is not longer than any reader accepts. Raises INVALID_OPTIONS without quoting it."""
    if password is not None and len(password) > MAX_PASSWORD:
        raise PageloomError(Code.INVALID_OPTIONS, f"option password has {len(password)} characters; allowed are at most {MAX_PASSWORD}")
    return password or None


def clean_filename(name: str) -> str:
    """A file name without folders and control characters, cut at 255 characters with its extension kept."""
    base = re.split(r"[/\\]", name)[-1]
    base = "".join(c for c in base if c.isprintable()).strip()
    if len(base) <= MAX_FILENAME:
        return base
    stem, dot, extension = base.rpartition(".")
    return base[:MAX_FILENAME] if not dot or len(extension) > 10 else stem[: MAX_FILENAME - len(extension) - 1] + dot + extension


def _decoded(name: str, value: bytes | None) -> str:
    try:
        return (value or b"").decode("utf-8")
    except UnicodeDecodeError:
        if name.strip().lower() == "filename":  # a name of an old file system is no reason to refuse the file
            return (value or b"").decode("utf-8", "replace")
        raise PageloomError(Code.INVALID_OPTIONS, f"header {name[:40]!r} is not UTF-8 text") from None


def _word(name: str, text: str | None, words: type[E], default: E) -> E:
    if text is None or not text.strip():
        return default
    try:
        return words(text.strip().lower().replace("-", "_"))
    except ValueError:
        close = get_close_matches(text.strip().lower()[:40], [str(word.value) for word in words], 1)
        raise _invalid(name, text, _words(words) + (f"; {close[0]} may be meant" if close else "")) from None


def _formats(text: str | None) -> tuple[Format, ...]:
    if text is None or not text.strip():
        return DocumentOptions().formats
    return tuple(_word("formats", part, Format, Format.JSON) for part in text.split(",") if part.strip())


def _whole_number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise _invalid(name, text, f"whole numbers from {MIN_DPI} to {MAX_DPI}")
    return int(text)


def _flag(name: str, text: str | None) -> bool:
    word = (text or "").strip().lower()
    if word not in ("", *TRUE, *FALSE):
        raise _invalid(name, text or "", "true or false")
    return word not in FALSE


def _words(words: type[Enum]) -> str:
    return ", ".join(str(word.value) for word in words)


def _invalid(name: str, value: str, allowed: str) -> PageloomError:
    """The value is not quoted: a password under the wrong name would stand in the failure."""
    return PageloomError(Code.INVALID_OPTIONS, f"option {name[:60]} has a value of {len(value)} characters that is none; allowed are {allowed}")
