"""What of a page's content is missing from its file: a file that was cut off, or damaged, must not pass for one with blank pages.

Promise: looks at object numbers and, only in files that MuPDF had to repair or complains of, at whether streams end as they should; never at what
they say. Other formats than PDF lose nothing here: they cannot be opened when they are cut.
"""

import re
import zlib
from enum import Enum
from typing import Any

import pymupdf

LOST = "content_lost"
"""The reason."""
LOST_TRUST = 0.3
"""Most trust in the text of a page of which parts are missing: a model may look at what is left, and nobody takes it for whole."""
MAX_STREAMS = 2_000
"""Streams looked at on one page; programs that write one for each line have hundreds."""
MAX_INFLATED_BYTES = 64 * 2**20
"""Unpacked to see whether a stream ends; content of a page has some megabytes at most."""
CHUNK_BYTES = 2**20
_REFERENCE = re.compile(r"(\d+) \d+ R")


class Loss(Enum):
    """What is missing of a page."""

    NOTHING = "nothing"
    SOME = "some"
    ALL = "all"


def loss_of(page: pymupdf.Page, *, doubtful: bool) -> Loss:
    """What is missing of a page. `doubtful`: MuPDF complained while it read the page, or found no text; it says so of streams that are not there.

    Raises what MuPDF raises.
    """
    document = page.parent
    if not document.is_pdf or not (doubtful or document.is_repaired):
        return Loss.NOTHING
    if _object(document, page.xref) == "null":
        return Loss.ALL
    named = _references(document, *document.xref_get_key(page.xref, "Contents"))[:MAX_STREAMS]
    there = [number for number in named if _is_stream(document, number)]
    if named and not there:
        return Loss.ALL
    if len(there) < len(named):
        return Loss.SOME
    pictures = _references(document, *document.xref_get_key(page.xref, "Resources/XObject"), inside=True)[:MAX_STREAMS]
    whole = all(_is_stream(document, number) for number in pictures) and not any(_is_cut(document, number) for number in there)
    return Loss.NOTHING if whole else Loss.SOME


def _references(document: Any, kind: str, value: str, *, inside: bool = False) -> list[int]:
    """The objects that a value names, those of an array or a dictionary of its own (`inside`) that it may refer to."""
    number = int(value.split(maxsplit=1)[0]) if kind == "xref" else 0
    if number and (inside or not _is_stream(document, number)):
        listed = _object(document, number)
        return [int(found) for found in _REFERENCE.findall(listed)] if listed[:1] in "[<" else [number]
    return [int(found) for found in _REFERENCE.findall(value)] if kind in ("xref", "array", "dict") else []


def _object(document: Any, number: int) -> str:
    """An object as it is written, `null` where there is none."""
    return str(document.xref_object(number, compressed=True)) if 0 < number < document.xref_length() else "null"


def _is_stream(document: Any, number: int) -> bool:
    return 0 < number < document.xref_length() and bool(document.xref_is_stream(number))


def _is_cut(document: Any, number: int) -> bool:
    """Whether a stream ends before it should. Only deflated ones say where they end; nearly all are."""
    kind, name = document.xref_get_key(number, "Filter")
    if kind not in ("name", "array") or name.strip("[] ") != "/FlateDecode":
        return False
    unpacking, packed, size = zlib.decompressobj(), document.xref_stream_raw(number), 0
    try:
        while packed and size <= MAX_INFLATED_BYTES:
            size += len(unpacking.decompress(packed, CHUNK_BYTES))
            if unpacking.eof:
                return False
            packed = unpacking.unconsumed_tail
    except zlib.error:
        return True
    return size <= MAX_INFLATED_BYTES
