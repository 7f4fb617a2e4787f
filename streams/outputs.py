"""The files that `pageloom parse` leaves behind: what each input became, under its base name.

`NAME.json` is the finished document; `NAME.md` and `NAME.html` are there if asked for; `NAME.error.json` is there instead when there is no document.
Files of an earlier run under the same name are replaced or removed, so a folder never holds both.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.errors import Code, Failure, PageloomError
from schemas.events import Format
from streams.following import DocumentFinished

SUFFIXES: dict[Format, str] = {Format.JSON: ".json", Format.MARKDOWN: ".md", Format.HTML: ".html"}
ERROR_SUFFIX = ".error.json"
MAX_NAME_BYTES = 255 - len(ERROR_SUFFIX) - len("-99999")
"""Of a file name on the file systems in use, without what is added to it here."""


def unique_names(paths: Sequence[Path]) -> list[str]:
    """A name for the outputs of each input: its base name, with `-2`, `-3`, … where inputs share one.

    A base name that leaves no room for a suffix is cut. `a.error` is taken where there is an `a`: both would write `a.error.json`.
    """
    bases = [_cut(path.name) for path in paths]
    taken, errors = set(bases), {f"{base}.error" for base in bases}
    names: dict[str, None] = {}
    for base in bases:
        name, number = base, 1
        while name in names or name in errors or (number > 1 and (name in taken or f"{name}.error" in taken)):
            number += 1
            name = f"{base}-{number}"
        names[name] = None
    return list(names)


def _cut(name: str) -> str:
    while len(os.fsencode(name)) > MAX_NAME_BYTES:
        name = name[:-1]
    return name


def write_document(folder: Path, name: str, finished: DocumentFinished, blobs: BlobStore, max_bytes: int) -> dict[Format, bytes]:
    """Writes the renderings of a finished document and returns them. Raises PageloomError when a stored one cannot be fetched, OSError."""
    texts = {r.format: r.text.encode() if r.text is not None else _fetch(r.reference, blobs, max_bytes) for r in finished.renderings}
    _remove(folder, name)
    try:
        for form, text in texts.items():
            (folder / f"{name}{SUFFIXES[form]}").write_bytes(text)
    except OSError:
        _remove(folder, name)  # half a result, on a full disk, would pass for a whole one
        raise
    return texts


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
