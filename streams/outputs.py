"""The files that `pageloom parse` leaves behind: what each input became, under its base name.

`NAME.json` is the finished document; `NAME.md` and `NAME.html` are there if asked for; `NAME.error.json` is there instead when there is no document.
Files of an earlier run under the same name are replaced or removed, so a folder never holds both.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import orjson

from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.errors import Code, Failure, PageloomError
from schemas.events import DocumentParsed, Format

SUFFIXES: dict[Format, str] = {Format.JSON: ".json", Format.MARKDOWN: ".md", Format.HTML: ".html"}
ERROR_SUFFIX = ".error.json"


def unique_names(paths: Sequence[Path]) -> list[str]:
    """A name for the outputs of each input: its base name, with `-2`, `-3`, … where inputs share one."""
    taken = {path.name for path in paths}
    names: list[str] = []
    for path in paths:
        name, number = path.name, 1
        while name in names or (number > 1 and name in taken):
            number += 1
            name = f"{path.name}-{number}"
        names.append(name)
    return names


def write_document(folder: Path, name: str, parsed: DocumentParsed, formats: Iterable[Format], blobs: BlobStore, max_bytes: int) -> None:
    """Writes the asked formats of a finished document. Raises PageloomError when a stored part cannot be fetched, OSError."""
    texts = {r.format: r.text.encode() if r.text is not None else _fetch(r.reference, blobs, max_bytes) for r in parsed.renderings}
    if Format.JSON not in texts:
        document = parsed.document
        texts[Format.JSON] = (
            orjson.dumps(msgspec.to_builtins(document)) if document is not None else _fetch(parsed.document_reference, blobs, max_bytes)
        )
    _remove(folder, name)
    for form in {*formats, Format.JSON}:
        if form in texts:
            (folder / f"{name}{SUFFIXES[form]}").write_bytes(texts[form])


def write_failure(folder: Path, name: str, failure: Failure) -> None:
    """Writes why there is no document."""
    _remove(folder, name)
    shown = {"code": failure.code.value, "stage": failure.stage.value, "message": failure.message, "retryable": failure.retryable}
    (folder / f"{name}{ERROR_SUFFIX}").write_text(json.dumps(shown, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _fetch(reference: BlobReference | None, blobs: BlobStore, max_bytes: int) -> bytes:

    if reference is None:
        raise PageloomError(Code.UNDECODABLE, "a parsed document with a part that is neither inline nor stored")
    return blobs.get(reference, max_bytes)


def _remove(folder: Path, name: str) -> None:
    for suffix in (*SUFFIXES.values(), ERROR_SUFFIX):
        (folder / f"{name}{suffix}").unlink(missing_ok=True)
