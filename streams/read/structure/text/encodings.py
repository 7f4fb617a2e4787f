"""Bytes of a text file as text: by its mark, by what it is, by what it declares, else by a guess that says so.

Order: a byte order mark decides; valid UTF-8 with letters outside ASCII is UTF-8 whatever is declared, as no other text is valid by chance; then the
declared encoding, if the bytes are text in it; then `encoding_guess`. A guess comes with a warning and a confidence below 1, and text that reads
like no language in any encoding with a low one. Never raises for bytes of any kind; no character comes out that is no text.
"""

import codecs
import re

from msgspec import Struct

from schemas.wide_text import unmarked_utf16
from streams.read.structure.text.encoding_guess import WEAK, guess_encoding, reading_score, sample_of

GUESSED_CONFIDENCE, DAMAGED_CONFIDENCE, UNREADABLE_CONFIDENCE = 0.9, 0.6, 0.2
"""Of text in an encoding that was guessed and reads well; with bytes that are no text in it; that reads like no language."""
GUESSED, DAMAGED, UNREADABLE = "guessed_encoding", "undecodable_bytes", "unlikely_language"
"""The reasons, beside those of pages (`streams.read.trust.signals`)."""
HEAD_BYTES = 4096
"""Where HTML and XML may declare their encoding; the standard asks for the first 1024."""
FEW_ERRORS = 0.02
"""Share of bytes outside ASCII that may be no text in an encoding: a damaged file, and not one that is in another."""
SURE = 0.7
"""Score of a guess that contradicts a declaration under which nothing reads well."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]{2,40})|<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{2,40})["']""", re.I)
_ESCAPED = re.compile(rb"\x1b\$(?:[@B(]|\)C)")
_LABELS = {
    "iso8859-1": "cp1252", "iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "ascii": "cp1252", "us-ascii": "cp1252",
    "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "chinese": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932",
    "x-sjis": "cp932", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "korean": "cp949", "tis-620": "cp874", "iso-8859-11": "cp874",
    "iso-8859-9": "cp1254", "big5": "big5hkscs", "x-x-big5": "big5hkscs", "iso-8859-8-i": "iso8859_8", "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman", "x-cp1251": "cp1251", "win-1251": "cp1251",
}  # fmt: skip
"""Names as the Encoding Standard of the web reads them: what is declared as the smaller set is in fact written in the larger."""
_ALLOWED = re.compile(
    r"(?:cp|windows-?|iso-?8859[-_]|ibm|koi8[-_]|mac[-_]|big5|gb|euc[-_]|shift|ms|utf[-_]?(?:8|16|32)|iso2022[-_]jp|iso-2022-jp|tis|ptcp|viscii|hz)[\w-]*"
)
"""Python's encodings of text; others (`zip`, `rot13`, `unicode_escape`) must not be reachable by a name in a file."""


class Decoded(Struct, frozen=True, kw_only=True):
    """Text and what it was in. `confidence` 0..1 that its characters are right, `reasons` why it is less than 1, a warning in words."""

    text: str
    encoding: str
    confidence: float = 1.0
    reasons: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def decode_text(data: bytes, *, markup: bool = False, label: str = "") -> Decoded:
    """The text of a file. `markup`: HTML or XML, which may declare its encoding near its start. `label`: the encoding that whoever sent it names; it
    counts before what the file declares.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], encoding)
    has_zeros = 0 in data
    if not data.isascii() and not (has_zeros and unmarked_utf16(data)) and (text := _whole(data, "utf-8")) is not None:
        return Decoded(text=text.replace("\0", ""), encoding="utf-8")
    if (wide := _wide(data)) is not None:
        return _strict(data, wide)
    if has_zeros:  # strays: in no encoding of one byte a character does zero say anything
        return decode_text(data.replace(b"\0", b""), markup=markup, label=label)
    declared = codec_of(label) or (declared_encoding(data) if markup else None)
    if data.isascii():
        return _ascii(data, declared)
    if declared is not None and declared != "utf-8" and (decoded := _by_declaration(data, declared)) is not None:
        return decoded
    if _errors(data, "utf-8") <= FEW_ERRORS:
        return _strict(data, "utf-8")
    return _guessed(data)


def declared_encoding(data: bytes) -> str | None:
    """The encoding that HTML or XML declares, as Python's codec; None where it declares none or one that is not known."""
    found = _DECLARED.search(data[:HEAD_BYTES])
    return codec_of((found[1] or found[2]).decode("ascii")) if found else None


