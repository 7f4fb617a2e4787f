"""Reads an e-mail message (RFC 5322, MIME): its subject as a heading, who wrote it to whom and when, and its text, as HTML where it has that.

Guarantees: of alternatives of one text, one is read; a message inside is read behind the one that carries it; what is attached is named, never
opened, run or fetched. Bounded in bytes, parts and nesting. Raises PageloomError: TOO_LARGE.
"""

import re
from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from schemas.content import Block, BlockType
from schemas.errors import Code, PageloomError
from schemas.text import LINE_BREAK
from streams.read.characters.normalise import clean_text, collapse
from streams.read.structure.logical_page import UNPLACED, LogicalDocument, LogicalPage
from streams.read.structure.markup.html import read_html
from streams.read.structure.text.encodings import decode_text
from streams.read.structure.text.plain_text import read_plain_text
from streams.settings import MAX_MESSAGE_PARTS

MAX_BYTES = 64 * 2**20
"""Of a message with its attachments; servers refuse more than some 50 MiB."""
MAX_CONTAINERS = 100
"""Parts that hold parts, all together: a thread that was forwarded ten times has some thirty."""
MAX_LINES = 20_000
"""Lines that begin as the border of a part does: all parts are parsed, however many are read."""
MAX_FIELD = 16_384
"""Bytes of one header field, more than mail programs write and accept: the time that its parameters take grows with their square."""
MAX_HEADER = 4_000
"""Characters of one header field: a list of a hundred recipients."""
MAX_NAME = 200
"""Characters of the name of what is attached."""
_CONTAINER = re.compile(rb"(?<![^\r\n])content-type:[\s\x1c-\x1f]*(?:multipart|message)/", re.IGNORECASE)
"""Lines end, and white space is, what the parser takes for it: it nests one call in another for each, and has no bound of its own."""
_BORDER = re.compile(rb"(?<![^\r\n])--")
_FIELD = re.compile(rb"(?<![^\r\n])[A-Za-z-]{1,60}:(?:[^\r\n]|\r?\n[ \t]|\r[ \t]){%d,}" % MAX_FIELD)
_SHOWN = ("From", "To", "Cc", "Date")
_METADATA = {"Subject": "title", "From": "author", "Date": "created"}


class TolerantMessage(Message):
    """A message whose parameters that contradict each other are none: for some, the parser itself raises TypeError."""

    def get_param(self, param: str, failobj: Any = None, header: str = "content-type", unquote: bool = True) -> Any:
        """See `Message.get_param`, by which all parameters are asked for."""
        try:
            return super().get_param(param, failobj, header, unquote)
        except (TypeError, ValueError):
            return failobj


def read(path: Path, max_parts: int = MAX_MESSAGE_PARTS) -> LogicalDocument:
    """A `.eml` file; of its parts the first `max_parts`. Raises PageloomError: TOO_LARGE."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise PageloomError(Code.TOO_LARGE, f"a message of {size} bytes; at most {MAX_BYTES} are read: save its attachments apart")
    return read_message(path.read_bytes(), max_parts)


def read_message(data: bytes, max_parts: int = MAX_MESSAGE_PARTS) -> LogicalDocument:
    """The message of a file's bytes, as above. Raises PageloomError: TOO_LARGE."""
    data = data.replace(b"\0", b"")  # there is none in a message (RFC 5322, 2.2); in the name of an encoding it would be an error of its own
    if (containers := sum(1 for _ in _CONTAINER.finditer(data))) > MAX_CONTAINERS:
        raise PageloomError(Code.TOO_LARGE, f"a message of {containers} parts that hold parts; at most {MAX_CONTAINERS} are read")
    if (borders := sum(1 for _ in _BORDER.finditer(data))) > MAX_LINES:
        raise PageloomError(Code.TOO_LARGE, f"a message of {borders} lines that may border parts; at most {MAX_LINES} are read")
    if _FIELD.search(data):
        raise PageloomError(Code.TOO_LARGE, f"a message with a header field of more than {MAX_FIELD} bytes")
    message = BytesParser(TolerantMessage, policy=policy.compat32).parsebytes(data)
    pages: list[LogicalPage] = []
    before: list[Block] = []
    attached: list[Block] = []
    warnings: list[str] = []
    for number, part in enumerate(_parts(message)):
        if number >= max_parts:
            warnings.append(f"the message has more than {max_parts} parts (max_message_parts of the settings); the others are left out")
            break
        if isinstance(part, LogicalPage):
            pages.append(_behind(before, part))
            before = []
        elif part.type is BlockType.ANNOTATION:
            attached.append(part)
        else:
            before.append(part)
    if before or not pages:
        pages.append(LogicalPage(blocks=tuple(before)))
    if attached:
        warnings.append(f"attachments are not read, here {len(attached)}; send them as documents of their own")
    pages[-1] = replace(pages[-1], blocks=(*pages[-1].blocks, *attached), warnings=(*pages[-1].warnings, *warnings))
    return LogicalDocument(pages=tuple(pages), metadata=_metadata(message))


