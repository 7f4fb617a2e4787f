"""Mutations of files, from a seeded generator: bytes, numbers and structure; of archives also what is in them. Pure."""

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable
from random import Random

EXTREMES = (
    b"0",
    b"-1",
    b"1e309",
    b"-2147483649",
    b"2147483648",
    b"4294967296",
    b"9223372036854775808",
    b"99999999999999999999",
    b"NaN",
    b"0.0000001",
)
TOKENS = (
    b"<<", b">>", b"[", b"]", b"(", b")", b"endobj", b"stream\n", b"endstream", b"/Kids", b"/Parent 1 0 R", b"1 0 R", b"<", b"</", b"/>", b"&",
    b"&#0;", b"]]>", b"<!--", b"<![CDATA[", b"xmlns=", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\t" * 40,
    "\u202e\u0301\U0001f469\u200d".encode(),
)  # fmt: skip
MAX_BYTES = 2 * 2**20
"""A mutation that doubles does not do so for ever."""

Mutation = Callable[[bytes, Random], bytes]


def flip(data: bytes, chance: Random) -> bytes:
    """Some bytes are others."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 10, max(1, len(data) // 200)))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(data: bytes, chance: Random) -> bytes:
    """The end, or a piece of the middle, is missing."""
    start, length = _piece(data, chance)
    return data[:start] if chance.random() < 0.3 else data[:start] + data[start + length :]


def repeat(data: bytes, chance: Random) -> bytes:
    """A piece stands there again, or very often."""
    start, length = _piece(data, chance)
    times = chance.choice((1, 2, 10, 300))
    return (data[:start] + data[start : start + length] * times + data[start:])[:MAX_BYTES]


def move(data: bytes, chance: Random) -> bytes:
    """A piece stands elsewhere."""
    start, length = _piece(data, chance)
    rest = data[:start] + data[start + length :]
    place = chance.randrange(len(rest) + 1)
    return rest[:place] + data[start : start + length] + rest[place:]


def insert(data: bytes, chance: Random) -> bytes:
    """A token of the formats stands where none belongs."""
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.choice(TOKENS) * chance.choice((1, 1, 2, 200)) + data[place:]


def renumber(data: bytes, chance: Random) -> bytes:
    """Some numbers are others of the file, or extreme."""
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return flip(data, chance)
    for match in sorted(chance.sample(found, min(len(found), chance.choice((1, 1, 2, 8)))), key=lambda m: -m.start()):
        number = chance.choice(EXTREMES) if chance.random() < 0.6 else chance.choice(found).group()
        data = data[: match.start()] + number + data[match.end() :]
    return data


def retag(data: bytes, chance: Random) -> bytes:
    """A tag, an element or a name of the file is missing, doubled, nested in itself or in place of another."""
    found = list(re.finditer(rb"<[^<>]{1,200}>|/[A-Za-z]{2,20}", data))
    if len(found) < 2:
        return move(data, chance)
    one, other = chance.choice(found), chance.choice(found)
    kept = chance.choice((b"", one.group() * 2, one.group() * chance.choice((50, 400)), other.group()))
    return (data[: one.start()] + kept + data[one.end() :])[:MAX_BYTES]


MUTATIONS: tuple[Mutation, ...] = (flip, cut, repeat, move, insert, renumber, renumber, retag, retag)


def mutated(data: bytes, chance: Random) -> bytes:
    """One to three mutations; of an archive mostly inside, so that they get past its checksums."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        mutation = _inside if data[:2] == b"PK" and chance.random() < 0.8 else chance.choice(MUTATIONS)
        data = mutation(data or b"\0", chance)
    return data


def _inside(data: bytes, chance: Random) -> bytes:
    """A part of an archive mutated, missing, doubled or under another's name; the archive is whole."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [(entry.filename, archive.read(entry)) for entry in archive.infolist()]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error):
        return flip(data, chance)
    if not parts:
        return flip(data, chance)
    index = chance.randrange(len(parts))
    name, content = parts[index]
    match chance.randrange(12):
        case 0:
            del parts[index]
        case 1:
            parts.append((name, chance.choice(parts)[1]))
        case 2:
            parts[index] = (chance.choice(parts)[0], content)
        case _:
            parts[index] = (name, chance.choice(MUTATIONS)(content or b"\0", chance))
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        warnings.simplefilter("ignore")  # of names that stand twice, on purpose
        for part_name, part in parts:
            target.writestr(part_name, part)
    return buffer.getvalue()


def _piece(data: bytes, chance: Random) -> tuple[int, int]:
    """Start and length of a piece, more often short than long."""
    start = chance.randrange(len(data))
    return start, chance.randrange(1, chance.choice((2, 16, 256, max(3, len(data) // 2))))
