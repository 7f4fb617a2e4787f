"""EPUB books made in code: a package, chapters, contents, and whatever else a test puts into the archive."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from streams.read.structure.epub import book
from streams.read.structure.logical_page import LogicalDocument

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
METADATA = "<dc:title>A Book</dc:title><dc:creator>One</dc:creator><dc:creator>Two</dc:creator><dc:language>en</dc:language>"
HTML, PNG, NCX = "application/xhtml+xml", "image/png", "application/x-dtbncx+xml"
ENCRYPTED = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData>'
    '<e:EncryptionMethod Algorithm="{algorithm}"/><e:CipherData><e:CipherReference URI="{uri}"/></e:CipherData></e:EncryptedData></encryption>'
)


def chapter(body: str) -> str:
    """A chapter's file."""
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        f"<head><title>t</title></head><body>{body}</body></html>"
    )


def package(files: Sequence[tuple[str, str, str]], spine: Sequence[str], metadata: str = METADATA, toc: str = "") -> str:
    """The package document. `files`: (path, media type, properties); the path is the id too."""
    items = "".join(f'<item id="{path}" href="{path}" media-type="{kind}" properties="{properties}"/>' for path, kind, properties in files)
    references = "".join(f'<itemref idref="{path}"/>' for path in spine)
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'{metadata}</metadata><manifest>{items}</manifest><spine toc="{toc}">{references}</spine></package>'
    )


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """The bytes of an archive, the mark of an EPUB first."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name, data in files.items():
            made.writestr(name, data)
    return buffer.getvalue()


def simple(chapters: Sequence[str], extra: Mapping[str, str | bytes] | None = None, listed: Sequence[tuple[str, str, str]] = ()) -> bytes:
    """A book of chapters `c1.xhtml`, `c2.xhtml`, …; `extra` files of the archive, `listed` ones of the package."""
    names = [f"c{number}.xhtml" for number in range(1, len(chapters) + 1)]
    opf = package([*((name, HTML, "") for name in names), *listed], names)
    bodies = {f"OPS/{name}": chapter(body) for name, body in zip(names, chapters, strict=True)}
    return archive({"META-INF/container.xml": CONTAINER, "OPS/book.opf": opf, **bodies, **(extra or {})})


def read(folder: Path, data: bytes) -> LogicalDocument:
    """The book as it is read."""
    path = folder / "book.epub"
    path.write_bytes(data)
    return book.read(path)
