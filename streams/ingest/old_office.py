"""Files of Office 97-2003 and locked newer ones: both are compound files (MS-CFB), told apart by the names in their directory. Nothing is parsed.

Guarantees: a bounded part of the file is read; what cannot be told is an old Office file in general, never an error.
"""

import struct
from typing import BinaryIO

from schemas.errors import Code, PageloomError

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
DIRECTORY_BYTES = 64 * 1024
"""Looked at from the first sector of the directory on: 512 entries; Office writes a dozen."""

_SECTOR_SHIFT_AT, _FIRST_DIRECTORY_SECTOR_AT = 30, 48
"""Places in the header (MS-CFB, 2.2)."""
_LOCKED = "EncryptedPackage"
_KINDS: tuple[tuple[str, str], ...] = (
    ("WordDocument", "a document of Word 97-2003 (.doc); open it in Word or LibreOffice and save it as .docx"),
    ("PowerPoint Document", "a presentation of PowerPoint 97-2003 (.ppt); open it in PowerPoint or LibreOffice and save it as .pptx"),
    ("Workbook", "a workbook of Excel 97-2003 (.xls); open it in Excel or LibreOffice and save it as .xlsx"),
    ("Book", "a workbook of Excel 5 (.xls); open it in Excel or LibreOffice and save it as .xlsx"),
    ("__properties_version1.0", "a message of Outlook (.msg); export it as PDF or HTML"),
)
"""Streams that name their program, the surer first."""


def refuse(file: BinaryIO) -> PageloomError:
    """The error that says what a compound file is and what to do: ENCRYPTED for an Office file under a password, else UNKNOWN_TYPE."""
    directory = _directory(file)
    if _LOCKED.encode("utf-16-le") in directory:
        return PageloomError(Code.ENCRYPTED, "an Office file that is encrypted with a password")
    for name, what in _KINDS:
        if name.encode("utf-16-le") + b"\0\0" in directory:
            return PageloomError(Code.UNKNOWN_TYPE, f"the content is {what}")
    return PageloomError(Code.UNKNOWN_TYPE, "the content is an old Office file (.doc, .xls, .ppt); save it as .docx, .xlsx or .pptx")


def _directory(file: BinaryIO) -> bytes:
    """The bytes from the beginning of the directory on, and the first ones of the file, where small files have it."""
    file.seek(0)
    head = file.read(DIRECTORY_BYTES)
    if len(head) < _FIRST_DIRECTORY_SECTOR_AT + 4:
        return head
    (shift,) = struct.unpack_from("<H", head, _SECTOR_SHIFT_AT)
    (sector,) = struct.unpack_from("<I", head, _FIRST_DIRECTORY_SECTOR_AT)
    if shift not in (9, 12):
        return head
    file.seek((sector + 1) << shift)
    return file.read(DIRECTORY_BYTES) + b"\0\0" + head
