"""What a file is, told by its content and never by its name.

Guarantees: reads a bounded part of the file whatever its size; no parser of a document runs. A name or content type never makes a file
into what it is not. It only settles what content cannot: text that is named like a binary format (a symbolic link or a Git LFS pointer
checked out as text, an error message saved as `.pdf`) is no document.
"""

import codecs
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import BinaryIO

from schemas.errors import Code, PageloomError
from schemas.wide_text import unmarked_utf16
from streams.ingest import old_office

PDF = "application/pdf"
PNG = "image/png"
JPEG = "image/jpeg"
TIFF = "image/tiff"
WEBP = "image/webp"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
EPUB = "application/epub+zip"
XPS = "application/vnd.ms-xpsdocument"
HTML = "text/html"
TEXT = "text/plain"
MARKDOWN = "text/markdown"
CSV = "text/csv"
TSV = "text/tab-separated-values"
EML = "message/rfc822"

IMAGES = frozenset({PNG, JPEG, TIFF, WEBP})

MAGICS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"\xff\xd8\xff", JPEG),
    (b"II*\0", TIFF),
    (b"MM\0*", TIFF),
    (b"II+\0", TIFF),
    (b"MM\0+", TIFF),
)
"""First bytes that decide alone. WebP, PDF and ZIP are decided by more than their first bytes."""

FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", "an RTF file"),
    (b"%!PS", "a PostScript file"),
    (b"version https://git-lfs.github.com/spec/", "a Git LFS pointer; the file itself was never fetched"),
    (b"GIF8", "a GIF image"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
)
"""First bytes of what is often sent and not read, for a message that helps. Some of these would pass for text."""

EXTENSIONS: dict[str, str] = {
    "pdf": PDF, "png": PNG, "jpg": JPEG, "jpeg": JPEG, "tif": TIFF, "tiff": TIFF, "webp": WEBP, "docx": DOCX, "docm": DOCX, "pptx": PPTX,
    "pptm": PPTX, "xlsx": XLSX, "xlsm": XLSX, "epub": EPUB, "xps": XPS, "oxps": XPS, "doc": "application/msword",
    "ppt": "application/vnd.ms-powerpoint", "xls": "application/vnd.ms-excel", "gif": "image/gif", "bmp": "image/bmp",
    "jp2": "image/jp2", "zip": "application/zip", "odt": "application/vnd.oasis.opendocument.text",
}  # fmt: skip
"""What an extension claims; anything else claims nothing."""

ZIP_PARTS: tuple[tuple[bytes, str], ...] = (
    (rb"wordprocessingml\.(document|template)\.main\+xml|ms-word\.(document|template)\.macroEnabled\w*\.main\+xml", DOCX),
    (rb"presentationml\.(presentation|slideshow|template)\.main\+xml|ms-powerpoint\.\w+\.macroEnabled\.main\+xml", PPTX),
    (rb"spreadsheetml\.(sheet|template)\.main\+xml|ms-excel\.(sheet|template)\.macroEnabled\.main\+xml", XLSX),
    (rb"xps-fixeddocumentsequence\+xml", XPS),
)
"""Content types of the main part in `[Content_Types].xml` (ECMA-376 part 2, XPS specification)."""

TEXT_KINDS: dict[str, str] = {
    "md": MARKDOWN, "markdown": MARKDOWN, "mdown": MARKDOWN, "mkd": MARKDOWN, "csv": CSV, "tsv": TSV, "tab": TSV, "eml": EML,
}  # fmt: skip
"""Extensions of text that is written in a form of its own. Content is text either way: the name only says how to read it."""

HEAD_BYTES = 64 * 1024
PDF_HEADER_WITHIN = 1024
"""Readers accept the header of a PDF anywhere in here (ISO 32000, annex H, note 13): mail and printer headers come before it."""
MAX_ZIP_ENTRIES = 100_000
"""A book of 10,000 pages with an image each has some 20,000."""
MAX_INDEX_BYTES = 4 * 2**20
"""Of `[Content_Types].xml`: one line for each part."""
MAX_CONTROL_SHARE = 0.002
"""Of control characters in text: terminal logs have a few, any binary format has percents."""
FEW_CONTROLS, FEW_AMONG = 2, 32
"""Control characters that any text of so many bytes may have: a stray zero that a program left behind."""

