"""The files that `pageloom parse` leaves behind: what each input became, under its base name.

`NAME.json` is the finished document; `NAME.md` and `NAME.html` are there if asked for; `NAME.error.json` is there instead when there is no document.
Of files in folders below one that was named, `NAME` begins with these folders. The pictures of a document's figures are in `NAME.figures/`: the
Markdown links to them, the HTML holds them. Files of an earlier run under the same name are replaced or removed, so a folder never holds both.
"""

import base64
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath, PurePosixPath
from urllib.parse import quote

import msgspec
from msgspec import Struct

from schemas.blobs import BlobStore
from schemas.content import BlobReference
from schemas.errors import Code, Failure, PageloomError
from schemas.events import Format
from streams.following import DocumentFinished

SUFFIXES: dict[Format, str] = {Format.JSON: ".json", Format.MARKDOWN: ".md", Format.HTML: ".html"}
ERROR_SUFFIX = ".error.json"
FIGURES_SUFFIX = ".figures"
MAX_NAME_BYTES = 255 - len(ERROR_SUFFIX) - len("-99999")
"""Of a file name on the file systems in use, without what is added to it here."""

MAX_FIGURES = 20_000
"""Files of one folder; readers store fewer (`streams.read.figures.cutting`)."""
MAX_FIGURE_BYTES = 32 * 2**20
"""Of one picture: four times what a reader cuts at most. A larger one, as a whole page can be, is left where it is stored."""
MAX_EMBEDDED_BYTES = 48 * 2**20
"""Of all pictures in one HTML page: browsers open no larger ones gladly. Further figures show their texts."""
_FIGURE_FILE = re.compile(r"figure-[0-9a-f]+\.(png|jpg)|page-[0-9]+\.png")
"""A figure cut from a page, or a page that is one figure as a whole: readers link no others."""
_KINDS = {"png": "image/png", "jpg": "image/jpeg"}


class _Pictured(Struct):
    """What is read of a block of a finished document's JSON."""

    figure: BlobReference | None = None


class _Blocks(Struct):
    """What is read of a finished document's JSON."""

    blocks: tuple[_Pictured, ...] = ()


class InputFile(Struct, frozen=True):
    """A file, and where it lies below the folder that was named: `.` directly in it, or where the file itself was named."""

    path: Path
    folder: PurePath = PurePath()


def unique_names(files: Sequence[InputFile]) -> list[str]:
    """A name for the outputs of each input: its folder and base name, with `-2`, `-3`, … where inputs share both.

    A base name that leaves no room for a suffix is cut. `a.error` is taken where there is an `a`: both would write `a.error.json`.
    """
    bases = [(file.folder / _cut(file.path.name)).as_posix() for file in files]
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
    """Writes the renderings of a finished document, with its pictures, and returns them. A folder in its name is made. Raises PageloomError when
    something stored cannot be fetched, OSError.
    """
    folder, name = _placed(folder, name)
    texts = {r.format: r.text.encode() if r.text is not None else _fetch(r.reference, blobs, max_bytes) for r in finished.renderings}
    pictures = _pictures(texts.get(Format.JSON, b"{}"), blobs)
    _remove(folder, name)
    try:
        if pictures:
            _write_pictures(folder / f"{name}{FIGURES_SUFFIX}", pictures)
            if Format.MARKDOWN in texts:
                texts[Format.MARKDOWN] = _linked(texts[Format.MARKDOWN], f"{name}{FIGURES_SUFFIX}", pictures)
            if Format.HTML in texts:
                texts[Format.HTML] = _embedded(texts[Format.HTML], pictures)
        for form, text in texts.items():
            (folder / f"{name}{SUFFIXES[form]}").write_bytes(text)
    except OSError:
        _remove(folder, name)  # half a result, on a full disk, would pass for a whole one
        raise
    return texts


def write_failure(folder: Path, name: str, failure: Failure) -> None:
    """Writes why there is no document. A folder in its name is made. Raises OSError."""
    folder, name = _placed(folder, name)
    _remove(folder, name)
    shown = {"code": failure.code.value, "stage": failure.stage.value, "message": failure.message, "retryable": failure.retryable}
    (folder / f"{name}{ERROR_SUFFIX}").write_text(json.dumps(shown, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _placed(folder: Path, name: str) -> tuple[Path, str]:
    """The folder that the files of a name go into, made where it is missing, and their base name."""
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    return place.parent, place.name


def _fetch(reference: BlobReference | None, blobs: BlobStore, max_bytes: int) -> bytes:
    if reference is None:
        raise PageloomError(Code.UNDECODABLE, "a parsed document with a part that is neither inline nor stored")
    return blobs.get(reference, max_bytes)


def _pictures(document: bytes, blobs: BlobStore) -> dict[str, bytes]:
    """The pictures of a finished document by their names in the store, each once."""
    blocks = msgspec.json.decode(document, type=_Blocks).blocks
    references = {block.figure.name: block.figure for block in blocks if block.figure is not None}
    wanted = [r for r in references.values() if _FIGURE_FILE.fullmatch(PurePosixPath(r.name).name) and r.size_bytes <= MAX_FIGURE_BYTES]
    return {reference.name: blobs.get(reference, MAX_FIGURE_BYTES) for reference in wanted[:MAX_FIGURES]}


def _write_pictures(folder: Path, pictures: Mapping[str, bytes]) -> None:
    folder.mkdir(exist_ok=True)
    for name, data in pictures.items():
        (folder / PurePosixPath(name).name).write_bytes(data)


def _linked(markdown: bytes, folder: str, pictures: Mapping[str, bytes]) -> bytes:
    """Markdown whose images lead to the files beside it: names of the store are long, unique, and nothing that a text escapes."""
    for name in pictures:
        markdown = markdown.replace(f"]({name})".encode(), f"]({quote(folder)}/{PurePosixPath(name).name})".encode())
    return markdown


def _embedded(page: bytes, pictures: Mapping[str, bytes]) -> bytes:
    """An HTML page with its pictures inside, as its policy allows no others."""
    room = MAX_EMBEDDED_BYTES
    for name, data in pictures.items():
        room -= len(data)
        if room < 0:
            break
        kind = _KINDS[name.rpartition(".")[2]]
        page = page.replace(f'src="{name}"'.encode(), f'src="data:{kind};base64,'.encode() + base64.b64encode(data) + b'"')
    return page


def _remove(folder: Path, name: str) -> None:
    for suffix in (*SUFFIXES.values(), ERROR_SUFFIX):
        (folder / f"{name}{suffix}").unlink(missing_ok=True)
    pictures = folder / f"{name}{FIGURES_SUFFIX}"
    if pictures.is_dir() and not pictures.is_symlink():
        for file in pictures.iterdir():
            if _FIGURE_FILE.fullmatch(file.name):
                file.unlink()
        if not any(pictures.iterdir()):
            pictures.rmdir()
