"""Office files from raw XML, for what python-docx, python-pptx and openpyxl cannot write."""

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from schemas.content import Block
from streams.read.structure.documents import DOCX, open_structured
from streams.read.structure.logical_page import LogicalDocument
from streams.read.structure.office.package import NAMESPACES

TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
EXTERNAL = ' TargetMode="External"'
WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
SPACES = (
    " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    + f' xmlns:wps="{WPS}" xmlns:o="urn:schemas-microsoft-com:office:office"'
)


def package(parts: Mapping[str, str | bytes], relations: Mapping[str, tuple[str, str]] | None = None, main: str = "word/document.xml") -> bytes:
    """An archive with a main part. `relations`: of the main part, id → (kind, target); a target with `://` is external."""
    folder, _, name = main.rpartition("/")
    links = "".join(
        f'<Relationship Id="{identity}" Type="{OFFICE}/{kind}" Target="{target}"{EXTERNAL if ":" in target else ""}/>'
        for identity, (kind, target) in (relations or {}).items()
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{TYPES}"><Default Extension="png" ContentType="image/png"/><Default Extension="emf" ContentType="image/x-emf"/>'
            f'<Override PartName="/{main}" ContentType="{WORD_MAIN}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{RELATIONSHIPS}"><Relationship Id="a" Type="{OFFICE}/officeDocument" Target="/{main}"/></Relationships>',
        )
        archive.writestr(f"{folder}/_rels/{name}.rels", f'<Relationships xmlns="{RELATIONSHIPS}">{links}</Relationships>')
        for part, data in parts.items():
            archive.writestr(part, data)
    return buffer.getvalue()


def word(body: str, **parts: str | bytes) -> bytes:
    """A text document of body XML. `styles`, `numbering`, `footnotes`, `endnotes`, `comments` are the inside of those parts."""
    files: dict[str, str | bytes] = {"word/document.xml": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>"}
    relations: dict[str, tuple[str, str]] = {}
    for kind, inside in parts.items():
        if isinstance(inside, bytes):
            files[f"word/media/{kind}.png"] = inside
            relations[kind] = ("image", f"media/{kind}.png")
        elif kind.startswith(("header", "footer")):
            tag = "hdr" if kind.startswith("header") else "ftr"
            files[f"word/{kind}.xml"] = f"<w:{tag} {SPACES}>{inside}</w:{tag}>"
            relations[kind] = (kind.rstrip("0123456789"), f"{kind}.xml")
        elif kind.startswith("link"):
            relations[kind] = ("hyperlink", inside)
        elif kind.startswith("chart"):
            files[f"word/{kind}.xml"] = inside
            relations[kind] = ("chart", f"{kind}.xml")
        else:
            files[f"word/{kind}.xml"] = f"<w:{kind} {SPACES}>{inside}</w:{kind}>"
            relations[kind] = (kind, f"{kind}.xml")
    return package(files, relations)


def opened(folder: Path, data: bytes, media_type: str = DOCX) -> LogicalDocument:
    """The document read from a file."""
    file = folder / "document"
    file.write_bytes(data)
    return open_structured(file, media_type)


def blocks(folder: Path, data: bytes, media_type: str = DOCX) -> list[Block]:
    """All blocks of a document."""
    return [block for page in opened(folder, data, media_type).pages for block in page.blocks]


def shown(found: list[Block]) -> list[tuple[str, str]]:
    """Type and text of blocks."""
    return [(block.type.value, block.text) for block in found]


def p(text: str, properties: str = "") -> str:
    """A paragraph."""
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{r(text)}</w:p>"


def r(text: str, properties: str = "") -> str:
    """A run."""
    return f'<w:r>{f"<w:rPr>{properties}</w:rPr>" if properties else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def png(width: int = 4, height: int = 4, level: int = 128) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes([level]) * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def inline_picture(identity: str, width_pt: float, height_pt: float, alt: str = "") -> str:
    """A run with a picture."""
    return (
        f'<w:r><w:drawing><wp:inline><wp:extent cx="{int(width_pt * 12700)}" cy="{int(height_pt * 12700)}"/><wp:docPr id="1" name="n" descr="{alt}"/>'
        f'<a:graphic><a:graphicData><a:blip r:embed="{identity}"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )
