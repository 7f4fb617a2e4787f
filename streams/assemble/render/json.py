"""A finished document as JSON: the public contract, field for field (`schemas/document.schema.json`)."""

import msgspec
import orjson

from schemas.document import Document


def to_json(document: Document) -> str:
    """One line of JSON. Fields stand in the order of the contract; optional ones that do not apply are left out."""
    return orjson.dumps(msgspec.to_builtins(document)).decode()