MIN_WIDE_SHARE = 0.3
"""Of zero bytes among every second one, in text of two bytes a character that has spaces, digits or Latin letters."""
_TEXT_NAMES = (".txt", ".text", ".csv", ".tsv", ".log", ".htm", ".html", ".md")
_TEXT_CONTROLS = frozenset(b"\t\n\r\f\b\x1b")
_CONTROLS = bytes(c for c in range(32) if c not in _TEXT_CONTROLS) + b"\x7f"
_HTML_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.I | re.S)
_SAVE_AS = "open it in LibreOffice and save it as .docx, .xlsx, .pptx or PDF"
_PATH = re.compile(rb"\s*[^\s\"'<>|]{1,1024}\.[A-Za-z0-9]{1,5}\s*")


@dataclass(frozen=True, slots=True)
class Sniffed:
    """A file's media type, and what to warn about: a name or content type that says something else."""

    media_type: str
    warnings: tuple[str, ...] = ()


def sniff(file: BinaryIO, filename: str = "", content_type: str | None = None, *, max_unpacked_bytes: int = 2**31) -> Sniffed:
    """The type of a seekable file. `max_unpacked_bytes`: what an archive may say that it unpacks to.

    Raises PageloomError: EMPTY_FILE, UNKNOWN_TYPE, ENCRYPTED (an Office file), CORRUPT (an archive), TOO_LARGE (an archive bomb).
    """
    size = file.seek(0, io.SEEK_END)
    if size == 0:
        raise PageloomError(Code.EMPTY_FILE, "the file has no bytes")
    file.seek(0)
    head = file.read(HEAD_BYTES)
    claim = _claim(filename, content_type)
    media_type = _binary_type(file, head, max_unpacked_bytes) or _text_type(file, head, size, claim, content_type, filename)
    if claim is None or claim == media_type:
        return Sniffed(media_type)
    return Sniffed(media_type, (f"the content is {media_type} although name or content type say {claim}",))


def _binary_type(file: BinaryIO, head: bytes, max_unpacked_bytes: int) -> str | None:
    for magic, media_type in MAGICS:
        if head.startswith(magic):
            return media_type
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return WEBP
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _zip_type(file, max_unpacked_bytes)
    if not _HTML_START.match(head) and _has_pdf_header(head):
        return PDF
    if head.startswith(old_office.MAGIC):
        raise old_office.refuse(file)
    for magic, name in FOREIGN:
        if head.startswith(magic):
            raise PageloomError(Code.UNKNOWN_TYPE, f"the content is {name}")
    return None


def _has_pdf_header(head: bytes) -> bool:
    for found in re.finditer(rb"%PDF-[0-9]", head[: PDF_HEADER_WITHIN + 8]):
        before = re.split(rb"[\r\n]", head[: found.start()])[-1]
        # First on its line or after binary junk; in the middle of a line of text it is a text about PDF.
        if not before.strip() or before[-1] < 32 or before[-1] > 126:
            return True
    return False


def _zip_type(file: BinaryIO, max_unpacked_bytes: int) -> str:
    try:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_ZIP_ENTRIES:
                raise PageloomError(Code.TOO_LARGE, f"an archive of {len(entries)} files; at most {MAX_ZIP_ENTRIES} are unpacked")
            if (unpacked := sum(entry.file_size for entry in entries)) > max_unpacked_bytes:
                raise PageloomError(Code.TOO_LARGE, f"an archive that unpacks to {unpacked} bytes; the limit is {max_unpacked_bytes}")
            by_name = {entry.filename.lower(): entry for entry in entries}
            kind = _entry(archive, by_name.get("mimetype"), 256).strip()
            if kind == EPUB.encode():
                return EPUB
            index = _entry(archive, by_name.get("[content_types].xml"), MAX_INDEX_BYTES).replace(b"\0", b"")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError):
        raise PageloomError(Code.CORRUPT, "the ZIP archive that it is cannot be unpacked: it is damaged or cut off") from None
    for pattern, media_type in ZIP_PARTS:
        if re.search(pattern, index):
            return media_type
    if b"ms-excel.sheet.binary" in index:
        raise PageloomError(Code.UNKNOWN_TYPE, "the content is a binary workbook (.xlsb); open it in Excel or LibreOffice and save it as .xlsx")
    is_open_document = kind.startswith(b"application/vnd.oasis.opendocument")
    what = f"an OpenDocument file; {_SAVE_AS}" if is_open_document else "a ZIP archive that is no known document"
    raise PageloomError(Code.UNKNOWN_TYPE, f"the content is {what}")


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo | None, max_bytes: int) -> bytes:
    """The first `max_bytes` of a file in an archive; nothing where there is none."""
    if entry is None:
        return b""
    if entry.flag_bits & 1:
        raise PageloomError(Code.ENCRYPTED, "an archive that is encrypted with a password")
    with archive.open(entry) as data:
        return data.read(max_bytes)


