"""Structs as binary Avro (specification 1.11.1, "Binary encoding"), with no dictionaries between.

Promise: the bytes that fastavro writes for the same schema, in less than half of its time: how a schema's values are written is settled once, and
no value is asked what it is. For the schemas that are derived from our own types: each field of a record is an attribute, arrays and maps are one
block, unions are of null and one other type. Knows no events.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

Out = Callable[[bytes], None]
"""Takes the next bytes."""
Put = Callable[[Any, Out], None]
"""Writes a value. Raises what Python raises for a value of another type, and OverflowError for an integer of more than 64 bits."""

_END, _NULL, _SOME = b"\0", b"\0", b"\2"
_BOOLEANS = (b"\0", b"\1")
_DOUBLE = struct.Struct("<d").pack
_BOX = struct.Struct("<B4dB").pack
"""An array of four doubles: the zig-zag of four, and the end of blocks."""


def _zigzag(value: int) -> bytes:
    """An integer in seven bits a byte, the lowest first, its sign in the lowest bit."""
    if not -(2**63) <= value < 2**63:
        raise OverflowError("an integer of more than 64 bits")
    left = value << 1 ^ value >> 63
    found = bytearray()
    while left > 0x7F:
        found.append(left & 0x7F | 0x80)
        left >>= 7
    found.append(left)
    return bytes(found)


_SMALL = {value: _zigzag(value) for value in range(-1, 2048)}
"""Nearly all: places, counts, lengths of text."""


def _put_long(value: int, out: Out) -> None:
    out(_SMALL.get(value) or _zigzag(value))


def _put_bytes(value: bytes, out: Out) -> None:
    _put_long(len(value), out)
    out(value)


def _put_string(value: str, out: Out) -> None:
    data = value.encode()
    size = len(data)
    out(_SMALL.get(size) or _zigzag(size))  # every second value is text: a call less for each
    out(data)


def _put_doubles(values: Sequence[float], out: Out) -> None:
    if len(values) == 4:
        out(_BOX(8, *values, 0))
        return
    if values:
        _put_long(len(values), out)
        out(struct.pack(f"<{len(values)}d", *values))
    out(_END)


_PLAIN: Mapping[str, Put] = {
    "string": _put_string,
    "long": _put_long,
    "double": lambda value, out: out(_DOUBLE(value)),
    "boolean": lambda value, out: out(_BOOLEANS[value]),
    "bytes": _put_bytes,
}


def writer_of(schema: Any) -> Put:
    """What writes the values of a schema, which is given as JSON. Raises ValueError for a schema that none of ours is like."""
    return _writer(schema, dict(_PLAIN))


def _writer(schema: Any, known: dict[str, Put]) -> Put:
    """`known`: by name, the plain types and the records that are defined so far."""
    match schema:
        case str() if schema in known:
            return known[schema]
        case ["null", some]:
            return _optional(_writer(some, known))
        case {"type": "record", "name": name, "fields": fields}:
            known[name] = _record([field["name"] for field in fields], [_writer(field["type"], known) for field in fields])
            return known[name]
        case {"type": "array", "items": "double"}:
            return _put_doubles
        case {"type": "array", "items": items}:
            return _array(_writer(items, known))
        case {"type": "map", "values": values}:
            return _map(_writer(values, known))
    raise ValueError(f"no type of ours: {str(schema)[:100]}")


def _record(names: Sequence[str], puts: Sequence[Put]) -> Put:
    values_of: Callable[[Any], tuple[Any, ...]] = attrgetter(*names) if len(names) > 1 else lambda record: (getattr(record, names[0]),)

    def put(record: Any, out: Out) -> None:
        for put_field, value in zip(puts, values_of(record), strict=True):
            put_field(value, out)

    return put


def _optional(put_some: Put) -> Put:
    def put(value: Any, out: Out) -> None:
        if value is None:
            out(_NULL)
        else:
            out(_SOME)
            put_some(value, out)

    return put


def _array(put_item: Put) -> Put:
    def put(items: Sequence[Any], out: Out) -> None:
        if items:
            _put_long(len(items), out)
            for item in items:
                put_item(item, out)
        out(_END)

    return put


def _map(put_value: Put) -> Put:
    def put(values: Mapping[str, Any], out: Out) -> None:
        if values:
            _put_long(len(values), out)
            for key, value in values.items():
                _put_string(key, out)
                put_value(value, out)
        out(_END)

    return put
