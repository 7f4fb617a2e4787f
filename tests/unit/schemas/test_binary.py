"""Binary Avro: integers at their bounds, and schemas that none of ours is like."""

import io
from typing import Any

import fastavro
import pytest

from schemas.binary import writer_of


def _written(schema: Any, value: Any) -> bytes:
    parts: list[bytes] = []
    writer_of(schema)(value, parts.append)
    return b"".join(parts)


@pytest.mark.parametrize("value", [0, -1, 1, 63, 64, -64, -65, 2047, 2048, 8191, 8192, 2**31, 2**63 - 1, -(2**63)])
def test_integers_are_written_as_fastavro_writes_them(value: int) -> None:
    body = io.BytesIO()
    fastavro.schemaless_writer(body, "long", value)
    assert _written("long", value) == body.getvalue()


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1])
def test_integers_of_more_than_64_bits_are_refused(value: int) -> None:
    with pytest.raises(OverflowError):
        _written("long", value)


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 200])
def test_doubles_are_written_as_fastavro_writes_them(count: int) -> None:
    schema, numbers = {"type": "array", "items": "double"}, [number / 7 for number in range(count)]
    body = io.BytesIO()
    fastavro.schemaless_writer(body, schema, numbers)
    assert _written(schema, tuple(numbers)) == body.getvalue()


@pytest.mark.parametrize("schema", ["float", ["null", "long", "string"], ["long", "null"], {"type": "fixed", "name": "Four", "size": 4}])
def test_schemas_that_none_of_ours_is_like_are_refused(schema: Any) -> None:
    with pytest.raises(ValueError, match="no type of ours"):
        writer_of(schema)