def _parts(message: Message) -> Iterator[LogicalPage | Block]:
    """What a message says, in order: blocks of its header, pages of its text, an annotation for each attachment."""
    subject = _field(message, "Subject")
    if subject:
        yield Block(type=BlockType.HEADING, bbox=UNPLACED, text=subject, level=1)
    lines = [f"{name}: {value}" for name in _SHOWN if (value := _field(message, name))]
    if lines:
        yield Block(type=BlockType.PARAGRAPH, bbox=UNPLACED, text=LINE_BREAK.join(lines))
    yield from _content(message)


def _content(part: Message) -> Iterator[LogicalPage | Block]:
    inner = [one for one in part.get_payload() if isinstance(one, Message)] if part.is_multipart() else []
    if part.get_content_type() == "message/rfc822":
        for message in inner:
            yield from _parts(message)
    elif part.get_content_type() == "multipart/alternative" and inner:
        yield from _content(_best(inner))
    elif part.is_multipart():
        for one in inner:
            yield from _content(one)
    elif _is_text(part):
        yield from _text(part)
    elif part.get_content_maintype() != "multipart":
        name = collapse(clean_text(_decoded((part.get_filename() or "")[:MAX_HEADER])))[:MAX_NAME] or "without a name"
        yield Block(type=BlockType.ANNOTATION, bbox=UNPLACED, text=f"Attachment: {name} ({part.get_content_type()[:100]})")


def _best(alternatives: list[Message]) -> Message:
    """The last alternative that says something, as senders put the richest one last (RFC 2046, 5.1.4)."""
    return next((one for one in reversed(alternatives) if _says_something(one)), alternatives[0])


def _says_something(part: Message) -> bool:
    """Whether there is text in a part, or in a part of it."""
    if part.is_multipart():
        return any(_says_something(one) for one in part.get_payload() if isinstance(one, Message))
    data = part.get_payload(decode=True) if _is_text(part) else b""
    return isinstance(data, bytes) and bool(data.strip())


def _is_text(part: Message) -> bool:
    return part.get_content_type() in ("text/plain", "text/html") and part.get_content_disposition() != "attachment"


def _text(part: Message) -> Iterator[LogicalPage]:
    """The pages of a text part, in the encoding that it names or else is in."""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes) or not data.strip():
        return
    is_html = part.get_content_type() == "text/html"
    decoded = decode_text(data, markup=is_html, label=part.get_content_charset() or "")
    yield from (read_html(decoded) if is_html else read_plain_text(decoded)).pages


def _behind(before: list[Block], page: LogicalPage) -> LogicalPage:
    """A page with blocks before its own."""
    if not before:
        return page
    shift = len(before)
    moved = (replace(block, caption_of=block.caption_of + shift) if block.caption_of else block for block in page.blocks)
    pictures = tuple(replace(picture, block=picture.block + shift) for picture in page.pictures)
    return replace(page, blocks=(*before, *moved), pictures=pictures)


def _metadata(message: Message) -> dict[str, str]:
    found = {ours: _field(message, name) for name, ours in _METADATA.items()}
    return {name: value for name, value in found.items() if value}


def _field(message: Message, name: str) -> str:
    """A header field on one line, its encoded words as text."""
    value = next((text for field, text in message.raw_items() if field.lower() == name.lower()), "")[: 2 * MAX_HEADER]
    if not value.isascii():  # bytes written as they are, which the parser hands on as surrogates
        value = decode_text(value.encode("utf-8", "surrogateescape")).text
    return collapse(clean_text(_decoded(value)))[:MAX_HEADER]


def _decoded(value: str) -> str:
    try:
        return str(make_header(decode_header(value)))
    except (LookupError, UnicodeError, MessageError):
        return value  # encoded in a way that nobody knows