def _text_type(file: BinaryIO, head: bytes, size: int, claim: str | None, content_type: str | None, filename: str) -> str:
    """HTML or text. Raises UNKNOWN_TYPE for binary content, and for text that says or shows that it stands for something else."""
    # Named text decides only about old encodings, where content alone is a guess.
    named_text = (content_type or "").startswith("text/") or filename.lower().endswith(_TEXT_NAMES)
    whole = size <= HEAD_BYTES
    if not _is_text(head, cut=not whole, legacy=named_text or size >= 64) or (not whole and _has_controls(_ends(file))):
        shown = head[:8].hex(" ")
        what = f"the content is binary and of no known type; it starts with the bytes {shown}. If it is text, save it as UTF-8 and send it again"
        raise PageloomError(Code.UNKNOWN_TYPE, what)
    if _HTML_START.match(_narrow(head)) or (content_type or "").split(";")[0].strip() in (HTML, "application/xhtml+xml"):
        return HTML
    if size <= 1100 and _PATH.fullmatch(head) and _extension(head.decode("utf-8", "replace").strip()) in EXTENSIONS:
        raise PageloomError(Code.UNKNOWN_TYPE, "the content is only the path of another file, as a symbolic link that was checked out as text")
    if claim is not None:
        raise PageloomError(Code.UNKNOWN_TYPE, f"the content is plain text although name or content type say {claim}")
    if filename.lower().endswith((".htm", ".html", ".xhtml")) and b"<" in head.replace(b"\0", b""):
        return HTML
    declared = (content_type or "").split(";")[0].strip().lower()
    return declared if declared in TEXT_KINDS.values() else TEXT_KINDS.get(_extension(filename), TEXT)


def _is_text(sample: bytes, *, cut: bool, legacy: bool) -> bool:
    for mark in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        if sample.startswith(mark):
            return _decodes(sample, "utf-32" if len(mark) == 4 else "utf-16", cut)
    if (wide := _wide(sample)) is not None:
        return _decodes(sample, wide, cut)
    if _has_controls(sample):
        return False
    return _decodes(sample, "utf-8", cut) or (legacy and any(space in sample for space in b" \n\t"))


def _decodes(sample: bytes, encoding: str, cut: bool) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(sample, final=not cut)
    except UnicodeDecodeError:
        return False
    return True


def _wide(sample: bytes) -> str | None:
    """UTF-16 without a mark: its characters read like text, or every second byte of Latin letters and digits is zero. None for all else."""
    if (wide := unmarked_utf16(sample)) is not None:
        return wide
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if min(even, odd) or max(even, odd) < MIN_WIDE_SHARE * len(sample) / 2 or len(sample) < 8:
        return None
    wide = "utf-16-le" if odd else "utf-16-be"
    controls = sample[0::2] if odd else sample[1::2]
    return None if len(controls) - len(controls.translate(None, _CONTROLS)) > MAX_CONTROL_SHARE * len(controls) else wide


def _narrow(head: bytes) -> bytes:
    """Text of any width as bytes of ASCII, as far as it is such."""
    return head.replace(b"\0", b"").lstrip(b"\xff\xfe")


def _has_controls(sample: bytes) -> bool:
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or _wide(sample) is not None:
        return False
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls > max(FEW_CONTROLS if len(sample) >= FEW_AMONG else 0, MAX_CONTROL_SHARE * len(sample))


def _ends(file: BinaryIO) -> bytes:
    """The first and the last `HEAD_BYTES` of a file."""
    file.seek(0)
    first = file.read(HEAD_BYTES)
    size = file.seek(0, io.SEEK_END)
    file.seek(max(len(first), size - HEAD_BYTES))
    return first + file.read(HEAD_BYTES)


def _claim(filename: str, content_type: str | None) -> str | None:
    """The binary format that name or content type claim; None for text and for no claim."""
    declared = (content_type or "").split(";")[0].strip().lower()
    if declared in EXTENSIONS.values() or declared.startswith(("image/", "audio/", "video/")):
        return declared
    return EXTENSIONS.get(_extension(filename))


def _extension(filename: str) -> str:
    return filename.rpartition(".")[2].lower() if "." in filename else ""
