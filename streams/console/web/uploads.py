"""Takes in one file: the body of a request is the file, its name and options are in a header.

Guarantees: at most so many bytes go to disk, at most so many files at once, and a sender that stops is not waited for. A form of another site
cannot send the header.
"""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path, PurePosixPath

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from schemas.events import DocumentOptions, Format, Mode, Priority

HEADER = "x-pageloom-upload"
MAX_HEADER_CHARS = 8_000
MAX_AT_ONCE = 8
"""Files that are being sent at once, of all people together; the page itself sends three."""
STALL_S = 60.0
"""Without a byte for this long, the sender has gone."""
WRITE_BYTES = 2**20
"""Written to disk at once: a change of threads for each piece of a body costs more than the writing."""
MAX_NAME_CHARS = 200


class Described(Struct, frozen=True, forbid_unknown_fields=True):
    """What the header says."""

    filename: str
    mode: Mode = Mode.FAST
    engine: str | None = None
    pages: str | None = None
    password: str | None = None
    join_tables: bool = True

    @property
    def options(self) -> DocumentOptions:
        """As a document's options: all formats, ahead of bulk work, since somebody watches."""
        return DocumentOptions(
            mode=self.mode,
            formats=tuple(Format),
            engine=self.engine or None,
            pages=self.pages or None,
            join_tables=self.join_tables,
            priority=Priority.INTERACTIVE,
        )


class Uploads:
    """The files that are being sent now."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._under_way = 0

    @contextlib.asynccontextmanager
    async def received(self, request: Request) -> AsyncIterator[Path]:
        """A temporary file with the body. Raises HTTPException: 400, 408, 413, 429."""
        stated = request.headers.get("content-length", "")
        if stated.isdigit() and int(stated) > self.max_bytes:
            raise self._too_large()
        if self._under_way >= MAX_AT_ONCE:
            raise HTTPException(429, f"{MAX_AT_ONCE} files are being sent already; send this one when one of them is done")
        self._under_way += 1
        try:
            with tempfile.TemporaryDirectory(prefix="pageloom-upload-") as folder:
                path = Path(folder) / "file"
                await self._write(request, path)
                yield path
        finally:
            self._under_way -= 1

    async def _write(self, request: Request, path: Path) -> None:
        size, held, chunks = 0, bytearray(), request.stream()
        with path.open("wb") as file:
            while (chunk := await _next(chunks)) is not None:
                size += len(chunk)
                if size > self.max_bytes:
                    raise self._too_large()
                held += chunk
                if len(held) >= WRITE_BYTES:
                    await asyncio.to_thread(file.write, bytes(held))
                    held.clear()
            await asyncio.to_thread(file.write, bytes(held))

    def _too_large(self) -> HTTPException:
        return HTTPException(413, f"a file has at most {self.max_bytes} bytes here; send a smaller one, or raise PAGELOOM_MAX_DOCUMENT_BYTES")


async def _next(chunks: AsyncIterator[bytes]) -> bytes | None:
    """The next piece of a body, None at its end. Raises HTTPException: 400, 408."""
    try:
        return await asyncio.wait_for(anext(chunks), STALL_S)
    except StopAsyncIteration:
        return None
    except TimeoutError:
        raise HTTPException(408, f"nothing came for {STALL_S:g} s; send the file again") from None
    except ClientDisconnect:
        raise HTTPException(400, "the sender went away before the file was whole") from None


def described(request: Request) -> Described:
    """What the header says of the file. Raises HTTPException 400."""
    text = request.headers.get(HEADER, "")
    if not text or len(text) > MAX_HEADER_CHARS:
        raise HTTPException(400, f"the header {HEADER} is needed: JSON with the file's name, in ASCII, at most {MAX_HEADER_CHARS} characters")
    try:
        found = msgspec.json.decode(text.encode("latin-1"), type=Described)
    except msgspec.DecodeError as error:
        raise HTTPException(400, f"the header {HEADER}: {error}") from error
    return msgspec.structs.replace(found, filename=base_name(found.filename))


def base_name(name: str) -> str:
    """The last part of a name that a browser gave, with a bound; never empty."""
    base = PurePosixPath(name.replace("\\", "/").replace("\x00", "")).name[-MAX_NAME_CHARS:]
    return base if base not in ("", ".", "..") else "document"