def codec_of(label: str) -> str | None:
    """Python's codec of an encoding's name; None for names that are no encoding of text."""
    name = _LABELS.get(label.strip().lower(), label.strip().lower())
    if not _ALLOWED.fullmatch(name):
        return None
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        return None
    return "cp1252" if codec == "iso8859-1" else codec


def _strict(data: bytes, encoding: str) -> Decoded:
    """Text in a known encoding; bytes that are none of it become gaps and are counted."""
    text = _whole(data, encoding)
    if text is not None:
        return Decoded(text=text, encoding=encoding)
    text = data.decode(encoding, "replace")
    lost = text.count("\ufffd")
    warning = f"{lost} places are no text in {encoding}, in which the file is; export it again to see them"
    return Decoded(text=text, encoding=encoding, confidence=DAMAGED_CONFIDENCE, reasons=(DAMAGED,), warnings=(warning,))


def _ascii(data: bytes, declared: str | None) -> Decoded:
    """Plain ASCII, or the escapes of ISO-2022 or HZ that are written in it."""
    found = _ESCAPED.search(data)
    escaped = "iso2022_kr" if found and found[0].endswith(b")C") else "iso2022_jp_2" if found or (declared or "").startswith("iso2022_jp") else ""
    escaped = escaped or ("hz" if declared == "hz" else "")
    if escaped and (text := _whole(data, escaped)) is not None:
        return Decoded(text=text, encoding=escaped)
    return Decoded(text=data.decode("ascii"), encoding="ascii")


def _wide(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without its mark: characters that read like text; zero in every second byte, or three of four, of Latin letters."""
    sample = data[: HEAD_BYTES * 2]
    if (wide := unmarked_utf16(sample)) is not None:
        return wide
    if 0 not in sample:
        return None
    zeros = [sample[place::4].count(0) / max(1, len(sample) // 4) for place in range(4)]
    if min(zeros[0], zeros[1]) > 0.99 and zeros[3] < 0.01:
        return "utf-32-be"
    if min(zeros[2], zeros[3]) > 0.99 and zeros[0] < 0.01:
        return "utf-32-le"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    if max(even, odd) < 0.05 or min(even, odd) > 0.01:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _by_declaration(data: bytes, declared: str) -> Decoded | None:
    """Text as declared, unless the bytes are plainly something else."""
    errors = _errors(data, declared)
    if errors > FEW_ERRORS:
        return None
    sample = sample_of(data)
    if reading_score(sample, declared) < WEAK and guess_encoding(data).score >= SURE:
        return None
    return _strict(data, declared)


def _guessed(data: bytes) -> Decoded:
    guess = guess_encoding(data)
    text = _whole(data, guess.encoding)
    shown = guess.encoding.replace("_", "-")
    if guess.score < WEAK:
        warning = f"no encoding is named and the bytes read like no language; taken for {shown}: save the file as UTF-8"
        text = data.decode(guess.encoding, "replace") if text is None else text
        return Decoded(text=text, encoding=guess.encoding, confidence=UNREADABLE_CONFIDENCE, reasons=(GUESSED, UNREADABLE), warnings=(warning,))
    warning = f"no encoding that fits is named; read as {shown}, which its letters fit best"
    if text is None:
        text = data.decode(guess.encoding, "replace")
        return Decoded(text=text, encoding=guess.encoding, confidence=DAMAGED_CONFIDENCE, reasons=(GUESSED, DAMAGED), warnings=(warning,))
    confidence = round(GUESSED_CONFIDENCE * min(1.0, 0.25 + guess.score), 4)
    return Decoded(text=text, encoding=guess.encoding, confidence=confidence, reasons=(GUESSED,), warnings=(warning,))


def _whole(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _errors(data: bytes, encoding: str) -> float:
    """Share of the bytes outside ASCII of a sample that are no text in an encoding."""
    sample = sample_of(data)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample, final=False)
    return text.count("\ufffd") / max(1, sum(byte > 0x7F for byte in sample))
