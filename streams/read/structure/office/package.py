"""An Office file as parts and relationships (ECMA-376 part 2): the only place that unpacks archives, and parses their XML but for the sheets of
workbooks, which `xlsx_cells` reads as streams with bounds of its own.

Guarantees: inflated bytes are bounded for a part and for all of them, whatever the archive says of itself; XML has no DTD, no entities and at most
libxml2's depth of 256 elements; nothing outside the archive is ever opened. Strict documents (ISO 29500) come out in the transitional namespaces,
so that readers know one vocabulary. A missing part is None: files that lack one are common.
"""

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, TypeAlias
from urllib.parse import unquote

from lxml import etree
from msgspec import Struct

from schemas.errors import Code, PageloomError

Element: TypeAlias = Any
"""An element of lxml, which has no types of its own."""

MAX_XML_BYTES = 256 * 2**20
"""Of one parsed part: as a tree it takes some five times as much, and a thousand pages of text have 20 MiB."""
MAX_UNPACKED_BYTES = 2**30
"""Of all parts together: what is read of a document of 512 MiB, pictures included, is less than twice its size."""
MAX_PARTS = 100_000
MAX_SHOWN_NAME = 200
"""Characters of a part's name in a message."""
MAX_WARNINGS = 20
"""Of a file as a whole: more damaged parts say nothing new."""
MAX_RELATIONSHIPS = 50_000
"""Of one part: a book with a link in every line has fewer."""

PART_ERRORS = (etree.XMLSyntaxError, zipfile.BadZipFile, zlib.error, EOFError)
"""What unpacking and parsing one damaged part raises."""

_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/([A-Za-z]+)/")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_DEFAULT = "{http://schemas.openxmlformats.org/package/2006/content-types}Default"
_OVERRIDE = "{http://schemas.openxmlformats.org/package/2006/content-types}Override"

NAMESPACES: dict[str, str] = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "v": "urn:schemas-microsoft-com:vml",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
    "adec": "http://schemas.microsoft.com/office/drawing/2017/decorative",
}


