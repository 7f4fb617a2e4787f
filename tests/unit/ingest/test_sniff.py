"""Types by content: names never decide, they only refuse text that claims to be something else."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import Code, PageloomError
from streams.ingest import sniff
from tests.unit.ingest import documents


def kind(data: bytes, filename: str = "", content_type: str | None = None) -> str:
    return sniff.sniff(io.BytesIO(data), filename, content_type).media_type


def code(data: bytes, filename: str = "", content_type: str | None = None, **limits: int) -> Code:
    with pytest.raises(PageloomError) as caught:
        sniff.sniff(io.BytesIO(data), filename, content_type, **limits)
    return caught.value.code


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (documents.pdf(), sniff.PDF),
        (b"\n\n  " + documents.pdf(), sniff.PDF),
        (b"\x1b%-12345X@PJL SET X=1\r\n" + documents.pdf(), sniff.PDF),
        (documents.picture("PNG"), sniff.PNG),
        (documents.picture("JPEG"), sniff.JPEG),
        (documents.picture("WEBP"), sniff.WEBP),
        (documents.tiff(2), sniff.TIFF),
        (documents.docx(), sniff.DOCX),
        (documents.office(documents.SLIDES), sniff.PPTX),
        (documents.office("application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml"), sniff.PPTX),
        (documents.office(documents.SHEET), sniff.XLSX),
        (documents.office(documents.XPS_MAIN), sniff.XPS),
        (documents.archive({"mimetype": b"application/epub+zip", "x": b""}), sniff.EPUB),
        (b"<!DOCTYPE html><title>x</title>", sniff.HTML),
        (b"\xef\xbb\xbf <!-- a note --> <html><body>x", sniff.HTML),
        (b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"/>', sniff.HTML),
        ("Grüße aus Köln\n".encode(), sniff.TEXT),
        ("Text in UTF-16".encode("utf-16"), sniff.TEXT),
        ("Ein längerer Text in alter Kodierung, wie ihn viele Programme noch immer schreiben: äöü".encode("latin-1"), sniff.TEXT),
        (b"A file begins with %PDF-1.7 and ends with %%EOF.", sniff.TEXT),
    ],
)
def test_content_decides(data: bytes, expected: str) -> None:
    assert kind(data) == expected
    assert kind(data, "notes.xyz") == expected


@pytest.mark.parametrize(
    ("name", "declared", "expected"),
    [
        ("a.md", None, sniff.MARKDOWN),
        ("A.MARKDOWN", None, sniff.MARKDOWN),
        ("a.csv", None, sniff.CSV),
        ("a.tsv", None, sniff.TSV),
        ("a.txt", "text/markdown; charset=utf-8", sniff.MARKDOWN),
        ("a.eml", None, sniff.EML),
        ("a", "message/rfc822", sniff.EML),
        ("a.bin", "text/csv", sniff.CSV),
        ("a.md", "text/plain", sniff.MARKDOWN),
        ("a", None, sniff.TEXT),
    ],
)
def test_a_name_says_how_text_is_written(name: str, declared: str | None, expected: str) -> None:
    text = io.BytesIO(b"name,size\n" * 8)
    assert sniff.sniff(text, name, declared).media_type == expected
    page = io.BytesIO(b"<!DOCTYPE html><p>x" * 8)
    assert sniff.sniff(page, name, declared).media_type == sniff.HTML


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_text_of_two_bytes_a_character_is_text_with_its_mark_and_without(encoding: str) -> None:
    assert kind("A plain text with an ä.\n".encode(encoding) * 40, "a.txt") == sniff.TEXT
    assert kind("<!DOCTYPE html><html><p>x</p></html>".encode(encoding) * 40, "a.htm") == sniff.HTML
    with pytest.raises(PageloomError):
        kind(b"\0\1\0\2" * 400, "a.txt")


def test_a_name_that_says_something_else_is_a_warning() -> None:
    found = sniff.sniff(io.BytesIO(documents.picture("PNG")), "scan.pdf", None)
    assert found.media_type == sniff.PNG
    assert "application/pdf" in found.warnings[0]
    assert sniff.sniff(io.BytesIO(documents.pdf()), "scan.PDF", "application/pdf").warnings == ()


@pytest.mark.parametrize("name", ["table.pdf", "a.JPG", "b.docx", "c.tiff"])
def test_text_named_like_a_binary_format_is_no_document(name: str) -> None:
    assert code(b"../elsewhere/table.pdf", name) is Code.UNKNOWN_TYPE
    assert code(b"An error occurred, please sign in again.", name) is Code.UNKNOWN_TYPE
    assert code(b"An error occurred, please sign in again.", "", "application/pdf; q=1") is Code.UNKNOWN_TYPE


@pytest.mark.parametrize(
    "data",
    [
        b"../elsewhere/table.pdf",
        b"../elsewhere/table.pdf\n",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 12345\n",
        b"{\\rtf1\\ansi hello}",
        b"%!PS-Adobe-3.0\n",
        b"GIF89a" + bytes(20),
        b"\x7fELF" + bytes(60),
        bytes(range(256)) * 4,
        b"\x00\x01text",
        documents.archive({"a.txt": b"hello"}),
        documents.archive({"mimetype": b"application/vnd.oasis.opendocument.text"}),
    ],
)
def test_what_is_no_document_is_refused(data: bytes) -> None:
    assert code(data) is Code.UNKNOWN_TYPE


def test_text_that_turns_binary_later_is_refused() -> None:
    assert code(b"plain text line\n" * 10_000 + bytes(range(256)) * 40) is Code.UNKNOWN_TYPE


def test_no_bytes() -> None:
    assert code(b"", "x.pdf") is Code.EMPTY_FILE


def test_broken_and_hostile_archives() -> None:
    assert code(documents.docx()[:200]) is Code.CORRUPT
    bomb = documents.archive({"[Content_Types].xml": b"", "word/document.xml": bytes(2_000_000)})
    assert len(bomb) < 10_000
    assert code(bomb, max_unpacked_bytes=1_000_000) is Code.TOO_LARGE


@pytest.mark.parametrize(
    ("name", "said"),
    [("WordDocument", ".docx"), ("PowerPoint Document", ".pptx"), ("Workbook", ".xlsx"), ("Book", ".xlsx"), ("Other", "old Office file")],
)
def test_an_old_office_file_is_named_with_what_to_do(name: str, said: str) -> None:
    header = bytearray(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504))
    header[30:32], header[48:52] = (9).to_bytes(2, "little"), (400).to_bytes(4, "little")
    entries = ("Root Entry".encode("utf-16-le").ljust(128, b"\0")) + name.encode("utf-16-le").ljust(128, b"\0")
    with pytest.raises(PageloomError, match=said) as caught:
        sniff.sniff(io.BytesIO(bytes(header) + bytes(400 * 512) + entries + bytes(200_000)), "old.bin")
    assert caught.value.code is Code.UNKNOWN_TYPE


@pytest.mark.parametrize(
    ("kind", "media_type"),
    [
        ("application/vnd.ms-word.document.macroEnabled.main+xml", sniff.DOCX),
        ("application/vnd.ms-excel.sheet.macroEnabled.main+xml", sniff.XLSX),
        ("application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml", sniff.PPTX),
    ],
)
def test_files_with_macros_are_read_like_those_without(kind: str, media_type: str) -> None:
    assert sniff.sniff(io.BytesIO(documents.office(kind)), "").media_type == media_type


def test_a_binary_workbook_is_named() -> None:
    with pytest.raises(PageloomError, match="xlsb"):
        sniff.sniff(io.BytesIO(documents.office("application/vnd.ms-excel.sheet.binary.macroEnabled.main")), "a.xlsb")


def test_an_encrypted_office_file() -> None:
    old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    assert code(old, "x.doc") is Code.UNKNOWN_TYPE
    assert code(old + "EncryptedPackage".encode("utf-16-le"), "x.docx") is Code.ENCRYPTED
    locked = bytearray(documents.archive({"[Content_Types].xml": b"x"}))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        locked[locked.index(mark) + (6 if mark[2] == 3 else 8)] |= 1
    assert zipfile.ZipFile(io.BytesIO(locked)).infolist()[0].flag_bits & 1
    assert code(bytes(locked)) is Code.ENCRYPTED


@given(st.binary(max_size=400), st.sampled_from([b"", b"%PDF-", b"PK\x03\x04", b"PK\x05\x06", b"\xff\xd8\xff", b"RIFF", b"<html>", b"II*\0"]))
def test_any_bytes_have_a_type_or_a_code(data: bytes, start: bytes) -> None:
    code = None
    try:
        assert "/" in sniff.sniff(io.BytesIO(start + data), "", None).media_type
    except PageloomError as error:
        code = error.code
    assert code in {None, Code.EMPTY_FILE, Code.UNKNOWN_TYPE, Code.CORRUPT, Code.ENCRYPTED, Code.TOO_LARGE}


@pytest.mark.parametrize(
    "text", ["Größe – „gut“ 5 €\n", "Комиссия порта собралась во вторник.\n", "港湾委員会は火曜日に開かれた。\n", "港口委员会于星期二开会。\n"]
)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_two_bytes_a_character_of_any_script_without_a_mark_are_text(text: str, encoding: str) -> None:
    assert kind((text * 20).encode(encoding)) == sniff.TEXT
    assert kind((text * 9_000).encode(encoding)) == sniff.TEXT


def test_a_stray_zero_makes_no_text_binary() -> None:
    assert kind(b"<html><body><p>a\0b</p></body></html>") == sniff.HTML
    assert kind(b"A line of plain text that a program wrote.\n" * 5 + b"\0\0" + b"And one more.\n") == sniff.TEXT


def test_what_is_binary_is_refused_with_what_to_do() -> None:
    with pytest.raises(PageloomError, match="save it as UTF-8"):
        sniff.sniff(io.BytesIO(bytes(range(256)) * 4))
