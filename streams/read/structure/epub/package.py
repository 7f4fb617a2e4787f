"""The package of an EPUB: its files within bounds, reading order, metadata, and what stands in its contents. Knows no HTML of chapters.

Guarantees: no file is unpacked beyond `MAX_FILE_BYTES`, all together not beyond `MAX_UNPACKED_BYTES`; names stay inside the archive; no entity is
expanded. Raises PageloomError: ENCRYPTED (rights management), CORRUPT, TOO_LARGE.
"""

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from schemas.errors import Code, PageloomError
from streams.read.structure.markup.inline_text import normalised
from streams.read.structure.markup.targets import place_in
from streams.read.structure.markup.tree import Element, name_of, parse_xml, plain_text, value_of

MAX_FILE_BYTES = 64 * 2**20
"""Of one unpacked file; chapters have some 100 kB, pictures some MB."""
MAX_UNPACKED_BYTES = 512 * 2**20
"""Of all files that are read of one book."""
MAX_SPINE = 10_000
"""Files in reading order; the largest works of reference have some thousand."""
MAX_METADATA_VALUE = 2_000

_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Obfuscation of fonts, which hides no text (EPUB 3.3, OCF, 4.4)."""
_RIGHTS_FILES = frozenset({"META-INF/license.lcpl", "META-INF/sinf.xml"})
_DUBLIN_CORE = {
    "title": "title", "creator": "author", "description": "subject", "subject": "keywords", "publisher": "publisher", "date": "created",
    "language": "language", "identifier": "identifier", "rights": "rights",
}  # fmt: skip
"""Elements of Dublin Core, and ours."""


class Item(Struct, frozen=True):
    """A file of the package: its path in the archive, media type, and properties (`nav`, `cover-image`)."""

    path: str
    media_type: str
    properties: frozenset[str]


class Package(Struct, frozen=True):
    """What the package document says. `spine`: items in reading order; `contents`: the path of a navigation document or NCX, empty for none."""

    items: dict[str, Item]
    spine: tuple[Item, ...]
    metadata: dict[str, str]
    contents: str
    warnings: tuple[str, ...]


class Archive:
    """The files of a book, unpacked one by one within bounds."""

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path)
        self._names = {name.lower(): name for name in reversed(self._zip.namelist())}
        self._unpacked = 0

    def close(self) -> None:
        """Closes the file."""
        self._zip.close()

    def names(self) -> Iterator[str]:
        """The names of all files."""
        return iter(self._names.values())

    def has(self, name: str) -> bool:
        """Whether there is such a file; letters may differ in case, as on the systems that books are made on."""
        return name.lower() in self._names

    def read(self, name: str) -> bytes:
        """The bytes of a file; empty for one that is damaged or not there. Raises TOO_LARGE, ENCRYPTED."""
        real = self._names.get(name.lower())
        if real is None:
            return b""
        info = self._zip.getinfo(real)
        if info.flag_bits & 1:
            raise PageloomError(Code.ENCRYPTED, "the book's archive is encrypted with a password")
        try:
            with self._zip.open(info) as file:
                data = file.read(min(MAX_FILE_BYTES, MAX_UNPACKED_BYTES - self._unpacked) + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError):
            return b""
        self._unpacked += len(data)
        if len(data) > MAX_FILE_BYTES or self._unpacked > MAX_UNPACKED_BYTES:
            raise PageloomError(Code.TOO_LARGE, f"a book whose files unpack to more than {MAX_UNPACKED_BYTES} bytes, or one to {MAX_FILE_BYTES}")
        return data


def read_package(archive: Archive) -> Package:
    """The package document, of the file that the container names or of the first that looks like it."""
    path = _package_path(archive)
    root = parse_xml(archive.read(path)) if path else None
    if root is None:
        raise PageloomError(Code.CORRUPT, "the book has no package document that can be read, so its chapters have no order")
    items = dict(_manifest(root, posixpath.dirname(path)))
    by_path = {item.path: item for item in items.values()}
    spine, lost = _spine(root, items)
    _refuse_locked(archive, spine)
    warnings = (f"{lost} entries of the reading order name no file of the book",) if lost else ()
    return Package(by_path, spine, _metadata(root), _contents(root, items), warnings)


def _package_path(archive: Archive) -> str:
    container = parse_xml(archive.read("META-INF/container.xml"))
    if container is not None:
        for node in container.iter():
            if name_of(node) == "rootfile" and (path := inside("", value_of(node, "full-path"))) and archive.has(path):
                return path
    return next((name for name in sorted(archive.names()) if name.lower().endswith(".opf")), "")


def inside(folder: str, address: str) -> str:
    """The path in the archive of an address relative to a folder of it; empty for one that leads outside."""
    place = place_in(address)
    if place is None or not place[0]:
        return ""
    path = posixpath.normpath(posixpath.join("/" + folder, place[0])).lstrip("/")
    return "" if path in (".", "") else path


def _manifest(root: Element, folder: str) -> Iterator[tuple[str, Item]]:
    for node in root.iter():
        if name_of(node) == "item" and (path := inside(folder, value_of(node, "href"))):
            yield value_of(node, "id"), Item(path, value_of(node, "media-type").lower(), frozenset(value_of(node, "properties").split()))


def _spine(root: Element, items: dict[str, Item]) -> tuple[tuple[Item, ...], int]:
    """The items in reading order, each once, and how many references name none."""
    spine: dict[str, Item] = {}
    lost = 0
    for node in root.iter():
        if name_of(node) == "itemref" and len(spine) < MAX_SPINE:
            item = items.get(value_of(node, "idref"))
            if item is None:
                lost += 1
            else:
                spine.setdefault(item.path, item)
    return tuple(spine.values()), lost


def _metadata(root: Element) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for node in root.iter():
        if isinstance(node.tag, str) and node.tag.startswith("{http://purl.org/dc/elements/") and (name := _DUBLIN_CORE.get(name_of(node))):
            text = normalised(plain_text(node)[: 4 * MAX_METADATA_VALUE])
            if text and (name in ("author", "keywords") or name not in found):
                found.setdefault(name, []).append(text)
    return {name: ", ".join(dict.fromkeys(values))[:MAX_METADATA_VALUE] for name, values in found.items()}


def _contents(root: Element, items: dict[str, Item]) -> str:
    """The navigation document of EPUB 3, else the NCX of EPUB 2."""
    for item in items.values():
        if "nav" in item.properties:
            return item.path
    spine = next((node for node in root.iter() if name_of(node) == "spine"), None)
    named = items.get(value_of(spine, "toc")) if spine is not None else None
    ncx = named or next((item for item in items.values() if item.media_type == "application/x-dtbncx+xml"), None)
    return ncx.path if ncx is not None else ""


def _refuse_locked(archive: Archive, spine: tuple[Item, ...]) -> None:
    """Raises ENCRYPTED where a chapter is under rights management."""
    if any(archive.has(name) for name in _RIGHTS_FILES):
        raise PageloomError(Code.ENCRYPTED, "the book is under rights management (DRM)")
    encryption = parse_xml(archive.read("META-INF/encryption.xml"))
    if encryption is None:
        return
    chapters = {item.path.lower() for item in spine}
    for data in encryption.iter():
        if name_of(data) != "encrypteddata":
            continue
        algorithm = next((value_of(node, "Algorithm") for node in data if name_of(node) == "encryptionmethod"), "")
        named = {inside("", value_of(node, "URI")).lower() for node in data.iter() if name_of(node) == "cipherreference"}
        if algorithm not in _FONT_ALGORITHMS and named & chapters:
            raise PageloomError(Code.ENCRYPTED, "the book is under rights management (DRM)")