def qname(name: str) -> str:
    """`w:p` as lxml names it: `{namespace}p`."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


class Relationship(Struct, frozen=True):
    """What a part refers to: the kind by its last word (`image`, `hyperlink`), and a part name, or a URI where it is external."""

    kind: str
    target: str
    external: bool


class Package:
    """An open Office file. Part names are absolute without the first slash, compared without case."""

    def __init__(self, path: Path) -> None:
        """Raises zipfile.BadZipFile, OSError, PageloomError (too_large)."""
        self._archive = zipfile.ZipFile(path)
        entries = self._archive.infolist()
        if len(entries) > MAX_PARTS:
            self._archive.close()
            raise PageloomError(Code.TOO_LARGE, f"an Office file of {len(entries)} parts; at most {MAX_PARTS} are read")
        self._entries = {_plain(entry.filename): entry for entry in entries if not entry.is_dir()}
        named = [entry for entry in entries if not entry.is_dir()]
        twice = sorted({entry.filename for entry in named if self._entries[_plain(entry.filename)] is not entry})
        self.warnings: tuple[str, ...] = (f"the file holds {', '.join(twice[:5])[:200]} more than once; the last one is read",) if twice else ()
        self._left, self._counted = MAX_UNPACKED_BYTES, set[str]()
        self._types: tuple[dict[str, str], dict[str, str]] | None = None
        self._relationships: dict[str, dict[str, Relationship]] = {}

    def __enter__(self) -> "Package":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._archive.close()

    def main_part(self) -> str:
        """The name of the part that the file is about. Raises ValueError where no relationship names one."""
        for relationship in self.relationships("").values():
            if relationship.kind == "officeDocument" and not relationship.external:
                return relationship.target
        raise ValueError("no relationship names a main part")

    def bytes_of(self, name: str) -> bytes | None:
        """The bytes of a part. Raises PageloomError (too_large, corrupt)."""
        entry = self._entries.get(_plain(name))
        if entry is None:
            return None
        try:
            with self._archive.open(entry) as file:
                data = file.read(MAX_UNPACKED_BYTES + 1)
        except PART_ERRORS as error:
            raise damaged(name, error) from error
        if entry.filename not in self._counted:
            self._counted.add(entry.filename)
            self._left -= len(data)
        if self._left < 0 or len(data) > MAX_UNPACKED_BYTES:
            raise PageloomError(Code.TOO_LARGE, f"the parts of the file that are read unpack to more than {MAX_UNPACKED_BYTES} bytes")
        return data

    def opened(self, name: str) -> IO[bytes] | None:
        """A part as a stream, for a reader with a bound of its own."""
        entry = self._entries.get(_plain(name))
        return None if entry is None else self._archive.open(entry)

    def xml(self, name: str) -> Element | None:
        """The root of a part. Raises ValueError as `parse_xml`, and PageloomError (too_large, corrupt)."""
        data = self.bytes_of(name)
        try:
            return None if data is None else parse_xml(data)
        except etree.XMLSyntaxError as error:
            raise damaged(name, error) from error

    def related_xml(self, part: str, kind: str, warnings: list[str] | None = None) -> Element | None:
        """The root of the first part of a kind that `part` refers to and that can be read. As `side_xml`."""
        return next((root for name in self.related(part, kind) if (root := self.side_xml(name, warnings)) is not None), None)

    def side_xml(self, name: str, warnings: list[str] | None = None) -> Element | None:
        """The root of a part that the text can be read without: a damaged one is a warning, in `warnings` (of one page, which is read when those of
        the file are told) or of the file. Raises ValueError, PageloomError (too_large).
        """
        try:
            return self.xml(name)
        except PageloomError as error:
            if error.code is not Code.CORRUPT:
                raise
            warning = f"the part {ascii(name[:MAX_SHOWN_NAME])[1:-1]} of the file is damaged: what it says is missing"
            if warnings is not None:
                warnings.append(warning)
            elif warning not in self.warnings and len(self.warnings) < MAX_WARNINGS:
                self.warnings += (warning,)
            return None

    def related(self, part: str, kind: str) -> Iterator[str]:
        """The names of the parts of a kind that `part` refers to."""
        return (one.target for one in self.relationships(part).values() if one.kind == kind and not one.external)

    def relationships(self, part: str) -> dict[str, Relationship]:
        """What a part refers to, by id; `""` is the file as a whole. A part without any, and one whose list is damaged, refers to nothing."""
        if part not in self._relationships:
            folder, _, name = part.rpartition("/")
            self._relationships[part] = _relationships_of(self.bytes_of(posixpath.join(folder, "_rels", f"{name}.rels")), folder)
        return self._relationships[part]

    def content_type(self, name: str) -> str:
        """The media type that the file gives a part, in lower case; empty where it gives none."""
        if self._types is None:
            self._types = _types_of(self.bytes_of("[Content_Types].xml"))
        defaults, overrides = self._types
        return overrides.get(_plain(name)) or defaults.get(name.rpartition(".")[2].lower(), "")


def damaged(name: str, error: Exception) -> PageloomError:
    """The error that names the part, and says what to do. `name`: of the part; `error`: one of `PART_ERRORS`."""
    if isinstance(error, etree.XMLSyntaxError) and "depth" in str(error):
        what = "is nested too deeply (more than 256 elements inside each other)"
    elif isinstance(error, etree.XMLSyntaxError):
        what = "is damaged: no well-formed XML"
    else:
        what = "is damaged: it cannot be unpacked"
    return PageloomError(Code.CORRUPT, f"the part {name[:200]} of the file {what}; open the file in the program that wrote it and save it again")


def parse_xml(data: bytes) -> Element:
    """The root element of an XML part. Raises lxml's XMLSyntaxError; ValueError for a DTD, which ECMA-376 forbids; PageloomError (too_large)."""
    if len(data) > MAX_XML_BYTES:
        raise PageloomError(Code.TOO_LARGE, f"a part of {len(data)} bytes of XML; at most {MAX_XML_BYTES} are parsed")
    if b"purl.oclc.org/ooxml" in data:
        data = _STRICT.sub(_TRANSITIONAL, data)
    root = etree.fromstring(data, xml_parser())
    if root is None:
        raise ValueError("a part without an element")
    if root.getroottree().docinfo.doctype:
        raise ValueError("a part with a document type declaration")
    return root


def xml_parser() -> etree.XMLParser:
    """A parser that resolves nothing, loads nothing and keeps libxml2's own bounds."""
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True)


def flag(element: Element | None, attribute: str = "w:val") -> bool:
    """A switch: there and not off (ECMA-376 part 1, 22.9.2.7)."""
    return element is not None and element.get(qname(attribute), "1").lower() not in ("0", "false", "off")


def number(text: str | None, default: int = 0, most: int = 2**31) -> int:
    """A whole number of an attribute; the default where it is none, its bound where it is absurd."""
    try:
        return max(-most, min(int(float(text)), most)) if text else default
    except (ValueError, OverflowError):
        return default


def _plain(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _relationships_of(data: bytes | None, folder: str) -> dict[str, Relationship]:
    if not data:
        return {}
    try:
        root = parse_xml(data)
    except (etree.XMLSyntaxError, ValueError):
        return {}
    found: dict[str, Relationship] = {}
    for element in root.iterchildren(_RELATIONSHIP):
        if len(found) >= MAX_RELATIONSHIPS:
            break
        target, external = element.get("Target", ""), element.get("TargetMode", "").lower() == "external"
        if not external:
            target = unquote(target.partition("#")[0])
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        found[element.get("Id", "")] = Relationship(element.get("Type", "").rpartition("/")[2], target, external)
    return found


def _types_of(data: bytes | None) -> tuple[dict[str, str], dict[str, str]]:
    root = parse_xml(data or b"<Types/>")
    defaults = {e.get("Extension", "").lower(): e.get("ContentType", "").lower() for e in root.iterchildren(_DEFAULT)}
    overrides = {_plain(e.get("PartName", "")): e.get("ContentType", "").lower() for e in root.iterchildren(_OVERRIDE)}
    return defaults, overrides
