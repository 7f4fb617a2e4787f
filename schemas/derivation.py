"""The Avro schema that a msgspec type stands for: writes new `.avsc` files, and lets a test hold the published ones against the types.

Run `python -m schemas.derivation` after adding a defaulted field; it rewrites `schemas/avsc/`. A schema that changes was published
before: copy it to `schemas/avsc/past/<Name>.<number>.avsc` first.
"""

import json
import sys
import types
import typing
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from schemas import content, events, state

NAMESPACE = "pageloom"
PRIMITIVES: dict[type, str] = {str: "string", bytes: "bytes", int: "long", float: "double", bool: "boolean"}


RECORDS: tuple[type[msgspec.Struct], ...] = (
    events.DocumentSubmitted,
    events.DocumentOpened,
    events.DocumentRejected,
    events.DocumentDeleted,
    events.DocumentCancelled,
    events.PageRangeReady,
    events.PageExtracted,
    events.PageWindowRequested,
    events.PageWindowRecognized,
    events.PageFailed,
    events.DocumentParsed,
    events.DocumentFailed,
    events.DocumentProgressed,
    events.DeadLettered,
    state.DocumentRecorded,
    content.PageContent,
)
"""Everything that is written as Avro on its own: the events, the aggregator's record of a document, and page content in a blob."""


def avro_schema(event: type[msgspec.Struct]) -> dict[str, Any]:
    """The schema of an event, every named type defined where it is used first."""
    return {"type": "record", "name": event.__name__, "namespace": NAMESPACE, **_record(event, {event.__name__})}


def _record(struct: type[msgspec.Struct], defined: set[str]) -> dict[str, Any]:
    doc = (struct.__doc__ or "").split("\n\n")[0].replace("\n    ", " ").strip()
    fields = []
    for field in msgspec.structs.fields(struct):
        entry: dict[str, Any] = {"name": field.name, "type": _type(field.type, defined)}
        if field.default is not msgspec.NODEFAULT:
            entry["default"] = msgspec.to_builtins(field.default)
        elif field.default_factory is not msgspec.NODEFAULT:
            entry["default"] = msgspec.to_builtins(field.default_factory())
        fields.append(entry)
    return {"doc": doc, "fields": fields}


def _type(annotation: Any, defined: set[str]) -> Any:
    if annotation in PRIMITIVES:
        return PRIMITIVES[annotation]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (types.UnionType, typing.Union):
        others = [a for a in arguments if a is not type(None)]
        return ["null", *(_type(a, defined) for a in others)]
    if origin is tuple:
        return {"type": "array", "items": _type(arguments[0], defined)}
    if origin is dict:
        return {"type": "map", "values": _type(arguments[1], defined)}
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "string"  # not an Avro enum: a new word must not break an old reader
    if annotation.__name__ in defined:
        return annotation.__name__
    defined.add(annotation.__name__)
    return {"type": "record", "name": annotation.__name__, **_record(annotation, defined)}


def main() -> None:
    """Writes the schema of every event below the folder given (default: beside this file)."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "avsc"
    folder.mkdir(parents=True, exist_ok=True)
    for event in RECORDS:
        (folder / f"{event.__name__}.avsc").write_text(json.dumps(avro_schema(event), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
