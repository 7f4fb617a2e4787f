"""The schemas that events may be written with: today's, older published ones, and newer ones that are learned when they are met.

While a fleet is upgraded, old workers meet events of new ones. A schema goes by the fingerprint in front of its data; one that is not known is asked
of the look-up that the process was given (`look_up_with`: the blob store, where every worker puts its schemas before it writes with them), checked
and kept. Guarantees: a learned schema is one of an event known here, within bounds, and cannot make few bytes claim many values. Process-wide, since
fingerprints mean the same to everybody; thread-safe.
"""

import json
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

import fastavro
import msgspec
from fastavro.schema import fingerprint, to_parsing_canonical_form

MARKER = b"\xc3\x01"
HEADER_BYTES = 10
MAX_SCHEMA_BYTES = 256 * 1024
"""The largest of ours has 12 KB."""
MAX_DEPTH = 64
"""Of types inside each other; ours have 9."""
MAX_LEARNED = 500
"""Schemas, and fingerprints that nobody knows, kept: a fleet has two versions of some fifteen, and the rest is somebody's noise."""

LookUp = Callable[[str], str | None]
"""The text of a schema by its header in hexadecimal; None where nobody put it."""


class Writer(msgspec.Struct, frozen=True):
    """A schema that data may be written with, and the name of its event."""

    name: str
    schema: Any
    text: str


_learned: dict[bytes, Writer | None] = {}
_look_up: LookUp | None = None


def look_up_with(look_up: LookUp | None) -> None:
    """Where unknown schemas are looked up from now on, in this process. What was not found before is asked for again."""
    global _look_up  # noqa: PLW0603 - like a codec registry: one for the process
    _look_up = look_up
    for header in [header for header, writer in _learned.items() if writer is None]:
        _learned.pop(header, None)


def find(header: bytes) -> Writer | None:
    """The writer whose data begins with these ten bytes; None for anything else. Raises what the look-up raises."""
    known = _published().get(header)
    if known is not None or _look_up is None or len(header) < HEADER_BYTES or header[:2] != MARKER:
        return known or _learned.get(header)
    if header not in _learned:
        text = _look_up(header.hex())
        writer = None if text is None else _checked(text)
        if writer is not None and header_of(writer.schema) != header:
            writer = None
        _keep(header, writer)
    return _learned[header]


def learn(text: str) -> bytes | None:
    """The header of a schema's data, which is known from now on; None for a schema that is none of ours."""
    writer = _checked(text)
    if writer is None:
        return None
    header = header_of(writer.schema)
    if header not in _published():
        _keep(header, writer)
    return header


def text_of(header: bytes) -> str:
    """The schema whose data begins with `header`. Raises KeyError for one that is not known."""
    writer = find(header)
    if writer is None:
        raise KeyError(header.hex())
    return writer.text


def published() -> dict[bytes, str]:
    """Today's schemas by the header of their data."""
    return {header_of_event(name): schema_text(name) for name in event_names()}


def header_of(schema: Any) -> bytes:
    """What data of a parsed schema begins with."""
    return MARKER + bytes.fromhex(fingerprint(to_parsing_canonical_form(schema), "CRC-64-AVRO"))


@cache
def schema_text(name: str) -> str:
    """The published schema of an event, as it stands in its file."""
    return (resources.files("schemas") / "avsc" / f"{name}.avsc").read_text(encoding="utf-8")


@cache
def event_names() -> tuple[str, ...]:
    """The names of all published events."""
    folder = resources.files("schemas") / "avsc"
    return tuple(sorted(f.name.removesuffix(".avsc") for f in folder.iterdir() if f.name.endswith(".avsc")))


@cache
def schema_of(name: str) -> Any:
    """The parsed schema of an event, as it is written today."""
    return fastavro.parse_schema(json.loads(schema_text(name)))


@cache
def header_of_event(name: str) -> bytes:
    """What an event begins with as it is written today."""
    return header_of(schema_of(name))


@cache
def _published() -> dict[bytes, Writer]:
    """Every published schema by its header: today's, and the older ones."""
    known = {header_of_event(name): Writer(name, schema_of(name), schema_text(name)) for name in event_names()}
    past = resources.files("schemas") / "avsc" / "past"
    if past.is_dir():
        for file in sorted(past.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".avsc"):
                text = file.read_text(encoding="utf-8")
                schema = fastavro.parse_schema(json.loads(text))
                known.setdefault(header_of(schema), Writer(file.name.split(".")[0], schema, text))
    return known


def _keep(header: bytes, writer: Writer | None) -> None:
    if len(_learned) >= MAX_LEARNED:
        _learned.clear()  # rare, and all of them can be looked up again
    _learned[header] = writer


def _checked(text: str) -> Writer | None:
    """A schema from outside, if it is one of an event of ours."""
    if len(text) > MAX_SCHEMA_BYTES:
        return None
    try:
        definition = json.loads(text)
        schema = fastavro.parse_schema(definition)
    except Exception:  # noqa: BLE001 - any text may come in, and fastavro has no common base for its errors
        return None
    if not isinstance(definition, dict) or definition.get("type") != "record" or definition.get("namespace") != "pageloom":
        return None
    name = definition.get("name")
    if name not in event_names() or not _is_bounded(definition, {}, 0):
        return None
    return Writer(name, schema, text)


def _is_bounded(node: Any, named: dict[str, Any], depth: int) -> bool:
    """Whether every item of an array or map takes at least a byte (else five bytes could claim a billion items), and nothing is nested deep."""
    if depth > MAX_DEPTH:
        return False
    if isinstance(node, list):
        return all(_is_bounded(branch, named, depth + 1) for branch in node)
    if isinstance(node, str):
        return True
    kind = node.get("type")
    if kind == "record":
        named[str(node.get("name"))] = node
        return all(_is_bounded(field.get("type"), named, depth + 1) for field in node.get("fields", ()))
    if kind == "array":
        items = node.get("items")
        return _is_bounded(items, named, depth + 1) and _takes_bytes(items, named, 0)
    inner = node.get("values") if kind == "map" else kind
    return isinstance(inner, str) or _is_bounded(inner, named, depth + 1)


def _takes_bytes(node: Any, named: dict[str, Any], depth: int) -> bool:
    """Whether a value of the type takes at least one byte. A union takes one for its branch."""
    if isinstance(node, list):
        return True
    if isinstance(node, str):
        return node != "null" and (node not in named or (depth <= MAX_DEPTH and _takes_bytes(named[node], named, depth + 1)))
    kind = node.get("type")
    if kind == "record":
        return any(_takes_bytes(field.get("type"), named, depth + 1) for field in node.get("fields", ())) if depth <= MAX_DEPTH else False
    if kind == "fixed":
        return int(node.get("size", 0)) > 0
    return isinstance(kind, dict | list) or kind not in ("null", None)
