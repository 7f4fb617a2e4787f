"""UTF-16 that lacks its byte order mark, told by what its characters would say. A pure function of bytes.

Bytes that are no such text have, read as it, characters of every script, none that is assigned, or no spaces and line ends.
"""

import unicodedata
from collections import Counter

SAMPLE_BYTES = 8192
MIN_BYTES = 8
MAX_ODD_SHARE = 0.01
"""Of characters that no text has: controls, private and unassigned ones. One stray character in a short sample is allowed besides."""
MIN_SEPARATORS = 0.01
"""Share of spaces, line ends and the full stops of East Asia: even a Chinese text has one in fifty characters."""
MIN_OF_ONE_SCRIPT = 0.9
"""Share of letters that are Latin or of the text's other script: the two bytes of a character the wrong way round are of many."""

_NEVER_IN_TEXT = bytes(code for code in range(32) if chr(code) not in "\t\n\r\f\x1b")
_SEPARATORS = frozenset(" \n\r\t\u3000\u3001\u3002\uff0c")
_EAST_ASIAN = ((0x1100, 0x11FF), (0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF))


def unmarked_utf16(data: bytes) -> str | None:
    """`utf-16-le` or `utf-16-be` where the first bytes are text in it; None for all else, text of one byte a character among it."""
    sample = data[: min(SAMPLE_BYTES, len(data) - len(data) % 2)]
    if len(sample) < MIN_BYTES or len(sample.translate(None, _NEVER_IN_TEXT)) == len(sample):
        return None
    return next((encoding for encoding in ("utf-16-le", "utf-16-be") if _reads_as(sample, encoding)), None)


def _reads_as(sample: bytes, encoding: str) -> bool:
    if 0xD8 <= sample[-1 if encoding == "utf-16-le" else -2] <= 0xDB:
        sample = sample[:-2]  # half of a pair
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return False
    odd = sum(character not in "\t\n\r\f\x1b" and unicodedata.category(character) in ("Cc", "Cn", "Co") for character in text)
    if odd > max(1, MAX_ODD_SHARE * len(text)) or sum(character in _SEPARATORS for character in text) < MIN_SEPARATORS * len(text):
        return False
    scripts = Counter(_script(character) for character in text if character.isalpha())
    latin = scripts.pop(_script("a"), 0)
    return bool(latin or scripts) and latin + max(scripts.values(), default=0) >= MIN_OF_ONE_SCRIPT * (latin + sum(scripts.values()))


def _script(character: str) -> str:
    """The script of a letter by the first word of its name; Chinese, Japanese and Korean are one."""
    code = ord(character)
    if any(first <= code <= last for first, last in _EAST_ASIAN):
        return "EAST ASIAN"
    return unicodedata.name(character, "?").partition(" ")[0]
